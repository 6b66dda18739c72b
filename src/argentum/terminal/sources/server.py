"""A table on a server, over the JSON protocol."""

import asyncio
import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from argentum.display.updates import PROTOCOL_VERSION
from argentum.rules.boxes import BOX_LETTERS
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source, TableLost

MAX_MESSAGE_BYTES: Final = 2**22  # the first update of a long game contains all its events
RETRY_SECONDS: Final = (0.2, 1.0, 2.0, 5.0)  # between attempts to reconnect; the last repeats
FATAL_CODES: Final = ("no seat", "full", "malformed")  # error codes after which reconnecting cannot help


class TableLink(NamedTuple):
    """Parsed link to a table: for a seat, for an invited player, or for a spectator."""

    socket: str
    table: str
    key: str

    def url(self, path: str) -> str:
        """Return the URL of a path on the same server.

        >>> TableLink.parse("https://silver.example/table/proud-nettle#secret").url("/table/proud-nettle#other")
        'https://silver.example/table/proud-nettle#other'
        """
        return f"http{self.socket.removeprefix('ws').removesuffix('/socket')}{path}"

    @staticmethod
    def parse(text: str) -> "TableLink":
        """Parse a link; raise `ValueError` if it is not a table link.

        >>> TableLink.parse("https://silver.example/table/proud-nettle#secret")
        TableLink(socket='wss://silver.example/socket', table='proud-nettle', key='secret')
        """
        try:
            split_url = urlsplit(text.strip())
        except ValueError:
            split_url = urlsplit("")
        parent, _, table = split_url.path.rstrip("/").rpartition("/")
        if (
            split_url.scheme not in ("http", "https")
            or not split_url.hostname
            or not parent.endswith("/table")
            or not table
        ):
            raise ValueError(f"{text!r} is not a table link; a link looks like http://HOST/table/NAME#SECRET")
        root = parent.removesuffix("/table")
        scheme = "wss" if split_url.scheme == "https" else "ws"
        return TableLink(f"{scheme}://{split_url.netloc}{root}/socket", table, split_url.fragment)


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
        self.link = link
        self.name = name
        self.connection: ClientConnection | None = None

    def url(self, path: str) -> str:
        return self.link.url(path)

    async def run(self, on_message: OnMessage) -> None:
        """Connect, pass on messages, and reconnect after failures until cancelled.

        Raise `TableLost` if the first connection fails, or if the server refuses the client for good.
        """
        was_connected, failures = False, 0
        while True:
            reason, key = "the connection was closed", self.link.key
            try:
                url = f"{self.link.socket}/{self.link.table}"  # A proxy routes by the table's name.
                async with connect(url, max_size=MAX_MESSAGE_BYTES, open_timeout=10, close_timeout=1) as connection:
                    was_connected, failures = True, 0
                    await self._listen(connection, on_message)
            except (InvalidURI, InvalidHandshake) as error:
                raise TableLost(f"{self.link.socket} is not a table's server: {sanitize(str(error))}") from None
            except ConnectionRefusedError:
                reason = "the server does not answer"
            except (OSError, TimeoutError, ConnectionClosed) as error:
                reason = sanitize(str(error)) or reason
            finally:
                self.connection = None
            if not was_connected:
                raise TableLost(f"cannot reach {self.link.socket}: {reason}")
            if self.link.key != key:  # The server sent the key of a seat: connect again with it, without a pause.
                continue
            on_message({"type": "connection", "up": False, "message": "Connection lost. Reconnecting."})
            await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
            failures += 1

    async def _listen(self, connection: ClientConnection, on_message: OnMessage) -> None:
        """Join the table and pass on its messages. Return when the server sends the key of a seat.

        Raise `TableLost` for an error with a code in `FATAL_CODES`.
        """
        entry = {
            "type": "join",
            "protocol": PROTOCOL_VERSION,
            "table": self.link.table,
            "key": self.link.key,
            "talk": True,
        }
        await connection.send(json.dumps(entry | ({"name": self.name} if self.name else {})))
        self.connection = connection
        on_message({"type": "connection", "up": True, "message": ""})
        async for text in connection:
            message = sanitize(json.loads(text))
            if message["type"] == "error" and message["code"] in FATAL_CODES:
                raise TableLost(message["message"])
            if message["type"] == "seat":
                self._use_key(message["key"])
                return
            check_deck(message)
            on_message(message)

    def _use_key(self, key: str) -> None:
        """Use the key of a seat from the next connection on."""
        self.link = self.link._replace(key=key)
        self.seat_url = self.url(f"/table/{self.link.table}#{key}")

    async def send(self, message: ProtocolMessage) -> None:
        """Send a message; a claim of a seat also gets the player's name.

        Without a connection the message is dropped: after reconnecting, the player sees the choice again.
        """
        if message["type"] == "claim_seat" and self.name:
            message = message | {"name": self.name}
        if self.connection is not None:
            try:
                await self.connection.send(json.dumps(message))
            except ConnectionClosed:
                self.connection = None


def check_deck(message: ProtocolMessage) -> None:
    """Raise `TableLost` for an update of a table whose deck has residents of a box that is not installed here."""
    letters = sorted(set((message.get("arrangement") or {}).get("boxes", "")) - set(BOX_LETTERS))
    if letters:
        raise TableLost(
            f"the deck of this table needs boxes that are not installed, with the letters {', '.join(letters)}"
        )
