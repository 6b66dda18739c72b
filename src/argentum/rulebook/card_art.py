"""Icon, short text and box style per card."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from argentum.rules.residents import BOXES, RESIDENTS_PER_BOX


class CardArt(NamedTuple):
    """The picture of a resident or token: the name of its icon at game-icons.net, and its few words."""

    icon: str
    line: str
    short: str  # the line again, in at most 27 characters


@cache
def all_card_art() -> dict[str, CardArt]:
    """Every picture by its label: a resident's is that of its ruling, a token's its box and 14.

    >>> len(gallery())
    60
    """
    boxes = files("argentum.rulebook") / "boxes"
    tables = [tomllib.loads((boxes / f"{box}.toml").read_text(encoding="utf-8"))["art"] for box in BOXES]
    return {
        label: CardArt(entry["icon"], entry["line"], entry.get("short", entry["line"]))
        for art in tables
        for label, entry in art.items()
    }


def card_art(label: str) -> CardArt:
    """The picture of one resident or token.

    >>> card("D7")
    Art(icon='all-seeing-eye', line='Look until you find a 4 or less', short='Look until a 4 or less')
    """
    art = all_card_art().get(label)
    if art is None:
        runs = [f"{box[0].upper()}0 to {box[0].upper()}{RESIDENTS_PER_BOX}" for box in BOXES]
        raise ValueError(f"there is no picture {label!r}: the labels run from {', '.join(runs)}")
    return art


@cache
def icons() -> dict[str, dict[str, str]]:
    """The icons of the gallery by their names: `body` is SVG on a square of 512, `author` who drew it."""
    source = files("argentum.rulebook").joinpath("icons.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(source)
    return found
