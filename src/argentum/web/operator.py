"""Admin endpoints and Prometheus metrics, for the operator of the server only."""

import asyncio
import hmac
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from argentum.bots.search.worker_pool import POOL
from argentum.display.errors import Refused
from argentum.rooms.game_room import LOBBY, OVER, PLAYING
from argentum.rooms.ownership import RELAYED
from argentum.rooms.registry import RoomRegistry
from argentum.web.server.admission import BanList, ConnectionLimiter, parse_network
from argentum.web.server.logs import log_event
from argentum.web.settings import Settings


def render_metrics(registry: RoomRegistry, limiter: ConnectionLimiter) -> str:
    """Return the metrics of this server in the text format of Prometheus."""
    server = f'server="{registry.ownership.server_number}"'  # because a response contains the metrics of all servers
    stages = Counter([room.stage for room in registry.rooms.values()])
    lines: list[str] = []

    def add_metric(name: str, kind: str, description: str, values: dict[str, float]) -> None:
        lines.append(f"# HELP {name} {description}")
        lines.append(f"# TYPE {name} {kind}")
        lines.extend([f"{name}{{{label}{server}}} {value:g}" for label, value in values.items()])

    tables = {f'stage="{stage}",': float(stages[stage]) for stage in (LOBBY, PLAYING, OVER)}
    add_metric("argentum_tables", "gauge", "Tables in memory.", tables)
    connections = sum([len(room.connections) for room in registry.rooms.values()])
    add_metric(
        "argentum_room_connections", "gauge", "Connections of players and spectators to tables.", {"": connections}
    )
    add_metric("argentum_open_connections", "gauge", "Open connections.", {"": limiter.open_count})
    add_metric(
        "argentum_connections_refused_total",
        "counter",
        "Connections refused because of a limit or a ban.",
        {"": limiter.refused_total},
    )
    add_metric("argentum_bans", "gauge", "Banned addresses and networks.", {"": len(limiter.banned)})
    add_metric(
        "argentum_bot_requests", "gauge", "Moves that bots are choosing or waiting to choose.", {"": POOL.waiting_count}
    )
    add_metric("process_cpu_seconds_total", "counter", "CPU time of this process.", {"": time.process_time()})
    return "\n".join(lines) + "\n"


def merge_metrics(texts: list[str]) -> str:
    """Merge the metrics of several servers into one text that describes each metric once.

    >>> print(merge_metrics(["# HELP a A.\\n# TYPE a gauge\\na 1\\n", "# HELP a A.\\n# TYPE a gauge\\na 2\\n"]), end="")
    # HELP a A.
    # TYPE a gauge
    a 1
    a 2
    """
    values_by_head: dict[str, list[str]] = {}
    for page in texts:
        lines: list[str] = []
        for line in page.splitlines():
            if line.startswith("# HELP"):
                lines = values_by_head.setdefault(line, [])
            elif line not in lines:
                lines.append(line)
    return "\n".join([line for head, values in values_by_head.items() for line in (head, *values)]) + "\n"


MAX_BODY_BYTES = 1000
LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)  # in a Host header
Endpoint = Callable[[Request], Awaitable[Response]]
# The type of `Site.handle_at_owner`: its arguments are a request, the path and body to forward if another server owns
# the table, and the handler to call if this one does.
OwnerHandler = Callable[[Request, str, bytes, Callable[[], Awaitable[Response]]], Awaitable[Response]]


class Operator:
    """The HTTP endpoints for the operator of a server: metrics, and the administration of tables and bans."""

    def __init__(
        self,
        registry: RoomRegistry,
        settings: Settings,
        limiter: ConnectionLimiter,
        bans: BanList,
        handle_at_owner: OwnerHandler,
    ) -> None:
        self.registry = registry
        self.settings = settings
        self.limiter = limiter
        self.ban_list = bans
        self.handle_at_owner = handle_at_owner

    def routes(self) -> list[Route]:
        return [
            Route("/metrics", self._operator_only(self.metrics)),
            Route("/admin/tables", self._operator_only(self.tables)),
            Route("/admin/close", self._operator_only(self.close), methods=["POST"]),
            Route("/admin/bans", self._operator_only(self.bans)),
            Route("/admin/ban", self._operator_only(self.ban), methods=["POST"]),
        ]

    def _operator_only(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that answers 403 to everyone but the operator."""

        async def guarded(request: Request) -> Response:
            if not self._is_operator(request):
                return PlainTextResponse("This is for the operator.\n", 403)
            return await endpoint(request)

        return guarded

    def _is_operator(self, request: Request) -> bool:
        """Whether a request has the operator's token or, if none is configured, comes directly from this machine."""
        token = self.settings.operator_token
        if token:
            token_sent = request.headers.get("authorization", "").removeprefix("Bearer ")
            return hmac.compare_digest(token_sent.encode(), token.encode())
        is_local = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        # Any site's name may resolve to this machine (DNS rebinding), and its pages could then read the response.
        local_name = LOCAL_HOST.fullmatch(request.headers.get("host", ""))
        return (
            is_local
            and local_name is not None
            and not {"x-forwarded-for", "forwarded", "origin"} & set(request.headers)
        )

    async def metrics(self, request: Request) -> Response:
        texts = [
            render_metrics(self.registry, self.limiter),
            *[text.decode() for text in await self._forward_to_others(request)],
        ]
        return PlainTextResponse(merge_metrics(texts), media_type="text/plain; version=0.0.4")

    async def tables(self, request: Request) -> Response:
        tables = [
            {
                "name": room.name,
                "stage": room.stage,
                "entries": room.seq,
                "players": [place.name for place in room.arrangement.seats],
                "connections": len(room.connections),
            }
            for room in self.registry.rooms.values()
        ]
        return JSONResponse(sum([json.loads(text) for text in await self._forward_to_others(request)], tables))

    async def _forward_to_others(self, request: Request, body: bytes = b"") -> list[bytes]:
        """Forward a request, with `body` as its body, to all other servers; return the bodies of their responses.

        Servers that fail are left out. A request that another server has forwarded is not forwarded again.
        """
        if RELAYED in request.scope:
            return []
        requests = [
            self.registry.ownership.forward(owner, request, request.url.path, body)
            for owner in self.registry.ownership.other_servers()
        ]
        answers = await asyncio.gather(*requests)
        return [answer.body for answer in answers if answer is not None and answer.status == 200]

    async def close(self, request: Request) -> Response:
        """Delete a table and its log; disconnect its players."""
        body = await _read_json_object(request)
        name = str(body.get("table", ""))

        async def close() -> Response:
            if not await self.registry.delete(name):
                return PlainTextResponse(f"There is no table {name[:40]!r}.\n", 404)
            log_event("table_deleted", table=name)
            return PlainTextResponse(f"Table {name} is closed, and its log deleted.\n")

        return await self.handle_at_owner(request, "/admin/close", json.dumps(body).encode(), close)

    async def bans(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse([str(network) for network in self.limiter.banned])

    async def ban(self, request: Request) -> Response:
        """Ban an address or a network on all servers, or lift the ban."""
        body = await _read_json_object(request)
        banned = bool(body.get("banned", True))
        try:
            address = str(parse_network(str(body.get("address", ""))))
        except ValueError as error:
            return PlainTextResponse(f"That is neither an address nor a network: {error}.\n", 400)
        await self.ban_list.set(address, banned)
        await self._forward_to_others(request, json.dumps(body).encode())  # without waiting for their next refresh
        log_event("ban_added" if banned else "ban_removed", address=address)
        short = address.removesuffix("/32").removesuffix("/128")
        return PlainTextResponse(f"{short} is {'banned' if banned else 'no longer banned'}.\n")


async def _read_json_object(request: Request) -> dict[str, object]:
    """Parse a request's body as a JSON object; raise Refused if it is not one or is too long."""
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > MAX_BODY_BYTES:
            raise Refused("that is too long")
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Refused("this is not a JSON object")
    return body
