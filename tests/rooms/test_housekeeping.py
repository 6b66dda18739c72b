import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from argentum.display.errors import Refused
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.web.pages.my_tables import table_states
from tests.random_games import play_to_end
from tests.support.fakes import StubConnection, open_slow_registry, run


def advance_clocks(monkeypatch: pytest.MonkeyPatch, hours: float, before: float) -> None:
    monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: before + hours * 3600)
    monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + hours * 3600)


def test_empty_tables_are_deleted_in_minutes_and_games_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(idle_table_hours=2.0, lobby_hours=1.0, empty_table_minutes=10.0))
        empty, _ = await registry.create(new_arrangement())
        gathered, _ = await registry.create(new_arrangement())
        await gathered.claim_seat("a key", "Bo")
        watched, _ = await registry.create(new_arrangement())
        playing, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
        await lobby.start(playing)
        await watched.enter(StubConnection("watch"))
        before = time.monotonic()
        steps: tuple[tuple[float, list[Room], list[Room]], ...] = (
            (0.1, [empty, gathered, watched, playing], []),
            (0.9, [gathered, watched, playing], []),
            (1.1, [watched, playing], []),
            (2.1, [watched], [playing]),
        )
        for hours, loaded, unloaded in steps:
            advance_clocks(monkeypatch, hours, before)
            await registry.housekeeper.sweep()
            assert list(registry.rooms.values()) == loaded
            assert [name for name, _ in log.all_entries()] == sorted([room.name for room in [*loaded, *unloaded]])
        reloaded = await registry.find(playing.name)
        assert reloaded is not None
        assert reloaded.playing
        await registry.close()
        await log.close()

    run(main())


def test_a_full_server_does_not_unload_tables_in_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(max_tables=3, grace_minutes=2.0))
        with_game, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
        await lobby.start(with_game)
        first, _ = await registry.create(new_arrangement())
        seated_at, _ = await registry.create(new_arrangement())
        await seated_at.enter(StubConnection("A"))
        with pytest.raises(Refused, match="the hall is full"):
            await registry.create(new_arrangement())
        advance_clocks(monkeypatch, 0.05, time.monotonic())
        second, _ = await registry.create(new_arrangement())
        assert list(registry.rooms.values()) == [with_game, seated_at, second]
        second._last_active += 3600
        await registry.create(new_arrangement())  # This unloads the game, which stays in the log.
        assert with_game.name not in registry.rooms
        assert [entry.kind for entry in log.entries(with_game.name)] == ["table", "start"]
        assert not log.entries(first.name)
        await registry.close()
        await log.close()

    run(main())


def test_a_wrong_clock_at_the_start_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def restart() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        for game in (True, False):
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            if game:
                await lobby.start(room)
        await registry.close()
        monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + 10 * 365 * 86400)
        restarted = RoomRegistry(log, limits=Limits(keep_days=30.0))
        restarted.load_all()
        await restarted.housekeeper.sweep()
        assert len(restarted.rooms) == len(list(log.all_entries())) == 2
        monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: restarted.started + 3601)
        await restarted.housekeeper.sweep()  # Now the grace period is over.
        assert not list(log.all_entries())
        await restarted.close()
        await log.close()

    run(restart())


def test_a_forward_jump_of_the_clock_deletes_nothing_until_the_grace_period_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def jump() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=60.0))
        in_memory, unloaded = [(await registry.create(new_arrangement(opponents=1, bot="random")))[0] for _ in range(2)]
        for room in (in_memory, unloaded):
            await lobby.start(room)
        del registry.rooms[unloaded.name]
        started_at, created_at = registry.started, time.time()

        async def sweep(hours: float, jump: float) -> list[str]:
            monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: started_at + hours * 3600)
            monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: created_at + hours * 3600 + jump)
            await registry.housekeeper.sweep()
            return [name for name, _ in log.all_entries()]

        both, ten_years = sorted([in_memory.name, unloaded.name]), 10 * 365 * 86400.0
        assert await sweep(2.0, 0.0) == both
        assert await sweep(2.1, ten_years) == both
        assert await sweep(3.0, ten_years) == both
        assert len(caplog.records) == 1
        assert await sweep(3.2, ten_years) == [], "the grace period is over"
        await registry.close()
        await log.close()

    run(jump())


def test_a_finished_game_is_kept_while_a_browser_lists_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def come_back() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=-1.0))
        finished = []
        for _ in range(2):
            room, key = await registry.create(new_arrangement(opponents=1, bot="random"))
            await lobby.start(room)
            assert room.game is not None
            play_to_end(room.game, Random(1))
            finished.append((room.name, key))
        day, now = 86400.0, time.time()
        clock = now
        for target in ("housekeeping.time", "game_room.time", "room.time", "log.sql.time.time"):
            monkeypatch.setattr(f"argentum.rooms.{target}", lambda: clock)
        for days in (20, 40):
            clock = now + days * day
            assert len(await table_states(registry, finished[:1])) == 1  # The home page calls this function.
            assert len(await table_states(registry, finished[:1])) == 1  # A second visit on a day is not written.
            await registry.housekeeper.sweep()
        assert [entry.kind for entry in log.entries(finished[0][0])] == ["table", "start", "visit", "visit"]
        assert not log.entries(finished[1][0])
        clock = now + 71 * day
        await registry.housekeeper.sweep()
        assert not list(log.all_entries())
        await registry.close()
        await log.close()

    run(come_back())


def test_a_table_with_connections_does_not_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            log.may_end.set()
            registry.limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
            watched, left_room, kept_room = [
                (await registry.create(new_arrangement(opponents=1, bot="random")))[0] for _ in range(3)
            ]
            for room in (watched, left_room, kept_room):
                await lobby.start(room)
            assert kept_room.game is not None
            play_to_end(kept_room.game, Random(1))
            await kept_room.keep_game("A")
            connection = StubConnection("A")
            await watched.enter(connection)
            monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + 31 * 86400)
            await registry.housekeeper.sweep()
            assert [name for name, _ in log.all_entries()] == sorted([watched.name, kept_room.name])
            await watched.play_move("A", watched.choice_number("A"), "peek A1 A2")
            kinds = {entry.seq: entry.kind for entry in log.entries(watched.name)}
            assert [kinds[seq] for seq in range(3)] == ["table", "start", "move"]
            watched.leave(connection)

    run(main())


def test_a_table_is_not_found_while_it_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            registry.limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            await lobby.start(room)
            del registry.rooms[room.name]
            lookups: list[asyncio.Task[Room | None]] = []
            delete_older = log.delete_older

            async def delete_slowly(table: str, before: float) -> bool:
                lookups.append(asyncio.create_task(registry.find(table)))
                await asyncio.to_thread(log.entries, table)  # `find` could read the table in this time.
                await asyncio.sleep(0)
                return await delete_older(table, before)

            monkeypatch.setattr(log, "delete_older", delete_slowly)
            monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + 31 * 86400)
            await registry.housekeeper.sweep()
            assert [await lookup for lookup in lookups] == [None]
            assert not list(log.all_entries())

    run(main())


def test_a_table_is_not_entered_while_it_is_unloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sweep() -> None:
        async def close(room: Room) -> None:
            assert room.name not in registry.rooms

        async with open_slow_registry(tmp_path) as (registry, log):
            registry.limits = Limits(empty_table_minutes=-1.0)
            await registry.create(new_arrangement())
            monkeypatch.setattr(Room, "close", close)
            await registry.housekeeper.sweep()
            assert not registry.rooms
            assert not list(log.all_entries())

    run(sweep())
