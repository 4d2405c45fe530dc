"""The finder's network: small, fully convolutional, written as a list of steps that a reader of the file can follow.

It looks at a picture of about 230,000 pixels and says for every cell of 8 x 8 pixels how likely the middle of a plate lies
there (a logit) and how far the plate's left, upper, right and lower side are from the cell's middle (the logarithm of the
distance in cells). The steps are a list, so the file is a list too: see `write`.
"""

import numpy as np

from . import net
from .net import ADD, CONV, DEPTHWISE, KEEP

CELL = 8
MAGIC = b"CPFINDER"

# (step, kernel, stride, dilation, channels out, whether negative values are cut)
STEPS = [
    (CONV, 3, 2, 1, 8, True),
    (CONV, 3, 2, 1, 16, True),
    (KEEP,), (DEPTHWISE, 3, 1, 1, 16, True), (CONV, 1, 1, 1, 16, True), (ADD,),
    (CONV, 3, 2, 1, 40, True),
    (KEEP,), (DEPTHWISE, 3, 1, 1, 40, True), (CONV, 1, 1, 1, 40, True), (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 2, 40, True), (CONV, 1, 1, 1, 40, True), (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 1, 40, True), (CONV, 1, 1, 1, 40, True), (ADD,),
    # The surroundings, at half the cells: kept is what the cells themselves show.
    (KEEP,),
    (DEPTHWISE, 3, 2, 1, 40, True), (CONV, 1, 1, 1, 64, True),
    (KEEP,), (DEPTHWISE, 3, 1, 1, 64, True), (CONV, 1, 1, 1, 64, True), (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 2, 64, True), (CONV, 1, 1, 1, 64, True), (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 3, 64, True), (CONV, 1, 1, 1, 64, True), (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 2, 64, True), (CONV, 1, 1, 1, 64, True), (ADD,),
    (CONV, 1, 1, 1, 40, False),
    (ADD,),
    (KEEP,), (DEPTHWISE, 3, 1, 1, 40, True), (CONV, 1, 1, 1, 40, True), (ADD,),
    (DEPTHWISE, 3, 1, 1, 40, True), (CONV, 1, 1, 1, 48, True),
    (CONV, 1, 1, 1, 5, False),
]


def Finder():
    """The finder as it begins: at first nothing is a plate, and all plates are of a middling size."""
    return net.Net(STEPS, 3, [-4.0, 0.7, 0.0, 0.7, 0.0])


def write(path, finder):
    """Writes the network as the product reads it; see `net.write`."""
    with open(path, "wb") as file:
        net.write(file, finder, MAGIC)


def boxes(output, least=0.3, overlap=0.4):
    """The plates of one picture's output (5, rows, columns): a list of (score, x, y, right, bottom), the likeliest first."""
    heat = 1 / (1 + np.exp(-output[0]))
    padded = np.pad(heat, 1)
    around = np.max([padded[1 + dy : padded.shape[0] - 1 + dy, 1 + dx : padded.shape[1] - 1 + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)], axis=0)
    rows, columns = np.where((heat >= least) & (heat >= around))
    found = []
    for y, x in zip(rows, columns):
        l, t, r, b = np.exp(np.clip(output[1:, y, x], -4, 5)) * CELL
        cx, cy = (x + 0.5) * CELL, (y + 0.5) * CELL
        found.append((float(heat[y, x]), cx - l, cy - t, cx + r, cy + b))
    kept = []
    for box in sorted(found, reverse=True):
        if all(iou(box[1:], other[1:]) < overlap for other in kept):
            kept.append(box)
    return kept


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)
