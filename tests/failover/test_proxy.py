"""HAProxy in front of two servers, with the configuration of deploy/.

`make test-failover` plays more games with more failures (benchmarks/failover.py).
"""

import socket
from pathlib import Path

import pytest

from tests.support.databases import PostgresServer
from tests.support.failover import HAPROXY_CONFIGURATION, MOVES_BETWEEN_FAILURES, play_through_failures, run_haproxy
from tests.support.server import TIMEOUT, Server


@pytest.mark.long
def test_no_failure_loses_a_move(cluster: PostgresServer) -> None:
    figures = play_through_failures(
        cluster, 3, ["crash", "lose_database", "restart"]
    )  # test_cluster.py freezes a server.
    assert figures["acknowledged"] > 3 * MOVES_BETWEEN_FAILURES
    assert (figures["lost"], figures["doubled"]) == (0, 0)


def test_the_proxy_hides_the_operators_pages_however_their_path_is_written(server: Server) -> None:
    with run_haproxy([server, server]) as proxy:
        for path in ("/metrics", "/%6detrics", "/admin/tables", "/%61dmin%2ftables", "/admin%2Fbans"):
            assert proxy.request(path).status == 404, path
        assert proxy.request("/").status == 200


def test_the_proxy_closes_unfinished_requests(server: Server, tmp_path: Path) -> None:
    text = HAPROXY_CONFIGURATION.read_text()
    assert "timeout http-request 10s\n" in text
    (tmp_path / "haproxy.cfg").write_text(text.replace("timeout http-request 10s", "timeout http-request 200ms"))
    with (
        run_haproxy([server, server], tmp_path / "haproxy.cfg") as proxy,
        socket.create_connection(("127.0.0.1", proxy.port), TIMEOUT) as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: silver.example\r\n")
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")
        assert slow.recv(1000) == b""
