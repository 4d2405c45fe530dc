"""The plate formats of the road: short constructors of Plate."""
from .plates import Plate

DIGITS = str.maketrans("0123456789", "०१२३४५६७८९")

# Sizes in mm and aspects: (one row, two rows on a car, two rows on a motorcycle, three rows)
ONE, CAR2, BIKE2, BIKE3 = (520, 4.5), (380, 1.95), (250, 1.55), (260, 1.3)


def deva(text):
    return text.translate(DIGITS)


def zonal(zone, lot, letter, serial, colour, rows=2, on="bike", dots=False, **more):
    """`बा २ च ७३१८` in one row or two; `dots` as painters set them after the zone."""
    head, tail = deva(f"{zone}{'.' if dots else ''} {lot} {letter}"), deva(serial)
    truth = deva(zone + lot + letter + serial)
    if rows == 1:
        width, aspect = ONE
        return Plate([(f"{head} {tail}", 1.0)], truth, "np", colour, aspect, width, **_font(more))
    width, aspect = CAR2 if on == "car" else BIKE2
    return Plate([(head, 0.82), (tail, 1.0)], truth, "np", colour, aspect, width, **_font(more))


def provincial(head, office, lot, letter, serial, colour, rows=3, on="bike", **more):
    """`head` is the province as painted: `प्रदेश ३`, `बागमती प्रदेश`, `मधेश प्र.`. Buses carry wider plates (`width`, mm)."""
    office, lot, serial, head = deva(office), deva(lot), deva(serial), deva(head)
    truth = (head + office + lot + letter + serial).replace(" ", "").replace(".", "")
    if rows == 3:
        lines = [(head, 0.66), (f"{office} {lot}", 0.82), (f"{letter} {serial}", 1.0)]
        aspect = 1.55 if on == "car" else BIKE3[1]
        width = 360 if on == "car" else BIKE3[0]
    else:
        lines = [(f"{head}-{office}", 0.84), (f"{lot} {letter} {serial}", 1.0)]
        width, aspect = CAR2 if on == "car" else BIKE2
    width = more.pop("width", width)
    return Plate(lines, truth, "np", colour, aspect, width, **_font(more))


def embossed(category, series, serial, province, colour="private", rows=1, **more):
    """`B AF 4821` under the province's name in small letters."""
    truth = category + series + serial
    more = {"embossed": True, "font": "roboto", "small": province, "screws": 2, **more}
    if rows == 1:
        return Plate([(f"{category} {series} {serial}", 1.0)], truth, "np", colour, 4.1, 500, **more)
    return Plate([(f"{category} {series}", 1.0), (serial, 1.0)], truth, "np", colour, 1.5, 250, **more)


def india(head, tail, rows=1, colour="white", **more):
    """`UP 32 KT 4817`; with two rows `tail` is the lower one."""
    truth = (head + tail).replace(" ", "")
    more = {"font": "roboto", "embossed": True, **more}
    if rows == 1:
        return Plate([(f"{head} {tail}", 1.0)], truth, "in", colour, 4.2, 500, **{"band": "IND", **more})
    return Plate([(head, 1.0), (tail, 1.0)], truth, "in", colour, 1.75, more.pop("width", 250), **more)


def bhutan(head, tail, colour="private", rows=1, **more):
    """`BP-1-A3649` in one row; in two, `head` is BP-1 and `tail` the rest. Painted: embossed figures are not allowed."""
    truth = (head + tail).replace("-", "")
    more = {"font": "narrow", **more}
    if rows == 1:
        return Plate([(f"{head}-{tail}", 1.0)], truth, "bt", colour, 3.2, 480, **more)
    return Plate([(head, 1.0), (tail, 1.0)], truth, "bt", colour, 1.6, 300, **more)


def latin(text, country, **more):
    """A European, Brazilian or American plate in one row."""
    aspect, width = {"eu": (4.7, 520), "br": (3.1, 400), "us": (2.0, 305)}[country]
    more = {"embossed": True, "font": "b612", "screws": 0, **more}
    return Plate([(text, 1.0)], text.replace(" ", "").replace("-", ""), country, more.pop("colour", "white"), aspect, width, **more)


def _font(more):
    return {"font": "kalimati", **more}
