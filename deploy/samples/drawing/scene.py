"""Backgrounds: a road with what stands along it. Sizes are shares of the picture."""
import numpy as np
from PIL import Image, ImageFilter

from .pen import Pen, grain, mix

SKIES = {"day": ((118, 164, 210), (206, 220, 228)), "overcast": ((170, 176, 180), (206, 208, 208)), "dusk": ((84, 84, 120), (232, 160, 110))}


def background(size, rng, style="road", sky="day", people=0, barrier=False):
    """A picture of `size`. Styles: road (trees), market (shops with signs), checkpost (hut and barrier), wall (close to a wall)."""
    width, height = size
    image = Image.new("RGB", (width * 2, height * 2))
    pen = Pen(image, height * 2 / 100.0)        # 100 units from top to bottom
    span = 100.0 * width / height
    horizon = float(rng.uniform(30, 38))
    top, low = SKIES.get(sky, SKIES["day"])
    pen.shade([(0, 0), (span, 0), (span, horizon), (0, horizon)], top, low)
    pen.shade([(0, horizon - 1), (span, horizon - 1), (span, 100), (0, 100)], (128, 124, 98), (104, 92, 74))
    _hills(pen, span, horizon, rng)
    if style == "wall":
        _wall(pen, span, horizon, rng)
    else:
        _trees(pen, span, horizon, rng, 26 if style == "road" else 14)
    _road(pen, span, horizon, rng, style)
    if style == "market":
        _shops(pen, span, horizon, rng)
    if style == "checkpost" or barrier:
        _hut(pen, span, horizon, rng)
    for _ in range(people):
        _person(pen, float(rng.uniform(0.08, 0.92)) * span, float(rng.uniform(horizon + 14, 78)), rng)
    image = image.resize(size, Image.LANCZOS).filter(ImageFilter.GaussianBlur(height / 900))
    return _texture(image, rng, horizon / 100)


def _texture(image, rng, horizon):
    width, height = image.size
    fine = grain(image.size, rng, ((40, 0.45), (150, 0.35), (300, 0.12)))
    depth = np.clip((np.linspace(0, 1, height)[:, None] - horizon * 0.55) * 3, 0.05, 1)
    gain = 1 + (fine - 0.5) * 0.28 * depth
    data = np.clip(np.asarray(image, dtype="float32") * gain[..., None], 0, 255)
    return Image.fromarray(data.astype("uint8"))


def _hills(pen, span, horizon, rng):
    points = [(0, horizon)]
    x = 0.0
    while x < span:
        points.append((x, horizon - float(rng.uniform(3, 10))))
        x += float(rng.uniform(12, 30))
    pen.poly(points + [(span, horizon - 5), (span, horizon)], (134, 150, 150))


def _trees(pen, span, horizon, rng, count):
    for _ in range(count):
        x, scale = float(rng.uniform(-4, span + 4)), float(rng.uniform(0.6, 1.5))
        if abs(x - span / 2) < span * 0.09:
            continue
        base = horizon + float(rng.uniform(0, 5)) * scale
        green = (int(rng.integers(38, 74)), int(rng.integers(74, 108)), int(rng.integers(34, 58)))
        pen.rect(x - 0.6 * scale, base - 14 * scale, x + 0.6 * scale, base + 1, (78, 62, 48))
        for _ in range(16):
            dx, dy = float(rng.normal(0, 4.6)) * scale, float(rng.normal(-19, 5)) * scale
            r = float(rng.uniform(2.2, 5.2)) * scale
            pen.oval(x + dx, base + dy, r * 1.15, r * 0.85, mix(green, (150, 170, 96) if rng.random() < 0.4 else (10, 26, 12), float(rng.uniform(0, 0.5))))
    for _ in range(int(span * 1.2)):
        x, y = float(rng.uniform(0, span)), horizon + float(rng.uniform(0, 8))
        pen.oval(x, y, float(rng.uniform(1, 4)), float(rng.uniform(0.6, 1.6)), (int(rng.integers(70, 110)), int(rng.integers(90, 120)), 62))


def _road(pen, span, horizon, rng, style):
    centre = span / 2 + float(rng.uniform(-4, 4))
    wide = span * 0.62
    pen.shade([(centre - span * 0.05, horizon), (centre + span * 0.05, horizon), (centre + wide * 1.15, 100), (centre - wide * 1.15, 100)], (150, 136, 112), (134, 118, 96))
    pen.shade([(centre - span * 0.035, horizon), (centre + span * 0.035, horizon), (centre + wide, 100), (centre - wide, 100)], (126, 126, 126), (88, 88, 90))
    for i in range(9):
        a, b = (i / 9) ** 1.8, ((i + 0.45) / 9) ** 1.8
        y0, y1 = horizon + a * (100 - horizon), horizon + b * (100 - horizon)
        pen.poly([(centre - 0.2 - a, y0), (centre + 0.2 + a, y0), (centre + 0.2 + b * 1.1, y1), (centre - 0.2 - b * 1.1, y1)], (206, 204, 196))
    for side in (-1, 1):
        pen.poly([(centre + side * span * 0.032, horizon), (centre + side * span * 0.034, horizon), (centre + side * wide * 0.97, 100), (centre + side * wide * 0.93, 100)], (196, 194, 188))
    for _ in range(int(rng.integers(3, 8))):
        x, y = centre + float(rng.normal(0, 14)), float(rng.uniform(horizon + 16, 98))
        r = (y - horizon) * 0.12
        pen.oval(x, y, r * 1.6, r * 0.3, (78, 78, 80))


SIGNS = [("किराना पसल", (40, 90, 170)), ("HOTEL 2050", (170, 40, 40)), ("मोबाइल सेन्टर", (30, 120, 80)), ("PHOTO STUDIO", (110, 50, 140)),
         ("खाजा घर", (200, 120, 30)), ("CEMENT 53 GRADE", (60, 60, 66)), ("औषधि पसल", (24, 130, 70)), ("CYBER ZONE", (20, 30, 60))]


def _shops(pen, span, horizon, rng):
    x = -6.0
    while x < span:
        wide = float(rng.uniform(26, 40))
        if abs(x + wide / 2 - span / 2) > span * 0.2:
            top, base = horizon - float(rng.uniform(16, 26)), horizon + 8
            paint = [(196, 178, 150), (160, 184, 190), (206, 196, 180), (184, 150, 140)][int(rng.integers(4))]
            pen.shade([(x, top), (x + wide, top), (x + wide, base), (x, base)], paint, mix(paint, (0, 0, 0), 0.3))
            pen.rect(x + 2, base - 14, x + wide - 2, base, (62, 62, 66))
            for i in range(11):
                pen.line([(x + 2, base - 13 + i * 1.2), (x + wide - 2, base - 13 + i * 1.2)], (104, 106, 110), 0.25)
            words, fill = SIGNS[int(rng.integers(len(SIGNS)))]
            pen.rect(x + 1, base - 21, x + wide - 1, base - 15, fill)
            pen.text(x + wide / 2, base - 16.6, words, 2.7, (246, 240, 214))
            for i in range(2):
                pen.rect(x + 4 + i * wide / 2, top + 2, x + 4 + i * wide / 2 + 5, min(top + 7, base - 22), (70, 84, 94))
        x += wide + float(rng.uniform(0, 3))
    for y in (horizon - 27, horizon - 25):
        pen.line([(0, y), (span * 0.3, y + 3), (span, y - 5)], (50, 50, 52), 0.25)


def _hut(pen, span, horizon, rng):
    x, base = span * 0.06, horizon + 20
    pen.shade([(x, base - 34), (x + 30, base - 34), (x + 30, base), (x, base)], (214, 206, 186), (160, 150, 130))
    pen.poly([(x - 3, base - 33), (x + 15, base - 44), (x + 33, base - 33)], (132, 56, 44))
    pen.rect(x + 4, base - 24, x + 14, base - 13, (54, 70, 80))
    pen.rect(x + 19, base - 24, x + 27, base, (98, 70, 46))
    pen.rect(x, base - 33, x + 30, base - 27, (26, 86, 52))
    pen.text(x + 15, base - 28.7, "चेकपोष्ट", 3.0, (246, 244, 232))
    post = span * 0.9
    pen.rect(post - 1.2, horizon + 2, post + 1.2, horizon + 26, (90, 90, 92))
    for i in range(16):
        x0 = post - i * 5.2
        y0 = horizon + 7 - i * 0.25
        pen.poly([(x0, y0), (x0 - 5.2, y0 - 0.25), (x0 - 5.2, y0 + 1.75), (x0, y0 + 2)], (206, 40, 40) if i % 2 else (238, 236, 230))
    pen.rect(post - 7, horizon - 14, post + 7, horizon - 2, (238, 236, 224), 1, (180, 30, 30), 1)
    pen.text(post, horizon - 8.6, "40", 4.0, (24, 24, 26))
    pen.text(post, horizon - 3.6, "km/h", 2.0, (24, 24, 26))


def _wall(pen, span, horizon, rng):
    for row in range(12):
        for col in range(int(span / 5) + 2):
            tone = float(rng.uniform(0, 0.3))
            x = col * 5 - (row % 2) * 2.5
            pen.rect(x, row * 3.2, x + 4.7, row * 3.2 + 2.9, mix((160, 84, 62), (90, 60, 48), tone))


def _person(pen, x, feet, rng):
    s = (feet - 22) / 46
    shirt = tuple(int(v) for v in rng.integers(40, 210, 3))
    trousers = tuple(int(v) for v in rng.integers(24, 90, 3))
    pen.oval(x, feet - 25 * s, 1.7 * s, 2.1 * s, (120, 84, 62))
    pen.oval(x, feet - 26 * s, 1.8 * s, 1.4 * s, (24, 22, 22))
    pen.shade((x - 3.2 * s, feet - 23 * s, x + 3.2 * s, feet - 11 * s), mix(shirt, (255, 255, 255), 0.15), shirt, 1.2 * s)
    for side in (-1, 1):
        pen.shade((x + side * 1.5 * s - 1.2 * s, feet - 12 * s, x + side * 1.5 * s + 1.2 * s, feet), trousers, mix(trousers, (0, 0, 0), 0.4), 0.6 * s)
        pen.line([(x + side * 3 * s, feet - 21 * s), (x + side * 3.8 * s, feet - 12 * s)], mix(shirt, (0, 0, 0), 0.2), 1.5 * s)
