"""SQLite and PostgreSQL databases for tests of the log; PostgreSQL runs in a temporary folder."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest

from argentum.rooms.log.sql import SqlJournal

MISSING = "PostgreSQL is not installed: `make test` installs the Debian package postgresql"


@dataclass
class PostgresServer:
    """A PostgreSQL server that listens only on a Unix socket in its own folder."""

    binaries: Path
    folder: Path

    def __post_init__(self) -> None:
        self._run("initdb", "--auth=trust", "--username=argentum", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.start()

    def _run(self, command: str, *args: str) -> None:
        # PostgreSQL refuses to run as root.
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        arguments = [*as_user, str(self.binaries / command), "-D", str(self.folder / "data"), *args]
        result = subprocess.run(
            arguments, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
        assert result.returncode == 0, f"{command} failed: {result.stdout}{result.stderr}"

    def start(self) -> None:
        # Without fsync, data survives killed processes but not a power cut, which is enough for tests.
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "-l", str(self.folder / "server.log"), "-o", options)

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "--wait", "-m", "immediate")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://argentum@/{database}?host={quote(str(self.folder), safe='')}"

    def new_schema(self) -> str:
        """Create an empty schema and return its URL. This is faster than creating a database, which has 300 files."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options={quote(f'-c search_path={name}')}"

    def new_database(self, options: str = "") -> str:
        """Create an empty database and return its URL."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {options}")
        return self.url(name)


def postgres_binaries() -> Path:
    """Return the folder of the server programs; Debian installs them outside PATH, in a folder for each version."""
    folders = [Path(name).parent for name in [shutil.which("initdb")] if name]
    folders += sorted(path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        pytest.fail(MISSING)
    return folders[-1]


def connect(url: str) -> sqlite3.Connection | psycopg.Connection[tuple[object, ...]]:
    """Open a connection in autocommit mode that bypasses the journal."""
    if url.startswith("postgresql://"):
        return psycopg.connect(url, autocommit=True)
    return sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)


def owner_by_table(url: str) -> dict[str, int]:
    """Return the numbers of the servers that own tables."""
    with psycopg.connect(url, autocommit=True) as connection:
        return dict(connection.execute("SELECT table_id, owner FROM leases").fetchall())


def logged_tables(database: str) -> list[str]:
    """Return the names of the tables that have entries in a database."""

    async def read() -> list[str]:
        log = SqlJournal.open(database)
        names = [name for name, _ in log.all_entries()]
        await log.close()
        return names

    return asyncio.run(read())


@pytest.fixture(scope="session")
def cluster() -> Iterator[PostgresServer]:
    # The path is short, because that of a Unix socket may have no more than 107 characters.
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = PostgresServer(postgres_binaries(), Path(folder))
        yield cluster
        cluster.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database; each test that uses it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'log.db'}"
    cluster: PostgresServer = request.getfixturevalue("cluster")
    return cluster.new_schema()
