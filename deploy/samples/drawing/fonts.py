"""Fonts from Debian packages, and rows of plate text drawn with them."""
import os
import unicodedata

from PIL import Image, ImageDraw, ImageFont

BASE = "/usr/share/fonts/"

# name: (file, Debian package, stroke added on each side as a share of the digit's height)
DEVANAGARI = {
    "noto": ("truetype/noto/NotoSansDevanagari-Bold.ttf", "fonts-noto-core", 0.0),
    "kalimati": ("truetype/fonts-deva-extra/kalimati.ttf", "fonts-deva-extra", 0.045),
    "lohit": ("truetype/lohit-nepali/Lohit-Nepali.ttf", "fonts-lohit-deva-nepali", 0.03),
    "gargi": ("truetype/Gargi/Gargi.ttf", "fonts-gargi", 0.03),
    "sahadeva": ("truetype/Sahadeva/sahadeva.ttf", "fonts-sahadeva", 0.035),
}
LATIN = {
    "roboto": ("truetype/roboto/unhinted/RobotoCondensed-Bold.ttf", "fonts-roboto-unhinted", 0.0),
    "din": ("truetype/opendin/OSP-DIN.ttf", "fonts-opendin", 0.02),
    "narrow": ("truetype/liberation/LiberationSansNarrow-Bold.ttf", "fonts-liberation", 0.0),
    "b612": ("opentype/b612/B612Mono-Bold.otf", "fonts-b612", 0.0),
    "dejavu": ("truetype/dejavu/DejaVuSansCondensed-Bold.ttf", "fonts-dejavu-extra", 0.0),
}
ALL = {**DEVANAGARI, **LATIN}

UPPER_MARKS = set("िीेैोौंँ")
LOWER_MARKS = set("ुूृ")

_cache = {}


def missing_packages():
    """The Debian packages of the fonts that are not on this machine."""
    return sorted({p for f, p, _ in ALL.values() if not os.path.exists(BASE + f)})


def face(name, size):
    key = (name, size)
    if key not in _cache:
        _cache[key] = ImageFont.truetype(BASE + ALL[name][0], size, layout_engine=ImageFont.Layout.RAQM)
    return _cache[key]


def sized(name, height):
    """The face whose digits are `height` pixels high without the added stroke."""
    probe = "२" if name in DEVANAGARI else "H"
    _, top, _, bottom = face(name, 400).getbbox(probe, anchor="ls")
    return face(name, max(6, round(400 * height / (bottom - top))))


def is_devanagari(text):
    return any("\u0900" <= c <= "\u097f" for c in text)


def tokens(text):
    """Words stay whole, so that their headline runs through; digits and Latin letters stand alone; spaces are kept."""
    out, word = [], ""
    for c in text:
        if ("\u0900" <= c <= "\u097f") and not c.isdigit():
            word += c
            continue
        if word:
            out.append(word)
            word = ""
        out.append(c)
    return out + ([word] if word else [])


def overhang(text):
    """How far marks reach above and below the body of the row, as shares of its height."""
    plain = unicodedata.normalize("NFC", text)
    above = 0.32 if any(c in UPPER_MARKS for c in plain) else 0.0
    below = 0.34 if any(c in LOWER_MARKS for c in plain) else 0.12 if "्" in plain else 0.0
    return above, below


def row_mask(text, name, height, tracking=0.12, rng=None, wobble=0.0, stencil=False):
    """Draws a row of text as an L mask.

    The body of the row (its digits) lies between `height` and 2 * `height` of a mask that is 3 * `height` high.
    `tracking` is the gap between the ink of neighbours, `wobble` the unsteadiness of a painter's hand, both as shares of the
    height; `stencil` cuts the bridges that a stencil leaves.
    """
    font = sized(name, height * 0.94)
    stroke = round(ALL[name][2] * height)
    pieces, x = [], 0.0
    for token in tokens(text):
        if token == " ":
            x += 0.30 * height
            continue
        width = int(font.getlength(token)) + 2 * height
        piece = Image.new("L", (width, 3 * height), 0)
        draw = ImageDraw.Draw(piece)
        draw.text((height // 2, 2 * height - stroke), token, font=font, fill=255, anchor="ls", stroke_width=stroke)
        box = piece.getbbox()
        if box is None:
            continue
        if stencil and len(token) == 1 and token not in ".-":
            _cut_bridges(draw, box, height, rng)
        piece = piece.crop((box[0], 0, box[2], 3 * height))
        if wobble and rng is not None:
            angle = float(rng.normal(0, 1)) * wobble * 40
            piece = piece.rotate(angle, Image.BICUBIC)
            stretch = 1 + float(rng.normal(0, 1)) * wobble * 1.5
            piece = piece.resize((max(2, round(piece.width * stretch)), piece.height), Image.BICUBIC)
        lift = round(float(rng.normal(0, 1)) * wobble * height) if wobble and rng is not None else 0
        pieces.append((round(x), lift, piece))
        x += piece.width + tracking * height
    mask = Image.new("L", (max(2, round(x - tracking * height)), 3 * height), 0)
    for left, lift, piece in pieces:
        mask.paste(255, (left, lift), piece)
    return mask


def _cut_bridges(draw, box, height, rng):
    gap = max(2, round(0.055 * height))
    centre = (box[0] + box[2]) / 2 + (float(rng.normal(0, 0.03)) * height if rng is not None else 0)
    draw.rectangle((centre - gap / 2, 0, centre + gap / 2, 3 * height), fill=0)
