"""Connections to SQLite and PostgreSQL, and the differences between them."""

import os
import selectors
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any, NamedTuple, Protocol
from weakref import WeakSet

BUSY_TIMEOUT = 10  # seconds to wait for a database that is locked, or does not answer
QUERY_TIMEOUT = 5.0  # seconds for a query; the database may be frozen
IDLE_TRANSACTION_TIMEOUT = 2  # seconds between the statements of a transaction

INVALID_DATABASE = "--database takes an SQLite file, or a URL: sqlite:///file.db, postgresql://user@host/name"
FOREIGN = "{path} is a database of another program; name another file with --database"
IN_USE = "another Argentum server uses {path}; stop it, or name another file with --database"
NO_DRIVER = "PostgreSQL needs a driver that is not installed: pip install 'argentum[postgres]'"


class LogError(Exception):
    """Raised if the database fails or is invalid. An entry that is being appended is saved completely or not at all."""


class DriverCursor(Protocol):
    """The part of a database driver's cursor that this package uses."""

    @property
    def rowcount(self) -> int: ...

    def fetchall(self) -> list[Any]: ...


class DriverConnection(Protocol):
    """The part of a database driver's connection that this package uses, in autocommit mode."""

    def execute(self, sql: str, args: Sequence[Any] = ..., /) -> DriverCursor: ...

    def close(self) -> None:
        """Close the connection; an open transaction is rolled back."""


class Database(NamedTuple):
    name: str  # for error messages
    connect: Callable[[], DriverConnection]
    # Send the statements inside without waiting for the answer to each.
    batch: Callable[[Any], AbstractContextManager[object]]
    begin_exclusive: str  # SQL: begins a transaction that excludes other servers, to create the schema
    placeholder: str  # of an argument in SQL
    abort: Callable[[Any], None]  # makes the running query of a connection fail, called from another thread
    is_closed: Callable[[Any], bool]  # whether the other end has closed an idle connection


def sqlite(path: str) -> Database:
    def connect() -> DriverConnection:
        # A new file is private. An existing one must not be opened here: closing it would drop SQLite's own locks.
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
        try:
            _enable_wal(connection, path)
            connection.execute("PRAGMA synchronous = FULL")
            # Invalid UTF-8 damages only its own row.
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
        except (sqlite3.Error, LogError):
            connection.close()
            raise
        return connection

    return Database(
        path, connect, nullcontext, "BEGIN IMMEDIATE", "?", sqlite3.Connection.interrupt, is_closed=lambda _: False
    )


def _check_ours(connection: sqlite3.Connection, path: str) -> None:
    """Raise `LogError` if a file is another program's database. Nothing is written to it."""
    if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall():
        return
    try:
        is_ours = connection.execute("SELECT 1 FROM meta WHERE name = 'version'").fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # it has no such table
            raise
        is_ours = []
    if not is_ours:
        raise LogError(FOREIGN.format(path=path))


def _enable_wal(connection: sqlite3.Connection, path: str) -> None:
    # If servers start together on a new file, SQLite refuses some at once, without its busy timeout.
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            _check_ours(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def postgres(url: str) -> Database:
    try:
        import psycopg
    except ImportError as error:
        raise LogError(NO_DRIVER) from error

    def connect() -> DriverConnection:
        # The encoding is set because in a database without one (SQL_ASCII) text would be read as bytes.
        connection = psycopg.connect(
            url,
            autocommit=True,
            client_encoding="utf8",
            connect_timeout=BUSY_TIMEOUT,
            tcp_user_timeout=BUSY_TIMEOUT * 1000,
        )
        # A server that freezes inside a transaction must not lock other servers out of its tables.
        connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TRANSACTION_TIMEOUT * 1000}")
        return connection

    begin_exclusive = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('argentum'))"
    return Database(
        "PostgreSQL", connect, psycopg.Connection.pipeline, begin_exclusive, "%s", _shut_down_socket, _is_closed
    )


def _is_closed(connection: Any) -> bool:
    """Whether PostgreSQL has closed an idle connection, as on a restart; its socket is readable then."""
    if connection.closed:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


def _shut_down_socket(connection: Any) -> None:
    """Shut down the socket of a connection, so that a query that would wait forever fails."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as connection_socket:
        connection_socket.shutdown(socket.SHUT_RDWR)


def is_postgres(url: str) -> bool:
    """Whether a URL names a PostgreSQL database, which several servers may share."""
    return url.startswith(("postgresql://", "postgres://"))


def database_for(url: str) -> Database:
    """Return the database of a URL or path; raise `LogError` if it is invalid."""
    if is_postgres(url):
        return postgres(url)
    path = url.removeprefix("sqlite:///")
    if "://" in path or path in ("", ":memory:"):
        raise LogError(INVALID_DATABASE)  # without the URL, which may hold a password
    return sqlite(path)


@contextmanager
def server_lock(url: str) -> Iterator[None]:
    """Hold the lock on an SQLite database, a file beside it, or raise `LogError`; do nothing for PostgreSQL."""
    if is_postgres(url):
        yield
        return
    path = database_for(url).name
    try:
        file = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError:  # opening the database will report what is wrong with the folder
        yield
        return
    try:
        try:
            _lock(file)
        except OSError:
            raise LogError(IN_USE.format(path=path)) from None
        yield
    finally:
        os.close(file)


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ConnectionWatchdog:
    """A thread that aborts overdue queries, because a frozen database does not keep its own timeouts."""

    def __init__(self) -> None:
        self._connections: WeakSet[DatabaseConnection] = WeakSet()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def watch(self, connection: "DatabaseConnection") -> None:
        with self._lock:
            self._connections.add(connection)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(QUERY_TIMEOUT / 10)
            with self._lock:
                connections = list(self._connections)
            for connection in connections:
                connection.abort_if_overdue()


WATCHDOG = ConnectionWatchdog()


class DatabaseConnection:
    """A connection that is closed when it fails, which rolls back its transaction, and reopened for the next use."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: DriverConnection | None = None
        self._deadline: float | None = None  # of the current use; None between uses
        WATCHDOG.watch(self)

    @contextmanager
    def use(self) -> Iterator[DriverConnection]:
        """Yield the connection. An error inside closes it and is raised as a `LogError`."""
        try:
            if self._connection is not None and self._database.is_closed(self._connection):
                self.close()
            if self._connection is None:
                self._connection = self._database.connect()
            self._deadline = time.monotonic() + QUERY_TIMEOUT
            yield self._connection
        except LogError:
            self.close()
            raise
        except Exception as error:  # drivers raise more than their own errors
            self.close()
            raise LogError(f"the database {self._database.name} failed: {str(error).strip()}") from error
        finally:
            self._deadline = None

    def abort_if_overdue(self) -> None:
        due, connection = self._deadline, self._connection
        if due is not None and connection is not None and time.monotonic() > due:
            self._database.abort(connection)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
