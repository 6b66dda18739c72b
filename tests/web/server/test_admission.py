"""Limits on connections by address, and bans."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from argentum.rooms.limits import Limits
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.settings import Settings
from tests.support.server import Server
from tests.support.tcp import SHORT_TIMEOUTS, connect_tcp, open_unread_websocket, read_until_closed, websocket_frame


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("strict")
    (folder / "settings.toml").write_text(SHORT_TIMEOUTS)
    server = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    server.start()
    yield server
    server.stop()


def test_one_address_cannot_use_all_connections(limited_server: Server) -> None:
    hoarder = "127.9.0.3"
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(open_unread_websocket(limited_server, hoarder))) for _ in range(20)]
        with closing(connect_tcp(limited_server, hoarder)) as more:
            assert more.recv(1000).startswith(b"HTTP/1.1 503 ")
        assert limited_server.request("/health", address="127.9.0.2").status == 200
        for connection in connections:
            connection.sendall(websocket_frame(8))
            read_until_closed(connection)
    assert limited_server.request("/health", address=hoarder).status == 200


def test_returning_players_are_admitted_to_reserved_connections() -> None:
    limiter = ConnectionLimiter(Limits(max_connections=10, reserved_connections=2, max_connections_per_address=5))
    limiter.allow_reserved("192.0.2.1")
    assert [limiter.try_acquire(f"198.51.100.{index}") for index in range(9)] == [True] * 8 + [False]
    assert [limiter.try_acquire("192.0.2.1") for _ in range(3)] == [True, True, False]
    limiter.release("192.0.2.1")
    assert not limiter.try_acquire("198.51.100.77")
    assert limiter.try_acquire("192.0.2.1")


def test_websockets_behind_a_proxy_count_for_the_forwarded_address() -> None:
    limiter = ConnectionLimiter(Limits(max_connections_per_address=2), Settings(trusted_proxies="10.0.0.0/8"))
    assert all([limiter.try_acquire("10.0.0.1") for _ in range(5)])
    with (
        limiter.count_websocket("192.0.2.1", "10.0.0.1") as first,
        limiter.count_websocket("192.0.2.1", "10.0.0.1") as second,
    ):
        with limiter.count_websocket("192.0.2.1", "10.0.0.1") as third:
            assert (first, second, third) == (True, True, False)
        with limiter.count_websocket("192.0.2.2", "10.0.0.1") as other:
            assert other
    assert not limiter.by_subscriber
