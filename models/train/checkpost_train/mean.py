"""Writes the mean of models of one alphabet and one shape: of a model in use and of what it became when it was trained on.

    models/train/run mean --output FILE MODEL[=WEIGHT] MODEL[=WEIGHT] ...

What training on new lines gained mostly stays, and so does what it would have forgotten. Whether it does is measured, not assumed.
"""

import argparse
import array
import os
import subprocess
import sys
import tempfile

from . import measure, thaw


def of(networks, weights, matrices):
    """The mean of thawed networks whose weights are where `matrices` says."""
    first = networks[0]
    if any(len(n) != len(first) for n in networks):
        raise thaw.Unknown("the models are not of one shape")
    whole = sum(weights)
    out = bytearray(first)
    for start, count in matrices:
        total = [0.0] * count
        for network, weight in zip(networks, weights):
            values = array.array("d", network[start : start + 8 * count])
            if sys.byteorder == "big":
                values.byteswap()
            total = [t + v * weight / whole for t, v in zip(total, values)]
        values = array.array("d", total)
        if sys.byteorder == "big":
            values.byteswap()
        out[start : start + 8 * count] = values.tobytes()
    return bytes(out)


def main():
    parser = argparse.ArgumentParser(prog="models/train/run mean", description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="+", metavar="MODEL[=WEIGHT]")
    parser.add_argument("--output", required=True, help="the model file to write; its name is that of the model")
    parser.add_argument("--work", help="the folder with the Python environment, for `run`")
    options = parser.parse_args()
    pairs = [m.rpartition("=") if "=" in m else (m, "", "1") for m in options.models]
    names, weights = [p[0] for p in pairs], [float(p[2]) for p in pairs]
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        networks = []
        for name in names:
            path = os.path.join(folder, "thawed.lstm")
            matrices = thaw.thaw(name, path)
            with open(path, "rb") as file:
                networks.append(file.read())
        with open(path, "wb") as file:
            try:
                file.write(of(networks, weights, matrices))
            except thaw.Unknown as reason:
                raise SystemExit(str(reason))
        subprocess.run(["lstmtraining", "--stop_training", "--convert_to_int", "--continue_from", path, "--traineddata", names[0],
                        "--model_output", options.output], check=True, capture_output=True, env=measure.ONE_CORE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
