"""Trains the finder of plates: crops without end, a look at how it finds now and then, until the time is up.

    python -m checkpost_train.finder_train --work DIR --minutes 30 [--plates DIR] [--fold 0|1] [--seed N] [--output FILE]

Without `--plates` it learns from drawn places alone. With `--fold` it learns from one half of the photos, divided by vehicle and
road, and says what it finds in the other half: that figure is the honest one, the shipped network learns from all.
An interrupted run goes on where it was: the state is written every minute.
"""

import argparse
import math
import os
import random
import signal
import sys
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import finder_data, finder_net, finder_photos
from . import net as network

BATCH = 16
RATE = 0.003
SETS = ("eu", "us", "br", "in", "np", "np_road_text", "np_road")


def loss_of(output, heat, mask, sides, weight):
    """How wrong an answer is: of the heat by focal loss, of the sides by how little the boxes overlap."""
    logit = output[:, 0]
    chance = torch.sigmoid(logit)
    middle = (heat >= 1).float() * mask
    right = -functional.logsigmoid(logit) * (1 - chance) ** 2 * middle
    wrong = -functional.logsigmoid(-logit) * chance**2 * (1 - heat) ** 4 * (1 - middle) * mask
    count = middle.sum().clamp(min=1)
    heat_loss = (right.sum() + wrong.sum()) / count
    said = torch.exp(output[:, 1:].clamp(-4, 5))
    l, t, r, b = said.unbind(1)
    tl, tt, tr, tb = sides.unbind(1)
    area, true = (l + r) * (t + b), (tl + tr) * (tt + tb)
    common = (torch.minimum(l, tl) + torch.minimum(r, tr)).clamp(min=0) * (torch.minimum(t, tt) + torch.minimum(b, tb)).clamp(min=0)
    union = area + true - common
    around = (torch.maximum(l, tl) + torch.maximum(r, tr)) * (torch.maximum(t, tt) + torch.maximum(b, tb))
    overlap = common / union.clamp(min=1e-6) - (around - union) / around.clamp(min=1e-6)
    return heat_loss, ((1 - overlap) * weight).sum() / weight.sum().clamp(min=1)


def measure(net, sets, least=0.3):
    """Per set: plates, found with a score of at least `least` and an overlap of a half, boxes a picture that lie on none."""
    net.eval()
    out = {}
    for name, photos in sets.items():
        plates = found = first = false = 0
        for photo in photos:
            picture, scale = finder_photos.shown(photo.levels[0])
            with torch.no_grad():
                answer = net(torch.from_numpy(picture)[None].contiguous(memory_format=torch.channels_last))[0].numpy()
            boxes = [(s, x * scale, y * scale, r * scale, b * scale) for s, x, y, r, b in finder_net.boxes(answer, least)]
            # 50 px in a picture 720 px wide is the least that counts on the road.
            known = [(x, y, x + w, y + h) for x, y, w, h in photo.boxes]
            counted = [k for k in known if name != "np_road" or k[2] - k[0] >= 50]
            for k in counted:
                plates += 1
                found += any(finder_net.iou(k, box[1:]) >= 0.5 for box in boxes)
                first += bool(boxes) and finder_net.iou(k, boxes[0][1:]) >= 0.5
            false += sum(all(finder_net.iou(k, box[1:]) < 0.3 for k in known) for box in boxes)
        out[name] = (plates, found, first, false / max(1, len(photos)))
    return out


def said(figures):
    return "  ".join(f"{name} {100 * f / max(1, n):.0f}% of {n} (first {100 * t / max(1, n):.0f}, false {w:.1f})" for name, (n, f, t, w) in figures.items())


def main():
    parser = argparse.ArgumentParser(prog="models/train/run finder", description=__doc__.split("\n")[0])
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/checkpost-train"), help="where the state lies")
    parser.add_argument("--minutes", type=float, default=30, help="how long to train in all, in minutes of one core")
    parser.add_argument("--plates", help="a folder of sets (SET/truth.csv or boxes.csv, and photos) to learn from")
    parser.add_argument("--fold", type=int, choices=[0, 1], help="learn from the other half, measure on this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="where to write the network (default: DIR/plate-finder.weights)")
    parser.add_argument("--look", type=float, default=4, help="minutes between two looks at how it finds")
    options = parser.parse_args()
    # A short run shows how it gets on too.
    options.look = min(options.look, options.minutes / 6)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = os.path.join(os.path.abspath(options.work), "finder" if options.fold is None else f"finder-{options.fold}")
    os.makedirs(folder, exist_ok=True)
    output = options.output or os.path.join(folder, "plate-finder.weights")
    state_path = os.path.join(folder, "state.pt")

    rng = random.Random(options.seed)
    plates, places = finder_data.drawn(rng, 700, 60)
    sets = {name: finder_photos.photos(options.plates, name) for name in SETS} if options.plates else {}
    learned = {n: [p for p in s if options.fold is None or finder_photos.half(p.group) != options.fold] for n, s in sets.items()}
    other = {n: [p for p in s if options.fold is None or finder_photos.half(p.group) == options.fold] for n, s in sets.items()}
    crops = finder_data.Crops(learned, rng, plates, places)
    print(f"learns from {sum(map(len, learned.values()))} photos, {len(plates)} drawn plates and {len(places)} drawn places", flush=True)

    net = finder_net.Finder().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.01)
    state = {"steps": 0, "seconds": 0.0}
    average = network.Average(net)
    if os.path.exists(state_path):
        saved = torch.load(state_path)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        average.net.load_state_dict(saved["average"])
        state, average.steps = saved["state"], saved["state"]["steps"]
        rng.seed(f"{options.seed}/{state['steps']}")
    begun, looked, saved_at = time.process_time() - state["seconds"], time.process_time(), time.time()
    losses = np.zeros(2)
    while time.process_time() - begun < options.minutes * 60:
        part = (time.process_time() - begun) / (options.minutes * 60)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (state["steps"] + 1) / 300) * (0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * min(1, part))))
        net.train()
        picture, heat, mask, sides, weight = (torch.from_numpy(array) for array in crops.batch(BATCH))
        answer = net(picture.contiguous(memory_format=torch.channels_last))
        heat_loss, side_loss = loss_of(answer, heat, mask, sides, weight)
        optimizer.zero_grad()
        (heat_loss + side_loss).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10)
        optimizer.step()
        average.take(net)
        state["steps"] += 1
        losses = 0.98 * losses + 0.02 * np.array([heat_loss.item(), side_loss.item()])
        if time.time() - saved_at > 60:
            saved_at = time.time()
            network.keep(state_path, net, optimizer, average, state, time.process_time() - begun)
        if time.process_time() - looked > options.look * 60:
            looked = time.process_time()
            print(f"{(looked - begun) / 60:5.1f} min  step {state['steps']}  heat {losses[0]:.3f}  sides {losses[1]:.3f}  {said(measure(average.net, other))}", flush=True)
            finder_net.write(output, average.net)
    network.keep(state_path, net, optimizer, average, state, time.process_time() - begun)
    finder_net.write(output, average.net)
    print(f"{output}: {state['steps']} steps  {said(measure(average.net, other))}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
