"""Skeletons of Latin capitals and digits as number plates have them, in many styles."""

from .strokes import C, P


def style(rng):
    """A random plate alphabet: its proportions, its pen and the variants of the characters that differ by country."""
    width = rng.uniform(0.38, 0.7)
    heavy = rng.random() < 0.3
    v = {c: rng.random() for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    if heavy:
        # Heavy rounded rectangles, as Brazil stamps them.
        width, pen, radius = rng.uniform(0.48, 0.68), rng.uniform(0.12, 0.17), rng.uniform(0.16, 0.32)
        v["1"] = rng.choice([v["1"], 0.95, 0.05])
    else:
        pen, radius = rng.uniform(0.085, 0.18), rng.choice([rng.uniform(0.12, 0.3), rng.uniform(0.3, 0.6), 0.8])
    return {
        "width": width,
        "pen": min(pen, 0.31 * width),
        "radius": radius,
        "waist": rng.uniform(0.45, 0.55),
        "ends": rng.choice(["flat", "round"]),
        "butt": rng.random() < 0.55,
        "chamfer": rng.random() < (0.55 if radius < 0.4 else 0),
        "heavy": heavy,
        "v": v,
        "lip": rng.uniform(0.15, 0.27),
        # Many countries stamp O and 0 with one die; the others make O wider.
        "round_o": rng.choice([0, 0, 1]) * rng.uniform(1.1, 1.35),
        # US states squeeze M and W into the common cell.
        "squeezed": rng.random() < 0.45,
    }


# How wide a character is against the alphabet's common width.
WIDTHS = {"I": 0.0, "1": 0.62, "J": 0.9, "L": 0.9, "M": 1.22, "W": 1.3, "N": 1.05, "Q": 1.05}


def skeleton(c, s):
    """The strokes of one character in style `s`."""
    m, lip, v = s["waist"], s["lip"], s["v"].get(c, 0.5)
    return _DIGITS[c](m, lip, v) if c in _DIGITS else _LETTERS[c](m, lip, v)


def width_of(c, s):
    """Width against height, pen included."""
    if c == "I":
        return s["pen"] * (1 if s["v"]["I"] < 0.65 else 2.6)
    if c == "1" and s["v"]["1"] > 0.88:
        return s["pen"]
    if c == "1" and s["v"]["1"] < 0.12:
        return s["pen"] * 1.35
    if c in "MW" and s["squeezed"]:
        return s["width"] * 1.03
    if c in "OQ" and s["round_o"]:
        return s["width"] * s["round_o"]
    return s["width"] * WIDTHS.get(c, 1.0)


def same_zero(s):
    """Whether O and 0 look alike in the alphabet, so that only the place in the text tells them apart."""
    return not s["round_o"] and s["v"]["0"] <= 0.95


def same_one(s):
    """Whether I and 1 look alike."""
    return (s["v"]["1"] > 0.88 or s["v"]["1"] < 0.12) and s["v"]["I"] < 0.65


def _zero(m, lip, v):
    ring = C((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    return [ring, P((0.85, 0.15), (0.15, 0.85))] if v > 0.95 else [ring]


def _one(m, lip, v):
    if v > 0.88:
        return [P((0.5, 0), (0.5, 1))]
    if v < 0.12:
        # A bar with a nick for a flag.
        return [P((0, 0.16), (1, 0), (1, 1))]
    if v > 0.6:
        return [P((0.0, 0.0 + 0.2), (0.55, 0), (0.55, 1)), P((0.05, 1), (1, 1))]
    if v > 0.45:
        return [P((0.0, lip), (1, 0), (1, 1))]
    return [P((0.0, lip + 0.08), (0.45, lip), (1, 0), (1, 1))] if v > 0.25 else [P((0.35 + v, 0.13 + v / 4), (1, 0.05), (1, 0), (1, 1))]


def _two(m, lip, v):
    low = 0.34 + v * 0.18
    return [P((0, lip), (0, 0, 1), (1, 0, 1), (1, low, 0.8), (0, 1 if v < 0.7 else 0.8, 0 if v < 0.7 else 0.5), *([(0, 1)] if v >= 0.7 else []), (1, 1))]


def _three(m, lip, v):
    if v > 0.8:
        return [P((0, 0), (1, 0), (0.45, 0.4), (1, 0.4, 0.8), (1, 1, 1), (0, 1, 1), (0, 1 - lip))]
    x = 0.25 + v * 0.2
    return [P((0, lip), (0, 0, 1), (1, 0, 1), (1, m, 0.8), (x, m)), P((x, m), (1, m, 0.8), (1, 1, 1), (0, 1, 1), (0, 1 - lip))]


def _four(m, lip, v):
    bar = 0.66 + 0.14 * v
    if v < 0.35:
        return [P((0.62, 0), (0, bar), (1, bar)), P((0.72, 0.4), (0.72, 1))]
    if v < 0.85:
        return [P((0.75, 1), (0.75, 0), (0, bar), (1, bar))]
    return [P((0, 0), (0, 0.55), (1, 0.55)), P((1, 0), (1, 1))]


def _five(m, lip, v):
    x = 0.12 * v
    return [P((0.95, 0), (x, 0), (0, m * 0.95), (0.15 + 0.1 * v, m * 0.84, 0.4), (1, m * 0.84, 1), (1, 1, 1), (0, 1, 1), (0, 1 - lip))]


def _six(m, lip, v):
    top = 0.4 + 0.06 * m
    bowl = C((0, top, 1), (1, top, 1), (1, 1, 1), (0, 1, 1))
    if v > 0.6:
        return [P((0.72, 0), (0.0, 0.55, 0.6), (0, 0.7)), bowl]
    return [P((1, lip + 0.06 * v), (1, 0, 1), (0, 0, 1), (0, 0.7)), bowl]


def _turned(strokes):
    return [(closed, tuple((1 - p[0], 1 - p[1], *p[2:]) for p in points)) for closed, points in strokes]


def _seven(m, lip, v):
    if v > 0.85:
        return [P((0, lip * 0.7), (0, 0), (1, 0), (0.4, 1))]
    if v > 0.5:
        return [P((0, 0), (1, 0), (1, 0.12), (0.45, 0.6, 0.8), (0.4, 1))]
    if v < 0.15:
        return [P((0, 0), (0.95, 0), (0.7, 0.45, 0.8), (0.58, 1))]
    return [P((0, 0), (1, 0), (0.25 + v * 0.5, 1))]


def _eight(m, lip, v):
    x = 0.1 * v
    return [C((x, 0, 1), (1 - x, 0, 1), (1 - x, m * 0.95, 1), (x, m * 0.95, 1)), C((0, m * 0.95, 1), (1, m * 0.95, 1), (1, 1, 1), (0, 1, 1))]


_DIGITS = {
    "0": _zero, "1": _one, "2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight,
    "9": lambda m, lip, v: _turned(_six(m, lip, v)),
}


def _a(m, lip, v):
    bar = 0.62 + 0.14 * v
    if v > 0.9:
        return [P((0, 1), (0, 0, 1), (1, 0, 1), (1, 1)), P((0, 0.6), (1, 0.6))]
    top = 0.5 - (0.1 if v < 0.3 else 0)
    d = bar * top
    return [P((0, 1), (top, 0), (1 - top, 0), (1, 1)), P((top - d + 0.02, bar), (1 - top + d - 0.02, bar))]


def _b(m, lip, v):
    x = 0.12 * v
    return [P((0, m), (0, 0), (1 - x, 0, 1), (1 - x, m, 0.9), (0, m)), P((0, m), (1, m, 0.9), (1, 1, 1), (0, 1), (0, m))]


def _g(m, lip, v):
    body = P((1, lip), (1, 0, 1), (0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0.55), (0.55, 0.55))
    spur = P((1, lip), (1, 0, 1), (0, 0, 1), (0, 1, 1), (0.75, 1, 1), (1, 0.8)), P((0.5, 0.56), (1, 0.56), (1, 1))
    return [body] if v < 0.7 else list(spur)


def _i(m, lip, v):
    if v < 0.65:
        return [P((0.5, 0), (0.5, 1))]
    return [P((0.5, 0), (0.5, 1)), P((0, 0), (1, 0)), P((0, 1), (1, 1))]


def _j(m, lip, v):
    hook = P((1, 0), (1, 1, 1), (0, 1, 1), (0, 0.72))
    return [hook] if v < 0.7 else [P((0.4, 0), (1, 0), (1, 1, 1), (0, 1, 1), (0, 0.72))]


def _k(m, lip, v):
    y = 0.5 + 0.12 * v
    branch = P((0.35, 0.42), (1, 1)) if v < 0.6 else P((0, y), (0.4, y), (1, 1))
    return [P((0, 0), (0, 1)), P((1, 0), (0, y + 0.03)), branch]


def _m(m, lip, v):
    dip = 0.38 + 0.62 * v
    lean = 0.06 * v if 0.3 < v < 0.5 else 0
    return [P((0, 1), (lean, 0), (0.5, dip), (1 - lean, 0), (1, 1))]


def _p(m, lip, v):
    y = 0.5 + 0.08 * v
    return [P((0, 1), (0, 0), (1, 0, 1), (1, y, 1), (0, y))]


def _q(m, lip, v):
    ring = C((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    return [ring, P((0.55, 0.72), (1.0, 1.0))]


def _r(m, lip, v):
    y = 0.48 + 0.08 * v
    bowl = P((0, 1), (0, 0), (1, 0, 1), (1, y, 1), (0, y))
    leg = P((0.5, y), (1, 1)) if v < 0.75 else P((0.4, y), (0.95, y, 1), (1, 1))
    return [bowl, leg]


def _s(m, lip, v):
    return [P((1, lip), (1, 0, 1), (0, 0, 1), (0, m, 0.9), (1, m, 0.9), (1, 1, 1), (0, 1, 1), (0, 1 - lip))]


def _w(m, lip, v):
    dip = 0.0 if v < 0.15 else 0.2 + 0.45 * v
    foot = 0.24 if v < 0.3 else 0.24 - 0.3 * (v - 0.3)
    return [P((0, 0), (foot, 1), (0.5, dip), (1 - foot, 1), (1, 0))]


_LETTERS = {
    "A": _a, "B": _b, "G": _g, "I": _i, "J": _j, "K": _k, "M": _m, "P": _p, "Q": _q, "R": _r, "S": _s, "W": _w,
    "C": lambda m, lip, v: [P((1, lip + 0.05), (1, 0, 1), (0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0.95 - lip))],
    "D": lambda m, lip, v: [C((0, 0), (1, 0, 1), (1, 1, 1), (0, 1))],
    "E": lambda m, lip, v: [P((1, 0), (0, 0), (0, 1), (1, 1)), P((0, m), (0.75 + 0.2 * v, m))],
    "F": lambda m, lip, v: [P((1, 0), (0, 0), (0, 1)), P((0, m + 0.02), (0.7 + 0.25 * v, m + 0.02))],
    "H": lambda m, lip, v: [P((0, 0), (0, 1)), P((1, 0), (1, 1)), P((0, m), (1, m))],
    "L": lambda m, lip, v: [P((0, 0), (0, 1), (1, 1))],
    "N": lambda m, lip, v: [P((0, 1), (0, 0), (1, 1), (1, 0))],
    "O": lambda m, lip, v: [C((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))],
    "T": lambda m, lip, v: [P((0, 0), (1, 0)), P((0.5, 0), (0.5, 1))],
    "U": lambda m, lip, v: [P((0, 0), (0, 1, 1), (1, 1, 1), (1, 0))],
    "V": lambda m, lip, v: [P((0, 0), (0.5, 1), (1, 0))],
    "X": lambda m, lip, v: [P((0, 0), (1, 1)), P((1, 0), (0, 1))],
    "Y": lambda m, lip, v: [P((0, 0), (0.5, 0.5 + 0.1 * v), (1, 0)), P((0.5, 0.5 + 0.1 * v), (0.5, 1))],
    "Z": lambda m, lip, v: [P((0, 0), (1, 0), (0, 1), (1, 1))],
}
