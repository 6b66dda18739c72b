"""Connections to databases, by path and by URL."""

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from argentum.rooms.log.databases import LogError
from argentum.rooms.log.sql import SqlJournal


def test_only_the_owner_can_read_the_database_file(tmp_path: Path) -> None:
    async def begin() -> None:
        await SqlJournal.open(str(tmp_path / "tables.db")).close()

    old = os.umask(0o022)
    try:
        asyncio.run(begin())
    finally:
        os.umask(old)
    assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "url", ["", "sqlite://", "sqlite:///", "sqlite:///:memory:", "mysql://wolf:secret@host/name", "http://host"]
)
def test_invalid_database_urls_are_refused(url: str) -> None:
    with pytest.raises(LogError, match="--database takes an SQLite file, or a URL") as refusal:
        SqlJournal.open(url)
    assert "secret" not in str(refusal.value)


def test_databases_that_cannot_be_opened_raise_log_errors_without_passwords(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is no database at all. " * 100)
    for path, reason in (
        (tmp_path / "none" / "log.db", "unable to open database file"),
        (tmp_path, "unable to open database file"),
        (tmp_path / "text", "file is not a database"),
    ):
        with pytest.raises(LogError, match=f"the database .*{path.name} failed: {reason}"):
            SqlJournal.open(str(path))
    for url in ("postgresql://wolf:secret@127.0.0.1:1/none", "postgres://wolf:secret@127.0.0.1:1/none"):
        with pytest.raises(LogError, match=r"the database PostgreSQL failed: .*127\.0\.0\.1") as refusal:
            SqlJournal.open(url)
        assert "secret" not in str(refusal.value)


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LogError, match=r"pip install 'argentum\[postgres\]'"):
        SqlJournal.open("postgresql://wolf@host/name")


def test_a_path_and_a_url_name_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def main() -> None:
        log = SqlJournal.open("log.db")
        await log.append("wolf", 0, "move", "one")
        await log.close()
        for url in ("sqlite:///log.db", f"sqlite:///{tmp_path}/log.db", str(tmp_path / "log.db")):
            log = SqlJournal.open(url)
            assert [entry.body for entry in log.entries("wolf")] == ["one"]
            await log.close()

    asyncio.run(main())
    with closing(sqlite3.connect("log.db")) as connection:
        assert connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchall() == [("1",)]
