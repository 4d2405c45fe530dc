"""The alphabet of Nepal's plates: one Latin symbol per syllable or word, its Devanagari, its canonical Latin, its strokes.

The strokes follow how plates are painted and stamped, which is not how fonts print: the plain one like a q and the curly
one, the eight under its bar, the nine with two arms, the five with a foot, the stencil's gaps.
"""

import cv2
import numpy as np

from .strokes import C, P, draw, trimmed

# (symbol, Devanagari, canonical Latin). A province's name is canonical by its number, the word province by P.
SYMBOLS = [(str(d), chr(0x0966 + d), str(d)) for d in range(10)] + [
    ("k", "को", "KO"), ("m", "मे", "ME"), ("s", "स", "SA"), ("S", "सा", "SA"), ("b", "बा", "BA"), ("n", "ना", "NA"),
    ("l", "लु", "LU"), ("d", "ध", "DHA"), ("r", "रा", "RA"), ("e", "भे", "BHE"), ("E", "से", "SE"),
    ("K", "क", "KA"), ("x", "ख", "KHA"), ("G", "ग", "GA"), ("g", "घ", "GHA"), ("c", "च", "CHA"), ("J", "ज", "JA"),
    ("j", "झ", "JHA"), ("N", "ञ", "YAN"), ("t", "त", "TA"), ("T", "थ", "THA"), ("p", "प", "PA"), ("P", "पा", "PA"),
    ("f", "फ", "PHA"), ("B", "ब", "BA"), ("M", "म", "MA"), ("y", "य", "YA"), ("h", "ह", "HA"),
    ("X", "प्रदेश", "P"), ("q", "प्र", "P"),
    ("A", "कोशी", "1"), ("D", "मधेश", "2"), ("V", "बागमती", "3"), ("W", "गण्डकी", "4"), ("L", "लुम्बिनी", "5"),
    ("R", "कर्णाली", "6"), ("Z", "सुदूरपश्चिम", "7"),
]
TEXT_OF = {symbol: text for symbol, text, _ in SYMBOLS}

ZONES = "mksSJbnGldreKEM"
CLASSES = "KxGgcJjNpPfBMhTty"
PROVINCES = "ADVWLRZ"
# What the reader takes for a glyph is at least this part of a row's height: zeros and offices behind a name are low.
LOWEST = 0.36
# The word number, which some painters put before a province's: it is answered with nothing.
NUMBER, NUMBERS = "#", ["न", "नं", "नं"]
# Digits that are taken for one another where rows are low.
ALIKE = "985124069"
# How Nepal's painters shorten a province's name before the word province.
SHORT = "blkGK"


def write_table(path):
    """Writes what the reader needs to map symbols back: symbol, Devanagari, canonical Latin, one a line, by tabs."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{symbol}\t{deva}\t{latin}\n" for symbol, deva, latin in SYMBOLS)


def symbols_of(text):
    """Devanagari text as symbols, longest syllables first; what has no symbol is left out."""
    out, i = "", 0
    table = sorted(SYMBOLS, key=lambda s: -len(s[1]))
    while i < len(text):
        for symbol, deva, _ in table:
            if text.startswith(deva, i):
                out += symbol
                i += len(deva)
                break
        else:
            i += 1
    return out


def _office(rng, digits):
    second = rng.choice(digits)
    return rng.choice(["0" + second, "0" + rng.choice("12345"), rng.choice(digits) + second])


def _provincial_lot(rng, digits):
    return "".join(rng.choice("001234567890" if rng.random() < 0.7 else digits) for _ in range(3))


def _heading(rng, office, more=None):
    """The row above the number of a plate by province: its number or its name, the word, the office now and then; seldom `more` behind it."""
    word = rng.choice(["X", "X", "X", "q"])
    if rng.random() < 0.4:
        mark = rng.choice([" ", " ", "", ".", NUMBER + ".", f" {NUMBER}. ", f" {NUMBER} "]) if word == "X" else rng.choice([" ", "", ".", "-"])
        joint = rng.choice(["-", " ", ".", "- "])
        rest = ["", "", joint + office, joint + office] + ([f"{joint}{office}{rng.choice(['-', ' '])}{more}"] if more else [])
        return f"{word}{mark}{rng.choice('1234567')}{rng.choice(rest)}"
    name = rng.choice(PROVINCES if rng.random() < 0.8 else SHORT)
    ending = rng.choice(["-", " ", ".-", ". "]) + office if rng.random() < 0.85 else ""
    return f"{name}{rng.choice([' ', '. ', '.', ''])}{word}{ending}"


def _zone_and_class(rng):
    return rng.choice("kkbbbnnnlsS" if rng.random() < 0.6 else ZONES), rng.choice("pppcc" if rng.random() < 0.55 else CLASSES)


def plate(rng):
    """The rows of a random plate, as `row` writes them."""
    digits = ALIKE if rng.random() < 0.15 else "0123456789"
    serial = "".join(rng.choice(digits) for _ in range(rng.choice([1, 2, 3, 3, 4, 4, 4, 4, 4, 4])))
    zone, category = _zone_and_class(rng)
    if rng.random() < 0.58:
        lot = rng.choice("123456789") + (rng.choice(digits) if rng.random() < 0.75 else "")
        first = f"{zone}{rng.choice(['.', '. ', ' ', '', ' '])}{lot}{rng.choice([' ', '', '  '])}{category}"
        return [first, serial] if rng.random() < 0.74 else [f"{first}{rng.choice([' ', '', '  '])}{serial}"]
    office, lot = _office(rng, digits), _provincial_lot(rng, digits)
    joint = rng.choice([" ", " ", "", "-"])
    layout = rng.random()
    if layout < 0.2:
        # The word left out, or all of it in the first row.
        head = rng.choice(["X", "X", "q", ""]) + f"{rng.choice([' ', ''])}{rng.choice('1234567')}{rng.choice(['-', ' ', '.'])}{office}"
        return [f"{head} {lot}{joint}{category}", serial]
    head = _heading(rng, office)
    while not any(c.isdigit() for c in head[-3:]) and rng.random() < 0.9:
        head = _heading(rng, office)
    if layout < 0.65:
        return [head, f"{lot}{joint}{category}", serial]
    return [head, f"{lot}{joint}{category}{rng.choice([' ', '', '  '])}{serial}"]


def row(rng):
    """A random plate row as symbols, spaces where groups are apart, dots and hyphens where painters put them."""
    kind = rng.random()
    digits = ALIKE if rng.random() < 0.2 else "0123456789"
    number = "".join(rng.choice(digits) for _ in range(4))
    serial = number[: rng.choice([1, 2, 3, 3, 4, 4, 4, 4, 4])]
    zone, category = _zone_and_class(rng)
    lot = rng.choice(digits) + (rng.choice(digits) if rng.random() < 0.75 else "")
    dot = rng.choice([".", ". ", " ", ""])
    if kind < 0.15:
        return serial
    if kind < 0.33:
        return f"{zone}{dot}{lot}{rng.choice([' ', '', '  '])}{category}"
    if kind < 0.48:
        return f"{zone}{dot}{lot}{rng.choice([' ', ''])}{category}{rng.choice([' ', '', '  '])}{serial}"
    office, number = _office(rng, digits), _provincial_lot(rng, digits)
    if kind < 0.76:
        return _heading(rng, office, number + rng.choice([" ", ""]) + category)
    if kind < 0.88:
        return rng.choice([f"{number} {category}", f"{number}{category}", f"{office}-{number} {category}", f"{office}-{number}-{category}",
                           f"{number} {category} {serial}", f"{number}{category}{serial}"])
    if kind < 0.93:
        return rng.choice([rng.choice("0123456789"), zone, category, rng.choice("0123456789")])
    return f"X {rng.choice('1234567')}{rng.choice(['-', ' '])}{office} {number} {category} {serial}"


def style(rng):
    """How a painter or a stamp writes: pen, proportions and the shape of each digit."""
    kind = rng.choices(["even", "brush", "block", "stencil"], [4, 4, 2, 2])[0]
    width = rng.uniform(0.6, 1.05)
    pen = rng.uniform(0.08, 0.2)
    s = {
        "kind": kind, "width": width, "pen": pen, "across": pen, "nib": 0.0, "radius": rng.uniform(0.4, 1.0), "ends": "flat",
        "v": {symbol: rng.random() for symbol, _, _ in SYMBOLS}, "w": {symbol: rng.random() for symbol, _, _ in SYMBOLS},
        "jitter": 0.0, "gaps": 0, "butt": rng.random() < 0.4, "chamfer": False,
        # Serials often fill the plate's width: short of digits they are drawn wide, pen and all.
        "stretch": rng.uniform(1.1, 1.75) if rng.random() < 0.45 else 1.0,
    }
    if kind == "brush":
        s.update(pen=rng.uniform(0.14, 0.24), across=rng.uniform(0.07, 0.15), nib=rng.uniform(-45, 30), jitter=rng.uniform(0, 0.012), ends="round")
        if rng.random() < 0.5:
            # A wide brush held upright: heavy down-strokes become light, as sign painters of the region hold it.
            s["pen"], s["across"] = s["across"], s["pen"]
    if kind in ("block", "stencil"):
        s.update(radius=rng.uniform(0.0, 0.25), pen=rng.uniform(0.13, 0.2), width=rng.uniform(0.7, 1.1))
        s["across"] = s["pen"] * rng.choice([1, rng.uniform(0.8, 1.4)])
        s["butt"], s["chamfer"] = rng.random() < 0.8, rng.random() < 0.5
        if rng.random() < 0.75:
            s["v"].update({"1": 0.3 * rng.random(), "2": 0.85, "3": 0.85, "4": rng.choice([0.2, 0.6, 0.95]), "5": rng.choice([0.3, 0.86, 0.95]),
                           "6": 0.9, "8": 0.7, "9": 0.5 * rng.random()})
    if kind == "stencil":
        s["gaps"] = rng.choice([1, 2, 2, 3])
    return s


def strokes_of(symbol, s):
    """The strokes of a symbol that is drawn here, or None: then a font draws it."""
    made = _DIGITS.get(symbol)
    if made:
        return made(s["v"][symbol], s["w"][symbol])
    made = _LETTERS.get(symbol)
    return made(s["v"][symbol], s["w"][symbol]) if made else None


def drawn(symbol, s, height, rng):
    """(ink, top against the row's top in pixels), or None where only fonts have the symbol."""
    made = strokes_of(symbol, s)
    if made is None:
        return None
    rise = 0.0
    if symbol in "k":
        rise = 0.32
    share = {"1": 0.8, "8": 0.9, "b": 1.35, "n": 1.35, "k": 1.55, "p": 0.95, "c": 1.0, "P": 1.3}.get(symbol, 1.0)
    full = height * (1 + rise)
    if rise:
        made = [(closed, tuple((q[0], (q[1] + rise) / (1 + rise), *q[2:]) for q in points)) for closed, points in made]
    width = s["width"] * share * height
    ink = draw(made, width, full, s["pen"] * height * 0.95, s["radius"] * width, s["ends"], jitter=s["jitter"], rng=_Normal(rng),
               pen_across=s["across"] * height * 0.95, nib=s["nib"], butt=s["butt"], chamfer=s["chamfer"])
    if s["gaps"]:
        ink = _cut(ink, s["gaps"], rng)
    if s["stretch"] > 1:
        ink = cv2.resize(ink, None, fx=s["stretch"], fy=1, interpolation=cv2.INTER_LINEAR)
    return ink, -int(rise * height)


class _Normal:
    """The one thing that strokes need of a numpy generator, from a seeded `random.Random`."""

    def __init__(self, rng):
        self.rng = rng

    def normal(self, mean, size, shape):
        return np.array([[self.rng.gauss(mean, size) for _ in range(shape[1])] for _ in range(shape[0])])


def _cut(ink, count, rng):
    """A stencil's bridges: narrow gaps, upright or slanted, that don't reach through the whole glyph."""
    ink = ink.copy()
    h, w = ink.shape
    for _ in range(count):
        x, y = rng.uniform(0.15, 0.85) * w, rng.uniform(0.1, 0.9) * h
        reach, lean = rng.uniform(0.12, 0.3) * h, rng.choice([0, 0, 1, rng.uniform(-1, 1)])
        dx, dy = (lean * reach, reach) if rng.random() < 0.6 else (reach, lean * reach * 0.3)
        cv2.line(ink, (int(x - dx), int(y - dy)), (int(x + dx), int(y + dy)), 0, max(1, int(h * rng.uniform(0.025, 0.06))), cv2.LINE_AA)
    return trimmed(ink)


def _one(v, w):
    if v < 0.62:
        ring = 0.5 + 0.14 * w
        foot = 0.98 if w < 0.5 else 1.0
        return [P((foot, 1), (0.94, 0.0, 0.9), (0, 0, 1), (0, ring, 1), (0.9, ring, 0.6), (0.94, ring * 0.6))]
    if v < 0.75:
        tail = 0.55 + 0.3 * w
        return [P((0.75, 0.22), (0.7, 0, 1), (0, 0, 1), (0, 0.52, 1), (0.75, 0.52, 0.8), (tail, 0.62), (1, 1))]
    if v < 0.9:
        return [P((0.5, 0.4), (0.15, 0.42, 1), (0.12, 0, 1), (0.85, 0, 1), (0.88, 0.45, 1), (0.2, 0.6, 0.8), (0.2, 0.72, 0.6), (0.95, 1))]
    return [P((0.1, 1), (0.45, 0.62), (1, 0.4, 1), (0.95, 0, 1), (0.15, 0, 1), (0.1, 0.5, 1), (0.5, 0.56), (0.95, 0.95))]


def _two(v, w):
    if v < 0.45:
        return [P((0.3, 0.4), (0, 0.42, 1), (0, 0, 1), (0.92, 0, 1), (0.92, 0.6, 1), (0.05, 0.7, 0.3), (0.0, 0.72), (0.3, 0.78, 0.4), (1, 0.92 + 0.08 * w))]
    if v < 0.8:
        return [P((0.05, 0.25), (0.05, 0, 1), (1, 0, 1), (1, 0.72, 1), (0.15, 0.72, 1), (0.1, 0.58)), P((0.45 + 0.2 * w, 0.7), (0.8, 1))]
    return [P((0, 0.06), (0.95, 0.06, 0.4), (0.95, 0.52, 0.4), (0.1, 0.52)), P((0.1, 0.52), (0.1, 0.75), (1, 0.8)), P((0.6, 0.75), (0.9, 1))]


def _three(v, w):
    top = [P((0.05, 0.15), (0.1, 0, 0.8), (0.82, 0, 1), (0.82, 0.36, 1), (0.3 + 0.15 * w, 0.36))]
    if v < 0.5:
        return top + [P((0.35, 0.36), (0.95, 0.36, 1), (0.95, 0.74, 1), (0.1, 0.74, 0.5), (0.02, 0.68)), P((0.05, 0.74), (0.35, 0.84, 0.5), (0.95, 1))]
    if v < 0.8:
        return top + [P((0.35, 0.36), (0.92, 0.36, 1), (0.92, 0.78, 1), (0.1, 0.8, 1), (0.1, 0.66)), P((0.5 + 0.2 * w, 0.78), (0.85, 1))]
    return [P((0.1, 0.04), (0.85, 0.04), (0.85, 0.36), (0.3, 0.36)), P((0.3, 0.36), (0.98, 0.36), (0.98, 0.72), (0, 0.72)), P((0.3, 0.72), (0.4, 0.97), (0.9, 0.97))]


def _four(v, w):
    if v < 0.5:
        return [P((0.02, 0), (0.08, 0.28, 0.7), (0.95, 0.55, 1), (0.92, 1, 1), (0.08, 1, 1), (0.05, 0.55, 1), (0.92, 0.28, 0.7), (0.98, 0))]
    if v < 0.75:
        a = 0.1 * w
        return [C((a, 0, 1), (1 - a, 0, 1), (1 - a, 0.46, 1), (a, 0.46, 1)), C((0, 0.46, 1), (1, 0.46, 1), (1, 1, 1), (0, 1, 1))]
    if v > 0.9:
        return [P((0.02, 0), (0.5, 0.4), (0.98, 0)), C((0.05, 0.42), (0.95, 0.42), (0.95, 1), (0.05, 1))]
    return [P((0.1, 0.12), (0.05, 0.38, 0.8), (0.95, 0.6, 1), (0.9, 1, 1), (0.1, 1, 1), (0.08, 0.58, 1), (0.95, 0.34, 0.8), (0.85, 0.02), (0.55, 0.06))]


def _five(v, w):
    u, t = v * 37 % 1, w * 53 % 1
    arm = 0.38 + 0.2 * w
    left = P((0.08 * u, 0), (0.08, arm, 0.9), (0.9, arm))
    if v < 0.62:
        # The stem sweeps back to the left into a wedge, from which the foot goes to the right.
        low, x = arm + 0.13 + 0.14 * t, 0.02 + 0.35 * u
        return [left, P((0.9, 0), (0.9, low - 0.03, 0.6), (x, low)), P((x, low), (0.45 + 0.2 * t, low + 0.1, 0.5), (1, 0.96 + 0.04 * u))]
    if v < 0.85:
        return [left, P((0.9, 0), (0.9, 0.86, 0.9), (0.15, 0.86, 1), (0.12, 0.7)), P((0.6 + 0.2 * w, 0.85), (0.95, 1))]
    if v < 0.93:
        return [left, P((0.92, 0), (0.92, 1)), P((0.05, 0.7), (0.9, 0.72))]
    return [left, P((0.92, 0), (0.92, arm)), P((0.5, arm), (0.5, 0.74)), P((0.1, 0.74), (0.75, 0.74), (1, 0.98))]


def _six(v, w):
    top = P((0.95, 0.04 + 0.1 * w), (0.85, 0.0, 0.6), (0.12, 0, 1), (0.12, 0.4, 1), (0.6, 0.4))
    if v < 0.5:
        return [top, P((0.6, 0.4), (0, 0.4, 1), (0, 0.88, 1), (0.8, 0.9, 0.9), (0.85, 0.62, 0.8), (0.5, 0.64)), P((0.75, 0.82), (1, 1))]
    if v < 0.8:
        return [top, P((0.55, 0.4), (0, 0.4, 1), (0, 0.84, 1), (0.75, 0.84, 0.7), (1, 1))]
    return [P((1, 0.05), (0.1, 0.05), (0.1, 0.4), (0.75, 0.4)), P((0.3, 0.4), (0.0, 0.4), (0, 0.8), (0.85, 0.8), (0.85, 0.6)), P((0.7, 0.8), (1, 1))]


def _seven(v, w):
    inner = 0.38 + 0.12 * w
    if v < 0.6:
        return [P((0, 0.02 + 0.15 * w), (0, 1, 1), (1, 1, 1), (1, 0.14, 1), (inner, 0.14, 1), (inner, 0.62, 0.9), (0.74, 0.6))]
    return [P((0.02, 0.15), (0.0, 1, 1), (1, 1, 1), (1, 0, 1), (0.4, 0, 1), (0.4, 0.55, 1), (0.62, 0.5, 0.8), (0.62, 0.35))]


def _eight(v, w):
    if v < 0.6:
        return [P((0.0, 0.03), (0.8 + 0.2 * w, 0.03)), P((0.5, 0.03), (0.1, 0.4, 0.8), (0.05, 1, 1), (0.95, 1, 1), (1, 0.72))]
    if v < 0.85:
        return [P((0, 0), (0.75, 0)), P((0.35, 0), (0.35 - 0.1 * w, 1, 0.8), (1, 1, 0.6), (1, 0.7))]
    return [P((0.95, 0), (0.1, 0.5, 1), (0.05, 1, 1), (0.6, 1, 0.8), (1, 0.85))]


def _nine(v, w):
    # Nepal's nine has two arms; a ring with a tail is its curly one.
    u, t = v * 37 % 1, w * 53 % 1
    arm, low = 0.4 + 0.14 * t, 0.72 + 0.1 * u
    foot = P((0.16, arm), (0.16 + 0.1 * u, low, 0.7), (0.8, low - 0.02, 0.5), (1, 1))
    if v < 0.55:
        return [P((0.16, 0.04 + 0.12 * w), (0.16, arm)), P((0.8, 0), (0.8, arm, 0.9), (0.05, arm)), foot]
    if v < 0.8:
        return [P((0.85, 0), (0.8, arm, 1), (0.12, arm - 0.04, 0.9), (0.2, 0.08)), P((0.3, arm), (0.12, 0.8, 0.6), (0.85, 0.78, 0.5), (1, 1))]
    return [P((0.9, 0.02), (0.75, arm + 0.05, 1), (0.05, arm, 1), (0.1, 0.1)), P((0.35, arm + 0.03), (0.25, 0.85, 0.9), (0.95, 0.75, 0.6), (1, 0.98))]


_DIGITS = {
    "0": lambda v, w: [C((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))],
    "1": _one, "2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight, "9": _nine,
}


def _line(left, right):
    return P((left, 0), (right, 0))


def _scaled(strokes, x0, x1):
    return [(closed, tuple((x0 + p[0] * (x1 - x0), *p[1:]) for p in points)) for closed, points in strokes]


def _pa(v, w):
    # Some paint the belly nearly down to the row's foot, and the head as two serifs or not at all: on the road it is a U then.
    belly = 0.5 + 0.15 * v if w < 0.6 else 0.62 + 0.28 * v
    head = [_line(0, 1)] if w < 0.75 else [_line(0, 0.3), _line(0.66, 1)] if w < 0.88 else []
    return [*head, P((0.15, 0), (0.15, belly, 0.9), (0.8, belly)), P((0.82, 0), (0.82, 1))]


def _cha(v, w):
    u, t = v * 37 % 1, w * 53 % 1
    arm, low = 0.28 + 0.14 * u, 0.68 + 0.14 * t
    return [_line(0, 1), P((0.1 * t, arm), (0.42 + 0.14 * w, arm - 0.02), (0.14 + 0.14 * u, arm + 0.1, 0.7), (0.2 + 0.1 * t, low, 1), (0.82, low - 0.06 * v)),
            P((0.82, 0), (0.82, 1))]


def _ba(v, w):
    top, low = 0.22 + 0.12 * v, 0.68 + 0.16 * w
    oval = C((0.05, top, 1), (0.78, top, 1), (0.78, low, 1), (0.05, low, 1))
    return [_line(0, 1), oval, P((0.2, top + 0.08), (0.65, low - 0.08)), P((0.82, 0), (0.82, 1))]


def _na(v, w):
    u, t = v * 37 % 1, w * 53 % 1
    bar, wide, high = 0.42 + 0.16 * u, 0.12 + 0.16 * t, 0.12 + 0.16 * v
    if w < 0.5:
        # The bar's end curls below it, as a painter's brush does: on the road it looks like a small ba.
        low, back = bar + 0.16 + 0.2 * v, 0.2 + 0.2 * t
        return [_line(0, 1), P((0.82, bar), (0.1 * u, bar, 0.9), (0.02, low, 1), (back, low + 0.02, 0.9), (back + 0.06, low - 0.1)), P((0.82, 0), (0.82, 1))]
    top = bar - high * (2 * w - 1)
    return [_line(0, 1), P((0.02, bar), (0.82, bar)), C((0.02, top, 1), (0.02 + wide, top, 1), (0.02 + wide, top + high, 1), (0.02, top + high, 1)),
            P((0.82, 0), (0.82, 1))]


def _ka(v, w):
    left = C((0, 0.32, 1), (0.5, 0.32, 1), (0.5, 0.75, 1), (0, 0.75, 1))
    return [_line(0, 1), P((0.5, 0), (0.5, 1)), left, P((0.5, 0.38), (0.98, 0.32, 1), (0.98, 0.8, 0.8), (0.8, 0.84))]


def _with_aa(body):
    return lambda v, w: _scaled(body(v, w), 0, 0.72) + [_line(0.6, 1), P((0.93, 0), (0.93, 1))]


_LETTERS = {
    "p": _pa, "c": _cha, "B": _ba, "b": _with_aa(_ba), "n": _with_aa(_na), "P": _with_aa(_pa), "K": _ka,
    # The vowel sign above leans to the right and stands on the added stem.
    "k": lambda v, w: _with_aa(_ka)(v, w) + [P((0.45 + 0.2 * w, -0.31), (0.9, 0.0))],
}
