"""Composes glyphs into a plate row, photographs it badly, and masks it as the reader does.

The reader hands Tesseract one row: 8-bit gray, dark glyphs on pure white, 30 px high in an image 40 px high, all that is
not a chosen glyph whitened. Training lines take the same way: drawn, blurred, shrunk to the size they would have in a
photo, enlarged again, thresholded, masked.
"""

import cv2
import numpy as np

HEIGHT, GLYPH, SIDE = 40, 30, 8


def compose(glyphs, gaps, height, rng, wander=0.0, ragged=None, numbers=None):
    """Places glyph inks (arrays of about `height` rows) in a row. `gaps[i]` lies before glyph i, in pixels.

    `ragged` gives each glyph's top against the common top (for scripts whose glyphs differ in height). Returns the ink
    and the box of the row as high as its common glyphs: tails and vowel signs reach out of it. With `numbers`, one a glyph,
    the answer holds a map of where each one's ink is, too.
    """
    margin = int(height * 0.5)
    width = sum(g.shape[1] for g in glyphs) + int(sum(gaps)) + 4 * margin
    tall = max(g.shape[0] for g in glyphs)
    canvas = np.zeros((tall + 2 * margin, width + 8), np.uint8)
    places = np.zeros_like(canvas)
    x = 2 * margin
    for i, (ink, x) in enumerate(zip(glyphs, lefts(glyphs, gaps, height))):
        top = margin + (ragged[i] if ragged else 0) + int(rng.gauss(0, wander * height))
        top = max(0, min(top, canvas.shape[0] - ink.shape[0]))
        part = canvas[top : top + ink.shape[0], x : x + ink.shape[1]]
        np.maximum(part, ink[: part.shape[0], : part.shape[1]], out=part)
        if numbers:
            places[top : top + ink.shape[0], x : x + ink.shape[1]][ink[: part.shape[0], : part.shape[1]] > 128] = numbers[i]
        x += ink.shape[1]
    box = (2 * margin, margin, x, margin + height)
    return (canvas, box, places) if numbers else (canvas, box)


def lefts(glyphs, gaps, height):
    """Where `compose` puts each glyph's left edge."""
    x, out = 2 * int(height * 0.5), []
    for ink, gap in zip(glyphs, gaps):
        x = max(0, int(x + gap))
        out.append(x)
        x += ink.shape[1]
    return out


def blobs(canvas, box, rng, count):
    """Adds what the reader sometimes keeps by mistake: bolts, hyphens, seals, pieces of a border."""
    x0, y0, x1, y1 = box
    h = y1 - y0
    for _ in range(count):
        kind = rng.random()
        if rng.random() < 0.35:
            seal(canvas, box, rng)
        elif kind < 0.35:
            r = int(h * rng.uniform(0.06, 0.16))
            at = (int(rng.uniform(x0 - h * 0.5, x1 + h * 0.5)), int(rng.choice([y0 - r, y1 + r, y0 + h * 0.5])))
            if _free(canvas, at[0] - r, at[1] - r, 2 * r, 2 * r):
                cv2.circle(canvas, at, r, 255, -1 if rng.random() < 0.6 else max(1, r // 3), cv2.LINE_AA)
        elif kind < 0.75:
            # A bar outside of the row: the plate's edge, or its blue band's.
            w = int(h * rng.uniform(0.04, 0.2))
            side = rng.choice([x0 - h * rng.uniform(0.22, 0.6) - w, x1 + h * rng.uniform(0.22, 0.6)])
            lean = int(rng.gauss(0, h * 0.04))
            top, bottom = y0 - int(h * rng.uniform(0.07, 0.25)), y1 + int(h * rng.uniform(0.07, 0.25))
            if kind > 0.66:
                # A piece only. As long as a glyph it could be an I, so it never is.
                bottom = y1 - int(h * rng.uniform(0.3, 0.6))
            cv2.line(canvas, (int(side), top), (int(side) + lean, bottom), 255, max(1, w), cv2.LINE_AA)
        else:
            w, t = int(h * rng.uniform(0.12, 0.25)), int(h * rng.uniform(0.06, 0.13))
            x, y = int(rng.uniform(x0, x1)), int(y0 + h * rng.uniform(0.42, 0.58))
            if _free(canvas, x - 2, y - 2, w + 4, t + 4):
                canvas[y : y + t, x : x + w] = 255
    return canvas


def seal(canvas, box, rng):
    """A coat of arms or an inspection seal: a mottled round or shield-like patch before the row or in one of its gaps."""
    x0, y0, x1, y1 = box
    h = y1 - y0
    w, t = int(h * rng.uniform(0.22, 0.5)), int(h * rng.uniform(0.4, 0.85))
    for _ in range(12):
        x = int(rng.choice([x0 - w - h * rng.uniform(0.1, 0.4), x1 + h * rng.uniform(0.1, 0.4), rng.uniform(x0, x1)]))
        y = int(y0 + rng.uniform(0, h - t))
        if not _free(canvas, x - 3, y0, w + 6, h):
            continue
        patch = np.zeros((t, w), np.uint8)
        cv2.ellipse(patch, (w // 2, t // 2), (w // 2, t // 2), 0, 0, 360, 255, -1 if t > 0.6 * h or rng.random() < 0.6 else max(2, w // 6), cv2.LINE_AA)
        for _ in range(rng.randint(0, 4)):
            a, b = (rng.randrange(w), rng.randrange(t)), (rng.randrange(w), rng.randrange(t))
            cv2.line(patch, a, b, rng.choice([0, 0, 120]), rng.randint(1, max(2, w // 7)), cv2.LINE_AA)
        canvas[y : y + t, x : x + w] = patch
        return


def _free(canvas, x, y, w, h):
    if x < 0 or y < 0 or x + w > canvas.shape[1] or y + h > canvas.shape[0]:
        return False
    return canvas[y : y + h, x : x + w].max(initial=0) < 30


def framed(canvas, box, rng):
    """A painted border close around the row, open below or above where the plate has other rows."""
    x0, y0, x1, y1 = box
    h = y1 - y0
    pen = max(1, int(h * rng.uniform(0.04, 0.13)))
    above, below, side = (rng.uniform(0.12, 0.42) * h for _ in range(3))
    left, right = int(x0 - side - rng.choice([0, 0, 0.3]) * h), int(x1 + side + rng.choice([0, 0, 0.3]) * h)
    top, bottom = int(y0 - above), int(y1 + below)
    kind = rng.random()
    if kind < 0.35:
        bottom = canvas.shape[0] + h
    elif kind < 0.5:
        top = -h
    r = int(min(h * rng.uniform(0.05, 0.45), (right - left) / 3, (bottom - top) / 3))
    for corner, (cx, cy) in {180: (left + r, top + r), 270: (right - r, top + r), 0: (right - r, bottom - r), 90: (left + r, bottom - r)}.items():
        cv2.ellipse(canvas, (cx, cy), (r, r), 0, corner, corner + 90, 255, pen, cv2.LINE_AA)
    for a, b in [((left + r, top), (right - r, top)), ((left + r, bottom), (right - r, bottom)),
                 ((left, top + r), (left, bottom - r)), ((right, top + r), (right, bottom - r))]:
        cv2.line(canvas, a, b, 255, pen, cv2.LINE_AA)
    return canvas


def bent(canvas, by, how=cv2.INTER_LINEAR):
    """The row on a plate that is bent: its ends `by` pixels lower than its middle."""
    height, width = canvas.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return cv2.remap(canvas, x, y - by * ((2 * x / width - 1) ** 2 - 0.33).astype(np.float32), how)


def shaken(picture, length, angle):
    """A picture in which everything moved by `length` pixels to both sides, in the direction of `angle`."""
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    dx, dy = length * np.cos(angle), length * np.sin(angle)
    cv2.line(kernel, (int(length - dx), int(length - dy)), (int(length + dx), int(length + dy)), 1.0)
    return cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1e-6))


def photographed(canvas, box, rng, hard=1.0, tiny=None, places=None):
    """The row as a camera sees it, seen square on again: (gray picture, box in it).

    `hard` scales all harm; 0 is a clean print. `tiny` is the range of heights of rows that are low in the picture, in pixels.
    With `places`, a map of the canvas, the answer holds it too, moved alike.
    """
    x0, y0, x1, y1 = box
    h = y1 - y0
    # What is left after deskewing: a little rotation, shear and perspective.
    turn = rng.gauss(0, 0.012 * hard)
    shear = rng.gauss(0, 0.06 * hard)
    keystone = rng.gauss(0, 0.03 * hard)
    height, width = canvas.shape
    source = np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    w = x1 - x0
    rise = np.tan(turn) * w
    k = keystone * h
    target = source + np.float32([[shear * h / 2, -k - rise / 2], [shear * h / 2, k + rise / 2], [-shear * h / 2, -k + rise / 2], [-shear * h / 2, k - rise / 2]])
    # The glyphs' height in the photo: from 9 px (hardly legible) to larger than the reader's 30.
    small = 30 / 2 ** (rng.random() ** 1.3 * 1.75 * min(1, hard)) if rng.random() < 0.75 else rng.uniform(28, 70)
    if tiny:
        small = rng.uniform(*tiny)
    scale = small / h
    stretch = rng.uniform(0.85, 1.15) if hard else 1.0
    target = target * np.float32([scale * stretch, scale])
    size = (int(width * scale * stretch), int(height * scale))
    soft = canvas
    if scale < 0.6:
        soft = cv2.GaussianBlur(canvas, (0, 0), 0.35 / scale)
    move = cv2.getPerspectiveTransform(source, target)
    ink = cv2.warpPerspective(soft, move, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    if tiny:
        # Lenses and the coarser grid of colours blur by pixels, however small the row is.
        ink = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 1.0))
        part = rng.choice([0, rng.uniform(0.2, 0.6)])
        ink = (1 - part) * ink + part * cv2.GaussianBlur(ink, (0, 0), 1.1)
    if hard:
        blur = abs(rng.gauss(0, 0.028)) * small * hard
        if rng.random() < 0.08:
            # Out of focus.
            blur = rng.uniform(0.05, 0.11) * small * hard
        if rng.random() < 0.25:
            ink = shaken(ink, max(1, int(rng.uniform(0.02, 0.12) * small * hard)), rng.uniform(0, 3.1416))
        if blur > 0.3:
            ink = cv2.GaussianBlur(ink, (0, 0), blur)
    noise = np.random.RandomState(rng.getrandbits(32))
    ground = rng.uniform(120, 245)
    depth = ground * rng.uniform(0.35, 0.95)
    gray = ground - depth * ink
    if hard and rng.random() < 0.5:
        # Light that falls off along the row, or a hard shadow's edge.
        ramp = np.linspace(0, 1, size[0], dtype=np.float32)[None, :] * rng.uniform(-0.35, 0.35) + 1
        gray = gray * ramp
        if rng.random() < 0.25:
            gray *= np.where(np.arange(size[1])[:, None] * rng.uniform(0.3, 1.5) + np.arange(size[0])[None, :] * rng.uniform(-1, 1) > rng.uniform(0, size[0]), 1, rng.uniform(0.6, 0.95))
    if hard:
        gray = gray + noise.normal(0, rng.uniform(0, 7) * hard, gray.shape)
        if rng.random() < 0.4:
            speckle = noise.normal(0, rng.uniform(3, 14), (max(1, size[1] // 3), max(1, size[0] // 3))).astype(np.float32)
            gray = gray + cv2.resize(speckle, size)
    if hard and rng.random() < 0.35:
        # Cameras sharpen: light rims around the strokes, holes that close.
        gray = gray + rng.uniform(0.5, 2.0) * (gray - cv2.GaussianBlur(gray, (0, 0), max(0.6, 0.05 * small)))
    gray = np.clip(gray, 0, 255).astype(np.uint8)
    corners = target
    zoom = rng.uniform(1.2, 2.2) if tiny and rng.random() < 0.25 else 1.0
    if zoom > 1:
        # A camera that enlarges its own picture, and compresses it then.
        gray = cv2.resize(gray, None, fx=zoom, fy=zoom, interpolation=rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        corners = corners * zoom
    if hard and rng.random() < (0.8 if tiny else 0.5):
        gray = cv2.imdecode(cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 95)])[1], 0)
    top, bottom = corners[:2, 1].mean(), corners[2:, 1].mean()
    seen = gray, (corners[:, 0].min(), top, corners[:, 0].max(), bottom)
    if places is None:
        return seen
    return *seen, cv2.warpPerspective(places, np.diag([zoom, zoom, 1.0]) @ move, gray.shape[::-1], flags=cv2.INTER_NEAREST)


def masked(gray, box, rng=None, keep=0.0, lowest=0.55):
    """The reader's line from a gray picture and the row's box: scaled to 30 px, thresholded, all but the glyphs whitened.

    What is at least `lowest` of a row's height is kept, and a part `keep` of what is lower.
    """
    x0, y0, x1, y1 = box
    scale = GLYPH / max(4.0, y1 - y0)
    if rng is not None:
        scale *= rng.uniform(0.95, 1.05)
    interp = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    big = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=interp)
    top = int(round((y0 + y1) / 2 * scale - HEIGHT / 2 + (rng.gauss(0, 0.7) if rng else 0)))
    left, right = int(x0 * scale) - SIDE - 16, int(x1 * scale) + SIDE + 16
    big = _window(big, left, top, right - left, HEIGHT)
    block = 2 * int(rng.uniform(10, 24) if rng else 15) + 1
    if rng is not None and rng.random() < 0.3:
        level = cv2.threshold(big, 0, 255, cv2.THRESH_OTSU)[0] * rng.uniform(0.95, 1.12)
        mask = (big < level).astype(np.uint8)
    else:
        less = rng.uniform(4, 16) if rng else 10
        mask = cv2.adaptiveThreshold(big, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, less)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    good = [i for i in range(1, count) if stats[i, cv2.CC_STAT_HEIGHT] > GLYPH * lowest and stats[i, cv2.CC_STAT_WIDTH] < 9 * GLYPH]
    if keep:
        good += [i for i in range(1, count) if GLYPH * 0.12 < stats[i, cv2.CC_STAT_HEIGHT] <= GLYPH * lowest and stats[i, cv2.CC_STAT_AREA] > 8 and rng.random() < keep]
    if not good:
        return None
    return whitened(big, np.isin(labels, good).astype(np.uint8), 2 if rng is None else rng.choice([1, 2, 2, 3]))


# The reader's ways to tell glyphs from the ground: the line's height, the margin at its ends and how wide it is read (`Binarisation`).
WAYS = {"local": (43, 11, 1.0), "global": (40, 8, 1.0), "parted": (41, 10, 0.9), "dark": (38, 6, 0.93), "bright": (41, 14, 1.08)}

# The height of the reader's crop and its room at both ends, in pixels; how far from the middle ink may be (`RowCrop`, `reader.json`).
CROP, ROOM, REACH = 66, 57, 27

# A line shows at least this part of each of its glyphs.
LEAST_SHOWN = 0.6


def as_read(gray, box, rng, lowest, places=None, loose=False):
    """The reader's line as its own code makes it (`RowCrop`, `LineExtractor`), in one of its ways; None where no row is left.

    `loose` boxes are those of small rows, which the finder knows by whole pixels. `places` is a map of the glyphs: a line that
    lacks half of one teaches nothing, and is None.
    """
    x0, y0, x1, y1 = box
    h = max(4.0, y1 - y0)
    scale = GLYPH / h * (rng.uniform(0.82, 1.15) if loose else rng.uniform(0.93, 1.07))
    away = rng.gauss(0, 1.6 if loose else 0.8)
    size = (int((x1 - x0) * scale) + 2 * ROOM, CROP)
    step = max(1.0, 1 / scale)
    soft = cv2.GaussianBlur(gray, (0, 0), 0.4 * step) if step > 1.3 else gray
    move = np.float32([[scale, 0, ROOM - x0 * scale], [0, scale, CROP / 2 + away - (y0 + y1) / 2 * scale]])
    crop = cv2.warpAffine(soft, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    way = rng.choice(list(WAYS))
    mask = _dark(crop, way)
    mask[: CROP // 2 - REACH] = mask[CROP // 2 + REACH :] = 0
    widest = rng.choice([5, 5, 16]) * GLYPH
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    kept = []
    for i in range(1, count):
        x, y, w, t, area = stats[i]
        bar = w * 10 < t * 3 and area > 0.5 * w * t
        if (lowest * GLYPH <= t <= 1.65 * GLYPH and w <= widest and abs(y + t / 2 - CROP / 2) <= 0.36 * GLYPH and area >= 0.1 * w * t
                and not (bar and (x + w <= ROOM or x >= size[0] - ROOM))):
            kept.append(i)
    if len(kept) < 1:
        return None
    mask = np.isin(labels, kept).astype(np.uint8)
    height, margin, stretch = WAYS[way]
    wide = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    if places is not None:
        own = cv2.warpAffine(places, move, size, flags=cv2.INTER_NEAREST)
        shown = wide.copy()
        shown[: CROP // 2 - height // 2] = shown[CROP // 2 + height // 2 :] = 0
        # Places, and places with ink in the line, by their number.
        whole, seen = np.bincount(own.ravel(), minlength=256), np.bincount(own[shown > 0], minlength=256)
        if any(s < LEAST_SHOWN * n for n, s in zip(whole[1:], seen[1:])):
            return None
    inside = np.zeros_like(mask)
    for i in kept:
        x, y, w, t, _ = stats[i]
        inside[y : y + t, x : x + w] = 1
    ink = np.percentile(crop[mask > 0], 25)
    ground = crop[(inside > 0) & (mask == 0)]
    ground = np.percentile(ground, 60) if ground.size else 255.0
    out = np.clip((crop.astype(np.float32) - ink) * (255.0 / max(12.0, ground - ink)), 0, 255).astype(np.uint8)
    out[wide == 0] = 255
    columns = np.where(mask.max(0))[0]
    out = _window(out, columns[0] - margin, CROP // 2 - height // 2, columns[-1] + 1 - columns[0] + 2 * margin, height, 255)
    return out if stretch == 1 else cv2.resize(out, (max(8, int(out.shape[1] * stretch)), height), interpolation=cv2.INTER_LINEAR)


def _dark(crop, way):
    """What a way takes for ink."""
    if way in ("local", "parted"):
        radius, least, part = (20, 10, 18) if way == "local" else (11, 7, 22)
        mean = cv2.blur(crop.astype(np.float32), (2 * radius + 1, 2 * radius + 1), borderType=cv2.BORDER_REPLICATE)
        return (crop < mean - least - mean * part / 256).astype(np.uint8)
    band = crop[CROP // 4 : CROP * 3 // 4, ROOM : crop.shape[1] - ROOM]
    level = cv2.threshold(np.ascontiguousarray(band), 0, 255, cv2.THRESH_OTSU)[0]
    low, high = band[band <= level], band[band > level]
    if way == "dark" and low.size:
        level -= max(0.0, level - low.mean()) / 3
    if way == "bright" and high.size:
        level += max(0.0, high.mean() - level) / 3
    return (crop <= level).astype(np.uint8)


def whitened(gray, mask, reach=2):
    """Gray kept inside the dilated mask, its contrast stretched, white outside, cut to the glyphs with a margin at the sides."""
    wide = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)))
    inside = gray[mask > 0]
    around = gray[(wide > 0) & (mask == 0)]
    low = float(np.percentile(inside, 10))
    high = float(np.percentile(around, 75)) if around.size else 255.0
    high = max(high, low + 20)
    out = np.clip((gray.astype(np.float32) - low) * (255.0 / (high - low)), 0, 255).astype(np.uint8)
    out[wide == 0] = 255
    columns = np.where(mask.max(0))[0]
    return _window(out, columns[0] - SIDE, 0, columns[-1] - columns[0] + 1 + 2 * SIDE, out.shape[0], 255)


def _window(image, x, y, w, h, fill=None):
    """The window of an image, its borders repeated (or filled) where it reaches outside."""
    height, width = image.shape
    left, top = max(0, -x), max(0, -y)
    right, bottom = max(0, x + w - width), max(0, y + h - height)
    if left or top or right or bottom:
        kind = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
        image = cv2.copyMakeBorder(image, top, bottom, left, right, kind, value=fill or 0)
    return image[y + top : y + top + h, x + left : x + left + w]
