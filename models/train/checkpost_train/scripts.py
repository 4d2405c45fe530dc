"""What differs between the scripts: the alphabet inside the network, the lines to train on, the sets to measure on."""

import collections
import re

from . import cut, devanagari, starter, synth

Script = collections.namedtuple("Script", "name symbols line sets cut encode tidy")



def _latin(text):
    """A Latin plate; nothing for one in Devanagari that lies among them."""
    return text if text.isascii() else ""


def _deva(text):
    """Symbols of a Nepali plate; nothing for a plate in Latin letters that lies among them."""
    return "" if re.search("[A-Za-z0-9]", text) else devanagari.symbols_of(text)


SCRIPTS = {
    "latin": Script(
        "latin", starter.LATIN_SYMBOLS, synth.latin_line, ("eu", "us", "br", "in"), cut.latin, _latin,
        lambda text: re.sub(r"[^0-9A-Z]", "", text.upper()),
    ),
    "devanagari": Script(
        "devanagari", [s[0] for s in devanagari.SYMBOLS], synth.devanagari_line, ("np", "np_road_text"), cut.devanagari, _deva, str,
    ),
}
