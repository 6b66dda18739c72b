"""The background task of a room: runs due work, then sleeps until the next deadline or until it is woken."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING

from argentum.display.errors import Stale
from argentum.rooms.log.databases import LogError
from argentum.rules.notation import SEAT_LETTERS

if TYPE_CHECKING:
    from argentum.rooms.game_room import GameRoom

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


async def tick(room: "GameRoom") -> float | None:
    """Do the due work of a room: bots' moves, timeouts, notifications.

    Return the seconds until more is due, or None if nothing is due until the room changes.
    """
    now = monotonic()
    waits = [room.notice_absences(now)]
    if not room.playing:
        waits.append(room.end_rematch_time())
        return _earliest(waits)
    for seat, letter in enumerate(SEAT_LETTERS[: len(room.arrangement.seats)]):
        waits.append(room.expire_looks(seat, now))
        if room.choice_number(letter) is None:
            continue
        if room.bot_for(seat):
            delay = room.remaining_bot_delay(now)
            if delay <= 0:
                await room.play_bot(seat)
                return 0.0
            waits.append(delay)
        else:
            waits.append(room.expire_turn(seat, now))
    return _earliest(waits)


def _earliest(waits: Iterable[float | None]) -> float | None:
    return min([wait for wait in waits if wait is not None], default=None)
