"""Estimated probabilities of winning the game after a scored round."""

from random import Random

import pytest

from argentum import Game
from argentum.bots.search.win_probability import win_probability
from argentum.rules.deal import deal_next_round
from argentum.rules.engine import Engine
from argentum.rules.scoring import ROUNDS_PER_GAME, winner_seat


def test_win_probabilities_sum_to_about_one_and_the_winner_ends_with_the_highest() -> None:
    engine = Game.new("dagger", 3, 2).engine()
    for number in range(1, ROUNDS_PER_GAME + 1):
        engine = Engine(engine.table if number == 1 else deal_next_round(engine.table, None), number)
        engine.rollout(Random(2))
        table = engine.table
        probabilities = [win_probability(table, seat) for seat in range(3)]
        assert sum(probabilities) == pytest.approx(1.0, abs=0.3)
        best = max(range(3), key=lambda seat: probabilities[seat])
        assert table.totals[best] <= min(table.totals) + 3  # The token may be worth that.
        if table.round == ROUNDS_PER_GAME:
            assert best == winner_seat(table)
