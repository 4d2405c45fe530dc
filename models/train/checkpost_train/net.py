"""A network as a list of steps, which a reader of its file can follow: what the finder and the reader of whole plates share."""

import copy
import os
import struct

import numpy as np
import torch
from torch import nn

VERSION = 1

# What a step does; the numbers stand in the file. LOWER halves the rows: of two that lie on one another the greater value stays.
CONV, DEPTHWISE, KEEP, ADD, LOWER = 1, 2, 3, 4, 5


class Net(nn.Module):
    """Steps with a normalisation behind every convolution but the last, whose biases are `last`."""

    def __init__(self, steps, channels, last):
        super().__init__()
        self.steps = steps
        self.input_channels = channels
        layers = []
        final = max(i for i, step in enumerate(steps) if step[0] in (CONV, DEPTHWISE))
        for i, step in enumerate(steps):
            if step[0] not in (CONV, DEPTHWISE):
                continue
            kind, kernel, stride, dilation, out, cut = step
            groups = channels if kind == DEPTHWISE else 1
            conv = nn.Conv2d(channels, out, kernel, stride, dilation * (kernel // 2), dilation, groups, bias=i == final)
            nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
            if i == final:
                nn.init.normal_(conv.weight, std=0.01)
                conv.bias.data = torch.tensor(last)
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
            elif step[0] == LOWER:
                x = nn.functional.max_pool2d(x, (2, 1))
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


class Average:
    """A running mean of the network's weights, which finds better than the weights of any moment."""

    def __init__(self, net):
        self.net = copy.deepcopy(net).eval()
        self.steps = 0

    @torch.no_grad()
    def take(self, net):
        self.steps += 1
        keep = min(0.998, (1 + self.steps) / (10 + self.steps))
        for mine, theirs in zip(self.net.state_dict().values(), net.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.lerp_(theirs, 1 - keep)
            else:
                mine.copy_(theirs)


def keep(path, net, optimizer, average, state, seconds):
    """Writes how far a run is, whole or not at all."""
    state["seconds"] = seconds
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "average": average.net.state_dict(), "state": state}, path + ".new")
    os.replace(path + ".new", path)


def write(file, net, magic):
    """Writes the network into an open file as the product reads it, all little-endian.

    `magic`, version, channels of the picture, number of steps (32 bits each); then each step: kind, kernel, stride, dilation,
    channels in, channels out, whether negatives are cut (32 bits each), and for convolutions the weights as 16-bit floats,
    by row, column, channel in, channel out (a depthwise one has no channel in), and the biases as 32-bit floats.
    """
    weights = iter(net.folded())
    channels = net.input_channels
    file.write(magic + struct.pack("<III", VERSION, channels, len(net.steps)))
    for step in net.steps:
        if step[0] in (KEEP, ADD, LOWER):
            file.write(struct.pack("<7I", step[0], 0, 0, 0, 0, 0, 0))
            continue
        kind, kernel, stride, dilation, out, cut = step
        file.write(struct.pack("<7I", kind, kernel, stride, dilation, channels, out, int(cut)))
        weight, bias = next(weights)
        order = (2, 3, 1, 0) if kind == CONV else (2, 3, 0, 1)
        file.write(np.ascontiguousarray(weight.transpose(order)).astype("<f2").tobytes())
        file.write(bias.astype("<f4").tobytes())
        channels = out


def read(file, net):
    """Takes a written network's weights into a network of the same steps, to go on learning from. `settle` has to follow.

    The normalisations are worked into the weights of a file, so the network's own begin as none.
    """
    _, channels, count = struct.unpack("<III", file.read(12))
    assert channels == net.input_channels and count == len(net.steps), "the file is of another network"
    layers = iter(net.layers)
    for step in net.steps:
        shape = struct.unpack("<7I", file.read(28))
        if step[0] in (KEEP, ADD, LOWER):
            continue
        kind, kernel, _, _, before, out, _ = shape
        assert (kind, kernel, out) == (step[0], step[1], step[4]), "the file is of another network"
        layer = next(layers)
        conv = layer if isinstance(layer, nn.Conv2d) else layer[0]
        size = (kernel, kernel, before, out) if kind == CONV else (kernel, kernel, out, 1)
        weight = np.frombuffer(file.read(2 * int(np.prod(size))), "<f2").astype(np.float32).reshape(size)
        bias = torch.from_numpy(np.frombuffer(file.read(4 * out), "<f4").copy())
        conv.weight.data = torch.from_numpy(weight.transpose((3, 2, 0, 1) if kind == CONV else (2, 3, 0, 1)).copy())
        if layer is conv:
            conv.bias.data = bias
        else:
            layer[1].bias.data = bias


def settle(net, pictures):
    """Sets each normalisation so that the network answers `pictures` as the file that it was read from does."""
    norms = [layer[1] for layer in net.layers if not isinstance(layer, nn.Conv2d)]

    def measure(norm, inputs):
        values = inputs[0].detach()
        mean, spread = values.mean((0, 2, 3)), values.var((0, 2, 3), unbiased=False)
        norm.running_mean, norm.running_var = mean, spread
        norm.weight.data = torch.sqrt(spread + norm.eps)
        norm.bias.data = norm.bias.data + mean

    # One after the other, in the order of the layers: what reaches a normalisation depends on those before it.
    net.eval()
    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
