"""A card says how it lies without any colour."""

import re
from itertools import combinations

import pytest

from argentum.display import scene
from argentum.display.scene import SceneCard, resident_summary
from argentum.rules.boxes import resident_of
from argentum.terminal.widgets import cards as terminal_cards
from argentum.terminal.widgets.cards import CardStyle, render_card
from tests.support.four_boxes import game_at, scene_of

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
def test_states_differ_in_their_signs(width: int, height: int) -> None:
    drawings = {name: render_card(one, CardStyle(width, height)).plain for name, one in STATES.items()}
    drawings["picked"] = render_card(STATES["up"], CardStyle(width, height, legal=True, picked=True)).plain
    drawings["focused"] = render_card(STATES["up"], CardStyle(width, height, focused=True)).plain
    for (first, one), (second, other) in combinations(drawings.items(), 2):
        assert one != other, f"{first} looks like {second}:\n{one}"
    for drawing in drawings.values():
        lines = drawing.split("\n")
        assert len(lines) == height
        assert {len(line) for line in lines} == {width}


def test_a_large_card_has_its_number_name_and_words() -> None:
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


def test_a_number_of_two_figures_fits_on_the_smallest_card() -> None:
    assert "12" in render_card(STATES["up"]._replace(resident=WIZARD), CardStyle(4, 3)).plain  # type: ignore[union-attr]


def test_a_small_terminal_card_of_two_figures_keeps_its_width() -> None:
    face = scene_of(game_at()).cast[12]
    one = scene.SceneCard("A1", face, True, False, "", False, "")
    assert {
        len(line) for line in terminal_cards.render_card(one, terminal_cards.CardStyle(5, 5)).plain.split("\n")
    } == {5}


def test_a_terminal_card_says_who_guards_it() -> None:
    one = scene.SceneCard("A1", None, False, False, "", False, "", guarded_by=scene_of(game_at()).cast[3], guard_spot=2)
    lowest = [
        terminal_cards.render_card(one, terminal_cards.CardStyle(width, 5)).plain.split("\n")[-1]
        for width in (5, 10, 16)
    ]
    assert [re.sub("[─└┘]", "", line) for line in lowest] == ["g2", "guard 2", "guarded by 2"]
