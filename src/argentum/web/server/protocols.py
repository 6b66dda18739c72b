"""Connections below the pages: uvicorn's protocols, with bounds on what a client may send, leave unread, or leave out.

Uvicorn answers every ping, waits for ever for the rest of a request, and for a client to read. We do not.
"""

import asyncio
from struct import pack
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from argentum.rooms.limits import TokenBucket
from argentum.web.server.admission import SENDER, Porch

POLICY = 1008
TEXT = 0x81  # the first byte of a frame that is a whole text
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Timer:
    """Something that happens unless it is stopped in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, what: Any) -> None:
        self.loop = loop
        self.what = what
        self.handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> None:
        """Begin to wait, if it does not wait already."""
        if self.handle is None:
            self.handle = self.loop.call_later(seconds, self.what)

    def stop(self) -> None:
        """Do not wait any more."""
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None


def text_frame(text: str) -> bytes:
    """A text as one frame of a server, neither masked nor compressed (RFC 6455, 5.2).

    >>> text_frame("sit"), text_frame(126 * "a")[:5], text_frame(65_536 * "a")[:11]
    (b'\\x81\\x03sit', b'\\x81~\\x00~a', b'\\x81\\x7f\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00a')
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((TEXT, size)) + data
    return (pack("!BBH", TEXT, 126, size) if size < 65_536 else pack("!BBQ", TEXT, 127, size)) + data


class HttpLine(H11Protocol):
    """An HTTP connection that comes in if there is room, and must send and read in time."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        porch: Porch,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.porch = porch
        self.address: str | None = None  # of a client that was let in
        self.headers_due = Timer(self.loop, self._too_slow)
        self.body_due = Timer(self.loop, self._give_up)
        self.unread = Timer(self.loop, self._give_up)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a client in, or not."""
        remote = get_remote_addr(transport)
        address = remote[0] if remote else ""
        if not self.porch.admits(address):
            self.transport = transport
            transport.write(BUSY)
            transport.close()
            return
        self.address = address
        super().connection_made(transport)
        self.headers_due.start(self.porch.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self._stop_timers()
        super().connection_lost(exc)
        if self.address is not None:
            self.porch.leaves(self.address)
            self.address = None

    def data_received(self, data: bytes) -> None:
        """Take in some bytes; what is still missing must come in time."""
        if self.address is None:
            return
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """Wait for the rest of a request, but not for ever. A byte now and then makes that no longer."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop_timers()
        elif self.cycle is None or self.cycle.response_complete:
            self.body_due.stop()
            if self.timeout_keep_alive_task is None or self.conn.trailing_data[0]:
                self.headers_due.start(self.porch.limits.header_seconds)
        else:
            self.headers_due.stop()
            if self.cycle.more_body and self.conn.their_state is h11.SEND_BODY:
                self.body_due.start(self.porch.limits.body_seconds)
            else:
                self.body_due.stop()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        self.body_due.stop()
        super().on_response_complete()
        if not self.transport.is_closing() and self.transport.get_protocol() is self:
            self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the line on, with its place."""
        self._stop_timers()
        super().handle_websocket_upgrade(event)
        line = self.transport.get_protocol()
        if isinstance(line, SocketLine):
            line.address, self.address = self.address, None

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self.unread.start(self.porch.limits.unread_seconds)

    def resume_writing(self) -> None:
        """It reads again."""
        self.unread.stop()
        super().resume_writing()

    def _stop_timers(self) -> None:
        for timer in (self.headers_due, self.body_due, self.unread):
            timer.stop()

    def _too_slow(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(SLOW)
            self.transport.close()

    def _give_up(self) -> None:
        self.transport.abort()


class SocketLine(WebSocketsSansIOProtocol):
    """A WebSocket whose frames of every kind are counted, and whose client must read."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        porch: Porch,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.porch = porch
        self.address: str | None = None
        self.gate = TokenBucket(porch.limits.frames_burst, porch.limits.frames_rate)
        self.unread = Timer(self.loop, lambda: self.transport.abort())

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self.unread.stop()
        super().connection_lost(exc)
        if self.address is not None:
            self.porch.leaves(self.address)
            self.address = None

    def handle_connect(self, event: Request) -> None:
        """A client asks for a socket; the pages learn who sent it, a proxy or the client itself."""
        self.app_state = {**self.app_state, SENDER: self.client[0] if self.client else ""}
        super().handle_connect(event)

    async def send(self, message: Any) -> None:
        """Send something: a text at once, as nearly all that is sent is one; uvicorn takes several times as long."""
        text = message.get("text")
        if isinstance(text, str) and self._is_open():
            self.transport.write(text_frame(text))
        else:
            await super().send(message)

    def _is_open(self) -> bool:
        """Whether frames may be sent, and nothing waits to be read."""
        ended = self.close_sent or self.disconnected or not self.handshake_complete or self.initial_response is not None
        return not ended and self.conn.state is OPEN and self.writable.is_set()

    def handle_text(self, event: Frame) -> None:
        """A message, or its first piece."""
        if self._admits():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """The same as bytes."""
        if self._admits():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Another piece of a message."""
        if len(self.frames) >= self.porch.limits.pieces:
            self._cut("too many pieces")
        elif self._admits():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, if the client reads the answers."""
        if self._admits():
            if self.writable.is_set():
                super().handle_ping()
            else:
                self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """An answer to our ping, or one that nobody asked for."""
        if self._admits():
            super().handle_pong(event)

    def _admits(self) -> bool:
        """Whether one more frame may come; else the line is cut."""
        if self.transport.is_closing():
            return False
        if self.gate.try_take():
            return True
        self._cut("too many frames")
        return False

    def _cut(self, why: str) -> None:
        if self.transport.is_closing():
            return
        self.conn.fail(POLICY, why)
        self.handle_parser_exception()
        if not self.writable.is_set():  # it would wait to be read
            self.transport.abort()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self.unread.start(self.porch.limits.unread_seconds)

    def resume_writing(self) -> None:
        """It reads again."""
        self.unread.stop()
        super().resume_writing()
