"""Cuts line images out of real photos with known plate boxes, about as the reader does in the field.

Glyphs are connected components of an adaptive threshold, of like height and on one line; all else is whitened; the line is
turned level and scaled to 30 px. Several thresholds give several lines of one plate: each is measured.
"""

import csv
import hashlib
import os

import cv2
import numpy as np

from . import line

WORK_HEIGHT = 110
VARIANTS = [(0.22, 8), (0.35, 12), (0.6, 16)]


def half(plate):
    """`choose` or `report`: which half a plate belongs to. All photos of one plate are on the same side."""
    return "choose" if hashlib.sha256(plate.encode()).digest()[0] % 2 else "report"


def samples(script, plates, more=()):
    """The lines of all sets of a script, and of `more`, found under the folder `plates` (SET/truth.csv: file,x,y,w,h,plate,country)."""
    folders = [(name, os.path.join(plates, name)) for name in (*script.sets, *more)]
    return [s for name, folder in folders if os.path.exists(os.path.join(folder, "truth.csv")) for s in _set(script, name, folder)] + (
        taught(script, plates) if os.path.exists(os.path.join(plates, "truth.csv")) else [])


def taught(script, folder):
    """The lines of a script in what `checkpost export training` wrote: `folder`/truth.csv and a picture of each plate."""
    if not os.path.exists(os.path.join(folder, "truth.csv")):
        raise SystemExit(f"{folder} has no truth.csv: name the folder that `checkpost export training` wrote")
    return _set(script, "taught", folder)


def _set(script, name, folder):
    from .measure import Sample

    out = []
    for row in csv.DictReader(open(os.path.join(folder, "truth.csv"), encoding="utf-8")):
        text = script.encode(row["plate"]) if row["plate"] else ""
        photo = cv2.imread(os.path.join(folder, row["file"])) if text else None
        if photo is None:
            continue
        box = [int(float(row[k])) for k in ("x", "y", "w", "h")]
        for rows in script.cut(photo, box, text):
            out.append(Sample(name, row["plate"], rows, text))
    return out


def latin(photo, box, plate):
    """Up to three versions of a Latin plate's row, each a list of row images (one, or two of a plate in two rows)."""
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    x, y, w, h = box
    px, py = int(w * 0.06) + 2, int(h * 0.12) + 2
    x0, y0, x1, y1 = max(0, x - px), max(0, y - py), min(gray.shape[1], x + w + px), min(gray.shape[0], y + h + py)
    scale = WORK_HEIGHT / h
    crop = cv2.resize(gray[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    found = []
    for turned in (crop, 255 - crop):
        for block, less in VARIANTS:
            parts, labels = glyphs(turned, int(block * WORK_HEIGHT), less)
            best = chain(parts, 7)
            if best:
                found.append((best[0], len(found), turned, labels, parts, best))
    if not found:
        return []
    # One polarity is right: the one whose chains are best.
    dark = sum(f[0] for f in found if f[1] < len(VARIANTS) and f[2] is crop)
    light = sum(f[0] for f in found if f[2] is not crop)
    found = [f for f in found if (f[2] is crop) == (dark >= light)]
    out = []
    for _, _, turned, labels, parts, best in sorted(found, key=lambda f: -f[0]):
        rows = [best]
        rest = [p for p in parts if all(abs(p[1] + p[3] / 2 - (q[1] + q[3] / 2)) > 0.6 * q[3] for q in best[1])]
        other = chain(rest, 7)
        if other and 0.7 < other[2] / best[2] < 1.4 and len(best[1]) + len(other[1]) <= len(plate) + 1 and len(best[1]) < len(plate) - 2:
            rows = sorted([best, other], key=lambda r: np.mean([p[1] for p in r[1]]))
        # A row with glyphs missing measures this cutting, not the model.
        if not len(plate) - 1 <= sum(len(r[1]) for r in rows) <= len(plate) + 2:
            continue
        images = [row_image(turned, labels, r) for r in rows]
        if all(i is not None for i in images):
            out.append(images)
    return out


def devanagari(photo, box, plate):
    """Versions of a Nepali plate (light glyphs on red, green, blue or black): each the images of its one to three rows.

    The least of the three colours makes a yellow or red border vanish; the rows are found from the largest upwards.
    """
    x, y, w, h = box
    part = photo[max(0, y) : y + h, max(0, x) : x + w]
    height = 170
    scale = height / h
    gray = 255 - cv2.resize(part.min(2), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    soft = cv2.GaussianBlur(gray, (3, 3), 0)
    level = cv2.threshold(soft, 0, 1, cv2.THRESH_OTSU)[0]
    masks = [(soft < level * 0.67 + int(soft.min()) * 0.33).astype(np.uint8), (soft < level).astype(np.uint8)]
    masks.append(cv2.adaptiveThreshold(soft, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 81, 14))
    out = []
    for mask in masks:
        parts, labels = components(mask, 0.11 * height, 0.75 * height, wide=5.0)
        rows, rest = [], parts
        while len(rows) < 3:
            found = chain(rest, 9, ragged=True)
            if not found or (rows and len(found[1]) < 2):
                break
            rows.append(found)
            low, high = np.mean([p[1] for p in found[1]]), np.mean([p[1] + p[3] for p in found[1]])
            rest = [p for p in rest if p not in found[1] and not low < p[1] + p[3] / 2 - found[3] * (p[0] + p[2] / 2 - _middle(found[1])) < high]
        if not rows:
            continue
        rows.sort(key=lambda r: np.mean([p[1] + p[3] / 2 - r[3] * (p[0] + p[2] / 2 - gray.shape[1] / 2) for p in r[1]]))
        if not len(plate) - 1 <= sum(len(r[1]) for r in rows) <= len(plate) + 3:
            continue
        images = [row_image(gray, labels, r) for r in rows]
        if all(i is not None for i in images):
            out.append(images)
    return out


def _middle(parts):
    return float(np.mean([p[0] + p[2] / 2 for p in parts]))


def glyphs(gray, block, less):
    """Components that may be glyphs: ((x, y, w, h, label) ..., labels)."""
    mask = cv2.adaptiveThreshold(cv2.GaussianBlur(gray, (3, 3), 0), 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block | 1, less)
    return components(mask, 0.2 * WORK_HEIGHT, WORK_HEIGHT, wide=1.5)


def components(mask, least, most, wide):
    """Components of a mask that are as high and wide as glyphs and don't touch its frame."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = []
    for i in range(1, count):
        x, y, w, h, area = stats[i]
        if least < h < most and 0.05 * h < w < wide * h and area > 0.12 * w * h:
            if x > 0 and y > 0 and x + w < mask.shape[1] and y + h < mask.shape[0]:
                parts.append((x, y, w, h, i))
    return parts, labels


def chain(parts, most, ragged=False):
    """The best row: (score, parts from left to right, height, slope), or None. `ragged` rows have signs above and below."""
    best = None
    ratio, away = (0.6, 0.3) if ragged else (0.8, 0.12)
    for i, a in enumerate(parts):
        for b in parts[i + 1 :]:
            if not ratio < a[3] / b[3] < 1 / ratio:
                continue
            ax, ay, bx, by = a[0] + a[2] / 2, a[1] + a[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2
            h = (a[3] + b[3]) / 2
            if abs(bx - ax) < 0.3 * h or abs(by - ay) > 0.35 * abs(bx - ax):
                continue
            slope = (by - ay) / (bx - ax)
            row = []
            for p in parts:
                off = p[1] + p[3] / 2 - (ay + slope * (p[0] + p[2] / 2 - ax))
                if abs(off) < away * h and ratio < p[3] / h < 1 / ratio:
                    row.append(p)
            row = _together(sorted(row), h, 3.0 if ragged else 1.9)
            if len(row) < 2:
                continue
            tall = float(np.median([p[3] for p in row]))
            even = 1 / (1 + 4 * np.std([p[3] for p in row]) / tall)
            score = min(len(row), most + 1) * tall**1.5 * even
            if best is None or score > best[0]:
                best = (score, row, tall, slope)
    return best


def _together(row, h, most):
    """The longest run without a gap wider than `most` heights, and without parts inside of others."""
    flat = []
    for p in row:
        if flat and p[0] + p[2] / 2 < flat[-1][0] + flat[-1][2]:
            if p[2] * p[3] > flat[-1][2] * flat[-1][3]:
                flat[-1] = p
            continue
        flat.append(p)
    runs, run = [], flat[:1]
    for p in flat[1:]:
        if p[0] - (run[-1][0] + run[-1][2]) > most * h:
            runs.append(run)
            run = []
        run.append(p)
    return max(runs + [run], key=len)


def row_image(gray, labels, row, slope=None):
    """The line image of a chain: level, 30 px high, all else white."""
    _, parts, tall, slope = row
    if len(parts) > 2:
        # The base line of several glyphs is steadier than that of the pair which found them.
        slope = np.polyfit([p[0] + p[2] / 2 for p in parts], [p[1] + p[3] / 2 for p in parts], 1)[0]
    mask = np.isin(labels, [p[4] for p in parts]).astype(np.uint8) * 255
    x0, x1 = parts[0][0], max(p[0] + p[2] for p in parts)
    middle = float(np.mean([p[1] + p[3] / 2 for p in parts]))
    scale = line.GLYPH / tall
    turn = cv2.getRotationMatrix2D(((x0 + x1) / 2, middle), float(np.degrees(np.arctan(slope))), scale)
    side = line.SIDE + 6
    width = int((x1 - x0) * scale * 1.05) + 2 * side
    turn[0, 2] += width / 2 - (x0 + x1) / 2
    turn[1, 2] += line.HEIGHT / 2 - middle
    if scale < 0.7:
        gray = cv2.GaussianBlur(gray, (0, 0), 0.4 / scale)
    level = cv2.warpAffine(gray, turn, (width, line.HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cut = (cv2.warpAffine(mask, turn, (width, line.HEIGHT), flags=cv2.INTER_LINEAR) > 127).astype(np.uint8)
    if cut.sum() < 20:
        return None
    return line.whitened(level, cut)
