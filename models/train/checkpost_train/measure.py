"""Reads line images with a model, and scores what was read.

    models/train/run measure latin|devanagari --model FILE --plates DIR [--half report|choose|all] [--psm N] [--wrong]

Any Tesseract model can be measured, the stock ones too. The lines of the choosing half decided which checkpoint is
shipped; only the reporting half measures it honestly.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

import cv2

from . import cut, scripts

ONE_CORE = dict(os.environ, OMP_THREAD_LIMIT="1")

# One plate to measure on: its set, which plate it shows, the images of its rows, the symbols that are right.
Sample = collections.namedtuple("Sample", "set plate rows text")


def read(images, model, psm=13, whitelist=None):
    """What Tesseract reads in each line image with the model file, spaces left out."""
    folder, name = os.path.split(os.path.abspath(model))
    with tempfile.TemporaryDirectory() as scratch:
        paths = []
        for i, image in enumerate(images):
            paths.append(os.path.join(scratch, f"{i}.png"))
            cv2.imwrite(paths[-1], image)
        listing = os.path.join(scratch, "list")
        with open(listing, "w") as file:
            file.write("\n".join(paths) + "\n")
        command = ["tesseract", listing, "-", "--tessdata-dir", folder, "-l", name.removesuffix(".traineddata"), "--psm", str(psm), "--dpi", "150"]
        if whitelist:
            command += ["-c", "tessedit_char_whitelist=" + whitelist]
        done = subprocess.run(command, capture_output=True, text=True, env=ONE_CORE)
        pages = done.stdout.split("\f")
        if len(pages) < len(images):
            raise SystemExit(f"tesseract answered {len(pages)} of {len(images)} lines: {done.stderr[-400:]}")
    return [re.sub(r"\s", "", page) for page in pages[: len(images)]]


def read_samples(samples, model, psm=13):
    """What is read of each sample: its rows one after the other."""
    answers = iter(read([row for s in samples for row in s.rows], model, psm))
    return ["".join(next(answers) for _ in s.rows) for s in samples]


def distance(a, b):
    """The least number of insertions, deletions and replacements from a to b."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def folded(text):
    """O, Q and 0 as one, I and 1 as one: they look alike in many plate alphabets."""
    return text.replace("O", "0").replace("Q", "0").replace("I", "1")


def scores(samples, answers):
    """Exact, folded (both in %) and character error rate (of the folded strings)."""
    exact = sum(s.text == a for s, a in zip(samples, answers))
    fold = sum(folded(s.text) == folded(a) for s, a in zip(samples, answers))
    errors = sum(distance(folded(s.text), folded(a)) for s, a in zip(samples, answers))
    n, chars = max(1, len(samples)), max(1, sum(len(s.text) for s in samples))
    return {"n": len(samples), "exact": 100 * fold / n, "strict": 100 * exact / n, "cer": errors / chars}


class Choosing:
    """The lines that checkpoints are chosen on."""

    def __init__(self, samples, what):
        self.samples, self.what = samples, what

    def score(self, model):
        answers = read_samples(self.samples, model)
        result = scores(self.samples, answers)
        result["sets"] = {}
        for name in sorted({s.set for s in self.samples}):
            pairs = [(s, a) for s, a in zip(self.samples, answers) if s.set == name]
            result["sets"][name] = round(scores(*zip(*pairs))["exact"], 1)
        return result


def choosing_lines(script, plates, learned=False):
    """Real lines of the choosing half, or drawn lines from a seed that training never uses; both where it `learned` the former."""
    samples = []
    if plates:
        samples = [s for s in cut.samples(script, plates) if cut.half(s.plate) == "choose"]
        if samples and not learned:
            return Choosing(samples, f"{len(samples)} real lines of {plates}")
        if not samples:
            print(f"no plate of {plates} could be cut: choosing on drawn lines", file=sys.stderr)
    rng = random.Random("held out")
    real = len(samples)
    while len(samples) < real + 300:
        made = script.line(rng, hard=rng.uniform(0.4, 1.0))
        if made:
            samples.append(Sample("drawn", made[1], [made[0]], made[1]))
    return Choosing(samples, f"{real} real and {len(samples) - real} drawn lines" if real else f"{len(samples)} drawn lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("script", choices=sorted(scripts.SCRIPTS))
    parser.add_argument("--model", required=True)
    parser.add_argument("--plates", required=True)
    parser.add_argument("--half", choices=["report", "choose", "all"], default="report")
    parser.add_argument("--psm", type=int, default=13)
    parser.add_argument("--work", help="the folder with the Python environment, for `run`")
    parser.add_argument("--wrong", action="store_true", help="print what was read wrong")
    options = parser.parse_args()
    script = scripts.SCRIPTS[options.script]
    samples = [s for s in cut.samples(script, options.plates) if options.half in ("all", cut.half(s.plate))]
    answers = [script.tidy(a) for a in read_samples(samples, options.model, options.psm)]
    for name in [*script.sets, "all"]:
        pairs = [(s, a) for s, a in zip(samples, answers) if name in (s.set, "all")]
        if not pairs:
            continue
        result = scores(*zip(*pairs))
        plates = collections.defaultdict(collections.Counter)
        for s, a in pairs:
            plates[s.text][a] += 1
        voted = sum(folded(votes.most_common(1)[0][0]) == folded(text) for text, votes in plates.items())
        print(f"{name:>14}: {result['n']} lines of {len(plates)} plates, folded {result['exact']:.1f}% strict {result['strict']:.1f}% "
              f"character error {result['cer']:.3f}, plates by majority {100 * voted / len(plates):.1f}%")
        if options.wrong and name != "all":
            for s, a in pairs:
                if folded(s.text) != folded(a):
                    print(f"    {s.text} read as {a}")


if __name__ == "__main__":
    main()
