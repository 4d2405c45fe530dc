"""Teaches a model the plates that rangers confirmed or corrected, starting from the model that is in use.

    models/train/run teach latin|devanagari --taught DIR --model FILE --output FILE [--minutes N] [--work DIR] [--seed N]

`DIR` is what `checkpost export training` writes. Most lines are drawn as ever, so that nothing is forgotten; the others are
rows of the taught plates. A fifth of the plates is kept back: the new model is written only when it reads their rows and
300 drawn lines better than the old one. Check it on the post's own pictures before it is used:

    checkpost replay --compare OLD-FOLDER NEW-FOLDER && checkpost model use FILE
"""

import argparse
import hashlib
import os
import shutil
import signal
import sys
import time

from . import cut, measure, real, scripts, thaw, train

# How many of the lines are whole rows of taught plates, how hard the drawn ones are, and the learning rate: a small step.
TAUGHT_ROWS, HARD = 0.15, 1.0
RATES = [(0.0, 0.0006), (0.6, 0.0003), (0.85, 0.00015)]

# With fewer taught plates than this, drawn lines alone say which model is better.
ENOUGH_TO_HOLD_BACK = 10


def held_back(plate):
    """Whether a plate is kept for judging: a fifth of them, by a hash, all photos of one plate together."""
    return hashlib.sha256(("held back " + plate).encode()).digest()[0] % 5 == 0


class Teaching(train.Run):
    """A run that goes on from a shipped model, on its own alphabet."""

    def __init__(self, script, work, seed, model, samples):
        self.script = scripts.SCRIPTS[script]
        self.bank = real.Bank(samples, learned=lambda plate: True)
        self.line = self.mixed
        self.folder = os.path.join(work, "teach-" + script)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "lines"))
        self.state_path = os.path.join(self.folder, "state.json")
        thawed = os.path.join(self.folder, "start.lstm")
        thaw.thaw(model, thawed)
        self.starter = model
        self.state = {"seed": seed, "lesson": len(train.LESSONS) - 1, "documents": 0, "iterations": 0, "seconds": 0, "best": None,
                      "history": [], "phase": 0, "before": 0, "rate": None, "from": thawed, "alphabet": None}

    def mixed(self, rng, hard=1.0, digits_only=False):
        if self.bank.rows and rng.random() < TAUGHT_ROWS:
            return self.bank.row(rng, hard)
        if self.script.name == "devanagari":
            return self.script.line(rng, hard, digits_only, bank=self.bank if self.bank.rows else None)
        return self.script.line(rng, hard, digits_only)


def judging(script, samples):
    """The rows kept back and 300 drawn lines."""
    lines = measure.choosing_lines(script, None)
    return measure.Choosing(samples + lines.samples, f"{len(samples)} taught lines kept back and {len(lines.samples)} drawn ones")


def main():
    parser = argparse.ArgumentParser(prog="models/train/run teach", description=__doc__.split("\n")[0])
    parser.add_argument("script", choices=sorted(scripts.SCRIPTS))
    parser.add_argument("--taught", required=True, help="the folder that `checkpost export training` wrote")
    parser.add_argument("--model", required=True, help="the model in use")
    parser.add_argument("--output", required=True, help="where to write the taught model, if it is better")
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/checkpost-train"))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--look", type=float, default=2, help="minutes between two looks at how it reads")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    # Before the training, so that nothing is in the way after it.
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    script = scripts.SCRIPTS[options.script]
    samples = cut.taught(script, options.taught)
    plates = {s.plate for s in samples}
    if not plates:
        raise SystemExit(f"{options.taught} holds no {options.script} plate whose glyphs could be told apart: nothing to teach")
    enough = len(plates) >= ENOUGH_TO_HOLD_BACK
    kept_back = {p for p in plates if enough and held_back(p)}
    back = [s for s in samples if s.plate in kept_back]
    run = Teaching(options.script, os.path.abspath(options.work), options.seed, os.path.abspath(options.model),
                   [s for s in samples if s.plate not in kept_back])
    judge = judging(script, back)
    before = judge.score(options.model)
    print(f"{script.name}: {len(plates)} taught plates, learns from {len(run.bank.rows)} rows of {run.bank.plates}, judged on {judge.what}; "
          f"the model in use reads {before['exact']:.1f}% of them whole, {before['sets']}", flush=True)
    best = os.path.join(run.folder, "best.traineddata")
    teach(run, judge, best, options)
    after = run.state["best"]
    if after is None or (after["exact"], -after["cer"]) <= (before["exact"], -before["cer"]):
        print(f"no better model came of it ({after and round(after['exact'], 1)}%): {options.output} is not written", file=sys.stderr)
        return 1
    shutil.copyfile(best, options.output)
    table = os.path.splitext(os.path.abspath(options.model))[0] + ".symbols.tsv"
    target = os.path.splitext(os.path.abspath(options.output))[0] + ".symbols.tsv"
    if os.path.exists(table) and table != target:
        shutil.copyfile(table, target)
    print(f"{options.output}: reads {after['exact']:.1f}% whole instead of {before['exact']:.1f}%, {after['sets']}", flush=True)
    return 0


def teach(run, judge, best, options):
    """Slices of drawing and learning until the time is up; the best checkpoint is kept at `best`."""
    start = looked = time.time()
    deadline = start + options.minutes * 60
    while time.time() < deadline:
        run.draw(train.FRESH)
        part = (time.time() - start) / (deadline - start)
        error = run.slice(deadline, [rate for after, rate in RATES if part >= after][-1])
        text = f"{(time.time() - start) / 60:5.1f} min  iteration {run.state['iterations']}: error {error}%"
        if os.path.exists(run.checkpoint) and (time.time() - looked > options.look * 60 or time.time() > deadline):
            looked = time.time()
            text += train.look(run, judge, best)
        print(text, flush=True)
        run.save()


if __name__ == "__main__":
    sys.exit(main())
