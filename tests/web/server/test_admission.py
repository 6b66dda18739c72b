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
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with small limits."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "settings.toml").write_text(SHORT_TIMEOUTS)
    one = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    one.start()
    yield one
    one.stop()


def test_one_address_does_not_take_all_lines(strict: Server) -> None:
    hoarder = "127.9.0.3"
    with ExitStack() as stack:
        # They have much longer to sit down than a silent line has.
        raws = [stack.enter_context(closing(open_unread_websocket(strict, hoarder))) for _ in range(20)]
        with closing(connect_tcp(strict, hoarder)) as more:
            assert more.recv(1000).startswith(b"HTTP/1.1 503 ")
        assert strict.request("/health", address="127.9.0.2").status == 200
        for raw in raws:
            raw.sendall(websocket_frame(8))
            read_until_closed(raw)
    assert strict.request("/health", address=hoarder).status == 200


def test_players_who_return_find_room_when_strangers_do_not() -> None:
    porch = ConnectionLimiter(Limits(max_connections=10, reserved_connections=2, max_connections_per_address=5))
    porch.remember("192.0.2.1")
    assert [porch.try_acquire(f"198.51.100.{nth}") for nth in range(9)] == [True] * 8 + [False]
    assert [porch.try_acquire("192.0.2.1") for _ in range(3)] == [True, True, False]
    porch.release("192.0.2.1")
    assert not porch.try_acquire("198.51.100.77")
    assert porch.try_acquire("192.0.2.1")


def test_sockets_behind_a_proxy_are_counted_by_the_address_it_names() -> None:
    porch = ConnectionLimiter(Limits(max_connections_per_address=2), Settings(trusted_proxies="10.0.0.0/8"))
    assert all([porch.try_acquire("10.0.0.1") for _ in range(5)])
    with porch.websocket("192.0.2.1", "10.0.0.1") as first, porch.websocket("192.0.2.1", "10.0.0.1") as second:
        with porch.websocket("192.0.2.1", "10.0.0.1") as third:
            assert (first, second, third) == (True, True, False)
        with porch.websocket("192.0.2.2", "10.0.0.1") as other:
            assert other
    assert not porch.by_subscriber
