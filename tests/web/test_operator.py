"""The operator sees what goes on, closes tables, bans addresses, and saves the database."""

import asyncio
import json
import logging
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from websockets.exceptions import ConnectionClosed

from argentum.cli import main
from argentum.rooms.arrangement import first_arrangement
from argentum.rooms.clock import Pace
from argentum.rooms.log.sql import Log
from argentum.rooms.registry import Hall
from argentum.rooms.room import Room
from argentum.web.server.logs import OneLine
from tests.web.databases import Cluster, binaries
from tests.web.serving import PATIENCE, Client, Server, dialled, seated


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "settings.toml").write_text('operator_token = "hush"\n')
    one = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    one.start()
    yield one
    one.stop()


def admin(server: Server, *words: str, token: str = "hush") -> Result:
    return CliRunner().invoke(main, ["admin", "--url", server.origin, "--token", token, *words])


def test_only_the_operator_may(guarded: Server) -> None:
    assert guarded.ask("/metrics").status == guarded.ask("/admin/tables").status == 403
    assert guarded.ask("/admin/close", {}).status == guarded.ask("/admin/ban", {}).status == 403
    assert admin(guarded, "tables", token="guess").exit_code == 2
    assert guarded.ask("/metrics", Authorization="Bearer hush").status == 200


def test_figures_and_tables_are_shown(guarded: Server) -> None:
    name, _ = guarded.new_table("/play", name="Ann")
    assert f"{name}  playing  0 connected  2 entries  Ann, " in admin(guarded, "tables").output
    figures = admin(guarded, "load").output
    assert 'tables{stage="playing",server="0"} 1' in figures
    assert 'connections_refused_total{server="0"} 0' in figures


def test_a_table_is_closed_with_whoever_is_there(guarded: Server) -> None:
    async def sit() -> str:
        name, key = guarded.new_table("/play")
        async with seated(guarded, name, key) as client:
            closed = await asyncio.to_thread(admin, guarded, "close", name)
            assert closed.output == f"Table {name} is closed, and its log deleted.\n"
            last: dict[str, Any] = {}
            with suppress(ConnectionClosed):
                while True:
                    last = await client.hear()
            assert last["code"] == "no seat"
        return name

    name = asyncio.run(asyncio.wait_for(sit(), PATIENCE))
    assert guarded.ask(f"/table/{name}").status == 404
    assert admin(guarded, "close", name).exit_code == 2


def test_a_banned_address_gets_nothing_until_the_ban_is_lifted(guarded: Server) -> None:
    assert admin(guarded, "ban", "127.6.0.1").output == "127.6.0.1 is banned.\n"
    assert admin(guarded, "ban", "127.8.0.0/16").output == "127.8.0.0/16 is banned.\n"
    assert admin(guarded, "bans").output == "127.6.0.1/32\n127.8.0.0/16\n"
    for again in (False, True):
        if again:  # it outlives a restart
            guarded.stop()
            guarded.start()
        assert guarded.ask("/", address="127.6.0.1").status == 503
        assert guarded.ask("/", address="127.8.1.1").status == 503
        assert guarded.ask("/", address="127.6.0.2").status == 200
        assert guarded.ask("/", None, **{"X-Forwarded-For": "127.6.0.1"}).status == 403  # by a proxy
    assert admin(guarded, "ban", "--lift", "127.6.0.1").exit_code == 0
    assert admin(guarded, "ban", "--lift", "127.8.0.0/16").exit_code == 0
    assert guarded.ask("/", address="127.6.0.1").status == 200
    assert admin(guarded, "ban", "127.6.0.1.5").exit_code == 2


def test_whoever_is_banned_is_cut_off_at_once(guarded: Server) -> None:
    async def sit() -> None:
        name, key = guarded.new_table("/tables")
        async with dialled(guarded, local_addr=("127.6.0.7", 0)) as socket:
            client = Client(socket)
            await client.say(type="sit", table=name, key=key)
            await client.update()
            assert (await asyncio.to_thread(admin, guarded, "ban", "127.6.0.7")).exit_code == 0
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (1008, "banned")

    asyncio.run(asyncio.wait_for(sit(), PATIENCE))


def test_without_a_token_only_this_machine_may(server: Server) -> None:
    assert server.ask("/metrics").status == 200
    assert server.ask("/metrics", address="127.6.0.9").status == 403
    assert server.ask("/metrics", None, **{"X-Forwarded-For": "127.0.0.1"}).status == 403
    assert server.ask("/metrics", Origin=server.origin).status == 403
    assert server.ask("/admin/bans", None, **{"X-Forwarded-For": "127.0.0.1"}).status == 403


def test_without_a_token_a_page_of_another_site_that_leads_here_may_not(server: Server) -> None:
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "[::1", ""):
        assert server.ask("/metrics", Host=host).status == 403
        assert server.ask("/admin/tables", Host=host).status == 403
    for host in ("localhost", f"LOCALHOST:{server.port}", f"[::1]:{server.port}", "127.0.0.1"):
        assert server.ask("/metrics", Host=host).status == 200


def test_figures_are_in_the_format_of_prometheus(guarded: Server) -> None:
    lines = guarded.ask("/metrics", Authorization="Bearer hush").text.splitlines()
    label = r'[a-z]+="[a-z0-9]+"'
    sample = re.compile(rf"argentum_[a-z_]+(\{{{label}(,{label})*\}})? [0-9.e+-]+")
    for line in lines:
        assert line.startswith(("# HELP argentum_", "# TYPE argentum_")) or sample.fullmatch(line), line
    told = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(told) == len(set(told)) > 5


def test_the_privacy_page_says_what_this_server_does(guarded: Server) -> None:
    assert 'href="/privacy"' in guarded.ask("/").text
    page = guarded.ask("/privacy").text
    assert "Games are kept for good" in page
    assert "deleted 10 minutes after" in page
    assert "does not write your address down" in page


def entries(database: str) -> list[str]:
    async def read() -> list[str]:
        log = Log.open(database)
        found = [table for table, _ in log.all_entries()]
        await log.close()
        return found

    return asyncio.run(read())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_databases_are_saved_and_restored(
    kind: str, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(binaries()), prepend=":")
    assert shutil.which("pg_dump") or kind == "sqlite"
    database_url = str(tmp_path / "tables.db") if kind == "sqlite" else cluster.new_database()

    async def write(name: str) -> None:
        log = Log.open(database_url)
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
    back = runner.invoke(main, ["admin", "restore", "--yes", "--database", database_url, str(file)])
    assert back.exit_code == 0, back.output
    assert entries(database_url) == ["amber-oak-123456"]

    whole = file.read_bytes()
    for part in (whole[: len(whole) // 2], b""):  # a backup that is cut off must not cost what is there
        file.write_bytes(part)
        back = runner.invoke(main, ["admin", "restore", "--yes", "--database", database_url, str(file)])
        assert back.exit_code == 2, back.output
        assert entries(database_url) == ["amber-oak-123456"]


def test_a_database_that_cannot_be_used_is_said_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Ann, this is not a database. " * 9)
    for command in (["serve", "--port", "8999"], ["admin", "export", "Ann"]):
        failed = CliRunner().invoke(main, [*command, "--database", str(tmp_path / "letter.db")])
        assert failed.exit_code == 2
        assert failed.output.startswith(f"Error: The database {tmp_path}/letter.db failed: ")
        assert failed.output.endswith("--database names another one.\n")
        assert "log" not in failed.output
    failed = CliRunner().invoke(main, ["serve", "--port", "8999", "--database", "mysql://host"])
    assert failed.output.startswith("Error: --database takes an SQLite file, or a URL: ")


def test_a_backup_passes_a_databases_password_past_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "pg_dump"
    tool.write_text(f'#!/bin/sh\necho "$PGPASSWORD $*" > {tmp_path}/seen\n')
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("ARGENTUM_DATABASE", "postgresql://ann:hush@host/name")
    saved = CliRunner().invoke(main, ["admin", "backup", str(tmp_path / "saved")])
    assert saved.exit_code == 0, saved.output
    words = (tmp_path / "seen").read_text()
    assert words == f"hush --dbname=postgresql://ann@host/name --format=custom --file={tmp_path}/saved\n"


@pytest.mark.parametrize("name", ["argentum.service", "compose.yaml"])
def test_no_deployment_has_the_database_on_a_command_line(name: str) -> None:
    lines = (Path(__file__).parents[2] / "deploy" / name).read_text().splitlines()
    assert any("ARGENTUM_DATABASE" in line for line in lines)
    assert not any("--database" in line for line in lines)


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Ann, this is not a database. " * 9)
    for database, file in (("nowhere.db", "saved"), ("letter.db", "saved"), ("letter.db", "no folder/saved")):
        words = ["backup", "--database", str(tmp_path / database), str(tmp_path / file)]
        failed = CliRunner().invoke(main, ["admin", *words])
        assert (failed.exit_code, failed.output[:6]) == (2, "Error:")
        assert not (tmp_path / file).exists()


@pytest.mark.parametrize("url", ["silver.example", "http://", "http://127.0.0.1:1", "http://[", "http://127.0.0.1:x"])
def test_a_wrong_address_of_the_server_is_told_in_words(url: str) -> None:
    asked = CliRunner().invoke(main, ["admin", "--url", url, "tables"])
    assert (asked.exit_code, asked.output[:6]) == (2, "Error:")
    assert "--url names the server" in asked.output
    assert "urlopen" not in asked.output


def test_a_players_data_are_exported_and_deleted(database_url: str) -> None:
    def run(*words: str) -> Result:
        return CliRunner().invoke(main, ["admin", words[0], "--database", database_url, *words[1:]])

    async def play() -> list[str]:
        hall = Hall(Log.open(database_url))
        rooms = [(await hall.set_table(first_arrangement(name)))[0] for name in ("Ann", "Ann", "Bo")]
        for room in rooms:
            await room.take_seat("key", "Cy")
            await room.start("A")
        await hall.close()
        await hall.log.close()
        return [room.name for room in rooms]

    async def names(table: str) -> list[str]:
        log = Log.open(database_url)
        room = Room.restored(table, log.entries(table), log, Pace())
        await log.close()
        assert room.game is not None
        assert room.game.names == [place.name for place in room.arrangement.places]
        return list(room.game.names)

    one, two, three = asyncio.run(play())
    lines = [json.loads(line) for line in run("export", "ann").output.splitlines()]
    assert {line["table"] for line in lines} == {one, two}
    assert {"digests", "secret", "seed"} & {key for line in lines for key in line["body"]} == set()
    assert run("export", "--table", two, "ann").output.count(two) == len(lines) / 2
    assert run("export", "Zoe").output == ""
    unknown = run("export", "--table", "no-such-table", "ann")
    assert (unknown.exit_code, unknown.output) == (2, "Error: There is no table no-such-table.\n")
    assert run("delete", "--yes", "Zoe").exit_code == 2
    assert run("delete", "--yes", "--table", one, "ANN").output == "Deleted the name at 1 table.\n"
    assert run("export", "--table", one, "Ann").output == ""
    assert asyncio.run(names(one)) == ["Ash", "Cy"]  # the game goes on
    assert asyncio.run(names(two)) == ["Ann", "Cy"]
    assert run("delete", "--yes", "--games", "Ann").output == "Deleted 1 table.\n"
    assert sorted(entries(database_url)) == sorted([one, three])


def test_each_event_is_one_line_of_json_with_addresses_only_if_wanted(tmp_path: Path) -> None:
    for wanted in (False, True):
        folder = tmp_path / str(wanted)
        folder.mkdir()
        (folder / "settings.toml").write_text(f'log_format = "json"\nlog_addresses = {str(wanted).lower()}\n')
        with (folder / "stderr").open("w+b") as stderr:
            options = ("--settings", str(folder / "settings.toml"))
            server = Server(str(folder / "tables.db"), options, stderr=stderr)
            server.start()
            name, _ = server.new_table("/tables")
            server.stop()
        lines = [json.loads(line) for line in (folder / "stderr").read_text().splitlines()]
        (made,) = [line for line in lines if line["event"] == "table set"]
        assert made["table"] == name
        assert made.get("address") == ("127.0.1.1" if wanted else None)


def test_an_error_is_one_line_too() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.getLogger("x").makeRecord("x", logging.ERROR, "x", 1, "it failed", (), sys.exc_info())
    line = OneLine(addresses=False).format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["trace"]


def test_the_deployments_limit_memory_and_tasks_and_ask_for_https() -> None:
    folder = Path(__file__).parents[2] / "deploy"
    unit = (folder / "argentum.service").read_text()
    assert re.search(r"^MemoryMax=\d+%$", unit, re.MULTILINE)
    assert re.search(r"^TasksMax=\d+$", unit, re.MULTILINE)
    assert re.search(r"header \S* ?Strict-Transport-Security max-age=\d{8}", (folder / "Caddyfile").read_text())
