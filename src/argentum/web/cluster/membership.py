"""Register this server, heartbeat, claim, release."""

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
from argentum.web.cluster.inner import InnerServer, address_of, inner_headers, inner_server, listening, split
from argentum.web.cluster.leases import LEASE_TIMEOUT, REFUSED_TIMEOUT, RELEASE, Leases, Peer
from argentum.web.cluster.relay import LOOPBACK, _answer, _local, _Passage
from argentum.web.server.logs import log_event

HEARTBEAT_SECONDS = 0.5  # seconds
MAX_LOOP_STALL = 10.0  # seconds after which a server whose loop does not turn leaves its tables to others
REACH_WITHIN = 2.0  # seconds for another server to take a line
ANSWER_WITHIN = 10.0  # and to answer a request
LEAVE_TIMEOUT = 1.0  # seconds for the database, when we stop
CLOSE_WITHIN = 1.0  # seconds for another server to agree that a line is closed
UNREACHABLE_PEER = (
    "Another machine has a server on this database, and one of the two can only be reached from its own machine."
    " Give each an address for the other with --inner-address."
)
logger = logging.getLogger(__name__)


class ClusterMembership:
    """This server among those that share its database."""

    def __init__(self, url: str, log: SqlJournal, address: str = "127.0.0.1") -> None:
        self.log = log
        self.server_number = 0
        self._leases = Leases(database_for(url))
        self._heartbeats = Leases(
            database_for(url)
        )  # with a connection of its own, so that nothing keeps a beat waiting
        try:
            self.shared_secret = self._leases.create_schema()
            self._socket = listening(address)
        except BaseException:
            self._leases.close()
            raise
        self.address = address_of(self._socket)
        self._peers: list[Peer] = []
        self._lines: defaultdict[int, set[ClientConnection]] = defaultdict(set)
        self._closing: set[asyncio.Task[None]] = set()
        self._waits: defaultdict[int, set[asyncio.Timeout]] = defaultdict(set)
        self._inner: InnerServer | None = None
        self._inner_task: asyncio.Task[None] | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._summary_json = '{"tables": 0, "listed": []}'
        self._beat_at = self._turned_at = monotonic()
        self._steady_since = monotonic()
        self._beaten = asyncio.Event()
        self._hall: RoomRegistry | None = None

    # Coming and going.

    async def open(self, hall: RoomRegistry, app: ASGIApp) -> None:
        """Open the inner door, and join the others."""
        self._hall = hall
        self._inner = inner_server(app, self.shared_secret)
        self._inner_task = asyncio.create_task(self._inner.serve(sockets=[self._socket]))
        await asyncio.to_thread(self._join)
        self._thread = threading.Thread(
            target=self._run_heartbeat, args=[asyncio.get_running_loop()], name="beat", daemon=True
        )
        self._thread.start()

    def _join(self) -> None:
        """Get a number, unless we and others could not reach each other."""
        machine = network.gethostname()
        until = monotonic() + 2 * LEASE_TIMEOUT  # one that was stopped hard may have left its row
        while True:
            others = self._heartbeats.peers(0)
            strangers = [peer for peer in others if peer.machine != machine]
            if not any([self.address.startswith(LOOPBACK) or _local(peer) for peer in strangers]):
                break
            self._heartbeats.expire([peer.owner.number for peer in strangers])
            if monotonic() > until:
                raise LogError(UNREACHABLE_PEER)
            self._stop.wait(HEARTBEAT_SECONDS)
        self._peers = others
        self.server_number = self.log.server_number = self._heartbeats.register(self.address, machine)
        self._beat_at = self._steady_since = monotonic()

    async def close(self) -> None:
        """Close the inner door: whoever was passed on here comes again, to another server."""
        self._stop.set()
        if self._inner is not None and self._inner_task is not None:
            self._inner.should_exit = True
            await asyncio.gather(self._inner_task, return_exceptions=True)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, LEAVE_TIMEOUT)

    async def leave(self) -> None:
        """Leave our tables to the others, after all that we had to write is written."""
        thread = threading.Thread(target=self._leave, name="leave", daemon=True)
        thread.start()
        await asyncio.to_thread(thread.join, LEAVE_TIMEOUT)

    def _leave(self) -> None:
        with suppress(LogError):  # then they will see that we are silent
            self._leases.unregister(self.server_number)
        self._leases.close()
        self._heartbeats.close()

    # Beats, in a thread of their own.

    def _run_heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stop.wait(HEARTBEAT_SECONDS):
            try:
                loop.call_soon_threadsafe(self._mark_loop_alive)
                if monotonic() - self._turned_at < MAX_LOOP_STALL:
                    self._heartbeat(loop)
            except LogError:  # the log tells of it
                self._steady_since = monotonic()
            except RuntimeError:  # the loop has ended
                return

    def _heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        began = monotonic()
        if began - self._beat_at > LEASE_TIMEOUT / 2:
            self._steady_since = began
        others = self._heartbeats.heartbeat(self.server_number, self._summary_json)
        if others is None:
            logger.warning("other servers have given this one up; its tables are theirs now")
            asyncio.run_coroutine_threadsafe(self._release_all(), loop).result(MAX_LOOP_STALL)
            self._join()
            return
        self._beat_at = began
        # Who has not heard of the database for a while does not know who else has not.
        if began - self._steady_since > LEASE_TIMEOUT:
            silent = self._heartbeats.expire([other.owner.number for other in others])
            for number in silent:
                log_event("server_expired", server=number)
            others = [other for other in others if other.owner.number not in silent]
        loop.call_soon_threadsafe(self._peers_changed, others)

    def _mark_loop_alive(self) -> None:
        self._turned_at = monotonic()

    async def _release_all(self) -> None:
        assert self._hall is not None
        self.server_number = self.log.server_number = -1  # nothing can be written until we have another
        await self._hall.release_all()

    def _peers_changed(self, others: list[Peer]) -> None:
        assert self._hall is not None
        self._peers = others
        self._summary_json = json.dumps(self._hall.summary())
        self._beaten.set()
        self._beaten.clear()
        there = {other.owner.number for other in others}
        # Whoever is gone or frozen will not answer, though its system may still take connections for it.
        for number in [number for number in self._lines if number not in there]:
            for line in self._lines.pop(number):
                line.transport.abort()
        for number in [number for number in self._waits if number not in there]:
            for wait in self._waits.pop(number):
                if not wait.expired():
                    wait.reschedule(0.0)

    # What a hall asks (see `Neighbours`).

    async def confirmed(self) -> None:
        """Wait for a beat if the last was so long ago that the others may have given us up: we may have been frozen."""
        if monotonic() - self._beat_at > LEASE_TIMEOUT:
            with suppress(TimeoutError):  # without the database, nobody else can have our tables
                await asyncio.wait_for(self._beaten.wait(), 2 * HEARTBEAT_SECONDS)

    async def claim(self, table: str, new: bool = False) -> Owner | None:
        """Become the owner of a table, or learn who is."""
        owner = await asyncio.to_thread(self._leases.claim, table, self.server_number, new)
        return owner if owner is not None and owner.number != self.server_number else None

    async def release(self, table: str) -> None:
        """Let others have a table."""
        await self.log.execute(RELEASE, table, self.server_number)

    async def use_commitment(self, promise: str) -> bool:
        """Use a promise, if nobody on this database has."""
        return await asyncio.to_thread(self._leases.use_commitment, promise)

    def peer_summaries(self) -> list[dict[str, Any]]:
        """What the others told of themselves."""
        return [other.summary for other in self._peers if "listed" in other.summary]

    def all(self) -> list[Owner]:
        return [other.owner for other in self._peers]

    async def _report_unreachable(self, owner: Owner, error: BaseException) -> None:
        """A server could not be reached: if it is silent too, it is given up."""
        seconds = LEASE_TIMEOUT
        if isinstance(error, ConnectionRefusedError):
            seconds = 0.0 if owner.address.startswith(LOOPBACK) else REFUSED_TIMEOUT
        if await asyncio.to_thread(self._leases.expire, [owner.number], seconds):
            log_event("server_expired", server=owner.number)

    # Passing on.

    @asynccontextmanager
    async def _within(self, seconds: float, owner: Owner) -> AsyncIterator[None]:
        """Give another server so much time; TimeoutError as soon as it is over, or that server is given up."""
        async with asyncio.timeout(seconds) as wait:
            self._waits[owner.number].add(wait)
            try:
                yield
            finally:
                self._waits[owner.number].discard(wait)

    async def relay(self, socket: WebSocket, first: str | bytes, owner: Owner) -> bool:
        """Pass a socket on; False if nobody is there, or the table is not there any more."""
        client = socket.client.host if socket.client else ""
        try:
            async with self._within(REACH_WITHIN, owner):
                line = await connect(
                    f"ws://{owner.address}/socket",
                    additional_headers=inner_headers(socket.headers, client, self.shared_secret),
                    compression=None,
                    max_size=None,
                    open_timeout=None,
                    close_timeout=CLOSE_WITHIN,
                    proxy=None,
                )
        except (OSError, TimeoutError, WebSocketException) as error:
            await self._report_unreachable(owner, error)
            return False
        self._lines[owner.number].add(line)
        try:
            return await _Passage(socket, line).run(first)
        finally:
            self._lines[owner.number].discard(line)
            self._hang_up(line)

    def _hang_up(self, line: ClientConnection) -> None:
        """Close a line. Nobody waits until the other server agrees, least of all when we stop."""
        closing = asyncio.create_task(line.close())
        self._closing.add(closing)  # a task that nobody holds may be thrown away
        closing.add_done_callback(self._closing.discard)

    async def ask(self, owner: Owner, request: Request, path: str, body: bytes) -> Answer | None:
        """Pass a request on. If it breaks off, nobody knows whether it was done."""
        try:
            async with self._within(REACH_WITHIN, owner):
                reader, writer = await asyncio.open_connection(*split(owner.address))
        except (OSError, TimeoutError) as error:
            await self._report_unreachable(owner, error)
            return None
        lines = inner_headers(request.headers, request.client.host if request.client else "", self.shared_secret)
        lines |= {"host": owner.address, "connection": "close", "content-length": str(len(body))}
        head = "".join([f"{name}: {value}\r\n" for name, value in lines.items()])
        try:
            async with self._within(ANSWER_WITHIN, owner):
                writer.write(f"{request.method} {path} HTTP/1.0\r\n{head}\r\n".encode("latin-1") + body)
                return _answer(await reader.read())
        except (OSError, TimeoutError, ValueError):
            return Answer(503, {"content-type": "text/plain"}, b"Another server did not answer. Please try again.\n")
        finally:
            writer.close()
