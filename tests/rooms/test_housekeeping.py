import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from argentum.display.errors import Refused
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.web.pages.my_tables import table_states
from tests.support.fakes import StubConnection, open_slow_registry, run


def later(monkeypatch: pytest.MonkeyPatch, hours: float, before: float) -> None:
    monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: before + hours * 3600)
    monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + hours * 3600)


def test_empty_tables_are_deleted_in_minutes_and_games_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sweep() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(idle_table_hours=2.0, lobby_hours=1.0, empty_table_minutes=10.0))
        empty, _ = await registry.create(new_arrangement())
        gathered, _ = await registry.create(new_arrangement())
        await gathered.claim_seat("a key", "Bo")
        watched, _ = await registry.create(new_arrangement())
        playing, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
        await playing.start("A")
        await watched.enter(StubConnection("watch"))
        before = time.monotonic()
        steps: tuple[tuple[float, list[Room], list[Room]], ...] = (
            (0.1, [empty, gathered, watched, playing], []),
            (0.9, [gathered, watched, playing], []),
            (1.1, [watched, playing], []),
            (2.1, [watched], [playing]),
        )
        for hours, left, kept in steps:
            later(monkeypatch, hours, before)
            await registry.sweep()
            assert list(registry.rooms.values()) == left
            assert [name for name, _ in log.all_entries()] == sorted([room.name for room in [*left, *kept]])
        back = await registry.find(playing.name)  # whoever bookmarked it
        assert back is not None
        assert back.playing
        await registry.close()
        await log.close()

    run(sweep())


def test_a_full_server_does_not_unload_tables_in_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(max_tables=3, grace_minutes=2.0))
        with_game, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
        await with_game.start("A")
        first, _ = await registry.create(new_arrangement())
        seated_at, _ = await registry.create(new_arrangement())
        await seated_at.enter(StubConnection("A"))
        with pytest.raises(Refused, match="the hall is full"):
            await registry.create(new_arrangement())
        later(monkeypatch, 0.05, time.monotonic())
        second, _ = await registry.create(new_arrangement())
        assert list(registry.rooms.values()) == [with_game, seated_at, second]
        second.last_active += 3600
        await registry.create(new_arrangement())  # now the game goes to sleep in the log, and nothing is lost
        assert with_game.name not in registry.rooms
        assert [entry.kind for entry in log.entries(with_game.name)] == ["table", "start"]
        assert not log.entries(first.name)
        await registry.close()
        await log.close()

    run(fill())


def test_a_wrong_clock_at_the_start_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is ten years ahead, as that of a machine without a battery may be."""

    async def restart() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        for game in (True, False):
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            if game:
                await room.start("A")
        await registry.close()
        monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 10 * 365 * 86400)
        again = RoomRegistry(log, limits=Limits(keep_days=30.0))
        again.load_all()
        await again.sweep()
        assert len(again.rooms) == len(list(log.all_entries())) == 2
        monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: again.started + 3601)
        await again.sweep()  # after that, the operator's word counts
        assert not list(log.all_entries())
        await again.close()
        await log.close()

    run(restart())


def test_a_finished_game_is_kept_while_a_browser_has_it_among_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come_back() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=-1.0))
        finished = []
        for _ in range(2):
            room, key = await registry.create(new_arrangement(opponents=1, bot="random"))
            await room.start("A")
            assert room.game is not None
            room.game.rollout(Random(1))
            finished.append((room.name, key))
        day, now = 86400.0, time.time()
        clock = now
        for target in ("registry.time", "room.time", "log.sql.time.time"):
            monkeypatch.setattr(f"argentum.rooms.{target}", lambda: clock)
        for days in (20, 40):
            clock = now + days * day
            assert len(await table_states(registry, finished[:1])) == 1  # as the first page asks
            assert len(await table_states(registry, finished[:1])) == 1  # twice a day is not written twice
            await registry.sweep()
        assert [entry.kind for entry in log.entries(finished[0][0])] == ["table", "start", "visit", "visit"]
        assert not log.entries(finished[1][0])
        clock = now + 71 * day
        await registry.sweep()
        assert not list(log.all_entries())
        await registry.close()
        await log.close()

    run(come_back())


def test_a_table_with_connections_does_not_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sit_for_long() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            log.may_end.set()
            registry.limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
            watched, left, kept = [
                (await registry.create(new_arrangement(opponents=1, bot="random")))[0] for _ in range(3)
            ]
            for room in (watched, left, kept):
                await room.start("A")
            await kept.play.keep()
            sitter = StubConnection("A")
            await watched.enter(sitter)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 31 * 86400)
            await registry.sweep()
            assert [name for name, _ in log.all_entries()] == sorted([watched.name, kept.name])
            await watched.play_move("A", watched.choice_number("A"), "peek A1 A2")
            kinds = {entry.seq: entry.kind for entry in log.entries(watched.name)}
            assert [kinds[seq] for seq in range(3)] == ["table", "start", "move"]
            watched.leave(sitter)

    run(sit_for_long())


def test_a_table_is_not_found_while_it_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read before it was deleted, and went on without a log."""

    async def ask() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            registry.limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            await room.start("A")
            del registry.rooms[room.name]
            asked: list[asyncio.Task[Room | None]] = []
            forget = log.delete_older

            async def forget_slowly(table: str, before: float) -> bool:
                asked.append(asyncio.create_task(registry.find(table)))
                await asyncio.to_thread(log.entries, table)  # as long as it takes to read the table
                await asyncio.sleep(0)
                return await forget(table, before)

            monkeypatch.setattr(log, "delete_older", forget_slowly)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 31 * 86400)
            await registry.sweep()
            assert [await one for one in asked] == [None]
            assert not list(log.all_entries())

    run(ask())


def test_a_table_is_not_entered_while_it_is_unloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sweep() -> None:
        async def close(room: Room) -> None:
            assert room.name not in registry.rooms

        async with open_slow_registry(tmp_path) as (registry, log):
            registry.limits = Limits(empty_table_minutes=-1.0)
            await registry.create(new_arrangement())
            monkeypatch.setattr(Room, "close", close)
            await registry.sweep()
            assert not registry.rooms
            assert not list(log.all_entries())

    run(sweep())
