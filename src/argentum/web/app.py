"""The server: pages, secret links, and the WebSocket by which tables are played."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from argentum import bots
from argentum.rules.boxes import deck_code, resident_of
from argentum.tableside.refusals import Refused
from argentum.tableside.scene import portrait
from argentum.web import art
from argentum.web.arrangement import DEFAULT_BOT, first_arrangement
from argentum.web.clock import Pace
from argentum.web.connection import Connection
from argentum.web.gate import Gate
from argentum.web.hall import Hall, Limits
from argentum.web.lobby import bot_menu
from argentum.web.log import Log, LogError
from argentum.web.painter import Painter
from argentum.words.decks import deck_words

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
NEW_TABLES_BURST, NEW_TABLES_RATE = 60, 1.0  # from one address
MOST_ADDRESSES = 10_000
LONGEST_FORM = 4096
VILLAGERS = (("bullet", 13), ("dagger", 8), ("coin", 12))  # who welcome you
A_DAY = "public, max-age=86400"
logger = logging.getLogger(__name__)


class SecurityHeaders:
    """Adds to every answer what keeps a browser from loading or telling anything elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from our own pages, or from a program, which sends no Origin."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


class Site:
    """The pages and the socket of one hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.painter = Painter()
        self.gates: dict[str, Gate] = {}

    async def home(self, request: Request) -> Response:
        """The first page."""
        tables = [
            {
                "name": room.name,
                "link": f"/join/{room.name}",
                "deck": deck_words(room.arrangement.code),
                "seats_free": sum([not place.bot and not place.claimed for place in room.arrangement.places]),
                "players": [place.name for place in room.arrangement.places if place.bot or place.claimed],
            }
            for room in self.hall.listed()[:20]
        ]
        villagers = [portrait(resident_of(box, number)) for box, number in VILLAGERS]
        page = self.painter.page(
            "home.html", open_tables=tables, bots=bot_menu(), level=DEFAULT_BOT, villagers=villagers
        )
        return HTMLResponse(page)

    async def table(self, request: Request) -> Response:
        """A table's page. Who the reader is stands behind the #, which a browser does not send."""
        name = request.path_params["name"]
        if await self.hall.find(name) is None:
            return self.sorry("There is no such table. It may have been cleared away.", 404)
        return HTMLResponse(self.painter.shell(name))

    async def play(self, request: Request) -> Response:
        """A game against bots, at once."""
        form = await self._form(request)
        opponents = _number(form.get("bots"), 1, 3, 2)
        bot = form.get("level") or DEFAULT_BOT
        if bot not in bots.names():
            raise Refused(f"there is no bot {bot!r}")
        return await self._begin(form, opponents, bot, guide=False)

    async def guide(self, request: Request) -> Response:
        """A first game, with a coach."""
        return await self._begin(await self._form(request), 1, DEFAULT_BOT, guide=True)

    async def _begin(self, form: dict[str, str], opponents: int, bot: str, guide: bool) -> Response:
        boxes = form.get("boxes") or "dagger"
        arrangement = replace(first_arrangement(form.get("name", ""), boxes, opponents, bot), guide=guide)
        room, key = await self.hall.set_table(arrangement)
        await room.start("A")
        return RedirectResponse(f"/table/{room.name}#{key}", 303)

    async def set_table(self, request: Request) -> Response:
        """A new table to arrange."""
        form = await self._form(request)
        room, key = await self.hall.set_table(first_arrangement(form.get("name", ""), "dagger", 1))
        return RedirectResponse(f"/table/{room.name}#{key}", 303)

    async def join(self, request: Request) -> Response:
        """A free seat at an open table."""
        form = await self._form(request)
        name = request.path_params["name"]
        key = await self.hall.join(name, form.get("name", ""))
        return RedirectResponse(f"/table/{name}#{key}", 303)

    async def rules(self, request: Request) -> Response:
        """The rules, the residents and the rulings."""
        return HTMLResponse(self.painter.rules())

    async def about(self, request: Request) -> Response:
        """Credits and licences."""
        return HTMLResponse(self.painter.page("about.html", authors=art.authors()))

    async def deck(self, request: Request) -> Response:
        """The pictures of one deck's residents."""
        code = request.path_params["code"]
        try:
            sprite = art.sprite(code if code == art.EVERYBODY else deck_code(code))
        except ValueError:
            return self.sorry("There is no such deck.", 404)
        return Response(sprite, media_type="image/svg+xml", headers={"Cache-Control": A_DAY})

    async def health(self, request: Request) -> Response:
        """For whoever watches the server."""
        return PlainTextResponse(f"ok, {len(self.hall.rooms)} tables\n")

    async def socket(self, socket: WebSocket) -> None:
        """A table's socket."""
        if not same_origin(socket.headers):
            await socket.close(1008, "another origin")
            return
        await Connection(socket, self.hall, self.painter).run()

    async def _form(self, request: Request) -> dict[str, str]:
        """What a page of ours sent: small, and not too often."""
        if not same_origin(request.headers) or request.headers.get("sec-fetch-site", "same-origin") == "cross-site":
            raise Refused("this must come from Argentum's own pages")
        address = request.client.host if request.client else ""
        if len(self.gates) > MOST_ADDRESSES:
            self.gates = {address: gate for address, gate in self.gates.items() if not gate.rested}
        if not self.gates.setdefault(address, Gate(NEW_TABLES_BURST, NEW_TABLES_RATE)).admits():
            raise Refused("too many new tables from your address; please wait a moment")
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST_FORM:
                raise Refused("that is too much for a form")
        return dict(parse_qsl(body.decode("utf-8", "replace")))

    def sorry(self, words: str, status: int) -> Response:
        """A page that says what went wrong."""
        return HTMLResponse(self.painter.page("sorry.html", words=words), status)


def _number(text: object, least: int, most: int, default: int) -> int:
    """A number from a form, within bounds."""
    return min(max(int(text), least), most) if isinstance(text, str) and text.isdecimal() else default


def make_app(
    database: str, pace: Pace | None = None, limits: Limits | None = None, ready: Callable[[], None] | None = None
) -> Starlette:
    """The server's application, with its log."""
    log = Log.open(database)
    hall = Hall(log, pace, limits)
    site = Site(hall)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall.restore()
        tidy = asyncio.create_task(hall.keep_tidy())
        if ready is not None:
            ready()
        try:
            yield
        finally:
            tidy.cancel()
            await hall.close()
            await log.close()

    async def refused(request: Request, error: Exception) -> Response:
        return site.sorry(str(error)[:1].upper() + str(error)[1:] + ".", 409)

    async def unsaved(request: Request, error: Exception) -> Response:
        logger.error("the log failed: %s", error)
        return site.sorry("The table could not be saved. Please try again.", 503)

    async def broken(request: Request, error: Exception) -> Response:
        logger.error("a page failed: %s", error)
        answer = site.sorry("Something went wrong here. It is noted.", 500)
        answer.headers.update(SECURITY)  # this answer is made outside of what adds them
        return answer

    async def missing(request: Request, error: Exception) -> Response:
        return site.sorry("There is no such page.", 404)

    app = Starlette(
        routes=[
            Route("/", site.home),
            Route("/play", site.play, methods=["POST"]),
            Route("/guide", site.guide, methods=["POST"]),
            Route("/tables", site.set_table, methods=["POST"]),
            Route("/join/{name}", site.join, methods=["POST"]),
            Route("/table/{name}", site.table),
            Route("/rules", site.rules),
            Route("/about", site.about),
            Route("/deck/{code}.svg", site.deck),
            Route("/health", site.health),
            WebSocketRoute("/socket", site.socket),
            Mount("/static", Static(directory=str(files("argentum.web") / "static"))),
        ],
        middleware=[Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=800)],
        exception_handlers={Refused: refused, LogError: unsaved, 404: missing, 500: broken},
        lifespan=lifespan,
    )
    app.state.hall = hall
    return app


class Static(StaticFiles):
    """Files that change only with the version."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """A file, which the browser may keep but asks about."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response
