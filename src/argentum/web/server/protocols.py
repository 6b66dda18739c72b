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
from argentum.web.server.admission import PEER, ConnectionLimiter

POLICY = 1008
TEXT_FRAME = 0x81  # the first byte of a frame that is a whole text
RESPONSE_503 = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
RESPONSE_408 = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Deadline:
    """Something that happens unless it is stopped in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, what: Any) -> None:
        self.loop = loop
        self.callback = what
        self.handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> None:
        """Begin to wait, if it does not wait already."""
        if self.handle is None:
            self.handle = self.loop.call_later(seconds, self.callback)

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
        return bytes((TEXT_FRAME, size)) + data
    return (pack("!BBH", TEXT_FRAME, 126, size) if size < 65_536 else pack("!BBQ", TEXT_FRAME, 127, size)) + data


class HttpProtocol(H11Protocol):
    """An HTTP connection that comes in if there is room, and must send and read in time."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        porch: ConnectionLimiter,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.porch = porch
        self.address: str | None = None  # of a client that was let in
        self.header_deadline = Deadline(self.loop, self._time_out)
        self.body_deadline = Deadline(self.loop, self._abort)
        self.read_deadline = Deadline(self.loop, self._abort)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a client in, or not."""
        remote = get_remote_addr(transport)
        address = remote[0] if remote else ""
        if not self.porch.try_acquire(address):
            self.transport = transport
            transport.write(RESPONSE_503)
            transport.close()
            return
        self.address = address
        super().connection_made(transport)
        self.header_deadline.start(self.porch.limits.header_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self._stop_timers()
        super().connection_lost(exc)
        if self.address is not None:
            self.porch.release(self.address)
            self.address = None

    def data_received(self, data: bytes) -> None:
        """Take in some bytes; what is still missing must come in time."""
        if self.address is None:
            return
        super().data_received(data)
        self._set_deadlines()

    def _set_deadlines(self) -> None:
        """Wait for the rest of a request, but not for ever. A byte now and then makes that no longer."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop_timers()
        elif self.cycle is None or self.cycle.response_complete:
            self.body_deadline.stop()
            if self.timeout_keep_alive_task is None or self.conn.trailing_data[0]:
                self.header_deadline.start(self.porch.limits.header_timeout)
        else:
            self.header_deadline.stop()
            if self.cycle.more_body and self.conn.their_state is h11.SEND_BODY:
                self.body_deadline.start(self.porch.limits.body_timeout)
            else:
                self.body_deadline.stop()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        self.body_deadline.stop()
        super().on_response_complete()
        if not self.transport.is_closing() and self.transport.get_protocol() is self:
            self._set_deadlines()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the line on, with its place."""
        self._stop_timers()
        super().handle_websocket_upgrade(event)
        line = self.transport.get_protocol()
        if isinstance(line, WebSocketProtocol):
            line.address, self.address = self.address, None

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self.read_deadline.start(self.porch.limits.write_timeout)

    def resume_writing(self) -> None:
        """It reads again."""
        self.read_deadline.stop()
        super().resume_writing()

    def _stop_timers(self) -> None:
        for timer in (self.header_deadline, self.body_deadline, self.read_deadline):
            timer.stop()

    def _time_out(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(RESPONSE_408)
            self.transport.close()

    def _abort(self) -> None:
        self.transport.abort()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose frames of every kind are counted, and whose client must read."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        porch: ConnectionLimiter,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.porch = porch
        self.address: str | None = None
        self.frame_bucket = TokenBucket(porch.limits.frame_burst, porch.limits.frame_rate)
        self.unread = Deadline(self.loop, lambda: self.transport.abort())

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self.unread.stop()
        super().connection_lost(exc)
        if self.address is not None:
            self.porch.release(self.address)
            self.address = None

    def handle_connect(self, event: Request) -> None:
        """A client asks for a socket; the pages learn who sent it, a proxy or the client itself."""
        self.app_state = {**self.app_state, PEER: self.client[0] if self.client else ""}
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
        if self._allow_frame():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """The same as bytes."""
        if self._allow_frame():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Another piece of a message."""
        if len(self.frames) >= self.porch.limits.max_fragments:
            self._fail("too many pieces")
        elif self._allow_frame():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, if the client reads the answers."""
        if self._allow_frame():
            if self.writable.is_set():
                super().handle_ping()
            else:
                self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """An answer to our ping, or one that nobody asked for."""
        if self._allow_frame():
            super().handle_pong(event)

    def _allow_frame(self) -> bool:
        """Whether one more frame may come; else the line is cut."""
        if self.transport.is_closing():
            return False
        if self.frame_bucket.try_take():
            return True
        self._fail("too many frames")
        return False

    def _fail(self, why: str) -> None:
        if self.transport.is_closing():
            return
        self.conn.fail(POLICY, why)
        self.handle_parser_exception()
        if not self.writable.is_set():  # it would wait to be read
            self.transport.abort()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self.unread.start(self.porch.limits.write_timeout)

    def resume_writing(self) -> None:
        """It reads again."""
        self.unread.stop()
        super().resume_writing()
