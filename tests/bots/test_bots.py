"""All bots: they play legally, see nothing but their view, and cope with whatever they find."""

from importlib.metadata import EntryPoint, EntryPoints
from random import Random

import pytest

from argentum import Game
from argentum.bots import Bot, make, names
from argentum.bots.chance import RandomBot
from argentum.rules.boxes import random_code
from argentum.rules.residents import BOXES
from argentum.rules.views import View

TOKENS = ["", *BOXES]


def play_on(game: Game, bots: dict[str, Bot]) -> None:
    """Play a game to its end, move by value."""
    while not game.over:
        seat = game.to_move
        game.play(bots[seat].choose(game.view(seat)), seat)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_plays_whole_games_of_all_boxes_and_mixes(name: str, players: int) -> None:
    random = Random(players)
    for nth, boxes in enumerate([*BOXES, random_code(random), random_code(random), random_code(random)]):
        game = Game.new(boxes, players, nth, random.choice(TOKENS))
        play_on(game, {seat: make(name, nth) for seat in game.seats})
        assert game.winner


@pytest.mark.parametrize("name", names())
def test_a_fresh_bot_chooses_legally_wherever_it_joins(name: str) -> None:
    """It may sit in for somebody in the middle of an ability that it did not see begin."""
    random = Random(7)
    for nth in range(12):
        game = Game.new(random_code(random), random.randint(2, 4), nth, random.choice(TOKENS))
        others = {seat: make("novice", nth) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            view = game.view(seat)
            assert make(name, nth).choose(view) in view.legal
            game.play(others[seat].choose(view), seat)


@pytest.mark.parametrize("name", names())
def test_a_bot_does_not_know_what_its_seat_cannot_know(name: str) -> None:
    random = Random(11)
    for nth in range(14):
        game = Game.new(random_code(random), random.randint(2, 4), nth, random.choice(TOKENS))
        bots = {seat: make("novice", nth) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < 0.15:
                redealt = game.redeal(seat, random)
                assert make(name, nth).choose(redealt.view(seat)) == make(name, nth).choose(game.view(seat))
            game.play(bots[seat].choose(game.view(seat)), seat)


@pytest.mark.parametrize("name", names())
def test_a_bot_plays_the_same_with_the_same_seed(name: str) -> None:
    histories = []
    for _ in range(2):
        game = Game.new("coin", 3, 5)
        play_on(game, {seat: make(name, 9) for seat in game.seats})
        histories.append(game.history())
    assert histories[0] == histories[1]


def test_a_view_is_not_changed() -> None:
    game = Game.new("bullet", 2, 3)
    for name in names():
        view = game.view(game.to_move)
        make(name, 1).choose(view)
        assert view == game.view(game.to_move)
        assert isinstance(view, View)


def test_an_unknown_bot_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="no bot 'champion': the bots are random, novice, steady"):
        make("champion")


def test_a_bot_of_another_package_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = EntryPoints([EntryPoint("chaos", "argentum.bots.chance:RandomBot", "argentum.bots")])
    monkeypatch.setattr("argentum.bots.entry_points", lambda **which: theirs.select(**which))
    assert names() == ["random", "novice", "steady", "chaos"]
    assert isinstance(make("chaos", 3), RandomBot)


def test_every_bot_has_a_name_and_a_line_for_a_menu() -> None:
    for name in names():
        bot = make(name)
        assert bot.name == name
        assert bot.summary
        assert "\n" not in bot.summary
