"""A server's inner door: where other servers on the same database pass on sockets and requests."""

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
    """The headers of a request that is passed on: who asks, for which host, and what else counts."""
    passed_on = {name: headers[name] for name in PASSED_ON if name in headers}
    return {**passed_on, SECRET: secret, CLIENT: client, HOST: headers.get("host", "")}


class InnerDoor:
    """Lets servers in that know the secret, and takes their word for who asks."""

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
    """Beside the server for players: it ends when that does, not by signals of its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def inner_server(app: ASGIApp, secret: str) -> InnerServer:
    """The server at the inner door."""
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
    """Host and port of an address such as `10.0.0.5:8500`; 0, for any port, if it has none.

    >>> split("10.0.0.5"), split("10.0.0.5:8500"), split("[::1]:8500"), split("::1")
    (('10.0.0.5', 0), ('10.0.0.5', 8500), ('::1', 8500), ('::1', 0))
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or (":" in host and not host.endswith("]")):
        return address.strip("[]"), 0
    return host.strip("[]"), int(port)


def joined(host: str, port: int) -> str:
    """An address as others find it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def nth_address(address: str, index: int) -> str:
    """The address of the index worker: each has the next port, unless any will do.

    >>> nth_address("10.0.0.5:8500", 2), nth_address("10.0.0.5", 2)
    ('10.0.0.5:8502', '10.0.0.5')
    """
    host, port = split(address)
    return joined(host, port + index) if port else address


def listening(address: str) -> socket.socket:
    """A socket at an address; an OSError says what is wrong."""
    host, port = split(address)
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def address_of(listener: socket.socket) -> str:
    """A socket's address, as other servers find it."""
    return joined(*listener.getsockname()[:2])
