"""The log keeps what it has acknowledged, whatever happens. Every test with a `database_url` runs on both databases."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from argentum.rooms.log.databases import LogError, sqlite
from argentum.rooms.log.journal import EntryConflict
from argentum.rooms.log.sql import SqlJournal, _Statement
from tests.support.databases import PostgresServer, connect

# Appends to fifty tables at once, and says on its output what was acknowledged.
WRITER = """
import asyncio, os, sys
from argentum.rooms.log.sql import SqlJournal

async def write(log, table):
    for seq in range(1_000_000):
        await log.append(table, seq, "move", {"nth": seq})
        os.write(1, f"{table} {seq}\\n".encode())

async def main():
    log = SqlJournal.open(sys.argv[1])
    await asyncio.gather(*[write(log, f"t{nth}") for nth in range(50)])

asyncio.run(main())
"""

LATER = 1e12  # a Unix time that nobody will see


def run(main: Coroutine[None, None, None]) -> None:
    """Run it; who waits for an answer that does not come fails."""
    asyncio.run(asyncio.wait_for(main, 120))


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SqlJournal]:
    log = SqlJournal.open(url)
    try:
        yield log
    finally:
        await log.close()


@contextmanager
def held(url: str) -> Iterator[None]:
    """Within, an append to the table "held" waits for us: we are about to write its first entry, and do."""
    with closing(connect(url)) as connection:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO entries(table_id, seq, kind, body, at) VALUES ('held', 0, 'ours', 'null', 0)")
        yield
        connection.execute("COMMIT")


def tables(log: SqlJournal) -> list[str]:
    return [table for table, _ in log.all_entries()]


def test_what_is_appended_is_there(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            before = time.time()
            await log.append("wolf", 0, "open", {"deck": "BCD"})
            await log.append("wolf", 1, "move", ["draw"])
            await log.append("moon", 7, "move", None)
            entries = log.entries("wolf")
            assert [(entry.seq, entry.kind, entry.body) for entry in entries] == [
                (0, "open", {"deck": "BCD"}),
                (1, "move", ["draw"]),
            ]
            assert before <= entries[0].at <= entries[1].at <= time.time()
            assert dict(log.all_entries()) == {"moon": log.entries("moon"), "wolf": entries}
            assert log.entries("nobody") == []

    run(main())


def test_a_log_is_read_when_it_is_opened_again(database_url: str) -> None:
    async def write() -> None:
        async with opened(database_url) as log:
            places = [(nth, seq) for seq in range(60) for nth in range(50)]
            await asyncio.gather(*[log.append(f"t{nth:02}", seq, "move", nth) for nth, seq in places])

    async def read() -> None:
        async with opened(database_url) as log:
            tables = dict(log.all_entries())
            assert list(tables) == [f"t{nth:02}" for nth in range(50)]
            for nth, entries in enumerate(tables.values()):
                assert [(entry.seq, entry.body) for entry in entries] == [(seq, nth) for seq in range(60)]

    run(write())
    run(read())


@pytest.mark.parametrize(
    "body",
    [
        {"name": "Jürgen ☾ 🐺 狼", "half": "\ud83d", "nothing": "\x00", "quotes": "'\"%s ? \\"},
        {"deep": [[[{"": [None, True, -1, 0.1, 2**70]}]]]},
        ["x" * 5_000_000],
        "",
    ],
    ids=["unicode", "deep", "big", "empty"],
)
def test_bodies_come_back_as_they_went(database_url: str, body: object) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            await log.append("Wölfe 🐺 '?%s", 0, "Zug ☾", body)
            [[table, [entry]]] = log.all_entries()
            assert (table, entry.kind, entry.body) == ("Wölfe 🐺 '?%s", "Zug ☾", body)
            assert log.entries(table) == [entry]

    run(main())


def test_what_json_cannot_say_is_refused(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            with pytest.raises(TypeError):
                await log.append("wolf", 0, "move", {1, 2})
            with pytest.raises(ValueError, match="JSON"):
                await log.append("wolf", 0, "move", float("nan"))
            assert tables(log) == []

    run(main())


def test_a_body_is_written_as_it_was_when_it_was_appended(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            body = ["before"]
            with held(database_url):
                appends = [asyncio.create_task(log.append(table, 0, "move", body)) for table in ("held", "wolf")]
                await asyncio.sleep(0)  # now they wait
                body[0] = "after"
            await asyncio.wait(appends)
            assert log.entries("wolf")[0].body == ["before"]

    run(main())


def test_a_conflict_changes_nothing_and_stops_no_other_write(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            await log.append("wolf", 0, "move", "first")
            acts = [("held", 0), ("wolf", 0), ("wolf", 1), ("wolf", 1), ("moon", 0), ("wolf", 2)]
            with held(database_url):
                appends = [asyncio.create_task(log.append(*act, "move", nth)) for nth, act in enumerate(acts)]
                await asyncio.sleep(0)  # now they wait, for one commit
            done = await asyncio.gather(*appends, return_exceptions=True)
            assert [type(outcome) for outcome in done] == [
                EntryConflict,
                EntryConflict,
                type(None),
                EntryConflict,
                type(None),
                type(None),
            ]
            assert str(done[1]) == "table wolf has an entry 0"
            assert [(entry.seq, entry.body) for entry in log.entries("wolf")] == [(0, "first"), (1, 2), (2, 5)]
            assert [entry.kind for entry in log.entries("held")] == ["ours"]
            assert len(log.entries("moon")) == 1

    run(main())


def test_many_appends_share_a_commit(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    commits: list[int] = []
    transaction = SqlJournal._transaction

    def counted(log: SqlJournal, acts: list[_Statement]) -> list[int | LogError]:
        commits.append(len(acts))
        return transaction(log, acts)

    monkeypatch.setattr(SqlJournal, "_transaction", counted)

    async def main() -> None:
        async with opened(database_url) as log:
            await asyncio.gather(*[log.append(f"t{nth}", 0, "move", nth) for nth in range(2000)])
            assert len(tables(log)) == sum(commits) == 2000
            assert len(commits) < 100

    run(main())


def test_reading_does_not_wait_for_writing_and_may_be_done_by_any_thread(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            await log.append("wolf", 0, "move", "there")
            with held(database_url):
                append = asyncio.create_task(log.append("held", 0, "move", None))
                reads = [asyncio.to_thread(log.entries, "wolf") for _ in range(20)]
                assert [entry.body for entries in await asyncio.gather(*reads) for entry in entries] == ["there"] * 20
                assert not append.done()
            with pytest.raises(EntryConflict):
                await append

    run(main())


def test_forgetting_a_table_leaves_the_others(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            for table in ("wolf", "wolf2", "moon"):
                await log.append(table, 0, "open", table)
                await log.append(table, 1, "move", table)
            await log.delete_older("wolf", LATER)
            await log.delete_older("nobody", LATER)
            assert tables(log) == ["moon", "wolf2"]
            await log.append("wolf", 0, "open", "again")
            assert [entry.body for entry in log.entries("wolf")] == ["again"]

    run(main())


def test_a_recently_written_table_is_not_deleted(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            began = time.time()
            await log.append("wolf", 0, "open", "here")
            assert not await log.delete_older("wolf", began)
            assert [entry.body for entry in log.entries("wolf")] == ["here"]
            assert await log.delete_older("wolf", LATER)
            assert log.entries("wolf") == []

    run(main())


def test_acts_on_one_table_keep_their_order(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            for nth in range(50):
                await asyncio.gather(
                    log.append("wolf", 0, "move", nth),
                    log.delete_older("wolf", LATER),
                    log.append("wolf", 0, "move", nth + 0.5),
                )
                assert [entry.body for entry in log.entries("wolf")] == [nth + 0.5]
                await log.delete_older("wolf", LATER)

    run(main())


def test_two_servers_race_for_each_entry_and_one_wins(database_url: str) -> None:
    places = [(f"t{nth}", seq) for nth in range(100) for seq in range(4)]
    backwards = sorted(places, key=lambda place: -int(place[0][1:]))  # which could lock each other out
    asked = [("held", 0, "one"), *[(*place, "one") for place in places]]
    asked += [("held", 0, "other"), *[(*place, "other") for place in backwards]]

    async def main() -> None:
        async with opened(database_url) as one, opened(database_url) as other:
            logs = {"one": one, "other": other}
            with held(database_url):
                appends = [asyncio.create_task(logs[who].append(table, seq, "move", who)) for table, seq, who in asked]
                await asyncio.sleep(0)  # now they wait
            done = await asyncio.gather(*appends, return_exceptions=True)
            assert {type(outcome) for outcome in done} == {type(None), EntryConflict}
            won = [act for act, outcome in zip(asked, done, strict=True) if outcome is None]
            assert len(won) == len(places)
            there = [(table, entry.seq, entry.body) for table, entries in one.all_entries() for entry in entries]
            assert sorted(there) == sorted([("held", 0, None), *won])

    run(main())


def test_servers_may_start_together_on_a_new_database(database_url: str) -> None:
    together = threading.Barrier(8)

    def start(nth: int) -> None:
        async def main() -> None:
            together.wait()
            async with opened(database_url) as log:
                await log.append("wolf", nth, "move", nth)

        run(main())

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(start, range(8)))

    async def main() -> None:
        async with opened(database_url) as log:
            assert [entry.seq for entry in log.entries("wolf")] == list(range(8))

    run(main())


def test_a_new_file_that_another_server_is_preparing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "log.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        here, sleep = threading.current_thread(), time.sleep

        def wait(seconds: float) -> None:
            if threading.current_thread() is here:
                other.execute("COMMIT")  # while we wait, it comes to an end
            else:  # the thread that watches over databases
                sleep(seconds)

        monkeypatch.setattr(time, "sleep", wait)

        async def main() -> None:
            async with opened(path) as log:
                await log.append("wolf", 0, "move", None)

        run(main())
        assert not other.in_transaction


def test_what_was_acknowledged_outlives_the_server(database_url: str) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, database_url], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(1000)]
        server.kill()
        lines += server.stdout.read().splitlines(keepends=True)
    acknowledged = [line.split() for line in lines if line.endswith("\n")]
    assert len(acknowledged) >= 1000

    async def main() -> None:
        async with opened(database_url) as log:
            tables = dict(log.all_entries())
            for table, seq in acknowledged:
                assert tables[table][int(seq)].body == {"nth": int(seq)}
            for entries in tables.values():
                assert [entry.seq for entry in entries] == list(range(len(entries)))

    run(main())


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    with closing(sqlite(str(tmp_path / "log.db")).connect()) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert connection.execute("PRAGMA synchronous").fetchall() == [(2,)]  # FULL


def test_a_failing_database_fails_the_appends_and_nothing_else(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            await log.append("wolf", 0, "move", "before")
            with closing(connect(database_url)) as connection:
                connection.execute("ALTER TABLE entries RENAME TO hidden")
                done = await asyncio.gather(
                    *[log.append("wolf", seq, "move", "lost") for seq in range(1, 20)], return_exceptions=True
                )
                assert {type(outcome) for outcome in done} == {LogError}
                with pytest.raises(LogError, match="entries"):
                    log.entries("wolf")
                connection.execute("ALTER TABLE hidden RENAME TO entries")
            await log.append("wolf", 1, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before", "after"]

    run(main())


def test_a_full_disk(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(str(tmp_path / "log.db")) as log:
            await log.append("wolf", 0, "move", "before")
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
            try:
                with pytest.raises(LogError, match=r"log\.db failed: (disk|database)"):
                    await log.append("wolf", 1, "move", "x" * 1_000_000)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            await log.append("wolf", 1, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before", "after"]

    run(main())


def test_a_ping_of_a_full_disk_fails(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(str(tmp_path / "log.db")) as log:
            log.ping()
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
            try:
                with pytest.raises(LogError, match=r"log\.db failed: (disk|database)"):
                    log.ping()
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            log.ping()

    run(main())


def test_postgresql_restarts_while_nothing_is_asked(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with opened(cluster.new_database()) as log:
            await log.append("wolf", 0, "move", "before")
            assert len(log.entries("wolf")) == 1
            cluster.stop()
            cluster.start()
            assert len(log.entries("wolf")) == 1
            await log.append("wolf", 1, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before", "after"]

    run(main())


def test_a_database_of_another_program_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    for nth, sql in enumerate(("CREATE TABLE notes(text)", "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT)")):
        file = tmp_path / f"{nth}.db"
        with closing(sqlite3.connect(file)) as other:
            other.execute(sql)
        before = file.read_bytes()
        with pytest.raises(LogError, match="is a database of another program; name another file with --database"):
            SqlJournal.open(str(file))
        assert file.read_bytes() == before


def test_postgresql_crashes_and_comes_back(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with opened(cluster.new_database()) as log:
            await asyncio.gather(*[log.append("wolf", seq, "move", "before") for seq in range(100)])
            cluster.stop()
            try:
                for _ in range(2):  # the connection that broke, and a new one that cannot be made
                    with pytest.raises(LogError, match="PostgreSQL failed"):
                        await log.append("wolf", 100, "move", "lost")
                    with pytest.raises(LogError, match="PostgreSQL failed"):
                        log.entries("wolf")
            finally:
                cluster.start()
            await log.append("wolf", 100, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before"] * 100 + ["after"]

    run(main())


def test_postgresql_without_an_encoding(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with opened(cluster.new_database("TEMPLATE template0 ENCODING 'SQL_ASCII'")) as log:
            await log.append("Wölfe", 0, "Zug", "☾")
            assert [entry.body for entry in log.entries("Wölfe")] == ["☾"]
            assert tables(log) == ["Wölfe"]

    run(main())


def test_a_cancelled_append_does_not_disturb_the_log(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            with held(database_url):
                tables = ("held", "moon", "wolf")
                appends = [asyncio.create_task(log.append(table, 0, "move", None)) for table in tables]
                await asyncio.sleep(0)  # now they wait
                appends[1].cancel()
            await asyncio.wait(appends)
            assert appends[1].cancelled()
            assert appends[2].exception() is None
            await log.append("wolf", 1, "move", "after")
            assert len(log.entries("wolf")) == 2

    run(main())


def test_an_append_may_outlive_its_loop(database_url: str) -> None:
    async def ask(log: SqlJournal) -> None:
        task = asyncio.create_task(log.append("held", 0, "move", None))
        await asyncio.sleep(0)
        assert not task.done()

    async def main(log: SqlJournal) -> None:
        await log.append("wolf", 0, "move", "after")
        assert len(log.entries("wolf")) == 1
        await log.close()

    log = SqlJournal.open(database_url)
    with held(database_url):
        run(ask(log))
    run(main(log))


def test_closing_writes_what_waits(database_url: str) -> None:
    async def main() -> None:
        log = SqlJournal.open(database_url)
        appends = [asyncio.create_task(log.append("wolf", seq, "move", seq)) for seq in range(500)]
        await asyncio.sleep(0)  # now they wait
        await log.close()
        await asyncio.gather(*appends)
        await log.close()
        with pytest.raises(LogError, match="the log is closed"):
            await log.append("wolf", 500, "move", 500)
        with pytest.raises(LogError, match="the log is closed"):
            log.entries("wolf")
        async with opened(database_url) as again:
            assert [entry.seq for entry in again.entries("wolf")] == list(range(500))

    run(main())


def test_a_log_of_another_version_is_refused(database_url: str) -> None:
    async def main() -> None:
        async with opened(database_url) as log:
            await log.append("wolf", 0, "move", "kept")
        with closing(connect(database_url)) as connection:
            connection.execute("UPDATE meta SET value = '2' WHERE name = 'version'")
            with pytest.raises(LogError, match="has version 2 of the log, and this Argentum reads version 1"):
                SqlJournal.open(database_url)
            connection.execute("UPDATE meta SET value = '1' WHERE name = 'version'")
        async with opened(database_url) as log:
            assert len(log.entries("wolf")) == 1

    run(main())


@pytest.mark.parametrize(
    "url", ["", "sqlite://", "sqlite:///", "sqlite:///:memory:", "mysql://wolf:secret@host/name", "http://host"]
)
def test_urls_that_name_no_database(url: str) -> None:
    with pytest.raises(LogError, match="--database takes an SQLite file, or a URL") as refusal:
        SqlJournal.open(url)
    assert "secret" not in str(refusal.value)


def test_databases_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database at all. " * 100)
    for path, why in (
        (tmp_path / "none" / "log.db", "unable to open database file"),
        (tmp_path, "unable to open database file"),
        (tmp_path / "text", "file is not a database"),
    ):
        with pytest.raises(LogError, match=f"the database .*{path.name} failed: {why}"):
            SqlJournal.open(str(path))
    for url in ("postgresql://wolf:secret@127.0.0.1:1/none", "postgres://wolf:secret@127.0.0.1:1/none"):
        with pytest.raises(LogError, match=r"the database PostgreSQL failed: .*127\.0\.0\.1") as refusal:
            SqlJournal.open(url)
        assert "secret" not in str(refusal.value)


def test_postgresql_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LogError, match=r"pip install 'argentum\[postgres\]'"):
        SqlJournal.open("postgresql://wolf@host/name")


def test_a_path_and_a_url_name_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def main() -> None:
        async with opened("log.db") as log:
            await log.append("wolf", 0, "move", "one")
        for url in ("sqlite:///log.db", f"sqlite:///{tmp_path}/log.db", str(tmp_path / "log.db")):
            async with opened(url) as log:
                assert [entry.body for entry in log.entries("wolf")] == ["one"]

    run(main())
    with closing(sqlite3.connect("log.db")) as connection:
        assert connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchall() == [("1",)]
