"""Draws the story of one day at two posts: vehicles that enter the park at one and leave it at the other.

The road between the posts is 45 km long; 40 km/h is the most and 10 km/h the least, so that a vehicle takes lawfully
between 67.5 and 270 minutes.
"""
import csv
from datetime import datetime, timedelta, timezone

import numpy as np

from . import camera, conditions, plates, scene, vehicles
from .formats import embossed, india, provincial, zonal
from .pen import Pen
from .stills import generator

SIZE = (960, 540)
START = datetime(2026, 11, 21, 4, 15, 30, 250000, tzinfo=timezone.utc)    # ten in the morning in Nepal
POSTS = {"BNP-A": ("checkpost", "day"), "BNP-B": ("checkpost", "overcast")}
COLUMNS = ["post", "plate", "type", "first_frame", "last_frame", "expected"]


def story():
    """(name, vehicle type, expected, plate, shape, colour, words, digits' height in px, [(post, minutes after the start)])."""
    yield ("ok_car", "car", "ok", embossed("B", "AC", "5763", "BAGMATI"), "car", (176, 180, 184), [], 24, [("BNP-A", 0), ("BNP-B", 82)])
    yield ("fast_car", "car", "speeding", india("UP 32 AB", "1234"), "car", (224, 226, 226), [], 25, [("BNP-A", 6), ("BNP-B", 46)])
    yield ("fast_motorcycle", "motorcycle", "speeding", zonal("भे", "14", "प", "6392", "private", dots=True), "motorcycle", (36, 38, 42), [], 30, [("BNP-A", 13.5), ("BNP-B", 68.5)])
    yield ("ok_bus", "bus", "ok", provincial("लुम्बिनी प्रदेश", "03", "006", "ख", "4518", "public", rows=2, on="car", width=560), "bus", (44, 104, 66),
           ["बुटवल - धनगढी", "शुभ यात्रा", "RAPTI YATAYAT"], 22, [("BNP-A", 21), ("BNP-B", 148)])
    yield ("slow_truck", "truck", "overstay", embossed("G", "AD", "2957", "KARNALI", "public", font="narrow"), "truck", (38, 70, 132), ["जय पशुपतिनाथ", "PUBLIC CARRIER"], 22, [("BNP-A", 34), ("BNP-B", 334)])
    yield ("open_car", "car", "open", zonal("बा", "3", "च", "8274", "private", on="car"), "car", (38, 70, 132), [], 28, [("BNP-A", 52)])
    yield ("ok_car_back", "car", "ok", embossed("B", "AG", "4106", "LUMBINI"), "car", (172, 32, 36), [], 24, [("BNP-B", 19), ("BNP-A", 119)])
    yield ("ok_motorcycle", "motorcycle", "ok", provincial("प्रदेश ५", "02", "011", "प", "3685", "private", rows=2), "scooter", (172, 32, 36), [], 27, [("BNP-A", 71), ("BNP-B", 166)])


def draw(folder, seed):
    """Writes the frames of both posts and truth.csv."""
    rows = []
    for post, (style, sky) in POSTS.items():
        place = folder / post
        place.mkdir(parents=True, exist_ok=True)
        for old in place.glob("*.jpg"):
            old.unlink()
        view = scene.background(SIZE, generator(seed, post), style, sky)
        light = "overcast" if sky == "overcast" else "day"
        visits = sorted((minutes, entry) for entry in story() for where, minutes in entry[8] if where == post)
        for minutes, entry in visits:
            rng = generator(seed, post + entry[0])
            names = visit(place, view, light, entry, START + timedelta(minutes=minutes), rng, generator(seed, entry[0]))
            rows.append([post, entry[3].truth, entry[1], names[0], names[-1], entry[2]])
        for minutes in (visits[0][0] - 0.2, visits[1][0] + 1.1):
            rng = generator(seed, f"{post} empty {minutes}")
            _save(place, _settle(view, light, rng), START + timedelta(minutes=minutes, milliseconds=int(rng.integers(900))))
    with open(folder / "truth.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS] + sorted(rows, key=lambda row: (row[0], row[3])))


def visit(place, view, light, entry, at, rng, own, spoils=True):
    """One vehicle comes up to the barrier and stands: five or six frames, one of them spoilt, and an empty one behind it.

    Without a plate its seventh value is the vehicle's scale instead of the digits' height.
    """
    _, _, _, plate, shape, colour, words, glyph, _ = entry
    # The same vehicle must come out at both posts, so its paint and dents come from `own`, which does not know the post.
    image, ratio = plates.draw(plate, own) if plate else (None, 1)
    vehicle = vehicles.build(shape, colour, own, image, plate, words, rider=shape in ("motorcycle", "scooter"))
    count = int(rng.integers(5, 7))
    spoilt = int(rng.integers(1, count - 1))
    names = []
    for i in range(count):
        # Two-wheelers are seen from behind: they come from below the camera and draw away towards the barrier.
        away = shape in ("motorcycle", "scooter")
        near = max(0.80, 1.0 - 0.2 * i / 3) if away else min(1.0, 0.80 + 0.2 * i / 3)
        scale = glyph * near / (ratio * plate.width_mm) if plate else glyph * near
        picture = view.copy()
        fall = {"bus": 0.78, "truck": 0.78}.get(shape, 0.66)
        x = SIZE[0] * (0.47 + 0.02 * near) + float(rng.normal(0, 1.2))
        y = SIZE[1] * (fall - 0.07 * (1 - near) * 5) + float(rng.normal(0, 0.8))
        camera.place(picture, vehicle, scale, (x, y), yaw=4.0, pitch=5.0)
        motion = {0: 2.0, 1: 1.2}.get(i, 0.0)
        if i == spoilt and spoils:
            motion = _spoil(picture, i, (x, y), rng)
        names.append(_save(place, _settle(picture, light, rng, motion), at))
        at += timedelta(milliseconds=400 + int(rng.integers(-18, 19)))
    _save(place, _settle(view, light, rng), at + timedelta(milliseconds=3400 + int(rng.integers(0, 900))))
    return names


def _spoil(picture, index, at, rng):
    """Half the spoilt frames are blurred; in the others somebody walks in front of the plate."""
    if rng.random() < 0.5:
        return 9.0
    pen = Pen(picture, 1.0)
    x, y = at[0] - 50, at[1]
    pen.shade((x - 46, y - 150, x + 46, y + 40), (92, 110, 82), (60, 72, 54), 26)
    pen.oval(x, y - 182, 25, 31, (124, 88, 66))
    pen.oval(x, y - 197, 27, 18, (52, 66, 44))
    pen.shade((x - 40, y + 30, x - 4, y + 200), (52, 62, 50), (34, 40, 34), 10)
    pen.shade((x + 4, y + 30, x + 40, y + 200), (52, 62, 50), (34, 40, 34), 10)
    return 0.0


def _settle(picture, light, rng, motion=0.0):
    # The slope of the light is the view's own; only the noise differs from frame to frame.
    even = np.random.default_rng(7)
    noise = conditions.develop(picture, even, light=light, motion=motion, motion_angle=80, noise=0.0)
    return conditions.develop(noise, rng, light="plain", noise=0.9)


def _save(place, picture, at):
    name = at.strftime("%Y%m%dT%H%M%S.") + f"{at.microsecond // 1000:03d}Z.jpg"
    picture.save(place / name, quality=68, optimize=True)
    return name
