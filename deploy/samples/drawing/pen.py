"""A drawing pen in millimetres, with shaded areas; and noise that looks like grain."""
import numpy as np
from PIL import Image, ImageDraw

from . import fonts


def mix(a, b, t):
    return tuple(round(x + (y - x) * t) for x, y in zip(a, b))


class Pen:
    """Draws on `image`, `k` pixels to a unit."""

    def __init__(self, image, k=1.0):
        self.image, self.k, self.draw = image, k, ImageDraw.Draw(image)

    def _points(self, points):
        return [(x * self.k, y * self.k) for x, y in points]

    def poly(self, points, fill):
        self.draw.polygon(self._points(points), fill=fill)

    def rect(self, x0, y0, x1, y1, fill, r=0, outline=None, width=0):
        k = self.k
        self.draw.rounded_rectangle((x0 * k, y0 * k, x1 * k, y1 * k), r * k, fill=fill, outline=outline, width=max(1, round(width * k)) if width else 0)

    def oval(self, cx, cy, rx, ry, fill, outline=None, width=0):
        k = self.k
        self.draw.ellipse(((cx - rx) * k, (cy - ry) * k, (cx + rx) * k, (cy + ry) * k), fill=fill, outline=outline, width=max(1, round(width * k)) if width else 0)

    def line(self, points, fill, width=4):
        self.draw.line(self._points(points), fill=fill, width=max(1, round(width * self.k)), joint="curve")

    def shade(self, points, top, bottom, r=None):
        """Fills a polygon, or with `r` the rounded box (x0, y0, x1, y1), with a vertical gradient."""
        if r is not None:
            x0, y0, x1, y1 = points
            outline = [(x0, y0), (x1, y1)]
        else:
            outline = points
        pixels = self._points(outline)
        left, upper = int(min(p[0] for p in pixels)), int(min(p[1] for p in pixels))
        width, height = int(max(p[0] for p in pixels)) - left + 1, int(max(p[1] for p in pixels)) - upper + 1
        mask = Image.new("L", (width, height), 0)
        inner = ImageDraw.Draw(mask)
        moved = [(x - left, y - upper) for x, y in pixels]
        if r is not None:
            inner.rounded_rectangle((*moved[0], *moved[1]), r * self.k, fill=255)
        else:
            inner.polygon(moved, fill=255)
        ramp = np.linspace(0, 1, height)[:, None, None]
        colours = np.array(top)[None, None, :] * (1 - ramp) + np.array(bottom)[None, None, :] * ramp
        fill = Image.fromarray(np.repeat(colours, width, axis=1).astype("uint8"))
        self.image.paste(fill, (left, upper), mask)

    def text(self, x, y, words, size, fill, font=None, anchor="ms", stroke=0):
        name = font or ("noto" if fonts.is_devanagari(words) else "roboto")
        face = fonts.sized(name, max(4, round(size * self.k)))
        self.draw.text((x * self.k, y * self.k), words, font=face, fill=fill, anchor=anchor, stroke_width=round(stroke * self.k), stroke_fill=(20, 20, 20))


def grain(size, rng, cells=((6, 0.5), (24, 0.3), (96, 0.2))):
    """Smooth noise between 0 and 1 as an array of height by width; the finest cells come last."""
    width, height = size
    total = np.zeros((height, width), dtype="float32")
    for count, weight in cells:
        rows = max(2, round(count * height / width))
        noise = Image.fromarray((rng.random((rows, count)) * 255).astype("uint8")).resize(size, Image.BICUBIC)
        total += weight * np.asarray(noise, dtype="float32") / 255
    return total / sum(w for _, w in cells)
