"""Rooms for tests: registries, journals that fail, random play, and comparison of states."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR, GameSession
from argentum.rooms import lobby
from argentum.rooms.access import RoomConnection, new_key
from argentum.rooms.arrangement import Arrangement, new_arrangement
from argentum.rooms.clock import SeatClock, Timing
from argentum.rooms.entries import RoomState, TableCreated
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Entry, Journal
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View

TIMEOUT = 60.0  # seconds
NO_DELAYS = Timing(bot_delay=0.0, disconnect_grace=60.0, min_first_look=0.0, look_seconds=60.0)


@dataclass(eq=False)
class WaitingConnection:
    """A room's connection that can wait until the room has changed."""

    role: str
    notified: asyncio.Event = field(default_factory=asyncio.Event)

    def notify(self) -> None:
        self.notified.set()

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, checking it whenever the room notifies the connection."""
        while not condition():
            self.notified.clear()
            await asyncio.wait_for(self.notified.wait(), TIMEOUT)


class FailingJournal(SqlJournal):
    """A journal that fails while `broken` is true."""

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
    asyncio.run(asyncio.wait_for(main, 4 * TIMEOUT))


@asynccontextmanager
async def load_registry(url: str, timing: Timing = NO_DELAYS) -> AsyncIterator[RoomRegistry]:
    """Open a registry with all rooms of a database."""
    log = FailingJournal.open(url)
    log.failed = asyncio.Event()
    registry = RoomRegistry(log, timing)
    registry.load_all()
    try:
        yield registry
    finally:
        await registry.close()
        await log.close()


async def create_room(registry: RoomRegistry, arrangement: Arrangement) -> Room:
    """Create a room without connections in which all seats without a bot are claimed."""
    seats = tuple([replace(seat, claimed=not seat.bot) for seat in arrangement.seats])
    room, _ = await registry.create(replace(arrangement, seats=seats))
    return room


async def start_game(registry: RoomRegistry, code: str = "dagger", player_count: int = 2, **changes: Any) -> Room:
    """Create a room without bots and start a game; `changes` are fields of its arrangement."""
    room = await create_room(registry, replace(new_arrangement("Ann", code, player_count - 1), **changes))
    await lobby.start(room)
    return room


def room_state(room: Room) -> list[Any]:
    """Return the state that must be the same after a restart of the server, for comparison."""
    values: list[Any] = [room.seq, room.game_count, room.stage, room.keys.digests, room.arrangement]
    session = state_of(room).last_session
    if session is not None:
        values += [(choice.legal, choice.number) for choice in session.pending.values()]
    if room.game is not None:
        values += [room.game.history(), room.game.scores, room.game.winner, room.game.names]
        for role in [*SEAT_LETTERS[: room.game.players], None]:
            values += [room.game.view(role), room.game.events(role)]
    return values


# Parts of a room, which only tests reach.


def state_of(room: Room) -> RoomState:
    return room._state


def journal_of(room: Room) -> Journal:
    return room._log


def seat_clock(room: Room, seat: str) -> SeatClock:
    return room._clock.seats[SEAT_LETTERS.index(seat)]


def set_timing(room: Room, timing: Timing) -> None:
    room._clock.timing = timing


def set_rounds_seen(room: Room, rounds: int) -> None:
    """Mark the summaries of the first rounds as left by all players."""
    room._rounds_seen = [rounds for _ in SEAT_LETTERS]


def ticker_task(room: Room) -> "asyncio.Task[None]":
    assert room._ticker.task is not None
    return room._ticker.task


def add_connection(room: Room, connection: RoomConnection) -> None:
    """Register a connection without an event loop."""
    room._connections.add(connection)
    if connection.role != SPECTATOR:
        room._presence[SEAT_LETTERS.index(connection.role)].connection_count += 1


def make_room(arrangement: Arrangement, game: Game | None = None, timing: Timing | None = None) -> Room:
    """Create a room without a log, with a game if one is given."""
    timing = timing or Timing()
    state = RoomState(TableCreated(arrangement, {}), timing.look_seconds)
    if game is not None:
        state.start_game(game, None)
    return Room("quiet-owl", cast(Journal, None), state, timing)


def begin_game(room: Room, game: Game, memory: bool = False) -> None:
    """Begin another game in a room without a log."""
    state_of(room).arrangement = replace(room.arrangement, memory=memory)
    state_of(room).start_game(game, None)


def session_of(room: Room) -> GameSession:
    session = state_of(room).session
    assert session is not None
    return session


def view_of(room: Room, role: str) -> View:
    return session_of(room).view(role)


def log_entries(room: Room) -> list[Entry]:
    return journal_of(room).entries(room.name)


def restore_room(room: Room) -> Room:
    return Room.from_entries(room.name, log_entries(room), journal_of(room), room.timing)


def seats_to_move(room: Room) -> list[str]:
    return [letter for letter in SEAT_LETTERS if room.choice_number(letter) is not None]


def random_move(room: Room, seat: str, random: Random) -> str:
    """Return a random legal move; prefer `use`, so that abilities come up."""
    legal = [str(move) for move in view_of(room, seat).legal]
    move = random.choice(legal)
    if "use" in legal and random.random() < 0.5:
        return "use"
    if move.startswith("peek"):
        return "peek " + " ".join([option.split()[1] for option in random.sample(legal, 2)])
    swaps = [option.split()[1] for option in legal if option.startswith("exchange")]
    if move.startswith("exchange") and len(swaps) > 1 and random.random() < 0.2:
        return "exchange " + " ".join(random.sample(swaps, 2))
    return move


async def play_move(room: Room, seat: str, move: str) -> None:
    await room.play_move(seat, room.choice_number(seat), move)


async def play_randomly(room: Room, random: Random, limit: int = 10_000) -> None:
    """Play up to `limit` random moves for all seats, at most to the end of the game."""
    while room.playing and limit:
        seat = random.choice(seats_to_move(room))
        await play_move(room, seat, random_move(room, seat, random))
        limit -= 1


async def assert_refused(
    room: Room, action: Coroutine[None, None, object], message: str, error: type[Refused] = Refused
) -> None:
    """Check that an action is refused with a message and changes neither the room nor the log."""
    before, entries = room_state(room), log_entries(room)
    with pytest.raises(error, match=message):
        await action
    assert room_state(room) == before
    assert log_entries(room) == entries


async def finished_room(registry: RoomRegistry, player_count: int = 3) -> Room:
    """Create a room, and play a random game in it to its end."""
    room = await start_game(registry, "dagger", player_count)
    await play_randomly(room, Random(7))
    return room


@asynccontextmanager
async def open_registry(
    folder: Path, timing: Timing, limits: Limits | None = None
) -> AsyncIterator[tuple[SqlJournal, RoomRegistry]]:
    """Open a registry with an empty journal; yield both."""
    log = SqlJournal.open(str(folder / "tables.db"))
    registry = RoomRegistry(log, timing, limits)
    yield log, registry
    await registry.close()
    await log.close()


@asynccontextmanager
async def room_of_three(folder: Path) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """Create a room in which Ann (the host), Bo and Cem are connected; yield it with their keys by seat."""
    log = SqlJournal.open(str(folder / "tables.db"))
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


def disconnect(room: Room, seat: str) -> None:
    """Close all connections of a seat."""
    for connection in room.connections:
        if connection.role == seat:
            room.leave(connection)
