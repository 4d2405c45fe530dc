"""Draws whole plates: rows of writing, frames, small print, bolts and seals, as ink on a ground that is not painted yet."""

import collections

import cv2
import numpy as np

from . import devanagari, fonts, latin, line, synth, texts, whole_net

# `ink` is above 0 where something is written, `plate` where the plate is; `corners` are those of the plate, from the upper left one round;
# `middles` are those of the glyphs, by row; `tall` is how high the highest row is.
Art = collections.namedtuple("Art", "ink plate corners numbers middles tall")

_ROW = 64
_WORDS = ("GREAT STATE OF THE SUNSHINE GARDEN LAND GOLDEN NORTH SOUTH NEW VALLEY RIVER MOUNTAIN HOME LIVE FREE FIRST IN FLIGHT LIBERTY "
          "WILD WONDERFUL GRAND CANYON PROVINCE BAGMATI GANDAKI LUMBINI KARNALI KOSHI MADHESH NEP IND BRASIL MOTORS DEALER COUNTY CITY").split()


def drawn(rng, bank=None):
    """A random plate, or None where a font lacked something."""
    made = _devanagari(rng, bank) if rng.random() < 0.7 else _latin(rng)
    if made is None:
        return None
    rows, numbers, crested = made
    return _arranged(rows, numbers, crested, rng)


def _devanagari(rng, bank):
    hand = synth.devanagari_hand(rng)
    real = bank if bank and rng.random() < 0.45 else None
    rows, numbers = [], []
    for text in devanagari.plate(rng):
        if any(c in "XqADVWLRZ" for c in text):
            hand["squeeze"] = rng.uniform(0.6, 1.2)
        made = synth.devanagari_inks(text, hand, _ROW, rng, real)
        if made is None:
            return None
        inks, tops, gaps, counted, chars = made
        canvas, box = line.compose(inks, gaps, _ROW, rng, wander=0.02 * rng.random(), ragged=tops)
        middles = [x + ink.shape[1] / 2 for x, ink, n in zip(line.lefts(inks, gaps, _ROW), inks, counted) if n]
        rows.append((canvas, box, any(c in "XqADVWLRZ" for c in text), middles))
        numbers += whole_net.encoded(chars, "devanagari")
    return rows, numbers, rng.random() < 0.22


def _latin(rng):
    text, kind = _zonal_latin(rng) if rng.random() < 0.08 else texts.latin(rng)
    if kind == "one":
        return None
    style = latin.style(rng) if rng.random() < 0.6 else None
    if latin.same_zero(style) if style else rng.random() < 0.5:
        text = texts.told_apart(text, kind, "O", rng)
    if latin.same_one(style) if style else rng.random() < 0.5:
        text = texts.told_apart(text, kind, "I", rng)
    glyphs, chars = synth.latin_glyphs(text, style, _ROW, rng, 1.0)
    if not glyphs:
        return None
    parts = text.split(" ")
    share = {"np": 0.5, "br": 0.4, "in": 0.4, "zonal": 0.4}.get(kind, 0.06)
    texts_of_rows = [text]
    if len(parts) > 1 and rng.random() < share:
        cut = rng.choice([len(parts) - 1, max(1, len(parts) // 2)])
        texts_of_rows = [" ".join(parts[:cut]), " ".join(parts[cut:])]
    rows, start = [], 0
    for row in texts_of_rows:
        count = len(row.replace(" ", ""))
        inks = glyphs[start : start + count]
        start += count
        gaps = synth.gaps_of(row, inks, _ROW, rng)
        canvas, box = line.compose(inks, gaps, _ROW, rng, wander=0.008 * rng.random())
        rows.append((canvas, box, False, [x + ink.shape[1] / 2 for x, ink in zip(line.lefts(inks, gaps, _ROW), inks)]))
    if rng.random() < {"us": 0.75, "br": 0.5, "np": 0.5}.get(kind, 0.15):
        rows.insert(0, _small_print(rng))
    if rng.random() < {"us": 0.6}.get(kind, 0.08):
        rows.append(_small_print(rng))
    rows = [r for r in rows if r is not None]
    return rows, whole_net.encoded(chars, "latin"), rng.random() < {"np": 0.7, "in": 0.3, "eu": 0.4}.get(kind, 0.08)


def _zonal_latin(rng):
    names = {symbol: name for symbol, _, name in devanagari.SYMBOLS}
    zone, category = rng.choice("kbnlsGJ"), rng.choice("pcxjJhK")
    number = "".join(rng.choice("0123456789") for _ in range(rng.choice([3, 4, 4])))
    return f"{names[zone]} {rng.randint(1, 9) if rng.random() < 0.6 else rng.randint(10, 99)} {names[category]} {number}", "zonal"


def _small_print(rng):
    """A row of words in small letters: the third value says how high it is against a row; None where a font fails."""
    text = " ".join(rng.choice(_WORDS) for _ in range(rng.choice([1, 1, 2, 3])))
    if rng.random() < 0.4:
        text = text.title()
    path = fonts.pick("latin", rng)
    ink = fonts.written(path, text, 40)
    if ink is None:
        return None
    return ink, (0, 0, ink.shape[1], ink.shape[0]), rng.uniform(0.14, 0.34), []


def _arranged(rows, numbers, crested, rng):
    """Rows above one another on a plate with a frame; `crested` ones have a flag or a country's letters at their left."""
    placed, widest = [], 0
    for index, (canvas, box, kind, middles) in enumerate(rows):
        small = kind if isinstance(kind, float) else None
        height = _ROW * (small or 1.0)
        if small is None and index < len(rows) - 1:
            # Above a painter's large digits the province is written at less than half their height, its number a little higher.
            height *= rng.uniform(0.36, 0.95) if kind else rng.choice([1.0, rng.uniform(0.5, 0.95)])
        scale = height / max(1, box[3] - box[1])
        placed.append([canvas, box, scale, small is not None, middles])
        if small is None:
            widest = max(widest, (box[2] - box[0]) * scale)
    side, gap = rng.uniform(0.06, 0.5) * _ROW, rng.uniform(0.08, 0.4) * _ROW
    inner = int(widest * rng.choice([1, 1, rng.uniform(1, 1.35)]))
    top = int(rng.uniform(0.06, 0.4) * _ROW)
    # Signs above the head line, of which the box knows nothing, mostly have room.
    canvas, box, scale, _, _ = placed[0]
    above = (box[1] - int(np.argmax(canvas.max(1) > 60))) * scale
    if above > 0 and rng.random() < 0.9:
        top = max(top, int(above + rng.uniform(0.03, 0.2) * _ROW))
    heights = [(b[3] - b[1]) * s for _, b, s, _, _ in placed]
    height = int(2 * top + sum(heights) + gap * (len(placed) - 1))
    crest = int(rng.uniform(0.3, 0.75) * _ROW) if crested else 0
    side += crest / 2
    width = int(inner + 2 * side)
    edge = 48
    ink = np.zeros((height + 2 * edge, width + 2 * edge), np.uint8)
    y, tall, seen = edge + top, 0, []
    for (canvas, box, scale, small, middles), row_height in zip(placed, heights):
        # A row that is much shorter than the others is written wider, or stands in the middle, or at an end.
        room = inner / max(1.0, (box[2] - box[0]) * scale)
        wide = scale * (min(room, rng.uniform(1, 1.5)) if room > 1 and rng.random() < 0.6 else min(1.0, room) if small or room < 1 else 1.0)
        art = cv2.resize(canvas, None, fx=wide, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        row_width = (box[2] - box[0]) * wide
        at = edge + side + crest / 2 + (inner - row_width) * rng.choice([0.5, 0.5, 0.5, rng.random()])
        _paste(ink, art, int(at - box[0] * wide), int(y - box[1] * scale))
        if middles:
            seen.append([(at + (x - box[0]) * wide, y + row_height / 2) for x in middles])
        y += row_height + gap
        if not small:
            tall = max(tall, row_height)
    if crest:
        _crest(ink, edge + int(rng.uniform(0.02, 0.1) * _ROW), edge + top, crest, height - 2 * top, rng)
    if len(placed) > 1 and rng.random() < 0.2:
        _ornament(ink, edge + width // 2, int(y - gap - heights[-1] - gap * 0.5), int(rng.uniform(0.1, 0.45) * width), gap, rng)
    plate = np.zeros_like(ink)
    radius = int(rng.uniform(0, 0.3) * _ROW)
    _outline(plate, edge, edge, edge + width, edge + height, radius, -1)
    if rng.random() < 0.5:
        _frame(ink, edge, width, height, radius, rng)
    for _ in range(rng.choice([0, 0, 1, 2, 2, 4])):
        r = int(rng.uniform(0.04, 0.11) * _ROW)
        x = int(edge + rng.choice([0.2, 0.25, 0.5, 0.75, 0.8]) * width)
        yy = int(rng.choice([edge + top * 0.5, edge + height - top * 0.5, edge + height * 0.5]))
        if ink[max(0, yy - r) : yy + r, max(0, x - r) : x + r].max(initial=0) < 40:
            cv2.circle(ink, (x, yy), r, rng.choice([255, 120]), -1 if rng.random() < 0.6 else max(1, r // 3), cv2.LINE_AA)
    if rng.random() < 0.06:
        # A flag, an emblem or a seal in a corner.
        line.seal(ink, (edge, edge, edge + width, edge + int(_ROW * 0.8)), rng)
    corners = np.float32([[edge, edge], [edge + width, edge], [edge + width, edge + height], [edge, edge + height]])
    return Art(ink, plate, corners, numbers, seen, tall)


def _ornament(ink, x, y, long, gap, rng):
    """A line above the last row, as painters put one, often with a rosette and scrolls."""
    pen = max(1, int(gap * rng.uniform(0.1, 0.35)))
    cv2.line(ink, (x - long, y), (x + long, y), 255, pen, cv2.LINE_AA)
    if rng.random() < 0.6:
        r = max(2, int(gap * rng.uniform(0.25, 0.6)))
        for turn in range(rng.choice([4, 6, 8])):
            angle = turn * np.pi / 4
            end = (int(x + r * np.cos(angle)), int(y + r * np.sin(angle)))
            cv2.line(ink, (x, y), end, 255, max(1, pen // 2), cv2.LINE_AA)
        for side in (-1, 1):
            at = x + side * int(long * rng.uniform(0.3, 0.9))
            cv2.ellipse(ink, (at, y), (max(2, r), max(1, r // 2)), 0, rng.choice([0, 90, 180]), rng.choice([180, 270, 360]), 255, max(1, pen // 2), cv2.LINE_AA)


def _paste(ink, art, x, y):
    left, above = max(0, -x), max(0, -y)
    right, below = min(art.shape[1], ink.shape[1] - x), min(art.shape[0], ink.shape[0] - y)
    if right <= left or below <= above:
        return
    part = ink[y + above : y + below, x + left : x + right]
    np.maximum(part, art[above:below, left:right], out=part)


def _outline(canvas, x0, y0, x1, y1, r, pen, value=255):
    r = max(1, min(r, (x1 - x0) // 2, (y1 - y0) // 2))
    points = []
    for (cx, cy), start in (((x1 - r, y0 + r), 270), ((x1 - r, y1 - r), 0), ((x0 + r, y1 - r), 90), ((x0 + r, y0 + r), 180)):
        points += [(cx + r * np.cos(np.radians(a)), cy + r * np.sin(np.radians(a))) for a in range(start, start + 91, 15)]
    points = np.int32(np.round(points))
    if pen < 0:
        cv2.fillPoly(canvas, [points], value, cv2.LINE_AA)
    else:
        cv2.polylines(canvas, [points], True, value, pen, cv2.LINE_AA)


def _crest(ink, x, y, width, height, rng):
    """A flag of two triangles, a country's letters, a chip or a band, `width` at most, somewhere in the height."""
    kind, value = rng.random(), rng.choice([255, 255, rng.randint(90, 220)])
    tall = int(min(height, width * rng.uniform(0.9, 2.2)))
    top = int(y + rng.choice([0, 0.5, 1, rng.random()]) * (height - tall))
    if kind < 0.45:
        half = tall // 2
        for start in (top, top + half):
            corners = np.int32([[x, start], [x + width, start + half], [x, start + half]])
            if rng.random() < 0.6:
                cv2.fillPoly(ink, [corners], value, cv2.LINE_AA)
            else:
                cv2.polylines(ink, [corners], True, value, max(1, width // 10), cv2.LINE_AA)
    elif kind < 0.8:
        made = fonts.written(fonts.pick("latin", rng), rng.choice(["NEP", "NEPAL", "IND", "D", "F", "PL", "BAGMATI", "GANDAKI", "KOSHI"]), 40)
        if made is None:
            return
        if rng.random() < 0.6:
            made = cv2.rotate(made, cv2.ROTATE_90_COUNTERCLOCKWISE)
        scale = min(width / made.shape[1], height / made.shape[0])
        made = cv2.resize(made, (max(2, int(made.shape[1] * scale)), max(2, int(made.shape[0] * scale))), interpolation=cv2.INTER_AREA)
        _paste(ink, made, x, int(y + rng.random() * (height - made.shape[0])))
    else:
        cv2.rectangle(ink, (x, top), (x + width, top + tall), value, -1 if rng.random() < 0.6 else 2)


def _frame(ink, edge, width, height, radius, rng):
    """A border, seldom a double or a thick one, as bright as the writing or less."""
    value = rng.choice([255, 255, rng.randint(60, 200)])
    inset = int(rng.uniform(0, 0.12) * _ROW)
    for _ in range(rng.choice([1, 1, 1, 1, 2])):
        pen = max(1, int(rng.uniform(0.02, 0.13) * _ROW))
        layer = np.zeros_like(ink)
        _outline(layer, edge + inset, edge + inset, edge + width - inset, edge + height - inset, radius, pen, value)
        np.maximum(ink, layer, out=ink)
        inset += pen + int(rng.uniform(0.02, 0.1) * _ROW)
