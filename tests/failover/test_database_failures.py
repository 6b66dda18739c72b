"""A server whose database freezes, runs out of space, restarts, or is damaged."""

import asyncio
import logging
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from argentum.rooms import lobby
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.health import DatabaseHealth
from tests.support.databases import PostgresServer
from tests.support.server import TIMEOUT, Server, free_port, join_table, wait_until_unready


def suspend_postgres(folder: Path) -> list[int]:
    """Suspend a PostgreSQL server and then its children; return their process ids."""
    main = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    os.kill(main, signal.SIGSTOP)
    children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True, check=False).stdout.split()
    frozen = [main, *[int(child) for child in children]]
    for pid in frozen[1:]:
        os.kill(pid, signal.SIGSTOP)
    return frozen


def test_a_short_database_outage_is_not_a_lasting_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    class BrokenJournal(SqlJournal):
        def __init__(self) -> None: ...

        def ping(self) -> None:
            if broken:
                raise LogError("the disk is full")

    async def check() -> list[tuple[str, str]]:
        health = DatabaseHealth(BrokenJournal())
        return [(await health.problem(), await health.lasting_problem()) for clock[0] in (0.0, 2.0, 4.0, 7.0)]

    broken, clock = True, [0.0]
    monkeypatch.setattr("argentum.web.health.monotonic", lambda: clock[0])
    full = "the disk is full"
    assert asyncio.run(check()) == [(full, ""), (full, ""), (full, full), (full, full)]
    broken = False
    assert asyncio.run(check()) == [("", "")] * 4


@pytest.mark.long
def test_a_frozen_database_blocks_no_requests(cluster: PostgresServer, tmp_path: Path) -> None:
    with (tmp_path / "stderr").open("w+b") as stderr:
        server = Server(cluster.new_database(), stderr=stderr)
        server.start()
        table, key = server.new_table("/tables")
        assert server.request("/ready").text == "ready\n"
        frozen: list[int] = []
        try:

            async def play() -> None:
                async with join_table(server, table, key) as client:
                    frozen.extend(suspend_postgres(cluster.folder))
                    server.request("/ready")  # This result is cached.
                    await client.send(type="start")
                    error = await asyncio.wait_for(client.next_error(), TIMEOUT)
                    assert (error["code"], error["message"]) == (
                        "not saved",
                        "the move could not be saved; please try again",
                    )

            asyncio.run(play())
            assert server.request("/health").status == 503
            wait_until_unready(server)
            assert server.request("/tables", {}).status == 503
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(TIMEOUT)
        finally:
            for pid in frozen:
                os.kill(pid, signal.SIGCONT)
            server.stop()
        server.start()
        try:

            async def reconnect() -> None:
                async with join_table(server, table, key):
                    # Until it expires, the stopped server still owns the table.
                    while server.request("/health").text != "ok, 1 tables\n":
                        await asyncio.sleep(0.1)

            asyncio.run(asyncio.wait_for(reconnect(), TIMEOUT))
        finally:
            server.stop()


def test_a_full_disk_is_reported_to_players_and_by_health(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "tables.db"))
    server.start()
    assert server.process is not None
    pid = server.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)

    async def play() -> None:
        table, host = server.new_table("/tables")
        async with join_table(server, table, host) as ann, join_table(server, table, derive_key(host, "B")) as bo:
            assert server.request("/health").status == 200
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            await ann.send(type="start")
            assert (await ann.next_error())["code"] == "not saved"
            error = await bo.next_error()
            assert (error["code"], error["message"].split(",")[0]) == ("storage", "nothing can be saved right now")
            while (
                await asyncio.to_thread(server.request, "/health")
            ).status == 200:  # The result is cached for a second.
                await asyncio.sleep(0.1)
            await asyncio.to_thread(wait_until_unready, server)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
            while (await asyncio.to_thread(server.request, "/health")).status != 200:
                await asyncio.sleep(0.1)
            await ann.send(type="start")
            while bo.state["stage"] != "playing":
                await bo.receive()

    try:
        asyncio.run(asyncio.wait_for(play(), 2 * TIMEOUT))
    finally:
        server.stop()


@pytest.mark.parametrize("command", ["serve", "play"])
def test_a_second_server_on_an_sqlite_file_is_refused(tmp_path: Path, command: str) -> None:
    server = Server(str(tmp_path / "tables.db"))
    server.start()
    try:
        command_line = [sys.executable, "-m", "argentum", command, "--port", str(free_port())]
        url, env = f"sqlite:///{server.database}", dict(os.environ)
        if command == "serve":
            env["ARGENTUM_DATABASE"] = url
        else:
            command_line += ["--database", url]
        second = subprocess.run(command_line, capture_output=True, text=True, timeout=TIMEOUT, check=False, env=env)
        assert (second.returncode, second.stderr) == (
            2,
            f"Error: Another Argentum server uses {server.database}; stop it, or name another file with --database.\n",
        )
        assert server.request("/health").status == 200
    finally:
        server.kill()
    server.start()  # A killed server leaves no lock behind.
    server.stop()


def test_a_request_after_a_restart_of_postgresql_succeeds(cluster: PostgresServer) -> None:
    server = Server(cluster.new_database())
    server.start()
    try:
        server.new_table("/tables")  # Opens the connections to the database.
        cluster.stop()
        cluster.start()
        server.new_table("/tables")
    finally:
        server.stop()


@pytest.mark.parametrize("damage", ["body = '{'", "body = CAST(X'ff' AS TEXT)", "body = X'00ff'", "kind = 'tabel'"])
def test_an_invalid_row_quarantines_only_its_table(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def create_tables() -> list[str]:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        rooms = [(await registry.create(new_arrangement(opponents=1, bot="random")))[0] for _ in range(3)]
        for room in rooms:
            await lobby.start(room)
        await registry.close()
        await registry.log.close()
        return sorted(room.name for room in rooms)

    async def load_tables() -> list[str]:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        registry.load_all()
        registry.log.ping()
        loaded = sorted(registry.rooms)
        registry.rooms.clear()
        assert [name for name in names if await registry.find(name)] == loaded
        await registry.log.close()
        return loaded

    names = asyncio.run(create_tables())
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        connection.execute(f"UPDATE entries SET {damage} WHERE table_id = ? AND seq = 0", [names[1]])
    with caplog.at_level(logging.ERROR):
        loaded = asyncio.run(load_tables())
    assert loaded == [names[0], names[2]]
    assert caplog.text.count(f"table {names[1]} is set aside") == 2


def test_a_damaged_page_quarantines_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def create_tables() -> int:
        registry = RoomRegistry(SqlJournal.open(str(path)))
        for _ in range(60):
            await registry.create(new_arrangement())
        await registry.log.close()
        return len(registry.rooms)

    async def load_tables() -> int:
        registry = RoomRegistry(SqlJournal.open(str(path)))
        registry.load_all()
        await registry.log.close()
        return len(registry.rooms)

    assert asyncio.run(create_tables()) == 60
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()[0]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    assert pages > root + 3
    data = bytearray(path.read_bytes())
    data[(pages - 1) * 4096 : pages * 4096] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    assert 0 < asyncio.run(load_tables()) < 60
