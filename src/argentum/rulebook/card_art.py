"""Styles of boxes, and the icon and short text of each card."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, BOX_NAMES
from argentum.rules.residents import RESIDENTS_PER_BOX


class BoxStyle(NamedTuple):
    """Name, colours and badge of a box, the same in all themes.

    The badges also differ in shape, for people who cannot distinguish their colours.
    """

    name: str  # "dagger"
    letter: str  # "d"
    title: str  # "Silver Dagger"
    badge: str  # colours as #rgb or #rrggbb
    number: str  # on the badge
    window: str
    disc: str  # behind the icon
    roofs: str
    badge_edge: str  # colour of the badge's outline on any background; empty for the theme's
    text_colour: str  # of the badge glyph in text on a light background
    ansi_colour: str  # of the badge glyph, one of the sixteen terminal colours
    badge_glyph: str  # the badge as a character
    badge_svg: str  # an SVG element in a square with sides of 40
    badge_baseline: float  # y coordinate of the number in badge_svg
    badge_points: tuple[tuple[float, float], ...]  # corners of badge_svg; empty for a circle of radius 16
    badge_font_sizes: tuple[float, float]  # in pixels, for numbers of one digit and of two
    sources_note: str  # says where the texts of the box come from, if not from its rulebook; otherwise empty


class CardArt(NamedTuple):
    """Picture and caption of a resident or token."""

    icon: str  # name at game-icons.net
    line: str  # what the card does, in a few words
    short: str  # the line in at most 27 characters
    welcome: int  # position on the landing page, from 1; 0 if it is not shown there


@cache
def load_box_file(name: str) -> dict[str, Any]:
    """Return the parsed data file of a box: `style`, `art`, and rulings by label."""
    return tomllib.loads(files("argentum.rulebook").joinpath("boxes", f"{name}.toml").read_text(encoding="utf-8"))


@cache
def box_style(name: str) -> BoxStyle:
    """Return the style of a box.

    >>> box_style("dagger").title, box_style("dagger").badge
    ('Silver Dagger', '#b0223f')
    """
    box = BOX_BY_NAME[name]
    style = load_box_file(name)["style"]
    return BoxStyle(
        name,
        box.letter,
        box.title,
        badge=style["badge"],
        number=style["number"],
        window=style["window"],
        disc=style["disc"],
        roofs=style["roofs"],
        badge_edge=style.get("badge_edge", ""),
        text_colour=style["text_colour"],
        ansi_colour=style["ansi_colour"],
        badge_glyph=style["badge_glyph"],
        badge_svg=style["badge_svg"],
        badge_baseline=style["badge_baseline"],
        badge_points=tuple((x, y) for x, y in style["badge_points"]),
        badge_font_sizes=tuple(style["badge_font_sizes"]),
        sources_note=style.get("sources_note", ""),
    )


def box_styles() -> list[BoxStyle]:
    """Return the styles of all boxes, in the order of `ALL_BOXES`."""
    return [box_style(name) for name in BOX_NAMES]


@cache
def all_card_art() -> dict[str, CardArt]:
    """Return the art of all residents and tokens by label.

    >>> len(all_card_art())
    60
    """
    return {
        label: CardArt(entry["icon"], entry["line"], entry.get("short", entry["line"]), entry.get("welcome", 0))
        for box in BOX_NAMES
        for label, entry in load_box_file(box)["art"].items()
    }


def card_art(label: str) -> CardArt:
    """Return the art of a resident or token; raise `ValueError` for any other label.

    >>> card_art("D7")
    CardArt(icon='all-seeing-eye', line='Look until you find a 4 or less', short='Look until a 4 or less', welcome=0)
    """
    art = all_card_art().get(label)
    if art is None:
        ranges = [f"{box.label(0)} to {box.label(RESIDENTS_PER_BOX)}" for box in ALL_BOXES]
        raise ValueError(f"there is no picture {label!r}: the labels run from {', '.join(ranges)}")
    return art


@cache
def icons() -> dict[str, dict[str, str]]:
    """Return all icons by name: `body` is SVG in a square with sides of 512, `author` the name of the artist."""
    icons_by_name: dict[str, dict[str, str]] = json.loads(
        files("argentum.rulebook").joinpath("icons.json").read_text(encoding="utf-8")
    )
    return icons_by_name
