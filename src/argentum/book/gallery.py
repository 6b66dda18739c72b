"""How residents and tokens are pictured: an icon each, and what they do in a few words."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Art(NamedTuple):
    """The picture of a resident or token: the name of its icon at game-icons.net, and its few words."""

    icon: str
    line: str


@cache
def gallery() -> dict[str, Art]:
    """Every picture by its label: a resident's is that of its ruling, a token's its box and 14.

    >>> len(gallery())
    45
    """
    source = tomllib.loads(files("argentum.book").joinpath("gallery.toml").read_text(encoding="utf-8"))
    return {label: Art(entry["icon"], entry["line"]) for label, entry in source.items()}


def card(label: str) -> Art:
    """The picture of one resident or token.

    >>> card("D7")
    Art(icon='all-seeing-eye', line='Look until you find a 4 or less')
    """
    art = gallery().get(label)
    if art is None:
        raise ValueError(f"there is no picture {label!r}: the labels run from B0 to B14, C0 to C14 and D0 to D14")
    return art
