"""The databases that the log is tested on: SQLite files, and a PostgreSQL cluster of our own in a temporary folder."""

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

MISSING = "PostgreSQL is not installed, and the log is tested on it: `make test` installs the Debian package postgresql"


@dataclass
class Cluster:
    """A PostgreSQL server that listens on a socket in its own folder and nowhere else."""

    binaries: Path
    folder: Path

    def __post_init__(self) -> None:
        self._run("initdb", "--auth=trust", "--username=argentum", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.start()

    def _run(self, command: str, *args: str) -> None:
        # PostgreSQL refuses to run as root.
        as_whom = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        words = [*as_whom, str(self.binaries / command), "-D", str(self.folder / "data"), *args]
        done = subprocess.run(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{command} failed: {done.stdout}{done.stderr}"

    def start(self) -> None:
        # What its processes have written outlives them without a sync; only a power cut would need one.
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "-l", str(self.folder / "server.log"), "-o", options)

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "--wait", "-m", "immediate")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://argentum@/{database}?host={quote(str(self.folder), safe='')}"

    def new_schema(self) -> str:
        """A URL by which a log finds nothing yet: a database of its own would be 300 files, to be made and removed."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options={quote(f'-c search_path={name}')}"

    def new_database(self, options: str = "") -> str:
        """A fresh database's URL."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {options}")
        return self.url(name)


def binaries() -> Path:
    """Where Debian puts the server's programs: not on the PATH, and in a folder for each version."""
    found = [Path(name).parent for name in [shutil.which("initdb")] if name]
    found += sorted(path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.fail(MISSING)
    return found[-1]


def connect(url: str) -> sqlite3.Connection | psycopg.Connection[tuple[object, ...]]:
    """A connection past the log, in which each statement is committed by itself."""
    if url.startswith("postgresql://"):
        return psycopg.connect(url, autocommit=True)
    return sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    # A short path: a socket's may have no more than 107 characters.
    with tempfile.TemporaryDirectory(prefix="argentum-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(binaries(), Path(folder))
        yield cluster
        cluster.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables: every test that asks for one runs on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'log.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_schema()
