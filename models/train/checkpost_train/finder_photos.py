"""Photos with known plates: how they are read, sized for the network, and kept apart for measuring."""

import csv
import hashlib
import math
import os

import cv2
import numpy as np

# The picture that the network sees has about this many pixels, and never more than the photo.
PIXELS = 230_400

# Photos of one road, frame by frame, under numbers: the roads begin at these.
ROADS = [0, 230, 310, 500, 720, 880, 1120, 1300, 1420, 1610, 1715]


class Photo:
    """A picture with its known plates, and smaller copies of it to sample from."""

    def __init__(self, image, boxes, group, known=True, name=""):
        side = max(image.shape[:2])
        if side > 1280:
            scale = 1280 / side
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            boxes = [tuple(v * scale for v in box) for box in boxes]
        self.boxes = np.float32(boxes).reshape(-1, 4)
        self.group = group
        # Whether all plates of the picture are known: elsewhere only the surroundings of the known ones teach.
        self.known = known
        self.name = name
        self.levels = [image]
        while min(self.levels[-1].shape[:2]) >= 160:
            height, width = self.levels[-1].shape[:2]
            self.levels.append(cv2.resize(self.levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA))

    @property
    def scale(self):
        """From the photo to what the network sees."""
        height, width = self.levels[0].shape[:2]
        return min(1.0, math.sqrt(PIXELS / (width * height)))


def group_of(name, file, plate):
    """What stays together when photos are divided: a vehicle, or a road with its vehicles."""
    if file.startswith("raj_"):
        number = int(file[4:8])
        return "road %d" % max(start for start in ROADS if start <= number)
    return plate or file


def half(group):
    """The half of the photos that a vehicle or a road belongs to."""
    if group.startswith("road "):
        return ROADS.index(int(group[5:])) % 2
    return hashlib.sha256(group.encode()).digest()[0] % 2


def photos(folder, name):
    """The photos of a set with truth.csv (one plate of each is known) or boxes.csv (all are)."""
    table = os.path.join(folder, name, "truth.csv")
    if not os.path.exists(table):
        table = os.path.join(folder, name, "boxes.csv")
    if not os.path.exists(table):
        return []
    rows = {}
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["file"], []).append(row)
    out = []
    for file, plates in sorted(rows.items()):
        image = cv2.imread(os.path.join(folder, name, file))
        if image is None:
            continue
        boxes = [tuple(float(p[k] or 0) for k in "xywh") for p in plates]
        boxes = [b for b in boxes if b[2] > 0 and (name != "in" or plates[0].get("plate"))]
        group = group_of(name, file, plates[0].get("plate"))
        out.append(Photo(image, boxes, group, known=not (name == "np_road_text" and file.startswith("raj_")), name=f"{name}/{file}"))
    return out


def shown(photo_image):
    """(picture as the network takes it, scale from it to the photo), sides multiples of 16."""
    height, width = photo_image.shape[:2]
    scale = min(1.0, math.sqrt(PIXELS / (width * height)))
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    small = photo_image if scale == 1 else cv2.resize(photo_image, (w, h), interpolation=cv2.INTER_AREA)
    out = np.full((-(-h // 16) * 16, -(-w // 16) * 16, 3), 128, np.uint8)
    out[:h, :w] = small
    return ((out.astype(np.float32) - 128) / 64).transpose(2, 0, 1), width / w
