"""The internal server of a cluster member, to which other servers relay sockets and requests."""

import hmac
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from argentum.rooms.ownership import RELAYED

SECRET, CLIENT, HOST = "x-argentum-secret", "x-argentum-client", "x-argentum-host"
FORWARDED_HEADERS = ("origin", "sec-fetch-site", "content-type", "authorization")
MAX_FRAME_BYTES = 16 * 1024


def relay_headers(headers: Mapping[str, str], client: str, secret: str) -> dict[str, str]:
    """Return the headers of a relayed request: secret, client address, public host, and `FORWARDED_HEADERS`."""
    forwarded = {name: headers[name] for name in FORWARDED_HEADERS if name in headers}
    return {**forwarded, SECRET: secret, CLIENT: client, HOST: headers.get("host", "")}


class RelayAuthentication:
    """ASGI middleware that admits only requests with the cluster's secret, and restores their client and host."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app = app
        self.secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request from another server; refuse all others."""
        headers = Headers(scope=scope)
        if not hmac.compare_digest(headers.get(SECRET, "").encode(), self.secret):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await PlainTextResponse("This is for other servers.\n", 403)(scope, receive, send)
            return
        host = headers.get(HOST, "").encode("latin-1")
        rest = [(name, value) for name, value in scope["headers"] if name != b"host"]
        client = (headers.get(CLIENT, ""), 0)
        await self.app({**scope, "headers": [(b"host", host), *rest], "client": client, RELAYED: True}, receive, send)


class InternalServer(uvicorn.Server):
    """A uvicorn server without signal handlers; `ClusterMembership.close` stops it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def make_internal_server(app: ASGIApp, secret: str) -> InternalServer:
    """Create the internal server of an application, without starting it."""
    config = uvicorn.Config(
        RelayAuthentication(app, secret),
        http="h11",
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        lifespan="off",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    return InternalServer(config)


def split_address(address: str) -> tuple[str, int]:
    """Split an address such as `10.0.0.5:8500` into host and port; the port is 0 if it has none.

    >>> split_address("10.0.0.5"), split_address("10.0.0.5:8500"), split_address("[::1]:8500"), split_address("::1")
    (('10.0.0.5', 0), ('10.0.0.5', 8500), ('::1', 8500), ('::1', 0))
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or (":" in host and not host.endswith("]")):
        return address.strip("[]"), 0
    return host.strip("[]"), int(port)


def join_address(host: str, port: int) -> str:
    """Join a host and port into an address, with an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def worker_address(address: str, index: int) -> str:
    """Return the address of a worker: the port plus its index, or the address itself if it has no port.

    >>> worker_address("10.0.0.5:8500", 2), worker_address("10.0.0.5", 2)
    ('10.0.0.5:8502', '10.0.0.5')
    """
    host, port = split_address(address)
    return join_address(host, port + index) if port else address


def open_listener(address: str) -> socket.socket:
    """Open a listening TCP socket at an address; raise `OSError` if that fails."""
    host, port = split_address(address)
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def listener_address(listener: socket.socket) -> str:
    """Return the address of a listening socket, with the port that the system chose."""
    return join_address(*listener.getsockname()[:2])
