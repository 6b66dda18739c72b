"""After a restart, a room is loaded from the log when it is first requested."""

import asyncio
from pathlib import Path

import pytest

from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.entries import REPLAY_SLICE
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.web.app import create_app


async def create_two_rooms(path: str) -> tuple[str, str]:
    """Create a room with a game and one without; return their names."""
    log = SqlJournal.open(path)
    registry = RoomRegistry(log)
    playing, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
    await lobby.start(playing)
    await playing.play_move("A", playing.choice_number("A"), "peek A1 A2")
    empty, _ = await registry.create(new_arrangement())
    await registry.close()
    await log.close()
    return playing.name, empty.name


def test_a_server_starts_without_rooms_and_loads_one_on_request(tmp_path: Path) -> None:
    async def main() -> None:
        path = str(tmp_path / "tables.db")
        name, _ = await create_two_rooms(path)
        app = create_app(path)
        async with app.router.lifespan_context(app):
            registry: RoomRegistry = app.state.registry
            assert registry.rooms == {}
            room = await registry.find(name)
            assert room is not None
            assert room.playing
            assert room.seq == 3
            assert list(registry.rooms) == [name]
            assert await registry.find("amber-nobody") is None

    asyncio.run(main())


def test_simultaneous_requests_load_a_room_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    load = Room.load

    async def counting_load(name: str, entries: list[Entry], log: SqlJournal, timing: Timing) -> Room:
        loaded.append(name)
        return await load(name, entries, log, timing)

    monkeypatch.setattr(Room, "load", counting_load)

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        name, _ = await create_two_rooms(path)
        log = SqlJournal.open(path)
        registry = RoomRegistry(log)
        rooms = await asyncio.gather(*[registry.find(name) for _ in range(4)])
        assert loaded == [name]
        assert len({id(room) for room in rooms}) == 1
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_loading_many_rooms_yields_to_other_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise a server that loads twenty long games does not answer its proxy, which then takes it out of service.
    turns, turns_of_loads = 0, []
    load = Room.load

    async def counting_load(name: str, entries: list[Entry], log: SqlJournal, timing: Timing) -> Room:
        turns_of_loads.append(turns)
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
        may_read = asyncio.Event()

        async def entries(name: str) -> list[Entry]:
            await may_read.wait()
            return log.entries(name)

        monkeypatch.setattr(registry, "_load_entries", entries)
        monkeypatch.setattr(Room, "load", counting_load)
        finds = [asyncio.create_task(registry.find(name)) for name in names]
        counting = asyncio.create_task(count())
        while len(registry._loading) < len(names):
            await asyncio.sleep(0)
        may_read.set()
        await asyncio.gather(*finds)
        counting.cancel()
        assert len(set(turns_of_loads)) == len(names)
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_loading_a_long_room_yields_to_other_tasks(tmp_path: Path) -> None:
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
        assert room.seq == 20 * REPLAY_SLICE
        counting.cancel()
        await first.close()
        await log.close()

    asyncio.run(main())


def test_unused_tables_without_a_game_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        path = str(tmp_path / "tables.db")
        playing, empty = await create_two_rooms(path)
        log = SqlJournal.open(path)
        registry = RoomRegistry(log)
        await registry.housekeeper.sweep()
        assert {name for name, _ in log.all_entries()} == {playing, empty}, "no deletion soon after the start"
        started, lobby_seconds = registry.started, registry.limits.lobby_hours * 3600
        later = max([entry.at for entry in log.entries(empty)]) + lobby_seconds + 1
        monkeypatch.setattr("argentum.rooms.housekeeping.monotonic", lambda: started + lobby_seconds + 2)
        monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: later)
        await registry.housekeeper.sweep()
        assert [name for name, _ in log.all_entries()] == [playing]
        await registry.close()
        await log.close()

    asyncio.run(main())
