"""Puts a vehicle into a picture as a camera would see it, and tells where its plate came to lie."""
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

DISTANCE_MM = 5200.0


def _project(points, centre, yaw, pitch, roll):
    """Turns flat points around `centre` and projects them; lengths near the centre stay as they are."""
    a, b, c = (np.radians(v) for v in (yaw, pitch, roll))
    turn_y = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    turn_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    turn_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    flat = np.array([(x - centre[0], y - centre[1], 0.0) for x, y in points])
    turned = flat @ (turn_z @ turn_x @ turn_y).T
    depth = DISTANCE_MM / (DISTANCE_MM + turned[:, 2])
    return turned[:, :2] * depth[:, None]


def _coefficients(target, source):
    """The eight numbers of the perspective that takes `target` points to `source` points."""
    rows, values = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.linalg.solve(np.array(rows, dtype=float), np.array(values, dtype=float))


def place(picture, vehicle, scale, at, yaw=0.0, pitch=4.0, roll=0.0):
    """Draws `vehicle` into `picture`, `scale` pixels to a millimetre, its plate's centre (or its middle) at `at`.

    Returns (the plate's four corners or None, lamps as (x, y, colour)), in pixels.
    """
    k = vehicle.k
    width, height = vehicle.layer.width / k, vehicle.layer.height / k
    if vehicle.plate:
        centre = ((vehicle.plate[0] + vehicle.plate[2]) / 2, (vehicle.plate[1] + vehicle.plate[3]) / 2)
    else:
        centre = (width / 2, height * 0.7)

    def seen(points):
        return _project(points, centre, yaw, pitch, roll) * scale + np.array(at)

    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    _shadow(picture, seen([(width * 0.06, vehicle.ground), (width * 0.94, vehicle.ground)]), scale)
    factor = min(1.0, 2 * scale / k)
    layer = vehicle.layer.convert("RGBa")
    if factor < 1:
        layer = layer.resize((max(2, round(layer.width * factor)), max(2, round(layer.height * factor))), Image.LANCZOS)
    twice = seen(corners) * 2
    source = [(0, 0), (layer.width, 0), (layer.width, layer.height), (0, layer.height)]
    coefficients = _coefficients(twice, source)
    size = (picture.width * 2, picture.height * 2)
    warped = layer.transform(size, Image.PERSPECTIVE, tuple(coefficients), Image.BICUBIC)
    warped = warped.resize(picture.size, Image.BOX).convert("RGBA")
    picture.paste(warped.convert("RGB"), (0, 0), warped.getchannel("A"))
    quad = None
    if vehicle.plate:
        x0, y0, x1, y1 = vehicle.plate
        quad = seen([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    lamps = [(float(p[0]), float(p[1]), lamp[2]) for p, lamp in zip(seen([(l[0], l[1]) for l in vehicle.lamps]), vehicle.lamps)]
    return quad, lamps


def _shadow(picture, ends, scale):
    mask = Image.new("L", picture.size, 0)
    (x0, y0), (x1, y1) = ends
    y, depth = (y0 + y1) / 2, max(4, 150 * scale)
    ImageDraw.Draw(mask).ellipse((min(x0, x1) - depth * 0.4, y - depth, max(x0, x1) + depth * 0.4, y + depth * 0.7), fill=170)
    mask = mask.filter(ImageFilter.GaussianBlur(depth * 0.25))
    picture.paste((14, 14, 16), (0, 0), mask)


def box(quad, size):
    """The upright box around a plate's corners as x, y, w, h, cut at the picture's edge."""
    x0, y0 = np.floor(quad.min(axis=0))
    x1, y1 = np.ceil(quad.max(axis=0))
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(size[0], x1), min(size[1], y1)
    return int(x0), int(y0), int(x1 - x0), int(y1 - y0)
