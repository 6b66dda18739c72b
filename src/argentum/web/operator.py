"""The operator's requests: figures, a list of tables, closing one, banning an address. Guarded by a token."""

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from argentum.display.errors import Refused
from argentum.web.events import happened
from argentum.web.hall import Hall
from argentum.web.metrics import exposition, merged
from argentum.web.neighbours import INNER
from argentum.web.porch import network_of

LONGEST = 1000
THIS_MACHINE = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)  # a Host header
Page = Callable[[Request], Awaitable[Response]]
# How a request is done by the server that has its table: the request, its path and body there, how we do it ourselves.
Owners = Callable[[Request, str, bytes, Callable[[], Awaitable[Response]]], Awaitable[Response]]


class Operator:
    """What the operator of a hall may ask for."""

    def __init__(self, hall: Hall, owners: Owners) -> None:
        self.hall = hall
        self.owners = owners

    def routes(self) -> list[Route]:
        """The pages."""
        return [
            Route("/metrics", self._guarded(self.metrics)),
            Route("/admin/tables", self._guarded(self.tables)),
            Route("/admin/close", self._guarded(self.close), methods=["POST"]),
            Route("/admin/bans", self._guarded(self.bans)),
            Route("/admin/ban", self._guarded(self.ban), methods=["POST"]),
        ]

    def _guarded(self, page: Page) -> Page:
        """A page for the operator alone."""

        async def guarded(request: Request) -> Response:
            if not self._allowed(request):
                return PlainTextResponse("This is for the operator.\n", 403)
            return await page(request)

        return guarded

    def _allowed(self, request: Request) -> bool:
        """With a token, who knows it; without one, programs on this machine, but not by a proxy."""
        token = self.hall.settings.operator_token
        if token:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            return hmac.compare_digest(given.encode(), token.encode())
        here = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        # Another site's name may lead to this machine: then a page of that site would read the answer.
        by_name = THIS_MACHINE.fullmatch(request.headers.get("host", ""))
        return here and by_name is not None and not {"x-forwarded-for", "forwarded", "origin"} & set(request.headers)

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        texts = [exposition(self.hall), *[text.decode() for text in await self._ask_others(request)]]
        return PlainTextResponse(merged(texts), media_type="text/plain; version=0.0.4")

    async def tables(self, request: Request) -> Response:
        """The tables in memory."""
        tables = [
            {
                "name": room.name,
                "stage": room.stage,
                "entries": room.play.seq,
                "players": [place.name for place in room.arrangement.places],
                "connected": len(room.doors.readers),
            }
            for room in self.hall.rooms.values()
        ]
        return JSONResponse(sum([json.loads(text) for text in await self._ask_others(request)], tables))

    async def _ask_others(self, request: Request, body: bytes = b"") -> list[bytes]:
        """What other servers on the same database answer to the same."""
        if INNER in request.scope:
            return []
        asked = [self.hall.neighbours.ask(one, request, request.url.path, body) for one in self.hall.neighbours.all()]
        answers = await asyncio.gather(*asked)
        return [answer.body for answer in answers if answer is not None and answer.status == 200]

    async def close(self, request: Request) -> Response:
        """Close a table for good, with all that is known of it."""
        body = await _body(request)
        name = str(body.get("table", ""))

        async def close() -> Response:
            if not await self.hall.delete(name):
                return PlainTextResponse(f"There is no table {name[:40]!r}.\n", 404)
            happened("table closed by the operator", table=name)
            return PlainTextResponse(f"Table {name} is closed, and its log deleted.\n")

        return await self.owners(request, "/admin/close", json.dumps(body).encode(), close)

    async def bans(self, request: Request) -> Response:  # noqa: ARG002
        """Who is banned."""
        return JSONResponse([str(network) for network in self.hall.porch.banned])

    async def ban(self, request: Request) -> Response:
        """Ban an address or a network, or lift that."""
        body = await _body(request)
        banned = bool(body.get("banned", True))
        try:
            address = str(network_of(str(body.get("address", ""))))
        except ValueError as error:
            return PlainTextResponse(f"That is neither an address nor a network: {error}.\n", 400)
        await self.hall.ban(address, banned)
        await self._ask_others(request, json.dumps(body).encode())  # they would learn it soon; now they do at once
        happened("ban" if banned else "ban lifted", address=address)
        shown = address.removesuffix("/32").removesuffix("/128")
        return PlainTextResponse(f"{shown} is {'banned' if banned else 'no longer banned'}.\n")


async def _body(request: Request) -> dict[str, object]:
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > LONGEST:
            raise Refused("that is too long")
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Refused("this is not a JSON object")
    return body
