import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from argentum.display.errors import Refused
from argentum.display.seat_memory import recent_actions
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.rooms import lobby
from argentum.rooms.post_game import record_json
from argentum.rooms.room import Room
from argentum.rules.events import Event
from argentum.rules.game import Game
from tests.random_games import random_move
from tests.support.room import (
    NO_DELAYS,
    WaitingConnection,
    load_registry,
    play_move,
    restore_room,
    run,
    session_of,
    start_game,
    view_of,
)

NAMES = ["Ann", "Bo", "Bess"]
DEALT = [Event("dealt", "", round=1), Event("turn", "A")]


def recent_glyphs(*events: Event) -> dict[str, tuple[str, str]]:
    """Return the glyph and initial of each recent action that seat A sees, keyed by spot."""
    actions = recent_actions([*DEALT, *events], NAMES, "ABC", "A")
    return {spot: (action.glyph, action.initial) for spot, action in actions.items()}


def test_looks_and_switches_of_others_are_recent_actions() -> None:
    events = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "C"), Event("switched", "C", "C1", to="A3")]
    assert recent_glyphs(*events) == {"A2": ("eye", "Bo"), "C1": ("switch", "Be"), "A3": ("switch", "Be")}
    assert recent_actions([*DEALT, *events], NAMES, "ABC", "A")["A2"].text == "Bo looked at it"


def test_recent_actions_of_others_last_until_the_viewers_turn_is_over() -> None:
    events = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "A"), Event("looked", "A", "A1")]
    assert recent_glyphs(*events) == {"A2": ("eye", "Bo")}
    assert recent_glyphs(*events, Event("turn", "B")) == {}


def test_a_recent_action_is_dropped_when_its_card_is_replaced_or_shuffled() -> None:
    look = [Event("turn", "B"), Event("looked", "B", "A2"), Event("looked", "B", "C1")]
    exchange = [
        Event("turn", "C"),
        Event("drew", "C"),
        Event("left", "C", "C1", goes="discard"),
        Event("placed", "C", "C1"),
    ]
    assert recent_glyphs(*look, *exchange) == {"A2": ("eye", "Bo"), "C1": ("drawn", "Be")}, "C1 has another card now"
    shuffle = Event("shuffled", "C", village="A")
    assert recent_glyphs(*look, shuffle) == {"C1": ("eye", "Bo")}, "nobody knows which of A's cards was looked at"


def test_turning_a_card_over_is_a_recent_action() -> None:
    events = [Event("turn", "B"), Event("turned up", "B", "A2"), Event("turned down", "B", "C1")]
    assert recent_glyphs(*events) == {"A2": ("again", "Bo"), "C1": ("again", "Bo")}


def test_a_new_round_has_no_recent_actions() -> None:
    assert (
        recent_glyphs(Event("turn", "B"), Event("looked", "B", "A2"), Event("dealt", "", round=2), Event("turn", "A"))
        == {}
    )


def test_in_memory_mode_deck_cards_are_visible_while_the_player_chooses_one() -> None:
    """A4: only the player who chooses sees the cards, and only until the choice is made."""
    random = Random(4)
    choices = 0
    while choices < 2:
        session = GameSession(Game.new("amulet", 2, random.getrandbits(32)), memory=True)
        while not session.game.over and choices < 2:
            game, seat = session.game, session.game.to_move
            view = session.view(seat)
            assert view.asking is not None
            if view.asking.step == "keep":
                choices += 1
                looked_at = len(view.legal)
                assert all(card.number is not None for card in view.deck[:looked_at])
                other = session.view("A" if seat == "B" else "B")
                assert [card.number for card in other.deck] == [None] * len(other.deck)
            else:
                assert all(card.number is None or card.up for card in view.deck)
            steps = game.play(random_move(game, random), seat)
            session.commit(PlayedMove(game, seat, steps), session.revision + 1)


def test_the_last_log_lines_equal_those_of_the_complete_log() -> None:
    random = Random(7)
    session = GameSession(Game.new("dagger", 2, 7))
    shown: list[str] = []
    for _ in range(60):
        game, seat = session.game, session.game.to_move
        steps = game.play(random_move(game, random), seat)
        session.commit(PlayedMove(game, seat, steps), session.revision + 1)
        memory = session.memory_of("A")
        shown = [entry.text(memory.view.residents) for entry in memory.log_lines(8)]
    complete = GameSession(session.game).memory_of("A")
    assert shown == [entry.text(complete.view.residents) for entry in complete.log_lines(1_000)[-8:]]


# Memory mode.


def own_numbers(room: Room, seat: str) -> list[int | None]:
    return [card.number for card in view_of(room, seat).villages[seat]]


def test_in_memory_mode_a_card_that_was_looked_at_is_hidden_again(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.5)) as registry:
            room = await start_game(registry, memory=True)
            ann = WaitingConnection("A")
            await room.enter(ann)
            assert own_numbers(room, "A") == [None] * 5
            await play_move(room, "A", "peek A1 A3")
            assert [number is None for number in own_numbers(room, "A")] == [False, True, False, True, True]
            assert own_numbers(room, "B") == [None] * 5
            await ann.wait_until(lambda: own_numbers(room, "A") == [None] * 5)
            assert [card.known_by for card in view_of(room, "A").villages["A"]] == ["A", "", "A", "", ""]
            with pytest.raises(Refused, match="remember"):
                record_json(room, "A")
            events = update_events(room, "A", None)
            assert [event.get("number") for event in events] == [None] * len(events), "as after a reload"

    run(main())


@pytest.mark.parametrize("act", ["rename", "restart"])
def test_a_hidden_card_stays_hidden_after_a_rename_or_restart(database_url: str, act: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.2)) as registry:
            room = await start_game(registry, memory=True)
            ann = WaitingConnection("A")
            await room.enter(ann)
            view_of(room, "A")
            await play_move(room, "A", "peek A1 A3")
            await ann.wait_until(lambda: own_numbers(room, "A") == [None] * 5)
            if act == "rename":
                await lobby.arrange(room, "B", {"name": "Zoe"})
            else:
                room = restore_room(room)
            assert own_numbers(room, "A") == [None] * 5

    run(main())


def test_a_visible_card_stays_visible_after_a_rename(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, memory=True)
            view_of(room, "A")
            await play_move(room, "A", "peek A1 A3")
            seen = own_numbers(room, "A")
            await lobby.arrange(room, "B", {"name": "Zoe"})
            assert own_numbers(room, "A") == seen != [None] * 5

    run(main())


def test_with_open_notes_cards_stay_visible(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.0)) as registry:
            room = await start_game(registry)
            await play_move(room, "A", "peek A1 A3")
            assert [number is None for number in own_numbers(room, "A")] == [False, True, False, True, True]
            numbers = [event.get("number") for event in update_events(room, "A", None) if event["kind"] == "looked"]
            assert numbers == [own_numbers(room, "A")[0], own_numbers(room, "A")[2]]
            assert [event for event in update_events(room, SPECTATOR, None) if "number" in event] == []

    run(main())


def update_events(room: Room, role: str, since: int | None) -> list[dict[str, Any]]:
    """Return the events of an update for a role."""
    text, _ = room.update_json(role, since)
    events: list[dict[str, Any]] = json.loads(text)["events"]
    return events


def test_in_memory_mode_private_decks_and_the_round_end_stay_visible(database_url: str) -> None:
    """D10: players may look at their private decks at any time. G15: a 0 acts while all villages are faceup."""
    private_cards, round_end_moves = 0, 0

    async def main() -> None:
        nonlocal private_cards, round_end_moves
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.0)) as registry:
            random = Random(1)
            while not (private_cards and round_end_moves):
                room = await start_game(registry, "c" + "d" * 13, 2, memory=True)
                while room.game is not None and not room.game.over:
                    seat = room.game.to_move
                    room.game.play(random_move(room.game, random))
                    session_of(room).revision += 1
                    for owner in "AB":
                        private = view_of(room, owner).private[owner]
                        private_cards += len(private)
                        assert all(card.number is not None for card in private)
                    if room.game.to_move and session_of(room).memory_of(room.game.to_move).history.villages_revealed:
                        round_end_moves += 1
                        cards = [card for village in view_of(room, seat).villages.values() for card in village]
                        assert all(card.number is not None for card in cards)

    run(main())


def test_looks_expire_by_the_clock_of_the_session() -> None:
    clock = [100.0]
    session = GameSession(Game.new("dagger", 2, 1), memory=True, look_seconds=7.0, now=lambda: clock[0])

    def visible_at(time: float) -> list[bool]:
        clock[0] = time
        return [card.number is not None for card in session.view("A").villages["A"]]

    assert visible_at(100.0) == [False] * 5
    session.commit(session.try_move("A", session.choice_number("A"), "peek A1 A3"), 1)
    assert visible_at(100.0) == [True, False, True, False, False]
    assert visible_at(113.9) == [True, False, True, False, False], "two cards have twice the time"
    assert visible_at(114.0) == [False] * 5
