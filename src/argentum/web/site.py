"""The routes of the site: pages, forms, the WebSocket, static files, health checks."""

import gzip
import json
import logging
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.status import WS_1008_POLICY_VIOLATION, WS_1013_TRY_AGAIN_LATER
from starlette.types import Scope
from starlette.websockets import WebSocket

from argentum import bots
from argentum.display.errors import Refused
from argentum.display.scene import resident_summary
from argentum.rooms import lobby
from argentum.rooms.access import host_links, new_key
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, new_arrangement
from argentum.rooms.log.databases import LogError
from argentum.rooms.ownership import OwnedElsewhere
from argentum.rooms.protocol import Malformed, error_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rulebook.card_art import card_art
from argentum.rules.boxes import DEFAULT_BOX, residents
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.web.health import DatabaseHealth
from argentum.web.operator import Operator
from argentum.web.pages import assets, my_tables
from argentum.web.pages.lobby import bot_menu
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import PEER, BanList, ConnectionLimiter
from argentum.web.server.logs import log_event
from argentum.web.settings import Settings
from argentum.web.sockets.connection import Connection
from argentum.words import errors

MAX_FORM_BYTES = 4096
# The settings of `POST /api/tables`: the host's name, the bots of seats, and fields of the message `arrange`.
NEW_TABLE_FIELDS = frozenset({"name", "boxes", "token", "seats", "bots", "memory", "seconds", "listed", "away"})
CACHE_ONE_DAY = "public, max-age=86400"
logger = logging.getLogger(__name__)


def same_origin(headers: Headers) -> bool:
    """Whether the Origin header matches the host, or is missing, as in requests that no browser sent."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:  # such as `http://[x`
        return False


def client_address(connection: HTTPConnection) -> str:
    """Return the client's IP address; behind a trusted proxy, the address that it forwards. Empty if unknown."""
    return connection.client.host if connection.client else ""


def home_context() -> dict[str, Any]:
    """Return the template values of the landing page, except the open tables and the commitment."""
    shown = [resident for resident in residents() if card_art(resident.label).welcome]
    shown.sort(key=lambda resident: card_art(resident.label).welcome)
    villagers = [resident_summary(resident) for resident in shown]
    return {"bots": bot_menu(), "level": DEFAULT_BOT, "villagers": villagers, "promise": ""}


class Site:
    """The HTTP and WebSocket endpoints for players, browsers and health checks."""

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
        self.rules_page: tuple[bytes, bytes] | None = None  # plain and compressed, once it has been requested

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", self.home),
            Route("/play", self.play_now, methods=["POST"]),
            Route("/guide", self.first_game, methods=["POST"]),
            Route("/tables", self.create_table, methods=["POST"]),
            Route("/api/tables", self.create_table_by_program, methods=["POST"]),
            Route("/quick", self.quick_seat, methods=["POST"]),
            Route("/my-tables", self.my_tables, methods=["POST"]),
            Route("/mine", self.my_tables, methods=["POST"]),  # old name, until version 2.0
            Route("/join/{name}", self.join, methods=["POST"]),
            Route("/table/{name}", self.table),
            Route("/rules", self.rules),
            Route("/about", self.about),
            Route("/privacy", self.privacy),
            Route("/offline", self.offline),
            Route("/away", self.offline),  # old name, until version 2.0
            Route("/sw.js", self.service_worker),
            Route("/deck/{code}.svg", self.icon_sheet),
            Route("/health", self.health),
            Route("/ready", self.ready),
            *Operator(self.registry, self.settings, self.limiter, self.bans).routes(),
            WebSocketRoute("/socket", self.socket),
            WebSocketRoute("/socket/{name}", self.socket),  # for a proxy that routes by table
            *[Route(f"/static/css/{name}", self.style_sheet) for name in assets.page_style_sheets()],
            # The static edition has no such directory: its web host serves these files.
            Mount("/static", VersionedStaticFiles(directory=str(files("argentum.web") / "static"), check_dir=False)),
        ]

    async def home(self, request: Request) -> Response:
        context = {
            **home_context(),
            "open_tables": self.registry.open_rooms(),
            "promise": self.registry.commitments.issue(),
        }
        return HTMLResponse(self.renderer.page("home.html", **context))

    async def table(self, request: Request) -> Response:
        """Serve the page of a table without its content, which the WebSocket sends.

        The seat keys are in the URL's fragment, which browsers do not send, so the page is the same for everybody.
        """
        name = request.path_params["name"]
        with suppress(OwnedElsewhere):
            if await self.registry.find(name) is None:
                return self.error_page(errors.TABLE_GONE, 404)
        return HTMLResponse(self.renderer.table_shell(name))

    async def play_now(self, request: Request) -> Response:
        """Create a table, start a game against bots there, and redirect to it."""
        form = await self._form(request)
        opponents = _int_field(form.get("bots"), 1, 3, 2)
        bot = form.get("level") or DEFAULT_BOT
        if bot not in bots.names():
            raise Refused(errors.NO_BOT.format(bot=bot))
        return await self._start_game(request, form, opponents, bot, guide=False)

    async def first_game(self, request: Request) -> Response:
        """Start a game against one bot with the tips of the guide, and redirect to it."""
        return await self._start_game(request, await self._form(request), 1, DEFAULT_BOT, guide=True)

    async def _start_game(
        self, request: Request, form: dict[str, str], opponents: int, bot: str, guide: bool
    ) -> Response:
        boxes = form.get("boxes") or DEFAULT_BOX
        arrangement = replace(new_arrangement(form.get("name", ""), boxes, opponents, bot), guided=guide)
        room, key = await self._create_room(request, arrangement, form.get("promise", ""))
        if form.get("value"):
            lobby.add_shuffle_value(room, "A", form["value"])
        await lobby.start(room)
        return RedirectResponse(f"/table/{room.name}#{key}", 303)

    async def create_table(self, request: Request) -> Response:
        """Create a table, claim a seat for each player who shares the device, and redirect to its lobby."""
        form = await self._form(request)
        local_players = _int_field(form.get("here"), 1, 4, 1)
        seats = max(local_players, _int_field(form.get("seats"), MIN_PLAYERS, MAX_PLAYERS, MIN_PLAYERS))
        boxes = form.get("boxes") or DEFAULT_BOX
        room, key = await self._create_room(request, new_arrangement(form.get("name", ""), boxes, seats - 1))
        keys = [key, *[new_key() for _ in range(1, local_players)]]
        for seat_key in keys[1:]:
            await room.claim_seat(seat_key, None)
        return RedirectResponse(f"/table/{room.name}#{'.'.join(keys)}", 303)

    async def create_table_by_program(self, request: Request) -> Response:
        """Create a table with the settings in a JSON object; respond with its links, or an error, as JSON."""
        try:
            room, key = await self._create_room(request, read_settings(await self._body(request)))
        except Malformed as error:
            return Response(error_json("malformed", str(error)), 400, media_type="application/json")
        except Refused as error:
            return Response(error_json("refused", str(error)), 409, media_type="application/json")
        except LogError as error:
            logger.error("the log failed: %s", error)
            return Response(error_json("not saved", errors.TABLE_NOT_SAVED), 503, media_type="application/json")
        links = {"own": f"/table/{room.name}#{key}", **host_links(room, key)}
        return JSONResponse({"table": room.name, "seat": room.arrangement.host, "links": links}, 201)

    async def _create_room(self, request: Request, arrangement: Arrangement, promise: str = "") -> tuple[Room, str]:
        """Create a room and log the event; return the room and the key of its host."""
        room, key = await self.registry.create(arrangement, promise, client_address(request))
        log_event("table_created", table=room.name, address=client_address(request))
        return room, key

    async def join(self, request: Request) -> Response:
        """Claim a free seat at a listed table, and redirect to it; if that fails after `/quick`, redirect back."""
        name, form = request.path_params["name"], await self._form(request)
        try:
            return await self._join(request, name, form)
        except Refused:
            if "tried" not in request.query_params:
                raise
            return RedirectResponse(f"/quick?tried={request.query_params['tried']}.{name}", 307)

    async def _join(self, request: Request, name: str, form: dict[str, str]) -> Response:
        key = await self.registry.join_open_room(name, form.get("name", ""), client_address(request))
        log_event("seat_claimed", table=name, address=client_address(request))
        return RedirectResponse(f"/table/{name}#{key}", 303)

    async def quick_seat(self, request: Request) -> Response:
        """Claim a seat at the newest listed table, or at a new one, and redirect to it.

        If another server has the table, the browser sends the form to `/join/`, with the tables that were tried before,
        because the proxy finds that server by the path. With `?quick` in its URL, the page of a new table adds a bot if
        no other player joins soon.
        """
        form, tried = await self._form(request), request.query_params.get("tried", "")
        for table in self.registry.open_rooms():
            if table["name"] in tried.split("."):
                continue
            if table["name"] not in self.registry.rooms:
                return RedirectResponse(f"{table['link']}?tried={tried}", 307)
            with suppress(Refused):  # Another player has taken the last seat.
                return await self._join(request, table["name"], form)
        arrangement = replace(new_arrangement(form.get("name", ""), DEFAULT_BOX, 1), listed=True)
        room, key = await self._create_room(request, arrangement)
        return RedirectResponse(f"/table/{room.name}?quick#{key}", 303)

    async def my_tables(self, request: Request) -> Response:
        """Return the states of the tables that a browser remembers, as JSON."""
        form = await self._form(request)
        tables = my_tables.parse_tables(form.get("tables", ""))
        return JSONResponse(await my_tables.table_states(self.registry, tables, client_address(request)))

    async def rules(self, request: Request) -> Response:
        """Serve the page of rules, residents and rulings, which is rendered and compressed only once."""
        if self.rules_page is None:
            page = self.renderer.rules_page().encode()
            self.rules_page = page, gzip.compress(page)
        plain, compressed = self.rules_page
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(compressed, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
        return HTMLResponse(plain, headers={"Content-Encoding": "identity", "Vary": "Accept-Encoding"})

    async def about(self, request: Request) -> Response:
        return HTMLResponse(self.renderer.page("about.html", authors=assets.icon_authors()))

    async def privacy(self, request: Request) -> Response:
        """Serve the page on what this server stores, and for how long."""
        context = {"limits": self.registry.limits, "settings": self.settings}
        return HTMLResponse(self.renderer.page("privacy.html", **context))

    async def offline(self, request: Request) -> Response:
        """Serve the page that the service worker shows while the server does not answer."""
        return HTMLResponse(self.renderer.page("offline.html"))

    async def service_worker(self, request: Request) -> Response:
        """Serve the service worker at the root, because its scope is the folder of its URL."""
        headers = {"Cache-Control": assets.REVALIDATE}
        return Response(self._service_worker_script, media_type="text/javascript", headers=headers)

    @cached_property
    def _service_worker_script(self) -> str:
        home = self.renderer.page("home.html", open_tables=[], **home_context())
        offline, rules = self.renderer.page("offline.html"), self.renderer.rules_page()
        return assets.service_worker({"/": home, "/offline": offline, "/rules": rules})

    async def icon_sheet(self, request: Request) -> Response:
        """Serve the icons of a deck as an SVG sprite."""
        code = request.path_params["code"]
        try:
            sprite = assets.icon_sheet(code)
        except ValueError:
            return self.error_page(errors.NO_SUCH_DECK, 404)
        return Response(sprite, media_type="image/svg+xml", headers={"Cache-Control": CACHE_ONE_DAY})

    async def style_sheet(self, request: Request) -> Response:
        """Serve the style sheet of a page, with the sheets that it imports."""
        path, caching = assets.parse_url(request.url.path.removeprefix("/static/"), request.url.query)
        sheet = assets.style_sheet(path.removeprefix("css/"))
        return Response(sheet, media_type="text/css", headers={"Cache-Control": caching})

    async def health(self, request: Request) -> Response:
        """Answer the health check of a monitoring system: 503 while the database cannot be written."""
        problem = await self.database_health.problem()
        tables = f"{self.registry.room_count()} tables\n"
        return PlainTextResponse(f"{problem}; {tables}", 503) if problem else PlainTextResponse(f"ok, {tables}")

    async def ready(self, request: Request) -> Response:
        """Answer the readiness check of a proxy: 503 during shutdown and in long outages of the database."""
        problem = "stopping" if self.registry.closing else await self.database_health.lasting_problem()
        return PlainTextResponse(f"{problem}\n", 503) if problem else PlainTextResponse("ready\n")

    async def socket(self, socket: WebSocket) -> None:
        if not same_origin(socket.headers):
            await socket.close(WS_1008_POLICY_VIOLATION, "wrong origin")
            return
        address = client_address(socket)
        with self.limiter.count_websocket(address, socket.scope.get("state", {}).get(PEER, address)) as admitted:
            if admitted:
                await Connection(socket, self.registry, self.renderer, address, self.limiter).run()
            else:
                await socket.close(WS_1013_TRY_AGAIN_LATER, "too many connections from your address")

    async def _form(self, request: Request) -> dict[str, str]:
        """Return the fields of a form; raise Refused like `_body`."""
        return dict(parse_qsl((await self._body(request)).decode("utf-8", "replace")))

    async def _body(self, request: Request) -> bytes:
        """Return the body of a request; raise Refused for another origin, and above the size or rate limit."""
        if not same_origin(request.headers) or request.headers.get("sec-fetch-site", "same-origin") == "cross-site":
            raise Refused(errors.OWN_PAGES)
        self.registry.creation_limiter.check(client_address(request))
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_FORM_BYTES:
                raise Refused(errors.FORM_TOO_LARGE)
        return body

    def error_page(self, text: str, status: int) -> Response:
        return HTMLResponse(self.renderer.page("error.html", reason=text), status)


def read_settings(body: bytes) -> Arrangement:
    """Read the settings of a new table, a JSON object; raise Malformed or Refused for invalid ones."""
    try:
        settings = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise Malformed("the body is one JSON object")
    unknown = settings.keys() - NEW_TABLE_FIELDS
    if unknown:
        raise Malformed(f"a new table does not have {', '.join(sorted(unknown))[:60]}")
    name, bot_by_seat = settings.pop("name", ""), settings.pop("bots", {})
    if not isinstance(name, str):
        raise Malformed("name is a text")
    if not isinstance(bot_by_seat, dict):
        raise Malformed('bots has the name of a bot for each of its seats, such as {"B": "novice"}')
    arrangement = new_arrangement(name).with_changes(settings)
    for seat, bot in bot_by_seat.items():
        arrangement = arrangement.with_bot(seat, bot)
    return arrangement


def _int_field(text: object, minimum: int, maximum: int, default: int) -> int:
    """Return a field as a number clamped to the bounds, or the default if it is not a number."""
    return min(max(int(text), minimum), maximum) if isinstance(text, str) and text.isdecimal() else default


class VersionedStaticFiles(StaticFiles):
    """Static files, which browsers cache permanently if the URL contains the current digest."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        file, caching = assets.parse_url(path, scope["query_string"].decode("ascii", "replace"))
        response = await super().get_response(file, scope)
        response.headers["Cache-Control"] = caching
        return response
