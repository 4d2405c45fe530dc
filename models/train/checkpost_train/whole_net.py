"""The network that reads a whole plate at once, without telling its rows and glyphs apart first.

It looks at a gray crop of a plate, stretched to 128 x 64 pixels, and says for each of 4 strips of 32 places which symbol lies there, or
none (CTC): the strips one after the other, from above, are one sequence, so rows are read in their order however many there are.
"""

import struct

import numpy as np

from . import devanagari, net
from .net import ADD, CONV, DEPTHWISE, KEEP, LOWER

WIDTH, HEIGHT = 128, 64
STRIPS, COLUMNS = 4, 32
MAGIC = b"CPPLATES"

# What it tells, after none: Devanagari's symbols, then Latin's. The digits of each script are symbols of their own.
DEVANAGARI = "".join(symbol for symbol, _, _ in devanagari.SYMBOLS)
LATIN = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SYMBOLS = 1 + len(DEVANAGARI) + len(LATIN)


def _again(channels):
    return [(KEEP,), (CONV, 3, 1, 1, channels, True), (ADD,)]


def _around(channels, dilation):
    return [(KEEP,), (DEPTHWISE, 3, 1, dilation, channels, True), (CONV, 1, 1, 1, channels, True), (ADD,)]


STEPS = [
    (CONV, 3, 2, 1, 16, True),
    (CONV, 3, 2, 1, 32, True),
    (LOWER,),
    (CONV, 3, 1, 1, 64, True), *_again(64),
    (LOWER,),
    (CONV, 3, 1, 1, 96, True), *_again(96),
    # Which strip a row lies in is settled by its whole length.
    *_around(96, 2), *_around(96, 3), *_around(96, 3),
    (CONV, 1, 1, 1, 128, True),
    (CONV, 1, 1, 1, SYMBOLS + (-SYMBOLS) % 8, False),
]


def Reader():
    """The network as it begins: nothing is more likely than a symbol."""
    return net.Net(STEPS, 1, [1.0] + [0.0] * (STEPS[-1][4] - 1))


def encoded(text, script):
    """A plate's symbols as the network's numbers, from 1."""
    start = 1 if script == "devanagari" else 1 + len(DEVANAGARI)
    alphabet = DEVANAGARI if script == "devanagari" else LATIN
    return [start + alphabet.index(c) for c in text]


def decoded(numbers):
    """The symbols' numbers of the likeliest path: places that show the same one after the other are one."""
    out, before = [], 0
    for n in numbers:
        if n and n != before:
            out.append(n)
        before = n
    return out


def normal(crop):
    """A gray crop as the network takes it: its middle at zero, its contrast one."""
    crop = crop.astype(np.float32)
    return np.clip((crop - crop.mean()) / max(crop.std(), 8.0), -3, 3)


def write(path, reader):
    """Writes the network and what its answers mean: a count, then each symbol's text with its length before it."""
    texts = [text for _, text, _ in devanagari.SYMBOLS] + list(LATIN)
    with open(path, "wb") as file:
        net.write(file, reader, MAGIC)
        file.write(struct.pack("<I", len(texts)))
        for text in texts:
            data = text.encode()
            file.write(struct.pack("<I", len(data)) + data)
