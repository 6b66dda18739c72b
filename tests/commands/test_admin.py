"""`argentum admin`: backups, restoring, and a server that cannot be reached."""

import asyncio
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from argentum.cli import main
from argentum.rooms.log.sql import SqlJournal
from tests.support.databases import PostgresServer, logged_tables, postgres_binaries


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_databases_are_saved_and_restored(
    kind: str, cluster: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(postgres_binaries()), prepend=":")
    assert shutil.which("pg_dump") or kind == "sqlite"
    database_url = str(tmp_path / "tables.db") if kind == "sqlite" else cluster.new_database()

    async def write(name: str) -> None:
        log = SqlJournal.open(database_url)
        await log.append(name, 0, "table", {"arrangement": {"places": [["Ann", "", True]]}, "secret": "x"})
        await log.close()

    asyncio.run(write("amber-oak-123456"))
    file = tmp_path / "saved"
    runner = CliRunner()
    saved = runner.invoke(main, ["admin", "backup", "--database", database_url, str(file)])
    assert saved.exit_code == 0, saved.output
    assert file.stat().st_mode & 0o777 == 0o600
    assert runner.invoke(main, ["admin", "backup", "--database", database_url, str(file)]).exit_code == 2
    asyncio.run(write("bold-fox-123456"))
    restored = runner.invoke(main, ["admin", "restore", "--yes", "--database", database_url, str(file)])
    assert restored.exit_code == 0, restored.output
    assert logged_tables(database_url) == ["amber-oak-123456"]

    content = file.read_bytes()
    for damaged_content in (content[: len(content) // 2], b""):  # an incomplete backup must not replace the database
        file.write_bytes(damaged_content)
        restored = runner.invoke(main, ["admin", "restore", "--yes", "--database", database_url, str(file)])
        assert restored.exit_code == 2, restored.output
        assert logged_tables(database_url) == ["amber-oak-123456"]


def test_a_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Ann, this is not a database. " * 9)
    for database, file in (("nowhere.db", "saved"), ("letter.db", "saved"), ("letter.db", "no folder/saved")):
        words = ["backup", "--database", str(tmp_path / database), str(tmp_path / file)]
        failed = CliRunner().invoke(main, ["admin", *words])
        assert (failed.exit_code, failed.output[:6]) == (2, "Error:")
        assert not (tmp_path / file).exists()


@pytest.mark.parametrize("url", ["silver.example", "http://", "http://127.0.0.1:1", "http://[", "http://127.0.0.1:x"])
def test_a_wrong_address_of_the_server_is_refused(url: str) -> None:
    result = CliRunner().invoke(main, ["admin", "--url", url, "tables"])
    assert (result.exit_code, result.output[:6]) == (2, "Error:")
    assert "--url names the server" in result.output
    assert "urlopen" not in result.output
