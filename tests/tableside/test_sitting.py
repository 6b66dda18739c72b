"""A game at a table: questions and answers, whole moves, memory, and how it ends."""

import asyncio
from random import Random

import pytest

from argentum import bots
from argentum.display.errors import Refused, Stale
from argentum.display.results import result_of
from argentum.display.scene import Seat
from argentum.display.session import WATCH, Made, Sitting, any_move, bots_move, persons_move
from argentum.rooms.bot_players import STAND_IN, Mind
from argentum.rules.engine import random_move
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View


def looked(game: Game) -> Game:
    """The same game after all first looks."""
    for seat in game.seats:
        game.play(f"peek {seat}1 {seat}2", seat)
    return game


def test_a_question_is_answered_once_and_only_by_its_number() -> None:
    sitting = Sitting(Game.new(seed=1), moment=5)
    assert [sitting.choice(role) for role in ("A", "B", "C", WATCH)] == [5, 5, None, None]
    made = sitting.answer("A", 5, "peek A1 A2")
    assert sitting.choice("A") == 5, "it is only tried out"
    sitting.go_on(made, 6)
    assert [sitting.choice(role) for role in "AB"] == [None, 5], "the other look goes on"
    with pytest.raises(Stale):
        sitting.answer("B", 6, "peek B1 B2")
    with pytest.raises(Refused, match="is not legal now"):
        sitting.answer("B", 5, "draw")


def test_a_refused_move_leaves_the_game_as_it_was() -> None:
    game = looked(Game.new(seed=1))
    before = game.text()
    with pytest.raises(Refused):
        persons_move(game, game.to_move, "exchange A1 A9")
    assert game.text() == before


class Fond(bots.Bot):
    """Exchanges its first two cards whenever it may."""

    name = "fond"
    summary = "for a test"

    def choose(self, view: View) -> Move:
        wanted = ("draw", f"exchange {view.seat}1", f"and {view.seat}2", "done")
        return next((move for move in view.legal if str(move) in wanted), view.legal[0])


def test_a_bots_move_is_whole() -> None:
    fond = Fond(1)
    game = Game.new(seed=1)
    first = bots_move(game, "A", fond)
    assert [move.verb for move in first.steps] == ["peek", "and"]
    assert game.history() == []
    game = looked(game)
    seat = game.to_move
    game = bots_move(game, seat, fond).game
    made = bots_move(game, seat, fond)
    assert [str(move) for move in made.steps] == [f"exchange {seat}1", f"and {seat}2", "done"]
    assert any_move(Game.new(seed=1), "B").steps[0].verb == "peek"


def test_somebody_moves_whatever_becomes_of_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, view: View) -> Move:
        raise RuntimeError("no idea")

    game = looked(Game.new(seed=2))
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", fails)
    made = asyncio.run(Mind(1).move(game, game.to_move, "novice"))
    assert made.bot == STAND_IN
    monkeypatch.setattr("argentum.bots.steady.SteadyBot.choose", fails)
    made = asyncio.run(Mind(1).move(game, game.to_move, "novice"))
    assert made.steps == [game.legal()[-1]]


def test_with_memory_cards_of_the_deck_are_seen_while_one_is_chosen() -> None:
    """A4: the chooser has them before them, others do not; afterwards they are to be remembered."""
    random = Random(4)
    found = 0
    while found < 2:
        sitting = Sitting(Game.new("amulet", 2, random.getrandbits(32)), memory=True)
        while not sitting.game.over and found < 2:
            game, seat = sitting.game, sitting.game.to_move
            view = sitting.view(seat)
            assert view.asking is not None
            if view.asking.step == "keep":
                found += 1
                looked_at = len(view.legal)
                assert all(card.number is not None for card in view.deck[:looked_at])
                other = sitting.view("A" if seat == "B" else "B")
                assert [card.number for card in other.deck] == [None] * len(other.deck)
            else:
                assert all(card.number is None or card.up for card in view.deck)
            steps = game.play(random_move(game.choices(), random), seat)
            sitting.go_on(Made(game, seat, steps), sitting.moment + 1)


def test_only_the_lines_that_are_shown_are_kept_and_they_are_those_of_the_whole_story() -> None:
    random = Random(7)
    sitting = Sitting(Game.new("dagger", 2, 7))
    shown: list[str] = []
    for _ in range(60):
        game, seat = sitting.game, sitting.game.to_move
        steps = game.play(random_move(game.choices(), random), seat)
        sitting.go_on(Made(game, seat, steps), sitting.moment + 1)
        recall = sitting.recall("A")
        shown = [entry.text(recall.view.residents) for entry in recall.entries(8)]
    whole = Sitting(sitting.game).recall("A")
    assert shown == [entry.text(whole.view.residents) for entry in whole.entries(1_000)[-8:]]


def test_of_equal_totals_the_winner_is_first_and_the_rest_share_a_rank() -> None:
    seats = [Seat(letter, name, "", True, "") for letter, name in zip("ABCD", ("Ann", "Bo", "Cy", "Dee"), strict=True)]
    scores = [{"A": 9, "B": 3, "C": 3, "D": 9}, {"A": 0, "B": 1, "C": 1, "D": 0}]
    result = result_of(seats, scores, "C", "B")
    assert result.headline == "Cy wins."
    assert [(row.rank, row.name, row.total) for row in result.rows] == [
        (1, "Cy", 4), (2, "Bo", 4), (3, "Ann", 9), (3, "Dee", 9),
    ]  # fmt: skip
    assert result_of(seats, scores, "C", "C").headline == "You win."
