import asyncio
import json

import pytest

from argentum import bots
from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR, GameSession, describe_steps, play_any_legal_move, play_bot, play_text
from argentum.display.updates import update_json, view_json
from argentum.rooms.bot_players import STAND_IN, BotRunner
from argentum.rooms.hints import hint_text
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View
from tests.words.positions import game_at


def session_at(**changes: object) -> GameSession:
    position = {"villages": {"A": "1^ 9 10 4", "B": "6 5"}, "discard": "3 12", "deck": "9 8 7", **changes}
    return GameSession(game_at(players=2, boxes="dagger", **position), 1)


def play_or_hold(session: GameSession, text: str) -> bool:
    """Play a move of seat A; return whether it was held."""
    move = session.try_move("A", session.choice_number("A"), text)
    if session.hold_move(move):
        return True
    session.commit(move, session.revision + 1)
    return False


def test_taking_from_the_discard_pile_can_be_undone() -> None:
    session = session_at()
    before, number = session.game.text(), session.choice_number("A")
    assert play_or_hold(session, "take")
    assert session.view("A").hand is not None
    assert session.view("B").hand is None, "others do not see it"
    assert session.choice_number("A") != number
    session.take_back("A")
    assert session.choice_number("A") == number
    assert (session.game.text(), session.view("A").hand) == (before, None)
    with pytest.raises(Refused):
        session.take_back("A")


def test_a_held_move_is_committed_with_the_next_move() -> None:
    session, other = session_at(), session_at()
    assert play_or_hold(session, "take")
    assert not play_or_hold(session, "exchange A2")
    for move in ("take", "exchange A2"):
        other.game.play(move, "A")
    assert session.game.text() == other.game.text()
    assert session.held == {}
    assert [event.kind for event in session.memory_of("B").events] == [event.kind for event in other.game.events("B")]


def test_an_ability_can_be_taken_back_until_a_card_is_seen() -> None:
    session = session_at()
    assert play_or_hold(session, "ability A1")
    old_number = session.choice_number("A")
    session.take_back("A")
    assert play_or_hold(session, "ability A1")
    with pytest.raises(Stale):
        session.try_move("A", old_number, "B1")
    assert not play_or_hold(session, "B1"), "a look cannot be taken back"


def test_moves_that_reveal_something_are_not_held() -> None:
    assert not play_or_hold(session_at(), "draw")
    session = session_at()
    play_or_hold(session, "draw")
    assert not play_or_hold(session, "use"), "everybody sees what is discarded"
    assert not play_or_hold(session_at(seen={"A": "A1 A2 A3 A4"}), "call")


def test_an_update_has_the_view_but_not_the_events_of_a_held_move() -> None:
    session = session_at()
    counts = {role: update_json(role, '"table":"owl"', session, None)[1] for role in ("A", "B")}
    assert play_or_hold(session, "take")
    updates = {
        role: json.loads(update_json(role, '"table":"owl"', session, since)[0]) for role, since in counts.items()
    }
    for role, update in updates.items():
        assert update["view"] == json.loads(view_json(session.view(role)))
        assert update["events"] == [], "a held move may be taken back"
    assert updates["A"]["view"]["hand"] is not None
    counts = {role: update_json(role, '"table":"owl"', session, since)[1] for role, since in counts.items()}
    assert not play_or_hold(session, "exchange A2")
    for role, since in counts.items():
        update = json.loads(update_json(role, '"table":"owl"', session, since)[0])
        assert update["events"][0]["kind"] == "took"


def test_a_hint_is_about_the_choice_after_a_held_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.bots.strongest", lambda players, cast: "steady")
    session = session_at(villages={"A": "1 9 10 4", "B": "6 5"})
    assert play_or_hold(session, "take")
    hint = asyncio.run(hint_text(session.game_of("A").copy(), "A", memory_mode=False))
    assert "Exchange" in hint, "the card is in hand already"


def test_the_description_of_a_move_keeps_the_capitals_of_names() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1^ 9", "B": "6 5"})
    steps = [Move.of("ability A1"), Move.of("B2")]
    assert describe_steps(game, "A", steps) == "Use your Spy, Bo's spot 2"


def test_a_held_move_survives_a_rename() -> None:
    session = session_at()
    assert play_or_hold(session, "take")
    number = session.choice_number("A")
    session.rename(["Ann", "Zoe"], 2)
    assert session.choice_number("A") == number
    assert session.view("A").hand is not None
    assert session.view("A").names[1] == "Zoe"
    assert not play_or_hold(session, "exchange A2")
    assert session.game.names == ["Ann", "Zoe"]


def test_a_held_move_is_dropped_by_another_commit() -> None:
    session = session_at()
    assert play_or_hold(session, "take")
    other: Game = session.game.copy()
    steps = other.play("draw", "A")
    session.commit(
        session.try_move("A", session.choice_number("A"), "exchange A2")._replace(game=other, steps=steps), 2
    )
    assert session.held == {}
    assert session.memory_of("A").view.hand == other.view("A").hand


def after_first_looks(game: Game) -> Game:
    for seat in game.seats:
        game.play(f"peek {seat}1 {seat}2", seat)
    return game


def test_a_choice_is_answered_once_and_only_by_its_number() -> None:
    session = GameSession(Game.new(seed=1), revision=5)
    assert [session.choice_number(role) for role in ("A", "B", "C", SPECTATOR)] == [5, 5, None, None]
    move = session.try_move("A", 5, "peek A1 A2")
    assert session.choice_number("A") == 5, "the move is not committed"
    session.commit(move, 6)
    assert [session.choice_number(role) for role in "AB"] == [None, 5], "B can still look"
    with pytest.raises(Stale):
        session.try_move("B", 6, "peek B1 B2")
    with pytest.raises(Refused, match="is not legal now"):
        session.try_move("B", 5, "draw")


def test_a_refused_move_does_not_change_the_game() -> None:
    game = after_first_looks(Game.new(seed=1))
    before = game.text()
    with pytest.raises(Refused):
        play_text(game, game.to_move, "exchange A1 A9")
    assert game.text() == before


class SetBot(bots.Bot):
    """A bot that exchanges its first two cards whenever that is legal."""

    name = "sets"
    summary = "for a test"

    def choose(self, view: View) -> Move:
        preferred = ("draw", f"exchange {view.seat}1", f"and {view.seat}2", "done")
        return next((move for move in view.legal if str(move) in preferred), view.legal[0])


def test_a_bot_plays_complete_moves() -> None:
    set_bot = SetBot(1)
    game = Game.new(seed=1)
    first = play_bot(game, "A", set_bot)
    assert [move.verb for move in first.steps] == ["peek", "and"]
    assert game.history() == []
    game = after_first_looks(game)
    seat = game.to_move
    game = play_bot(game, seat, set_bot).game
    move = play_bot(game, seat, set_bot)
    assert [str(move) for move in move.steps] == [f"exchange {seat}1", f"and {seat}2", "done"]
    assert play_any_legal_move(Game.new(seed=1), "B").steps[0].verb == "peek"


def test_a_move_is_played_even_if_every_bot_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, view: View) -> Move:
        raise RuntimeError("no idea")

    game = after_first_looks(Game.new(seed=2))
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", fails)
    move = asyncio.run(BotRunner(1).play(game, game.to_move, "novice"))
    assert move.bot == STAND_IN
    monkeypatch.setattr("argentum.bots.steady.SteadyBot.choose", fails)
    move = asyncio.run(BotRunner(1).play(game, game.to_move, "novice"))
    assert move.steps == [game.legal()[-1]]
