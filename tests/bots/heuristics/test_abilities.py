"""Models of abilities that use other cards."""

import pytest

from argentum.bots import ask, make
from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.bots.heuristics.abilities.common import borrow_gain
from argentum.bots.heuristics.evaluation import Evaluation
from tests.bots.positions import game_at


def test_borrowing_an_ability_without_a_model_has_no_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ABILITY_MODELS, "B11")
    position = {"boxes": "bbbbbbbbbbbbbb", "deck": "9 10 3 5", "villages": {"A": "11^ 4 2", "B": "5 6 7 8"}}
    game = game_at(position)
    evaluation = Evaluation(game.view("A"))
    assert borrow_gain(evaluation, evaluation.view.villages["A"][0]) == 0.0
    game.play("draw")
    assert ask(make("steady"), game, "A") in game.legal("A")
