"""Composes glyphs into a plate row, photographs it badly, and masks it as the reader does.

The reader hands Tesseract one row: 8-bit gray, dark glyphs on pure white, 30 px high in an image 40 px high, all that is
not a chosen glyph whitened. Training lines take the same way: drawn, blurred, shrunk to the size they would have in a
photo, enlarged again, thresholded, masked.
"""

import cv2
import numpy as np

HEIGHT, GLYPH, SIDE = 40, 30, 8


def compose(glyphs, gaps, height, rng, wander=0.0, ragged=None):
    """Places glyph inks (arrays of about `height` rows) in a row. `gaps[i]` lies before glyph i, in pixels.

    `ragged` gives each glyph's top against the common top (for scripts whose glyphs differ in height). Returns the ink
    and the box of the row as high as its common glyphs: tails and vowel signs reach out of it.
    """
    margin = int(height * 0.5)
    width = sum(g.shape[1] for g in glyphs) + int(sum(gaps)) + 4 * margin
    tall = max(g.shape[0] for g in glyphs)
    canvas = np.zeros((tall + 2 * margin, width + 8), np.uint8)
    x = 2 * margin
    for i, ink in enumerate(glyphs):
        x = max(0, int(x + gaps[i]))
        top = margin + (ragged[i] if ragged else 0) + int(rng.gauss(0, wander * height))
        top = max(0, min(top, canvas.shape[0] - ink.shape[0]))
        part = canvas[top : top + ink.shape[0], x : x + ink.shape[1]]
        np.maximum(part, ink[: part.shape[0], : part.shape[1]], out=part)
        x += ink.shape[1]
    return canvas, (2 * margin, margin, x, margin + height)


def blobs(canvas, box, rng, count):
    """Adds what the reader sometimes keeps by mistake: bolts, hyphens, seals, pieces of a border."""
    x0, y0, x1, y1 = box
    h = y1 - y0
    for _ in range(count):
        kind = rng.random()
        if rng.random() < 0.35:
            _seal(canvas, box, rng)
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


def _seal(canvas, box, rng):
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


def photographed(canvas, box, rng, hard=1.0, tiny=False):
    """The row as a camera sees it, seen square on again: (gray picture, glyph height in it, box).

    `hard` scales all harm; 0 is a clean print. `tiny` rows are as low as the uppermost of a plate's three on the road.
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
        small = rng.uniform(6.5, 14)
    scale = small / h
    stretch = rng.uniform(0.85, 1.15) if hard else 1.0
    target = target * np.float32([scale * stretch, scale])
    size = (int(width * scale * stretch), int(height * scale))
    soft = canvas
    if scale < 0.6:
        soft = cv2.GaussianBlur(canvas, (0, 0), 0.35 / scale)
    ink = cv2.warpPerspective(soft, cv2.getPerspectiveTransform(source, target), size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    if hard:
        blur = abs(rng.gauss(0, 0.028)) * small * hard
        if rng.random() < 0.08:
            # Out of focus.
            blur = rng.uniform(0.05, 0.11) * small * hard
        if rng.random() < 0.25:
            length = max(1, int(rng.uniform(0.02, 0.12) * small * hard))
            kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
            angle = rng.uniform(0, 3.1416)
            cv2.line(kernel, (int(length - length * np.cos(angle)), int(length - length * np.sin(angle))), (int(length + length * np.cos(angle)), int(length + length * np.sin(angle))), 1.0)
            ink = cv2.filter2D(ink, -1, kernel / max(kernel.sum(), 1e-6))
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
    if hard and rng.random() < 0.5:
        gray = cv2.imdecode(cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 95)])[1], 0)
    corners = target
    top, bottom = corners[:2, 1].mean(), corners[2:, 1].mean()
    return gray, (corners[:, 0].min(), top, corners[:, 0].max(), bottom)


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
    cx, cy = (y0 + y1) / 2 * scale, 0
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
