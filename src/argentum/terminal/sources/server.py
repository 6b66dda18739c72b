"""A table on a server, by the JSON protocol."""

import asyncio
import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from argentum.display.updates import PROTOCOL_VERSION
from argentum.terminal.sources import Message, OnMessage, Source, TableLost

MAX_MESSAGE_BYTES: Final = 2**22  # bytes of a message: the first update of a long game tells all that happened
RETRY_SECONDS: Final = (0.2, 1.0, 2.0, 5.0)  # seconds between attempts to come back; the last goes on
FATAL_CODES: Final = ("no seat", "full", "malformed")  # errors after which there is no coming back


class TableLink(NamedTuple):
    """A seat at a table on a server, or a place to watch from."""

    socket: str
    table: str
    key: str

    def address(self, path: str) -> str:
        """A path on the same server, as a browser takes it.

        >>> Link.of("https://silver.example/table/proud-nettle#secret").address("/table/proud-nettle#other")
        'https://silver.example/table/proud-nettle#other'
        """
        return f"http{self.socket.removeprefix('ws').removesuffix('/socket')}{path}"

    @staticmethod
    def parse(text: str) -> "TableLink":
        """What a link says.

        >>> Link.of("https://silver.example/table/proud-nettle#secret")
        Link(socket='wss://silver.example/socket', table='proud-nettle', key='secret')
        """
        try:
            parts = urlsplit(text.strip())
        except ValueError:
            parts = urlsplit("")
        head, _, table = parts.path.rstrip("/").rpartition("/")
        if parts.scheme not in ("http", "https") or not parts.hostname or not head.endswith("/table") or not table:
            raise ValueError(f"{text!r} is not a table link; a link looks like http://HOST/table/NAME#SECRET")
        root = head.removesuffix("/table")
        scheme = "wss" if parts.scheme == "https" else "ws"
        return TableLink(f"{scheme}://{parts.netloc}{root}/socket", table, parts.fragment)


def sanitized(said: Any) -> Any:
    """What a server said, without characters that a terminal would obey: a server may be anybody's."""
    if isinstance(said, str):
        return (
            said
            if said.isprintable()
            else "".join([one if one.isprintable() or one in "\n\t" else "\ufffd" for one in said])
        )
    if isinstance(said, list):
        return [sanitized(one) for one in said]
    if isinstance(said, dict):
        return {sanitized(key): sanitized(value) for key, value in said.items()}
    return said


class ServerSource(Source):
    """A table on a server. It reconnects automatically."""

    leave_text = "A bot fills in for you; your link brings you back."

    def __init__(self, link: TableLink, name: str = "") -> None:
        self.link = link
        self.name = name
        self.line: ClientConnection | None = None

    def url(self, path: str) -> str:
        """A path on the server, as a browser takes it."""
        return self.link.address(path)

    async def run(self, tell: OnMessage) -> None:
        """Listen for as long as the server has a place for us."""
        reached = failures = 0
        while True:
            why, key = "the connection was closed", self.link.key
            try:
                async with connect(
                    self.link.socket, max_size=MAX_MESSAGE_BYTES, open_timeout=10, close_timeout=1
                ) as line:
                    reached, failures = 1, 0
                    await self._listen(line, tell)
            except (InvalidURI, InvalidHandshake) as error:
                raise TableLost(f"{self.link.socket} is not a table's server: {sanitized(str(error))}") from None
            except ConnectionRefusedError:
                why = "the server does not answer"
            except (OSError, TimeoutError, ConnectionClosed) as error:
                why = sanitized(str(error)) or why
            finally:
                self.line = None
            if not reached:
                raise TableLost(f"cannot reach {self.link.socket}: {why}")
            if self.link.key != key:
                continue
            tell({"type": "connection", "up": False, "message": "Connection lost. Reconnecting."})
            await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _listen(self, line: ClientConnection, tell: OnMessage) -> None:
        """Sit down, and pass on what is told."""
        sit = {
            "type": "sit",
            "protocol": PROTOCOL_VERSION,
            "table": self.link.table,
            "key": self.link.key,
            "talk": True,
        }
        await line.send(json.dumps(sit | ({"name": self.name} if self.name else {})))
        self.line = line
        tell({"type": "connection", "up": True, "message": ""})
        async for text in line:
            message = sanitized(json.loads(text))
            if message["type"] == "error" and message["code"] in FATAL_CODES:
                raise TableLost(message["message"])
            if message["type"] == "seat":
                self._use_key(message["key"])
                return
            tell(message)

    def _use_key(self, key: str) -> None:
        """A seat is ours: come back by its key."""
        self.link = self.link._replace(key=key)
        self.seat_url = self.url(f"/table/{self.link.table}#{key}")

    async def send(self, message: Message) -> None:
        """Send a message. One that is lost with the line is not sent again: after coming back, one may choose anew."""
        if message["type"] == "take" and self.name:
            message = message | {"name": self.name}
        if self.line is not None:
            try:
                await self.line.send(json.dumps(message))
            except ConnectionClosed:
                self.line = None
