"""Unload idle rooms, and delete expired tables."""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic, time
from typing import TYPE_CHECKING

from argentum.rooms.arrangement import SECONDS_PER_DAY
from argentum.rooms.entries import ArrangementChanged, TableCreated, read_entries
from argentum.rooms.log.journal import CorruptEntry
from argentum.rooms.room import Room

if TYPE_CHECKING:
    from argentum.rooms.registry import RoomRegistry

CLOCK_JUMP = 60.0  # seconds; smaller corrections of the system clock are normal
logger = logging.getLogger(__name__)


class Housekeeper:
    """Keeps a registry within its limits on idle time, number of rooms and age of games."""

    def __init__(self, registry: "RoomRegistry") -> None:
        self.registry = registry
        self._slow_tables: set[str] = set()  # unloaded tables that are kept for longer, because people may take days
        self._cleaned_after_start = False  # whether tables without a game were deleted since the start
        self._restart_grace()

    async def run(self, after_sweep: Callable[[], None], interval: float = 60.0) -> None:
        """Sweep at intervals until cancelled, calling `after_sweep` each time."""
        while True:
            await asyncio.sleep(interval)
            try:
                await self.sweep()
            except Exception:
                logger.exception("the cleanup of rooms and tables failed; it is retried later")
            after_sweep()

    async def sweep(self) -> None:
        """Unload idle rooms, and delete expired tables unless the system clock may be wrong."""
        registry = self.registry
        for room in list(registry.rooms.values()):
            if idle_seconds(room) > self.idle_limit(room):
                await self.unload_idle(room, self.idle_limit(room))
        now = time()
        if now - monotonic() > self._clock_offset + CLOCK_JUMP:
            logger.warning("the clock has jumped forward; no games are deleted for a while")
            self._restart_grace()
        if monotonic() - self._grace_began < registry.limits.startup_grace_minutes * 60:
            return
        if not self._cleaned_after_start:
            self._cleaned_after_start = True
            before = now - registry.limits.lobby_hours * 3600
            await self._delete_unloaded(await asyncio.to_thread(registry.log.unplayed_tables, before), before)
        if registry.limits.keep_days:
            await self.delete_expired(now)

    def _restart_grace(self) -> None:
        """Start a period of `startup_grace_minutes` in which nothing is deleted, as the system clock may be wrong."""
        self._grace_began = monotonic()
        self._clock_offset = time() - self._grace_began

    async def delete_expired(self, now: float) -> None:
        """Delete tables whose last entry is too old, except those that are kept or have connections."""
        log, limits = self.registry.log, self.registry.limits
        before, slow_before = [now - limits.days_kept(is_slow) * SECONDS_PER_DAY for is_slow in (False, True)]
        for room in list(self.registry.rooms.values()):
            oldest = slow_before if room.arrangement.is_slow else before
            if not room.connections and room.last_entry_at < oldest and not room.is_kept:
                await self.registry.unload(room, oldest)
        await self._delete_unloaded(await asyncio.to_thread(log.expired_tables, slow_before), slow_before)
        if before > slow_before:
            names = await asyncio.to_thread(log.expired_tables, before)
            await self._delete_unloaded([name for name in names if not await self._is_slow(name)], before)

    async def _is_slow(self, name: str) -> bool:
        """Whether people may take days at a table that is not loaded."""
        if name not in self._slow_tables:
            try:
                entries = read_entries(await asyncio.to_thread(self.registry.log.entries, name))
            except CorruptEntry:
                return False
            settings = [entry for entry in entries if isinstance(entry, TableCreated | ArrangementChanged)]
            if not settings or not settings[-1].arrangement.is_slow:
                return False
            self._slow_tables.add(name)
        return True

    async def _delete_unloaded(self, names: list[str], before: float) -> None:
        for name in names:
            await self.registry.delete_unloaded(name, before)

    async def evict_idle_room(self) -> None:
        """Make room for a new table: unload an idle room if there is one, preferably without a game."""
        grace = self.registry.limits.grace_minutes * 60
        idle_rooms = [room for room in self.registry.rooms.values() if idle_seconds(room) > grace]
        if idle_rooms:
            await self.unload_idle(min(idle_rooms, key=lambda room: (room.game is not None, room.last_active)), grace)

    async def unload_idle(self, room: Room, seconds: float) -> None:
        """Unload a room that has been idle for some seconds; its games stay in the log.

        A room without a game is deleted, unless another server has used it in these seconds, or people may take days
        and it is unloaded early, because the server is full.
        """
        is_early = room.arrangement.is_slow and seconds < self.idle_limit(room)
        is_deleted = room.game is None and not is_early
        self.registry.log_event("table_unloaded", table=room.name, deleted=is_deleted)
        await self.registry.unload(room, time() - seconds if is_deleted else None)

    def idle_limit(self, room: Room) -> float:
        """Return the seconds after which an idle room is unloaded."""
        limits = self.registry.limits
        if room.game is not None:
            return limits.idle_table_hours * 3600
        claimed = sum([seat_config.claimed for seat_config in room.arrangement.seats])
        is_gathering = claimed > 1 or room.arrangement.is_slow
        return limits.lobby_hours * 3600 if is_gathering else limits.empty_table_minutes * 60


def idle_seconds(room: Room) -> float:
    """Return the seconds since the room was last active; 0 while somebody is connected."""
    return 0.0 if room.connections else monotonic() - room.last_active
