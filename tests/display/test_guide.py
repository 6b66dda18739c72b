"""What the guide advises: whoever does it, wins against a novice."""

import pytest

from argentum import Game, bots
from argentum.display.guide import guide_advice
from argentum.display.session import play_text

GAMES = 10


@pytest.mark.parametrize("boxes", ["amulet", "bullet", "coin", "dagger"])
def test_following_the_guide_beats_a_novice(boxes: str) -> None:
    """They won 584 of 600 such games; a newcomer should win more often than not."""
    won = [follow(boxes, seed) for seed in range(GAMES)]
    assert won.count(True) > 0.6 * GAMES


def follow(boxes: str, seed: int) -> bool:
    """Play a game as the guide says against a novice, in turn from either seat; whether it was won."""
    game = Game.new(boxes, 2, seed)
    mine = game.seats[seed % 2]
    novice = bots.make("novice", seed)
    while not game.over:
        seat = next(seat for seat in game.seats if game.legal(seat))
        if seat == mine:
            advice = guide_advice(game.view(seat))
            assert advice is not None
            game = play_text(game, seat, advice.text).game
        else:
            game.play(bots.ask(novice, game, seat), seat)
    return game.winner == mine
