"""Icon, short text and box style per card."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from argentum.rules.boxes import ALL_BOXES, BOX_NAMES
from argentum.rules.residents import RESIDENTS_PER_BOX


class BoxStyle(NamedTuple):
    """Colours and badge of a box. Boxes differ in the shape of the badge too, not by colour alone."""

    badge: str
    number: str  # on the badge
    window: str
    disc: str  # behind the icon
    roofs: str
    badge_svg: str  # an element on a square of 40
    badge_baseline: float  # of the number
    sources_note: str = ""  # why texts of the box do not come from its own documents; empty if they do


class CardArt(NamedTuple):
    """How a resident or token is pictured."""

    icon: str  # its name at game-icons.net
    line: str
    short: str  # the line in at most 27 characters


@cache
def load_box_file(name: str) -> dict[str, Any]:
    """Return the content of a box's data file: `style`, `art`, and its rulings by label."""
    return tomllib.loads(files("argentum.rulebook").joinpath("boxes", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def box_style(name: str) -> BoxStyle:
    """Return the style of a box.

    >>> box_style("dagger").badge
    '#b0223f'
    """
    return BoxStyle(**load_box_file(name)["style"])


@cache
def all_card_art() -> dict[str, CardArt]:
    """Return the art of all residents and tokens by label.

    >>> len(all_card_art())
    60
    """
    return {
        label: CardArt(entry["icon"], entry["line"], entry.get("short", entry["line"]))
        for box in BOX_NAMES
        for label, entry in load_box_file(box)["art"].items()
    }


def card_art(label: str) -> CardArt:
    """Return the art of a resident or token; raise `ValueError` for any other label.

    >>> card_art("D7")
    CardArt(icon='all-seeing-eye', line='Look until you find a 4 or less', short='Look until a 4 or less')
    """
    art = all_card_art().get(label)
    if art is None:
        ranges = [f"{box.label(0)} to {box.label(RESIDENTS_PER_BOX)}" for box in ALL_BOXES]
        raise ValueError(f"there is no picture {label!r}: the labels run from {', '.join(ranges)}")
    return art


@cache
def icons() -> dict[str, dict[str, str]]:
    """Return all icons by name: `body` is SVG on a square of 512, `author` is its artist."""
    icons_by_name: dict[str, dict[str, str]] = json.loads(
        files("argentum.rulebook").joinpath("icons.json").read_text(encoding="utf-8")
    )
    return icons_by_name
