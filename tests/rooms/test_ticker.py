import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from argentum.display.session import SPECTATOR
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.log.memory import MemoryJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.ticker import tick
from tests.support.room import (
    NO_DELAYS,
    TIMEOUT,
    FailingJournal,
    WaitingConnection,
    create_room,
    load_registry,
    log_entries,
    play_move,
    restore_room,
    room_state,
    run,
    seat_clock,
    seats_to_move,
    set_timing,
    start_game,
    state_of,
    ticker_task,
)


def test_a_bots_move_is_retried_until_it_can_be_saved(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            assert isinstance(registry.log, FailingJournal)
            room = await create_room(registry, new_arrangement("Ann", "dagger", 1, "novice"))
            await lobby.start(room)
            before = room_state(room)
            registry.log.broken = True
            spectator = WaitingConnection(SPECTATOR)
            await room.enter(spectator)
            await asyncio.wait_for(registry.log.failed.wait(), TIMEOUT)
            assert room_state(room) == before
            registry.log.broken = False
            room.mark_round_seen("A", 0)  # This wakes the background task, which tries again.
            await spectator.wait_until(lambda: room.choice_number("B") is None)
            assert log_entries(room)[-1].body["bot"] == "novice"

    run(main())
    assert "the disk is full" in caplog.text


def test_a_stand_in_plays_an_open_seat_until_it_is_claimed(
    database_url: str, seed_tables: Callable[[int], None]
) -> None:
    seed_tables(1)

    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await lobby.start(room)
            ann = WaitingConnection("A")
            await room.enter(ann)
            await ann.wait_until(lambda: room.choice_number("B") is None)
            assert room.seats()[1].stand_in == STAND_IN
            await room.enter(WaitingConnection("B"))
            assert room.seats()[1].stand_in == ""
            await play_move(room, "A", "peek A1 A2")
            if seats_to_move(room) != ["B"]:
                await play_move(room, "A", "draw")
                await play_move(room, "A", "exchange A1")
            await ann.wait_until(lambda: seats_to_move(room) == ["B"])
            seq = room.seq
            room.mark_round_seen("A", 0)
            await play_move(room, "B", "draw")
            assert [entry.body.get("bot") for entry in log_entries(room)[seq:]] == [None]

    run(main())


def test_a_stand_in_plays_for_a_player_who_timed_out_until_they_act(
    database_url: str, seed_tables: Callable[[int], None]
) -> None:
    seed_tables(1)

    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, bot_delay=3600.0)) as registry:
            room = await start_game(registry)
            ann, bo = WaitingConnection("A"), WaitingConnection("B")
            await room.enter(ann)
            await room.enter(bo)
            await play_move(room, "A", "peek A1 A2")
            await play_move(room, "B", "peek B1 B2")
            [seat] = seats_to_move(room)
            clock = seat_clock(room, seat)

            async def let_time_run_out() -> None:
                state_of(room).arrangement = replace(room.arrangement, turn_seconds=60)
                clock.deadline = 0.0
                room.mark_round_seen(seat, 0)
                await ann.wait_until(
                    lambda: {other.letter for other in room.seats() if other.stand_in == STAND_IN} == {seat}
                )

            await let_time_run_out()
            room.resume_seat(seat)
            assert not any(other.stand_in for other in room.seats())
            assert clock.deadline > 0.0
            await let_time_run_out()
            await play_move(room, seat, "draw")
            await tick(room)
            assert not any(other.stand_in for other in room.seats()), "the turn has its full time again"
            await let_time_run_out()
            await room.enter(WaitingConnection(seat))
            assert not any(other.stand_in for other in room.seats())

    run(main())


def test_a_stand_in_plays_for_a_disconnected_player_until_they_return(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            ann, bo = WaitingConnection("A"), WaitingConnection("B")
            await room.enter(ann)
            await room.enter(bo)
            await play_move(room, "A", "peek A1 A2")
            room.leave(bo)
            assert room.seats()[1].stand_in == "", "the player may return within the grace period"
            set_timing(room, replace(NO_DELAYS, disconnect_grace=0.0))
            room.notify()
            await ann.wait_until(lambda: room.choice_number("B") is None or not room.playing)
            assert log_entries(room)[-1].body["bot"] == STAND_IN
            assert [(seat.here, seat.stand_in) for seat in room.seats()] == [(True, ""), (False, STAND_IN)]
            await room.enter(WaitingConnection("B"))
            assert [(seat.here, seat.stand_in) for seat in room.seats()] == [(True, ""), (True, "")]

    run(main())


def test_a_room_without_connections_sleeps(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, disconnect_grace=0.0)) as registry:
            room = await create_room(registry, new_arrangement("Ann", "dagger", 1, "novice"))
            await lobby.start(room)
            await asyncio.wait_for(ticker_task(room), TIMEOUT)
            assert room.seq == 2, "no bot has played"
            spectator = WaitingConnection(SPECTATOR)
            await room.enter(spectator)
            await spectator.wait_until(lambda: room.seq > 6)
            room.leave(spectator)
            await asyncio.wait_for(ticker_task(room), TIMEOUT)
            seq = room.seq
            room.mark_round_seen("A", 0)
            await asyncio.wait_for(ticker_task(room), TIMEOUT)
            assert room.seq == seq == len(log_entries(room))

    run(main())


def test_bots_play_a_whole_game_for_a_spectator(seed_tables: Callable[[int], None]) -> None:
    seed_tables(5)

    async def main() -> None:
        arrangement = new_arrangement("Ann", "dcbdcbdcbdcbdc", 3, "novice")
        room, _ = await RoomRegistry(MemoryJournal(), replace(NO_DELAYS, disconnect_grace=0.0)).create(arrangement)
        await lobby.start(room)
        spectator = WaitingConnection(SPECTATOR)
        await room.enter(spectator)
        await spectator.wait_until(lambda: room.stage == "over")
        moves = [entry.body for entry in log_entries(room) if entry.kind == "move"]
        assert {(move["seat"], move["bot"]) for move in moves} == {
            ("A", STAND_IN), ("B", "novice"), ("C", "novice"), ("D", "novice"),
        }  # fmt: skip
        assert room_state(restore_room(room)) == room_state(room)
        await room.close()

    run(main())
