"""Uvicorn's HTTP and WebSocket protocols with deadlines, and limits on frames and unread output.

Uvicorn itself answers every ping, and has no timeout for incomplete requests or for clients that do not read.
"""

import asyncio
from collections.abc import Callable
from struct import pack
from typing import Any

import h11
from starlette.status import WS_1008_POLICY_VIOLATION
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

TEXT_FRAME = 0x81  # first byte of an unfragmented text frame
RESPONSE_503 = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
RESPONSE_408 = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Deadline:
    """A timer that calls a function unless it is stopped first.

    It refers to the function only while it runs, so that it leaves no reference cycle with a protocol that owns it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float, callback: Callable[[], None]) -> None:
        """Start the timer if it is not running."""
        if self.handle is None:
            self.handle = self.loop.call_later(seconds, callback)

    def stop(self) -> None:
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None


def text_frame(text: str) -> bytes:
    """Encode text as one unmasked, uncompressed WebSocket frame (RFC 6455, 5.2).

    >>> text_frame("join"), text_frame(126 * "a")[:5], text_frame(65_536 * "a")[:11]
    (b'\\x81\\x04join', b'\\x81~\\x00~a', b'\\x81\\x7f\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00a')
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((TEXT_FRAME, size)) + data
    return (pack("!BBH", TEXT_FRAME, 126, size) if size < 65_536 else pack("!BBQ", TEXT_FRAME, 127, size)) + data


class HttpProtocol(H11Protocol):
    """An HTTP connection with admission control, and deadlines for clients to send requests and to read responses."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limiter: ConnectionLimiter,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.limiter = limiter
        self.address: str | None = None  # of an admitted client
        self.header_deadline = Deadline(self.loop)
        self.body_deadline = Deadline(self.loop)
        self.read_deadline = Deadline(self.loop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the client, or answer 503."""
        remote = get_remote_addr(transport)
        address = remote[0] if remote else ""
        if not self.limiter.try_acquire(address):
            self.transport = transport
            transport.write(RESPONSE_503)
            transport.close()
            return
        self.address = address
        super().connection_made(transport)
        self.header_deadline.start(self.limiter.limits.header_timeout, self._time_out)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        super().connection_lost(exc)
        if self.address is not None:
            self.limiter.release(self.address)
            self.address = None

    def data_received(self, data: bytes) -> None:
        if self.address is None:
            return
        super().data_received(data)
        self._set_deadlines()

    def _set_deadlines(self) -> None:
        """Start or stop the deadlines for headers and body. Trickling bytes does not extend them."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop_timers()
        elif self.cycle is None or self.cycle.response_complete:
            self.body_deadline.stop()
            if self.timeout_keep_alive_task is None or self.conn.trailing_data[0]:
                self.header_deadline.start(self.limiter.limits.header_timeout, self._time_out)
        else:
            self.header_deadline.stop()
            if self.cycle.more_body and self.conn.their_state is h11.SEND_BODY:
                self.body_deadline.start(self.limiter.limits.body_timeout, self._abort)
            else:
                self.body_deadline.stop()

    def on_response_complete(self) -> None:
        self.body_deadline.stop()
        super().on_response_complete()
        if not self.transport.is_closing() and self.transport.get_protocol() is self:
            self._set_deadlines()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol, which then releases it at the limiter."""
        self._stop_timers()
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, WebSocketProtocol):
            protocol.address, self.address = self.address, None

    def pause_writing(self) -> None:
        """Start the deadline for the client to read."""
        super().pause_writing()
        self.read_deadline.start(self.limiter.limits.write_timeout, self.transport.abort)

    def resume_writing(self) -> None:
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
    """A WebSocket with a rate limit on frames of all kinds, and a deadline for clients to read."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limiter: ConnectionLimiter,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.limiter = limiter
        self.address: str | None = None
        self.frame_bucket = TokenBucket(limiter.limits.frame_burst, limiter.limits.frame_rate)
        self.read_deadline = Deadline(self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        self.read_deadline.stop()
        super().connection_lost(exc)
        if self.address is not None:
            self.limiter.release(self.address)
            self.address = None

    def handle_connect(self, event: Request) -> None:
        """Store the address of the peer, a client or a proxy, in the state of the ASGI scope."""
        self.app_state = {**self.app_state, PEER: self.client[0] if self.client else ""}
        super().handle_connect(event)

    async def send(self, message: Any) -> None:
        """Send a message; write text directly to the transport, which is several times faster than `super().send`."""
        text = message.get("text")
        if isinstance(text, str) and self._can_write():
            self.transport.write(text_frame(text))
        else:
            await super().send(message)

    def _can_write(self) -> bool:
        """Whether a frame can be sent now: the connection is open and its output buffer is not full."""
        ended = self.close_sent or self.disconnected or not self.handshake_complete or self.initial_response is not None
        return not ended and self.conn.state is OPEN and self.writable.is_set()

    def handle_text(self, event: Frame) -> None:
        if self._allow_frame():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._allow_frame():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Handle a continuation frame; close the connection if the message has too many fragments."""
        if len(self.frames) >= self.limiter.limits.max_fragments:
            self._fail("too many fragments")
        elif self._allow_frame():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, or abort if the client does not read the answers."""
        if self._allow_frame():
            if self.writable.is_set():
                super().handle_ping()
            else:
                self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """Apply the rate limit to pongs, because clients may send them without a ping."""
        if self._allow_frame():
            super().handle_pong(event)

    def _allow_frame(self) -> bool:
        """Return whether to handle a frame; close the connection if the rate limit forbids it."""
        if self.transport.is_closing():
            return False
        if self.frame_bucket.try_take():
            return True
        self._fail("too many frames")
        return False

    def _fail(self, reason: str) -> None:
        if self.transport.is_closing():
            return
        self.conn.fail(WS_1008_POLICY_VIOLATION, reason)
        self.handle_parser_exception()
        if not self.writable.is_set():  # The close frame would wait until the client reads.
            self.transport.abort()

    def pause_writing(self) -> None:
        """Start the deadline for the client to read."""
        super().pause_writing()
        self.read_deadline.start(self.limiter.limits.write_timeout, self.transport.abort)

    def resume_writing(self) -> None:
        self.read_deadline.stop()
        super().resume_writing()
