"""Several servers on one PostgreSQL database."""

import asyncio
import json
import re
import signal
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from argentum.cli import main
from argentum.rooms import lobby
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError, database_for
from argentum.rooms.log.journal import WriterFenced
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import OwnedElsewhere
from argentum.rooms.registry import RoomRegistry
from argentum.web.cluster.leases import GONE_TIMEOUT, LEASE_TIMEOUT, STAY_SECONDS, Leases
from argentum.web.cluster.membership import ClusterMembership
from tests.support.databases import PostgresServer, owner_by_table
from tests.support.server import TIMEOUT, ProtocolClient, Server, join_table, open_socket


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


@asynccontextmanager
async def joined_cluster(url: str, **options: Any) -> AsyncIterator[tuple[RoomRegistry, ClusterMembership, SqlJournal]]:
    """Run a member of the cluster in this process; yield its registry, membership and journal."""
    log = SqlJournal.open(url)
    membership = ClusterMembership(url, log)
    registry = RoomRegistry(log, ownership=membership, **options)
    await membership.open(registry, lambda _with_tables: registry.summary())
    yield registry, membership, log
    await membership.close()
    await registry.close()
    await log.close()
    await membership.leave()


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


def test_a_table_moves_to_the_server_that_is_asked_for_it(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/tables", name="Ann")
        async with join_table(first, table, host) as ann:
            owner = owner_by_table(first.database)[table]
            async with join_table(second, table, derive_key(host, "B"), name="Bo") as bo:
                assert (await wait_for_close(ann))[0] == 1013
                assert owner_by_table(first.database)[table] != owner
                async with join_table(second, table, host) as ann_again:
                    await wait_for_state(bo, seq=ann_again.state["seq"])
                    await ann_again.send(type="start")
                    await wait_for_state(bo, stage="playing")
                    await wait_for_state(ann_again, stage="playing")
                    seq = bo.state["seq"] + 20
                    clients = ((ann_again, 1), (bo, 2))
                    await asyncio.gather(*[play_until_entry(client, seq, Random(seed)) for client, seed in clients])

    run(play())


def test_a_table_that_has_just_moved_is_not_moved_again(cluster: PostgresServer, tmp_path: Path) -> None:
    url = cluster.new_database()

    async def play(first: Server, second: Server) -> None:
        table, host = first.new_table("/tables")
        bo = derive_key(host, "B")
        async with join_table(second, table, host) as ann:  # The table moves.
            with pytest.raises(ConnectionClosed, match="1013"):
                async with join_table(first, table, bo):
                    pass
            closed = CliRunner().invoke(main, ["admin", "--url", first.origin, "close", table])
            assert closed.output == f"Error: Another server is using table {table}. Please try again.\n"
            await ann.send(type="arrange", seats=3)
            await wait_for_state(ann, seq=ann.state["seq"] + 1)
            assert await reconnect(first, table, bo) < STAY_SECONDS + TIMEOUT
            assert (await wait_for_close(ann))[0] == 1013

    with (tmp_path / "stderr").open("w+b") as stderr, ExitStack() as stack:
        pair = Server(url, stderr=stderr), Server(url)
        for server in pair:
            server.start()
            stack.callback(server.stop)
        run(play(*pair))
        stderr.seek(0)
        assert stderr.read().count(b"the proxy does not route requests by table") == 1


def test_a_table_does_not_move_for_strangers_that_no_proxy_routes(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def first_answer(path: str, table: str, key: str) -> dict[str, Any]:
        async with open_socket(second, path) as socket_:
            client = ProtocolClient(socket_)
            await client.send(type="join", table=table, key=key)
            return await client.receive()

    async def play() -> None:
        table, host = first.new_table("/tables")
        async with join_table(first, table, host) as ann:
            await ann.send(type="arrange", listed=True)
            await wait_for_state(ann, seq=2)
            owner = owner_by_table(first.database)[table]
            for key in ("", "guess"):
                assert (await first_answer("/socket", table, key))["code"] == "no seat"
            assert (await first_answer("/socket/quiet-owl", table, host))["code"] == "no seat"
            assert (await first_answer("/socket", "quiet-owl-000000", host))["code"] == "no seat"
            assert owner_by_table(first.database)[table] == owner
            assert (await first_answer("/socket", table, derive_key(host, "B")))["type"] == "update"
            assert owner_by_table(first.database)[table] != owner

    run(play())


def test_reading_the_state_of_a_table_does_not_move_it(servers: tuple[Server, Server]) -> None:
    first, second = servers

    async def play() -> None:
        table, host = first.new_table("/play", name="Ann")
        async with join_table(first, table, host) as ann:
            owner = owner_by_table(first.database)[table]
            assert second.request(f"/table/{table}").status == 200
            rows = [json.loads(server.request("/my-tables", {"tables": f"{table} {host}"}).text) for server in servers]
            assert rows[0] == rows[1]
            assert [(row["name"], row["turn"]) for row in rows[1]] == [(table, True)]
            assert json.loads(second.request("/my-tables", {"tables": f"{table} guess"}).text) == []
            await ann.send_move("peek A1 A2")
            while ann.state["seq"] < 3:
                await ann.receive()
            assert owner_by_table(first.database)[table] == owner

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
            response = second.request("/quick", {"name": "Bo"}, "127.9.0.2")
            assert (response.status, response.headers["Location"]) == (307, f"/join/{table}?tried=")
            response = first.request(response.headers["Location"], {"name": "Bo"}, "127.9.0.2")
            assert response.status == 303
            assert response.headers["Location"].startswith(f"/table/{table}#")
            key = response.headers["Location"].partition("#")[2]
            async with join_table(first, table, key) as bo:
                assert bo.state["seats"][1]["name"] == "Bo"
            assert first.request(f"/join/{table}", {"name": "Cy"}, "127.9.0.3").status == 409
            # Without a seat, the browser is sent back, and gets another table.
            response = first.request(f"/join/{table}?tried=", {"name": "Cy"}, "127.9.0.3")
            assert (response.status, response.headers["Location"]) == (307, f"/quick?tried=.{table}")
            response = second.request(response.headers["Location"], {"name": "Cy"}, "127.9.0.3")
            assert response.status == 303
            assert table not in response.headers["Location"]

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

    deadline = time.monotonic() + 2 * TIMEOUT
    while server_count() < 2:  # A server learns of others with its heartbeats, twice a second.
        assert time.monotonic() < deadline
    table, _ = first.new_table("/play")
    assert f"{table}  playing" in CliRunner().invoke(main, [*admin, "tables"]).output
    assert server_count() == 2
    assert CliRunner().invoke(main, [*admin, "ban", "127.8.0.1"]).exit_code == 0
    assert second.request("/", address="127.8.0.1").status == 503
    while first.request("/", address="127.8.0.1").status != 503:  # It reads the bans every five seconds.
        assert time.monotonic() < deadline
    closed = CliRunner().invoke(main, [*admin, "close", table])
    assert closed.output == f"Table {table} is closed, and its log deleted.\n"
    assert [server.request(f"/table/{table}").status for server in servers] == [404, 404]


def test_a_table_moves_without_a_notification_that_was_lost(servers: tuple[Server, Server]) -> None:
    first, second = servers
    table, host = first.new_table("/tables")
    with psycopg.connect(first.database, autocommit=True) as database:
        listeners = "FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|SELECT 1$)'"
        [[count]] = database.execute(f"SELECT count(pg_terminate_backend(pid)) {listeners}").fetchall()
        assert count >= 2
    asyncio.run(asyncio.wait_for(reconnect(second, table, host), TIMEOUT))
    assert first.request("/health").status == 200


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
        async with join_table(first, table, host) as ann:
            owner = owner_by_table(first.database)[table]
            assert first.process is not None
            first.process.send_signal(signal.SIGSTOP)
            try:
                await ann.send(type="start")  # The frozen server does not read it.
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


def test_writes_of_an_expired_server_are_refused(cluster: PostgresServer) -> None:
    url = cluster.new_database()

    async def play() -> None:
        async with joined_cluster(url) as (registry, membership, log):
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
        assert owner_by_table(url) == {}

    run(play())


def register_server(url: str, table: str, age: float = -3600.0, backend: int = 0) -> int:
    """Insert the row of a server that owns a table and had its last heartbeat `age` seconds ago; return its number."""
    with psycopg.connect(url, autocommit=True) as connection:
        insert = "INSERT INTO servers(backend, beat) VALUES (%s, now() - make_interval(secs => %s)) RETURNING number"
        [[number]] = connection.execute(insert, [backend, age]).fetchall()
        connection.execute("INSERT INTO leases VALUES (%s, %s)", [table, number])
    return int(number)


def test_a_server_whose_connection_has_ended_expires_early(cluster: PostgresServer) -> None:
    url = cluster.new_database()
    leases = Leases(database_for(url))
    asyncio.run(SqlJournal.open(url).close())
    leases.create_schema()
    with psycopg.connect(url) as connection:
        backend = connection.info.backend_pid
        slow = register_server(url, "amber-oak", GONE_TIMEOUT + 0.1, backend)
        dead = register_server(url, "amber-ash", LEASE_TIMEOUT + 0.1, backend)
        alive = register_server(url, "amber-elm", 0.0)
        assert leases.expire_others(alive) == [dead]
    deadline = time.monotonic() + TIMEOUT
    while leases.expire_others(alive) != [slow]:
        assert time.monotonic() < deadline
    assert owner_by_table(url) == {"amber-elm": alive}
    leases.close()


def test_a_table_of_a_server_that_has_crashed_does_not_count_as_just_moved(
    cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("argentum.web.cluster.leases.STAY_SECONDS", 2 * TIMEOUT)
    url = cluster.new_database()
    asyncio.run(SqlJournal.open(url).close())
    owner, asking = Leases(database_for(url)), Leases(database_for(url))
    owner.create_schema()
    try:
        assert owner.claim("quiet-owl-1", owner.register(), new=True, moved=True)
        asking.register()
        assert not asking.request("quiet-owl-1")
        owner.close()
        deadline = time.monotonic() + TIMEOUT
        while not asking.request("quiet-owl-1"):
            assert time.monotonic() < deadline
    finally:
        owner.close()
        asking.close()


def test_old_tables_of_another_server_are_not_deleted(cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    url = cluster.new_database()

    async def sweep() -> None:
        limits = Limits(keep_days=30.0, startup_grace_minutes=-1.0)
        async with joined_cluster(url, limits=limits) as (registry, _, log):
            for name in ("amber-oak", "amber-ash"):
                await log.append(name, 0, "table", {})
            number = register_server(url, "amber-oak")
            monkeypatch.setattr("argentum.rooms.housekeeping.time", lambda: time.time() + 31 * 86400)
            await registry.housekeeper.sweep()
            assert [name for name, _ in log.all_entries()] == ["amber-oak"]
            assert owner_by_table(url) == {"amber-oak": number}

    run(sweep())


def test_a_table_that_cannot_be_restored_is_handed_over(cluster: PostgresServer) -> None:
    url = cluster.new_database()

    async def play() -> None:
        async with joined_cluster(url) as (registry, membership, log), joined_cluster(url) as (other, _, _):
            await log.append("amber-oak", 0, "table", {})
            assert await registry.find("amber-oak") is None  # Its first entry is invalid.
            assert owner_by_table(url) == {"amber-oak": membership.server_number}
            assert await other.find_or_move("amber-oak") is None
            assert owner_by_table(url) != {"amber-oak": membership.server_number}

    run(play())


def test_a_request_for_a_table_of_a_silent_server_ends(
    cluster: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.new_database()
    monkeypatch.setattr("argentum.rooms.registry.MOVE_TIMEOUT", 0.2)

    async def play() -> None:
        async with joined_cluster(url) as (registry, _, log):
            await log.append("amber-oak", 0, "table", {})
            register_server(url, "amber-oak")
            with pytest.raises(OwnedElsewhere):
                await registry.find_or_move("amber-oak")

    run(play())


def test_a_database_of_the_release_candidate_is_upgraded(cluster: PostgresServer) -> None:
    url = cluster.new_database()

    async def play() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "CREATE TABLE servers(number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
                " address TEXT NOT NULL, machine TEXT NOT NULL, told TEXT NOT NULL DEFAULT '{}',"
                " beat TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp())"
            )
            connection.execute(
                "CREATE TABLE leases(table_id TEXT PRIMARY KEY,"
                " owner BIGINT NOT NULL REFERENCES servers(number) ON DELETE CASCADE)"
            )
            connection.execute("INSERT INTO servers(address, machine) VALUES ('127.0.0.1:8500', 'ash')")
        for _ in range(2):
            async with joined_cluster(url) as (registry, membership, _):
                room, _ = await registry.create(new_arrangement())
                assert owner_by_table(url) == {room.name: membership.server_number}
                assert membership.server_number > 1

    run(play())
