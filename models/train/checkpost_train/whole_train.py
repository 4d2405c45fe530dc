"""Trains the reader of whole plates: drawn plates without end, a look at real ones now and then, until the time is up.

    python -m checkpost_train.whole_train --work DIR --minutes 60 [--plates DIR] [--seed N] [--output FILE]

Without `--plates` it learns from drawn plates alone. With it, it learns from one half of the labelled plates, too, and says how it reads
the other half. An interrupted run goes on where it was: the state is written every two minutes. Drawing takes one core, learning another.
"""

import argparse
import collections
import csv
import math
import multiprocessing
import os
import queue
import random
import re
import signal
import sys
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import cut, real, scripts, whole_art, whole_net, whole_photo
from . import net as network
from .whole_net import HEIGHT, WIDTH

BATCH = 64
RATE = 0.002
SETS = ("eu", "us", "br", "in", "np", "np_road_text", "np_street")

# Fixed cameras that are only measured on.
APART = (1, 2, 5, 6)

# Glyphs are cut out of plates that are at least so high, in pixels.
CLEAR = 50

# In so many steps the network learns, less and less, where drawn glyphs lie.
TOLD = 3000

# How many pictures are remembered, how often a drawn plate is photographed, and how many of the pictures show real plates.
REMEMBERED, TIMES, REAL = 40_000, 8, 0.35


def draw(pictures, seed, folder, made):
    """Draws pictures into a queue, without end; the first of them are easier. `made` is how many batches there were before."""
    cv2.setNumThreads(1)
    rng = random.Random(seed)
    plates = whole_photo.labelled(folder, SETS, _is_learned) if folder else []
    bank = _bank(folder) if folder else None
    # As many of each script, whatever the sets have.
    by_script = collections.defaultdict(list)
    for plate in plates:
        by_script[plate.numbers[0] > len(whole_net.DEVANAGARI)].append(plate)
    arts = []
    while True:
        made += 1
        most = min(1.0, 0.25 + made / 400)
        batch = []
        while len(batch) < BATCH:
            if plates and rng.random() < REAL:
                plate = rng.choice(by_script[rng.random() < 0.3 and True in by_script or False not in by_script])
                batch.append(whole_photo.of_real(plate, rng))
                continue
            if len(arts) < 24:
                art = whole_art.drawn(rng, bank)
                if art is not None and 1 <= len(art.numbers) <= 14:
                    arts.append([art, TIMES])
                continue
            index = rng.randrange(len(arts))
            art, left = arts[index]
            batch.append(whole_photo.of_art(art, rng, most * rng.uniform(0.2, 1)))
            arts[index][1] = left - 1
            if left <= 1:
                arts.pop(index)
        pictures.put(batch)


def _is_learned(plate, file):
    """Half of the plates, and of the fixed cameras: of one camera's pictures none is learned from while others are measured on."""
    camera = re.match(r"cam(\d+)_", file)
    return int(camera[1]) not in APART if camera else cut.half(plate) == "choose"


def _bank(folder):
    """The glyphs of the painted plates that are learned from and are high enough to show how they were painted."""
    learned = set()
    for name in SETS:
        table = os.path.join(folder, name, "truth.csv")
        if os.path.exists(table):
            rows = csv.DictReader(open(table, encoding="utf-8"))
            learned |= {r["plate"] for r in rows if r["h"] and float(r["h"]) >= CLEAR and _is_learned(r["plate"], r["file"])}
    return real.Bank(cut.samples(scripts.SCRIPTS["devanagari"], folder, ["np_street"]), learned.__contains__)


class Memory:
    """The newest pictures, to draw batches from."""

    def __init__(self):
        self.pictures = np.zeros((REMEMBERED, HEIGHT, WIDTH), np.uint8)
        self.numbers = [None] * REMEMBERED
        self.cells = [None] * REMEMBERED
        self.count = 0

    def take(self, batch):
        for picture, numbers, cells in batch:
            self.pictures[self.count % REMEMBERED] = picture
            self.numbers[self.count % REMEMBERED] = numbers
            self.cells[self.count % REMEMBERED] = cells
            self.count += 1

    def batch(self, rng):
        chosen = rng.integers(0, min(self.count, REMEMBERED), BATCH)
        pictures = np.stack([whole_net.normal(self.pictures[i]) for i in chosen])[:, None]
        numbers = [self.numbers[i] for i in chosen]
        places = [(cell, row, n) for row, i in enumerate(chosen) for cell, n in zip(self.cells[i], self.numbers[i]) if cell >= 0]
        return torch.from_numpy(pictures), torch.tensor([n for plate in numbers for n in plate]), torch.tensor([len(n) for n in numbers]), torch.tensor(places).reshape(-1, 3)


def sequences(answer):
    """(places, batch, symbols) of the network's answer: the strips one after the other."""
    batch, symbols, strips, columns = answer.shape
    return answer.permute(2, 3, 0, 1).reshape(strips * columns, batch, symbols)


def read(net, pictures):
    """The best paths' numbers of pictures (HEIGHT x WIDTH, gray)."""
    net.eval()
    out = []
    with torch.no_grad():
        for start in range(0, len(pictures), 64):
            part = np.stack([whole_net.normal(p) for p in pictures[start : start + 64]])[:, None]
            best = sequences(net(torch.from_numpy(part).contiguous(memory_format=torch.channels_last))).argmax(2).numpy()
            out += [whole_net.decoded(best[:, i]) for i in range(best.shape[1])]
    return out


def folded(numbers):
    """O, Q and 0 are one, I and 1 too."""
    start = 1 + len(whole_net.DEVANAGARI)
    same = {start + whole_net.LATIN.index(a): start + whole_net.LATIN.index(b) for a, b in ("O0", "Q0", "I1")}
    return [same.get(n, n) for n in numbers]


def measure(net, sets):
    """Per set of (picture, numbers): how many are read whole."""
    return {name: (sum(folded(r) == folded(n) for r, (_, n) in zip(read(net, [p for p, _ in s]), s)), len(s)) for name, s in sets.items() if s}


def held_out(folder):
    """The other half's plates by set, cut out by their true boxes with a margin."""
    out = {}
    for name in SETS:
        plates = whole_photo.labelled(folder, [name], lambda plate, file: not _is_learned(plate, file))
        out[name] = [(square(plate), plate.numbers) for plate in plates]
    return out


def square(plate):
    x0, y0 = plate.corners[0]
    x1, y1 = plate.corners[2]
    px, py = 0.05 * (x1 - x0), 0.06 * (y1 - y0)
    part = plate.image[max(0, int(y0 - py)) : int(y1 + py) + 1, max(0, int(x0 - px)) : int(x1 + px) + 1]
    how = cv2.INTER_LINEAR if part.shape[1] < WIDTH else cv2.INTER_AREA
    return cv2.resize(part, (WIDTH, HEIGHT), interpolation=how)


def main():
    parser = argparse.ArgumentParser(prog="models/train/run whole", description=__doc__.split("\n")[0])
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/checkpost-train"), help="where the state lies")
    parser.add_argument("--minutes", type=float, default=60, help="how long to learn in all")
    parser.add_argument("--plates", help="a folder of labelled sets (SET/truth.csv, and photos) to learn from, one half of each")
    parser.add_argument("--model", help="a network to go on from; only where no run was begun in DIR")
    parser.add_argument("--rate", type=float, default=RATE, help="how fast it learns at first: less where it goes on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="where to write the network (default: DIR/whole/whole-plate.weights)")
    parser.add_argument("--look", type=float, default=4, help="minutes between two looks at how it reads")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = os.path.join(os.path.abspath(options.work), "whole")
    os.makedirs(folder, exist_ok=True)
    output = options.output or os.path.join(folder, "whole-plate.weights")
    state_path = os.path.join(folder, "state.pt")

    net = whole_net.Reader().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    average = network.Average(net)
    state = {"steps": 0, "seconds": 0.0}
    if os.path.exists(state_path):
        saved = torch.load(state_path)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        average.net.load_state_dict(saved["average"])
        state, average.steps = saved["state"], saved["state"]["steps"]
    context = multiprocessing.get_context("fork")
    pictures = context.Queue(8)
    drawer = context.Process(target=draw, args=(pictures, options.seed * 1000 + state["steps"], options.plates, state["steps"] // 2), daemon=True)
    drawer.start()
    memory, rng = Memory(), np.random.default_rng(options.seed * 1000 + state["steps"])
    while memory.count < 2000:
        memory.take(pictures.get())
    if options.model and not state["steps"]:
        with open(options.model, "rb") as file:
            assert file.read(len(whole_net.MAGIC)) == whole_net.MAGIC, "the model is no network of whole plates"
            network.read(file, net)
        network.settle(net, torch.from_numpy(np.stack([whole_net.normal(p) for p in memory.pictures[:512]])[:, None]))
        average.net.load_state_dict(net.state_dict())
        # As far on as a run that has learned where drawn glyphs lie.
        state["steps"] = average.steps = TOLD
    sets = held_out(options.plates) if options.plates else {}
    sets["drawn"] = [(memory.pictures[i].copy(), memory.numbers[i]) for i in range(256)]
    print(f"{sum(p.numel() for p in net.parameters())} weights", flush=True)

    begun, looked, saved_at, loss_mean = time.time() - state["seconds"], time.time(), time.time(), 10.0
    while (spent := time.time() - begun) < options.minutes * 60:
        # Each picture is learned from about twice: drawing one costs more than learning from it.
        if state["steps"] % 2 == 0 or memory.count < REMEMBERED / 4:
            try:
                memory.take(pictures.get_nowait())
            except queue.Empty:
                pass
        part = spent / (options.minutes * 60)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (state["steps"] + 1) / 300) * (0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * min(1, part))))
        net.train()
        picture, numbers, lengths, known = memory.batch(rng)
        answer = sequences(net(picture.contiguous(memory_format=torch.channels_last)))
        places = torch.full((answer.shape[1],), answer.shape[0])
        logs = functional.log_softmax(answer, 2)
        loss = functional.ctc_loss(logs, numbers, places, lengths, zero_infinity=True)
        # Where a drawn glyph lies is known: said so at first, the network needn't find out by itself.
        told = -logs[known[:, 0], known[:, 1], known[:, 2]].mean()
        loss_mean = 0.98 * loss_mean + 0.02 * loss.item()
        loss = loss + told * max(0.05, 1 - state["steps"] / TOLD)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
        state["steps"] += 1
        average.take(net)
        if time.time() - saved_at > 120:
            saved_at = time.time()
            network.keep(state_path, net, optimizer, average, state, time.time() - begun)
        if time.time() - looked > options.look * 60:
            looked = time.time()
            said = "  ".join(f"{name} {right}/{count}" for name, (right, count) in measure(average.net, sets).items())
            print(f"{(looked - begun) / 60:5.1f} min  step {state['steps']}  drawn {memory.count}  loss {loss_mean:.3f}  {said}", flush=True)
            whole_net.write(output, average.net)
    network.keep(state_path, net, optimizer, average, state, time.time() - begun)
    whole_net.write(output, average.net)
    drawer.terminate()
    print(f"{output}: {state['steps']} steps  {measure(average.net, sets)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
