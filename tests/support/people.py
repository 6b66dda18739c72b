"""Players who connect without a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from argentum.rooms.access import new_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat


@asynccontextmanager
async def three(path: Path) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """A table at which Ann hosts, and two more have sat down; and their keys."""
    log = SqlJournal.open(str(path / "tables.db"))
    registry = RoomRegistry(log)
    room, host = await registry.create(new_arrangement("Ann", "dagger", 2))
    keys = {"A": host, "B": new_key(), "C": new_key()}
    for seat in "BC":
        await room.claim_seat(keys[seat], "Bo" if seat == "B" else "Cem", seat)
    for seat, key in keys.items():
        await room.enter(LocalSeat(seat, key))
    yield room, keys
    await registry.close()
    await log.close()


def go(room: Room, seat: str) -> None:
    """Somebody leaves."""
    for reader in list(room.access.connections):
        if reader.role == seat:
            room.leave(reader)
