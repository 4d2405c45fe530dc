"""The words of the console, in the language that the day is played in, from the product's own files: what a button is called is said once."""

import json
import os
import re

from box import ROOT

LANGUAGE = os.environ.get("CHECKPOST_LANGUAGE", "ne")
NAMES = {"en": "English", "ne": "नेपाली"}


def read(language):
    texts = {}
    for part in ("Pages", "Console"):
        texts |= json.loads((ROOT / "Sources" / part / "Texts" / f"{language}.json").read_text())
    return texts


TEXTS = {language: read(language) for language in NAMES}


def figures(text):
    """A number as the pages write it."""
    return text.translate(str.maketrans("0123456789", "०१२३४५६७८९")) if LANGUAGE == "ne" else text


def say(name, /, **values):
    """A text with what stands in it."""
    text = TEXTS[LANGUAGE][name]
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return text


def like(name, /, **values):
    """A text of which some parts aren't known, such as the time."""
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(say(name, **values))))


def choice(name, number):
    """One of the reasons to choose from, which stand in one text."""
    return say(name).split("|")[number]
