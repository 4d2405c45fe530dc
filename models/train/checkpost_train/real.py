"""Real glyphs and rows as training material: cut at run time out of labelled photos that whoever trains may use.

`--plates DIR` names the photos (SET/truth.csv). Only the plates of the learning half are cut; the other half stays for
measuring. What rangers taught (`teach.py`) says itself which plates are learned from. Nothing that was cut is kept on disk.
"""

import collections
import re

import cv2
import numpy as np

from . import cut, devanagari, fonts, line

Glyph = collections.namedtuple("Glyph", "ink top")

# The rows of zonal plates: zone, lot and class above, the serial below. Longer ones are cut where the rows' counts say.
_ZONAL = re.compile(f"([{devanagari.ZONES}][0-9]{{1,2}}[{devanagari.CLASSES}])([0-9]{{1,4}})")
_WORK_HEIGHT = 64


class Bank:
    """Glyphs by symbol, and whole rows, of the labelled plates that are `learned`: one half of them, unless told."""

    def __init__(self, samples, learned=lambda plate: cut.half(plate) == "choose"):
        self.glyphs, self.rows = collections.defaultdict(list), []
        plates = set()
        for sample in samples:
            if not learned(sample.plate):
                continue
            texts = _row_texts(sample)
            if texts is None:
                continue
            for image, text in zip(sample.rows, texts):
                parts = _parts(image)
                if len(parts) != len(text):
                    continue
                plates.add(sample.plate)
                self.rows.append((image, text))
                for symbol, (x0, x1, y0, y1) in zip(text, parts):
                    self.glyphs[symbol].append(_glyph(image, x0, x1, y0, y1))
        self.plates = len(plates)

    def glyph(self, symbol, rng):
        """(ink, top) as `devanagari.drawn` gives it, a little heavier or lighter and wider or narrower, or None."""
        found = self.glyphs.get(symbol)
        if not found:
            return None
        ink, top = rng.choice(found)
        by = rng.gauss(0, 1.6)
        ink = fonts.weighted(ink, by)
        wide = rng.uniform(0.8, 1.2)
        return cv2.resize(ink, (max(2, int(ink.shape[1] * wide)), ink.shape[0]), interpolation=cv2.INTER_LINEAR), top

    def row(self, rng, hard):
        """(image, symbols): a whole real row, photographed once more; or None."""
        if not self.rows:
            return None
        image, text = rng.choice(self.rows)
        scale = _WORK_HEIGHT / line.GLYPH
        ink = cv2.resize(255 - image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        margin = _WORK_HEIGHT
        canvas = cv2.copyMakeBorder(ink, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=0)
        rows = np.where(canvas.max(1) > 100)[0]
        if len(rows) < 10:
            return None
        columns = np.where(canvas.max(0) > 100)[0]
        above = int((line.HEIGHT - line.GLYPH) / 2 * scale)
        box = (int(columns[0]), margin + above, int(columns[-1]), margin + above + _WORK_HEIGHT)
        gray, seen = line.photographed(canvas, box, rng, 0.7 * hard)
        made = line.masked(gray, seen, rng, keep=rng.choice([0.0, 0.5, 1.0]), lowest=devanagari.LOWEST)
        return None if made is None or not 12 <= made.shape[1] <= 700 else (made, text)


def _row_texts(sample):
    """The symbols of each row, or None where they can't be told apart."""
    text = sample.text
    if len(sample.rows) == 1:
        return [text]
    found = _ZONAL.fullmatch(text)
    if found and len(sample.rows) == 2:
        return list(found.groups())
    texts, start = [], 0
    for image in sample.rows:
        count = len(_parts(image))
        texts.append(text[start : start + count])
        start += count
    return texts if start == len(text) else None


def _parts(image):
    """The column ranges and heights of a row's glyphs: components that stand one above the other are one."""
    mask = (image < 128).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    boxes = sorted((int(s[0]), int(s[0] + s[2]), int(s[1]), int(s[1] + s[3])) for s in stats[1:count] if s[4] > 12)
    parts = []
    for box in boxes:
        if parts and min(parts[-1][1], box[1]) - box[0] > 0.4 * min(parts[-1][1] - parts[-1][0], box[1] - box[0]):
            last = parts[-1]
            parts[-1] = (last[0], max(last[1], box[1]), min(last[2], box[2]), max(last[3], box[3]))
        else:
            parts.append(box)
    return [p for p in parts if p[3] - p[2] > 0.45 * line.GLYPH]


def _glyph(image, x0, x1, y0, y1):
    scale = _WORK_HEIGHT / line.GLYPH
    ink = 255 - image[max(0, y0 - 1) : y1 + 1, max(0, x0 - 1) : x1 + 1]
    ink = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return Glyph(ink, int((y0 - 1 - (line.HEIGHT - line.GLYPH) / 2) * scale))
