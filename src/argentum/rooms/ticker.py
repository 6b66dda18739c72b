"""The background task of a room: runs due work, then sleeps until the next deadline or until it is woken."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from argentum.display.errors import Stale
from argentum.display.session import GameSession
from argentum.rooms.log.databases import LogError
from argentum.rules.notation import SEAT_LETTERS

if TYPE_CHECKING:
    from argentum.rooms.room import Room

logger = logging.getLogger(__name__)
RETRY_SECONDS = 5.0  # after an error


class Ticker:
    """Background task that runs `tick` repeatedly while `is_needed()` is true.

    `tick` returns the number of seconds until it must run again, or None to sleep until `wake` is called.
    """

    def __init__(
        self, room_name: str, tick: Callable[[], Awaitable[float | None]], is_needed: Callable[[], bool]
    ) -> None:
        self.room_name = room_name
        self.tick = tick
        self.is_needed = is_needed
        self.woken = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Run `tick` soon, starting the task if it is not running."""
        self.woken.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run(), name=f"table {self.room_name}")

    async def _run(self) -> None:
        while self.is_needed():
            self.woken.clear()
            try:
                wait = await self.tick()
            except Stale:
                wait = 0.0
            except LogError as error:
                logger.error("table %s waits, as nothing can be saved: %s", self.room_name, error)
                wait = RETRY_SECONDS
            except Exception:
                logger.exception("background task of table %s failed; retrying", self.room_name)
                wait = RETRY_SECONDS
            if wait is None:
                await self.woken.wait()
                continue
            with contextlib.suppress(TimeoutError):
                # Not asyncio.wait_for: in Python 3.11 it can swallow the cancellation by `close`.
                async with asyncio.timeout(wait):
                    await self.woken.wait()

    async def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


async def tick(room: "Room") -> float | None:
    """Do the due work of a room: bots' moves, timeouts, notifications.

    Return the seconds until more is due, or None if nothing is due until the room changes.
    """
    now = monotonic()
    waits = _absence_waits(room, now)
    session = room.session
    if session is None or not room.playing:
        waits += _rematch_waits(room)
        return min(waits, default=None)
    for seat, choice in enumerate(session.pending.values()):
        waits += _look_waits(room, session, seat, now)
        if not choice.legal:
            continue
        if room.arrangement.seats[seat].bot or room.stand_in(seat):
            delay = room.clock.remaining_bot_delay(session.game, now, room.present_seats())
            if delay <= 0:
                await _play_bot(room, seat)
                return 0.0
            waits.append(delay)
        else:
            waits += _person_waits(room, seat, now)
    return min(waits, default=None)


async def _play_bot(room: "Room", seat: int) -> None:
    """Play a bot's move, in its own seat or for an absent player."""
    async with room.exclusive():
        own_bot = room.arrangement.seats[seat].bot
        name = own_bot or room.stand_in(seat)
        if room.game is None or not room.playing or not name or not room.game.legal(SEAT_LETTERS[seat]):
            return
        # Where people may take days, nobody returns to a round that a stand-in has ended.
        may_call = bool(own_bot) or not room.arrangement.is_slow
        move = await room.bot_players[seat].play(
            room.game, SEAT_LETTERS[seat], name, room.clock.timing.bot_time_limit, may_call
        )
        await room.commit_move(move._replace(bot=name))


def _absence_waits(room: "Room", now: float) -> list[float]:
    """Return the seconds until each player who left or timed out counts as absent.

    Notify all connections if the set of absent players has changed since the last call.
    """
    if room.notified_absent_seats != room.absent_seats:
        room.notified_absent_seats = room.absent_seats
        room.access.notify()
    ends = [room.absent_from(SEAT_LETTERS.index(letter)) for letter in room.claimed_seats()]
    return [end - now for end in ends if now < end < inf]


def _rematch_waits(room: "Room") -> list[float]:
    """Return the seconds until the rematch timer ends, in a list; notify all connections once it has ended."""
    if room.arrangement.rematch is None or not room.rematch_timer.deadline:
        return []
    remaining = room.rematch_timer.seconds_left()
    if not remaining:
        room.rematch_timer.deadline = 0.0
        room.access.notify()
    return [remaining] if remaining else []


def _person_waits(room: "Room", seat: int, now: float) -> list[float]:
    """Return the seconds until a player times out, in a list; notify the room once the player has timed out."""
    if room.clock.expire(seat, room.arrangement.turn_limit, now):
        room.notify()
        return [0.0]
    return [room.clock.seats[seat].deadline - now] if room.arrangement.turn_limit else []


def _look_waits(room: "Room", session: GameSession, seat: int, now: float) -> list[float]:
    """Return the seconds until a player's next look ends, in a list; empty without memory mode."""
    role = SEAT_LETTERS[seat]
    if role not in session.memories or not session.memory_mode:
        return []
    ended, wait = session.memory_of(role).expire_looks(now, session.look_seconds)
    if ended:
        room.access.notify(role)
    return [wait] if wait is not None else []
