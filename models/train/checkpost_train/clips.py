"""Makes a camera's frames of passing vehicles out of labelled photos, to measure how vehicles are recorded: photos cut out around their
plates drive over another photo whose plates are painted over.

    models/train/run clips --plates DIR --into FOLDER [--clips N] [--seed N] [--sets np,eu] [--half report|choose|all]

A seed is a camera: what stands before it, whether it burns in a clock (one in two), whether a pole hides a part (one in four). One, two or
three vehicles pass at a time and come nearer; between them the road is empty. FOLDER gets the frames, named by their time, and vehicles.csv:

    checkpost replay FOLDER --truth FOLDER/vehicles.csv

Photos of others are cut up in it: what it makes is for measuring, and is not to be given away.
"""

import argparse
import csv
import datetime
import os
import random

import cv2
import numpy as np

from . import cut

WIDTH, HEIGHT = 1280, 720
A_SECOND = 5
START = datetime.datetime(2026, 11, 21, 4, 0, 0, tzinfo=datetime.timezone.utc)

# Of a plate's width and height so much is cut out at its sides, above and below it.
ASIDE, ABOVE, BELOW = 1.3, 2.5, 1.3

# Plates that are narrower in their photos are nothing to come near with; a photo is never enlarged.
LEAST_WIDTH = 90

# How wide a plate is when a vehicle is first seen, and at most when it leaves.
FIRST_WIDTH, LAST_WIDTH = (40, 70), 260

# Seconds between two clips, in which a frame is kept every few of them: no vehicle of one is near one of the other.
BETWEEN, A_LOOK = 30, 5

# How the camera moves in the wind, in pixels.
WIND = 0.6


class Cut:
    """A photo around a plate; `box` is the plate's place in it."""

    def __init__(self, image, box, plate):
        self.image, self.box, self.plate = image, box, plate


def labelled(folder, sets, half):
    """Cut out plates, one of each vehicle, and photos for the background."""
    cuts, roads, seen = [], [], set()
    for name in sets:
        table = os.path.join(folder, name, "truth.csv")
        if not os.path.exists(table):
            continue
        by_file = {}
        for row in csv.DictReader(open(table, encoding="utf-8")):
            by_file.setdefault(row["file"], []).append(row)
        for file, rows in by_file.items():
            rows = [r for r in rows if r["plate"] and r["w"]]
            path = os.path.join(folder, name, file)
            if not rows or not os.path.exists(path):
                continue
            roads.append((path, [[float(r[k]) for k in "xywh"] for r in rows]))
            for row in rows:
                x, y, w, h = (float(row[k]) for k in "xywh")
                if w < LEAST_WIDTH or row["plate"] in seen or half not in ("all", cut.half(row["plate"])):
                    continue
                photo = cv2.imread(path)
                x0, y0 = max(0, int(x - ASIDE * w)), max(0, int(y - ABOVE * h))
                part = photo[y0 : int(y + h + BELOW * h), x0 : int(x + w + ASIDE * w)]
                scale = min(1.0, LAST_WIDTH / w)
                part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                seen.add(row["plate"])
                cuts.append(Cut(part, [(x - x0) * scale, (y - y0) * scale, w * scale, h * scale], row["plate"]))
    return cuts, roads


def road(rng, roads):
    """A background whose own plates are painted over and that is a little out of focus, as what stands beyond the road is."""
    path, boxes = rng.choice(roads)
    photo = cv2.imread(path)
    mask = np.zeros(photo.shape[:2], np.uint8)
    for x, y, w, h in boxes:
        cv2.rectangle(mask, (int(x - w * 0.15), int(y - h * 0.2)), (int(x + w * 1.15), int(y + h * 1.2)), 255, -1)
    scale = max(WIDTH / photo.shape[1], HEIGHT / photo.shape[0])
    size = (int(photo.shape[1] * scale) + 1, int(photo.shape[0] * scale) + 1)
    photo, mask = cv2.resize(photo, size), cv2.resize(mask, size)
    photo = cv2.GaussianBlur(cv2.inpaint(photo, mask, 5, cv2.INPAINT_TELEA), (0, 0), 1.5)
    x, y = rng.randint(0, size[0] - WIDTH), rng.randint(0, size[1] - HEIGHT)
    return photo[y : y + HEIGHT, x : x + WIDTH].copy()


class Drive:
    """A vehicle that comes nearer: from a small picture far above to its whole size below."""

    def __init__(self, cutting, rng, lane, lanes):
        self.cut = cutting
        self.start = rng.uniform(0, 3.0)
        self.seconds = rng.uniform(1.6, 3.2)
        self.first = rng.uniform(*FIRST_WIDTH) / cutting.box[2]
        self.x = WIDTH * (lane + 0.5 + rng.uniform(-0.12, 0.12)) / lanes
        self.drift = rng.uniform(-60, 60)
        self.top, self.bottom = rng.uniform(0.18, 0.3) * HEIGHT, rng.uniform(0.72, 0.86) * HEIGHT

    def place(self, time):
        """Scale and the plate's middle at a time of the clip; nothing before and after it."""
        part = (time - self.start) / self.seconds
        if not 0 <= part <= 1:
            return None
        # What comes nearer evenly grows faster and faster.
        scale = 1 / ((1 - part) / self.first + part)
        near = (scale - self.first) / max(1e-6, 1 - self.first)
        return scale, self.x + self.drift * near, self.top + (self.bottom - self.top) * near

    def draw(self, frame, time):
        """Puts the vehicle into the frame; whether all of its plate is to be seen."""
        place = self.place(time)
        if place is None:
            return False
        scale, x, y = place
        bx, by, bw, bh = self.cut.box
        part = cv2.resize(self.cut.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        # Moved by parts of a pixel: every frame shows the plate on another grid.
        left, top = x - (bx + bw / 2) * scale, y - (by + bh / 2) * scale
        soft = np.zeros(part.shape[:2], np.float32)
        edge = max(2, min(part.shape[:2]) // 12)
        soft[edge:-edge, edge:-edge] = 1
        soft = cv2.GaussianBlur(soft, (0, 0), edge / 2)
        move = np.float32([[1, 0, left], [0, 1, top]])
        shown = cv2.warpAffine(part, move, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
        alpha = cv2.warpAffine(soft, move, (WIDTH, HEIGHT))[:, :, None]
        frame[:] = (frame * (1 - alpha) + shown * alpha).astype(np.uint8)
        return 4 < x - bw * scale / 2 and x + bw * scale / 2 < WIDTH - 4 and 4 < y - bh * scale / 2 and y + bh * scale / 2 < HEIGHT - 4


class Camera:
    """What stands before a camera, and what it adds to its pictures."""

    def __init__(self, roads, rng):
        self.road = road(rng, roads)
        self.pole = (rng.randint(200, WIDTH - 200), rng.randint(10, 26)) if rng.random() < 0.25 else None
        self.clock = rng.random() < 0.5
        self.quality, self.grain = rng.randint(55, 90), rng.uniform(1, 5)
        self.noise = np.random.RandomState(rng.getrandbits(32))

    def frame(self, at, drives=(), time=0.0):
        """A frame, and those of the vehicles whose plates are wholly in it."""
        wind = np.float32([[1, 0, self.noise.normal(0, WIND)], [0, 1, self.noise.normal(0, WIND)]])
        frame = cv2.warpAffine(self.road, wind, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        # What is farther away lies behind.
        seen = [d for d in sorted(drives, key=lambda d: (d.place(time) or (0,))[0]) if d.draw(frame, time)]
        if self.pole:
            cv2.rectangle(frame, (self.pole[0], 0), (sum(self.pole), HEIGHT), (70, 80, 84), -1)
        if self.clock:
            for colour, pen in (((0, 0, 0), 5), ((255, 255, 255), 2)):
                cv2.putText(frame, at.strftime("%Y-%m-%d %a %H:%M:%S"), (24, 42), cv2.FONT_HERSHEY_SIMPLEX, 1.0, colour, pen, cv2.LINE_AA)
        return np.clip(frame + self.noise.normal(0, self.grain, frame.shape), 0, 255).astype(np.uint8), seen


def clip(camera, cuts, start, rng):
    """(frames by time, vehicles as (plate, first, last)) of one clip and the empty road after it; takes its vehicles off `cuts`."""
    count = min(len(cuts), rng.choice([1, 1, 1, 2, 2, 3]))
    drives = [Drive(cuts.pop(), rng, lane, count) for lane in range(count)]
    frames, seen = [], {}
    passing = max(d.start + d.seconds for d in drives) + 0.6
    times = [i / A_SECOND for i in range(int(passing * A_SECOND))]
    for time in times + [passing + i * A_LOOK for i in range(1, BETWEEN // A_LOOK)]:
        at = start + datetime.timedelta(milliseconds=round(1000 * time))
        frame, shown = camera.frame(at, drives, time)
        frames.append((at, frame))
        for drive in shown:
            seen.setdefault(drive, []).append(at)
    return frames, [(d.cut.plate, times[0], times[-1]) for d, times in seen.items()]


def name(at):
    return at.strftime("%Y%m%dT%H%M%S.") + f"{at.microsecond // 1000:03d}Z.jpg"


def main():
    parser = argparse.ArgumentParser(prog="models/train/run clips", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", help="the folder of the training's own Python")
    parser.add_argument("--plates", required=True, help="a folder of labelled sets (SET/truth.csv, and photos)")
    parser.add_argument("--into", required=True, help="the folder for the frames and vehicles.csv")
    parser.add_argument("--clips", type=int, default=20, help="how many, while there are vehicles")
    parser.add_argument("--sets", default="np,np_road_text,np_street,in,eu", help="whose plates drive, with commas")
    parser.add_argument("--half", choices=["report", "choose", "all"], default="report", help="which half of the plates drives")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cuts, roads = labelled(options.plates, options.sets.split(","), options.half)
    if not cuts:
        raise SystemExit(f"{options.plates} has no labelled plate of these sets that is at least {LEAST_WIDTH} pixels wide.")
    rng.shuffle(cuts)
    os.makedirs(options.into, exist_ok=True)
    camera, start, vehicles, count = Camera(roads, rng), START, [], 0
    for _ in range(options.clips):
        if not cuts:
            break
        frames, passed = clip(camera, cuts, start, rng)
        for at, frame in frames:
            cv2.imwrite(os.path.join(options.into, name(at)), frame, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
        vehicles += passed
        count += len(frames)
        start = frames[-1][0] + datetime.timedelta(seconds=A_LOOK)
    with open(os.path.join(options.into, "vehicles.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["plate", "first_frame", "last_frame"])
        writer.writerows((plate, name(first), name(last)) for plate, first, last in vehicles)
    print(f"{options.into}: {count} frames, {len(vehicles)} vehicles in vehicles.csv")


if __name__ == "__main__":
    main()
