"""Run the ASGI application without a network, for pages in the same browser."""

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

HOURS_PER_YEAR = 365 * 24.0
# Tables expire late, because they only use storage of their player.
LIMITS = Limits(
    max_tables=500,
    empty_table_minutes=HOURS_PER_YEAR * 60,
    lobby_hours=HOURS_PER_YEAR,
    idle_table_hours=HOURS_PER_YEAR,
    grace_minutes=0.0,
)
COMPILED_TEMPLATES = Path(__file__).parent / "compiled"  # written by `make static`
HOST_HEADER = (b"host", b"browser")


class PageSocket:
    """A WebSocket between a page and the application, as ASGI messages."""

    def __init__(self, send_text: Callable[[str], object], on_close: Callable[[int, str], object]) -> None:
        self.send_text = send_text
        self.on_close = on_close
        self.inbox: asyncio.Queue[Message] = asyncio.Queue()
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.task: asyncio.Task[None] | None = None

    def receive(self, text: str) -> None:
        """Queue a text message from the page."""
        self.inbox.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Queue the disconnection of the page."""
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def send_message(self, message: Message) -> None:
        """Pass an ASGI message to the page."""
        if message["type"] == "websocket.send":
            self.send_text(message["text"])
        elif message["type"] == "websocket.close":
            self.on_close(message.get("code", 1000), message.get("reason") or "")


class InBrowserServer:
    """The running application. Scripts of the pages call its methods instead of sending requests."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.exit_stack = AsyncExitStack()
        self.sockets: set[asyncio.Task[None]] = set()

    def connect(self, send_text: Callable[[str], object], on_close: Callable[[int, str], object]) -> PageSocket:
        """Open a socket that calls `send_text` with text messages and `on_close` with the close code and reason."""
        socket = PageSocket(send_text, on_close)
        task = asyncio.ensure_future(
            self.app(_asgi_scope("websocket", "/socket"), socket.inbox.get, socket.send_message)
        )
        self.sockets.add(task)  # Without a reference a task may be garbage-collected.
        task.add_done_callback(self.sockets.discard)
        return socket

    async def post_form(self, path: str, form: str) -> str:
        """Post the fields of a JSON object as a form.

        Return a JSON object: `to` is the URL of a redirect, or empty; `page` is the HTML of the response.
        """
        body = urlencode(json.loads(form)).encode()
        messages: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            messages.append(message)

        await self.app(_asgi_scope("http", path), receive, send)
        headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
        page = b"".join([message.get("body", b"") for message in messages[1:]]).decode()
        location = headers.get("location", "")
        return json.dumps({"to": relative_urls("../")(location) if location else "", "page": page})


def _asgi_scope(kind: str, path: str) -> Scope:
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


async def start_server(store: EntryStore, loader: BaseLoader | None = None) -> InBrowserServer:
    """Start the application with the tables in `store`. By default, compiled templates are used."""
    journal = IndexedDbJournal(store)
    await journal.load()
    renderer = PageRenderer(loader or ModuleLoader(COMPILED_TEMPLATES), relative_urls("../"))
    app = build_app(journal, renderer, limits=LIMITS)
    server = InBrowserServer(app)
    await server.exit_stack.enter_async_context(app.router.lifespan_context(app))
    return server
