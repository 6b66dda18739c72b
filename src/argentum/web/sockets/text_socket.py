"""A WebSocket that sends and receives text."""

from starlette.websockets import WebSocket, WebSocketDisconnect


class TextSocket:
    """Wraps a WebSocket so that every failure raises `WebSocketDisconnect`."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except RuntimeError:  # uvicorn has already closed the connection because of a malformed frame
            raise WebSocketDisconnect(1006) from None

    async def close(self, code: int, reason: str) -> None:
        try:
            await self.socket.close(code, reason)
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    async def receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | bytes | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")
