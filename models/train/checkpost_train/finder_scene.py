"""Drawn plates, and drawn places without any, for the finder: what it learns from where there are no photos."""

import cv2
import numpy as np

from . import devanagari, fonts, latin, line, synth, texts

# Ground and writing (blue, green, red) of the plates of many countries, and how usual they are.
PAINT = {
    "latin": [((235, 240, 240), (30, 25, 25), 8), ((60, 200, 235), (20, 20, 20), 2), ((30, 25, 25), (235, 235, 235), 2), ((120, 40, 30), (240, 240, 240), 1),
              ((40, 40, 170), (240, 240, 240), 1), ((60, 120, 40), (240, 240, 240), 1), ((170, 175, 175), (35, 30, 30), 3), ((230, 225, 205), (120, 50, 30), 2)],
    "devanagari": [((45, 35, 175), (235, 235, 240), 8), ((60, 60, 205), (240, 240, 240), 4), ((25, 25, 28), (230, 230, 230), 3), ((235, 235, 235), (40, 30, 190), 2),
                   ((60, 120, 30), (235, 235, 235), 1), ((50, 195, 230), (130, 40, 20), 1), ((140, 60, 20), (235, 235, 235), 1)],
}


def plate(rng):
    """A drawn plate seen square on: its picture (blue, green, red), 120 to 240 px high with no margin."""
    script = "devanagari" if rng.random() < 0.45 else "latin"
    rows = rng.choice([1, 2, 2, 2, 3]) if script == "devanagari" else rng.choice([1, 1, 1, 1, 2])
    inks = [ink for ink in (_row(rng, script, alone=rows == 1) for _ in range(rows)) if ink is not None]
    if not inks:
        return None
    if rows == 2 and rng.random() < 0.4:
        inks[0] = cv2.resize(inks[0], None, fx=0.75, fy=0.6, interpolation=cv2.INTER_AREA)
    if rows == 1 and script == "latin" and rng.random() < 0.5:
        # A state's or a town's name in small letters above or below, as in America.
        small = _row(rng, script, alone=True)
        if small is not None:
            fit = rng.uniform(0.3, 0.8) * inks[0].shape[1] / small.shape[1]
            small = cv2.resize(small, (max(8, int(small.shape[1] * fit)), rng.randint(10, 20)), interpolation=cv2.INTER_AREA)
            inks = [small] + inks if rng.random() < 0.6 else inks + [small]
    wide = max(ink.shape[1] for ink in inks)
    gap, side, top = rng.randint(5, 22), rng.randint(8, 60), rng.randint(8, 34)
    height, width = sum(i.shape[0] for i in inks) + gap * (len(inks) - 1) + 2 * top, wide + 2 * side
    ink = np.zeros((height, width), np.float32)
    y = top
    for part in inks:
        x = (width - part.shape[1]) // 2 if rng.random() < 0.8 else rng.randint(0, width - part.shape[1])
        ink[y : y + part.shape[0], x : x + part.shape[1]] = part / 255
        y += part.shape[0] + gap
    ground, writing, _ = rng.choices(PAINT[script], [p[2] for p in PAINT[script]])[0]
    ground, writing = (np.float32([c + rng.gauss(0, 14) for c in colour]) for colour in (ground, writing))
    picture = ground + (writing - ground) * ink[:, :, None]
    if rng.random() < 0.6:
        edge = rng.randint(1, 5)
        inset = rng.choice([0, 0, rng.randint(1, 6)])
        colour = writing if rng.random() < 0.6 else np.float32([rng.uniform(20, 240)] * 3)
        cv2.rectangle(picture, (inset, inset), (width - 1 - inset, height - 1 - inset), colour.tolist(), edge)
    if script == "latin" and rng.random() < 0.2:
        picture[:, : int(height * 0.4)] = (150, 60, 20)
    if rng.random() < 0.3:
        for x in (rng.uniform(0.08, 0.3), rng.uniform(0.7, 0.92)):
            cv2.circle(picture, (int(x * width), rng.choice([top // 2, height - top // 2])), rng.randint(3, 7), (rng.uniform(30, 220),) * 3, -1)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _row(rng, script, alone):
    """The ink of one row of writing, cut to its glyphs, or None."""
    if script == "latin":
        style = latin.style(rng) if rng.random() < 0.6 else None
        text, _ = texts.latin(rng)
        glyphs, _ = synth.latin_glyphs(text, style, 64, rng, 0.5)
        gaps = synth.gaps_of(text, glyphs, 64, rng) if glyphs else []
        tops = None
    else:
        text = devanagari.row(rng)
        while alone and len(text) < 6:
            text = devanagari.row(rng)
        style, face = devanagari.style(rng), fonts.pick("devanagari", rng)
        glyphs, gaps, tops, space = [], [], [], rng.uniform(3, 18)
        for c in text.replace(".", "").replace("-", ""):
            if c == " ":
                space += 20
                continue
            made = (devanagari.drawn(c, style, 64, rng) if rng.random() < 0.8 else None) or synth.printed(c, face, 64, rng.uniform(0, 5), rng.uniform(0.7, 1.2))
            if made is not None:
                glyphs.append(made[0])
                tops.append(made[1])
                gaps.append(space)
                space = rng.uniform(3, 18)
    if not glyphs:
        return None
    ink = line.compose(glyphs, gaps, 64, rng, ragged=tops)[0]
    ys, xs = np.where(ink > 60)
    return ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] if len(ys) else None


def place(rng, size=640):
    """A drawn place without a plate: sky and ground, things with edges, wheels, windows, foliage, lettering."""
    noise = np.random.RandomState(rng.getrandbits(32))
    image = np.empty((size, size, 3), np.float32)
    image[:] = [rng.uniform(60, 220) for _ in range(3)]
    horizon = int(size * rng.uniform(0.1, 0.6))
    image[horizon:] = np.float32([rng.uniform(50, 190)] * 3) + np.float32([rng.gauss(0, 12) for _ in range(3)])
    for side in (8, 32, 128):
        grain = noise.normal(0, rng.uniform(3, 22), (size // side + 1, size // side + 1, 1)).astype(np.float32)
        image += cv2.resize(grain, (size, size), interpolation=cv2.INTER_CUBIC)[:, :, None]
    for _ in range(rng.randint(8, 45)):
        colour = [rng.uniform(10, 250) for _ in range(3)] if rng.random() < 0.5 else [rng.uniform(10, 250)] * 3
        x, y = rng.randrange(size), rng.randrange(size)
        w, h = int(size * rng.uniform(0.02, 0.3)), int(size * rng.uniform(0.02, 0.3))
        kind = rng.random()
        if kind < 0.4:
            cv2.rectangle(image, (x, y), (x + w, y + h), colour, -1 if rng.random() < 0.6 else rng.randint(1, 6))
        elif kind < 0.55:
            cv2.ellipse(image, (x, y), (w // 2, h // 2), rng.uniform(0, 180), 0, 360, colour, -1 if rng.random() < 0.5 else rng.randint(2, 12))
        elif kind < 0.7:
            points = np.int32([[x + rng.uniform(-w, w), y + rng.uniform(-h, h)] for _ in range(rng.randint(3, 6))])
            cv2.fillPoly(image, [points], colour)
        elif kind < 0.85:
            # A row of bars or slats: what has edges as close as writing.
            step = rng.randint(4, 16)
            for k in range(rng.randint(3, 14)):
                cv2.line(image, (x + k * step, y), (x + k * step + rng.randint(-3, 3), y + h // 2), colour, rng.randint(1, max(1, step // 2)))
        else:
            spots = noise.randint(0, 256, (max(2, h // 6), max(2, w // 6), 3)).astype(np.float32)
            part = image[y : y + h, x : x + w]
            if part.size:
                part[:] = 0.5 * part + 0.5 * cv2.resize(spots, (part.shape[1], part.shape[0]))
    for _ in range(rng.choice([0, 1, 2, 4])):
        lettering(image, rng)
    return np.clip(image, 0, 255).astype(np.uint8)


def lettering(image, rng):
    """Writes a slogan or a name on what is there, without a plate's ground: shops, lorries and windows have them."""
    text = "".join(rng.choice("ABCDEFGHIKLMNOPRSTUVWY") for _ in range(rng.randint(4, 12)))
    if rng.random() < 0.3:
        text = text.lower()
    path = fonts.pick("latin", rng) if rng.random() < 0.6 else fonts.pick("devanagari", rng)
    if "eva" in path.lower() and rng.random() < 0.8:
        text = "".join(rng.choice("कखगघचजतदनपबमयरलवसह") + rng.choice(["", "ा", "ि", "े", "ो"]) for _ in range(rng.randint(3, 8)))
    ink = fonts.written(path, text, 60)
    if ink is None:
        return
    height = rng.randint(8, 60)
    ink = cv2.resize(ink, (max(4, int(ink.shape[1] * height / ink.shape[0])), height), interpolation=cv2.INTER_AREA)
    y, x = rng.randrange(max(1, image.shape[0] - height)), rng.randrange(max(1, image.shape[1] - 20))
    part = image[y : y + height, x : x + ink.shape[1]]
    share = ink[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = (part * (1 - share) + np.float32([rng.uniform(0, 255)] * 3) * share).astype(image.dtype)
