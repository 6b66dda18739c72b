"""A table on a server, over the JSON protocol."""

import asyncio
from typing import Any

from argentum.client import ConnectionLost, TableClient, TableError, TableLink
from argentum.rules.boxes import BOX_LETTERS, TOKEN_NAMES
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source, TableLost

RECONNECTING = "Connection lost. Reconnecting."


def sanitize(value: Any) -> Any:
    """Replace unprintable characters in a JSON value, because a server could send terminal escape sequences.

    Newlines and tabs are kept.
    """
    if isinstance(value, str):
        if value.isprintable():
            return value
        return "".join([char if char.isprintable() or char in "\n\t" else "\ufffd" for char in value])
    if isinstance(value, list):
        return [sanitize(item) for item in value]
    if isinstance(value, dict):
        return {sanitize(key): sanitize(item) for key, item in value.items()}
    return value


class ServerSource(Source):
    """A table on a server. The source reconnects automatically."""

    leave_text = "A bot fills in for you; your link brings you back."

    def __init__(self, link: TableLink, name: str = "") -> None:
        self.client = TableClient(link, name, chat=True)
        self.on_message: OnMessage
        self.sending: set[asyncio.Task[None]] = set()

    @property
    def link(self) -> TableLink:
        return self.client.link

    def url(self, path: str) -> str:
        return self.link.url(path)

    async def run(self, on_message: OnMessage) -> None:
        """Connect, pass on messages, and reconnect after failures until cancelled.

        Raise `TableLost` if the first connection fails, or if the server refuses the client for good.
        """
        self.on_message = on_message
        try:
            async with self.client:
                async for message in self.client.messages():
                    self._handle(sanitize(message))
        except TableError as error:
            raise TableLost(sanitize(error.sentence)) from None

    def _handle(self, message: ProtocolMessage) -> None:
        if message["type"] == "connection":
            message = {**message, "message": "" if message["up"] else RECONNECTING}
        elif message["type"] == "seat":
            self.seat_url = str(self.link)
        check_deck(message)
        self.on_message(message)

    async def send(self, message: ProtocolMessage) -> None:
        """Send a message without waiting for the answer; a claim of a seat also gets the player's name."""
        if message["type"] == "claim_seat" and self.client.name:
            message = message | {"name": self.client.name}
        task = asyncio.create_task(self._send(message))
        self.sending.add(task)
        task.add_done_callback(self.sending.discard)

    async def _send(self, message: ProtocolMessage) -> None:
        """Send a message, and report an error as a message.

        Without a connection the message is dropped: after reconnecting, the player sees the choice again.
        """
        fields = {name: value for name, value in message.items() if name != "type"}
        try:
            await self.client.send(message["type"], **fields)
        except ConnectionLost:
            return
        except TableError as error:
            self.on_message({"type": "error", "code": error.code, "message": sanitize(error.sentence)})


def check_deck(message: ProtocolMessage) -> None:
    """Raise `TableLost` for an update of a table whose deck or token is of a box that is not installed here."""
    arrangement = message.get("arrangement") or {}
    letters, token = sorted(set(arrangement.get("boxes", "")) - set(BOX_LETTERS)), arrangement.get("token")
    if letters:
        raise TableLost(
            f"the deck of this table needs boxes that are not installed, with the letters {', '.join(letters)}"
        )
    if token and token not in TOKEN_NAMES:
        raise TableLost(f"the silver token of this table is of a box that is not installed: {token}")
