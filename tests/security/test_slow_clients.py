"""Clients that flood, stall, or do not read: each is cut off, and nobody else notices."""

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
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with small limits."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "settings.toml").write_text(SHORT_TIMEOUTS)
    one = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    one.start()
    yield one
    one.stop()


def flood(raw: socket.socket, piece: bytes, most: int) -> int:
    """Send until the server hangs up; how many bytes that took."""
    sent = 0
    try:
        while sent < most:
            sent += raw.send(piece)
    except OSError:
        return sent
    return sent


def memory(server: Server) -> int:
    """What the server takes, in kilobytes."""
    assert server.process is not None
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1])


@pytest.mark.parametrize(
    "piece",
    [
        websocket_frame(9, b"x" * 100) * 500,
        websocket_frame(9) * 5000,
        websocket_frame(10) * 5000,
        websocket_frame(0, last=False) * 5000,
    ],
    ids=["pings", "empty pings", "pongs", "empty pieces"],
)
def test_a_flood_of_frames_is_cut(strict: Server, piece: bytes) -> None:
    before = memory(strict)
    with closing(open_unread_websocket(strict)) as raw:
        if piece[0] == 0:
            raw.sendall(websocket_frame(1, b"{", last=False))
        assert flood(raw, piece, 20_000_000) < 20_000_000
    assert memory(strict) < before + 10_000
    assert strict.request("/health").status == 200


def test_pings_now_and_then_are_answered(strict: Server) -> None:
    async def ping() -> None:
        table, key = strict.new_table("/tables")
        async with join_table(strict, table, key) as client:
            for _ in range(30):
                await asyncio.wait_for(await client.socket.ping(), TIMEOUT)

    asyncio.run(ping())


def test_a_client_that_does_not_read_is_cut(strict: Server) -> None:
    """It asks for page after page, and reads none of them."""
    with closing(connect_tcp(strict)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /rules HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\n\r\n".encode()
        raw.settimeout(0.2)
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                raw.send(request * 20)
            except TimeoutError:
                continue
            except OSError:
                return
    pytest.fail("it was never cut")


def test_who_does_not_finish_a_request_is_cut(strict: Server) -> None:
    """Silence, half a header, half a body."""
    head = b" HTTP/1.1\r\nHost: x\r\n"
    starts = [b"", b"GET /" + head + b"X-A: ", b"POST /tables" + head + b"Content-Length: 100\r\n\r\nname="]
    with ExitStack() as stack:
        raws = [stack.enter_context(closing(connect_tcp(strict))) for _ in starts]
        for raw, start in zip(raws, starts, strict=True):
            raw.sendall(start)
        for raw in raws:
            read_until_closed(raw)


def test_a_byte_now_and_then_makes_the_time_no_longer(strict: Server) -> None:
    with closing(connect_tcp(strict)) as raw:
        raw.settimeout(0.1)
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                raw.sendall(b"G")
                assert raw.recv(1000).startswith(b"HTTP/1.1 408 ")
                return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    pytest.fail("it was never cut")


def test_the_addresses_of_an_ipv6_network_of_64_bits_share_their_connections() -> None:
    limiter = ConnectionLimiter(Limits(max_connections_per_address=2))
    assert [limiter.try_acquire(f"2001:db8::{nth}") for nth in range(3)] == [True, True, False]
    assert limiter.try_acquire("2001:db8:0:1::1")
    assert all([limiter.try_acquire(f"::ffff:192.0.2.{nth}") for nth in range(3)])
    limiter.release("2001:db8::1")
    assert limiter.try_acquire("2001:db8::3")


def test_a_banned_ipv4_address_is_banned_where_it_is_written_as_ipv6() -> None:
    limiter = ConnectionLimiter(Limits())
    limiter.set_bans(["192.0.2.0/24", "::ffff:198.51.100.1"])
    assert limiter.is_banned("::ffff:192.0.2.1")
    assert limiter.is_banned("198.51.100.1")
