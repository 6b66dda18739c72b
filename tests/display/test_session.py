"""Choices that can be taken back: those that nobody was told of and by which nothing was seen."""

import asyncio
import json

import pytest

from argentum import bots
from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR, GameSession, describe_steps, play_any, play_bot, play_text
from argentum.display.updates import update_json, view_json
from argentum.rooms.bot_players import STAND_IN, BotRunner
from argentum.rooms.hints import hint_text
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View
from tests.words.positions import game_at


def sitting(**position: object) -> GameSession:
    given = {"villages": {"A": "1^ 9 10 4", "B": "6 5"}, "discard": "3 12", "deck": "9 8 7", **position}
    return GameSession(game_at(players=2, boxes="dagger", **given), 1)


def holds(table: GameSession, move: str) -> bool:
    """Choose something; if it cannot be taken back, it is made."""
    made = table.try_move("A", table.choice_number("A"), move)
    if table.hold_move(made):
        return True
    table.commit(made, table.revision + 1)
    return False


def test_a_card_that_was_taken_can_go_back() -> None:
    table = sitting()
    before, asked = table.game.text(), table.choice_number("A")
    assert holds(table, "take")
    assert table.view("A").hand is not None
    assert table.view("B").hand is None, "nobody else is told"
    assert table.choice_number("A") != asked
    table.take_back("A")
    assert table.choice_number("A") == asked
    assert (table.game.text(), table.view("A").hand) == (before, None)
    with pytest.raises(Refused):
        table.take_back("A")


def test_what_was_held_is_made_with_what_comes_next() -> None:
    table, other = sitting(), sitting()
    assert holds(table, "take")
    assert not holds(table, "exchange A2")
    for move in ("take", "exchange A2"):
        other.game.play(move, "A")
    assert table.game.text() == other.game.text()
    assert table.held == {}
    assert [event.kind for event in table.memory_of("B").events] == [event.kind for event in other.game.events("B")]


def test_each_card_of_an_ability_that_is_not_shown_yet() -> None:
    table = sitting()
    assert holds(table, "ability A1")
    old = table.choice_number("A")
    table.take_back("A")
    assert holds(table, "ability A1")
    with pytest.raises(Stale):
        table.try_move("A", old, "B1")
    assert not holds(table, "B1"), "a look cannot be taken back"


def test_what_was_seen_cannot_be_taken_back() -> None:
    assert not holds(sitting(), "draw")
    table = sitting(deck="9 8 7")
    holds(table, "draw")
    assert not holds(table, "use"), "everybody sees what is discarded"
    assert not holds(sitting(seen={"A": "A1 A2 A3 A4"}), "call")


def test_a_client_receives_its_held_move_and_events() -> None:
    table = sitting()
    told = {role: update_json(role, '"table":"owl"', table, None)[1] for role in ("A", "B")}
    assert holds(table, "take")
    news = {role: json.loads(update_json(role, '"table":"owl"', table, since)[0]) for role, since in told.items()}
    for role, update in news.items():
        assert update["view"] == json.loads(view_json(table.view(role)))
        assert update["events"] == [], "it has not happened yet"
    assert news["A"]["view"]["hand"] is not None
    told = {role: update_json(role, '"table":"owl"', table, since)[1] for role, since in told.items()}
    assert not holds(table, "exchange A2")
    for role, since in told.items():
        update = json.loads(update_json(role, '"table":"owl"', table, since)[0])
        assert update["events"][0]["kind"] == "took"


def test_a_hint_is_about_what_is_asked_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.bots.strongest", lambda players: "steady")
    table = sitting(villages={"A": "1 9 10 4", "B": "6 5"})
    assert holds(table, "take")
    told = asyncio.run(hint_text(table, "A"))
    assert "Exchange" in told, "the card is in hand already"


def test_a_hint_keeps_the_capitals_of_names() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1^ 9", "B": "6 5"})
    steps = [Move.of("ability A1"), Move.of("B2")]
    assert describe_steps(game, "A", steps) == "Use your Spy, Bo's spot 2"


def test_a_draft_outlives_another_name_at_the_table() -> None:
    table = sitting()
    assert holds(table, "take")
    asked = table.choice_number("A")
    table.rename(["Ann", "Zoe"], 2)
    assert table.choice_number("A") == asked
    assert table.view("A").hand is not None
    assert table.view("A").names[1] == "Zoe"
    assert not holds(table, "exchange A2")
    assert table.game.names == ["Ann", "Zoe"]


def test_a_draft_is_gone_when_the_game_goes_on_without_it() -> None:
    table = sitting()
    assert holds(table, "take")
    late: Game = table.game.copy()
    steps = late.play("draw", "A")
    table.commit(table.try_move("A", table.choice_number("A"), "exchange A2")._replace(game=late, steps=steps), 2)
    assert table.held == {}
    assert table.memory_of("A").view.hand == late.view("A").hand


def looked(game: Game) -> Game:
    """The same game after all first looks."""
    for seat in game.seats:
        game.play(f"peek {seat}1 {seat}2", seat)
    return game


def test_a_question_is_answered_once_and_only_by_its_number() -> None:
    sitting = GameSession(Game.new(seed=1), revision=5)
    assert [sitting.choice_number(role) for role in ("A", "B", "C", SPECTATOR)] == [5, 5, None, None]
    made = sitting.try_move("A", 5, "peek A1 A2")
    assert sitting.choice_number("A") == 5, "it is only tried out"
    sitting.commit(made, 6)
    assert [sitting.choice_number(role) for role in "AB"] == [None, 5], "the other look goes on"
    with pytest.raises(Stale):
        sitting.try_move("B", 6, "peek B1 B2")
    with pytest.raises(Refused, match="is not legal now"):
        sitting.try_move("B", 5, "draw")


def test_a_refused_move_leaves_the_game_as_it_was() -> None:
    game = looked(Game.new(seed=1))
    before = game.text()
    with pytest.raises(Refused):
        play_text(game, game.to_move, "exchange A1 A9")
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
    first = play_bot(game, "A", fond)
    assert [move.verb for move in first.steps] == ["peek", "and"]
    assert game.history() == []
    game = looked(game)
    seat = game.to_move
    game = play_bot(game, seat, fond).game
    made = play_bot(game, seat, fond)
    assert [str(move) for move in made.steps] == [f"exchange {seat}1", f"and {seat}2", "done"]
    assert play_any(Game.new(seed=1), "B").steps[0].verb == "peek"


def test_a_move_is_played_even_if_every_bot_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, view: View) -> Move:
        raise RuntimeError("no idea")

    game = looked(Game.new(seed=2))
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", fails)
    made = asyncio.run(BotRunner(1).play(game, game.to_move, "novice"))
    assert made.bot == STAND_IN
    monkeypatch.setattr("argentum.bots.steady.SteadyBot.choose", fails)
    made = asyncio.run(BotRunner(1).play(game, game.to_move, "novice"))
    assert made.steps == [game.legal()[-1]]
