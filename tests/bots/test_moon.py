"""The search of moon: its candidates, calls, time limit and processes."""

from importlib.util import find_spec

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.moon import MAX_CANDIDATES, select_candidates
from argentum.rules.move import MOVES
from tests.bots.positions import game_at

if find_spec("numpy") is None:
    pytest.skip("moon cannot play here", allow_module_level=True)


def test_moon_calls_only_if_it_wins_the_call() -> None:
    good = game_at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("moon:40", 1), good, "A")) == "call"
    bad = game_at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("moon:40", 1), bad, "A")) != "call"


def test_candidates_are_the_most_probable_moves() -> None:
    moves = [MOVES[number] for number in range(8)]
    assert select_candidates([(0.5, moves[0]), (0.3, moves[1]), (0.01, moves[2])]) == moves[:2]
    assert select_candidates([(0.125, move) for move in moves]) == moves[:MAX_CANDIDATES]
    assert select_candidates([(0.03, moves[3])]) == [moves[3]]


def test_a_time_limited_search_returns_legal_moves() -> None:
    game = Game.new("dagger", 2, seed=4)
    quick, slow = make("moon", 1), make("moon:0.1s", 1)
    try:
        for _ in range(14):
            seat = game.to_move
            assert ask(slow, game, seat) in game.legal(seat)
            game.play(ask(quick, game, seat), seat)
    finally:
        slow.close()


def test_the_move_does_not_depend_on_the_number_of_processes() -> None:
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
