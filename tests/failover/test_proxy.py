"""HAProxy in front of several servers, with the configuration of deploy/.

`make test-failover` plays more games with more failures (benchmarks/failover.py).
"""

import asyncio
import socket
import subprocess

import pytest
from click.testing import CliRunner

from argentum.cli import main
from tests.support.databases import PostgresServer, owner_by_table
from tests.support.failover import (
    HAPROXY_CONFIGURATION,
    MOVES_BETWEEN_FAILURES,
    haproxy_program,
    play_through_failures,
    run_haproxy,
)
from tests.support.server import TIMEOUT, ProtocolClient, Server, open_socket


@pytest.mark.long
@pytest.mark.parametrize(
    ("server_count", "failures"), [(2, ["crash", "misroute", "lose_database"]), (3, ["restart", "misroute", "crash"])]
)
def test_no_failure_loses_a_move(cluster: PostgresServer, server_count: int, failures: list[str]) -> None:
    figures = play_through_failures(cluster, 3, failures, server_count)  # test_cluster.py freezes a server.
    assert figures["acknowledged"] > 3 * MOVES_BETWEEN_FAILURES
    assert (figures["lost"], figures["doubled"]) == (0, 0)


@pytest.mark.parametrize("environment", [{}, {"SERVERS": "argentum:8420"}], ids=["addresses", "name"])
def test_the_configuration_is_valid(environment: dict[str, str]) -> None:
    program = haproxy_program()
    result = subprocess.run(
        [program, "-c", "-f", str(HAPROXY_CONFIGURATION)], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_requests_for_a_table_reach_one_server(cluster: PostgresServer) -> None:
    url = cluster.new_database()
    servers = [Server(url) for _ in range(3)]
    for server in servers:
        server.start()

    async def join(table: str, key: str, path: str = "") -> None:
        async with open_socket(proxy, path or f"/socket/{table}") as socket_:
            client = ProtocolClient(socket_)
            await client.send(type="join", table=table, key=key)
            assert (await client.receive())["type"] == "update"

    try:
        with run_haproxy(list(servers)) as proxy:
            for _ in range(12):
                table, key = proxy.new_table("/tables")
                asyncio.run(join(table, key))
                owner = owner_by_table(url)[table]
                assert proxy.request(f"/table/{table}").status == 200
                assert proxy.request(f"/join/{table}", {"name": "Bo"}).status == 409  # It is not listed.
                # Nobody can take a table away from its players by another spelling of its path.
                for path in (f"/socket/%{ord(table[0]):x}{table[1:]}", f"/socket%2F{table}", f"/%73ocket/{table}"):
                    asyncio.run(join(table, key, path))
                    assert owner_by_table(url)[table] == owner
            assert len({*owner_by_table(url).values()}) > 1
    finally:
        for server in servers:
            server.stop()


def test_the_proxy_hides_the_operators_pages_however_their_path_is_written(server: Server) -> None:
    with run_haproxy([server, server]) as proxy:
        for path in ("/metrics", "/%6detrics", "/admin/tables", "/%61dmin%2ftables", "/admin%2Fbans"):
            assert proxy.request(path).status == 404, path
        assert proxy.request("/").status == 200


def test_the_address_of_a_client_passes_through_two_proxies(server: Server) -> None:
    assert CliRunner().invoke(main, ["admin", "--url", server.origin, "ban", "192.0.2.7"]).exit_code == 0
    with run_haproxy([server, server]) as proxy:
        for address, status in (("192.0.2.7", 403), ("192.0.2.8", 200), ("192.0.2.7, 192.0.2.8", 200)):
            assert proxy.request("/", None, **{"X-Forwarded-For": address}).status == status


def test_the_proxy_closes_unfinished_requests(server: Server) -> None:
    text = HAPROXY_CONFIGURATION.read_text()
    assert "timeout http-request 10s\n" in text
    with (
        run_haproxy([server, server], text.replace("timeout http-request 10s", "timeout http-request 200ms")) as proxy,
        socket.create_connection(("127.0.0.1", proxy.port), TIMEOUT) as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: silver.example\r\n")
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")
        assert slow.recv(1000) == b""
