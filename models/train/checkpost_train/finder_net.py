"""The finder's network: small, fully convolutional, written as a list of steps that a reader of the file can follow.

It looks at a picture of about 230,000 pixels and says for every cell of 8 x 8 pixels how likely the middle of a plate lies
there (a logit) and how far the plate's left, upper, right and lower side are from the cell's middle (the logarithm of the
distance in cells). The steps are a list, so the file is a list too: see `write`.
"""

import struct

import numpy as np
import torch
from torch import nn

CELL = 8
MAGIC = b"CPFINDER"
VERSION = 1

# What a step does; the numbers stand in the file.
CONV, DEPTHWISE, KEEP, ADD = 1, 2, 3, 4

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


class Finder(nn.Module):
    """`STEPS` with a normalisation behind every convolution but the last."""

    def __init__(self, steps=STEPS, channels=3):
        super().__init__()
        self.steps = steps
        self.input_channels = channels
        layers = []
        last = max(i for i, step in enumerate(steps) if step[0] in (CONV, DEPTHWISE))
        for i, step in enumerate(steps):
            if step[0] not in (CONV, DEPTHWISE):
                continue
            kind, kernel, stride, dilation, out, cut = step
            groups = channels if kind == DEPTHWISE else 1
            conv = nn.Conv2d(channels, out, kernel, stride, dilation * (kernel // 2), dilation, groups, bias=i == last)
            nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
            if i == last:
                nn.init.normal_(conv.weight, std=0.01)
                # At first nothing is a plate, and all plates are of a middling size.
                conv.bias.data = torch.tensor([-4.0, 0.7, 0.0, 0.7, 0.0])
                layers.append(conv)
            else:
                layers.append(nn.Sequential(conv, nn.BatchNorm2d(out, momentum=0.05)))
            channels = out
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        kept, layers = [], iter(self.layers)
        for step in self.steps:
            if step[0] == KEEP:
                kept.append(x)
            elif step[0] == ADD:
                other = kept.pop()
                if other.shape[2] != x.shape[2]:
                    x = nn.functional.interpolate(x, scale_factor=2, mode="nearest")
                x = x + other
            else:
                x = next(layers)(x)
                if step[5]:
                    x = torch.relu(x)
        return x

    def folded(self):
        """(weights, biases) of each convolution with its normalisation worked in."""
        out = []
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d):
                out.append((layer.weight.detach().numpy(), layer.bias.detach().numpy()))
                continue
            conv, norm = layer[0], layer[1]
            scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach()
            out.append(((conv.weight.detach() * scale[:, None, None, None]).numpy(), (norm.bias - norm.running_mean * scale).detach().numpy()))
        return out


def write(path, finder):
    """Writes the network as the product reads it, all little-endian.

    MAGIC, version, channels of the picture, number of steps (32 bits each); then each step: kind, kernel, stride, dilation,
    channels in, channels out, whether negatives are cut (32 bits each), and for convolutions the weights as 16-bit floats,
    by row, column, channel in, channel out (a depthwise one has no channel in), and the biases as 32-bit floats.
    """
    weights = iter(finder.folded())
    channels = finder.input_channels
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<III", VERSION, channels, len(finder.steps)))
        for step in finder.steps:
            if step[0] in (KEEP, ADD):
                file.write(struct.pack("<7I", step[0], 0, 0, 0, 0, 0, 0))
                continue
            kind, kernel, stride, dilation, out, cut = step
            file.write(struct.pack("<7I", kind, kernel, stride, dilation, channels, out, int(cut)))
            weight, bias = next(weights)
            order = (2, 3, 1, 0) if kind == CONV else (2, 3, 0, 1)
            file.write(np.ascontiguousarray(weight.transpose(order)).astype("<f2").tobytes())
            file.write(bias.astype("<f4").tobytes())
            channels = out


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
