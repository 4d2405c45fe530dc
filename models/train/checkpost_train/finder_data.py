"""What the finder learns from: crops of photos with known plates and of drawn places, plates pasted in, seen badly."""

import math

import cv2
import numpy as np

from . import finder_scene
from .finder_net import CELL
from .finder_photos import Photo

SIZE = 224

# How often a crop comes from each set; `drawn` needs no photos.
WEIGHTS = {"eu": 1.2, "us": 2.0, "br": 1.0, "in": 0.4, "np": 0.6, "np_road_text": 2.0, "np_road": 4.5, "drawn": 1.0}
ONLY_DRAWN = 8.0


class Crops:
    """An endless source of training crops."""

    def __init__(self, sets, rng, drawn_plates, drawn_places):
        self.rng = rng
        noise = np.random.RandomState(rng.getrandbits(32))
        # Drawn once: a crop takes a window of it.
        self.grain = noise.standard_normal((2 * SIZE, 2 * SIZE, 3)).astype(np.float32)
        self.sets = {name: found for name, found in sets.items() if found}
        self.sets["drawn"] = drawn_places
        self.names = list(self.sets)
        self.weights = [WEIGHTS.get(name, 1) if len(self.sets) > 1 else ONLY_DRAWN for name in self.names]
        self.plates = drawn_plates
        self.real = []
        for name, found in sets.items():
            for photo in found:
                for x, y, w, h in photo.boxes:
                    if w >= 60 and h >= 22:
                        crop = photo.levels[0][max(0, int(y)) : int(y + h), max(0, int(x)) : int(x + w)]
                        if crop.size:
                            self.real.append(crop)

    def batch(self, count):
        """(pictures, heat, mask of the heat, sides, weight of the sides) of `count` crops."""
        made = [self.crop() for _ in range(count)]
        return [np.stack(part) for part in zip(*made)]

    def crop(self):
        rng = self.rng
        name = rng.choices(self.names, self.weights)[0]
        photo = rng.choice(self.sets[name])
        scale = photo.scale * math.exp(rng.uniform(-0.5, 0.75))
        height, width = photo.levels[0].shape[:2]
        if len(photo.boxes) and (rng.random() < 0.8 or not photo.known):
            x, y, w, h = photo.boxes[rng.randrange(len(photo.boxes))]
            # No larger than fits, no smaller than can be seen; most enlargements show nothing new.
            scale = min(scale, 225 / w, 190 / h, 1.6)
            if w * scale < 13:
                scale = min(1.3, 13 / w)
            cx, cy = x + w / 2, y + h / 2
            away = max(0.0, SIZE / 2 / scale - w / 2 - 4), max(0.0, SIZE / 2 / scale - h / 2 - 4)
            cx += rng.uniform(-away[0], away[0])
            cy += rng.uniform(-away[1], away[1])
        else:
            scale = min(scale, 1.3)
            cx, cy = rng.uniform(0, width), rng.uniform(0, height)
        if rng.random() < 0.85:
            # Hardly any of the crop lies outside of the photo.
            reach = SIZE / 2 / scale - 8
            cx = min(max(cx, reach), width - reach) if 2 * reach < width else width / 2
            cy = min(max(cy, reach), height - reach) if 2 * reach < height else height / 2
        turn = rng.gauss(0, 4) if rng.random() < 0.5 else 0.0
        image, boxes = self._sampled(photo, scale, cx, cy, math.radians(turn), stretch=math.exp(rng.gauss(0, 0.08)), flip=rng.random() < 0.35)
        mask = np.ones((SIZE // CELL, SIZE // CELL), np.float32)
        if not photo.known:
            mask[:] = 0
            for x, y, r, b in boxes:
                mask[_cells(y - 1.2 * (b - y), b + 1.2 * (b - y)), _cells(x - 0.8 * (r - x), r + 0.8 * (r - x))] = 1
        free = [box for box in boxes]
        for _ in range(rng.choice([0, 0, 0, 1, 1]) if name != "drawn" else rng.choice([0, 1, 1, 2, 3])):
            pasted = self._paste(image, free)
            if pasted is not None:
                boxes.append(pasted)
                free.append(pasted)
                mask[_cells(pasted[1], pasted[3]), _cells(pasted[0], pasted[2])] = 1
        if rng.random() < 0.25:
            self._decoy(image, free)
        image = self._seen(image)
        heat, sides, weight = targets(boxes, mask)
        picture = (image.astype(np.float32) - 128) / 64
        return picture.transpose(2, 0, 1), heat, mask, sides, weight

    def _sampled(self, photo, scale, cx, cy, turn, stretch, flip):
        """A crop around a place of a photo, and the plates in it as (left, top, right, bottom)."""
        level = 0
        while scale * 2**level < 0.6 and level + 1 < len(photo.levels):
            level += 1
        source = photo.levels[level]
        factor = source.shape[1] / photo.levels[0].shape[1]
        sx, sy = scale * stretch, scale / stretch
        c, s = math.cos(turn), math.sin(turn)
        forward = np.float32([[sx * c, -sy * s, 0], [sx * s, sy * c, 0]])
        if flip:
            forward[0] *= -1
        forward[:, 2] = [SIZE / 2 - forward[0, 0] * cx - forward[0, 1] * cy, SIZE / 2 - forward[1, 0] * cx - forward[1, 1] * cy]
        matrix = forward.copy()
        matrix[:, :2] /= factor
        image = cv2.warpAffine(source, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(128, 128, 128))
        boxes = []
        for x, y, w, h in photo.boxes:
            mx, my = x + w / 2, y + h / 2
            px, py = forward[0] @ [mx, my, 1], forward[1] @ [mx, my, 1]
            # A turned box that bounds a turned plate would be too large: the plate's own sides are turned.
            pw, ph = math.hypot(w * sx * c, 0.7 * h * sy * s), math.hypot(h * sy * c, 0.7 * w * sx * s)
            boxes.append((px - pw / 2, py - ph / 2, px + pw / 2, py + ph / 2))
        return image, [b for b in boxes if b[2] > 0 and b[3] > 0 and b[0] < SIZE and b[1] < SIZE]

    def _free_place(self, w, h, boxes):
        for _ in range(8):
            x, y = self.rng.uniform(2, SIZE - w - 2), self.rng.uniform(2, SIZE - h - 2)
            if all(x > r + 6 or x + w < l - 6 or y > b + 6 or y + h < t - 6 for l, t, r, b in boxes):
                return x, y
        return None

    def _paste(self, image, boxes):
        """Pastes a drawn plate, or one of another photo, in perspective; its box, or None where there's no room."""
        rng = self.rng
        plate = rng.choice(self.real) if self.real and rng.random() < 0.45 else rng.choice(self.plates)
        ph, pw = plate.shape[:2]
        wide = math.exp(rng.uniform(math.log(18), math.log(130)))
        tall = wide * ph / pw * math.exp(rng.gauss(0, 0.1))
        if tall < 6 or tall > 100:
            return None
        at = self._free_place(wide, tall, boxes)
        if at is None:
            return None
        x, y = at
        corners = np.float32([[x, y], [x + wide, y], [x + wide, y + tall], [x, y + tall]])
        lean = np.float32([[rng.gauss(0, 0.03) * wide, rng.gauss(0, 0.06) * tall] for _ in range(4)])
        rise = rng.gauss(0, 0.06) * wide
        corners += lean + np.float32([[0, -rise / 2], [0, rise / 2], [0, rise / 2], [0, -rise / 2]])
        if pw > 3 * wide:
            plate = cv2.resize(plate, (max(2, int(2 * wide)), max(2, int(2 * tall))), interpolation=cv2.INTER_AREA)
            ph, pw = plate.shape[:2]
        left, top, right, bottom = corners[:, 0].min(), corners[:, 1].min(), corners[:, 0].max(), corners[:, 1].max()
        x0, y0, x1, y1 = max(0, int(left) - 6), max(0, int(top) - 6), min(SIZE, int(right) + 7), min(SIZE, int(bottom) + 7)
        frame = image[y0:y1, x0:x1]
        if frame.size == 0:
            return None
        local = corners - np.float32([x0, y0])
        matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [pw, 0], [pw, ph], [0, ph]]), local)
        size = (x1 - x0, y1 - y0)
        share = cv2.warpPerspective(np.full((ph, pw), 255, np.uint8), matrix, size, flags=cv2.INTER_LINEAR)
        drawn = cv2.warpPerspective(plate, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        # As bright as the place allows.
        light = min(1.15, max(0.25, (frame.mean() + 60) / 190)) * math.exp(rng.gauss(0, 0.15))
        share = (cv2.GaussianBlur(share, (0, 0), rng.uniform(0.4, 1.0)).astype(np.float32) / 255)[:, :, None]
        if rng.random() < 0.35:
            cv2.polylines(frame, [np.int32(local)], True, (int(rng.uniform(10, 90)),) * 3, 2 * rng.randint(1, 3), cv2.LINE_AA)
        frame[:] = np.clip(frame * (1 - share) + drawn * light * share, 0, 255).astype(np.uint8)
        return float(left), float(top), float(right), float(bottom)

    def _decoy(self, image, boxes):
        """Writing without a plate, or a plate's ground without writing."""
        rng = self.rng
        if rng.random() < 0.5:
            wide = rng.uniform(10, 60)
            tall = wide * rng.uniform(0.25, 1.2)
            at = self._free_place(wide, tall, boxes)
            if at:
                colour = [rng.uniform(0, 255) for _ in range(3)]
                cv2.rectangle(image, (int(at[0]), int(at[1])), (int(at[0] + wide), int(at[1] + tall)), colour, -1)
        elif not boxes:
            finder_scene.lettering(image, rng)

    def _seen(self, image):
        """Light, colour, blur, noise and compression of a camera."""
        rng = self.rng
        values = image
        if rng.random() < 0.15:
            values = np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[:, :, None], 3, axis=2)
        light = np.arange(256, dtype=np.float32)
        if rng.random() < 0.7:
            light = 255 * np.power(light / 255, math.exp(rng.gauss(0, 0.3)))
            light = (light - 128) * math.exp(rng.gauss(0, 0.2)) + 128 + rng.gauss(0, 15)
        tint = [math.exp(rng.gauss(0, 0.08)) for _ in range(3)] if rng.random() < 0.6 else [1.0] * 3
        table = np.clip(light[:, None] * np.float32(tint), 0, 255).astype(np.uint8)
        values = cv2.LUT(values, table[None])
        if rng.random() < 0.3:
            values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.1))
        if rng.random() < 0.12:
            length = rng.randint(3, 7)
            kernel = np.zeros((length, length), np.float32)
            angle = rng.uniform(0, math.pi)
            d = length / 2 * math.cos(angle), length / 2 * math.sin(angle)
            cv2.line(kernel, (int(length / 2 - d[0]), int(length / 2 - d[1])), (int(length / 2 + d[0]), int(length / 2 + d[1])), 1.0)
            values = cv2.filter2D(values, -1, kernel / max(1e-6, kernel.sum()))
        if rng.random() < 0.5:
            y, x = rng.randrange(SIZE), rng.randrange(SIZE)
            values = values.astype(np.float32) + self.grain[y : y + SIZE, x : x + SIZE] * rng.uniform(1, 9)
        values = np.clip(values, 0, 255).astype(np.uint8)
        if rng.random() < 0.3:
            values = cv2.imdecode(cv2.imencode(".jpg", values, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(35, 85)])[1], cv2.IMREAD_COLOR)
        return values


def _cells(start, end):
    return slice(max(0, int(start // CELL)), max(0, int(end // CELL) + 1))


def targets(boxes, mask):
    """What the network should answer: the heat, the sides in cells for the cells that stand for a plate, their weights.

    Plates too small to see, and those cut off by the crop's edge, neither count for nor against: `mask` is changed.
    """
    cells = SIZE // CELL
    heat = np.zeros((cells, cells), np.float32)
    sides = np.zeros((4, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    xs = (np.arange(cells) + 0.5) * CELL
    for left, top, right, bottom in sorted(boxes, key=lambda b: -(b[2] - b[0]) * (b[3] - b[1])):
        w, h = right - left, bottom - top
        seen = max(0.0, min(right, SIZE) - max(left, 0)) * max(0.0, min(bottom, SIZE) - max(top, 0)) / (w * h)
        if w < 11 or h < 5 or seen < 0.75:
            mask[_cells(top, bottom), _cells(left, right)] = 0
            continue
        cx, cy = (left + right) / 2, (top + bottom) / 2
        spread = max(4.0, 0.14 * w), max(4.0, 0.18 * h)
        bump = np.exp(-0.5 * (((xs[None, :] - cx) / spread[0]) ** 2 + ((xs[:, None] - cy) / spread[1]) ** 2))
        at = min(cells - 1, max(0, int(cy // CELL))), min(cells - 1, max(0, int(cx // CELL)))
        bump[at] = 1.0
        heat = np.maximum(heat, bump)
        inside = (xs[None, :] > left) & (xs[None, :] < right) & (xs[:, None] > top) & (xs[:, None] < bottom)
        strong = (bump > 0.4) & (inside | (bump == 1))
        l, t = np.broadcast_to((xs[None, :] - left) / CELL, heat.shape), np.broadcast_to((xs[:, None] - top) / CELL, heat.shape)
        r, b = np.broadcast_to((right - xs[None, :]) / CELL, heat.shape), np.broadcast_to((bottom - xs[:, None]) / CELL, heat.shape)
        for k, side in enumerate((l, t, r, b)):
            sides[k][strong] = np.maximum(side[strong], 0.05)
        weight[strong] = 1 / strong.sum()
    weight *= mask > 0
    return heat, sides, weight


def drawn(rng, plates, places):
    """Plates and places drawn once and used again and again."""
    made = []
    while len(made) < plates:
        plate = finder_scene.plate(rng)
        if plate is not None and 0.8 < plate.shape[1] / plate.shape[0] < 8:
            made.append(plate)
    return made, [Photo(finder_scene.place(rng), [], "drawn") for _ in range(places)]
