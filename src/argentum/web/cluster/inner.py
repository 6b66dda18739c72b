"""The internal server of a cluster member, to which other servers relay sockets and requests."""

import hmac
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from argentum.rooms.ownership import INNER

SECRET, CLIENT, HOST = "x-argentum-secret", "x-argentum-client", "x-argentum-host"
PASSED_ON = ("origin", "sec-fetch-site", "content-type", "authorization")
LONGEST_FRAME = 16 * 1024


def inner_headers(headers: Mapping[str, str], client: str, secret: str) -> dict[str, str]:
    """Return the headers of a relayed request: the secret, the client's address, the public host, and `PASSED_ON`."""
    passed_on = {name: headers[name] for name in PASSED_ON if name in headers}
    return {**passed_on, SECRET: secret, CLIENT: client, HOST: headers.get("host", "")}


class InnerDoor:
    """ASGI middleware: accept requests with the cluster's secret, and trust the client and host that they state."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app = app
        self.secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of another server; refuse all others."""
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
        await self.app({**scope, "headers": [(b"host", host), *rest], "client": client, INNER: True}, receive, send)


class InnerServer(uvicorn.Server):
    """A uvicorn server without signal handlers; `ClusterMembership.close` stops it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def inner_server(app: ASGIApp, secret: str) -> InnerServer:
    """Build the internal server of an application."""
    config = uvicorn.Config(
        InnerDoor(app, secret),
        http="h11",
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        lifespan="off",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    return InnerServer(config)


def split(address: str) -> tuple[str, int]:
    """Split an address such as `10.0.0.5:8500` into host and port; the port is 0 if it has none.

    >>> split("10.0.0.5"), split("10.0.0.5:8500"), split("[::1]:8500"), split("::1")
    (('10.0.0.5', 0), ('10.0.0.5', 8500), ('::1', 8500), ('::1', 0))
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or (":" in host and not host.endswith("]")):
        return address.strip("[]"), 0
    return host.strip("[]"), int(port)


def joined(host: str, port: int) -> str:
    """Join host and port to an address, with an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def nth_address(address: str, index: int) -> str:
    """Return the address of a worker: the port plus its index, or the address itself if it has no port.

    >>> nth_address("10.0.0.5:8500", 2), nth_address("10.0.0.5", 2)
    ('10.0.0.5:8502', '10.0.0.5')
    """
    host, port = split(address)
    return joined(host, port + index) if port else address


def listening(address: str) -> socket.socket:
    """Open a listening TCP socket at an address; raise `OSError` if that fails."""
    host, port = split(address)
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def address_of(listener: socket.socket) -> str:
    """Return the address of a listening socket, with the port that the system chose."""
    return joined(*listener.getsockname()[:2])
