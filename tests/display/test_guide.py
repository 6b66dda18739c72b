import pytest

from argentum import Game, bots
from argentum.display.guide import guide_advice
from argentum.display.session import play_text
from argentum.rules.boxes import BOX_NAMES

GAMES = 10


@pytest.mark.parametrize("boxes", BOX_NAMES)
def test_following_the_guide_beats_a_novice(boxes: str) -> None:
    # In a measurement, the guide won 584 of 600 such games.
    wins = [play_guided_game(boxes, seed) for seed in range(GAMES)]
    assert wins.count(True) > 0.6 * GAMES


def play_guided_game(boxes: str, seed: int) -> bool:
    """Play a game in which one seat follows the guide, against a novice; return whether that seat wins."""
    game = Game.new(boxes, 2, seed)
    guided_seat = game.seats[seed % 2]
    novice = bots.make("novice", seed)
    while not game.over:
        seat = next(seat for seat in game.seats if game.legal(seat))
        if seat == guided_seat:
            advice = guide_advice(game.view(seat))
            assert advice is not None
            game = play_text(game, seat, advice.text).game
        else:
            game.play(bots.ask(novice, game, seat), seat)
    return game.winner == guided_seat
