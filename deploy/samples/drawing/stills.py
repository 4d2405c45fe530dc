"""Draws the stills and their truth.csv."""
import csv
import zlib

import numpy as np

from . import camera, catalogue, conditions, plates, scene, vehicles

COLUMNS = ["file", "x", "y", "w", "h", "plate", "country", "kind"]


def generator(seed, name):
    """Every picture has its own stream, so that adding one leaves the others as they are."""
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


def draw(folder, seed, only=""):
    """Writes the pictures whose name holds `only`, and with no `only` truth.csv too."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for kind, specs in (("clean", catalogue.clean()), ("hard", catalogue.hard())):
        for spec in specs:
            name = f"{kind}_{spec['name']}.jpg"
            if only and only not in name:
                continue
            picture, box = compose(spec, generator(seed, name))
            picture.save(folder / name, quality=77, optimize=True)
            plate = spec["plate"]
            rows.append([name, *box, plate.truth if plate else "", plate.country if plate else "", kind])
            print(name)
    if not only:
        with open(folder / "truth.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS] + rows)


def compose(spec, rng):
    """One picture and the box of its plate (zeros without one)."""
    size = spec["size"]
    picture = scene.background(size, rng, spec["style"], spec["sky"], spec["people"])
    at = (spec["at"][0] * size[0], spec["at"][1] * size[1])
    quad, lamps, box = None, [], (0, 0, 0, 0)
    if spec["shape"]:
        plate, image, scale = spec["plate"], None, spec.get("scale")
        if plate:
            plate.frame = spec.get("frame", plate.frame)
            image, ratio = plates.draw(plate, rng)
            scale = spec["glyph"] / (ratio * plate.width_mm)
        vehicle = vehicles.build(spec["shape"], spec["colour"], rng, image, plate, spec["words"], spec["rider"])
        quad, lamps = camera.place(picture, vehicle, scale, at, spec["yaw"], spec["pitch"], spec["roll"])
        if quad is not None:
            box = camera.box(quad, size)
    settings = dict(spec["develop"])
    lit = (0.5 * size[0], 1.6 * size[1]) if settings.pop("all_dark", False) else at
    return conditions.develop(picture, rng, lamps=lamps, plate_at=lit, **settings), box
