"""Vehicles seen straight on, in millimetres, each with its plate in place."""
from dataclasses import dataclass

from PIL import Image, ImageFilter

from . import cars, heavy, twowheelers
from .pen import Pen


@dataclass
class Vehicle:
    layer: Image.Image     # RGBA, k pixels to a millimetre
    k: float
    plate: tuple           # the plate's box (x0, y0, x1, y1) in millimetres, None without a plate
    lamps: list            # lit headlamps or tail lamps: (x, y, colour)
    ground: float          # where the tyres touch the road


# name: (drawing, width, height, pixels to a millimetre)
SHAPES = {
    "car": (cars.front, 2100, 1620, 1.0),
    "jeep": (cars.jeep_front, 2200, 1900, 1.0),
    "car_rear": (cars.rear, 2100, 1620, 1.0),
    "bus": (heavy.bus_front, 2900, 3300, 0.7),
    "truck": (heavy.truck_front, 2900, 3200, 0.7),
    "truck_rear": (heavy.truck_rear, 2700, 2900, 0.8),
    "auto": (twowheelers.auto_rear, 1600, 1900, 1.2),
    "motorcycle": (twowheelers.motorcycle_rear, 1000, 1400, 2.0),
    "scooter": (twowheelers.scooter_rear, 1000, 1400, 2.0),
}


def build(shape, colour, rng, plate_image=None, plate=None, words=None, rider=False):
    """Draws a vehicle. `words` are the slogans that the shape has room for; without a plate its place stays dark."""
    draw, width, height, k = SHAPES[shape]
    layer = Image.new("RGB", (round(width * k), round(height * k)), (0, 0, 0))
    alpha = Image.new("L", layer.size, 0)
    pen, cut = Pen(layer, k), Pen(alpha, k)
    where = draw(pen, cut, colour, rng, words or [], rider)
    box = None
    if plate_image is not None:
        cx, cy = where["plate"]
        w = plate.width_mm
        h = w / plate.aspect
        cy = cy if where.get("centred", True) else cy + h / 2
        box = (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
        if plate.frame:
            pen.rect(box[0] - 14, box[1] - 12, box[2] + 14, box[3] + 22, (24, 24, 26), 10)
            cut.rect(box[0] - 14, box[1] - 12, box[2] + 14, box[3] + 22, 255, 10)
            pen.text(cx, box[3] + 19, "JANAKI MOTORS", 13, (190, 190, 190))
        small = plate_image.resize((max(2, round(w * k)), max(2, round(h * k))), Image.LANCZOS)
        shadow = Image.new("L", small.size, 110)
        spot = (round(box[0] * k), round(box[1] * k))
        layer.paste((0, 0, 0), (spot[0] + round(5 * k), spot[1] + round(7 * k)), shadow)
        layer.paste(small, spot, small)
        cut.rect(*box, 255, 4)
    layer.putalpha(alpha.filter(ImageFilter.GaussianBlur(0.8)))
    return Vehicle(layer, k, box, where["lamps"], where["ground"])

