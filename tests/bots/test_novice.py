"""The choices of novice with Silver Amulet, whose cards ask unusual questions."""

from collections import Counter
from collections.abc import Mapping

import pytest

from argentum import Game
from argentum.bots import make

KNOWN = "A1 A2 A3 A4 A5"


def count_choices(position: Mapping[str, object], before: list[str], tries: int = 40) -> Counter[str]:
    """Play some moves from a position, then count the choices of novices with different seeds at seat A."""
    game = Game.at({"boxes": "amulet", "deck": "6 9 7 10", "discard": "11", "seen": {"A": KNOWN}, **position})
    for move in before:
        game.play(move)
    return Counter([str(make("novice", index).choose(game.view("A"))) for index in range(tries)])


def test_novice_draws_a_low_shown_card() -> None:
    position = {"shown": "13 1", "villages": {"A": "9 12 8 7 10", "B": "5 6 7 8"}}
    assert count_choices(position, []).most_common(1)[0][0] == "draw 2"


def test_novice_keeps_the_lowest_of_several_drawn_cards() -> None:
    position = {"deck": "9 2 8", "villages": {"A": "4^ 12 8 7 10", "B": "5 6 7 8"}}
    assert set(count_choices(position, ["draw"])) == {"keep 2"}


def test_novice_replaces_another_seats_card_with_a_high_card_and_keeps_a_low_one() -> None:
    villages = {"villages": {"A": "3 12 8 7 10", "B": "5 6 7 8"}}
    assert all([move[0] == "B" for move in count_choices({"deck": "11 12 5", **villages}, ["draw", "use"])])
    assert all([move.startswith("exchange") for move in count_choices({"deck": "11 1 5", **villages}, ["draw", "use"])])


def test_novice_exchanges_a_pair_with_a_wild_card() -> None:
    position = {"deck": "1 5", "villages": {"A": "13 3 11 2", "B": "5 6 7 8"}, "seen": {"A": "A1 A2 A3 A4"}}
    assert count_choices(position, ["draw"]).most_common(1)[0][0] == "exchange A1"


@pytest.mark.parametrize("token", [False, True])
def test_novice_protects_its_lowest_card(token: bool) -> None:
    position = {"villages": {"A": "3^ 12 0 7 10", "B": "5 6 7 8"}, "token": f"amulet A {'active' if token else 'idle'}"}
    assert count_choices(position, ["token" if token else "ability A1"]).most_common(1)[0][0] == "A3"
