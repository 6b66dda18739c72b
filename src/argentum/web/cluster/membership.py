"""Membership of this server in the cluster of servers on one database: registration, heartbeats, claims of tables."""

import asyncio
import json
import logging
import socket as network
import threading
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from argentum.rooms.log.databases import LogError, database_for
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import Answer, Owner
from argentum.rooms.registry import RoomRegistry
from argentum.web.cluster.internal_server import (
    InternalServer,
    listener_address,
    make_internal_server,
    open_listener,
    relay_headers,
    split_address,
)
from argentum.web.cluster.leases import LEASE_TIMEOUT, REFUSED_TIMEOUT, RELEASE, Leases, Peer
from argentum.web.cluster.relay import LOOPBACK, SocketRelay, is_local, parse_response
from argentum.web.server.logs import log_event

HEARTBEAT_SECONDS = 0.5  # between heartbeats
MAX_LOOP_STALL = 10.0  # seconds; if the event loop is blocked for longer, heartbeats stop, and others take the tables
CONNECT_TIMEOUT = 2.0  # seconds to connect to another server
RESPONSE_TIMEOUT = 10.0  # seconds for its response to a request
LEAVE_TIMEOUT = 1.0  # seconds for the database at shutdown
CLOSE_TIMEOUT = 1.0  # seconds for the closing handshake with another server
UNREACHABLE_PEER = (
    "Another machine has a server on this database, and one of the two can only be reached from its own machine."
    " Give each an address for the other with --internal-address."
)
logger = logging.getLogger(__name__)


class ClusterMembership:
    """Keeps this server registered in the database, and implements :class:`Ownership` for the registry."""

    def __init__(self, url: str, log: SqlJournal, address: str = "127.0.0.1") -> None:
        self.log = log
        self.server_number = 0
        self._leases = Leases(database_for(url))
        self._heartbeats = Leases(database_for(url))  # on a separate connection, so that no query delays a heartbeat
        try:
            self.shared_secret = self._leases.create_schema()
            self._socket = open_listener(address)
        except BaseException:
            self._leases.close()
            raise
        self.address = listener_address(self._socket)
        self._peers: list[Peer] = []
        self._connections: defaultdict[int, set[ClientConnection]] = defaultdict(set)
        self._closing: set[asyncio.Task[None]] = set()
        self._timeouts: defaultdict[int, set[asyncio.Timeout]] = defaultdict(set)
        self._internal_server: InternalServer | None = None
        self._internal_server_task: asyncio.Task[None] | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._summary_json = '{"tables": 0, "listed": []}'
        self._heartbeat_at = self._loop_alive_at = monotonic()
        self._steady_since = monotonic()  # since when no heartbeat has been late
        self._heartbeat_done = asyncio.Event()
        self._registry: RoomRegistry | None = None

    # Joining and leaving.

    async def open(self, registry: RoomRegistry, app: ASGIApp) -> None:
        """Start the internal server, register in the database, and start the heartbeats."""
        self._registry = registry
        self._internal_server = make_internal_server(app, self.shared_secret)
        self._internal_server_task = asyncio.create_task(self._internal_server.serve(sockets=[self._socket]))
        await asyncio.to_thread(self._join)
        self._thread = threading.Thread(
            target=self._run_heartbeat, args=[asyncio.get_running_loop()], name="heartbeat", daemon=True
        )
        self._thread.start()

    def _join(self) -> None:
        """Register this server; raise LogError if it and a server on another machine cannot reach each other."""
        machine = network.gethostname()
        deadline = monotonic() + 2 * LEASE_TIMEOUT  # A killed server may have left its row.
        while True:
            peers = self._heartbeats.peers(0)
            remote_peers = [peer for peer in peers if peer.machine != machine]
            if not any([self.address.startswith(LOOPBACK) or is_local(peer) for peer in remote_peers]):
                break
            self._heartbeats.expire([peer.owner.number for peer in remote_peers])
            if monotonic() > deadline:
                raise LogError(UNREACHABLE_PEER)
            self._stop.wait(HEARTBEAT_SECONDS)
        self._peers = peers
        self.server_number = self.log.server_number = self._heartbeats.register(self.address, machine)
        self._heartbeat_at = self._steady_since = monotonic()

    async def close(self) -> None:
        """Stop the internal server and the heartbeats. Clients that it relays reconnect to another server."""
        self._stop.set()
        if self._internal_server is not None and self._internal_server_task is not None:
            self._internal_server.should_exit = True
            await asyncio.gather(self._internal_server_task, return_exceptions=True)
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
        peers = self._heartbeats.heartbeat(self.server_number, self._summary_json)
        if peers is None:
            logger.warning("other servers have expired this one and may claim its tables")
            asyncio.run_coroutine_threadsafe(self._release_all(), loop).result(MAX_LOOP_STALL)
            self._join()
            return
        self._heartbeat_at = started
        # After an outage of its own connection a server cannot tell which others are down.
        if started - self._steady_since > LEASE_TIMEOUT:
            expired = self._heartbeats.expire([peer.owner.number for peer in peers])
            for number in expired:
                log_event("server_expired", server=number)
            peers = [peer for peer in peers if peer.owner.number not in expired]
        loop.call_soon_threadsafe(self._update_peers, peers)

    def _mark_loop_alive(self) -> None:
        self._loop_alive_at = monotonic()

    async def _release_all(self) -> None:
        """Stop all rooms, because other servers may own them; nothing can be written until the next registration."""
        assert self._registry is not None
        self.server_number = self.log.server_number = -1
        await self._registry.release_all()

    def _update_peers(self, peers: list[Peer]) -> None:
        """Store the other servers after a heartbeat, and abort connections to those that were expired."""
        assert self._registry is not None
        self._peers = peers
        self._summary_json = json.dumps(self._registry.summary())
        self._heartbeat_done.set()
        self._heartbeat_done.clear()
        numbers = {peer.owner.number for peer in peers}
        # The operating system of an expired or frozen server may still accept connections, which nothing answers.
        for number in [number for number in self._connections if number not in numbers]:
            for connection in self._connections.pop(number):
                connection.transport.abort()
        for number in [number for number in self._timeouts if number not in numbers]:
            for timeout in self._timeouts.pop(number):
                if not timeout.expired():
                    timeout.reschedule(0.0)

    # The interface of the registry (see `rooms/ownership.py`).

    async def wait_until_confirmed(self) -> None:
        """Wait for the next heartbeat if the last one is older than LEASE_TIMEOUT, as after a suspension.

        That heartbeat tells whether other servers have expired this one and own its tables.
        """
        if monotonic() - self._heartbeat_at > LEASE_TIMEOUT:
            with suppress(TimeoutError):  # While the database is away, no other server can claim tables.
                await asyncio.wait_for(self._heartbeat_done.wait(), 2 * HEARTBEAT_SECONDS)

    async def claim(self, table: str, new: bool = False) -> Owner | None:
        """Claim a table unless it has an owner; return the owner if it is another server, else None."""
        owner = await asyncio.to_thread(self._leases.claim, table, self.server_number, new)
        return owner if owner is not None and owner.number != self.server_number else None

    async def release(self, table: str) -> None:
        await self.log.execute(RELEASE, table, self.server_number)

    async def use_commitment(self, commitment: str) -> bool:
        """Mark a commitment as used; return False if any server on the database has used it."""
        return await asyncio.to_thread(self._leases.use_commitment, commitment)

    def peer_summaries(self) -> list[dict[str, Any]]:
        """Return the summary that each other server has published: its number of tables, and its listed ones."""
        return [peer.summary for peer in self._peers if "listed" in peer.summary]

    def other_servers(self) -> list[Owner]:
        return [peer.owner for peer in self._peers]

    async def _report_unreachable(self, owner: Owner, error: BaseException) -> None:
        """Expire a server that could not be reached, if its heartbeats have stopped too; `error` says how it failed."""
        seconds = LEASE_TIMEOUT
        if isinstance(error, ConnectionRefusedError):
            seconds = 0.0 if owner.address.startswith(LOOPBACK) else REFUSED_TIMEOUT
        if await asyncio.to_thread(self._leases.expire, [owner.number], seconds):
            log_event("server_expired", server=owner.number)

    # Relay, to be deleted.

    @asynccontextmanager
    async def _peer_timeout(self, seconds: float, owner: Owner) -> AsyncIterator[None]:
        """Context manager: raise TimeoutError after `seconds`, or as soon as the other server expires."""
        async with asyncio.timeout(seconds) as timeout:
            self._timeouts[owner.number].add(timeout)
            try:
                yield
            finally:
                self._timeouts[owner.number].discard(timeout)

    async def relay(self, socket: WebSocket, first: str | bytes, owner: Owner) -> bool:
        """Relay a socket until it closes; return False if the server is unreachable or no longer has the table."""
        client = socket.client.host if socket.client else ""
        try:
            async with self._peer_timeout(CONNECT_TIMEOUT, owner):
                connection = await connect(
                    f"ws://{owner.address}/socket",
                    additional_headers=relay_headers(socket.headers, client, self.shared_secret),
                    compression=None,
                    max_size=None,
                    open_timeout=None,
                    close_timeout=CLOSE_TIMEOUT,
                    proxy=None,
                )
        except (OSError, TimeoutError, WebSocketException) as error:
            await self._report_unreachable(owner, error)
            return False
        self._connections[owner.number].add(connection)
        try:
            return await SocketRelay(socket, connection).run(first)
        finally:
            self._connections[owner.number].discard(connection)
            self._close_in_background(connection)

    def _close_in_background(self, connection: ClientConnection) -> None:
        """Close a connection to another server without waiting for its closing handshake."""
        closing = asyncio.create_task(connection.close())
        self._closing.add(closing)  # Without a reference a task may be garbage-collected.
        closing.add_done_callback(self._closing.discard)

    async def forward(self, owner: Owner, request: Request, path: str, body: bytes) -> Answer | None:
        """Forward a request; return None if the server is unreachable, or a 503 if it may have been handled."""
        try:
            async with self._peer_timeout(CONNECT_TIMEOUT, owner):
                reader, writer = await asyncio.open_connection(*split_address(owner.address))
        except (OSError, TimeoutError) as error:
            await self._report_unreachable(owner, error)
            return None
        headers = relay_headers(request.headers, request.client.host if request.client else "", self.shared_secret)
        headers |= {"host": owner.address, "connection": "close", "content-length": str(len(body))}
        head = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        try:
            async with self._peer_timeout(RESPONSE_TIMEOUT, owner):
                writer.write(f"{request.method} {path} HTTP/1.0\r\n{head}\r\n".encode("latin-1") + body)
                return parse_response(await reader.read())
        except (OSError, TimeoutError, ValueError):
            return Answer(503, {"content-type": "text/plain"}, b"Another server did not answer. Please try again.\n")
        finally:
            writer.close()
