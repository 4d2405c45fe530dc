"""Draws a quarter of an hour at one post where plates of every script pass: Devanagari painted and of a province, embossed
Latin, India's, and a vehicle without a plate."""
import csv
from datetime import timedelta

from . import drive, scene
from .formats import embossed, india, provincial, zonal
from .stills import generator

COLUMNS = ["plate", "type", "first_frame", "last_frame"]


def passers():
    """What `drive.story` gives for a vehicle, all at one post; a plate of None is a vehicle without one."""
    yield ("devanagari_motorcycle", "motorcycle", "ok", zonal("को", "41", "प", "6052", "private"), "motorcycle", (36, 38, 42), [], 34, 0)
    yield ("devanagari_taxi", "car", "ok", zonal("बा", "2", "ज", "3475", "public", on="car"), "car", (226, 180, 40), [], 32, 2)
    yield ("province_bus", "truck", "ok", provincial("लुम्बिनी प्रदेश", "03", "006", "ख", "4582", "public", rows=2, on="car", width=560), "bus", (44, 104, 66), ["शुभ यात्रा"], 26, 4)
    yield ("embossed_scooter", "motorcycle", "ok", embossed("K", "AE", "3074", "GANDAKI", rows=2), "scooter", (172, 32, 36), [], 32, 6)
    yield ("embossed_truck", "truck", "ok", embossed("G", "AB", "1568", "KARNALI", "public", font="narrow"), "truck", (38, 70, 132), ["PUBLIC CARRIER"], 24, 8)
    yield ("india_car", "car", "ok", india("UP 32 KT", "4853"), "car", (224, 226, 226), [], 25, 10)
    yield ("no_plate", "car", "ok", None, "car", (96, 100, 106), [], 0.26, 12)


def draw(folder, seed):
    """Writes the frames, named by their capture times, and truth.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    view = scene.background(drive.SIZE, generator(seed, "mixed"), "checkpost", "day")
    rows = []
    for entry in passers():
        at = drive.START + timedelta(minutes=entry[8])
        names = drive.visit(folder, view, "day", entry, at, generator(seed, "mixed" + entry[0]), generator(seed, entry[0]), spoils=False)
        rows.append([entry[3].truth if entry[3] else "", entry[1], names[0], names[-1]])
    with open(folder / "truth.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS] + rows)
