"""Light, weather, and what a lens and a sensor do to a picture."""
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .pen import grain


def develop(picture, rng, light="day", lamps=(), plate_at=None, rain=0.0, motion=0.0, motion_angle=0.0, defocus=0.0, noise=1.3, contrast=1.0):
    """Turns a drawn picture into what the camera saves. `motion` and `defocus` are in pixels, `noise` in grey levels."""
    data = np.asarray(picture, dtype="float32")
    data = {"day": _day, "overcast": _overcast, "dusk": _dusk, "night": _night, "infrared": _infrared, "plain": lambda d, *_: d}[light](data, rng, plate_at)
    if light in ("dusk", "night", "infrared"):
        data = _glare(data, lamps, {"dusk": 0.5, "night": 1.0, "infrared": 1.0}[light], rng)
    if rain:
        data = _rain(data, rain, rng)
    if defocus:
        data = _array(_image(data).filter(ImageFilter.GaussianBlur(defocus)))
    if motion:
        data = _motion(data, motion, motion_angle)
    data = 128 + (data - 128) * contrast
    if noise:
        speck = rng.normal(0, noise, data.shape[:2]).astype("float32")
        speck = _array32(speck)
        data = data + speck[..., None]
    return _image(data)


def _image(data):
    return Image.fromarray(np.clip(data, 0, 255).astype("uint8"))


def _array(image):
    return np.asarray(image, dtype="float32")


def _array32(speck):
    """Sensor noise after the camera's own smoothing: neighbours share some of it."""
    return (speck + np.roll(speck, 1, 0) * 0.5 + np.roll(speck, 1, 1) * 0.5) / 1.22


def _day(data, rng, plate_at):
    height, width = data.shape[:2]
    slope = np.linspace(-0.06, 0.06, width)[None, :, None] * (1 if rng.random() < 0.5 else -1)
    return data * (1.03 + slope)


def _overcast(data, rng, plate_at):
    grey = data.mean(axis=2, keepdims=True)
    return (data * 0.82 + grey * 0.18) * 0.92 + 4


def _dusk(data, rng, plate_at):
    return data * np.array([0.56, 0.47, 0.50], dtype="float32") + 6


def _lit(data, plate_at, spread, far, near):
    height, width = data.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype("float32")
    cx, cy = plate_at if plate_at is not None else (width / 2, height * 0.65)
    distance = ((x - cx) / (spread * width)) ** 2 + ((y - cy) / (spread * height)) ** 2
    return (far + (near - far) * np.exp(-distance))[..., None]


def _night(data, rng, plate_at):
    return data * _lit(data, plate_at, 0.34, 0.07, 0.80) * np.array([1.0, 0.96, 0.88], dtype="float32") + 3


def _infrared(data, rng, plate_at):
    grey = data @ np.array([0.34, 0.48, 0.18], dtype="float32")
    lit = grey[..., None] * _lit(data, plate_at, 0.4, 0.10, 1.0)
    return np.repeat(lit, 3, axis=2) + 5


def _glare(data, lamps, strength, rng):
    height, width = data.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype("float32")
    for lx, ly, colour in lamps:
        tone = np.array([255, 246, 226] if colour == "white" else [255, 60, 40], dtype="float32")
        power = strength * (1.0 if colour == "white" else 0.55)
        distance = np.hypot(x - lx, y - ly)
        core, halo = 0.020 * width, 0.085 * width
        glow = np.exp(-(distance / core) ** 2) * 1.6 + np.exp(-distance / halo) * 0.42
        streak = np.exp(-np.abs(y - ly) / (0.004 * height + 1)) * np.exp(-np.abs(x - lx) / (0.16 * width)) * 0.28
        data = data + tone * ((glow + streak) * power)[..., None]
    return data


def _rain(data, amount, rng):
    height, width = data.shape[:2]
    streaks = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(streaks)
    slant = float(rng.uniform(-0.25, 0.25))
    for _ in range(int(amount * width * height / 2200)):
        x, y, length = float(rng.uniform(0, width)), float(rng.uniform(-40, height)), float(rng.uniform(0.012, 0.05)) * height
        draw.line([(x, y), (x + slant * length, y + length)], fill=int(rng.integers(40, 130)), width=1 if rng.random() < 0.75 else 2)
    veil = _array(streaks.filter(ImageFilter.GaussianBlur(0.6)))[..., None] / 255
    grey = data.mean(axis=2, keepdims=True)
    data = (data * 0.78 + grey * 0.10 + 20)
    mist = grain((width, height), rng, ((5, 0.6), (14, 0.4)))[..., None] * 22 * amount
    return data * (1 - veil * 0.8) + 205 * veil * 0.8 + mist


def _motion(data, length, angle):
    steps = max(2, int(np.ceil(length * 2)))
    total = np.zeros_like(data)
    picture = _image(data)
    for i in range(steps):
        shift = (i / (steps - 1) - 0.5) * length
        dx, dy = shift * np.cos(np.radians(angle)), shift * np.sin(np.radians(angle))
        total += _array(picture.transform(picture.size, Image.AFFINE, (1, 0, dx, 0, 1, dy), Image.BILINEAR))
    return total / steps
