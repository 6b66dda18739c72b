"""Stronger bots beat weaker ones: few games, wide margins."""

from random import Random

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code


def wins(one: str, other: str, boxes: str, games: int) -> int:
    """How many games one bot wins against another, from both seats in turn."""
    random = Random(boxes)
    won = 0
    for index in range(games):
        code = random_deck_code(random) if boxes == "random" else boxes
        game = Game.new(code, 2, index // 2)
        ours, theirs = ("A", "B") if index % 2 else ("B", "A")
        bots = {ours: make(one, index), theirs: make(other, index)}
        while not game.over:
            game.play(ask(bots[game.to_move], game, game.to_move), game.to_move)
        won += game.winner == ours
    return won


@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
def test_each_bot_beats_the_weaker_ones(boxes: str) -> None:
    assert wins("novice", "random", boxes, 6) >= 5
    assert wins("quick", "novice", boxes, 10) >= 6
    assert wins("steady", "novice", boxes, 10) >= 6
