"""Fonts of Debian whose capitals or Devanagari come near to those of number plates, and glyphs drawn from them."""

import functools
import os
import re
import subprocess

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .strokes import trimmed

# (file name pattern, weight in the draw). Condensed and bold grotesques, road signs, drafting and stamped letters.
LATIN = [
    (r"OSP-DIN\.ttf", 6), (r"RG2014(B|C|D|E|EM|F)\.ttf", 8), (r"osifont\.ttf", 4), (r"routed-gothic(-narrow)?\.ttf", 4),
    (r"allerta_(medium|stencil)\.otf", 2), (r"BebasNeue-(Book|Regular|Bold)\.otf", 3), (r"LiberationSans(Narrow)?-(Bold|Regular)\.ttf", 4),
    (r"FreeSans(Bold)?\.ttf", 1), (r"RobotoCondensed-(Bold|Medium|Regular)\.ttf", 3), (r"Roboto-(Bold|Medium)\.ttf", 1),
    (r"NimbusSans(Narrow)?-(Bold|Regular)\.otf", 4), (r"Dosis-(Bold|SemiBold|Medium)\.(otf|ttf)", 3),
    (r"Play-(Bold|Regular)\.ttf", 2), (r"NationalPark-(Heavy|Regular)\.otf", 2),
    (r"ClearSans-(Bold|Medium)\.ttf", 1), (r"UniversalisADFStd-(Bold|BoldCond|Cond)\.otf", 3),
    (r"GilliusADF-(Bold|BoldCond|Cond)\.otf", 2), (r"YanoneKaffeesatz-(Bold|Regular)\.otf", 2), (r"PTN(57|77)F\.ttf", 2),
    (r"PTS75F\.ttf", 1), (r"Tuffy_Bold\.ttf", 1), (r"OCRB\.otf", 1), (r"GemunuLibre-(Bold|SemiBold|Medium)\.otf", 3),
    (r"Jura-(Bold|DemiBold|SemiBold)\.(ttf|otf)", 1), (r"tiresias_signfont_bold\.ttf", 1), (r"NotoSans-(Condensed|ExtraCondensed)?Bold\.ttf", 2),
    (r"DejaVuSans(Condensed)?-Bold\.ttf", 2), (r"DejaVuSansMono-Bold\.ttf", 1), (r"Hack-Bold\.ttf", 1), (r"Oxygen-Sans-Bold\.(ttf|otf)", 1),
    (r"Beteckna.*Bold\.ttf", 1), (r"Mplus1-(SemiBold|Bold|ExtraBold)\.otf", 1), (r"Quicksand-Bold\.ttf", 1), (r"Karla-Bold\.(ttf|otf)", 1),
    (r"Lato-(Bold|Heavy)\.ttf", 1), (r"eurof(55|75)\.ttf", 1),
]
DEVANAGARI = [
    (r"NotoSansDevanagari-(Bold|SemiBold|Black|Medium|CondensedBold|SemiCondensedBold|ExtraCondensedBold)\.ttf", 8),
    (r"NotoSerifDevanagari-(Bold|Black|CondensedBold)\.ttf", 4), (r"Lohit-(Devanagari|Nepali|Marathi)\.ttf", 5),
    (r"[Gg]argi\.ttf", 2), (r"nakula\.ttf", 2), (r"sahadeva\.ttf", 3), (r"Samyak-Devanagari\.ttf", 2), (r"Sarai\.ttf", 2),
    (r"AnnapurnaSIL-(Bold|Regular)\.ttf", 3), (r"kalimati\.ttf", 5), (r"chandas.*\.ttf", 2), (r"samanata\.ttf", 2),
    (r"Aksharyogini.*\.ttf", 2),
]


@functools.lru_cache(None)
def _installed():
    out = subprocess.run(["fc-list", ":", "file"], capture_output=True, text=True, check=True).stdout
    return sorted({line.split(":")[0].strip() for line in out.splitlines() if line.strip()})


@functools.lru_cache(None)
def available(script):
    """(path, weight) of the installed fonts for `latin` or `devanagari`."""
    found = []
    for pattern, weight in {"latin": LATIN, "devanagari": DEVANAGARI}[script]:
        paths = [p for p in _installed() if re.fullmatch(pattern, os.path.basename(p))]
        found += [(path, weight / len(paths)) for path in paths]
    if not found:
        raise SystemExit(f"no {script} font is installed; models/train/run installs them with apt-get")
    return found


def pick(script, rng):
    fonts = available(script)
    return rng.choices([f[0] for f in fonts], [f[1] for f in fonts])[0]


@functools.lru_cache(4096)
def _font(path, size):
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.RAQM)


@functools.lru_cache(20000)
def glyph(path, text, size=80):
    """The ink of one character or syllable (0 to 255), its borders cut; None where the font lacks it.

    A font that has no glyph draws an empty box or nothing: compared with what it draws for an unassigned character.
    """
    font = _font(path, size)
    ink = _drawn(font, text, size)
    if ink is None:
        return None
    lacking = _drawn(font, "\U000e0fff", size)
    if lacking is not None and lacking.shape == ink.shape and np.array_equal(lacking, ink):
        return None
    return ink


@functools.lru_cache(2000)
def drop(path, text, other, size=80):
    """How much lower the top of `text` is than that of `other`, as a part of the height of `other`."""
    font = _font(path, size)
    box, measure = font.getbbox(text, anchor="ls"), font.getbbox(other, anchor="ls")
    return (box[1] - measure[1]) / max(1, measure[3] - measure[1])


def written(path, text, size):
    """The ink of a whole text (0 to 255), its borders cut; None where nothing of it can be seen."""
    return _drawn(_font(path, size), text, size)


def _drawn(font, text, size):
    image = Image.new("L", (size * (2 + 2 * len(text)), size * 3), 0)
    ImageDraw.Draw(image).text((size, size), text, fill=255, font=font)
    ink = trimmed(np.array(image))
    return ink if ink.max() > 40 else None


def weighted(ink, by):
    """Ink made heavier (by > 0) or lighter (by < 0), in pixels."""
    n = int(round(abs(by)))
    if n == 0:
        return ink
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n + 1, n + 1))
    if by > 0:
        return cv2.dilate(cv2.copyMakeBorder(ink, n, n, n, n, cv2.BORDER_CONSTANT, value=0), kernel)
    thin = cv2.erode(ink, kernel)
    return thin if thin.max() > 128 else ink
