"""Makes one training line: text, alphabet, row, photo, mask."""

from . import devanagari, fonts, latin, line, strokes, texts

# How many of the Devanagari rows are real ones, and how many of the others hold real glyphs, where there are any.
WHOLE_ROWS, WITH_REAL_GLYPHS = 0.1, 0.4

# All low Devanagari rows and so many of the others are cut out as the reader's own code does it.
AS_READ = 0.6

# How many rows are as low in the picture as a plate's uppermost one, or as all of it to a camera above the road, and how low, in pixels.
TINY_NAMED, TINY = 0.5, 0.25
NAMED_HEIGHTS, HEIGHTS = (7.5, 16.0), (8.0, 16.0)


def latin_line(rng, hard=1.0, digits_only=False):
    """(image, text) of a random Latin plate row, or None where nothing of it was left."""
    height = 64
    style = latin.style(rng) if rng.random() < 0.65 else None
    brazil = style is not None and style["heavy"] and rng.random() < 0.4
    text, kind = texts.latin(rng, {"br": 1} if brazil else None, digits_only)
    if latin.same_zero(style) if style else rng.random() < 0.5:
        text = texts.told_apart(text, kind, "O", rng)
    if latin.same_one(style) if style else rng.random() < 0.5:
        text = texts.told_apart(text, kind, "I", rng)
    glyphs, chars = latin_glyphs(text, style, height, rng, hard)
    if not glyphs:
        return None
    gaps = gaps_of(text, glyphs, height, rng)
    canvas, box = line.compose(glyphs, gaps, height, rng, wander=0.008 * hard * rng.random())
    extra = rng.random() < 0.16 * hard
    if extra:
        line.blobs(canvas, box, rng, rng.choice([1, 1, 2]))
    gray, seen = line.photographed(canvas, box, rng, hard)
    image = line.masked(gray, seen, rng, keep=0.8 if extra else 0.25)
    if image is None or image.shape[1] < 12 or image.shape[1] > 640:
        return None
    return image, chars


def latin_glyphs(text, style, height, rng, hard):
    if style:
        lean = rng.choice([0, 0, rng.gauss(0, 0.05)])
        out = []
        for c in text.replace(" ", ""):
            w = max(latin.width_of(c, style), style["pen"]) * height
            pen = style["pen"] * height
            out.append(strokes.draw(latin.skeleton(c, style), w, height, pen, style["radius"] * w, style["ends"], slant=lean, butt=style["butt"], chamfer=style["chamfer"]))
        return out, text.replace(" ", "")
    path = fonts.pick("latin", rng)
    squeeze = rng.uniform(0.7, 1.1)
    by = rng.gauss(0, 1.8) * min(1, hard)
    out = []
    for c in text.replace(" ", ""):
        ink = fonts.glyph(path, c)
        if ink is None:
            return [], ""
        ink = fonts.weighted(ink, by)
        scale = height / fonts.weighted(fonts.glyph(path, "H"), by).shape[0]
        # Plates have figures as high as capitals; descending Q and J keep their tails.
        tall = height if c not in "QJ" else min(int(ink.shape[0] * scale), int(height * 1.2))
        width = max(2, int(ink.shape[1] * scale * squeeze)) if c not in "I1" else max(2, int(ink.shape[1] * scale))
        out.append(strokes.cv2.resize(ink, (width, tall), interpolation=strokes.cv2.INTER_AREA))
    return out, text.replace(" ", "")


def gaps_of(text, glyphs, height, rng):
    """Space before each glyph: proportional or in cells, wider between groups, now and then touching."""
    space = rng.uniform(0.08, 0.24) * height
    if rng.random() < 0.06:
        space = rng.uniform(-0.02, 0.04) * height
    group = rng.uniform(0.15, 0.75) * height
    cell = rng.random() < 0.4
    widest = sorted(g.shape[1] for g in glyphs)[len(glyphs) * 3 // 4]
    gaps, i, wide, before = [], 0, False, 0.0
    for c in text:
        if c == " ":
            wide = True
            continue
        spare = max(0, (widest - glyphs[i].shape[1]) / 2) if cell else 0
        gaps.append(0 if i == 0 else space + spare + before + (group if wide else 0) + rng.gauss(0, 0.01) * height)
        before, wide = spare, False
        i += 1
    return gaps


def devanagari_hand(rng):
    """How the rows of one plate are written: by a painter's or a stamp's strokes, in a font, or some of both; how wide and how far apart."""
    digits = rng.random() < 0.65
    face = fonts.pick("devanagari", rng)
    space, wide = rng.uniform(0.05, 0.3), rng.uniform(0.25, 0.9)
    if rng.random() < 0.12:
        # Painted far apart, to fill a plate as wide as a bus.
        space, wide = rng.uniform(0.3, 0.9), rng.uniform(0.5, 1.8)
    if rng.random() < 0.06:
        space = rng.uniform(-0.02, 0.03)
    return {
        # Digits differ most from print, the one and the nine more than others; letters hang from their head line everywhere.
        "style": devanagari.style(rng), "digits": digits, "letters": rng.random() < 0.5, "one and nine": digits or rng.random() < 0.4,
        "face": face, "heavier": rng.uniform(-1, 7) if "Bold" not in face and "Black" not in face else rng.uniform(-3, 3),
        "squeeze": rng.uniform(0.75, 1.2) if rng.random() < 0.6 else rng.uniform(1.2, 1.7), "space": space, "wide": wide,
    }


def devanagari_inks(text, hand, height, rng, bank=None):
    """(inks, their tops, gaps, numbers, symbols) of a row by a hand, for `line.compose`; None where its font lacks something."""
    inks, tops, gaps, numbers, chars, gap = [], [], [], [], "", 0.0
    face, heavier, squeeze = hand["face"], hand["heavier"], hand["squeeze"]
    for c in text:
        if c == " ":
            gap += hand["wide"] * height
            continue
        if c in ".-":
            side = int(height * rng.uniform(0.09, 0.18))
            mark = strokes.np.full((side, side if c == "." else 2 * side), 255, strokes.np.uint8)
            inks.append(mark)
            tops.append(height - side if c == "." else int(height * rng.uniform(0.4, 0.55)))
            numbers.append(0)
        elif c == devanagari.NUMBER:
            made = printed(rng.choice(devanagari.NUMBERS), face, height, heavier, squeeze)
            if made is None:
                return None
            inks.append(made[0])
            tops.append(made[1])
            numbers.append(0)
        else:
            by_hand = hand["letters"]
            if c.isdigit():
                by_hand = hand["one and nine"] if c in "19" else hand["digits"]
            made = bank.glyph(c, rng) if bank and rng.random() < 0.8 else None
            made = made or (devanagari.drawn(c, hand["style"], height, rng) if by_hand else None)
            made = made or printed(c, face, height, heavier, squeeze)
            if made is None:
                return None
            inks.append(made[0])
            tops.append(made[1])
            chars += c
            numbers.append(len(chars))
        gaps.append(hand["space"] * height * rng.uniform(0.6, 1.4) + gap if len(inks) > 1 else 0)
        gap = 0.0
    return inks, tops, gaps, numbers, chars


def devanagari_line(rng, hard=1.0, digits_only=False, bank=None):
    """(image, symbols) of a random Devanagari plate row, or None where nothing of it was left.

    With a `bank` (real.Bank) a part of the rows are real ones, or hold real glyphs beside the drawn ones.
    """
    if bank is not None and rng.random() < WHOLE_ROWS:
        return bank.row(rng, hard)
    real = bank is not None and rng.random() < WITH_REAL_GLYPHS
    text = devanagari.row(rng)
    if digits_only:
        text = "".join(rng.choice("0123456789") for _ in range(rng.choice([3, 4, 4, 5])))
    hand = devanagari_hand(rng)
    named = any(c in "XqADVWLRZ" for c in text)
    if named:
        hand["squeeze"] = rng.uniform(0.5, 1.2)
    height = 64
    made = devanagari_inks(text, hand, height, rng, bank if real else None)
    if made is None:
        return None
    inks, tops, gaps, numbers, chars = made
    canvas, box, places = line.compose(inks, gaps, height, rng, wander=0.02 * hard * rng.random(), ragged=tops, numbers=numbers)
    if rng.random() < 0.12 * hard:
        by = rng.gauss(0, 0.1) * height
        canvas, places = line.bent(canvas, by), line.bent(places, by, strokes.cv2.INTER_NEAREST)
    if rng.random() < 0.15 * hard:
        line.framed(canvas, box, rng)
    extra = rng.random() < 0.2 * hard
    if extra:
        line.blobs(canvas, box, rng, rng.choice([1, 1, 2]))
    if rng.random() < (0.75 if named else 0.2):
        # The reader takes the glyphs' median height: where most have signs above, the row is that much smaller.
        box = (box[0], box[1] - int(height * rng.uniform(0.05, 0.4)), box[2], box[3])
    tiny = rng.random() < (TINY_NAMED if named else TINY) * hard
    heights = (NAMED_HEIGHTS if named else HEIGHTS) if tiny else None
    gray, seen, places = line.photographed(canvas, box, rng, hard, heights, places)
    if tiny or rng.random() < AS_READ:
        image = line.as_read(gray, seen, rng, devanagari.LOWEST, places, loose=tiny)
    else:
        image = line.masked(gray, seen, rng, keep=rng.choice([0.0, 0.0, 0.5, 1.0]), lowest=devanagari.LOWEST)
    if image is None or image.shape[1] < 12 or image.shape[1] > 700:
        return None
    return image, chars


def printed(symbol, face, height, heavier, squeeze):
    """A symbol of a font: digits as high as the font's three is to the row, letters hanging from its top by their head line."""
    text = devanagari.TEXT_OF.get(symbol, symbol)
    ink = fonts.glyph(face, text)
    plain = fonts.glyph(face, "प")
    three = fonts.glyph(face, "३")
    if ink is None or plain is None or three is None:
        return None
    # Signs above the head line lift a letter: the line is its widest row near the top.
    head = 0
    if not symbol.isdigit():
        rows = (ink > 128).sum(1)
        head = int(rows[: max(1, len(rows) // 2)].argmax())
        head = head if head > 0.12 * len(rows) else 0
    ink = fonts.weighted(ink, heavier)
    # Of many fonts the zero is smaller than the other digits, and stands in their middle.
    whole = three if symbol.isdigit() else plain
    scale = height / (whole.shape[0] + max(0, heavier))
    size = (max(2, int(ink.shape[1] * scale * squeeze)), max(2, int(ink.shape[0] * scale)))
    drop = fonts.drop(face, text, "३") * height if symbol.isdigit() else -head * scale
    return strokes.cv2.resize(ink, size, interpolation=strokes.cv2.INTER_AREA), int(drop)
