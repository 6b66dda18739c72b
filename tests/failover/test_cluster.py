"""Several servers on one PostgreSQL: each may be asked for any table, and no crash, freeze or restart loses a move."""

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
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import WriterFenced
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import Owner
from argentum.rooms.registry import RoomRegistry
from argentum.web.cluster.inner import address_of, listening
from argentum.web.cluster.membership import UNREACHABLE_PEER, ClusterMembership
from tests.support.databases import PostgresServer
from tests.support.server import TIMEOUT, ProtocolClient, Server, free_port, join_table


@pytest.fixture(scope="module")
def pair(cluster: PostgresServer) -> Iterator[tuple[Server, Server]]:
    url = cluster.new_database()
    with ExitStack() as stack:
        servers = Server(url), Server(url)
        for server in servers:
            server.start()
            stack.callback(server.stop)
        yield servers


def run(what: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(what, 10 * TIMEOUT))


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application to which nobody comes."""


async def ended(client: ProtocolClient) -> tuple[int, list[dict[str, Any]]]:
    """How the line was closed, and what was said before."""
    heard = []
    try:
        while True:
            heard.append(await client.receive())
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 1006, heard


async def until(client: ProtocolClient, **state: object) -> None:
    while any([client.state.get(name) != value for name, value in state.items()]):
        await client.receive()


async def play_to(client: ProtocolClient, seq: int, random: Random) -> None:
    """Play until so much has happened."""
    while client.state["seq"] < seq:
        if client.has_open_choice:
            await client.play_random_move(random)
        await client.receive()


def owners(url: str) -> dict[str, int]:
    with psycopg.connect(url, autocommit=True) as connection:
        return dict(connection.execute("SELECT table_id, owner FROM leases").fetchall())


def test_a_table_is_one_wherever_people_connect(pair: tuple[Server, Server]) -> None:
    one, other = pair

    async def play() -> None:
        table, host = one.new_table("/tables", name="Ann")
        async with (
            join_table(one, table, host) as ann,
            join_table(other, table, derive_key(host, "B"), name="Bo") as bo,
        ):
            while not all([seat["here"] for seat in ann.state["seats"]]):
                await ann.receive()
            await ann.send(type="start")
            await until(bo, stage="playing")
            await until(ann, stage="playing")
            seq = ann.state["seq"] + 20
            await asyncio.gather(play_to(ann, seq, Random(1)), play_to(bo, seq, Random(2)))
            assert len(owners(one.database)) == 1

    run(play())


def test_the_first_page_has_the_open_tables_of_all(pair: tuple[Server, Server]) -> None:
    one, other = pair

    async def play() -> None:
        table, host = one.new_table("/tables", name="Ann")
        async with join_table(one, table, host) as ann:
            await ann.send(type="arrange", listed=True)
            deadline = time.monotonic() + TIMEOUT
            while table not in other.request("/").text:
                assert time.monotonic() < deadline
            kept = json.loads(other.request("/mine", {"tables": f"{table} {host}"}, "127.9.0.1").text)
            assert [one["name"] for one in kept] == [table]
            answer = other.request("/quick", {"name": "Bo"}, "127.9.0.2")
            assert answer.status == 303
            assert answer.headers["Location"].startswith(f"/table/{table}#")
            key = answer.headers["Location"].partition("#")[2]
            async with join_table(other, table, key) as bo:
                assert bo.state["seats"][1]["name"] == "Bo"
            assert other.request(f"/join/{table}", {"name": "Cy"}, "127.9.0.3").status == 409
        assert other.request(f"/table/{table}").status == 200

    run(play())


def test_a_promise_is_used_once_wherever_it_is_used(pair: tuple[Server, Server]) -> None:
    """When a game is over its secret is told: another table with the same one would have deals that somebody knows."""
    page = pair[0].request("/").text
    promise = re.search(r'name="promise" value="([^"]+)"', page)
    assert promise is not None
    commitment = promise[1].split()[0]

    async def told(server: Server) -> str:
        table, key = server.new_table("/play", promise=promise[1])
        async with join_table(server, table, key) as client:
            return str(client.state["arrangement"]["commitment"])

    assert [asyncio.run(told(server)) == commitment for server in (pair[1], pair[0], pair[1])] == [True, False, False]


def test_the_operator_reaches_all_servers_by_one(pair: tuple[Server, Server]) -> None:
    one, other = pair
    admin = ["admin", "--url", other.origin]

    def servers() -> int:
        figures = CliRunner().invoke(main, [*admin, "load"]).output.splitlines()
        return len([line for line in figures if line.startswith("room_connections{")])

    deadline = time.monotonic() + TIMEOUT
    while servers() < 2:  # they learn of each other twice a second
        assert time.monotonic() < deadline
    table, _ = one.new_table("/play")
    assert f"{table}  playing" in CliRunner().invoke(main, [*admin, "tables"]).output
    assert servers() == 2
    assert CliRunner().invoke(main, [*admin, "ban", "127.8.0.1"]).exit_code == 0
    assert [server.request("/", address="127.8.0.1").status for server in pair] == [503, 503]
    closed = CliRunner().invoke(main, [*admin, "close", table])
    assert closed.output == f"Table {table} is closed, and its log deleted.\n"
    assert [server.request(f"/table/{table}").status for server in pair] == [404, 404]


def test_a_table_follows_its_players(pair: tuple[Server, Server]) -> None:
    """So a proxy that sends each table to one server decides where it is."""
    one, other = pair

    async def play() -> None:
        table, host = one.new_table("/tables")
        first = owners(one.database)[table]
        async with join_table(other, table, host):
            assert owners(one.database)[table] != first
        while owners(one.database)[table] != first:  # once the other has noticed that its player left
            async with join_table(one, table, host):
                pass

    run(play())


def test_simultaneous_requests_load_a_table_once(pair: tuple[Server, Server]) -> None:
    """The first of them took it along to another server, and the rest fell over that."""

    async def play() -> None:
        for _ in range(5):
            table, host = pair[0].new_table("/tables")
            keys = [host, derive_key(host, "B"), derive_key(host, "watch")]
            waits = [sit_again(server, table, key) for key in keys for server in pair]
            await asyncio.gather(*waits)

    run(play())


def test_the_inner_door_is_for_servers_only(pair: tuple[Server, Server]) -> None:
    with psycopg.connect(pair[0].database, autocommit=True) as connection:
        addresses = [address for [address] in connection.execute("SELECT address FROM servers").fetchall()]
    assert len(addresses) == 2
    inner = int(addresses[0].rpartition(":")[2])
    line = HTTPConnection("127.0.0.1", inner, TIMEOUT)
    with closing(line):
        line.request("GET", "/health", headers={"x-argentum-secret": "guess", "x-argentum-client": "127.0.0.1"})
        assert line.getresponse().status == 403


async def sit_again(server: Server, table: str, key: str) -> float:
    """How long it takes to sit down again, as a browser tries."""
    began = time.monotonic()
    while True:
        try:
            async with join_table(server, table, key):
                return time.monotonic() - began
        except (ConnectionClosed, InvalidHandshake, OSError):
            await asyncio.sleep(0.1)


def test_a_frozen_owner_writes_nothing_when_it_wakes_up(pair: tuple[Server, Server]) -> None:
    one, other = pair

    async def play() -> None:
        table, host = one.new_table("/tables")
        async with join_table(one, table, host) as ann, join_table(other, table, derive_key(host, "B")) as bo:
            first = owners(one.database)[table]
            assert one.process is not None
            one.process.send_signal(signal.SIGSTOP)
            try:
                await ann.send(type="start")  # it waits at the frozen server
                assert (await ended(bo))[0] == 1013
                async with join_table(other, table, host) as again:
                    assert owners(one.database)[table] != first
                    seq = again.state["seq"]
                    await again.send(type="arrange", seats=4)
                    await until(again, seq=seq + 1)
                    one.process.send_signal(signal.SIGCONT)
                    code, heard = await ended(ann)
                    assert code == 1013
                    assert [message["code"] for message in heard if message["type"] == "error"] in ([], ["not saved"])
                    assert again.state["stage"] == "gathering"
                    await again.send(type="start")
                    await until(again, stage="playing", seq=seq + 2)
            finally:
                one.process.send_signal(signal.SIGCONT)
        await sit_again(one, table, host)

    run(play())


def test_a_server_that_stops_complains_of_no_socket_that_it_passed_on(
    pair: tuple[Server, Server], tmp_path: Path
) -> None:
    """Each waited for its table's server to close the line, was cancelled, and left a traceback."""
    one = pair[0]
    slow = "import argentum.web.cluster.membership as fleet; fleet.CLOSE_WITHIN = 600.0"  # as under load

    async def play(stopped: Server) -> None:
        assert one.process is not None
        assert stopped.process is not None
        table, host = one.new_table("/tables")
        async with join_table(one, table, host), join_table(stopped, table, derive_key(host, "B")):
            one.process.send_signal(signal.SIGSTOP)
            try:
                stopped.process.send_signal(signal.SIGTERM)
                await asyncio.to_thread(stopped.process.wait, TIMEOUT)
            finally:
                one.process.send_signal(signal.SIGCONT)
        await sit_again(one, table, host)

    with (tmp_path / "complaints").open("w+b") as complaints:
        stopped = Server(one.database, startup_code=slow, stderr=complaints)
        stopped.start()
        try:
            run(play(stopped))
        finally:
            stopped.stop()
        complaints.seek(0)
        assert b"Traceback" not in complaints.read()


def test_writes_of_a_server_that_was_given_up_are_refused(cluster: PostgresServer) -> None:
    url = cluster.new_database()

    async def play() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, ownership=membership)
        await membership.open(registry, nothing)
        room, _ = await registry.create(new_arrangement())
        number = membership.server_number
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM servers")
            with pytest.raises(LogError):
                await room.start("A")
            assert owners(url) == {}
            while membership.server_number in (number, -1):
                await asyncio.sleep(0.05)
            with pytest.raises(LogError):
                await room.start("A")
        assert registry.rooms == {}
        assert [entry.kind for entry in log.entries(room.name)] == ["table"]
        again = await registry.find(room.name)
        assert again is not None
        await again.start("A")
        log.server_number = number
        with pytest.raises(WriterFenced):
            await log.append("quiet-owl", 0, "table", {})
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()
        assert owners(url) == {}

    run(play())


def another(url: str, address: str, table: str) -> int:
    """The number of another server, which never falls silent, and has a table."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = f"('{address}', '{socket.gethostname()}', now() + '1 h')"
        rows = connection.execute(f"INSERT INTO servers(address, machine, beat) VALUES {row} RETURNING number")
        [[number]] = rows.fetchall()
        connection.execute("INSERT INTO leases VALUES (%s, %s)", [table, number])
    return int(number)


def test_a_table_that_another_server_has_is_not_forgotten(
    cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.new_database()

    async def sweep() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=-1.0), ownership=membership)
        await membership.open(registry, nothing)
        for name in ("amber-oak", "amber-ash"):
            await log.append(name, 0, "table", {})
        number = another(url, "127.0.0.1:1", "amber-oak")
        monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 31 * 86400)
        await registry.sweep()
        assert [name for name, _ in log.all_entries()] == ["amber-oak"]
        assert owners(url) == {"amber-oak": number}
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()

    run(sweep())


def test_an_expired_server_is_not_waited_for(cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is frozen, its system takes connections, and nobody answers them."""
    monkeypatch.setattr("argentum.web.cluster.membership.REACH_WITHIN", 10 * TIMEOUT)
    monkeypatch.setattr("argentum.web.cluster.membership.ANSWER_WITHIN", 10 * TIMEOUT)
    url = cluster.new_database()
    scope = {"headers": [], "client": ("127.0.0.1", 1), "method": "POST", "path": "/join/amber-oak"}

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        raise AssertionError("nothing is said")

    async def wait(frozen: socket.socket) -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        registry = RoomRegistry(log, ownership=membership)
        await membership.open(registry, nothing)
        address = address_of(frozen)
        owner = Owner(another(url, address, "amber-oak"), address)
        line = WebSocket({**scope, "type": "websocket"}, receive, send)
        request = Request({**scope, "type": "http"})
        relayed = asyncio.create_task(membership.relay(line, "{}", owner))
        asked = asyncio.create_task(membership.ask(owner, request, "/join/amber-oak", b""))
        for _ in range(2):
            (await asyncio.to_thread(frozen.accept))[0].detach()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM servers WHERE number = %s", [owner.number])
        assert not await relayed
        answer = await asked
        assert answer is not None
        assert answer.status == 503, "nobody knows whether it was done"
        await membership.close()
        await registry.close()
        await log.close()
        await membership.leave()

    with listening("127.0.0.1") as frozen:
        run(wait(frozen))


def test_servers_that_cannot_reach_each_other_say_so(cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    url = cluster.new_database()
    monkeypatch.setattr("argentum.web.cluster.leases.LEASE_TIMEOUT", 0.0)

    async def play() -> None:
        log = SqlJournal.open(url)
        membership = ClusterMembership(url, log)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO servers(address, machine, beat) VALUES ('10.0.0.9:8500', 'elsewhere', now() + '1 h')"
            )
        with pytest.raises(LogError, match="--inner-address"):
            await membership.open(RoomRegistry(log, ownership=membership), nothing)
        await membership.close()
        await log.close()
        await membership.leave()

    run(play())
    assert "--inner-address" in UNREACHABLE_PEER


def test_workers_need_postgresql(tmp_path: Path) -> None:
    said = CliRunner().invoke(
        main, ["serve", "--workers", "2", "--port", str(free_port()), "--database", str(tmp_path / "t.db")]
    )
    assert said.exit_code == 2
    assert "--workers needs PostgreSQL" in said.output


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid), "-f", "spawn_main"], capture_output=True, text=True, check=False)
    return [int(child) for child in found.stdout.split()]


async def answered_or_cut(client: ProtocolClient) -> None:
    with suppress(ConnectionClosed):
        await client.send(type="record")  # there is none
        await client.next_error()


def test_workers_share_a_port(cluster: PostgresServer) -> None:
    server = Server(cluster.new_database(), ("--bot-pause", "0", "--workers", "2"))
    server.start()

    async def play() -> None:
        assert server.process is not None
        workers = children(server.process.pid)
        assert len(workers) == 2
        table, host = server.new_table("/tables")
        async with AsyncExitStack() as stack:
            tables = [server.new_table("/tables") for _ in range(6)]
            clients = [await stack.enter_async_context(join_table(server, *one)) for one in tables]
            os.kill(workers[1], signal.SIGSTOP)  # for good: whoever is there must not wait for it
            await asyncio.gather(*[answered_or_cut(client) for client in clients])
        await sit_again(server, table, host)
        server.process.send_signal(signal.SIGHUP)
        while set(children(server.process.pid)) & set(workers) or len(children(server.process.pid)) < 2:
            await sit_again(server, table, host)

    try:
        run(play())
    finally:
        server.stop()
