"""A client's WebSocket, as a table uses it: texts to and fro, until one side goes."""

from starlette.websockets import WebSocket, WebSocketDisconnect

POLICY, TRY_LATER = 1008, 1013  # why the server closes it: for good, or until the client comes again


class TextSocket:
    """A WebSocket. Whatever is wrong with it is a WebSocketDisconnect."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def send(self, text: str) -> None:
        """Say something."""
        try:
            await self.socket.send_text(text)
        except RuntimeError:  # uvicorn has cut the line already, for bytes that are no message
            raise WebSocketDisconnect(1006) from None

    async def close(self, code: int, reason: str) -> None:
        """Close it."""
        try:
            await self.socket.close(code, reason)
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    async def receive(self) -> str | bytes:
        """The next message."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | bytes | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")
