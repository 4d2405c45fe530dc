"""Texts like those on number plates. `#` is a digit, `@` a letter, a space a gap between groups (never part of the text)."""

import re

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
ALL_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

FORMATS = {
    "eu": [
        "@@ ####", "@@ ###@@", "@@ ##@@@", "@@@ ###", "@@ ### @@", "@ @@ ####", "@@ @@ ###", "@@## @@@", "#@# ####",
        "##@ ####", "@@@ ####", "@@ #####", "@@ ## ##", "## @@ ##", "##@@##", "@ ### @@", "@## @@@", "@@@ ##@",
    ],
    "us": [
        "#@@@###", "@@@ ####", "@@@ ###", "@@@####", "###@@@", "### @@@", "#@@ ###", "##@###", "@@# @#@", "#@#####",
        "@@## @@", "@@@##@", "######@", "#@@#@@", "@@ #####", "@##@@@", "@@@@@@", "### ###", "#####@#", "@@@@@@@", "@@@@@",
    ],
    "br": ["@@@ ####", "@@@####", "@@@#@##"],
    "in": ["@@ ## @@ ####", "@@ ## @ ####", "@@##@@####", "@@#@@@####", "@@ ## @@", "####", "@@##@", "@@ ####", "##@@@####"],
    "np": ["@ @@ ####", "@ @@ ###", "@ @@ ##", "@@ ####", "@@####", "####"],
    "mixed": ["****", "*****", "******", "*******", "********", "***"],
    "one": ["*", "**"],
}
WEIGHTS = {"eu": 3, "us": 4, "br": 2, "in": 2, "np": 1.5, "mixed": 2.5, "one": 0.3}

INDIA = "AP AR AS BR CG CH DL GA GJ HP HR JH JK KA KL MH MN MP MZ NL OD OR PB PY RJ SK TN TR TS UK UP WB".split()


def told_apart(text, kind, letter, rng):
    """A text whose every `letter` (O or I) stands where letters stand, for alphabets in which it is the shape of 0 or 1.

    Where nothing tells them apart the network would answer with both; there it is a digit, and the reader's formats decide.
    """
    keep = kind in ("eu", "br", "in", "np")
    groups = re.findall(r"[A-Z]+|[^A-Z]+", text)
    return "".join(g if keep and len(g) > 1 else g.replace(letter, rng.choice(LETTERS)) for g in groups)


def latin(rng, kinds=None, digits_only=False):
    """A random plate text with spaces where the groups are apart, and its kind."""
    kinds = kinds or WEIGHTS
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    form = rng.choice(FORMATS[kind])
    out = []
    for c in form:
        if c == "#" or (digits_only and c in "@*"):
            out.append(rng.choice("0123456789"))
        elif c == "@":
            # I, O and Q are rare where digits are near, but they occur (France, India, vanity plates).
            out.append(rng.choice(ALL_LETTERS if rng.random() < 0.5 else LETTERS))
        elif c == "*":
            out.append(rng.choice("0123456789" + ALL_LETTERS))
        else:
            out.append(c)
    text = "".join(out)
    if kind == "in" and form.startswith("@@") and not digits_only:
        text = rng.choice(INDIA) + text[2:]
    if kind == "np" and form.startswith("@ ") and not digits_only:
        text = rng.choice("ABCDEFGHIJK") + text[1:]
    return text, kind
