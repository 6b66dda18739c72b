"""Rooms for tests: a registry on any database, random play, and comparison of states."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from argentum.display.errors import Refused
from argentum.display.session import GameSession
from argentum.rooms import lobby
from argentum.rooms.arrangement import Arrangement, new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Entry, EntryConflict
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View

PATIENCE = 60.0  # seconds until a test gives up waiting
AT_ONCE = Timing(bot_pause=0.0, disconnect_grace=60.0, min_first_look=0.0, look_seconds=60.0)


@dataclass(eq=False)
class Sitter:
    """A reader that notes when something changed."""

    role: str
    touched: asyncio.Event = field(default_factory=asyncio.Event)

    def notify(self) -> None:
        self.touched.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so; look again whenever the table has changed."""
        while not holds():
            self.touched.clear()
            await asyncio.wait_for(self.touched.wait(), PATIENCE)


class FailingLog(SqlJournal):
    """A log whose disk is full, while `broken`."""

    broken = False
    failed: asyncio.Event

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            self.failed.set()
            raise LogError("the disk is full")
        await super().append(table, seq, kind, body)

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            self.failed.set()
            raise LogError("the disk is full")
        await super().replace(table, seq, kind, body)


def run(main: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 4 * PATIENCE))


@asynccontextmanager
async def registry_on(url: str, timing: Timing = AT_ONCE) -> AsyncIterator[RoomRegistry]:
    """A hall with what the log has."""
    log = FailingLog.open(url)
    log.failed = asyncio.Event()
    registry = RoomRegistry(log, timing)
    registry.load_all()
    try:
        yield registry
    finally:
        await registry.close()
        await log.close()


async def create_room(registry: RoomRegistry, arrangement: Arrangement) -> Room:
    """A table whose people have all sat down, though they do not look."""
    places = tuple([replace(place, claimed=not place.bot) for place in arrangement.seats])
    room, _ = await registry.create(replace(arrangement, seats=places))
    return room


async def started_game(registry: RoomRegistry, code: str = "dagger", people: int = 2, **more: Any) -> Room:
    """A game of people that has just begun."""
    room = await create_room(registry, replace(new_arrangement("Ann", code, people - 1), **more))
    await lobby.start(room, "A")
    return room


def state(room: Room) -> list[Any]:
    """All of a table that must outlive the server: if two are equal, nobody can tell them apart."""
    form: list[Any] = [room.play.seq, room.play.game_count, room.stage, room.access.digests, room.arrangement]
    if room.play.session is not None:
        form += [(question.legal, question.number) for question in room.play.session.pending.values()]
    if room.game is not None:
        form += [room.game.history(), room.game.scores, room.game.winner, room.game.names]
        for role in [*SEAT_LETTERS[: room.game.players], None]:
            form += [room.game.view(role), room.game.events(role)]
    return form


def sitting(room: Room) -> GameSession:
    """The game on the table."""
    assert room.session is not None
    return room.session


def view(room: Room, role: str) -> View:
    """What a role is shown."""
    return sitting(room).view(role)


def written(room: Room) -> list[Entry]:
    return room.play.log.entries(room.name)


def restored(room: Room) -> Room:
    return Room.from_entries(room.name, written(room), room.play.log, room.clock.timing)


def asked(room: Room) -> list[str]:
    """The seats that are asked something now."""
    return [letter for letter in SEAT_LETTERS if room.choice_number(letter) is not None]


def random_move(room: Room, seat: str, random: Random) -> str:
    """A legal move, as a person writes it."""
    legal = [str(move) for move in view(room, seat).legal]
    move = random.choice(legal)
    if "use" in legal and random.random() < 0.5:
        return "use"  # so that abilities are seen
    if move.startswith("peek"):
        return "peek " + " ".join([one.split()[1] for one in random.sample(legal, 2)])
    swaps = [one.split()[1] for one in legal if one.startswith("exchange")]
    if move.startswith("exchange") and len(swaps) > 1 and random.random() < 0.2:
        return "exchange " + " ".join(random.sample(swaps, 2))
    return move


async def play(room: Room, seat: str, move: str) -> None:
    await room.play_move(seat, room.choice_number(seat), move)


async def play_on(room: Room, random: Random, most: int = 10_000) -> None:
    """Let everybody play at random."""
    while room.playing and most:
        seat = random.choice(asked(room))
        await play(room, seat, random_move(room, seat, random))
        most -= 1


async def refused(room: Room, act: Coroutine[None, None, None], words: str, error: type[Refused] = Refused) -> None:
    """It is refused with these words, and nothing changes, on the table or in the log."""
    before, entries = state(room), written(room)
    with pytest.raises(error, match=words):
        await act
    assert state(room) == before
    assert written(room) == entries


# From the log, the same table.


class Notebook(SqlJournal):
    """A log without a disk, for games that are restored at every step."""

    def __init__(self) -> None:
        self.lines: dict[str, list[tuple[str, str]]] = {}

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        lines = self.lines.setdefault(table, [])
        if seq != len(lines):
            raise EntryConflict(table)
        lines.append((kind, json.dumps(body)))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        await self.append(table, seq, kind, body)

    def entries(self, table: str) -> list[Entry]:
        return [Entry(seq, kind, json.loads(body), 0.0) for seq, (kind, body) in enumerate(self.lines[table])]


# Before and after a game.


async def over(registry: RoomRegistry, people: int = 3) -> Room:
    """A game that is over."""
    room = await started_game(registry, "dagger", people)
    await play_on(room, Random(7))
    return room
