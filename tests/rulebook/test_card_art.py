import re

import pytest

from argentum import residents
from argentum.rulebook.card_art import all_card_art, box_style, box_styles, card_art
from argentum.rules.boxes import ALL_BOXES, BOX_NAMES


def test_every_resident_and_token_has_its_own_icon_and_a_line() -> None:
    labels = [resident.label for resident in residents()] + [box.token_label for box in ALL_BOXES]
    assert sorted(all_card_art()) == sorted(labels)
    assert len({art.icon for art in all_card_art().values()}) == len(labels)
    assert all(0 < len(art.line) <= 36 and not art.line.endswith(".") for art in all_card_art().values())
    assert all(set(art.icon) <= set("abcdefghijklmnopqrstuvwxyz-") for art in all_card_art().values())


def test_unknown_label_is_named_in_the_error() -> None:
    assert card_art("B0").icon == "crossbow"
    with pytest.raises(ValueError, match="no picture 'Z3'"):
        card_art("Z3")


def test_every_box_has_a_style_that_no_other_box_has() -> None:
    styles = box_styles()
    assert [style.name for style in styles] == list(BOX_NAMES)
    for field in ("letter", "title", "badge", "text_colour", "ansi_colour", "badge_glyph", "badge_svg", "badge_points"):
        assert len({getattr(style, field) for style in styles}) == len(styles), field
    for style in styles:
        for colour in (style.badge, style.number, style.window, style.disc, style.roofs, style.text_colour):
            assert re.fullmatch("#[0-9a-f]{3}|#[0-9a-f]{6}", colour)


@pytest.mark.parametrize("box", [style.name for style in box_styles() if style.badge_points])
def test_badge_points_are_the_corners_of_the_badge(box: str) -> None:
    style = box_style(box)
    start = re.search(r'd="M([0-9.]+) ([0-9.]+)', style.badge_svg)
    assert start is not None
    assert (float(start[1]), float(start[2])) in style.badge_points
    assert all(0 <= coordinate <= 40 for point in style.badge_points for coordinate in point)
