"""Admin endpoints and Prometheus metrics, for the operator of the server only."""

import hmac
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from argentum.bots.search.worker_pool import POOL
from argentum.display.errors import Refused
from argentum.rooms.game_room import LOBBY, OVER, PLAYING
from argentum.rooms.ownership import OwnedElsewhere
from argentum.rooms.registry import RoomRegistry
from argentum.web.server.admission import BanList, ConnectionLimiter, parse_network
from argentum.web.server.logs import log_event
from argentum.web.settings import Settings

METRICS = (  # name, kind, description
    ("argentum_tables", "gauge", "Tables in memory."),
    ("argentum_room_connections", "gauge", "Connections of players and spectators to tables."),
    ("argentum_open_connections", "gauge", "Open connections."),
    ("argentum_connections_refused_total", "counter", "Connections refused because of a limit or a ban."),
    ("argentum_bans", "gauge", "Banned addresses and networks."),
    ("argentum_bot_requests", "gauge", "Moves that bots are choosing or waiting to choose."),
    ("process_cpu_seconds_total", "counter", "CPU time of this process."),
)


def server_metrics(registry: RoomRegistry, limiter: ConnectionLimiter) -> dict[str, dict[str, float]]:
    """Return the metrics of this server: by name, and by label if a metric has several values."""
    stages = Counter([room.stage for room in registry.rooms.values()])
    connections = sum([len(room.connections) for room in registry.rooms.values()])
    return {
        "argentum_tables": {f'stage="{stage}",': stages[stage] for stage in (LOBBY, PLAYING, OVER)},
        "argentum_room_connections": {"": connections},
        "argentum_open_connections": {"": limiter.open_count},
        "argentum_connections_refused_total": {"": limiter.refused_total},
        "argentum_bans": {"": len(limiter.banned)},
        "argentum_bot_requests": {"": POOL.waiting_count},
        "process_cpu_seconds_total": {"": round(time.process_time(), 2)},
    }


def render_metrics(metrics_by_server: dict[int, dict[str, dict[str, float]]]) -> str:
    """Return the metrics of all servers in the text format of Prometheus."""
    lines: list[str] = []
    for name, kind, description in METRICS:
        lines += [f"# HELP {name} {description}", f"# TYPE {name} {kind}"]
        for server, metrics in metrics_by_server.items():
            values = metrics.get(name, {})
            lines += [f'{name}{{{label}server="{server}"}} {value:g}' for label, value in values.items()]
    return "\n".join(lines) + "\n"


def describe_tables(registry: RoomRegistry) -> list[dict[str, Any]]:
    """Describe all tables of this server, for the operator."""
    return [
        {
            "name": room.name,
            "stage": room.stage,
            "entries": room.seq,
            "players": [place.name for place in room.arrangement.seats],
            "connections": len(room.connections),
        }
        for room in registry.rooms.values()
    ]


def server_summary(registry: RoomRegistry, limiter: ConnectionLimiter, with_tables: bool) -> dict[str, Any]:
    """Return what other servers show of this one; with a description of all tables only if somebody has asked."""
    summary = registry.summary() | {"metrics": server_metrics(registry, limiter)}
    return summary | {"all_tables": describe_tables(registry)} if with_tables else summary


MAX_BODY_BYTES = 1000
LOCAL_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)  # in a Host header
Endpoint = Callable[[Request], Awaitable[Response]]


class Operator:
    """The HTTP endpoints for the operator of a server: metrics, and the administration of tables and bans."""

    def __init__(self, registry: RoomRegistry, settings: Settings, limiter: ConnectionLimiter, bans: BanList) -> None:
        self.registry = registry
        self.settings = settings
        self.limiter = limiter
        self.ban_list = bans

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

    async def metrics(self, request: Request) -> Response:  # noqa: ARG002
        ownership = self.registry.ownership
        metrics = {ownership.server_number: server_metrics(self.registry, self.limiter)}
        metrics |= {number: peer.get("metrics", {}) for number, peer in ownership.peer_summaries().items()}
        return PlainTextResponse(render_metrics(metrics), media_type="text/plain; version=0.0.4")

    async def tables(self, request: Request) -> Response:  # noqa: ARG002
        tables = describe_tables(self.registry)
        for peer in (await self.registry.ownership.peer_summaries_with_tables()).values():
            tables += peer.get("all_tables", [])
        return JSONResponse(tables)

    async def close(self, request: Request) -> Response:
        """Delete a table and its log; disconnect its players."""
        name = str((await _read_json_object(request)).get("table", ""))
        try:
            if not await self.registry.delete(name):
                return PlainTextResponse(f"There is no table {name[:40]!r}.\n", 404)
        except OwnedElsewhere:
            return PlainTextResponse(f"Another server is using table {name}. Please try again.\n", 503)
        log_event("table_deleted", table=name)
        return PlainTextResponse(f"Table {name} is closed, and its log deleted.\n")

    async def bans(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse([str(network) for network in self.limiter.banned])

    async def ban(self, request: Request) -> Response:
        """Ban an address or a network, or lift the ban; other servers read it at their next refresh."""
        body = await _read_json_object(request)
        banned = bool(body.get("banned", True))
        try:
            address = str(parse_network(str(body.get("address", ""))))
        except ValueError as error:
            return PlainTextResponse(f"That is neither an address nor a network: {error}.\n", 400)
        await self.ban_list.set(address, banned)
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
