import re
from itertools import combinations

import pytest

from argentum.display.scene import SceneCard, resident_summary
from argentum.rules.boxes import resident_of
from argentum.terminal.widgets.cards import CardStyle, render_card
from tests.support.scenes import game_at, seat_scene

SEER = resident_summary(resident_of("dagger", 7))
WIZARD = resident_summary(resident_of("bullet", 12))


def card(up: bool = False, known: bool = False, sideways: bool = False, covered: bool = False) -> SceneCard:
    return SceneCard("A1", SEER if up or known else None, up, sideways, "bullet" * covered, known, "")


STATES = {
    "up": card(up=True),
    "known": card(known=True),
    "unknown": card(),
    "sideways": card(up=True, sideways=True),
    "covered": card(up=True, covered=True),
    "none": None,
}


@pytest.mark.parametrize(("width", "height"), [(4, 3), (5, 3), (7, 5), (13, 5), (17, 7)])
def test_states_differ_without_colour(width: int, height: int) -> None:
    drawings = {name: render_card(drawing, CardStyle(width, height)).plain for name, drawing in STATES.items()}
    drawings["picked"] = render_card(STATES["up"], CardStyle(width, height, has_action=True, is_selected=True)).plain
    drawings["focused"] = render_card(STATES["up"], CardStyle(width, height, has_focus=True)).plain
    for (first, drawing), (second, other_drawing) in combinations(drawings.items(), 2):
        assert drawing != other_drawing, f"{first} looks like {second}:\n{drawing}"
    for drawing in drawings.values():
        lines = drawing.split("\n")
        assert len(lines) == height
        assert {len(line) for line in lines} == {width}


def test_a_large_card_shows_number_name_and_effect() -> None:
    assert render_card(card(up=True), CardStyle(17, 8)).plain.split("\n") == [
        "╭───────────────╮",
        "│◆ 7           ↥│",
        "│Elusive Seer   │",
        "│Look until you │",
        "│find a 4 or    │",
        "│less           │",
        "│               │",
        "╰───────────────╯",
    ]


def test_a_two_digit_number_fits_on_the_smallest_card() -> None:
    assert "12" in render_card(STATES["up"]._replace(resident=WIZARD), CardStyle(4, 3)).plain  # type: ignore[union-attr]


def test_a_small_card_with_a_two_digit_number_keeps_its_width() -> None:
    face = seat_scene(game_at()).cast[12]
    scene_card = SceneCard("A1", face, True, False, "", False, "")
    assert {len(line) for line in render_card(scene_card, CardStyle(5, 5)).plain.split("\n")} == {5}


def test_a_card_names_its_guard() -> None:
    guarded = SceneCard("A1", None, False, False, "", False, "", guarded_by=seat_scene(game_at()).cast[3], guard_spot=2)
    last_lines = [render_card(guarded, CardStyle(width, 5)).plain.split("\n")[-1] for width in (5, 10, 16)]
    assert [re.sub("[─└┘]", "", line) for line in last_lines] == ["g2", "guard 2", "guarded by 2"]
