"""Plates as data, and their drawing, seen straight on."""
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from . import fonts

COLOURS = {  # ground, ink
    "private": ((190, 24, 32), (246, 244, 240)),
    "public": ((22, 22, 24), (240, 240, 238)),
    "government": ((240, 240, 236), (186, 22, 30)),
    "tourist": ((14, 112, 62), (242, 244, 240)),
    "corporation": ((240, 200, 30), (22, 42, 128)),
    "diplomatic": ((22, 62, 150), (242, 244, 246)),
    "white": ((238, 238, 234), (20, 20, 22)),
    "yellow": ((240, 196, 30), (20, 20, 20)),
}


@dataclass
class Plate:
    """What a plate shows. `rows` are (text, relative height); `truth` is the text as truth.csv has it."""
    rows: list
    truth: str
    country: str
    colour: str
    aspect: float
    width_mm: int
    font: str
    small: str = ""        # the province's name, above the rows
    band: str = ""         # letters on a blue band at the left
    embossed: bool = False
    stencil: bool = False
    wobble: float = 0.0
    dirt: float = 0.0
    screws: int = 2
    frame: bool = False
    border: bool = True
    tint: float = 0.0      # how far the paint has faded


def draw(plate, rng, width=1000):
    """Returns the plate as RGBA, and the height of its lowest row's digits as a share of its width."""
    height = round(width / plate.aspect)
    ground, ink = COLOURS[plate.colour]
    ground = _faded(ground, plate.tint)
    image = Image.new("RGB", (width, height), ground)
    pen = ImageDraw.Draw(image)
    unit = min(width, height)
    if plate.border:
        inset = round(0.035 * unit)
        pen.rounded_rectangle((inset, inset, width - inset, height - inset), round(0.09 * unit), outline=ink, width=max(3, round(0.018 * unit)))
    left = _band(pen, plate, width, height)
    ink_mask, body = _rows(plate, rng, width, height, left)
    if plate.embossed:
        _emboss(image, ink_mask, unit)
    image.paste(ink, (0, 0), ink_mask)
    _shade(image, rng)
    _screws(image, plate, rng)
    if plate.dirt:
        _dirt(image, plate.dirt, rng)
    alpha = Image.new("L", (width, height), 0)
    ImageDraw.Draw(alpha).rounded_rectangle((0, 0, width - 1, height - 1), round(0.06 * unit), fill=255)
    image.putalpha(alpha)
    return image, body / width


def _faded(colour, amount):
    grey = (sum(colour) / 3 + 190) / 2
    return tuple(round(c + (grey - c) * amount) for c in colour)


def _band(pen, plate, width, height):
    if not plate.band:
        return 0
    edge = round(0.09 * width)
    pen.rectangle((0, 0, edge, height), fill=(24, 56, 150))
    font = fonts.sized("roboto", round(min(0.2 * height, 0.45 * edge)))
    pen.text((edge / 2, 0.84 * height), plate.band, font=font, fill=(240, 240, 240), anchor="ms")
    if plate.country == "eu":
        for i in range(12):
            a = i * np.pi / 6
            x, y, r = edge / 2 + 0.3 * edge * np.cos(a), 0.34 * height + 0.3 * edge * np.sin(a), 0.04 * edge
            pen.ellipse((x - r, y - r, x + r, y + r), fill=(240, 210, 60))
    else:
        pen.ellipse((edge * 0.3, 0.22 * height, edge * 0.7, 0.22 * height + 0.4 * edge), outline=(230, 230, 230), width=4)
    return edge


def _rows(plate, rng, width, height, left):
    mx, my = round(0.07 * width), round(0.085 * height) + round(0.03 * min(width, height))
    top = my
    mask = Image.new("L", (width, height), 0)
    if plate.small:
        size = round((0.12 if len(plate.rows) == 1 else 0.10) * height)
        font = fonts.sized("roboto", size)
        ImageDraw.Draw(mask).text(((left + width) / 2, my + size), plate.small, font=font, fill=255, anchor="ms")
        top += round(size * 1.35)
    gap = 0.2 if len(plate.rows) > 1 else 0
    spans = [(rel,) + fonts.overhang(text) for text, rel in plate.rows]
    total = sum(rel * (1 + a + b) for rel, a, b in spans) + gap * (len(spans) - 1)
    unit = (height - top - my) / total
    unit = min(unit, 0.66 * height)
    y = top + ((height - top - my) - total * unit) / 2
    lowest = 1e9
    for (text, rel), (_, above, below) in zip(plate.rows, spans):
        body = round(rel * unit)
        y += above * body
        row = fonts.row_mask(text, plate.font, body, tracking=0.13, rng=rng, wobble=plate.wobble, stencil=plate.stencil)
        room = width - left - 2 * mx
        stretch = min(1.22, room / row.width) if row.width < room else room / row.width
        row = row.resize((max(2, round(row.width * stretch)), row.height), Image.LANCZOS)
        x = left + (width - left - row.width) / 2
        part = Image.new("L", mask.size, 0)
        part.paste(row, (round(x), round(y - body)))
        mask = ImageChops.lighter(mask, part)
        y += body * (1 + below) + gap * unit
        lowest = min(lowest, body)
    return mask, lowest


def _emboss(image, mask, unit):
    step = max(2, round(0.012 * unit))
    soft = mask.filter(ImageFilter.GaussianBlur(step * 0.7))
    dark = Image.new("RGB", image.size, (0, 0, 0))
    light = Image.new("RGB", image.size, (255, 255, 255))
    image.paste(dark, (0, 0), ImageChops.offset(soft, step, step).point(lambda v: v * 0.55))
    image.paste(light, (0, 0), ImageChops.offset(soft, -step, -step).point(lambda v: v * 0.35))


def _shade(image, rng):
    """Light falls unevenly on a bent sheet of metal."""
    coarse = Image.fromarray((rng.random((3, 6)) * 255).astype("uint8")).resize(image.size, Image.BICUBIC)
    gain = 0.90 + 0.16 * np.asarray(coarse, dtype="float32")[..., None] / 255
    data = np.clip(np.asarray(image, dtype="float32") * gain, 0, 255).astype("uint8")
    image.paste(Image.fromarray(data))


def _screws(image, plate, rng):
    pen = ImageDraw.Draw(image)
    width, height = image.size
    r = 0.028 * min(width, height) + 3
    spots = {0: [], 2: [(0.27, 0.075), (0.73, 0.075)], 4: [(0.06, 0.12), (0.94, 0.12), (0.06, 0.88), (0.94, 0.88)]}[plate.screws]
    for fx, fy in spots:
        x, y = fx * width + float(rng.normal(0, 4)), fy * height
        pen.ellipse((x - r, y - r, x + r, y + r), fill=(70, 68, 66))
        pen.ellipse((x - r * 0.6, y - r * 0.7, x + r * 0.5, y + r * 0.4), fill=(168, 166, 162))


def _dirt(image, amount, rng):
    width, height = image.size
    field_ = np.zeros((height, width), dtype="float32")
    for cells, weight in ((4, 0.5), (12, 0.3), (50, 0.2)):
        noise = Image.fromarray((rng.random((cells, cells * 2)) * 255).astype("uint8")).resize(image.size, Image.BICUBIC)
        field_ += weight * np.asarray(noise, dtype="float32") / 255
    down = np.linspace(-0.12, 0.16, height, dtype="float32")[:, None]
    cover = np.clip((field_ + down - 0.62 + 0.28 * amount) * 4, 0, 0.82)[..., None] * min(1, 0.55 + amount * 0.5)
    mud = np.array([122, 100, 74], dtype="float32")
    data = np.asarray(image, dtype="float32") * (1 - cover) + mud * cover
    image.paste(Image.fromarray(np.clip(data, 0, 255).astype("uint8")))
