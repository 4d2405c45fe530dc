"""Makes an integer model trainable again: its weights as the numbers that they stand for.

What is shipped holds each weight as a whole number from -127 to 127 and one scale a row. `lstmtraining` goes on from decimal
weights only. The layout is that of Tesseract 5 (`Network`, `WeightMatrix`, `LSTMRecognizer`), little-endian.
"""

import os
import struct
import subprocess
import tempfile

INTEGER, ADAM, DOUBLE = 1, 4, 128
PLUMBING = {"Parallel", "Replicated", "ParBidiLSTM", "DepParUDLSTM", "Par2dLSTM", "Series", "RTLReversed", "TTBReversed", "XYTranspose"}
FULL = {"Logistic", "LinLogistic", "LinTanh", "Tanh", "Relu", "Linear", "Softmax", "SoftmaxNoCTC"}
LSTMS = {"LSTM", "SummLSTM"}
SPECIFIC_RATES = 64


class Unknown(ValueError):
    """The file is no integer model of the kind that is made here."""


class _Copy:
    """Reads from one buffer and writes to another; what is read is written unless it is changed on the way."""

    def __init__(self, data):
        self.data, self.at, self.out = data, 0, bytearray()
        self.matrices = []

    def take(self, count):
        if self.at + count > len(self.data):
            raise Unknown("the network ends too soon")
        part = self.data[self.at : self.at + count]
        self.at += count
        return part

    def keep(self, layout):
        part = self.take(struct.calcsize("<" + layout))
        self.out += part
        return struct.unpack("<" + layout, part)

    def text(self):
        (length,) = self.keep("I")
        part = self.take(length)
        self.out += part
        return part.decode("utf-8", "replace")


def decimal(network):
    """An integer `lstm` component with decimal weights, and where they are: (first byte, count). Raises Unknown for anything else."""
    copy = _Copy(network)
    _layer(copy)
    copy.text()
    (flags,) = struct.unpack("<i", copy.take(4))
    if not flags & INTEGER:
        raise Unknown("the model's weights are decimal already")
    copy.out += struct.pack("<i", flags & ~INTEGER)
    copy.keep("iii")
    copy.keep("fff")
    if copy.at != len(network):
        raise Unknown("there is more behind the network than belongs there")
    return bytes(copy.out), copy.matrices


def _layer(copy):
    (kind,) = copy.keep("b")
    if kind != 0:
        raise Unknown("a layer without its name")
    name = copy.text()
    copy.keep("bb")
    flags, inputs, outputs, _ = copy.keep("iiii")
    copy.text()
    if name == "Input":
        copy.keep("5i")
    elif name in ("Convolve", "Maxpool", "Reconfig"):
        copy.keep("2i")
    elif name in PLUMBING:
        (count,) = copy.keep("I")
        for _ in range(count):
            _layer(copy)
        if flags & SPECIFIC_RATES:
            (count,) = copy.keep("I")
            copy.keep(f"{count}f")
    elif name in LSTMS:
        (width,) = copy.keep("i")
        for _ in range(5 if width == inputs + 2 * outputs else 4):
            _weights(copy)
    elif name in FULL:
        _weights(copy)
    else:
        raise Unknown(f"a layer of a kind that isn't known here: {name}")


def _weights(copy):
    (mode,) = struct.unpack("<B", copy.take(1))
    if not mode & INTEGER or not mode & DOUBLE:
        raise Unknown("weights that aren't whole numbers")
    rows, columns = struct.unpack("<II", copy.take(8))
    copy.take(1)
    whole = struct.unpack(f"<{rows * columns}b", copy.take(rows * columns))
    (count,) = struct.unpack("<I", copy.take(4))
    scales = struct.unpack(f"<{count}d", copy.take(8 * count))
    if count < rows:
        raise Unknown("rows without their scale")
    copy.out += struct.pack("<BIId", mode & ~INTEGER, rows, columns, 0.0)
    values = [whole[row * columns + column] * scales[row] for row in range(rows) for column in range(columns)]
    copy.matrices.append((len(copy.out), len(values)))
    copy.out += struct.pack(f"<{len(values)}d", *values)


def thaw(model, path):
    """Writes the network of the model file `model`, with decimal weights, to `path`. Returns where they are in it."""
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "model.lstm")
        done = subprocess.run(["combine_tessdata", "-e", model, part], capture_output=True, text=True)
        if done.returncode != 0 or not os.path.exists(part):
            raise SystemExit(f"{model} is no Tesseract model: {done.stderr.strip()[-200:]}")
        with open(part, "rb") as file:
            data = file.read()
    try:
        made, matrices = decimal(data)
    except Unknown as reason:
        raise SystemExit(f"{model} can't be taught: {reason}")
    with open(path, "wb") as file:
        file.write(made)
    return matrices
