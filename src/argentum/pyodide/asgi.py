"""A server without a network: the same application, asked by pages in the same browser."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import BaseLoader, ModuleLoader
from starlette.applications import Starlette
from starlette.types import Message, Scope

from argentum.pyodide.indexeddb import EntryStore, IndexedDbJournal
from argentum.pyodide.urls import relative_urls
from argentum.rooms.limits import Limits
from argentum.web.app import build_app
from argentum.web.pages.renderer import PageRenderer

HOURS_PER_YEAR = 365 * 24.0  # hours: nobody else waits for the space
LIMITS = Limits(
    max_tables=500,
    empty_table_minutes=HOURS_PER_YEAR * 60,
    lobby_hours=HOURS_PER_YEAR,
    idle_table_hours=HOURS_PER_YEAR,
    grace_minutes=0.0,
)
COMPILED_TEMPLATES = Path(__file__).parent / "compiled"  # by `make static`
HOST_HEADER = (b"host", b"browser")


class PageSocket:
    """A page's line to its table: what a WebSocket is to the server's pages."""

    def __init__(self, send: Callable[[str], object], closed: Callable[[int, str], object]) -> None:
        self.send = send
        self.closed = closed
        self.inbox: asyncio.Queue[Message] = asyncio.Queue()
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.task: asyncio.Task[None] | None = None

    def receive(self, text: str) -> None:
        """The page sends a message."""
        self.inbox.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """The page goes."""
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def send_message(self, message: Message) -> None:
        """The table answers."""
        if message["type"] == "websocket.send":
            self.send(message["text"])
        elif message["type"] == "websocket.close":
            self.closed(message.get("code", 1000), message.get("reason") or "")


class InBrowserServer:
    """The application, open for pages."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.exit_stack = AsyncExitStack()
        self.sockets: set[asyncio.Task[None]] = set()

    def connect(self, send: Callable[[str], object], closed: Callable[[int, str], object]) -> PageSocket:
        """A line for a page; `send` and `closed` are called with what it hears."""
        line = PageSocket(send, closed)
        task = asyncio.ensure_future(self.app(_scope("websocket", "/socket"), line.inbox.get, line.send_message))
        self.sockets.add(task)  # a task that nobody holds may be thrown away
        task.add_done_callback(self.sockets.discard)
        return line

    async def post_form(self, path: str, form: str) -> str:
        """Send a form, which is given as JSON. The answer, as JSON, says where it leads (`to`), or has a `page`."""
        body = urlencode(json.loads(form)).encode()
        said: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            said.append(message)

        await self.app(_scope("http", path), receive, send)
        headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        page = b"".join([message.get("body", b"") for message in said[1:]]).decode()
        to = headers.get("location", "")
        return json.dumps({"to": relative_urls("../")(to) if to else "", "page": page})


def _scope(kind: str, path: str) -> Scope:
    scope: dict[str, Any] = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
    }
    scope |= {"headers": [HOST_HEADER], "client": ("browser", 0), "server": ("browser", 80), "asgi": {"version": "3.0"}}
    if kind == "http":
        return scope | {"method": "POST", "scheme": "http", "http_version": "1.1"}
    return scope | {"scheme": "ws", "subprotocols": []}


async def start_server(shelf: EntryStore, loader: BaseLoader | None = None) -> InBrowserServer:
    """Open the house with all tables that the browser has kept; templates are compiled unless a loader is given."""
    journal = IndexedDbJournal(shelf)
    await journal.load()
    painter = PageRenderer(loader or ModuleLoader(COMPILED_TEMPLATES), relative_urls("../"))
    app = build_app(journal, painter, limits=LIMITS)
    house = InBrowserServer(app)
    await house.exit_stack.enter_async_context(app.router.lifespan_context(app))
    return house
