"""Styles of boxes, and the icon and short text of each card."""

import json
import tomllib
from colorsys import hls_to_rgb
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import shorten
from typing import Any, Final, NamedTuple
from warnings import warn

from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, BOX_NAMES, PUBLISHED_BOXES
from argentum.rules.boxes.discovery import BoxWarning
from argentum.rules.residents import RESIDENTS_PER_BOX, Box, parse_label


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
    token_turns: bool  # the token points in the direction of play
    sources_note: str  # says where the texts of the box come from, if not from its rulebook; otherwise empty


class CardArt(NamedTuple):
    """Picture and caption of a resident or token."""

    icon: str  # name at game-icons.net, or `box/name` for an icon of the box's own
    line: str  # what the card does, in a few words
    short: str  # the line in at most 27 characters
    welcome: int  # position on the landing page, from 1; 0 if it is not shown there


# What a box file may leave out of `[style]`, except the colours, which follow from the box's letter.
DEFAULT_STYLE: Final[dict[str, Any]] = {
    "number": "#fff",
    "ansi_colour": "ansi_magenta",
    "badge_glyph": "■",
    "badge_svg": '<path d="M5 5h30v30H5z"/>',
    "badge_baseline": 28,
    "badge_points": [[5, 5], [35, 5], [35, 35], [5, 35]],
    "badge_font_sizes": [23, 20],
}
DEFAULT_ICON: Final = "unknown"
DEFAULT_ICON_BODY: Final = (
    '<path fill="currentColor" d="M256 64a96 96 0 1 0 0 192 96 96 0 0 0 0-192"/>'
    '<path fill="currentColor" d="M80 448c0-97 79-160 176-160s176 63 176 160z"/>'
)
MAX_SHORT_LINE: Final = 27
MAX_LINE: Final = 36


def data_folder(box: Box) -> Traversable | None:
    """Return the folder with the data files of a box; None if it has none.

    `Box.data` is the folder, or its package and the path within it: `"argentum.rulebook/boxes"`.
    """
    if isinstance(box.data, str):
        package, _, path = box.data.partition("/")
        return files(package).joinpath(path) if path else files(package)
    return box.data if isinstance(box.data, Traversable) else None


@cache
def load_box_file(name: str) -> dict[str, Any]:
    """Return the content of a box's data file: `style`, `art`, `icons`, `protected`, and its rulings by label.

    The file of a box that is not published may be missing; if it is invalid, warn and use none.
    """
    box = BOX_BY_NAME[name]
    try:
        folder = data_folder(box)
        file = None if folder is None else folder.joinpath(f"{name}.toml")
        return {} if file is None or not file.is_file() else tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, ImportError) as error:
        if box in PUBLISHED_BOXES:
            raise
        warn(f"the box {name!r} is used without its data file: {error}", BoxWarning, stacklevel=2)
        return {}


def _default_colours(letter: str) -> dict[str, str]:
    """Return colours for a box without a style, different for each letter."""
    hue = (ord(letter) * 0.618) % 1.0

    def colour(lightness: float) -> str:
        return "#" + "".join([f"{round(255 * part):02x}" for part in hls_to_rgb(hue, lightness, 0.4)])

    return {
        "badge": colour(0.36),
        "window": colour(0.2),
        "disc": colour(0.28),
        "roofs": colour(0.12),
        "text_colour": colour(0.36),
    }


@cache
def box_style(name: str) -> BoxStyle:
    """Return the style of a box.

    >>> box_style("dagger").title, box_style("dagger").badge
    ('Silver Dagger', '#b0223f')
    """
    box = BOX_BY_NAME[name]
    style = {**DEFAULT_STYLE, **_default_colours(box.letter), **load_box_file(name).get("style", {})}
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
        token_turns=style.get("token_turns", False),
        sources_note=style.get("sources_note", ""),
    )


def box_styles() -> list[BoxStyle]:
    """Return the styles of all boxes, in the order of `ALL_BOXES`."""
    return [box_style(name) for name in BOX_NAMES]


@cache
def all_card_art() -> dict[str, CardArt]:
    """Return the art of all residents and tokens by label.

    >>> card_art("D8").welcome
    3
    """
    return {label: _card_art(box, label) for box in ALL_BOXES for label in box.own_labels}


def _card_art(box: Box, label: str) -> CardArt:
    number = parse_label(label).number
    text = box.token_text if number == RESIDENTS_PER_BOX else box.residents[number].text
    entry = load_box_file(box.name).get("art", {}).get(label, {})
    line = entry.get("line") or shorten(text, MAX_LINE, placeholder="…")
    own_icon, icon = f"{box.name}/{entry.get('icon')}", entry.get("icon", DEFAULT_ICON)
    return CardArt(
        own_icon if own_icon in icons() else icon if icon in icons() else DEFAULT_ICON,
        line,
        entry.get("short") or shorten(line, MAX_SHORT_LINE, placeholder="…"),
        entry.get("welcome", 0),
    )


def card_art(label: str) -> CardArt:
    """Return the art of a resident or token; raise `ValueError` for any other label.

    >>> card_art("D7")
    CardArt(icon='all-seeing-eye', line='Look until you find a 4 or less', short='Look until a 4 or less', welcome=0)
    """
    art = all_card_art().get(label)
    if art is None:
        ranges = [f"{box.own_labels[0]} to {box.own_labels[-1]}" for box in ALL_BOXES]
        raise ValueError(f"there is no picture {label!r}: the labels run from {', '.join(ranges)}")
    return art


@cache
def icons() -> dict[str, dict[str, str]]:
    """Return all icons by name: `body` is SVG in a square with sides of 512, `author` the name of the artist.

    Names of icons in a box's own data file begin with the box: `pewter/bell`.
    """
    icons_by_name: dict[str, dict[str, str]] = json.loads(
        files("argentum.rulebook").joinpath("icons.json").read_text(encoding="utf-8")
    )
    for box in ALL_BOXES:
        for name, icon in load_box_file(box.name).get("icons", {}).items():
            icons_by_name[f"{box.name}/{name}"] = {"body": icon["body"], "author": icon.get("author", box.title)}
    return icons_by_name


def icon_body(name: str) -> str:
    """Return the SVG of an icon in a square with sides of 512; a figure for `DEFAULT_ICON`."""
    return DEFAULT_ICON_BODY if name == DEFAULT_ICON else icons()[name]["body"]
