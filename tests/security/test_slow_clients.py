"""Clients that flood, stall or do not read are disconnected."""

import asyncio
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from argentum.rooms.limits import Limits
from argentum.web.server.admission import ConnectionLimiter
from tests.support.server import TIMEOUT, Server, join_table
from tests.support.tcp import SHORT_TIMEOUTS, connect_tcp, open_unread_websocket, read_until_closed, websocket_frame


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with short timeouts and small limits."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "settings.toml").write_text(SHORT_TIMEOUTS)
    server = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    server.start()
    yield server
    server.stop()


def send_until_closed(raw: socket.socket, data: bytes, limit: int) -> int:
    """Send data repeatedly until the server closes the connection; return the number of bytes sent."""
    sent = 0
    try:
        while sent < limit:
            sent += raw.send(data)
    except OSError:
        return sent
    return sent


def resident_kilobytes(server: Server) -> int:
    assert server.process is not None
    match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
    assert match
    return int(match[1])


@pytest.mark.parametrize(
    "data",
    [
        websocket_frame(9, b"x" * 100) * 500,
        websocket_frame(9) * 5000,
        websocket_frame(10) * 5000,
        websocket_frame(0, is_last=False) * 5000,
    ],
    ids=["pings", "empty pings", "pongs", "empty fragments"],
)
def test_a_flood_of_frames_closes_the_connection(strict_server: Server, data: bytes) -> None:
    before = resident_kilobytes(strict_server)
    with closing(open_unread_websocket(strict_server)) as raw:
        if data[0] == 0:
            raw.sendall(websocket_frame(1, b"{", is_last=False))
        assert send_until_closed(raw, data, 20_000_000) < 20_000_000
    assert resident_kilobytes(strict_server) < before + 10_000
    assert strict_server.request("/health").status == 200


def test_occasional_pings_are_answered(strict_server: Server) -> None:
    async def ping() -> None:
        table, key = strict_server.new_table("/tables")
        async with join_table(strict_server, table, key) as client:
            for _ in range(30):
                await asyncio.wait_for(await client.socket.ping(), TIMEOUT)

    asyncio.run(ping())


def test_a_client_that_does_not_read_is_disconnected(strict_server: Server) -> None:
    with closing(connect_tcp(strict_server)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /rules HTTP/1.1\r\nHost: 127.0.0.1:{strict_server.port}\r\n\r\n".encode()
        raw.settimeout(0.2)
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                raw.send(request * 20)
            except TimeoutError:
                continue
            except OSError:
                return
    pytest.fail("the connection was not closed")


def test_an_unfinished_request_is_disconnected(strict_server: Server) -> None:
    head = b" HTTP/1.1\r\nHost: x\r\n"
    starts = [b"", b"GET /" + head + b"X-A: ", b"POST /tables" + head + b"Content-Length: 100\r\n\r\nname="]
    with ExitStack() as stack:
        sockets = [stack.enter_context(closing(connect_tcp(strict_server))) for _ in starts]
        for raw, start in zip(sockets, starts, strict=True):
            raw.sendall(start)
        for raw in sockets:
            read_until_closed(raw)


def test_trickling_bytes_does_not_extend_the_timeout(strict_server: Server) -> None:
    with closing(connect_tcp(strict_server)) as raw:
        raw.settimeout(0.1)
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                raw.sendall(b"G")
                assert raw.recv(1000).startswith(b"HTTP/1.1 408 ")
                return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    pytest.fail("the connection was not closed")


def test_an_ipv6_64_network_shares_a_connection_limit() -> None:
    limiter = ConnectionLimiter(Limits(max_connections_per_address=2))
    assert [limiter.try_acquire(f"2001:db8::{index}") for index in range(3)] == [True, True, False]
    assert limiter.try_acquire("2001:db8:0:1::1")
    assert all([limiter.try_acquire(f"::ffff:192.0.2.{index}") for index in range(3)])
    limiter.release("2001:db8::1")
    assert limiter.try_acquire("2001:db8::3")


def test_a_ban_of_an_ipv4_address_includes_its_ipv6_form() -> None:
    limiter = ConnectionLimiter(Limits())
    limiter.set_bans(["192.0.2.0/24", "::ffff:198.51.100.1"])
    assert limiter.is_banned("::ffff:192.0.2.1")
    assert limiter.is_banned("198.51.100.1")
