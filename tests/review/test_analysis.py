from pathlib import Path
from random import Random

import pytest

from argentum import bots, records
from argentum.records import Decision
from argentum.review.analysis import (
    OpenDecision,
    bot_moves,
    compare_moves,
    find_open_decisions,
    moves_text,
    played_moves,
    review_decisions,
)
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.game import Game
from tests.bots.positions import is_in_ability
from tests.review.example import write_example_record


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_example_record(tmp_path_factory.mktemp("records"))


def decision_with_hand(village: str, hand: str, move: str) -> OpenDecision:
    """Return a decision of seat A, which has drawn `hand` and has seen its whole village."""
    seen = " ".join(f"A{place}" for place in range(1, len(village.split()) + 1))
    game = Game.at(
        {
            "boxes": "dagger",
            "deck": f"{hand} 2 3 4 5 6 7 8 9 10 11 12 1 3 5",
            "discard": "8",
            "villages": {"A": village, "B": "5 6 7 8"},
            "seen": {"A": seen},
        }
    )
    game.play("draw")
    return OpenDecision(game, "A", move)


# Selection.


def test_only_decisions_with_a_choice_are_reviewed(record: Path) -> None:
    game = records.read_file(record)
    moves, open_moves = [], []
    for step in records.replay_steps(game):
        if isinstance(step, Decision) and step.seat == "B":
            moves.append(step.move)
            if len(step.legal) > 1 and step.move.split()[0] not in ("peek", "at"):
                open_moves.append(step.move)
    assert [step.move for step in find_open_decisions(game, "B")] == open_moves
    assert 10 < len(open_moves) < len(moves)


def test_the_bot_uses_only_what_the_seat_knew(record: Path) -> None:
    game = records.read_file(record)
    for step in find_open_decisions(game, "A")[::5]:
        other = OpenDecision(step.game.redeal("A", Random(9)), "A", step.move)
        better = bot_moves(bots.make("seer:10", 1), step)
        assert bot_moves(bots.make("seer:10", 1), other) == better
        assert compare_moves(other, better, 3, 1) == compare_moves(step, better, 3, 1)


@pytest.mark.parametrize("boxes", BOX_NAMES)
def test_a_bot_agrees_with_its_own_moves(boxes: str) -> None:
    game = Game.new(boxes, 2, 4)
    players = {seat: bots.make("steady", 1) for seat in game.seats}
    while not game.over:
        game.play(int(bots.ask(players[game.to_move], game, game.to_move)))
    decisions = find_open_decisions(game, "B")
    assert any(is_in_ability(decision.game) for decision in decisions)
    assert all(decision.agreed for decision in review_decisions(decisions, "steady", 2))


def test_a_bots_exchange_includes_all_its_cards() -> None:
    step = decision_with_hand("9 1 9 2", "3", "exchange A3 A1")
    assert moves_text(bot_moves(bots.make("steady", 1), step)) == "exchange A1 A3"
    assert moves_text(played_moves(step)) == step.move


# Gains.


def test_a_blunder_has_a_significant_gain() -> None:
    [decision] = review_decisions([decision_with_hand("0 12 1 2", "11", "exchange A1")], "steady", 200)
    assert decision.bot_move != decision.played
    assert not decision.agreed
    assert decision.points_gain.is_significant
    assert decision.points_gain.mean > 3
    assert decision.win_probability_gain.mean > 0


def test_the_same_move_gains_nothing_whatever_the_order_of_its_cards() -> None:
    [decision] = review_decisions([decision_with_hand("9 1 9 2", "3", "exchange A3 A1")], "steady", 2)
    assert decision.agreed
    assert (decision.bot_move, decision.points_gain, decision.win_probability_gain) == (
        "exchange A3 A1",
        (0.0, 0.0),
        (0.0, 0.0),
    )


def test_the_same_seed_gives_the_same_results(record: Path) -> None:
    decisions = find_open_decisions(records.read_file(record), "A")[:8]
    first = list(review_decisions(decisions, "steady", 2, seed=5))
    assert list(review_decisions(decisions, "steady", 2, seed=5)) == first
    assert any(not decision.agreed for decision in first)
