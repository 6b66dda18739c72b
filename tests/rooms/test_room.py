"""Rooms: choices, log entries, concurrent writers, stand-ins."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from argentum.bots.steady import SteadyBot
from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.memory import MemoryJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import CHANGE_BURST, Room
from argentum.rules.move import Move
from argentum.rules.views import View
from tests.support.room import (
    NO_DELAYS,
    TIMEOUT,
    FailingJournal,
    WaitingConnection,
    assert_refused,
    create_room,
    finished_room,
    load_registry,
    log_entries,
    play_move,
    play_randomly,
    random_move,
    restore_room,
    room_state,
    run,
    seats_to_move,
    session_of,
    start_game,
    ticker_task,
    view_of,
)

# Choices.


def test_a_choice_is_answered_once(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            choice = room.choice_number("A")
            await room.play_move("A", choice, "peek A1 A2")
            await assert_refused(room, room.play_move("A", choice, "peek A1 A2"), "not what you are asked", Stale)
            await play_move(room, "B", "peek B1 B2")
            [seat] = seats_to_move(room)
            choice = room.choice_number(seat)
            answers = [room.play_move(seat, choice, "draw") for _ in range(8)]
            outcomes = await asyncio.gather(*answers, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [bool] + [Stale] * 7
            assert [entry.body["steps"] for entry in log_entries(room)[-1:]] == [["draw"]]
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


def test_first_looks_do_not_make_each_other_stale(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, player_count=4)
            choices = {seat: room.choice_number(seat) for seat in "ABCD"}
            looks = [room.play_move(seat, choices[seat], f"peek {seat}2 {seat}4") for seat in "DBAC"]
            await asyncio.gather(*looks)
            assert room.game is not None
            assert not room.game.in_first_look
            for seat in "ABCD":
                assert [card.known_by for card in view_of(room, seat).villages[seat]] == ["", seat, "", seat, ""]
                assert [card.number is None for card in view_of(room, seat).villages[seat]] == [True, False] * 2 + [
                    True
                ]

    run(main())


@pytest.mark.parametrize(
    ("role", "move", "reason"),
    [
        (SPECTATOR, "peek A1 A2", "onlookers only watch"),
        ("C", "peek A1 A2", "no seat 'C'"),
        ("A", "draw", "'draw' is not legal now; you may play: peek A1"),
        ("A", "peek B1 B2", "is not legal now"),
        ("A", "peek A1 A1", "is not legal now"),
        ("A", "steal B1", "is not a move"),
        ("A", "", "is not a move"),
        ("A", None, "a move has a text"),
        ("A", ["peek A1", "and A2"], "a move has a text"),
    ],
)
def test_invalid_moves_are_refused_with_a_reason(database_url: str, role: str, move: Any, reason: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            await assert_refused(room, room.play_move(role, room.choice_number("A"), move), reason)
            await play_move(room, "A", "peek A1 A2")

    run(main())


@pytest.mark.parametrize("choice", [None, True, "2", 2.0, -1, 1, 3, 10**30])
def test_wrong_choice_numbers_are_refused(database_url: str, choice: Any) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            assert room.choice_number("A") == 2
            await assert_refused(room, room.play_move("A", choice, "peek A1 A2"), "choice|not what you are asked")

    run(main())


def test_moves_out_of_turn_are_refused(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            for seat in "AB":
                await play_move(room, seat, f"peek {seat}1 {seat}2")
            [seat] = seats_to_move(room)
            other = "AB".replace(seat, "")
            assert room.choice_number(other) is None
            number = session_of(room).pending[other].number
            await assert_refused(room, room.play_move(other, number, "draw"), "it is not your turn")
            await assert_refused(
                room,
                room.play_move(other, room.choice_number(seat), "draw"),
                "not what you are asked|it is not your turn",
            )

    run(main())


def test_moves_without_a_running_game_are_refused(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, new_arrangement())
            await assert_refused(room, room.play_move("A", 1, "draw"), "no game is going on")
            await lobby.start(room)
            await play_randomly(room, Random(1))
            number = session_of(room).pending["A"].number
            await assert_refused(room, room.play_move("A", number, "draw"), "no game is going on")

    run(main())


# The log.


def test_a_change_that_cannot_be_saved_is_not_applied(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            assert isinstance(registry.log, FailingJournal)
            room = await start_game(registry)
            before = room_state(room)
            registry.log.broken = True
            changes = [play_move(room, "A", "peek A1 A2"), lobby.arrange(room, "A", {"name": "Zoe"})]
            for change in changes:
                with pytest.raises(LogError):
                    await change
            with pytest.raises(LogError):
                await registry.create(new_arrangement())
            assert room_state(room) == before
            assert list(registry.rooms) == [room.name]
            registry.log.broken = False
            await play_move(room, "A", "peek A1 A2")
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


@pytest.mark.parametrize("turns", range(3))
def test_a_room_closes_right_after_it_was_woken(turns: int) -> None:
    async def main() -> None:
        room = await start_game(RoomRegistry(MemoryJournal(), NO_DELAYS))
        await room.enter(WaitingConnection("A"))
        await play_move(room, "A", "peek A1 A2")
        for _ in range(turns):
            await asyncio.sleep(0)
        room.resume_seat("A")
        await asyncio.wait_for(room.close(), TIMEOUT)
        assert ticker_task(room).cancelled()

    run(main())


# Concurrent writers.


def test_the_second_writer_reloads_what_the_first_wrote(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as first:
            first_room = await start_game(first)
            async with load_registry(database_url) as second:
                second_room = second.rooms[first_room.name]
                connection = WaitingConnection("B")
                await second_room.enter(connection)
                connection.notified.clear()
                await play_move(first_room, "A", "peek A1 A2")
                with pytest.raises(Stale, match="changed in the meantime"):
                    await play_move(second_room, "B", "peek B1 B2")
                assert connection.notified.is_set()
                assert room_state(second_room) == room_state(first_room)
                await play_move(second_room, "B", "peek B1 B2")
                assert second_room.seats()[1].here
                with pytest.raises(Stale):
                    await lobby.arrange(first_room, "A", {"name": "Zoe"})
                assert room_state(second_room) == room_state(first_room) == room_state(restore_room(first_room))
                random = Random(1)
                for _ in range(20):
                    writer = random.choice([first_room, second_room])
                    with contextlib.suppress(Stale):
                        await play_randomly(writer, random, 2)
                assert [entry.seq for entry in log_entries(first_room)] == list(range(len(log_entries(first_room))))
                latest = max(first_room, second_room, key=lambda room: room.seq)
                assert room_state(restore_room(first_room)) == room_state(latest)

    run(main())


def test_leaving_while_a_move_is_written_loses_nothing(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            move = asyncio.create_task(play_move(room, "A", "peek A1 A2"))
            while not room._lock.locked():
                await asyncio.sleep(0)
            move.cancel()
            with pytest.raises(asyncio.CancelledError):
                await move
            with contextlib.suppress(Stale):  # If the log has the first move, the room notices now.
                await play_move(room, "B", "peek B1 B2")
            assert room_state(room) == room_state(restore_room(room))
            for seat in seats_to_move(room):
                if room.game is not None and room.game.in_first_look:
                    await play_move(room, seat, f"peek {seat}1 {seat}2")
            assert room_state(room) == room_state(restore_room(room))

    run(main())


def test_two_connections_of_a_seat_are_one_person(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, disconnect_grace=0.0)) as registry:
            room = await start_game(registry)
            phone, laptop = WaitingConnection("A"), WaitingConnection("A")
            await room.enter(phone)
            await room.enter(laptop)
            room.leave(phone)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (True, "")
            room.leave(laptop)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (False, STAND_IN)

    run(main())


def test_consecutive_arrangements_replace_each_other_in_the_log(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(WaitingConnection("B"))
            for number in range(20):
                await lobby.arrange(room, "B", {"name": f"Bo {number}"})
            await lobby.arrange(room, "A", {"memory": True})
            assert [entry.kind for entry in log_entries(room)] == ["table", "arrange"]
            assert room_state(restore_room(room)) == room_state(room)
            await lobby.start(room)
            await lobby.arrange(room, "B", {"name": "Bert"})
            await lobby.arrange(room, "B", {"name": "Bertha"})
            assert [entry.kind for entry in log_entries(room)] == ["table", "arrange", "start", "arrange"]
            other = restore_room(room)
            assert room_state(other) == room_state(room)
            await lobby.arrange(other, "B", {"name": "Bea"})
            assert [entry.kind for entry in log_entries(room)] == ["table", "arrange", "start", "arrange"]
            with pytest.raises(Stale):
                await lobby.arrange(room, "B", {"name": "Bob"})
            assert room_state(room) == room_state(other), "the room has reloaded what the other server wrote"
            await other.close()

    run(main())


def test_an_arrangement_keeps_the_keys_of_the_entry_it_replaces(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 2))
            await room.claim_seat("Bo's key", "Bo")
            await room.claim_seat("Cem's key", "Cem")
            await lobby.arrange(room, "A", {"memory": True})
            assert len(log_entries(room)) == 2
            assert [restore_room(room).keys.role_for_key(key) for key in ("Bo's key", "Cem's key")] == ["B", "C"]

    run(main())


def test_an_unchanged_arrangement_is_not_saved(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await lobby.arrange(room, "A", {"name": "Ann"})
            assert [entry.kind for entry in log_entries(room)] == ["table"]

    run(main())


def test_changes_of_the_arrangement_are_rate_limited_per_seat(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(WaitingConnection("B"))
            changes = [lobby.arrange(room, "B", {"name": f"Bo {number % 7}"}) for number in range(5 * CHANGE_BURST)]
            outcomes = await asyncio.gather(*changes, return_exceptions=True)
            too_fast = [error for error in outcomes if isinstance(error, Refused) and "too many" in str(error)]
            assert len(too_fast) >= 3 * CHANGE_BURST
            await lobby.arrange(room, "A", {"name": "Anna"})  # Other seats are not affected.

    run(main())


def test_a_table_with_a_full_log_finishes_its_game_but_starts_no_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            monkeypatch.setattr(lobby, "MAX_LOG_ENTRIES", room.seq)
            await assert_refused(room, lobby.arrange(room, "A", {"name": "Anna"}), "set a new one")
            await play_move(room, "A", "peek A1 A2")
            await play_randomly(room, Random(1))
            await assert_refused(room, lobby.open_rematch(room, "A"), "set a new one")

    run(main())


def test_spectators_see_every_village_after_the_last_round(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await finished_room(registry)
            for current in (room, restore_room(room)):
                cards = [card for village in view_of(current, SPECTATOR).villages.values() for card in village]
                assert all(card.number is not None for card in cards)
                text, _ = current.update_json(SPECTATOR, None)
                sent_cards = [card for village in json.loads(text)["view"]["villages"].values() for card in village]
                assert [card["number"] for card in sent_cards] == [card.number for card in cards]

    run(main())


# Choices with several steps.


async def room_after_first_selection(registry: RoomRegistry) -> tuple[Room, str, str]:
    """Return a room where a seat has selected the first of a Troublemaker's two cards, with the seat and the move."""
    random = Random(5)
    while True:
        room = await start_game(registry, "a" * 6 + "d" * 8)
        while room.playing:
            [seat] = (
                seats_to_move(room)
                if room.game is not None and not room.game.in_first_look
                else seats_to_move(room)[:1]
            )
            asking = view_of(room, seat).asking
            assert asking is not None
            move = random_move(room, seat, random)
            await play_move(room, seat, move)
            if asking.step == "card" and room.game is not None and seats_to_move(room) == [seat]:
                next_choice = view_of(room, seat).asking
                if next_choice is not None and next_choice.step == "second" and next_choice.label == asking.label:
                    return room, seat, move


def test_a_first_selection_survives_a_reload_and_a_stand_in(
    database_url: str, seed_tables: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seed_tables(2)
    views: list[View] = []

    def choose(self: SteadyBot, view: View) -> Move:
        views.append(view)
        return original_choose(self, view)

    original_choose = SteadyBot.choose
    monkeypatch.setattr(SteadyBot, "choose", choose)

    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, disconnect_grace=0.0)) as registry:
            room, seat, first = await room_after_first_selection(registry)
            for current in (room, restore_room(room)):
                for role in ("A", "B", SPECTATOR):
                    asking_fields = json.loads(current.update_json(role, None)[0])["view"]["asking"]
                    asking = view_of(current, role).asking
                    assert asking is not None
                    assert (asking_fields["seat"], asking_fields["step"], asking_fields["picked"]) == (
                        seat,
                        "second",
                        [first],
                    )
                    assert [str(move) for move in asking.picked] == [first]
            spectator = WaitingConnection(SPECTATOR)
            await room.enter(spectator)  # No player is connected, so the stand-in moves.
            seq = room.seq
            await spectator.wait_until(lambda: room.seq > seq)
            asking = views[0].asking
            assert asking is not None
            assert (asking.seat, asking.step, [str(move) for move in asking.picked]) == (seat, "second", [first])
            [entry] = log_entries(room)[seq : seq + 1]
            assert (entry.body["seat"], entry.body["bot"]) == (seat, STAND_IN)
            assert entry.body["steps"] != [first]

    run(main())
