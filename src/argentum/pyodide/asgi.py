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

from argentum.pyodide.indexeddb import BrowserJournal, Shelf
from argentum.pyodide.urls import places
from argentum.rooms.limits import Limits
from argentum.web.app import build_app
from argentum.web.pages.renderer import PageRenderer

A_YEAR = 365 * 24.0  # hours: nobody else waits for the space
LIMITS = Limits(tables=500, empty_minutes=A_YEAR * 60, gathered_hours=A_YEAR, idle_hours=A_YEAR, spare_minutes=0.0)
TEMPLATES = Path(__file__).parent / "compiled"  # by `make static`
HOST = (b"host", b"browser")


class Line:
    """A page's line to its table: what a WebSocket is to the server's pages."""

    def __init__(self, send: Callable[[str], object], closed: Callable[[int, str], object]) -> None:
        self.send = send
        self.closed = closed
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self.heard.put_nowait({"type": "websocket.connect"})
        self.task: asyncio.Task[None] | None = None

    def say(self, text: str) -> None:
        """The page sends a message."""
        self.heard.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """The page goes."""
        self.heard.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def tell(self, message: Message) -> None:
        """The table answers."""
        if message["type"] == "websocket.send":
            self.send(message["text"])
        elif message["type"] == "websocket.close":
            self.closed(message.get("code", 1000), message.get("reason") or "")


class House:
    """The application, open for pages."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.open = AsyncExitStack()
        self.lines: set[asyncio.Task[None]] = set()

    def connect(self, send: Callable[[str], object], closed: Callable[[int, str], object]) -> Line:
        """A line for a page; `send` and `closed` are called with what it hears."""
        line = Line(send, closed)
        task = asyncio.ensure_future(self.app(_scope("websocket", "/socket"), line.heard.get, line.tell))
        self.lines.add(task)  # a task that nobody holds may be thrown away
        task.add_done_callback(self.lines.discard)
        return line

    async def ask(self, path: str, form: str) -> str:
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
        return json.dumps({"to": places("../")(to) if to else "", "page": page})


def _scope(kind: str, path: str) -> Scope:
    scope: dict[str, Any] = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
    }
    scope |= {"headers": [HOST], "client": ("browser", 0), "server": ("browser", 80), "asgi": {"version": "3.0"}}
    if kind == "http":
        return scope | {"method": "POST", "scheme": "http", "http_version": "1.1"}
    return scope | {"scheme": "ws", "subprotocols": []}


async def open_house(shelf: Shelf, loader: BaseLoader | None = None) -> House:
    """Open the house with all tables that the browser has kept; templates are compiled unless a loader is given."""
    journal = BrowserJournal(shelf)
    await journal.load()
    painter = PageRenderer(loader or ModuleLoader(TEMPLATES), places("../"))
    app = build_app(journal, painter, limits=LIMITS)
    house = House(app)
    await house.open.enter_async_context(app.router.lifespan_context(app))
    return house
