"""The operator's requests: figures, a list of tables, closing one, banning an address. Guarded by a token."""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from argentum.tableside.refusals import Refused
from argentum.web.events import happened
from argentum.web.hall import Hall
from argentum.web.metrics import exposition, merged
from argentum.web.neighbours import INNER

LONGEST = 1000
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
            Route("/metrics", self.metrics),
            Route("/admin/tables", self.tables),
            Route("/admin/close", self.close, methods=["POST"]),
            Route("/admin/ban", self.ban, methods=["POST"]),
        ]

    def _allowed(self, request: Request) -> bool:
        """With a token, who knows it; without one, programs on this machine, but not by a proxy."""
        token = self.hall.settings.operator_token
        if token:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
            return hmac.compare_digest(given.encode(), token.encode())
        here = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        return here and not {"x-forwarded-for", "forwarded", "origin"} & set(request.headers)

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        if not self._allowed(request):
            return _no()
        texts = [exposition(self.hall), *[text.decode() for text in await self._ask_others(request)]]
        return PlainTextResponse(merged(texts), media_type="text/plain; version=0.0.4")

    async def tables(self, request: Request) -> Response:
        """The tables in memory."""
        if not self._allowed(request):
            return _no()
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
        if not self._allowed(request):
            return _no()
        body = await _body(request)
        name = str(body.get("table", ""))

        async def close() -> Response:
            if not await self.hall.delete(name):
                return PlainTextResponse(f"There is no table {name[:40]!r}.\n", 404)
            happened("table closed by the operator", table=name)
            return PlainTextResponse(f"Table {name} is closed, and its log deleted.\n")

        return await self.owners(request, "/admin/close", json.dumps(body).encode(), close)

    async def ban(self, request: Request) -> Response:
        """Ban an address until the server is restarted, or lift that."""
        if not self._allowed(request):
            return _no()
        body = await _body(request)
        address, banned = str(body.get("address", ""))[:50], bool(body.get("banned", True))
        (self.hall.porch.banned.add if banned else self.hall.porch.banned.discard)(address)
        await self._ask_others(request, json.dumps(body).encode())
        happened("ban" if banned else "ban lifted", address=address)
        return PlainTextResponse(f"{address} is {'banned' if banned else 'no longer banned'}.\n")


def _no() -> Response:
    return PlainTextResponse("This is for the operator.\n", 403)


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
