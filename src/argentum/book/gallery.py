"""How residents and tokens are pictured: an icon each, what they do in a few words, and how sure those words are."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from argentum.rules.residents import BOXES, NUMBERS

# How sure a card's text is, by how its source begins. Texts from a rulebook need no word.
SURENESS = (
    ("agreed:", "agreed"),
    ("agreed", "partly reconstructed"),
    ("inferred", "inferred"),
    ("reconstructed", "reconstructed"),
)


class Art(NamedTuple):
    """The picture of a resident or token: the name of its icon at game-icons.net, and its few words."""

    icon: str
    line: str
    short: str  # the line again, in at most 27 characters


@cache
def gallery() -> dict[str, Art]:
    """Every picture by its label: a resident's is that of its ruling, a token's its box and 14.

    >>> len(gallery())
    60
    """
    source = tomllib.loads(files("argentum.book").joinpath("gallery.toml").read_text(encoding="utf-8"))
    return {
        label: Art(entry["icon"], entry["line"], entry.get("short", entry["line"])) for label, entry in source.items()
    }


def card(label: str) -> Art:
    """The picture of one resident or token.

    >>> card("D7")
    Art(icon='all-seeing-eye', line='Look until you find a 4 or less', short='Look until a 4 or less')
    """
    art = gallery().get(label)
    if art is None:
        runs = [f"{box[0].upper()}0 to {box[0].upper()}{NUMBERS}" for box in BOXES]
        raise ValueError(f"there is no picture {label!r}: the labels run from {', '.join(runs)}")
    return art


def sureness(source: str) -> str:
    """How sure a card's text is, by where it comes from; empty for a text of the rulebooks.

    >>> from argentum.rules.boxes import resident_of
    >>> [sureness(resident_of(*one).source) for one in (("amulet", 2), ("amulet", 3), ("bullet", 3), ("dagger", 3))]
    ['agreed', 'partly reconstructed', 'reconstructed', '']
    """
    return next((word for start, word in SURENESS if source.startswith(start)), "")
