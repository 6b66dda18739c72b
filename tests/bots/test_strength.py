"""Stronger bots win most games against weaker ones."""

from random import Random

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code


def count_wins(name: str, opponent: str, boxes: str, games: int) -> int:
    """Play games between two bots, which switch seats after each game; return how many games the bot `name` wins."""
    random = Random(boxes)
    wins = 0
    for index in range(games):
        code = random_deck_code(random) if boxes == "random" else boxes
        game = Game.new(code, 2, index // 2)
        own_seat, other_seat = ("A", "B") if index % 2 else ("B", "A")
        bots = {own_seat: make(name, index), other_seat: make(opponent, index)}
        while not game.over:
            game.play(ask(bots[game.to_move], game, game.to_move), game.to_move)
        wins += game.winner == own_seat
    return wins


@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
def test_each_bot_beats_the_weaker_ones(boxes: str) -> None:
    assert count_wins("novice", "random", boxes, 6) >= 5
    assert count_wins("quick", "novice", boxes, 10) >= 6
    assert count_wins("steady", "novice", boxes, 10) >= 6
