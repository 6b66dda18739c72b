"""Membership of this server in the cluster of servers on one database: registration, heartbeats, claims of tables."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from argentum.rooms.log.databases import LogError, database_for
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.cluster.leases import LEASE_TIMEOUT, LIST_TABLES, RELEASE, STAY_SECONDS, Leases
from argentum.web.cluster.listener import NotificationListener
from argentum.web.server.logs import log_event

HEARTBEAT_SECONDS = 0.5  # between heartbeats
MAX_LOOP_STALL = 10.0  # seconds; if the event loop is blocked for longer, heartbeats stop, and others take the tables
LEAVE_TIMEOUT = 1.0  # seconds for the database at shutdown
LIST_SECONDS = 3.0  # for which the summary contains all tables after a request for them
LIST_TIMEOUT = 2.0  # seconds to wait for the tables of other servers
WARNING_INTERVAL = 60.0  # seconds between warnings about the proxy
NO_ROUTING = (
    "Table %s moved to another server less than %g seconds ago and is requested here: the proxy does not route requests"
    " by table. deploy/haproxy.cfg shows how; the hosting page explains why."
)
logger = logging.getLogger(__name__)
# Returns the summary of this server that the others read; if its argument is true, with a list of all tables.
MakeSummary = Callable[[bool], dict[str, Any]]


class ClusterMembership:
    """Keeps this server registered in the database, and implements :class:`Ownership` for the registry."""

    def __init__(self, url: str, log: SqlJournal) -> None:
        self.log = log
        self.server_number = 0
        database = database_for(url)
        self._leases = Leases(database)
        self._heartbeats = Leases(database)  # on a separate connection, so that no query delays a heartbeat
        try:
            self.shared_secret = self._leases.create_schema()
        except BaseException:
            self._leases.close()
            raise
        self._listener = NotificationListener(database, self._on_notification)
        self._peer_summaries: dict[int, dict[str, Any]] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._summary_json = "{}"
        self._list_until = 0.0  # until when the summary contains all tables
        self._heartbeat_at = self._loop_alive_at = monotonic()
        self._steady_since = monotonic()  # since when no heartbeat has been late
        self._heartbeat_done = asyncio.Event()
        self._warned_at = -WARNING_INTERVAL
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._registry: RoomRegistry | None = None
        self._make_summary: MakeSummary | None = None

    # Joining and leaving.

    async def open(self, registry: RoomRegistry, make_summary: MakeSummary) -> None:
        """Register in the database, start the heartbeats, and listen for requests of other servers."""
        self._registry, self._make_summary = registry, make_summary
        self._loop = asyncio.get_running_loop()
        self._update_summary()
        await asyncio.to_thread(self._join)
        self._thread = threading.Thread(target=self._run_heartbeat, args=[self._loop], name="heartbeat", daemon=True)
        self._thread.start()
        self._listener.start()

    def _join(self) -> None:
        self.server_number = self.log.server_number = self._heartbeats.register()
        self._peer_summaries = self._heartbeats.peer_summaries(self.server_number)
        self._heartbeat_at = self._steady_since = monotonic()

    async def close(self) -> None:
        """Stop the heartbeats, and stop listening."""
        self._stop.set()
        self._listener.stop()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, LEAVE_TIMEOUT)

    async def leave(self) -> None:
        """Release all tables by deleting this server's row. Call it after the last write."""
        thread = threading.Thread(target=self._leave, name="leave", daemon=True)
        thread.start()
        await asyncio.to_thread(thread.join, LEAVE_TIMEOUT)

    def _leave(self) -> None:
        with suppress(LogError):  # The others will expire this server.
            self._leases.unregister(self.server_number)
        self._leases.close()
        self._heartbeats.close()

    # The heartbeat thread.

    def _run_heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stop.wait(HEARTBEAT_SECONDS):
            try:
                loop.call_soon_threadsafe(self._mark_loop_alive)
                if monotonic() - self._loop_alive_at < MAX_LOOP_STALL:
                    self._heartbeat(loop)
            except LogError:  # The journal logs the failure of the database.
                self._steady_since = monotonic()
            except RuntimeError:  # The event loop is closed.
                return

    def _heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Update this server's timestamp, and expire other servers; register again if this one has been expired."""
        started = monotonic()
        if started - self._heartbeat_at > LEASE_TIMEOUT / 2:
            self._steady_since = started
        if not self._heartbeats.heartbeat(self.server_number, self._summary_json):
            logger.warning("other servers have expired this one and may claim its tables")
            asyncio.run_coroutine_threadsafe(self._release_all(), loop).result(MAX_LOOP_STALL)
            self._join()
            return
        self._heartbeat_at = started
        # After an outage of its own connection a server cannot tell which others are down.
        if started - self._steady_since > LEASE_TIMEOUT:
            for number in self._heartbeats.expire_others(self.server_number):
                log_event("server_expired", server=number)
        loop.call_soon_threadsafe(self._update_peers, self._heartbeats.peer_summaries(self.server_number))

    def _mark_loop_alive(self) -> None:
        self._loop_alive_at = monotonic()

    async def _release_all(self) -> None:
        """Stop all rooms, because other servers may own them; nothing can be written until the next registration."""
        assert self._registry is not None
        self.server_number = self.log.server_number = -1
        await self._registry.release_all()

    def _update_peers(self, summaries: dict[int, dict[str, Any]]) -> None:
        self._peer_summaries = summaries
        self._update_summary()
        self._heartbeat_done.set()
        self._heartbeat_done.clear()

    def _update_summary(self) -> None:
        assert self._make_summary is not None
        self._summary_json = json.dumps(self._make_summary(monotonic() < self._list_until))

    # Requests of other servers.

    def _on_notification(self, payload: str) -> None:
        """Handle a notification on the event loop; the listener's thread calls this."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._handle_notification, payload)

    def _handle_notification(self, payload: str) -> None:
        assert self._registry is not None
        if payload == LIST_TABLES:
            self._list_until = monotonic() + LIST_SECONDS
            self._update_summary()
            return
        number, _, table = payload.partition(" ")
        if number == str(self.server_number):
            task = asyncio.create_task(self._hand_over(table))
            self._tasks.add(task)  # Without a reference a task may be garbage-collected.
            task.add_done_callback(self._tasks.discard)

    async def _hand_over(self, table: str) -> None:
        assert self._registry is not None
        try:
            if await self._registry.hand_over(table):
                log_event("table_handed_over", table=table)
        except LogError as error:
            logger.error("table %s could not be released: %s", table, error)

    # The interface of the registry (see `rooms/ownership.py`).

    async def wait_until_confirmed(self) -> None:
        """Wait for the next heartbeat if the last one is older than LEASE_TIMEOUT, as after a suspension.

        That heartbeat tells whether other servers have expired this one and own its tables.
        """
        if monotonic() - self._heartbeat_at > LEASE_TIMEOUT:
            with suppress(TimeoutError):  # While the database is away, no other server can claim tables.
                await asyncio.wait_for(self._heartbeat_done.wait(), 2 * HEARTBEAT_SECONDS)

    async def claim(self, table: str, new: bool = False, moved: bool = False) -> bool:
        return await asyncio.to_thread(self._leases.claim, table, self.server_number, new, moved)

    async def request(self, table: str) -> bool:
        """Ask the owner of a table to release it; return False, with a warning, if the table has just been moved."""
        if await asyncio.to_thread(self._leases.request, table):
            return True
        if monotonic() - self._warned_at > WARNING_INTERVAL:
            self._warned_at = monotonic()
            logger.warning(NO_ROUTING, table, STAY_SECONDS)
        return False

    async def release(self, table: str) -> None:
        await self.log.execute(RELEASE, table, self.server_number)

    async def use_commitment(self, commitment: str) -> bool:
        """Mark a commitment as used; return False if any server on the database has used it."""
        return await asyncio.to_thread(self._leases.use_commitment, commitment)

    def peer_summaries(self) -> dict[int, dict[str, Any]]:
        """Return the summary that each other server has published with its last heartbeat."""
        return {number: summary for number, summary in self._peer_summaries.items() if summary}

    async def peer_summaries_with_tables(self) -> dict[int, dict[str, Any]]:
        """Ask the other servers to publish all their tables; return the summaries of all, also of those that do not."""
        await asyncio.to_thread(self._leases.request_table_lists)
        deadline = monotonic() + LIST_TIMEOUT
        while monotonic() < deadline and not all(["all_tables" in peer for peer in self.peer_summaries().values()]):
            await asyncio.sleep(HEARTBEAT_SECONDS / 5)
        return self.peer_summaries()
