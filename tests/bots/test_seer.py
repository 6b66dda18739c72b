"""The candidates of seer, and its calls."""

from argentum.bots import ask, make
from argentum.bots.seer import MAX_CANDIDATES, select_candidates
from argentum.bots.steady import SteadyBot, rate_moves
from tests.bots.positions import game_at, sample_positions


def test_seer_calls_if_it_is_sure_to_win() -> None:
    game = game_at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("seer:30", 1), game, "A")) == "call"


def test_seer_does_not_call_if_it_is_sure_to_lose() -> None:
    game = game_at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("seer:30", 1), game, "A")) != "call"


def test_steadys_move_is_the_first_candidate_and_a_legal_call_is_always_among_them() -> None:
    for game, seat in sample_positions(9, 2, 0.1):
        candidates = select_candidates(rate_moves(game.view(seat)))
        assert candidates[0] == SteadyBot(1).choose(game.view(seat))
        assert len(candidates) <= MAX_CANDIDATES
        assert len(set(candidates)) == len(candidates)
        verbs = [move.verb for move in game.legal(seat)]
        assert "call" not in verbs or "call" in [move.verb for move in candidates]
