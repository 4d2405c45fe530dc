"""Draws glyphs from skeletons: polylines whose corners are rounded by the style, stroked with a pen.

A skeleton lives in a unit box, x to the right, y down. `P` is an open stroke, `C` a closed one. A point is (x, y) for
a sharp corner or (x, y, k) for a corner of k times the style's radius. Varying pen, width, radius, waist and ends gives
each plate an alphabet of its own, so the network can't learn one font by heart.
"""

import math

import cv2
import numpy as np


def P(*points):
    return (False, points)


def C(*points):
    return (True, points)


def _corner(a, b, c, before, after, steps):
    """The points of a quarter-ellipse-like curve that replaces corner b, cut `before` and `after` away from it."""
    ba, bc = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
    la, lc = math.hypot(*ba) or 1e-6, math.hypot(*bc) or 1e-6
    ra, rc = min(before, la), min(after, lc)
    p0 = (b[0] + ba[0] / la * ra, b[1] + ba[1] / la * ra)
    p3 = (b[0] + bc[0] / lc * rc, b[1] + bc[1] / lc * rc)
    if steps == 1:
        return [p0, p3]
    k = 0.5523
    p1 = (p0[0] + (b[0] - p0[0]) * k, p0[1] + (b[1] - p0[1]) * k)
    p2 = (p3[0] + (b[0] - p3[0]) * k, p3[1] + (b[1] - p3[1]) * k)
    out = []
    for i in range(steps + 1):
        t = i / steps
        u = 1 - t
        out.append(tuple(u**3 * p0[j] + 3 * u * u * t * p1[j] + 3 * u * t * t * p2[j] + t**3 * p3[j] for j in (0, 1)))
    return out


def outline(stroke, width, height, radius, steps=7):
    """A stroke's skeleton in pixels, corners rounded in `steps` (1: cut off straight); `radius` in pixels."""
    closed, points = stroke
    px = [(p[0] * width, p[1] * height, p[2] if len(p) > 2 else 0) for p in points]
    n, out = len(px), []
    for i, b in enumerate(px):
        if b[2] == 0 or (not closed and i in (0, n - 1)):
            out.append((b[0], b[1]))
            continue
        a, c = px[i - 1], px[(i + 1) % n]
        # Two rounded neighbours share their segment; a sharp neighbour leaves the whole of it.
        la = math.dist(a[:2], b[:2]) * (0.5 if a[2] else 1.0)
        lc = math.dist(b[:2], c[:2]) * (0.5 if c[2] else 1.0)
        out += _corner(a, b, c, min(radius * b[2], la), min(radius * b[2], lc), steps)
    if closed:
        out.append(out[0])
    return np.array(out, np.float32)


def draw(strokes, width, height, pen, radius, ends="flat", jitter=0.0, slant=0.0, rng=None, pen_across=None, nib=0.0,
         butt=False, chamfer=False):
    """A glyph as ink (0 to 255) in an array of height x width pixels, the pen inside the box.

    `pen_across` is the pen's horizontal thickness where it differs (a brush), `nib` the degrees by which it is turned; `ends` is flat (cut by
    the box at top and bottom) or round; `butt` cuts all ends square, `chamfer` cuts the corners instead of rounding them.
    """
    up = 2
    pad = int(pen) + 2
    ends = "flat" if butt else ends
    canvas = np.zeros((int(height) * up + 2 * pad * up, int(width) * up + 2 * pad * up), np.uint8)
    pen_across = pen_across or pen
    inner_w, inner_h = max(1.0, width - pen_across), max(1.0, height - pen)
    brushed = []
    for stroke in strokes:
        line = outline(stroke, inner_w, inner_h, radius, 1 if chamfer else 7)
        if jitter and rng is not None:
            line = line + _wobble(len(line), jitter * height, rng)
        line = line + (pen_across / 2, pen / 2)
        if slant:
            line[:, 0] += (height / 2 - line[:, 1]) * slant
        if ends != "round" and not stroke[0] and len(line) > 1:
            line = _to_the_edge(line, pen / 2, height)
        points = ((line + pad) * up * 16).astype(np.int32)
        if abs(pen_across - pen) < 0.5:
            layer = np.zeros_like(canvas) if butt and not stroke[0] else canvas
            cv2.polylines(layer, [points], False, 255, max(1, int(round(pen * up))), cv2.LINE_AA, 4)
            if layer is not canvas:
                _squared(layer, points / 16.0, pen * up)
                np.maximum(canvas, layer, out=canvas)
        else:
            brushed.append(points / 16.0)
    if brushed:
        _brush(canvas, brushed, pen * up, pen_across * up, nib)
    if ends != "round":
        # The box cuts the ends that reach its edge, as a stamped plate's letters end on the base line.
        canvas[: pad * up] = 0
        canvas[canvas.shape[0] - pad * up :] = 0
    small = cv2.resize(canvas, None, fx=1 / up, fy=1 / up, interpolation=cv2.INTER_AREA)
    return trimmed(small)


def trimmed(ink):
    """The array without its empty borders."""
    rows, columns = np.where(ink.max(1) > 40)[0], np.where(ink.max(0) > 40)[0]
    if len(rows) == 0:
        return ink
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _wobble(count, size, rng):
    """Smooth small shifts along a stroke, as of a hand."""
    knots = max(2, count // 8 + 2)
    at = np.linspace(0, knots - 1, count)
    shift = rng.normal(0, size, (knots, 2))
    return np.stack([np.interp(at, np.arange(knots), shift[:, j]) for j in (0, 1)], 1).astype(np.float32)


def _to_the_edge(line, by, height):
    """Ends at the top or the bottom are drawn past it, so that the box cuts them flat."""
    line = line.copy()
    for end, near in ((0, 1), (-1, -2)):
        d = line[end] - line[near]
        length = float(np.hypot(*d)) or 1.0
        at_edge = line[end][1] < 1.2 * by or line[end][1] > height - 1.2 * by
        if at_edge and abs(d[1]) > 0.7 * abs(d[0]):
            line[end] += d / length * by
    return line


def _squared(layer, points, pen):
    """Takes the round caps off a stroke's ends, but for a third of them, where the stroke doesn't end on itself."""
    for end, near in ((0, 1), (-1, -2)):
        if _meets_itself(points if end == 0 else points[::-1], pen):
            continue
        d = points[end] - points[near]
        length = float(np.hypot(*d)) or 1.0
        along, across = d / length, np.array([-d[1], d[0]]) / length
        start = points[end] + along * pen * 0.17
        corners = [start + across * pen, start - across * pen, start - across * pen + along * pen, start + across * pen + along * pen]
        cv2.fillConvexPoly(layer, (np.array(corners) * 16).astype(np.int32), 0, cv2.LINE_AA, 4)


def _meets_itself(points, pen):
    """Whether the first point lies on a later part of its own stroke, as the bowl of a P ends on its stem."""
    start, run = points[0], 0.0
    for a, b in zip(points[:-1], points[1:]):
        length = float(np.hypot(*(b - a)))
        if run > 1.5 * pen and length > 0:
            t = min(1.0, max(0.0, float(np.dot(start - a, b - a)) / length**2))
            if np.hypot(*(a + t * (b - a) - start)) < 0.9 * pen:
                return True
        run += length
    return False


def _brush(canvas, lines, down, across, nib):
    """Strokes with an elliptical pen turned by `nib` degrees: a round pen's strokes in a stretched and turned picture."""
    turn = math.radians(nib)
    wide = down / max(across, 1.0)
    cos, sin = math.cos(turn), math.sin(turn)
    there = np.array([[wide * cos, wide * sin], [-sin, cos]])
    height, width = canvas.shape
    corners = np.array([[0, 0], [width, 0], [0, height], [width, height]]) @ there.T
    shift = -corners.min(0) + down
    size = (corners.max(0) - corners.min(0) + 2 * down).astype(int) + 1
    stretched = np.zeros((size[1], size[0]), np.uint8)
    for line in lines:
        cv2.polylines(stretched, [((line @ there.T + shift) * 16).astype(np.int32)], False, 255, max(1, int(round(down))), cv2.LINE_AA, 4)
    matrix = np.hstack([there, shift[:, None]])
    back = cv2.warpAffine(stretched, matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    np.maximum(canvas, back, out=canvas)
