"""Relay WebSockets and requests to the server that owns a table."""

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from argentum.rooms.ownership import AGAIN, Answer
from argentum.web.cluster.leases import Peer

SERVER_CLOSE_CODES = (1000, 1008, 1013)  # close codes that a server sends; any other means that the connection was lost
TRY_LATER = 1013
LOOPBACK = ("127.", "[::1]", "localhost")


class SocketRelay:
    """Relay messages between a client's socket and `upstream`, a connection to the server that owns the table."""

    def __init__(self, socket: WebSocket, upstream: ClientConnection) -> None:
        self.socket = socket
        self.upstream = upstream
        self.has_received = False  # whether the other server has sent a message

    async def run(self, first: str | bytes) -> bool:
        """Relay until one side closes; return False if the other server does not have the table."""
        up, down = asyncio.create_task(self._relay_to_server(first)), asyncio.create_task(self._relay_to_client())
        try:
            done, _ = await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (up, down):
                task.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
        if down in done or not up.result():
            return await self._close_client()
        return True

    async def _relay_to_server(self, first: str | bytes) -> bool:
        """Relay the client's messages; return True if the client disconnects, False if the server does."""
        try:
            await self.upstream.send(first)
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return True
                text = message.get("text")
                await self.upstream.send(text if text is not None else message.get("bytes") or b"")
        except ConnectionClosed:
            return False

    async def _relay_to_client(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                text = await self.upstream.recv()
                self.has_received = True
                try:
                    await self.socket.send_text(text if isinstance(text, str) else text.decode())
                except RuntimeError:  # uvicorn has already closed the connection
                    raise WebSocketDisconnect(1006) from None

    async def _close_client(self) -> bool:
        """Close the client's socket with the server's code; return False if the server does not have the table."""
        code, reason = self.upstream.close_code, self.upstream.close_reason
        if code == AGAIN or (not self.has_received and code not in SERVER_CLOSE_CODES):
            return False
        with suppress(RuntimeError, WebSocketDisconnect):
            if code in SERVER_CLOSE_CODES:
                await self.socket.close(code or TRY_LATER, reason)
            else:
                await self.socket.close(TRY_LATER, "try again")
        return True


def is_local(peer: Peer) -> bool:
    return peer.owner.address.startswith(LOOPBACK)


def parse_response(text: bytes) -> Answer:
    """Parse an HTTP/1.0 response; raise `ValueError` if it is invalid or incomplete."""
    head, _, body = text.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in [line.partition(":") for line in lines]}
    if len(body) < int(headers["content-length"] if "content-length" in headers else len(body)):
        raise ValueError("the response is incomplete")
    return Answer(int(first.split()[1]), headers, body)
