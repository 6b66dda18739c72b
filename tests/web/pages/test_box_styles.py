"""Colours and badges of the boxes on the pages."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from argentum.rulebook.card_art import box_styles
from argentum.rules.boxes import BOX_NAMES
from argentum.web.pages.assets import box_tokens, style_sheet
from argentum.web.pages.renderer import PageRenderer

STATIC_FILES = [
    path
    for package in ("argentum.web", "argentum.pyodide")
    for path in Path(str(files(package))).joinpath("static").rglob("*")
    if path.suffix in (".css", ".js", ".svg")
]


def test_the_style_sheet_has_the_colours_of_each_box() -> None:
    for style in box_styles():
        [rule] = re.findall(rf"^\.of-{style.name} {{(.*)}}", box_tokens(), re.MULTILINE)
        properties = dict(re.findall(r"--([\w-]+): ([^;]+);", rule))
        colours = [properties[name] for name in ("badge", "number", "window", "disc", "eaves")]
        assert colours == [style.badge, style.number, style.window, style.disc, style.roofs]
        assert properties["box-edge"] == (style.badge_edge or "initial")


@pytest.mark.parametrize("path", STATIC_FILES, ids=lambda path: path.name)
def test_no_static_file_names_a_box(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(rf"\b(?:{'|'.join(BOX_NAMES)})\b", text) == []


def test_badges_have_the_shape_of_their_box() -> None:
    rules = PageRenderer().rules_page()
    assert [rules.count(style.badge_svg) >= 14 for style in box_styles()] == [True] * len(BOX_NAMES)


def test_the_sheets_of_pages_have_the_colours_of_the_boxes() -> None:
    for name in ("home.css", "rules.css", "table.css"):
        assert box_tokens() in style_sheet(name)
