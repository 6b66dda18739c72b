"""What others did to cards, since the reader's last turn."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from argentum.display.errors import Refused
from argentum.display.seat_memory import recent_actions
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.display.updates import update_json
from argentum.rooms.post_game import record_json
from argentum.rooms.room import Room
from argentum.rules.engine import random_move
from argentum.rules.events import Event
from argentum.rules.game import Game
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


def marks(*events: Event, me: str = "A") -> dict[str, tuple[str, str]]:
    """Which marks are where."""
    found = recent_actions([*DEALT, *events], NAMES, "ABC", me)
    return {spot: (trace.glyph, trace.initial) for spot, trace in found.items()}


def test_a_look_and_a_switch_leave_a_mark_with_the_name_of_who_did_it() -> None:
    told = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "C"), Event("switched", "C", "C1", to="A3")]
    assert marks(*told) == {"A2": ("eye", "Bo"), "C1": ("switch", "Be"), "A3": ("switch", "Be")}
    assert recent_actions([*DEALT, *told], NAMES, "ABC", "A")["A2"].text == "Bo looked at it"


def test_what_i_do_leaves_none_and_those_of_others_stay_until_my_turn_is_over() -> None:
    told = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "A"), Event("looked", "A", "A1")]
    assert marks(*told) == {"A2": ("eye", "Bo")}
    assert marks(*told, Event("turn", "B")) == {}


def test_a_mark_goes_with_its_card() -> None:
    look = [Event("turn", "B"), Event("looked", "B", "A2"), Event("looked", "B", "C1")]
    one = [Event("turn", "C"), Event("drew", "C"), Event("left", "C", "C1", goes="discard"), Event("placed", "C", "C1")]
    assert marks(*look, *one) == {"A2": ("eye", "Bo"), "C1": ("drawn", "Be")}, "another card lies there now"
    mixed = Event("shuffled", "C", village="A")
    assert marks(*look, mixed) == {"C1": ("eye", "Bo")}, "nobody knows any more which of A's cards it was"


def test_what_was_turned_over_is_marked_too() -> None:
    told = [Event("turn", "B"), Event("turned up", "B", "A2"), Event("turned down", "B", "C1")]
    assert marks(*told) == {"A2": ("again", "Bo"), "C1": ("again", "Bo")}


def test_a_new_round_has_no_marks() -> None:
    assert marks(Event("turn", "B"), Event("looked", "B", "A2"), Event("dealt", "", round=2), Event("turn", "A")) == {}


def test_with_memory_cards_of_the_deck_are_seen_while_one_is_chosen() -> None:
    """A4: the chooser has them before them, others do not; afterwards they are to be remembered."""
    random = Random(4)
    found = 0
    while found < 2:
        sitting = GameSession(Game.new("amulet", 2, random.getrandbits(32)), memory=True)
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
            steps = game.play(random_move(game.legal_moves(), random), seat)
            sitting.commit(PlayedMove(game, seat, steps), sitting.revision + 1)


def test_only_the_lines_that_are_shown_are_kept_and_they_are_those_of_the_whole_story() -> None:
    random = Random(7)
    sitting = GameSession(Game.new("dagger", 2, 7))
    shown: list[str] = []
    for _ in range(60):
        game, seat = sitting.game, sitting.game.to_move
        steps = game.play(random_move(game.legal_moves(), random), seat)
        sitting.commit(PlayedMove(game, seat, steps), sitting.revision + 1)
        recall = sitting.memory_of("A")
        shown = [entry.text(recall.view.residents) for entry in recall.log_lines(8)]
    whole = GameSession(sitting.game).memory_of("A")
    assert shown == [entry.text(whole.view.residents) for entry in whole.log_lines(1_000)[-8:]]


# Memory.


def own(room: Room, seat: str) -> list[int | None]:
    return [card.number for card in view_of(room, seat).villages[seat]]


def test_with_memory_what_was_looked_at_fades(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.5)) as registry:
            room = await start_game(registry, memory=True)
            ann = WaitingConnection("A")
            await room.enter(ann)
            assert own(room, "A") == [None] * 5
            await play_move(room, "A", "peek A1 A3")
            assert [number is None for number in own(room, "A")] == [False, True, False, True, True]
            assert own(room, "B") == [None] * 5
            await ann.wait_until(lambda: own(room, "A") == [None] * 5)
            assert [card.known_by for card in view_of(room, "A").villages["A"]] == ["A", "", "A", "", ""]
            with pytest.raises(Refused, match="remember"):
                record_json(room, "A")
            again = told(room, "A", None)
            assert [event.get("number") for event in again] == [None] * len(again), "who comes back is not told again"

    run(main())


@pytest.mark.parametrize("act", ["rename", "restart"])
def test_nothing_brings_back_what_has_faded(database_url: str, act: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.2)) as registry:
            room = await start_game(registry, memory=True)
            ann = WaitingConnection("A")
            await room.enter(ann)
            view_of(room, "A")
            await play_move(room, "A", "peek A1 A3")
            await ann.wait_until(lambda: own(room, "A") == [None] * 5)
            if act == "rename":
                await room.arrange("B", {"name": "Zoe"})
            else:
                room = restore_room(room)
            assert own(room, "A") == [None] * 5

    run(main())


def test_a_rename_takes_nothing_from_sight(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, memory=True)
            view_of(room, "A")
            await play_move(room, "A", "peek A1 A3")
            seen = own(room, "A")
            await room.arrange("B", {"name": "Zoe"})
            assert own(room, "A") == seen != [None] * 5

    run(main())


def test_open_notes_keep_what_was_looked_at(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.0)) as registry:
            room = await start_game(registry)
            await play_move(room, "A", "peek A1 A3")
            assert [number is None for number in own(room, "A")] == [False, True, False, True, True]
            numbers = [event.get("number") for event in told(room, "A", None) if event["kind"] == "looked"]
            assert numbers == [own(room, "A")[0], own(room, "A")[2]]
            assert [event for event in told(room, SPECTATOR, None) if "number" in event] == []

    run(main())


def told(room: Room, role: str, since: int | None) -> list[dict[str, Any]]:
    """The events of an update."""
    text, _ = update_json(role, room.update_fields(), room.session, since)
    events: list[dict[str, Any]] = json.loads(text)["events"]
    return events


def test_with_memory_the_own_deck_and_the_reveal_stay_open(database_url: str) -> None:
    """D10: a private deck may be looked at at any time. G15: a 0 acts when all villages are open."""
    kept, acted = 0, 0

    async def main() -> None:
        nonlocal kept, acted
        async with load_registry(database_url, replace(NO_DELAYS, look_seconds=0.0)) as registry:
            random = Random(1)
            while not (kept and acted):
                room = await start_game(registry, "c" + "d" * 13, 2, memory=True)
                while room.game is not None and not room.game.over:
                    seat = room.game.to_move
                    room.game.play(random_move(room.game.legal_moves(), random))
                    session_of(room).revision += 1
                    for one in "AB":
                        private = view_of(room, one).private[one]
                        kept += len(private)
                        assert all(card.number is not None for card in private)
                    if room.game.to_move and session_of(room).memory_of(room.game.to_move).history.villages_revealed:
                        acted += 1
                        cards = [card for village in view_of(room, seat).villages.values() for card in village]
                        assert all(card.number is not None for card in cards)

    run(main())
