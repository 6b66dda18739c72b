"""How moon looks ahead: its deals, what it makes of them, and where it thinks."""

from collections import Counter
from importlib.util import find_spec
from random import Random

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.moon import FILE, MOST, candidates
from argentum.rules.move import MOVES
from argentum.rules.table import LOW
from tests.bots.test_imagined import inside, positions
from tests.bots.test_seer import at

if find_spec("numpy") is None or find_spec("librt") is None:
    pytest.skip("moon cannot play here", allow_module_level=True)

from argentum.bots.foresight import Dealer, search
from argentum.bots.network import loaded


def test_deals_agree_with_what_the_seat_knows() -> None:
    network = loaded(FILE)
    for nth, (game, seat) in enumerate(positions(4, 1, 0.02)):
        dealer, random = Dealer(network, game, seat), Random(nth)
        mine = 1 << game.seats.index(seat)
        table = game.snapshot()
        for _ in range(3):
            dealt, moves = dealer.deal(random)
            if inside(game):
                assert moves
                continue
            assert Counter(dealt.faces) == Counter(table.faces)
            known = [card for card in range(52) if table.up[card] or table.seen[card] & mine]
            assert [dealt.faces[card] for card in known] == [table.faces[card] for card in known]


def test_a_card_that_was_passed_over_is_dealt_high() -> None:
    game = at({"villages": {"A": "7 2", "B": "9 12 3"}, "deck": "7 9 7 10 3 5 12 2 8"})
    for move in ("draw", "use", "B2"):
        game.play(move)
    assert game.snapshot().passed
    card = game.snapshot().passed.bit_length() - 1
    game.play("B3")  # a 3: the Elusive Seer is done
    dealer = Dealer(loaded(FILE), game, game.to_move)
    assert all([dealer.deal(Random(nth))[0].faces[card] > LOW for nth in range(20)])


def test_it_calls_what_is_sure_to_win_and_not_what_is_sure_to_lose() -> None:
    good = at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("moon:8", 1), good, "A")) == "call"
    bad = at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("moon:8", 1), bad, "A")) != "call"


def test_it_departs_from_the_move_at_hand_only_for_a_better_one() -> None:
    position = {"deck": "0 9 7 10 3 5", "caller": "B", "villages": {"A": "1 12 2", "B": "5^ 6^ 7^"}}
    game = at(position | {"seen": {"A": "A1 A2 A3"}})
    game.play("draw")
    good, bad = [next(int(move) for move in game.legal() if str(move) == f"exchange A{place}") for place in (2, 1)]
    for moves in ([good, bad], [bad, good]):
        assert search(FILE, game, "A", moves, Random(1), 10, lambda: False)[0] == good
    assert search(FILE, game, "A", [bad, good], Random(1), 10, lambda: True) == (bad, 0)  # nothing, when told to stop


def test_it_looks_into_a_few_moves_that_it_may_well_play() -> None:
    moves = [MOVES[number] for number in range(8)]
    assert candidates([(0.5, moves[0]), (0.3, moves[1]), (0.01, moves[2])]) == moves[:2]
    assert candidates([(0.125, move) for move in moves]) == moves[:MOST]
    assert candidates([(0.03, moves[3])]) == [moves[3]]


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
