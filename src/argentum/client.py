"""A client of the JSON protocol (docs/protocol.md): create a table, join one, follow its updates and play.

`TableClient` is for asyncio, `SyncTableClient` for programs without it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from http.client import HTTPException
from itertools import count
from threading import Thread
from typing import Any, Final, NamedTuple, Self, TypeAlias, TypeVar
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from argentum.display.results import RoundScoring
from argentum.display.scene import SeatInfo
from argentum.display.updates import (
    PROTOCOL_VERSION,
    ObservedEvent,
    read_event,
    read_round_scoring,
    read_view,
)
from argentum.rooms.limits import Limits, TokenBucket
from argentum.rules.views import View

Message: TypeAlias = dict[str, Any]
Result = TypeVar("Result")

MAX_MESSAGE_BYTES: Final = 2**22  # the first update of a long game contains all its events
HTTP_TIMEOUT: Final = 20.0  # seconds
RETRY_SECONDS: Final = (0.2, 1.0, 2.0, 5.0)  # before attempts to reconnect; the last repeats
TOO_FAST_SECONDS: Final = 0.2  # before a message that came too fast is sent again
TOO_FAST: Final = "too fast"  # the code of the error about a message that the server did not read
UNREAD: Final = (TOO_FAST, "malformed")  # codes of errors without the id of the message that they answer
REFUSALS: Final = ("no seat", "full", "moved", "malformed")  # codes of errors after which the server disconnects
RETRY_STATUSES: Final = (429, 502, 503, 504)
POLICY_VIOLATION: Final = 1008  # the close code for clients that the server refuses
# By type of message: the type of the reply that the server sends before `done`.
REPLIES: Final = {
    "record": "record",
    "hint": "hint",
    "preview_exchange": "picks",
    "claim_seat": "seat",
    "add_local_seat": "seat",
    "branch": "table",
}


class TableError(Exception):
    """An error of a table or its server: a code, as in docs/protocol.md, and a sentence, which is the text."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class ConnectionLost(TableError):
    """Raised if there is no connection, or if it broke before the answer to a message arrived."""

    def __init__(self, reason: str) -> None:
        super().__init__("connection lost", reason)


class TableLink(NamedTuple):
    """Parsed link to a table: for a seat, for an invited player, or for a spectator."""

    server: str  # the address of the server, without a slash at the end
    table: str
    key: str = ""

    @property
    def socket(self) -> str:
        """The URL of the table's WebSocket.

        >>> TableLink("https://silver.example", "proud-nettle").socket
        'wss://silver.example/socket/proud-nettle'
        """
        return f"ws{self.server.removeprefix('http')}/socket/{self.table}"

    def url(self, path: str) -> str:
        """Return the URL of a path on the same server.

        >>> TableLink("https://silver.example", "proud-nettle").url("/table/proud-nettle#other")
        'https://silver.example/table/proud-nettle#other'
        """
        return f"{self.server}{path}"

    def __str__(self) -> str:
        return self.url(f"/table/{self.table}#{self.key}")

    @staticmethod
    def parse(text: str) -> "TableLink":
        """Parse a link; raise `ValueError` if it is not a table link.

        >>> TableLink.parse("https://silver.example/table/proud-nettle#secret")
        TableLink(server='https://silver.example', table='proud-nettle', key='secret')
        """
        split_url = _split_http_url(text)
        parent, _, table = split_url.path.rstrip("/").rpartition("/") if split_url is not None else ("", "", "")
        if split_url is None or not parent.endswith("/table") or not table:
            raise ValueError(f"{text!r} is not a table link; a link looks like http://HOST/table/NAME#SECRET")
        server = f"{split_url.scheme}://{split_url.netloc}{parent.removesuffix('/table')}"
        return TableLink(server, table, split_url.fragment)


def _split_http_url(text: str) -> Any:
    """Split an http or https URL; return None for any other text."""
    try:
        split_url = urlsplit(text.strip())
        _ = split_url.port
    except ValueError:  # such as `http://[x` or `http://host:port`
        return None
    return split_url if split_url.scheme in ("http", "https") and split_url.hostname else None


class Update:
    """The state of a table, as one seat may know it. The fields are read when they are accessed."""

    def __init__(self, fields: Message) -> None:
        self.fields = fields  # the JSON

    @property
    def table(self) -> str:
        return str(self.fields["table"])

    @property
    def seq(self) -> int:
        """The number of entries in the table's log; it never decreases."""
        return int(self.fields["seq"])

    @property
    def stage(self) -> str:
        """The stage of the table: `gathering`, `playing` or `over`."""
        return str(self.fields["stage"])

    @property
    def seat(self) -> str:
        """The seat's letter; empty for a spectator."""
        return str(self.fields["seat"])

    @cached_property
    def seats(self) -> tuple[SeatInfo, ...]:
        """The seats, with their players and bots."""
        return tuple(
            [
                SeatInfo(**{name: seat[name] for name in SeatInfo._fields if name in seat})
                for seat in self.fields["seats"]
            ]
        )

    @property
    def arrangement(self) -> Mapping[str, Any]:
        """The host's settings, as in docs/protocol.md."""
        arrangement: Mapping[str, Any] = self.fields["arrangement"]
        return arrangement

    @property
    def choice(self) -> int | None:
        """The number of the seat's choice; None if it has none."""
        number: int | None = self.fields.get("choice")
        return number

    @property
    def clock(self) -> float | None:
        """The seconds until the next deadline; None without a clock."""
        seconds: float | None = self.fields.get("clock")
        return seconds

    @cached_property
    def view(self) -> View | None:
        """What the seat may know of the game; None before the first game."""
        return read_view(self.fields["view"]) if "view" in self.fields else None

    @cached_property
    def events(self) -> tuple[ObservedEvent, ...]:
        """The events since the last update; in the first update of a connection, since the game began."""
        return tuple([read_event(event) for event in self.fields.get("events", ())])

    @property
    def scores(self) -> Sequence[dict[str, int]]:
        """The points by seat, for each finished round."""
        scores: Sequence[dict[str, int]] = self.fields.get("scores", ())
        return scores

    @cached_property
    def round_scoring(self) -> RoundScoring | None:
        """How the round was scored that has ended with this update; None if none has."""
        return read_round_scoring(self.fields["reckoning"]) if self.fields.get("reckoning") else None

    @property
    def winner(self) -> str:
        """The seat that has won the game; empty before its end."""
        return str(self.fields.get("winner", ""))

    @property
    def links(self) -> Mapping[str, str]:
        """For the host, paths on the server: the invitation under `invite`, those of free seats under their letters."""
        links: Mapping[str, str] = self.fields.get("links", {})
        return links


class Acknowledgement(NamedTuple):
    """The server's answer to a message."""

    held: bool  # the move reveals nothing, and can be taken back until the next one
    seq: int  # the number of entries in the table's log
    reply: Message | None = None  # the message that was asked for, such as a record


class TableConnection:
    """One WebSocket to a table, which sends and receives JSON objects."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def receive(self) -> Message:
        """Return the next message; raise `websockets.ConnectionClosed` if there is none."""
        message: Message = json.loads(await self.socket.recv())
        return message


class _Request:
    """A message that waits for its answer."""

    def __init__(self, kind: str) -> None:
        self.reply_type = REPLIES.get(kind, "")
        self.reply: Message | None = None
        self.answer: asyncio.Future[Acknowledgement] = asyncio.get_running_loop().create_future()


class _Ending(NamedTuple):
    """Why a connection has ended, and whether to connect again."""

    error: TableError
    is_temporary: bool


class TableClient:
    """A player at a table, or a spectator; a broken connection is restored. Use it in `async with`.

    Entering raises `TableError` if the table cannot be joined. An error that ends the connection for good is raised by
    `messages` and `updates`.
    """

    def __init__(self, link: TableLink | str, name: str = "", chat: bool = False, reconnects: bool = True) -> None:
        """Prepare to join the table of a link; `name` is the player's, if nobody has been in the seat before.

        With `chat`, `messages` includes the chat. Without `reconnects`, a lost connection ends the client.
        """
        self.link = TableLink.parse(link) if isinstance(link, str) else link
        self.name = name
        self.chat = chat
        self.reconnects = reconnects
        self.last_update: Update | None = None
        self.connection: TableConnection | None = None
        self._joined = asyncio.Event()  # set after the first update of a connection
        self._updated = asyncio.Event()  # set after each update
        self._incoming: asyncio.Queue[Update | Message | None] = asyncio.Queue()  # ends with None
        self._requests: dict[int, _Request] = {}  # in the order in which the server answers them
        self._ids = count(1)
        self._bucket = TokenBucket(Limits.message_burst, Limits.message_rate)
        self._task: asyncio.Task[None]

    @property
    def update(self) -> Update:
        """The latest update, which may not have been iterated over yet."""
        assert self.last_update is not None, "the client is used in `async with`"
        return self.last_update

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(lambda _: self._incoming.put_nowait(None))
        try:
            await self._wait_until_joined()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._drop_connection("the client was closed")

    def _drop_connection(self, reason: str) -> None:
        """Raise `ConnectionLost` where answers are awaited."""
        self.connection = None
        for request in self._requests.values():
            if not request.answer.done():
                request.answer.set_exception(ConnectionLost(reason))

    async def _wait_for(self, event: asyncio.Event) -> None:
        """Wait until an event is set or the client has ended."""
        waiting = asyncio.create_task(event.wait())
        try:
            await asyncio.wait([self._task, waiting], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    async def _wait_until_joined(self) -> None:
        """Wait for the first update of a connection; raise the error that has ended the client, if one has."""
        await self._wait_for(self._joined)
        if self._task.cancelled():
            raise ConnectionLost("the client was closed")
        if self._task.done():
            self._task.result()

    # Receiving.

    async def messages(self) -> AsyncIterator[Message]:
        """Yield the server's messages as JSON objects, except the answers to messages of this client.

        When the connection breaks, yield `{"type": "connection", "up": False}`, and with `True` when it is restored.
        """
        async for message in self._receive_all():
            yield message.fields if isinstance(message, Update) else message

    async def updates(self) -> AsyncIterator[Update]:
        """Yield every update, beginning with that with which the table was joined."""
        async for message in self._receive_all():
            if isinstance(message, Update):
                yield message

    async def _receive_all(self) -> AsyncIterator[Update | Message]:
        while (message := await self._incoming.get()) is not None:
            yield message
        self._incoming.put_nowait(None)  # for other iterators
        if not self._task.cancelled():
            self._task.result()

    # Sending.

    async def play(self, move: object, hold: bool = False) -> Acknowledgement:
        """Play a move for the pending choice; raise `TableError` if it is refused.

        If the connection breaks before the answer, the move is sent again after reconnecting, unless it was saved.
        With `hold`, a move that reveals nothing can be taken back with `undo`.
        """
        choice = self.update.choice
        if choice is None:
            raise TableError("stale", "you have no choice now")
        options = {"hold": True} if hold else {}
        while True:
            try:
                return await self.send("move", choice=choice, move=str(move), **options)
            except ConnectionLost:
                await self._wait_until_joined()
                if self.update.choice != choice:
                    return Acknowledgement(False, self.update.seq)

    async def undo(self) -> Acknowledgement:
        """Take back the moves that were played with `hold`."""
        return await self.send("undo")

    async def send(self, kind: str, **fields: Any) -> Acknowledgement:
        """Send a message of the protocol, such as `send("arrange", seat="B", bot="steady")`; return the answer.

        Then `update` has the effect of the message, unless it was held. Raise `TableError` if it is refused, and
        `ConnectionLost` if the connection broke before the answer.
        """
        while True:
            try:
                return await self._send_once(kind, fields)
            except TableError as error:
                if error.code != TOO_FAST:
                    raise
                await asyncio.sleep(TOO_FAST_SECONDS)

    async def _send_once(self, kind: str, fields: Message) -> Acknowledgement:
        await asyncio.sleep(self._bucket.reserve())
        if self.connection is None:
            raise ConnectionLost("there is no connection to the table")
        number, request = next(self._ids), _Request(kind)
        self._requests[number] = request
        try:
            with suppress(ConnectionClosed):  # the request then fails in `_run`
                await self.connection.send(type=kind, id=number, **fields)
            answer = await request.answer
        finally:
            self._requests.pop(number, None)
        while self.update.seq < answer.seq and not self._task.done():  # the update and the answer come in either order
            self._updated.clear()
            await self._wait_for(self._updated)
        return answer

    # The connection.

    async def _run(self) -> None:
        """Connect, and reconnect until the server refuses the client; then raise the error."""
        failures = 0
        while True:
            error, is_temporary = await self._connect_once()
            self._drop_connection(error.sentence)
            failures = 0 if self._joined.is_set() else failures + 1
            self._joined.clear()
            gives_up = self.last_update is None and failures > len(RETRY_SECONDS)
            if gives_up or not is_temporary or not self.reconnects:
                raise error
            if failures == 0:
                self._incoming.put_nowait({"type": "connection", "up": False})
            await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])

    async def _connect_once(self) -> _Ending:
        """Join the table and handle messages until the connection ends."""
        url, was_joined = self.link.socket, self.last_update is not None
        reason = "the connection was closed"
        try:
            async with connect(url, max_size=MAX_MESSAGE_BYTES, open_timeout=10, close_timeout=1) as socket:
                self.connection = TableConnection(socket)
                return await self._serve(self.connection)
        except (InvalidURI, InvalidHandshake) as error:
            # While a server restarts, its proxy refuses connections, and it may close one itself without an answer.
            is_temporary = was_joined
            if isinstance(error, InvalidStatus):
                is_temporary = error.response.status_code in RETRY_STATUSES
            return _Ending(TableError("unreachable", f"{url} is not a table's server: {error}"), is_temporary)
        except ConnectionRefusedError:
            reason = "the server does not answer"
        except (OSError, TimeoutError, ConnectionClosed, UnicodeError) as error:  # the last is about the host's name
            reason = str(error) or reason
        return _Ending(TableError("unreachable", f"cannot reach {url}: {reason}"), was_joined)

    async def _serve(self, connection: TableConnection) -> _Ending:
        """Join the table, and handle messages until the connection is closed."""
        link, refusal = self.link, None
        join = {"type": "join", "protocol": PROTOCOL_VERSION, "table": link.table, "key": link.key, "talk": self.chat}
        try:
            await connection.send(**join, **({"name": self.name} if self.name else {}))
            while True:
                refusal = self._handle(await connection.receive()) or refusal
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (None, "")
            error = refusal or TableError("closed", f"the server has closed the connection: {reason or closed}")
            return _Ending(error, code != POLICY_VIOLATION and (refusal is None or self.last_update is not None))

    def _handle(self, message: Message) -> TableError | None:
        """Handle a message; return the error if the server refuses the client with it."""
        match message["type"]:
            case "update":
                self._handle_update(Update(message))
            case "done" | "held":
                request = self._requests.pop(message["id"], None)
                if request is not None and not request.answer.done():
                    request.answer.set_result(Acknowledgement(message["type"] == "held", message["seq"], request.reply))
            case "error":
                return self._handle_error(message)
            case _:
                if message["type"] == "seat" and not message.get("beside"):
                    self.link = self.link._replace(key=message["key"])
                asking = [request for request in self._requests.values() if request.reply_type == message["type"]]
                for request in asking[:1]:
                    request.reply = message
                self._incoming.put_nowait(message)
        return None

    def _handle_update(self, update: Update) -> None:
        self.last_update = update
        self._updated.set()
        if not self._joined.is_set():
            self._joined.set()
            self._incoming.put_nowait({"type": "connection", "up": True})
        self._incoming.put_nowait(update)

    def _handle_error(self, message: Message) -> TableError | None:
        """Raise the error in `send` if it answers a message; return it if the server refuses the client."""
        error, number = TableError(message["code"], message["message"]), message.get("id")
        if number is None and error.code in UNREAD:
            number = next(iter(self._requests), None)
        request = self._requests.pop(number, None) if number is not None else None
        if request is not None and not request.answer.done():
            request.answer.set_exception(error)
        elif error.code in REFUSALS:
            return error
        elif request is None:
            self._incoming.put_nowait(message)
        return None


class SyncTableClient:
    """A `TableClient` for programs without asyncio. Use it in `with`. Its event loop runs in a thread."""

    def __init__(self, link: TableLink | str, name: str = "", chat: bool = False, reconnects: bool = True) -> None:
        """Prepare to join a table; the arguments are those of `TableClient`."""
        self.client = TableClient(link, name, chat, reconnects)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="table client", daemon=True)

    @property
    def update(self) -> Update:
        return self.client.update

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._run(self.client.__aenter__())
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self.client.close())
        self._stop()

    def messages(self) -> Iterator[Message]:
        return self._iterate(self.client.messages())

    def updates(self) -> Iterator[Update]:
        return self._iterate(self.client.updates())

    def play(self, move: object, hold: bool = False) -> Acknowledgement:
        return self._run(self.client.play(move, hold))

    def undo(self) -> Acknowledgement:
        return self._run(self.client.undo())

    def send(self, kind: str, **fields: Any) -> Acknowledgement:
        return self._run(self.client.send(kind, **fields))

    def _iterate(self, items: AsyncIterator[Result]) -> Iterator[Result]:
        with suppress(StopAsyncIteration):
            while True:
                yield self._run(anext(items))

    def _run(self, coroutine: Awaitable[Result]) -> Result:
        async def run() -> Result:
            return await coroutine

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class NewTable(NamedTuple):
    """A new table: links to its seats and for spectators."""

    name: str
    own: TableLink  # of the host
    invitation: TableLink  # with which anybody may take a free seat or watch
    seats: Mapping[str, TableLink]  # of the free seats, by letter


def create_table(server: str, **settings: Any) -> NewTable:
    """Create a table on the server with this address; raise `TableError` if that is refused.

    The settings are those of `POST /api/tables` in docs/protocol.md: `name` (the host's), `boxes`, `token`, `seats`,
    `bots` (by seat), `memory`, `seconds`, `listed` and `away`. Call it in a thread in a program with an event loop.
    """
    url = _split_http_url(server)
    if url is None or url.path.rstrip("/") or url.query or url.fragment:
        raise ValueError(f"{server!r} is not the address of a server; it looks like https://silver.example")
    root = f"{url.scheme}://{url.netloc}"
    request = Request(f"{root}/api/tables", json.dumps(settings).encode(), {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=HTTP_TIMEOUT) as response:
            table = json.load(response)
    except HTTPError as error:
        raise _http_error(root, error) from None
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise TableError(
            "unreachable", f"{root} does not answer: {getattr(reason, 'strerror', None) or reason}"
        ) from None
    links = {name: TableLink.parse(root + path) for name, path in table["links"].items()}
    seats = {name: link for name, link in links.items() if name not in ("own", "invite")}
    return NewTable(table["table"], links["own"], links["invite"], seats)


def _http_error(server: str, error: HTTPError) -> TableError:
    """Return the error that the server reports in the body of a response."""
    try:
        body = json.load(error)
        return TableError(body["code"], body["message"])
    except (ValueError, KeyError, TypeError):
        return TableError("unreachable", f"{server} is not a table's server: its answer has status {error.code}")
