"""The journal in an SQL database. Every test with a `database_url` runs on SQLite and PostgreSQL."""

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

# A program that appends to fifty tables at once, and writes each acknowledged entry to standard output.
WRITER = """
import asyncio, os, sys
from argentum.rooms.log.sql import SqlJournal

async def write(log, table):
    for seq in range(1_000_000):
        await log.append(table, seq, "move", {"number": seq})
        os.write(1, f"{table} {seq}\\n".encode())

async def main():
    log = SqlJournal.open(sys.argv[1])
    await asyncio.gather(*[write(log, f"t{index}") for index in range(50)])

asyncio.run(main())
"""

LATER = 1e12  # a Unix time in the far future


def run(main: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 120))


@asynccontextmanager
async def open_journal(url: str) -> AsyncIterator[SqlJournal]:
    log = SqlJournal.open(url)
    try:
        yield log
    finally:
        await log.close()


@contextmanager
def lock_first_entry(url: str) -> Iterator[None]:
    """Write the first entry of table "held" in a transaction that ends at the exit; other appends to it wait."""
    with closing(connect(url)) as connection:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO entries(table_id, seq, kind, body, at) VALUES ('held', 0, 'ours', 'null', 0)")
        yield
        connection.execute("COMMIT")


def table_names(log: SqlJournal) -> list[str]:
    return [table for table, _ in log.all_entries()]


def test_appended_entries_are_read_back(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
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


def test_entries_are_read_back_after_reopening(database_url: str) -> None:
    async def write() -> None:
        async with open_journal(database_url) as log:
            entry_ids = [(index, seq) for seq in range(60) for index in range(50)]
            await asyncio.gather(*[log.append(f"t{index:02}", seq, "move", index) for index, seq in entry_ids])

    async def read() -> None:
        async with open_journal(database_url) as log:
            tables = dict(log.all_entries())
            assert list(tables) == [f"t{index:02}" for index in range(50)]
            for index, entries in enumerate(tables.values()):
                assert [(entry.seq, entry.body) for entry in entries] == [(seq, index) for seq in range(60)]

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
def test_any_json_body_is_stored_unchanged(database_url: str, body: object) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            await log.append("Wölfe 🐺 '?%s", 0, "Zug ☾", body)
            [[table, [entry]]] = log.all_entries()
            assert (table, entry.kind, entry.body) == ("Wölfe 🐺 '?%s", "Zug ☾", body)
            assert log.entries(table) == [entry]

    run(main())


def test_bodies_that_are_not_json_are_refused(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            with pytest.raises(TypeError):
                await log.append("wolf", 0, "move", {1, 2})
            with pytest.raises(ValueError, match="JSON"):
                await log.append("wolf", 0, "move", float("nan"))
            assert table_names(log) == []

    run(main())


def test_a_body_changed_after_append_is_stored_as_it_was_before(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            body = ["before"]
            with lock_first_entry(database_url):
                appends = [asyncio.create_task(log.append(table, 0, "move", body)) for table in ("held", "wolf")]
                await asyncio.sleep(0)  # The appends now wait.
                body[0] = "after"
            await asyncio.wait(appends)
            assert log.entries("wolf")[0].body == ["before"]

    run(main())


def test_a_conflict_changes_nothing_and_does_not_fail_other_appends(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            await log.append("wolf", 0, "move", "first")
            entry_ids = [("held", 0), ("wolf", 0), ("wolf", 1), ("wolf", 1), ("moon", 0), ("wolf", 2)]
            with lock_first_entry(database_url):
                appends = [
                    asyncio.create_task(log.append(*entry_id, "move", index))
                    for index, entry_id in enumerate(entry_ids)
                ]
                await asyncio.sleep(0)  # The appends now wait for one commit.
            outcomes = await asyncio.gather(*appends, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [
                EntryConflict,
                EntryConflict,
                type(None),
                EntryConflict,
                type(None),
                type(None),
            ]
            assert str(outcomes[1]) == "table wolf has an entry 0"
            assert [(entry.seq, entry.body) for entry in log.entries("wolf")] == [(0, "first"), (1, 2), (2, 5)]
            assert [entry.kind for entry in log.entries("held")] == ["ours"]
            assert len(log.entries("moon")) == 1

    run(main())


def test_many_appends_share_a_commit(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    commits: list[int] = []
    transaction = SqlJournal._run_transaction

    def count_statements(log: SqlJournal, statements: list[_Statement]) -> list[int | LogError]:
        commits.append(len(statements))
        return transaction(log, statements)

    monkeypatch.setattr(SqlJournal, "_run_transaction", count_statements)

    async def main() -> None:
        async with open_journal(database_url) as log:
            await asyncio.gather(*[log.append(f"t{index}", 0, "move", index) for index in range(2000)])
            assert len(table_names(log)) == sum(commits) == 2000
            assert len(commits) < 100

    run(main())


def test_any_thread_can_read_without_waiting_for_writes(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            await log.append("wolf", 0, "move", "there")
            with lock_first_entry(database_url):
                append = asyncio.create_task(log.append("held", 0, "move", None))
                reads = [asyncio.to_thread(log.entries, "wolf") for _ in range(20)]
                assert [entry.body for entries in await asyncio.gather(*reads) for entry in entries] == ["there"] * 20
                assert not append.done()
            with pytest.raises(EntryConflict):
                await append

    run(main())


def test_deleting_a_table_leaves_the_others(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            for table in ("wolf", "wolf2", "moon"):
                await log.append(table, 0, "open", table)
                await log.append(table, 1, "move", table)
            await log.delete_older("wolf", LATER)
            await log.delete_older("nobody", LATER)
            assert table_names(log) == ["moon", "wolf2"]
            await log.append("wolf", 0, "open", "again")
            assert [entry.body for entry in log.entries("wolf")] == ["again"]

    run(main())


def test_a_recently_written_table_is_not_deleted(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            began = time.time()
            await log.append("wolf", 0, "open", "here")
            assert not await log.delete_older("wolf", began)
            assert [entry.body for entry in log.entries("wolf")] == ["here"]
            assert await log.delete_older("wolf", LATER)
            assert log.entries("wolf") == []

    run(main())


def test_statements_on_one_table_keep_their_order(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            for index in range(50):
                await asyncio.gather(
                    log.append("wolf", 0, "move", index),
                    log.delete_older("wolf", LATER),
                    log.append("wolf", 0, "move", index + 0.5),
                )
                assert [entry.body for entry in log.entries("wolf")] == [index + 0.5]
                await log.delete_older("wolf", LATER)

    run(main())


def test_of_two_servers_that_append_the_same_entry_one_succeeds(database_url: str) -> None:
    entry_ids = [(f"t{index}", seq) for index in range(100) for seq in range(4)]
    reversed_ids = sorted(entry_ids, key=lambda entry_id: -int(entry_id[0][1:]))  # An opposite order could deadlock.
    appended = [("held", 0, "one"), *[(*entry_id, "one") for entry_id in entry_ids]]
    appended += [("held", 0, "other"), *[(*entry_id, "other") for entry_id in reversed_ids]]

    async def main() -> None:
        async with open_journal(database_url) as first_journal, open_journal(database_url) as second_journal:
            logs = {"one": first_journal, "other": second_journal}
            with lock_first_entry(database_url):
                appends = [
                    asyncio.create_task(logs[server].append(table, seq, "move", server))
                    for table, seq, server in appended
                ]
                await asyncio.sleep(0)  # The appends now wait.
            outcomes = await asyncio.gather(*appends, return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {type(None), EntryConflict}
            successes = [act for act, outcome in zip(appended, outcomes, strict=True) if outcome is None]
            assert len(successes) == len(entry_ids)
            stored = [
                (table, entry.seq, entry.body) for table, entries in first_journal.all_entries() for entry in entries
            ]
            assert sorted(stored) == sorted([("held", 0, None), *successes])

    run(main())


def test_servers_may_start_together_on_a_new_database(database_url: str) -> None:
    barrier = threading.Barrier(8)

    def start(index: int) -> None:
        async def main() -> None:
            barrier.wait()
            async with open_journal(database_url) as log:
                await log.append("wolf", index, "move", index)

        run(main())

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(start, range(8)))

    async def main() -> None:
        async with open_journal(database_url) as log:
            assert [entry.seq for entry in log.entries("wolf")] == list(range(8))

    run(main())


def test_opening_waits_for_a_server_that_is_creating_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "log.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        main_thread, sleep = threading.current_thread(), time.sleep

        def wait(seconds: float) -> None:
            if threading.current_thread() is main_thread:
                other.execute("COMMIT")  # The other server finishes during the wait.
            else:  # This is the thread of the watchdog.
                sleep(seconds)

        monkeypatch.setattr(time, "sleep", wait)

        async def main() -> None:
            async with open_journal(path) as log:
                await log.append("wolf", 0, "move", None)

        run(main())
        assert not other.in_transaction


def test_acknowledged_entries_survive_a_killed_server(database_url: str) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, database_url], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(1000)]
        server.kill()
        lines += server.stdout.read().splitlines(keepends=True)
    acknowledged = [line.split() for line in lines if line.endswith("\n")]
    assert len(acknowledged) >= 1000

    async def main() -> None:
        async with open_journal(database_url) as log:
            tables = dict(log.all_entries())
            for table, seq in acknowledged:
                assert tables[table][int(seq)].body == {"number": int(seq)}
            for entries in tables.values():
                assert [entry.seq for entry in entries] == list(range(len(entries)))

    run(main())


def test_sqlite_syncs_every_commit_to_disk(tmp_path: Path) -> None:
    with closing(sqlite(str(tmp_path / "log.db")).connect()) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert connection.execute("PRAGMA synchronous").fetchall() == [(2,)]  # FULL


def test_appends_fail_while_the_database_fails_and_work_afterwards(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            await log.append("wolf", 0, "move", "before")
            with closing(connect(database_url)) as connection:
                connection.execute("ALTER TABLE entries RENAME TO hidden")
                outcomes = await asyncio.gather(
                    *[log.append("wolf", seq, "move", "lost") for seq in range(1, 20)], return_exceptions=True
                )
                assert {type(outcome) for outcome in outcomes} == {LogError}
                with pytest.raises(LogError, match="entries"):
                    log.entries("wolf")
                connection.execute("ALTER TABLE hidden RENAME TO entries")
            await log.append("wolf", 1, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before", "after"]

    run(main())


def test_a_full_disk_fails_appends_until_there_is_space(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_journal(str(tmp_path / "log.db")) as log:
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


def test_ping_fails_on_a_full_disk(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_journal(str(tmp_path / "log.db")) as log:
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


def test_a_restart_of_postgresql_between_queries_goes_unnoticed(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with open_journal(cluster.new_database()) as log:
            await log.append("wolf", 0, "move", "before")
            assert len(log.entries("wolf")) == 1
            cluster.stop()
            cluster.start()
            assert len(log.entries("wolf")) == 1
            await log.append("wolf", 1, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before", "after"]

    run(main())


def test_a_database_of_another_program_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    for index, sql in enumerate(("CREATE TABLE notes(text)", "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT)")):
        file = tmp_path / f"{index}.db"
        with closing(sqlite3.connect(file)) as other:
            other.execute(sql)
        before = file.read_bytes()
        with pytest.raises(LogError, match="is a database of another program; name another file with --database"):
            SqlJournal.open(str(file))
        assert file.read_bytes() == before


def test_the_journal_reconnects_after_a_crash_of_postgresql(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with open_journal(cluster.new_database()) as log:
            await asyncio.gather(*[log.append("wolf", seq, "move", "before") for seq in range(100)])
            cluster.stop()
            try:
                for _ in range(2):  # First the broken connection fails, then a new one.
                    with pytest.raises(LogError, match="PostgreSQL failed"):
                        await log.append("wolf", 100, "move", "lost")
                    with pytest.raises(LogError, match="PostgreSQL failed"):
                        log.entries("wolf")
            finally:
                cluster.start()
            await log.append("wolf", 100, "move", "after")
            assert [entry.body for entry in log.entries("wolf")] == ["before"] * 100 + ["after"]

    run(main())


def test_a_postgresql_database_without_an_encoding_stores_unicode(cluster: PostgresServer) -> None:
    async def main() -> None:
        async with open_journal(cluster.new_database("TEMPLATE template0 ENCODING 'SQL_ASCII'")) as log:
            await log.append("Wölfe", 0, "Zug", "☾")
            assert [entry.body for entry in log.entries("Wölfe")] == ["☾"]
            assert table_names(log) == ["Wölfe"]

    run(main())


def test_a_cancelled_append_does_not_disturb_the_log(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            with lock_first_entry(database_url):
                tables = ("held", "moon", "wolf")
                appends = [asyncio.create_task(log.append(table, 0, "move", None)) for table in tables]
                await asyncio.sleep(0)  # The appends now wait.
                appends[1].cancel()
            await asyncio.wait(appends)
            assert appends[1].cancelled()
            assert appends[2].exception() is None
            await log.append("wolf", 1, "move", "after")
            assert len(log.entries("wolf")) == 2

    run(main())


def test_an_append_may_finish_after_its_event_loop_has_ended(database_url: str) -> None:
    async def start_append(log: SqlJournal) -> None:
        task = asyncio.create_task(log.append("held", 0, "move", None))
        await asyncio.sleep(0)
        assert not task.done()

    async def main(log: SqlJournal) -> None:
        await log.append("wolf", 0, "move", "after")
        assert len(log.entries("wolf")) == 1
        await log.close()

    log = SqlJournal.open(database_url)
    with lock_first_entry(database_url):
        run(start_append(log))
    run(main(log))


def test_closing_writes_pending_entries(database_url: str) -> None:
    async def main() -> None:
        log = SqlJournal.open(database_url)
        appends = [asyncio.create_task(log.append("wolf", seq, "move", seq)) for seq in range(500)]
        await asyncio.sleep(0)  # The appends now wait.
        await log.close()
        await asyncio.gather(*appends)
        await log.close()
        with pytest.raises(LogError, match="the log is closed"):
            await log.append("wolf", 500, "move", 500)
        with pytest.raises(LogError, match="the log is closed"):
            log.entries("wolf")
        async with open_journal(database_url) as reopened:
            assert [entry.seq for entry in reopened.entries("wolf")] == list(range(500))

    run(main())


def test_a_log_of_another_version_is_refused(database_url: str) -> None:
    async def main() -> None:
        async with open_journal(database_url) as log:
            await log.append("wolf", 0, "move", "kept")
        with closing(connect(database_url)) as connection:
            connection.execute("UPDATE meta SET value = '2' WHERE name = 'version'")
            with pytest.raises(LogError, match="has version 2 of the log, and this Argentum reads version 1"):
                SqlJournal.open(database_url)
            connection.execute("UPDATE meta SET value = '1' WHERE name = 'version'")
        async with open_journal(database_url) as log:
            assert len(log.entries("wolf")) == 1

    run(main())
