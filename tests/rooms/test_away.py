"""When a bot fills in for absent players: after a minute, after a day, or never."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from argentum import bots
from argentum.display.errors import Refused
from argentum.display.session import play_any_legal_move, play_bot
from argentum.rooms import lobby
from argentum.rooms.arrangement import Arrangement, new_arrangement
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.web.pages.my_tables import table_states
from tests.support.fakes import open_slow_registry
from tests.support.room import (
    WaitingConnection,
    create_room,
    disconnect,
    journal_of,
    load_registry,
    log_entries,
    open_registry,
    play_move,
    restore_room,
    room_of_three,
    run,
    seat_clock,
    seats_to_move,
    start_game,
)

DAY = 86_400.0
MODULES = ("access", "clock", "game_room", "room", "ticker")  # those that read the time
SLOW = pytest.mark.parametrize("away", ["day", "never"])


@pytest.fixture
def advance(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that moves the clocks of rooms forward by some seconds."""
    passed = 0.0

    def advance_clocks(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    for module in MODULES:
        monkeypatch.setattr(f"argentum.rooms.{module}.monotonic", lambda: time.monotonic() + passed)
    for module in ("entries", "game_room", "room"):
        monkeypatch.setattr(f"argentum.rooms.{module}.time", lambda: time.time() + passed)
    return advance_clocks


def stand_ins(room: Room) -> str:
    """Return the seats for which a bot fills in now."""
    return "".join([seat.letter for seat in room.seats() if seat.stand_in])


async def start_first_turn(room: Room) -> str:
    """Play the first look of all seats; return the seat whose turn it is."""
    for seat in seats_to_move(room):
        await play_move(room, seat, f"peek {seat}1 {seat}2")
    [seat] = seats_to_move(room)
    return seat


# The setting.


def test_the_setting_is_saved_and_public_and_old_logs_have_the_default() -> None:
    arrangement = replace(new_arrangement(), away="day")
    assert Arrangement.from_log(arrangement.to_log()) == arrangement
    assert arrangement.to_public()["away"] == "day"
    old_entry = new_arrangement().to_log()
    del old_entry["away"]
    assert Arrangement.from_log(old_entry).away == "minute"


def test_a_table_has_a_clock_or_days_for_a_turn() -> None:
    clocked = new_arrangement().with_changes({"seconds": 60})
    assert (clocked.away, clocked.turn_limit) == ("minute", 60)
    slow = clocked.with_changes({"away": "day"})
    assert (slow.away, slow.turn_seconds, slow.turn_limit) == ("day", 0, DAY)
    assert slow.with_changes({"seconds": 0}) == slow
    assert slow.with_changes({"seconds": 30}).away == "minute"
    never = slow.with_changes({"away": "never"})
    assert (never.turn_limit, never.is_slow) == (0, True)
    assert slow.with_changes({"away": "minute", "seconds": "90"}).turn_limit == 90
    for change in ({"away": "day", "seconds": 30}, {"seconds": "30", "away": "never"}):
        with pytest.raises(Refused, match="there is no clock"):
            clocked.with_changes(change)


@pytest.mark.parametrize("value", ["", "week", 60, None, ["day"], True])
def test_invalid_settings_are_refused(value: object) -> None:
    with pytest.raises(Refused, match="away is one of minute, day, never"):
        new_arrangement().with_changes({"away": value})


# Who plays.


@SLOW
def test_people_who_may_take_days_can_leave(database_url: str, advance: Callable[[float], None], away: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, player_count=3, away=away)
            ann = WaitingConnection("A")
            await room.enter(ann)
            await start_first_turn(room)
            seq = room.seq
            advance(DAY - 60.0)
            room.notify()
            assert stand_ins(room) == ""
            assert room.seq == seq
            assert room.time_left() is None, "no clock is shown"

    run(main())


def test_a_bot_plays_for_somebody_whose_turn_has_waited_for_a_day(
    database_url: str, advance: Callable[[float], None]
) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, player_count=3, away="day")
            seat = await start_first_turn(room)
            others = [WaitingConnection(letter) for letter in "ABC" if letter != seat]
            for connection in others:
                await room.enter(connection)
            advance(DAY + 1)
            room.notify()
            await others[0].wait_until(lambda: seats_to_move(room) != [seat] or not room.playing)
            assert {(entry.body["seat"], entry.body["bot"]) for entry in log_entries(room) if "bot" in entry.body} == {
                (seat, STAND_IN)
            }
            assert stand_ins(room) == seat, "the bot also plays the next turns, until the player returns"
            await room.enter(WaitingConnection(seat))
            assert stand_ins(room) == ""

    run(main())


def test_nobody_is_replaced_where_the_game_waits_for_everybody(
    database_url: str, advance: Callable[[float], None]
) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, away="never")
            seat = await start_first_turn(room)
            advance(100 * DAY)
            room.notify()
            restored = restore_room(room)
            for loaded in (room, restored):
                assert stand_ins(loaded) == ""
                assert seats_to_move(loaded) == [seat]

    run(main())


def test_a_player_who_comes_back_after_more_than_a_day_still_has_the_turn(
    database_url: str, advance: Callable[[float], None]
) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, away="day")
            seat = await start_first_turn(room)
            await room.close()  # as if the server had unloaded it
            advance(2 * DAY)
            returned = restore_room(room)
            player = WaitingConnection(seat)
            await returned.enter(player)
            advance(DAY - 60.0)
            returned.notify()
            assert stand_ins(returned) == ""
            await play_move(returned, seat, "draw")
            await returned.close()

    run(main())


def test_the_day_continues_after_a_restart_and_players_have_a_minute_to_come_back(
    database_url: str, advance: Callable[[float], None]
) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry, away="day")
            seat = await start_first_turn(room)
            await room.close()
            for days, now, seconds_left in ((0.5, 0.5 * DAY, 0.5 * DAY), (0.75, 1.25 * DAY, 60.0)):
                advance(days * DAY)
                restored = restore_room(room)
                deadline = time.monotonic() + now + seconds_left
                assert seat_clock(restored, seat).deadline == pytest.approx(deadline, abs=10)

    run(main())


def test_bots_move_while_nobody_is_connected_where_people_may_take_days(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, replace(new_arrangement("Ann", "dagger", 1, "novice"), away="never"))
            await lobby.start(room)
            ann = WaitingConnection("A")
            await room.enter(ann)
            await play_move(room, "A", "peek A1 A2")
            room.leave(ann)
            async with asyncio.timeout(60):
                while seats_to_move(room) != ["A"]:
                    await asyncio.sleep(0)
            await play_move(room, "A", "draw")
            await play_move(room, "A", "exchange A1")
            await room.close()
            registry.rooms.pop(room.name)
            loaded = await registry.find(room.name)
            assert loaded is not None
            async with asyncio.timeout(60):
                while seats_to_move(loaded) != ["A"]:
                    await asyncio.sleep(0)

    run(main())


# A stand-in does not call.


@pytest.mark.parametrize("bot", ["random", "novice", STAND_IN])
@pytest.mark.parametrize("boxes", ["amulet", "bullet", "coin", "dagger"])
def test_a_bot_that_may_not_call_makes_another_legal_move(boxes: str, bot: str) -> None:
    player, stand_in, positions = bots.make(bot, 1), bots.make(STAND_IN, 1), 0
    game = Game.new(boxes, 3, 7)
    while not game.over:
        seat = game.to_move
        if "call" in map(str, game.legal(seat)):
            positions += 1
            for move in (play_bot(game, seat, player, may_call=False), play_any_legal_move(game, seat, may_call=False)):
                assert str(move.steps[0]) != "call"
                assert move.steps[0] in game.legal(seat)
        game = play_bot(game, seat, stand_in, may_call=False).game
    assert positions > 20


def test_a_bot_calls_if_no_other_move_is_legal() -> None:
    call, draw = Move.of("call"), Move.of("draw")
    assert bots.without_call((call,)) == (call,)
    assert bots.without_call((draw, call)) == (draw,)


def test_stand_ins_never_end_a_round_by_a_call_where_people_may_take_days(
    database_url: str, advance: Callable[[float], None]
) -> None:
    async def play_by_stand_ins(room: Room) -> set[str]:
        """Let stand-ins play a whole game; return their moves."""
        watcher = WaitingConnection("watch")
        await room.enter(watcher)
        advance(DAY + 1)
        room.notify()
        await watcher.wait_until(lambda: not room.playing)
        return {" ".join(entry.body["steps"]) for entry in log_entries(room) if entry.kind == "move"}

    async def main() -> None:
        async with load_registry(database_url) as registry:
            assert "call" not in await play_by_stand_ins(await start_game(registry, "coin", 3, away="day"))
            assert "call" in await play_by_stand_ins(await start_game(registry, "coin", 3))

    run(main())


# What others may do for somebody who is away.


@SLOW
def test_in_a_game_others_may_act_for_players_only_after_a_day(
    tmp_path: Path, advance: Callable[[float], None], away: str
) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"away": away}, keys["A"])
            disconnect(room, "A")
            advance(61.0)
            assert room.may_take_over("B"), "before the game, a minute is enough"
            await room.enter(LocalSeat("A", keys["A"]))
            await lobby.start(room)
            disconnect(room, "A")
            disconnect(room, "C")
            advance(DAY - 7200.0)
            assert not room.may_take_over("B")
            with pytest.raises(Refused, match=r"Ann may take a day here; try again in \d h"):
                await lobby.transfer_host(room, "B", "B", keys["B"])
            advance(7201.0)
            assert room.absent_seats == "AC"
            await lobby.transfer_host(room, "B", "B", keys["B"])
            await lobby.arrange(room, "B", {"seat": "C", "bot": ""}, keys["B"])
            assert "C" in stand_ins(room), "a bot plays in a seat that nobody has"

    run(main())


def test_after_a_restart_the_days_before_it_count_but_players_have_a_minute_to_come_back(
    tmp_path: Path, advance: Callable[[float], None]
) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"away": "never"}, keys["A"])
            await lobby.start(room)
            await room.close()
            advance(3 * DAY)
            restored = Room.from_entries(room.name, log_entries(room), journal_of(room), Timing())
            for presence in restored._presence:
                presence.left_at += 3 * DAY  # It is set by a clock that the test does not move.
            await restored.enter(LocalSeat("B", keys["B"]))
            assert restored.absent_seats == ""
            advance(61.0)
            assert restored.absent_seats == "AC"
            assert restored.may_take_over("B")
            await restored.close()

    run(main())


# How long tables are kept.


def test_tables_where_people_may_take_days_are_kept_for_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            log.may_end.set()
            registry.limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
            rooms = {}
            for loaded in (True, False):
                for away in ("minute", "never"):
                    room = await start_game(registry, away=away)
                    rooms[away, loaded] = room.name
                    if not loaded:
                        del registry.rooms[room.name]
            for days, remaining in ((31, {"never"}), (89, {"never"}), (91, set())):
                monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda days=days: time.time() + days * DAY)
                await registry.housekeeper.sweep()
                assert {name for name, _ in log.all_entries()} == {
                    name for (away, _), name in rooms.items() if away in remaining
                }

    run(main())


def test_the_longer_of_both_periods_counts() -> None:
    assert Limits().days_kept(True) == Limits(keep_slow_days=1.0).days_kept(True) == 0.0, "games are kept for good"
    assert Limits(keep_days=7.0).days_kept(True) == 90.0
    assert Limits(keep_days=7.0).days_kept(False) == 7.0
    assert Limits(keep_days=365.0).days_kept(True) == 365.0


def test_a_full_server_unloads_a_waiting_slow_table_without_deleting_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        limits = Limits(max_tables=1, grace_minutes=2.0)
        async with open_registry(tmp_path, Timing(), limits) as (log, registry):
            room, _ = await registry.create(replace(new_arrangement(), away="day"))
            now = time.monotonic()
            monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: now + 3600.0)
            await registry.housekeeper.sweep()
            assert registry.rooms, "friends have a day to come"
            other, _ = await registry.create(new_arrangement())
            assert [*registry.rooms] == [other.name]
            await registry.unload(other, None)
            assert await registry.find(room.name) is not None
            monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: now + DAY + 7200.0)
            monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + DAY + 7200.0)
            await registry.housekeeper.sweep()
            assert not log.entries(room.name)

    run(main())


# The list of own tables.


def test_the_list_of_own_tables_says_whom_a_game_waits_for(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"away": "never"}, keys["A"])
            await lobby.start(room)
            registry = RoomRegistry(journal_of(room))
            registry.rooms[room.name] = room

            async def states() -> list[str]:
                tables = [(room.name, key) for key in keys.values()]
                return [state["state"] for state in await table_states(registry, tables)]

            assert await states() == ["your turn"] * 3
            await play_move(room, "A", "peek A1 A2")
            assert await states() == ["waiting for Bo and Cem", "your turn", "your turn"]
            for seat in "BC":
                await play_move(room, seat, f"peek {seat}1 {seat}2")
            [turn] = seats_to_move(room)
            names = {"A": "Ann", "B": "Bo", "C": "Cem"}
            assert await states() == ["your turn" if seat == turn else f"waiting for {names[turn]}" for seat in "ABC"]

    run(main())
