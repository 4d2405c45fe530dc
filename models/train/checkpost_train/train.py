"""Trains a plate model in slices: new lines, some thousand iterations, a look at how it reads, again, until the time is up.

    python -m checkpost_train.train latin --work DIR --minutes 60 [--plates DIR] [--seed N] [--output FILE] [--model FILE]

With `--model` it goes on from a model in use, with the last lesson and small steps.

Everything is kept in the work folder, so an interrupted run goes on where it was: the state is written after each slice.
The lessons get harder as the network learns (`LESSONS`): a network that starts with the hardest lines doesn't leave the
plateau where it answers nothing. The checkpoint to ship is the one that reads best on the lines for choosing: real plates
of the choosing half when `--plates` is given, drawn lines that it never trained on otherwise.
"""

import argparse
import collections
import functools
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from . import cut, devanagari, lstmf, measure, real, scripts, starter, thaw

NETWORK = "[1,36,0,1 Ct3,3,16 Mp3,2 Lfys48 Lfx96 Lrx96 Lfx96 O1c1]"

# Lines of one document, documents made before each slice, documents kept (older ones are dropped), iterations a slice.
DOCUMENT, FRESH, KEPT, SLICE = 500, 4, 24, 4000

# The trainer compares with its best error and halves the rates when it sees none better for long, which is wrong when the
# lines get harder. A new phase (a new lesson or rate, or this many iterations) makes it forget.
PHASE = 30000

# The last lesson's learning rate by the part of the time that has passed.
COOLING = [(0.0, 0.001), (0.4, 0.0006), (0.65, 0.0003), (0.85, 0.00015)]

SHIPPED = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "latin-plate.traineddata"))

# The same where a model in use goes on: it has much to forget.
ONWARD = [(0.0, 0.0003), (0.25, 0.00015), (0.55, 0.00008), (0.85, 0.00004)]

# (name, how hard, share of lines with digits only, character error in % that ends the lesson, learning rate)
Lesson = collections.namedtuple("Lesson", "name hard digits until rate")
LESSONS = [
    Lesson("clean digits", 0.1, 1.0, 12.0, 0.002),
    Lesson("clean letters", 0.2, 0.15, 8.0, 0.002),
    Lesson("harder", 0.6, 0.1, 5.0, 0.001),
    Lesson("as on the road", 1.0, 0.08, 0.0, 0.001),
]


class Run:
    """One training run and its state on disk."""

    def __init__(self, script, work, seed, plates=None, model=None):
        self.script = scripts.SCRIPTS[script]
        self.line = self.script.line
        if script == "devanagari" and plates:
            bank = real.Bank(cut.samples(self.script, plates))
            print(f"learns from {len(bank.rows)} rows of {bank.plates} real plates of the choosing half", flush=True)
            self.line = functools.partial(self.script.line, bank=bank)
        self.folder = os.path.join(work, script)
        os.makedirs(os.path.join(self.folder, "lines"), exist_ok=True)
        self.state_path = os.path.join(self.folder, "state.json")
        self.state = {"seed": seed, "lesson": 0, "documents": 0, "iterations": 0, "seconds": 0, "best": None, "history": [],
                      "phase": 0, "before": 0, "rate": None, "from": None, "alphabet": None}
        if os.path.exists(self.state_path):
            with open(self.state_path) as file:
                self.state.update(json.load(file))
        elif model:
            self.state.update({"from": os.path.join(self.folder, "start.lstm"), "lesson": len(LESSONS) - 1, "model": os.path.abspath(model)})
            thaw.thaw(model, self.state["from"])
        elif script != "latin":
            # A network that tells Latin glyphs apart is past the plateau: another script learns from there much faster.
            parent = os.path.join(work, "latin", "best_checkpoint")
            if not os.path.exists(parent) and os.path.exists(SHIPPED):
                # Whoever trained no Latin network starts from the shipped one.
                self.state.update({"from": os.path.join(self.folder, "start.lstm"), "alphabet": SHIPPED, "lesson": 1})
                thaw.thaw(SHIPPED, self.state["from"])
            elif os.path.exists(parent):
                self.state.update({"from": parent, "alphabet": os.path.join(work, "latin", "starter", "latin", "latin.traineddata"), "lesson": 1})
        # A model in use brings its own alphabet.
        self.starter = self.state.get("model") or starter.make(os.path.join(self.folder, "starter"), script, self.script.symbols)

    @property
    def base(self):
        return os.path.join(self.folder, f"model-{self.state['phase']}")

    @property
    def checkpoint(self):
        return self.base + "_checkpoint"

    def save(self):
        with open(self.state_path + ".new", "w") as file:
            json.dump(self.state, file, indent=1)
        os.replace(self.state_path + ".new", self.state_path)

    @property
    def lesson(self):
        return LESSONS[self.state["lesson"]]

    def draw(self, count):
        """Makes `count` documents of fresh lines for the lesson at hand; every document has a seed of its own."""
        for _ in range(count):
            number = self.state["documents"]
            rng = random.Random(f"{self.state['seed']}/{number}")
            path = os.path.join(self.folder, "lines", f"{number:06d}.lstmf")
            lstmf.write(path, lines(self.line, rng, DOCUMENT, self.lesson))
            self.state["documents"] = number + 1
        paths = sorted(glob.glob(os.path.join(self.folder, "lines", "*.lstmf")))
        for old in paths[:-KEPT]:
            os.remove(old)
        with open(os.path.join(self.folder, "list"), "w") as file:
            file.write("\n".join(paths[-KEPT:]) + "\n")

    def slice(self, deadline, rate):
        """Some thousand iterations. Returns the character error (%) that the trainer saw last, or None."""
        state = self.state
        done = state["iterations"] - state["before"]
        if os.path.exists(self.checkpoint) and (state["rate"] != [state["lesson"], rate] or done >= PHASE):
            if state["phase"] and os.path.exists(state["from"] or "") and state["from"].startswith(self.folder):
                os.remove(state["from"])
            state.update({"from": self.checkpoint, "phase": state["phase"] + 1, "before": state["iterations"]})
            done = 0
        state["rate"] = [state["lesson"], rate]
        command = [
            "lstmtraining", "--traineddata", self.starter, "--model_output", self.base, "--train_listfile",
            os.path.join(self.folder, "list"), "--max_iterations", str(done + SLICE), "--learning_rate", str(rate),
            "--max_image_MB", "800", "--target_error_rate", "0.0001",
        ]
        if not os.path.exists(self.checkpoint):
            command += ["--continue_from", state["from"], "--reset_learning_rate"] if state["from"] else ["--net_spec", NETWORK]
            if state["alphabet"]:
                command += ["--old_traineddata", state["alphabet"]]
        error = None
        with open(os.path.join(self.folder, "trainer.log"), "a") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=measure.ONE_CORE)
            try:
                for text in process.stdout:
                    log.write(text)
                    found = re.search(r"At iteration \d+/(\d+)/\d+.*?(?:BCER train|char train)=([\d.]+)%", text)
                    if found:
                        state["alphabet"] = None
                        self.state["iterations"], error = state["before"] + int(found[1]), float(found[2])
                    if time.time() > deadline:
                        break
            finally:
                process.terminate()
                process.wait()
        if process.returncode > 0:
            raise SystemExit(f"lstmtraining gave up with code {process.returncode}: the last lines of {log.name} say why")
        for old in glob.glob(self.base + "_*_*_*.checkpoint"):
            os.remove(old)
        return error

    def export(self, path):
        """Writes the newest checkpoint as an integer model."""
        subprocess.run(
            ["lstmtraining", "--stop_training", "--convert_to_int", "--continue_from", self.checkpoint,
             "--traineddata", self.starter, "--model_output", path],
            check=True, capture_output=True, env=measure.ONE_CORE,
        )


def rate_now(run, part):
    """The learning rate: the lesson's, or in the last lesson by how much of the time has passed."""
    if run.state["lesson"] + 1 < len(LESSONS):
        return run.lesson.rate
    return [rate for after, rate in (ONWARD if run.state.get("model") else COOLING) if part >= after][-1]


def lines(line, rng, count, lesson):
    """`count` pairs of image and text."""
    out = []
    while len(out) < count:
        made = line(rng, hard=lesson.hard * rng.uniform(0.3, 1.0), digits_only=rng.random() < lesson.digits)
        if made is not None:
            out.append(made)
    return out


def main():
    parser = argparse.ArgumentParser(prog="models/train/run", description=__doc__.split("\n")[0])
    parser.add_argument("script", choices=sorted(scripts.SCRIPTS))
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/checkpost-train"), help="where lines and checkpoints lie")
    parser.add_argument("--minutes", type=float, default=60, help="how long to train in this call")
    parser.add_argument("--plates", help="a folder of sets (SET/truth.csv and photos) to choose checkpoints on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="where to write the chosen model (default: DIR/SCRIPT-plate.traineddata)")
    parser.add_argument("--model", help="a model in use to go on from, instead of from the start")
    parser.add_argument("--look", type=float, default=4, help="minutes between two looks at how it reads")
    options = parser.parse_args()

    options.work = os.path.abspath(options.work)
    # A terminated run takes its trainer with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = Run(options.script, options.work, options.seed, options.plates, options.model)
    choosing = measure.choosing_lines(run.script, options.plates, learned=run.line is not run.script.line)
    output = options.output or os.path.join(options.work, run.script.name + "-plate.traineddata")
    if run.script.name == "devanagari":
        devanagari.write_table(os.path.join(os.path.dirname(os.path.abspath(output)), "devanagari-plate.symbols.tsv"))
    start = looked = time.time()
    deadline = start + options.minutes * 60
    print(f"{run.script.name}: {len(run.script.symbols)} symbols, chosen on {choosing.what}, {options.minutes:g} minutes", flush=True)
    while time.time() < deadline:
        before = time.time()
        run.draw(FRESH if run.state["iterations"] else 2 * FRESH)
        error = run.slice(deadline, rate_now(run, (time.time() - start) / (deadline - start)))
        run.state["seconds"] += int(time.time() - before)
        text = f"{(time.time() - start) / 60:5.1f} min  iteration {run.state['iterations']}  {run.lesson.name}, rate {run.state['rate'][1]}: error {error}%"
        if os.path.exists(run.checkpoint) and (time.time() - looked > options.look * 60 or time.time() > deadline):
            looked = time.time()
            text += look(run, choosing, output)
        print(text, flush=True)
        if error is not None and error < run.lesson.until and run.state["lesson"] + 1 < len(LESSONS):
            run.state["lesson"] += 1
            print(f"next lesson: {run.lesson.name}", flush=True)
        run.save()
    best = run.state["best"]
    if best is None:
        print("no checkpoint yet: train longer (run the same command again)", file=sys.stderr)
        return 1
    print(f"{output}: iteration {best['iterations']}, {best['exact']:.1f}% of the choosing lines read whole", flush=True)
    return 0


def look(run, choosing, output):
    """Reads the choosing lines with the newest checkpoint, keeps the model when it is the best so far."""
    now = os.path.join(run.folder, "now", run.script.name + "-plate.traineddata")
    os.makedirs(os.path.dirname(now), exist_ok=True)
    run.export(now)
    score = choosing.score(now)
    score["iterations"] = run.state["iterations"]
    run.state["history"].append(score)
    best = run.state["best"]
    better = best is None or (score["exact"], -score["cer"]) > (best["exact"], -best["cer"])
    if better:
        run.state["best"] = score
        shutil.copyfile(now, output)
        shutil.copyfile(run.checkpoint, os.path.join(run.folder, "best_checkpoint"))
    return f"  reads {score['exact']:.1f}% whole, character error {score['cer']:.3f}" + ("  *" if better else "")


if __name__ == "__main__":
    sys.exit(main())
