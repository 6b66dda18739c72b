"""A journal in an SQL database, with batched commits."""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from argentum.rooms.entries import GameKept, GameStarted
from argentum.rooms.log.databases import (
    BUSY_TIMEOUT,
    QUERY_TIMEOUT,
    Database,
    DatabaseConnection,
    DriverConnection,
    LogError,
    database_for,
)
from argentum.rooms.log.journal import CorruptEntry, Entry, EntryConflict, WriterFenced

CLOSE_TIMEOUT = QUERY_TIMEOUT + BUSY_TIMEOUT  # seconds to wait for pending statements
MAX_BATCH = 1000  # statements in one transaction
SCHEMA_VERSION = "1"
# Its output is ASCII, which a database of any encoding can store.
ENCODER = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":"))
logger = logging.getLogger(__name__)

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS entries(table_id TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY(table_id, seq))",
    "CREATE TABLE IF NOT EXISTS bans(address TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)",
    f"INSERT INTO meta(name, value) VALUES ('version', '{SCHEMA_VERSION}') ON CONFLICT DO NOTHING",
)
CHECK_FENCE = "SELECT 1 FROM servers WHERE number = ? FOR KEY SHARE"  # nobody can expire this server until it commits
READ_VERSION = "SELECT value FROM meta WHERE name = 'version'"
# The value changes each time, because SQLite does not write an unchanged page.
CHECK_WRITABLE = (
    "INSERT INTO meta(name, value) VALUES ('probe', ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value"
)
BANS = "SELECT address FROM bans"
BAN = "INSERT INTO bans(address, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
UNBAN = "DELETE FROM bans WHERE address = ?"
ROW = "(?, ?, ?, ?, ?)"
REPLACE = (
    "UPDATE entries SET table_id = ?, seq = ?, body = ?, at = ? WHERE table_id = ? AND seq = ? AND kind = ?"
    " AND NOT EXISTS (SELECT 1 FROM entries AS last WHERE last.table_id = ? AND last.seq = ?)"
)
APPEND = f"INSERT INTO entries(table_id, seq, kind, body, at) VALUES {ROW} ON CONFLICT DO NOTHING"
# Only if the last entry is old, because another server may use the table.
DELETE_OLDER = (
    "DELETE FROM entries WHERE table_id = ? AND (SELECT MAX(at) FROM entries AS last WHERE last.table_id = ?) < ?"
)
EXPIRED = (
    "SELECT table_id FROM entries GROUP BY table_id"
    f" HAVING MAX(at) < ? AND MAX(CASE kind WHEN '{GameKept.kind}' THEN 1 ELSE 0 END) = 0"
)
UNPLAYED = (
    "SELECT table_id FROM entries GROUP BY table_id"
    f" HAVING MAX(at) < ? AND MAX(CASE kind WHEN '{GameStarted.kind}' THEN 1 ELSE 0 END) = 0"
)
ENTRIES = "SELECT seq, kind, body, at FROM entries WHERE table_id = ? ORDER BY seq"
NAMES = "SELECT DISTINCT table_id FROM entries ORDER BY table_id"
PAGE = (
    "SELECT table_id, seq, kind, body, at FROM entries WHERE (table_id, seq) > (?, ?) ORDER BY table_id, seq LIMIT 1000"
)


class _Statement(NamedTuple):
    """A statement waiting to be committed; its future gets the number of changed rows."""

    sql: str
    args: tuple[Any, ...]
    future: asyncio.Future[int]
    fence: int  # number of this server when the statement was queued


class SqlJournal:
    """A journal in SQLite or PostgreSQL. Writers number the entries, so that only one of two can append the next."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read_connection = DatabaseConnection(database)
        self._write_connection = DatabaseConnection(database)
        self._read_lock = threading.Lock()
        self._queue: SimpleQueue[_Statement | None] = SimpleQueue()  # None ends the writing thread
        self._closed = False
        self.server_number = 0  # of this server among several (see web/cluster/leases.py)
        self._thread = threading.Thread(target=self._write_batches, name="log", daemon=True)

    @classmethod
    def open(cls, url: str) -> Self:
        """Open a journal in PostgreSQL or in an SQLite file: `file.db`, `sqlite:///file.db`, `sqlite:////dir/file.db`.

        Raise `LogError` if the database cannot be used.
        """
        log = cls(database_for(url))
        try:
            log._create_schema()
        except LogError:
            log._read_connection.close()
            raise
        log._thread.start()
        return log

    def _create_schema(self) -> None:
        with self._read_connection.use() as connection:
            connection.execute(self._database.begin_exclusive)
            for sql in SCHEMA:
                connection.execute(sql)
            connection.execute("COMMIT")
        [[version]] = self._read(READ_VERSION)
        if version != SCHEMA_VERSION:
            raise LogError(
                f"the database has version {version} of the log, and this Argentum reads version {SCHEMA_VERSION}"
            )

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Append an entry; return once it is on disk. If the caller is cancelled, the entry may still be written.

        Raises `EntryConflict` if the table has an entry with this number, and `LogError` if the database fails.
        """
        if not await self._execute_write(APPEND, table, seq, kind, ENCODER.encode(body), time.time()):
            raise EntryConflict(f"table {table} has an entry {seq}")

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Replace the last entry with entry number `seq`. Raises the same errors as `append`."""
        new = (table, seq, ENCODER.encode(body), time.time())
        if not await self._execute_write(REPLACE, *new, table, seq - 1, kind, table, seq):
            raise EntryConflict(f"the last entry of table {table} is not {seq - 1}")

    async def delete_older(self, table: str, before: float) -> bool:
        return await self._execute_write(DELETE_OLDER, table, table, before) > 0

    async def execute(self, sql: str, *args: Any) -> int:
        """Run a statement after pending writes; return the number of changed rows. `args[0]` must be a table's name."""
        return await self._execute_write(sql, *args)

    def expired_tables(self, before: float) -> list[str]:
        return [table for [table] in self._read(EXPIRED, before)]

    def unplayed_tables(self, before: float) -> list[str]:
        return [table for [table] in self._read(UNPLAYED, before)]

    def entries(self, table: str) -> list[Entry]:
        """Return the entries of a table; none if it does not exist."""
        rows = self._read(ENTRIES, table)
        try:
            return _parse_entries(rows)
        except (ValueError, TypeError) as error:
            raise CorruptEntry(f"an entry of table {table} is invalid: {error}") from None

    def all_entries(self) -> Iterator[tuple[str, list[Entry]]]:
        """Yield each table with its entries. Tables that cannot be read are skipped and reported as errors."""
        yielded: set[str] = set()
        try:
            for table, rows in groupby(self._all_rows(), itemgetter(0)):
                records = list(rows)
                yielded.add(table)
                yield from self._read_table(table, partial(_parse_entries, [row[1:] for row in records]))
        except LogError as error:  # a page of the database is damaged; other tables can still be read
            logger.error("the log cannot be read as a whole, so its tables are read one by one: %s", error)
            for [table] in self._read(NAMES):
                if table not in yielded:
                    yield from self._read_table(table, partial(self.entries, table))

    def _read_table(self, table: str, read: Callable[[], list[Entry]]) -> Iterator[tuple[str, list[Entry]]]:
        try:
            entries = read()
        except (ValueError, TypeError, LogError) as error:
            logger.error("table %s is set aside, as its log cannot be read: %s", table, error)
            return
        yield table, entries

    def _all_rows(self) -> Iterator[Any]:
        last: tuple[str, int] = "", -1
        while page := self._read(PAGE, *last):
            yield from page
            last = page[-1][:2]

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join, CLOSE_TIMEOUT)
        self._read_connection.close()

    def bans(self) -> list[str]:
        return [address for [address] in self._read(BANS)]

    async def set_ban(self, address: str, banned: bool) -> None:
        await (self._execute_write(BAN, address, time.time()) if banned else self._execute_write(UNBAN, address))

    def ping(self) -> None:
        """Write to the database; raise `LogError` if it does not answer or cannot write."""
        with self._exclusive_read() as connection:
            connection.execute(self._sql(CHECK_WRITABLE), [str(time.time_ns())])

    def _read(self, sql: str, *args: Any) -> list[Any]:
        with self._exclusive_read() as connection:
            return connection.execute(self._sql(sql), args).fetchall()

    @contextmanager
    def _exclusive_read(self) -> Iterator[DriverConnection]:
        """Yield the read connection, to one thread at a time."""
        self._check_open()
        if not self._read_lock.acquire(timeout=QUERY_TIMEOUT):
            raise LogError(f"the database {self._database.name} does not answer")
        try:
            with self._read_connection.use() as connection:
                yield connection
        finally:
            self._read_lock.release()

    def _check_open(self) -> None:
        if self._closed:
            raise LogError("the log is closed")

    def _sql(self, sql: str) -> str:
        return sql.replace("?", self._database.placeholder)

    async def _execute_write(self, sql: str, *args: Any) -> int:
        self._check_open()
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue.put(_Statement(self._sql(sql), args, future, self.server_number))
        return await future

    def _write_batches(self) -> None:
        is_running = True
        while is_running:
            batch = [self._queue.get()]
            batch += [self._queue.get() for _ in range(min(self._queue.qsize(), MAX_BATCH - 1))]
            is_running = batch[-1] is not None
            # Sorted by table, so that two servers that write to the same tables do not deadlock.
            statements = sorted(
                [statement for statement in batch if statement is not None],
                key=lambda statement: (statement.fence, str(statement.args[0])),
            )
            for _, items in groupby(statements, attrgetter("fence")):
                group = list(items)
                _resolve_all(group, self._run_transaction(group))
        self._write_connection.close()

    def _run_transaction(self, statements: list[_Statement]) -> list[int | LogError]:
        try:
            if len(statements) > 1 and self._append_all(statements):
                return [1] * len(statements)
            with self._write_connection.use() as connection:
                if len(statements) == 1 and not statements[0].fence:  # a single statement is its own transaction
                    return [connection.execute(statements[0].sql, statements[0].args).rowcount]
                self._begin_transaction(connection, statements[0].fence)
                with self._database.batch(connection):
                    cursors = [connection.execute(statement.sql, statement.args) for statement in statements]
                connection.execute("COMMIT")
            return [cursor.rowcount for cursor in cursors]
        except LogError as error:
            return [type(error)(str(error)) for _ in statements]

    def _begin_transaction(self, connection: DriverConnection, fence: int) -> None:
        """Begin a transaction; raise `WriterFenced` if the server number `fence`, unless 0, may not write."""
        connection.execute("BEGIN")
        if fence and not connection.execute(self._sql(CHECK_FENCE), [fence]).fetchall():
            raise WriterFenced("other servers have declared this server dead")

    def _append_all(self, statements: list[_Statement]) -> bool:
        """Append all entries in one statement, which saves waiting for the GIL after each; return whether it succeeded.

        If two writers conflict, or if a statement is not an append, it writes nothing and returns False.
        """
        append = self._sql(APPEND)
        if any([statement.sql != append for statement in statements]):
            return False
        row = self._sql(ROW)
        with self._write_connection.use() as connection:
            self._begin_transaction(connection, statements[0].fence)
            sql = append.replace(row, ", ".join([row] * len(statements)))
            args = [arg for statement in statements for arg in statement.args]
            all_appended = connection.execute(sql, args).rowcount == len(statements)
            connection.execute("COMMIT" if all_appended else "ROLLBACK")
        return all_appended


def _parse_entry(seq: int, kind: str, body: str, at: float) -> Entry:
    return Entry(seq, kind, json.loads(body), at)


def _parse_entries(rows: list[Any]) -> list[Entry]:
    return [_parse_entry(*row) for row in rows]


def _resolve_all(statements: list[_Statement], outcomes: list[int | LogError]) -> None:
    answers = zip([statement.future for statement in statements], outcomes, strict=True)
    for loop, items in groupby(answers, lambda answer: answer[0].get_loop()):
        with suppress(RuntimeError):  # raised if the event loop has ended
            loop.call_soon_threadsafe(_resolve, list(items))  # one call for all futures, as one for each is slow


def _resolve(answers: list[tuple[asyncio.Future[int], int | LogError]]) -> None:
    for future, outcome in answers:
        if future.cancelled():
            continue
        if isinstance(outcome, LogError):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
