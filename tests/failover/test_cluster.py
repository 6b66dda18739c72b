"""Several servers on one PostgreSQL database."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from argentum.cli import main
from argentum.rooms import lobby
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import WriterFenced
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import Owner
from argentum.rooms.registry import RoomRegistry
from argentum.web.cluster.internal_server import listener_address, open_listener
from argentum.web.cluster.membership import UNREACHABLE_PEER, ClusterMembership
from tests.support.databases import PostgresServer
from tests.support.server import TIMEOUT, ProtocolClient, Server, free_port, join_table


@pytest.fixture(scope="module")
def servers(cluster: PostgresServer) -> Iterator[tuple[Server, Server]]:
    url = cluster.new_database()
    with ExitStack() as stack:
        pair = Server(url), Server(url)
        for server in pair:
            server.start()
            stack.callback(server.stop)
        yield pair


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 10 * TIMEOUT))


async def unused_app(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("no request is expected")


async def wait_for_close(client: ProtocolClient) -> tuple[int, list[dict[str, Any]]]:
    """Wait until the server closes the connection; return the close code and the messages received before."""
    messages = []
    try:
        while True:
            messages.append(await client.receive())
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 1006, messages


async def wait_for_state(client: ProtocolClient, **state: object) -> None:
    while any([client.state.get(name) != value for name, value in state.items()]):
        await client.receive()


async def play_until_entry(client: ProtocolClient, seq: int, random: Random) -> None:
    """Play random moves until the log has `seq` entries."""
    while client.state["seq"] < seq:
        if client.has_open_choice:
            await client.play_random_move(random)
        await client.receive()


def owner_by_table(url: str) -> dict[str, int]:
    with psycopg.connect(url, autocommit=True) as connection:
        return dict(connection.execute("SELECT table_id, owner FROM leases").fetchall())


def test_players_on_different_servers_share_a_table(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/tables", name="Ann")
        async with (
            join_table(first, table, host) as ann,
            join_table(second, table, derive_key(host, "B"), name="Bo") as bo,
        ):
            while not all([seat["here"] for seat in ann.state["seats"]]):
                await ann.receive()
            await ann.send(type="start")
            await wait_for_state(bo, stage="playing")
            await wait_for_state(ann, stage="playing")
            seq = ann.state["seq"] + 20
            await asyncio.gather(play_until_entry(ann, seq, Random(1)), play_until_entry(bo, seq, Random(2)))
            assert len(owner_by_table(first.database)) == 1

    run(play())


def test_the_home_page_lists_the_open_tables_of_all_servers(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/tables", name="Ann")
        async with join_table(first, table, host) as ann:
            await ann.send(type="arrange", listed=True)
            deadline = time.monotonic() + TIMEOUT
            while table not in second.request("/").text:
                assert time.monotonic() < deadline
            tables = json.loads(second.request("/mine", {"tables": f"{table} {host}"}, "127.9.0.1").text)
            assert [row["name"] for row in tables] == [table]
            response = second.request("/quick", {"name": "Bo"}, "127.9.0.2")
            assert response.status == 303
            assert response.headers["Location"].startswith(f"/table/{table}#")
            key = response.headers["Location"].partition("#")[2]
            async with join_table(second, table, key) as bo:
                assert bo.state["seats"][1]["name"] == "Bo"
            assert second.request(f"/join/{table}", {"name": "Cy"}, "127.9.0.3").status == 409
        assert second.request(f"/table/{table}").status == 200

    run(play())


def test_a_commitment_is_used_once_on_all_servers(servers: tuple[Server, Server]) -> None:
    # The secret is published after the game, so the deals of a second game with it could be computed.
    page = servers[0].request("/").text
    promise = re.search(r'name="promise" value="([^"]+)"', page)
    assert promise is not None
    commitment = promise[1].split()[0]

    async def commitment_at(server: Server) -> str:
        table, key = server.new_table("/play", promise=promise[1])
        async with join_table(server, table, key) as client:
            return str(client.state["arrangement"]["commitment"])

    assert [asyncio.run(commitment_at(server)) == commitment for server in (servers[1], servers[0], servers[1])] == [
        True,
        False,
        False,
    ]


def test_admin_commands_to_one_server_reach_all(servers: tuple[Server, Server]) -> None:
    first, second = servers
    admin = ["admin", "--url", second.origin]

    def server_count() -> int:
        figures = CliRunner().invoke(main, [*admin, "load"]).output.splitlines()
        return len([line for line in figures if line.startswith("room_connections{")])

    deadline = time.monotonic() + TIMEOUT
    while server_count() < 2:  # A server learns of others with its heartbeats, twice a second.
        assert time.monotonic() < deadline
    table, _ = first.new_table("/play")
    assert f"{table}  playing" in CliRunner().invoke(main, [*admin, "tables"]).output
    assert server_count() == 2
    assert CliRunner().invoke(main, [*admin, "ban", "127.8.0.1"]).exit_code == 0
    assert [server.request("/", address="127.8.0.1").status for server in servers] == [503, 503]
    closed = CliRunner().invoke(main, [*admin, "close", table])
    assert closed.output == f"Table {table} is closed, and its log deleted.\n"
    assert [server.request(f"/table/{table}").status for server in servers] == [404, 404]


def test_a_table_moves_to_the_server_of_its_players(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/tables")
        owner = owner_by_table(first.database)[table]
        async with join_table(second, table, host):
            assert owner_by_table(first.database)[table] != owner
        while owner_by_table(first.database)[table] != owner:  # until the second server notices that its player left
            async with join_table(first, table, host):
                pass

    run(play())


def test_simultaneous_requests_load_a_table_once(servers: tuple[Server, Server]) -> None:
    async def play() -> None:
        for _ in range(5):
            table, host = servers[0].new_table("/tables")
            keys = [host, derive_key(host, "B"), derive_key(host, "watch")]
            waits = [reconnect(server, table, key) for key in keys for server in servers]
            await asyncio.gather(*waits)

    run(play())


def test_the_internal_port_needs_the_secret_of_the_servers(servers: tuple[Server, Server]) -> None:
    with psycopg.connect(servers[0].database, autocommit=True) as database:
        addresses = [address for [address] in database.execute("SELECT address FROM servers").fetchall()]
    assert len(addresses) == 2
    inner = int(addresses[0].rpartition(":")[2])
    client = HTTPConnection("127.0.0.1", inner, TIMEOUT)
    with closing(client):
        client.request("GET", "/health", headers={"x-argentum-secret": "guess", "x-argentum-client": "127.0.0.1"})
        assert client.getresponse().status == 403


async def reconnect(server: Server, table: str, key: str) -> float:
    """Join a table, with retries as in a browser; return the seconds until it succeeded."""
    began = time.monotonic()
    while True:
        try:
            async with join_table(server, table, key):
                return time.monotonic() - began
        except (ConnectionClosed, InvalidHandshake, OSError):
            await asyncio.sleep(0.1)


def test_a_frozen_owner_writes_nothing_when_it_wakes_up(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/tables")
        async with join_table(first, table, host) as ann, join_table(second, table, derive_key(host, "B")) as bo:
            owner = owner_by_table(first.database)[table]
            assert first.process is not None
            first.process.send_signal(signal.SIGSTOP)
            try:
                await ann.send(type="start")  # The frozen server does not read it.
                assert (await wait_for_close(bo))[0] == 1013
                async with join_table(second, table, host) as new_ann:
                    assert owner_by_table(first.database)[table] != owner
                    seq = new_ann.state["seq"]
                    await new_ann.send(type="arrange", seats=4)
                    await wait_for_state(new_ann, seq=seq + 1)
                    first.process.send_signal(signal.SIGCONT)
                    code, messages = await wait_for_close(ann)
                    assert code == 1013
                    assert [message["code"] for message in messages if message["type"] == "error"] in (
                        [],
                        ["not saved"],
                    )
                    assert new_ann.state["stage"] == "gathering"
                    await new_ann.send(type="start")
                    await wait_for_state(new_ann, stage="playing", seq=seq + 2)
            finally:
                first.process.send_signal(signal.SIGCONT)
        await reconnect(first, table, host)

    run(play())


def test_a_stopping_server_logs_no_error_for_relayed_sockets(servers: tuple[Server, Server], tmp_path: Path) -> None:
    first = servers[0]
    slow_close = "from argentum.web.cluster import membership; membership.CLOSE_TIMEOUT = 600.0"

    async def play(stopped: Server) -> None:
        assert first.process is not None
        assert stopped.process is not None
        table, host = first.new_table("/tables")
        async with join_table(first, table, host), join_table(stopped, table, derive_key(host, "B")):
            first.process.send_signal(signal.SIGSTOP)
            try:
                stopped.process.send_signal(signal.SIGTERM)
                await asyncio.to_thread(stopped.process.wait, TIMEOUT)
            finally:
                first.process.send_signal(signal.SIGCONT)
        await reconnect(first, table, host)

    with (tmp_path / "stderr").open("w+b") as stderr:
        stopped = Server(first.database, startup_code=slow_close, stderr=stderr)
        stopped.start()
        try:
            run(play(stopped))
        finally:
            stopped.stop()
        stderr.seek(0)
        assert b"Traceback" not in stderr.read()


def test_writes_of_an_expired_server_are_refused(cluster: PostgresServer) -> None:
    url = cluster.new_database()

    async def play() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, ownership=membership)
        await membership.open(registry, unused_app)
        room, _ = await registry.create(new_arrangement())
        number = membership.server_number
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM servers")
            with pytest.raises(LogError):
                await lobby.start(room)
            assert owner_by_table(url) == {}
            while membership.server_number in (number, -1):
                await asyncio.sleep(0.05)
            with pytest.raises(LogError):
                await lobby.start(room)
        assert registry.rooms == {}
        assert [entry.kind for entry in log.entries(room.name)] == ["table"]
        reloaded = await registry.find(room.name)
        assert reloaded is not None
        await lobby.start(reloaded)
        log.server_number = number
        with pytest.raises(WriterFenced):
            await log.append("quiet-owl", 0, "table", {})
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()
        assert owner_by_table(url) == {}

    run(play())


def register_server(url: str, address: str, table: str) -> int:
    """Insert the row of a server that does not expire and owns a table; return its number."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = f"('{address}', '{socket.gethostname()}', now() + '1 h')"
        rows = connection.execute(f"INSERT INTO servers(address, machine, beat) VALUES {row} RETURNING number")
        [[number]] = rows.fetchall()
        connection.execute("INSERT INTO leases VALUES (%s, %s)", [table, number])
    return int(number)


def test_old_tables_of_another_server_are_not_deleted(cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    url = cluster.new_database()

    async def sweep() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=-1.0), ownership=membership)
        await membership.open(registry, unused_app)
        for name in ("amber-oak", "amber-ash"):
            await log.append(name, 0, "table", {})
        number = register_server(url, "127.0.0.1:1", "amber-oak")
        monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + 31 * 86400)
        await registry.housekeeper.sweep()
        assert [name for name, _ in log.all_entries()] == ["amber-oak"]
        assert owner_by_table(url) == {"amber-oak": number}
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()

    run(sweep())


def test_a_relay_to_an_expired_server_ends(cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    # The operating system accepts connections to a frozen server, but nothing answers them.
    monkeypatch.setattr("argentum.web.cluster.membership.CONNECT_TIMEOUT", 10 * TIMEOUT)
    monkeypatch.setattr("argentum.web.cluster.membership.RESPONSE_TIMEOUT", 10 * TIMEOUT)
    url = cluster.new_database()
    scope = {"headers": [], "client": ("127.0.0.1", 1), "method": "POST", "path": "/join/amber-oak"}

    async def receive() -> Message:
        raise AssertionError("nothing is received")

    async def send(message: Message) -> None:
        raise AssertionError("nothing is sent")

    async def wait(frozen: socket.socket) -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, ownership=membership)
        await membership.open(registry, unused_app)
        address = listener_address(frozen)
        owner = Owner(register_server(url, address, "amber-oak"), address)
        websocket = WebSocket({**scope, "type": "websocket"}, receive, send)
        request = Request({**scope, "type": "http"})
        relayed = asyncio.create_task(membership.relay(websocket, "{}", owner))
        asking = asyncio.create_task(membership.forward(owner, request, "/join/amber-oak", b""))
        for _ in range(2):
            (await asyncio.to_thread(frozen.accept))[0].detach()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM servers WHERE number = %s", [owner.number])
        assert not await relayed
        answer = await asking
        assert answer is not None
        assert answer.status == 503, "whether the request was handled is unknown"
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()

    with open_listener("127.0.0.1") as frozen:
        run(wait(frozen))


def test_a_server_without_a_reachable_address_does_not_start(
    cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.new_database()
    monkeypatch.setattr("argentum.web.cluster.leases.LEASE_TIMEOUT", 0.0)

    async def play() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO servers(address, machine, beat) VALUES ('10.0.0.9:8500', 'elsewhere', now() + '1 h')"
            )
        with pytest.raises(LogError, match="--internal-address"):
            await membership.open(RoomRegistry(log, ownership=membership), unused_app)
        await membership.close()
        await log.close()
        await membership.leave()

    run(play())
    assert "--internal-address" in UNREACHABLE_PEER


def test_workers_need_postgresql(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["serve", "--workers", "2", "--port", str(free_port()), "--database", str(tmp_path / "t.db")]
    )
    assert result.exit_code == 2
    assert "--workers needs PostgreSQL" in result.output


def worker_pids(pid: int) -> list[int]:
    result = subprocess.run(["pgrep", "-P", str(pid), "-f", "spawn_main"], capture_output=True, text=True, check=False)
    return [int(child) for child in result.stdout.split()]


async def wait_for_answer_or_close(client: ProtocolClient) -> None:
    with suppress(ConnectionClosed):
        await client.send(type="record")  # Answered by an error, because no game is over.
        await client.next_error()


def test_workers_share_a_port_and_are_replaced_on_sighup(cluster: PostgresServer) -> None:
    server = Server(cluster.new_database(), ("--bot-pause", "0", "--workers", "2"))
    server.start()

    async def play() -> None:
        assert server.process is not None
        workers = worker_pids(server.process.pid)
        assert len(workers) == 2
        table, host = server.new_table("/tables")
        async with AsyncExitStack() as stack:
            tables = [server.new_table("/tables") for _ in range(6)]
            clients = [await stack.enter_async_context(join_table(server, *table_and_key)) for table_and_key in tables]
            os.kill(workers[1], signal.SIGSTOP)  # It stays suspended: its clients must not wait for it.
            await asyncio.gather(*[wait_for_answer_or_close(client) for client in clients])
        await reconnect(server, table, host)
        server.process.send_signal(signal.SIGHUP)
        while set(worker_pids(server.process.pid)) & set(workers) or len(worker_pids(server.process.pid)) < 2:
            await reconnect(server, table, host)

    try:
        run(play())
    finally:
        server.stop()
