"""How moon looks ahead: which moves it looks into, what it makes of them, and where it thinks."""

from importlib.util import find_spec

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.moon import MAX_CANDIDATES, select_candidates
from argentum.rules.move import MOVES
from tests.bots.test_seer import at

if find_spec("numpy") is None or find_spec("librt") is None:
    pytest.skip("moon cannot play here", allow_module_level=True)


def test_it_calls_what_is_sure_to_win_and_not_what_is_sure_to_lose() -> None:
    good = at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("moon:40", 1), good, "A")) == "call"
    bad = at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("moon:40", 1), bad, "A")) != "call"


def test_it_looks_into_a_few_moves_that_it_may_well_play() -> None:
    moves = [MOVES[number] for number in range(8)]
    assert select_candidates([(0.5, moves[0]), (0.3, moves[1]), (0.01, moves[2])]) == moves[:2]
    assert select_candidates([(0.125, move) for move in moves]) == moves[:MAX_CANDIDATES]
    assert select_candidates([(0.03, moves[3])]) == [moves[3]]


def test_by_the_clock_it_thinks_elsewhere_and_is_back_in_time() -> None:
    game = Game.new("dagger", 2, seed=4)
    quick, slow = make("moon", 1), make("moon:0.1s", 1)
    try:
        for _ in range(14):
            seat = game.to_move
            assert ask(slow, game, seat) in game.legal(seat)
            game.play(ask(quick, game, seat), seat)
    finally:
        slow.close()


def test_the_same_seed_gives_the_same_move_on_any_number_of_cores() -> None:
    game = Game.new("abcdabcdabcdab", 2, seed=5)
    alone, shared = make("moon:24", 1), make("moon:24@2", 1)
    try:
        for _ in range(20):
            seat = game.to_move
            move = ask(alone, game, seat)
            assert ask(shared, game, seat) == move
            game.play(move, seat)
    finally:
        shared.close()
