"""The pages of a server, the forms that they send, and the WebSocket by which tables are played."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket

from argentum import bots
from argentum.display.errors import Refused
from argentum.display.scene import resident_summary
from argentum.rooms.access import new_key
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, new_arrangement
from argentum.rooms.ownership import INNER, OwnedElsewhere
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.boxes import DEFAULT_BOX, resident_of
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.web.health import DatabaseHealth
from argentum.web.operator import Operator
from argentum.web.pages import assets, my_tables
from argentum.web.pages.assets import cache_control
from argentum.web.pages.lobby import bot_menu
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import PEER, BanList, ConnectionLimiter
from argentum.web.server.logs import log_event
from argentum.web.settings import Settings
from argentum.web.sockets.connection import Connection
from argentum.web.sockets.entrance import FIND_TIMEOUT, RETRY_INTERVAL
from argentum.words import errors as why

MAX_FORM_BYTES = 4096
SHOWN_RESIDENTS = (("amulet", 11), ("bullet", 13), ("dagger", 8), ("coin", 12))  # who welcome you
PASSED_BACK = ("content-type", "location", "cache-control")
CACHE_ONE_DAY = "public, max-age=86400"


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from our own pages, or from a program, which sends no Origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:  # such as `http://[x`
        return False


def client_address(connection: HTTPConnection) -> str:
    """Where a request comes from; from behind a trusted proxy, what that says."""
    return connection.client.host if connection.client else ""


def home_context() -> dict[str, Any]:
    """What the first page is made from, but for the tables."""
    villagers = [resident_summary(resident_of(box, number)) for box, number in SHOWN_RESIDENTS]
    return {"bots": bot_menu(), "level": DEFAULT_BOT, "villagers": villagers, "promise": ""}


class Site:
    """The routes of the pages, their forms and the WebSocket."""

    def __init__(
        self,
        registry: RoomRegistry,
        renderer: PageRenderer,
        settings: Settings,
        limiter: ConnectionLimiter,
        bans: BanList,
        health: DatabaseHealth,
    ) -> None:
        self.registry = registry
        self.renderer = renderer
        self.settings = settings
        self.limiter = limiter
        self.bans = bans
        self.database_health = health
        self.rules_page: tuple[bytes, bytes] | None = None

    def routes(self) -> list[BaseRoute]:
        """What is at which path."""
        return [
            Route("/", self.home),
            Route("/play", self.play_now, methods=["POST"]),
            Route("/guide", self.first_game, methods=["POST"]),
            Route("/tables", self.create_table, methods=["POST"]),
            Route("/quick", self.quick_seat, methods=["POST"]),
            Route("/mine", self.my_tables, methods=["POST"]),
            Route("/join/{name}", self.join, methods=["POST"]),
            Route("/table/{name}", self.table),
            Route("/rules", self.rules),
            Route("/about", self.about),
            Route("/privacy", self.privacy),
            Route("/away", self.offline),
            Route("/sw.js", self.service_worker),
            Route("/deck/{code}.svg", self.icon_sheet),
            Route("/health", self.health),
            Route("/ready", self.ready),
            *Operator(self.registry, self.settings, self.limiter, self.bans, self.owners).routes(),
            WebSocketRoute("/socket", self.socket),
            WebSocketRoute("/socket/{name}", self.socket),  # for a proxy that sends each table to one server
            Route(f"/static/{assets.BOX_SHEET}", self.box_style_sheet),
            # The static edition has no such directory: its web host serves these files.
            Mount("/static", VersionedStaticFiles(directory=str(files("argentum.web") / "static"), check_dir=False)),
        ]

    # The pages.

    async def home(self, request: Request) -> Response:
        context = {
            **home_context(),
            "open_tables": self.registry.open_rooms(),
            "promise": self.registry.commitments.issue(),
        }
        return HTMLResponse(self.renderer.page("home.html", **context))

    async def table(self, request: Request) -> Response:
        """A table's page. Who the reader is stands behind the #, which a browser does not send."""
        name = request.path_params["name"]
        with suppress(OwnedElsewhere):
            if await self.registry.find(name) is None:
                return self.error_page(why.TABLE_GONE, 404)
        return HTMLResponse(self.renderer.table_shell(name))

    async def play_now(self, request: Request) -> Response:
        """A game against bots, at once."""
        form = await self._form(request)
        opponents = _int_field(form.get("bots"), 1, 3, 2)
        bot = form.get("level") or DEFAULT_BOT
        if bot not in bots.names():
            raise Refused(why.NO_BOT.format(bot=bot))
        return await self._start_game(request, form, opponents, bot, guide=False)

    async def first_game(self, request: Request) -> Response:
        """A first game, with a coach."""
        return await self._start_game(request, await self._form(request), 1, DEFAULT_BOT, guide=True)

    async def _start_game(
        self, request: Request, form: dict[str, str], opponents: int, bot: str, guide: bool
    ) -> Response:
        boxes = form.get("boxes") or DEFAULT_BOX
        arrangement = replace(new_arrangement(form.get("name", ""), boxes, opponents, bot), guided=guide)
        room, key = await self._create_room(request, arrangement, form.get("promise", ""))
        if form.get("value"):
            room.add_shuffle_value("A", form["value"])
        await room.start("A")
        return RedirectResponse(f"/table/{room.name}#{key}", 303)

    async def create_table(self, request: Request) -> Response:
        """A new table to arrange; for several on one device, with a seat for each."""
        form = await self._form(request)
        here = _int_field(form.get("here"), 1, 4, 1)
        seats = max(here, _int_field(form.get("seats"), MIN_PLAYERS, MAX_PLAYERS, MIN_PLAYERS))
        boxes = form.get("boxes") or DEFAULT_BOX
        room, key = await self._create_room(request, new_arrangement(form.get("name", ""), boxes, seats - 1))
        keys = [key, *[new_key() for _ in range(1, here)]]
        for seat_key in keys[1:]:
            await room.claim_seat(seat_key, None)
        return RedirectResponse(f"/table/{room.name}#{'.'.join(keys)}", 303)

    async def _create_room(self, request: Request, arrangement: Arrangement, promise: str = "") -> tuple[Room, str]:
        """A new table and its host's key, with a line for the operator."""
        room, key = await self.registry.create(arrangement, promise, client_address(request))
        log_event("table_created", table=room.name, address=client_address(request))
        return room, key

    async def join(self, request: Request) -> Response:
        """A free seat at an open table."""
        return await self._join(request, request.path_params["name"], (await self._form(request)).get("name", ""))

    async def _join(self, request: Request, name: str, person: str) -> Response:
        """A free seat, from the server that has the table."""

        async def join() -> Response:
            key = await self.registry.join_open_room(name, person, client_address(request))
            log_event("seat_claimed", table=name, address=client_address(request))
            return RedirectResponse(f"/table/{name}#{key}", 303)

        return await self.owners(request, f"/join/{name}", urlencode({"name": person}).encode(), join)

    async def owners(self, request: Request, path: str, body: bytes, do: Callable[[], Awaitable[Response]]) -> Response:
        """What the owner of a table answers: we ourselves, or another server that is asked for this path."""
        until = monotonic() + FIND_TIMEOUT
        while monotonic() < until:
            try:
                return await do()
            except OwnedElsewhere as elsewhere:
                if INNER in request.scope:
                    break
                answer = await self.registry.ownership.ask(elsewhere.owner, request, path, body)
            if answer is not None:
                kept = {name: answer.headers[name] for name in PASSED_BACK if name in answer.headers}
                return Response(answer.body, answer.status, kept)
            await asyncio.sleep(RETRY_INTERVAL)
        return self.error_page(why.TABLE_UNAVAILABLE, 503)

    async def quick_seat(self, request: Request) -> Response:
        """A free seat at the newest open table, or at a new one, which waits a while before a bot joins in."""
        form = await self._form(request)
        for table in self.registry.open_rooms():
            with suppress(Refused):  # somebody was quicker
                answer = await self._join(request, table["name"], form.get("name", ""))
                if answer.status_code == 303:
                    return answer
        arrangement = replace(new_arrangement(form.get("name", ""), DEFAULT_BOX, 1), listed=True)
        room, key = await self._create_room(request, arrangement)
        return RedirectResponse(f"/table/{room.name}?quick#{key}", 303)

    async def my_tables(self, request: Request) -> Response:
        """Return the state of the tables that a browser remembers, as JSON."""
        form = await self._form(request)
        return JSONResponse(
            await my_tables.table_states(self.registry, my_tables.parse_tables(form.get("tables", "")), request)
        )

    async def rules(self, request: Request) -> Response:
        """The rules, the residents and the rulings."""
        if self.rules_page is None:  # it is long, and packing it takes more time than making it
            page = self.renderer.rules_page().encode()
            self.rules_page = page, gzip.compress(page)
        plain, packed = self.rules_page
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(packed, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
        return HTMLResponse(plain, headers={"Content-Encoding": "identity", "Vary": "Accept-Encoding"})

    async def about(self, request: Request) -> Response:
        return HTMLResponse(self.renderer.page("about.html", authors=assets.icon_authors()))

    async def privacy(self, request: Request) -> Response:
        """What is stored, and for how long, with this server's own figures."""
        context = {"limits": self.registry.limits, "settings": self.settings}
        return HTMLResponse(self.renderer.page("privacy.html", **context))

    async def offline(self, request: Request) -> Response:
        """What a browser shows while the server does not answer."""
        return HTMLResponse(self.renderer.page("offline.html"))

    async def service_worker(self, request: Request) -> Response:
        """The service worker, which must lie at the root to look after every page."""
        script = (files("argentum.web") / "static" / "js/service_worker.js").read_text(encoding="utf-8")
        return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})

    async def icon_sheet(self, request: Request) -> Response:
        """The pictures of one deck's residents."""
        code = request.path_params["code"]
        try:
            sprite = assets.icon_sheet(code)
        except ValueError:
            return self.error_page(why.NO_SUCH_DECK, 404)
        return Response(sprite, media_type="image/svg+xml", headers={"Cache-Control": CACHE_ONE_DAY})

    async def box_style_sheet(self, request: Request) -> Response:
        headers = {"Cache-Control": assets.cache_control(assets.BOX_SHEET, request.url.query)}
        return Response(assets.box_style_sheet(), media_type="text/css", headers=headers)

    async def health(self, request: Request) -> Response:
        """For whoever watches the server: whether it works, and so whether moves can be saved."""
        trouble = await self.database_health.problem()
        tables = f"{self.registry.room_count()} tables\n"
        return PlainTextResponse(f"{trouble}; {tables}", 503) if trouble else PlainTextResponse(f"ok, {tables}")

    async def ready(self, request: Request) -> Response:
        """For a proxy: whether this server should get new players."""
        why = "stopping" if self.registry.closing else await self.database_health.lasting_problem()
        return PlainTextResponse(f"{why}\n", 503) if why else PlainTextResponse("ready\n")

    async def socket(self, socket: WebSocket) -> None:
        if not same_origin(socket.headers):
            await socket.close(1008, "another origin")
            return
        address = client_address(socket)
        with self.limiter.websocket(address, socket.scope.get("state", {}).get(PEER, address)) as admitted:
            if admitted:
                await Connection(socket, self.registry, self.renderer, address, self.limiter).run()
            else:
                await socket.close(1013, "too many connections from your address")

    async def _form(self, request: Request) -> dict[str, str]:
        """What a page of ours sent: small, and not too often."""
        if not same_origin(request.headers) or request.headers.get("sec-fetch-site", "same-origin") == "cross-site":
            raise Refused(why.OWN_PAGES)
        self.registry.creation_limiter.check(client_address(request))
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_FORM_BYTES:
                raise Refused(why.FORM_TOO_LARGE)
        return dict(parse_qsl(body.decode("utf-8", "replace")))

    def error_page(self, words: str, status: int) -> Response:
        """A page that says what went wrong."""
        return HTMLResponse(self.renderer.page("error.html", words=words), status)


def _int_field(text: object, least: int, most: int, default: int) -> int:
    """A number from a form, within bounds."""
    return min(max(int(text), least), most) if isinstance(text, str) and text.isdecimal() else default


class VersionedStaticFiles(StaticFiles):
    """Files that change only with the version."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, which the browser keeps: for good, if it asked for this version."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = cache_control(path, scope["query_string"].decode("ascii", "replace"))
        return response
