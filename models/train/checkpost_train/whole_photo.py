"""A drawn or a real plate as a camera shows it, cut out as the reader cuts it: the network's picture."""

import csv
import os

import cv2
import numpy as np

from . import devanagari, line, whole_net
from .whole_net import COLUMNS, HEIGHT, STRIPS, WIDTH

# Shares of the drawn plates: heights of the plate in the picture, in pixels.
_LEAST, _MOST = 15, 150


class Real:
    """A labelled plate of a photo, with its surroundings."""

    def __init__(self, image, corners, numbers, plate):
        self.image, self.corners, self.numbers, self.plate = image, corners, numbers, plate


def labelled(folder, sets, learned):
    """The plates of the sets (SET/truth.csv) that are `learned` from, by plate and file: gray crops with half a plate around."""
    out = []
    for name in sets:
        table = os.path.join(folder, name, "truth.csv")
        if not os.path.exists(table):
            continue
        for row in csv.DictReader(open(table, encoding="utf-8")):
            if not row["plate"] or not row["w"] or not learned(row["plate"], row["file"]):
                continue
            numbers = numbers_of(row["plate"])
            photo = cv2.imread(os.path.join(folder, name, row["file"]), 0) if numbers else None
            if photo is None:
                continue
            x, y, w, h = (float(row[k]) for k in "xywh")
            px, py = int(w * 0.5), int(h * 0.5)
            x0, y0 = max(0, int(x) - px), max(0, int(y) - py)
            image = photo[y0 : int(y + h) + py, x0 : int(x + w) + px]
            # A bound on the memory, far above what the network sees.
            scale = min(1.0, 200 / h)
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image.copy()
            box = np.float32([[x - x0, y - y0], [x + w - x0, y - y0], [x + w - x0, y + h - y0], [x - x0, y + h - y0]]) * scale
            out.append(Real(image, box, numbers, row["plate"]))
    return out


def numbers_of(plate):
    """A true plate as the network's numbers; nothing where it has other characters."""
    if plate.isascii():
        text = "".join(c for c in plate.upper() if c in whole_net.LATIN)
        return whole_net.encoded(text, "latin")
    text = devanagari.symbols_of(plate)
    return whole_net.encoded(text, "devanagari") if text else []


def of_art(art, rng, hard=1.0):
    """The network's picture of a drawn plate, its numbers and their places; `hard` from 0 to 1, for the first lessons."""
    dark = rng.random() < 0.62
    ground = rng.uniform(12, 120) if dark else rng.uniform(110, 250)
    # Red paint hardly differs from its letters in infrared light.
    apart = rng.uniform(15, 45) if rng.random() < 0.1 * hard else rng.uniform(45, 220)
    ink = ground + apart if dark else ground - apart
    ink = float(np.clip(ink, 5, 252))
    around = rng.uniform(10, 250) if rng.random() < 0.7 else ground
    mask = art.ink.astype(np.float32) / 255
    if rng.random() < 0.25:
        mask = _worn(mask, rng)
    plate = art.plate.astype(np.float32) / 255
    gray = around + plate * (ground - around)
    gray += mask * plate * (ink - ground)
    if around != ground and rng.random() < 0.5:
        # What lies around a plate is seldom even: a bumper's edge, a lamp, the holder.
        for _ in range(rng.randint(1, 4)):
            x, y = rng.randrange(gray.shape[1]), rng.choice([rng.randrange(0, 44), gray.shape[0] - 1 - rng.randrange(0, 44)])
            w, h = rng.randint(10, 200), rng.randint(4, 40)
            part = gray[max(0, y - h) : y + h, max(0, x - w) : x + w]
            inside = plate[max(0, y - h) : y + h, max(0, x - w) : x + w]
            part += (1 - inside) * rng.uniform(-90, 90)
    tall = np.exp(rng.uniform(np.log(_LEAST) + (1 - hard) * 1.2, np.log(_MOST)))
    rows = max(1.0, (art.corners[2, 1] - art.corners[0, 1]) / max(1, art.tall))
    # Glyphs of less than 8 pixels are no writing for anybody.
    tall = max(tall, 8.0 * rows)
    picture, move = photographed(gray, art.corners, tall, rng, hard)
    return picture, art.numbers, _cells(art.middles, move)


def of_real(real, rng):
    """The same of a real plate, whose glyphs' places nobody knows, a little turned, smaller and worse than it is."""
    height = real.corners[2, 1] - real.corners[0, 1]
    tall = height * rng.uniform(0.6, 1.05)
    picture, _ = photographed(real.image.astype(np.float32), real.corners, max(tall, min(height, 22)), rng, rng.choice([0.5, 0.5, 1.0]))
    return picture, real.numbers, [-1] * len(real.numbers)


def _cells(rows, move):
    """The place of the network's sequence that each glyph belongs to, -1 where two would share one; a row keeps to one strip."""
    out, before = [], -1
    for index, row in enumerate(rows):
        points = cv2.perspectiveTransform(np.float32(row)[None], move)[0]
        strip = int(np.clip(points[:, 1].mean() * STRIPS / HEIGHT, before + 1, STRIPS - len(rows) + index))
        before = strip
        for x in points[:, 0]:
            column = int(np.clip(x * COLUMNS / WIDTH, 0, COLUMNS - 1))
            cell = strip * COLUMNS + column
            out.append(-1 if cell in out else cell)
    return out


def photographed(gray, corners, tall, rng, hard):
    """A plate `tall` pixels high in the camera's picture, cut out by a box that is about right: 128 x 64 pixels, and how the plate's points moved to them."""
    width, height = corners[1, 0] - corners[0, 0], corners[2, 1] - corners[0, 1]
    scale = tall / height
    stretch = rng.uniform(0.75, 1.3) if hard > 0.5 else rng.uniform(0.88, 1.14)
    w, h = width * scale * stretch, tall
    turn = rng.gauss(0, 0.07 * hard) if rng.random() < 0.8 else rng.gauss(0, 0.25 * hard)
    shear = rng.gauss(0, 0.1 * hard)
    rect = np.float32([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]])
    rect[:, 0] += shear * rect[:, 1]
    view = rng.gauss(0, 0.05 * hard), rng.gauss(0, 0.05 * hard)
    depth = 1 + view[0] * rect[:, 0] / w * 2 + view[1] * rect[:, 1] / h * 2
    rect = rect / depth[:, None]
    cos, sin = np.cos(turn), np.sin(turn)
    rect = rect @ np.float32([[cos, sin], [-sin, cos]])
    low, high = rect.min(0), rect.max(0)
    size = high - low
    # The finder's boxes are a tenth off, and grown by as much.
    left, right = rng.gauss(0.05, 0.05) * size[0], rng.gauss(0.05, 0.05) * size[0]
    above, below = rng.gauss(0.06, 0.06) * size[1], rng.gauss(0.06, 0.06) * size[1]
    x0, y0 = low[0] - left, low[1] - above
    columns, lines = max(16, int(size[0] + left + right)), max(10, int(size[1] + above + below))
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), (rect - [x0, y0]).astype(np.float32))
    soft = cv2.GaussianBlur(gray, (0, 0), 0.4 / scale) if scale < 0.75 else gray
    seen = cv2.warpPerspective(soft, move, (columns, lines), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = _light(seen, rng, hard)
    seen = _camera(seen, tall, rng, hard)
    how = cv2.INTER_LINEAR if columns < WIDTH or rng.random() < 0.2 else cv2.INTER_AREA
    fit = np.diag([WIDTH / columns, HEIGHT / lines, 1.0])
    return cv2.resize(seen, (WIDTH, HEIGHT), interpolation=how), fit @ move


def _worn(mask, rng):
    """Paint that has come off, dirt on it."""
    noise = np.random.RandomState(rng.getrandbits(32))
    size = rng.choice([3, 5, 9, 15])
    rough = noise.uniform(0, 1, (mask.shape[0] // size + 1, mask.shape[1] // size + 1)).astype(np.float32)
    rough = cv2.resize(rough, mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    off = np.clip((rough - rng.uniform(0.6, 0.9)) * 6, 0, rng.uniform(0.3, 0.9))
    return mask * (1 - off)


def _light(gray, rng, hard):
    height, width = gray.shape
    if rng.random() < 0.5 * (0.5 + hard / 2):
        ramp = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :] * rng.gauss(0, 0.35) + np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * rng.gauss(0, 0.35)
        gray = gray * (1 + ramp)
    if rng.random() < 0.3 * hard:
        gray = gray * _shadow(width, height, rng)
    if rng.random() < 0.06 * hard:
        # A glare.
        cx, cy, r = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.15, 0.5) * height
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        gray = gray + rng.uniform(60, 160) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r))
    return gray


def _shadow(width, height, rng):
    """What a roof, a tree or a pole leaves of the light: one edge across the plate, or two; sharp or soft."""
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    across = x * rng.uniform(-1, 1) + y * rng.uniform(-1, 1)
    start, end = rng.uniform(-0.5, 0.5), rng.uniform(0.1, 0.7) if rng.random() < 0.25 else 9.0
    soft = rng.choice([0.01, 0.02, 0.05, rng.uniform(0.05, 0.3)])
    dark = np.clip((across - start) / soft + 0.5, 0, 1) * np.clip((start + end - across) / soft + 0.5, 0, 1)
    return 1 - dark * (1 - np.exp(rng.uniform(np.log(0.2), np.log(0.9))))


def _camera(gray, tall, rng, hard):
    noise = np.random.RandomState(rng.getrandbits(32))
    if rng.random() < 0.7:
        gray = cv2.GaussianBlur(gray, (0, 0), 0.3 + abs(rng.gauss(0, 0.016)) * tall * hard + abs(rng.gauss(0, 0.35)) * hard)
    if rng.random() < 0.25 * hard:
        # A slow shutter: vehicles mostly move down the picture.
        far = rng.uniform(0.05, 0.13) if rng.random() < 0.4 else rng.uniform(0.01, 0.06)
        gray = line.shaken(gray, max(1, int(far * tall)), rng.gauss(1.57, 0.25) if rng.random() < 0.5 else rng.uniform(0, 3.1416))
    # By little light noise comes near to the contrast that is left.
    grain = rng.uniform(0.05, 0.4) * float(gray.std()) if rng.random() < 0.15 * hard else abs(rng.gauss(0, 3)) * hard
    gray = gray + noise.normal(0, grain + 0.5, gray.shape).astype(np.float32)
    if rng.random() < 0.3:
        gray = gray + rng.uniform(0.3, 1.8) * hard * (gray - cv2.GaussianBlur(gray, (0, 0), rng.uniform(0.7, 1.6)))
    if rng.random() < 0.15 * hard:
        # A camera that enlarges or shrinks its own picture.
        by = rng.uniform(0.7, 1.8)
        gray = cv2.resize(gray, None, fx=by, fy=by, interpolation=cv2.INTER_LINEAR)
    gray = np.clip(gray, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        gray = cv2.imdecode(cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(25, 95)])[1], 0)
    return gray
