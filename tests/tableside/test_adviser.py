"""What the guide advises: whoever does it, wins against a novice."""

import pytest

from argentum import Game, bots, words
from argentum.tableside import scene
from argentum.tableside.adviser import advise
from argentum.tableside.moves import persons_move

GAMES = 10


@pytest.mark.parametrize("boxes", ["amulet", "bullet", "coin", "dagger"])
def test_whoever_follows_the_guide_beats_a_novice(boxes: str) -> None:
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
            advice = advise(game.view(seat))
            assert advice is not None
            game = persons_move(game, seat, advice.text).game
        else:
            game.play(bots.ask(novice, game, seat), seat)
    return game.winner == mine


def test_the_guide_judges_no_picks_where_a_faceup_card_may_raise_some() -> None:
    """A Lycan may make a 3 of a 2 (B1): the page, which compares numbers, would call that set wrong."""
    for village, judged in (("2^ 3 4", True), ("1^ 3 4", False)):
        game = Game.at(
            {
                "boxes": "bullet", "players": 2, "round": 2, "token": "bullet B idle", "previous": "B", "deck": "5 6 7",
                "discard": "8", "villages": {"A": village, "B": "9 10"},
            }
        )  # fmt: skip
        game.play("draw", "A")
        view = game.view("A")
        seats = [scene.Seat("A", "Ann", "", True, ""), scene.Seat("B", "Bo", "", True, "")]
        lesson = scene.build(view, seats, [], [], words.prompt(view), advise(view)).lesson
        assert lesson is not None
        assert bool(lesson.of_picks) == judged
