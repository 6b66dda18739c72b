"""A restart is quick however many tables there are: a table comes back when somebody asks for it."""

import asyncio
from pathlib import Path

import pytest

from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import REPLAY_SLICE, Room
from argentum.web.app import create_app


async def two_tables(path: str) -> tuple[str, str]:
    """A table with a game, and one without."""
    log = SqlJournal.open(path)
    registry = RoomRegistry(log)
    playing, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
    await lobby.start(playing, "A")
    await playing.play_move("A", playing.choice_number("A"), "peek A1 A2")
    empty, _ = await registry.create(new_arrangement())
    await registry.close()
    await log.close()
    return playing.name, empty.name


def test_a_server_starts_without_its_tables_and_brings_back_what_is_asked_for(tmp_path: Path) -> None:
    async def main() -> None:
        path = str(tmp_path / "tables.db")
        name, _ = await two_tables(path)
        app = create_app(path)
        async with app.router.lifespan_context(app):
            registry: RoomRegistry = app.state.registry
            assert registry.rooms == {}
            room = await registry.find(name)
            assert room is not None
            assert room.playing
            assert room.play.seq == 3
            assert list(registry.rooms) == [name]
            assert await registry.find("amber-nobody") is None

    asyncio.run(main())


def test_those_who_come_back_together_have_the_table_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    load = Room.load

    async def counted(name: str, entries: list[Entry], log: SqlJournal, timing: Timing) -> Room:
        loaded.append(name)
        return await load(name, entries, log, timing)

    monkeypatch.setattr(Room, "load", counted)

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        name, _ = await two_tables(path)
        log = SqlJournal.open(path)
        registry = RoomRegistry(log)
        rooms = await asyncio.gather(*[registry.find(name) for _ in range(4)])
        assert loaded == [name]
        assert len({id(room) for room in rooms}) == 1
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_while_many_tables_come_back_others_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty long games at once kept a server from answering its proxy for seconds, which then sent everybody away."""
    turns, restored_in = 0, []
    load = Room.load

    async def counted(name: str, entries: list[Entry], log: SqlJournal, timing: Timing) -> Room:
        restored_in.append(turns)
        return await load(name, entries, log, timing)

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        first = RoomRegistry(log)
        names = [(await first.create(new_arrangement()))[0].name for _ in range(5)]
        registry = RoomRegistry(log)
        read = asyncio.Event()

        async def entries(name: str) -> list[Entry]:
            await read.wait()  # for all at once
            return log.entries(name)

        monkeypatch.setattr(registry, "_entries", entries)
        monkeypatch.setattr(Room, "load", counted)
        finding = [asyncio.create_task(registry.find(name)) for name in names]
        counting = asyncio.create_task(count())
        while len(registry._loading) < len(names):
            await asyncio.sleep(0)
        read.set()
        await asyncio.gather(*finding)
        counting.cancel()
        assert len(set(restored_in)) == len(names)
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_while_a_long_table_comes_back_others_are_served(tmp_path: Path) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        first = RoomRegistry(log)
        name = (await first.create(new_arrangement()))[0].name
        [table] = log.entries(name)
        body = {"arrangement": table.body["arrangement"], "digests": {}}
        await asyncio.gather(*[log.append(name, seq, "arrange", body) for seq in range(1, 20 * REPLAY_SLICE)])
        counting = asyncio.create_task(count())
        room = await Room.load(name, log.entries(name), log, Timing())
        assert turns >= 20
        assert room.play.seq == 20 * REPLAY_SLICE
        counting.cancel()
        await first.close()
        await log.close()

    asyncio.run(main())


def test_unused_tables_without_a_game_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        path = str(tmp_path / "tables.db")
        playing, empty = await two_tables(path)
        log = SqlJournal.open(path)
        registry = RoomRegistry(log)
        await registry.housekeeper.sweep()
        assert {name for name, _ in log.all_entries()} == {playing, empty}, "not so soon after the start"
        started_game, wall = registry.started, registry.limits.lobby_hours * 3600
        later = max([entry.at for entry in log.entries(empty)]) + wall + 1
        monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: started_game + wall + 2)
        monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: later)
        await registry.housekeeper.sweep()
        assert [name for name, _ in log.all_entries()] == [playing]
        await registry.close()
        await log.close()

    asyncio.run(main())
