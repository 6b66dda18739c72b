"""Admin endpoints, metrics, and the admin command."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from websockets.exceptions import ConnectionClosed

from argentum.cli import main
from argentum.web.middleware import OPERATOR_PATHS
from argentum.web.operator import Operator
from tests.support.server import TIMEOUT, ProtocolClient, Server, join_table, open_socket


@pytest.fixture(scope="module")
def token_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "settings.toml").write_text('operator_token = "hush"\n')
    server = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    server.start()
    yield server
    server.stop()


def run_admin(server: Server, *arguments: str, token: str = "hush") -> Result:
    return CliRunner().invoke(main, ["admin", "--url", server.origin, "--token", token, *arguments])


def test_admin_endpoints_require_the_token(token_server: Server) -> None:
    assert token_server.request("/metrics").status == token_server.request("/admin/tables").status == 403
    assert token_server.request("/admin/close", {}).status == token_server.request("/admin/ban", {}).status == 403
    assert run_admin(token_server, "tables", token="guess").exit_code == 2
    assert token_server.request("/metrics", Authorization="Bearer hush").status == 200


def test_admin_shows_metrics_and_tables(token_server: Server) -> None:
    name, _ = token_server.new_table("/play", name="Ann")
    assert f"{name}  playing  0 connected  2 entries  Ann, " in run_admin(token_server, "tables").output
    metrics = run_admin(token_server, "load").output
    assert 'tables{stage="playing",server="0"} 1' in metrics
    assert 'connections_refused_total{server="0"} 0' in metrics


def test_closing_a_table_disconnects_its_players(token_server: Server) -> None:
    async def join() -> str:
        name, key = token_server.new_table("/play")
        async with join_table(token_server, name, key) as client:
            closed = await asyncio.to_thread(run_admin, token_server, "close", name)
            assert closed.output == f"Table {name} is closed, and its log deleted.\n"
            last: dict[str, Any] = {}
            with suppress(ConnectionClosed):
                while True:
                    last = await client.receive()
            assert last["code"] == "no seat"
        return name

    name = asyncio.run(asyncio.wait_for(join(), TIMEOUT))
    assert token_server.request(f"/table/{name}").status == 404
    assert run_admin(token_server, "close", name).exit_code == 2


def test_a_banned_address_is_refused_until_the_ban_is_removed(token_server: Server) -> None:
    assert run_admin(token_server, "ban", "127.6.0.1").output == "127.6.0.1 is banned.\n"
    assert run_admin(token_server, "ban", "127.8.0.0/16").output == "127.8.0.0/16 is banned.\n"
    assert run_admin(token_server, "bans").output == "127.6.0.1/32\n127.8.0.0/16\n"
    for restarted in (False, True):
        if restarted:
            token_server.stop()
            token_server.start()
        assert token_server.request("/", address="127.6.0.1").status == 503
        assert token_server.request("/", address="127.8.1.1").status == 503
        assert token_server.request("/", address="127.6.0.2").status == 200
        assert token_server.request("/", None, **{"X-Forwarded-For": "127.6.0.1"}).status == 403  # through a proxy
    assert run_admin(token_server, "ban", "--lift", "127.6.0.1").exit_code == 0
    assert run_admin(token_server, "ban", "--lift", "127.8.0.0/16").exit_code == 0
    assert token_server.request("/", address="127.6.0.1").status == 200
    assert run_admin(token_server, "ban", "127.6.0.1.5").exit_code == 2


def test_a_ban_closes_open_connections(token_server: Server) -> None:
    async def join() -> None:
        name, key = token_server.new_table("/tables")
        async with open_socket(token_server, local_addr=("127.6.0.7", 0)) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=name, key=key)
            await client.next_update()
            assert (await asyncio.to_thread(run_admin, token_server, "ban", "127.6.0.7")).exit_code == 0
            await socket.wait_closed()
            assert (socket.close_code, socket.close_reason) == (1008, "banned")

    asyncio.run(asyncio.wait_for(join(), TIMEOUT))


def test_without_a_token_only_local_requests_are_allowed(server: Server) -> None:
    assert server.request("/metrics").status == 200
    assert server.request("/metrics", address="127.6.0.9").status == 403
    assert server.request("/metrics", None, **{"X-Forwarded-For": "127.0.0.1"}).status == 403
    assert server.request("/metrics", Origin=server.origin).status == 403
    assert server.request("/admin/bans", None, **{"X-Forwarded-For": "127.0.0.1"}).status == 403


def test_without_a_token_requests_for_other_hosts_are_refused(server: Server) -> None:
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "[::1", ""):
        assert server.request("/metrics", Host=host).status == 403
        assert server.request("/admin/tables", Host=host).status == 403
    for host in ("localhost", f"LOCALHOST:{server.port}", f"[::1]:{server.port}", "127.0.0.1"):
        assert server.request("/metrics", Host=host).status == 200


def test_metrics_are_in_the_format_of_prometheus(token_server: Server) -> None:
    lines = token_server.request("/metrics", Authorization="Bearer hush").text.splitlines()
    label = r'[a-z]+="[a-z0-9]+"'
    sample = re.compile(rf"(argentum|process)_[a-z_]+(\{{{label}(,{label})*\}})? [0-9.e+-]+")
    for line in lines:
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names)) > 5


def test_an_unusable_database_is_explained_in_the_terms_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Ann, this is not a database. " * 9)
    for command in (["serve", "--port", "8999"], ["admin", "export", "Ann"]):
        failed = CliRunner().invoke(main, [*command, "--database", str(tmp_path / "letter.db")])
        assert failed.exit_code == 2
        assert failed.output.startswith(f"Error: The database {tmp_path}/letter.db failed: ")
        assert failed.output.endswith("--database names another one.\n")
        assert "log" not in failed.output
    failed = CliRunner().invoke(main, ["serve", "--port", "8999", "--database", "mysql://host"])
    assert failed.output.startswith("Error: --database takes an SQLite file, or a URL: ")


def test_a_backup_does_not_pass_the_password_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "pg_dump"
    tool.write_text(f'#!/bin/sh\necho "$PGPASSWORD $*" > {tmp_path}/seen\n')
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("ARGENTUM_DATABASE", "postgresql://ann:hush@host/name")
    saved = CliRunner().invoke(main, ["admin", "backup", str(tmp_path / "saved")])
    assert saved.exit_code == 0, saved.output
    call = (tmp_path / "seen").read_text()
    assert call == f"hush --dbname=postgresql://ann@host/name --format=custom --file={tmp_path}/saved\n"


@pytest.mark.parametrize("name", ["argentum@.service", "compose.yaml"])
def test_deployments_have_no_database_on_a_command_line(name: str) -> None:
    lines = (Path(__file__).parents[2] / "deploy" / name).read_text().splitlines()
    assert any("ARGENTUM_DATABASE" in line for line in lines)
    assert not any("--database" in line for line in lines)


def test_the_host_check_and_the_proxies_know_all_paths_of_the_operator() -> None:
    unused = cast(Any, None)
    paths = {route.path for route in Operator(unused, unused, unused, unused).routes()}
    assert paths | {"/health", "/ready"} == set(OPERATOR_PATHS)
    assert all([path == "/metrics" or path.startswith("/admin/") for path in paths])
    folder = Path(__file__).parents[2] / "deploy"
    assert "@operator path /metrics /admin/*\n" in (folder / "Caddyfile").read_text()
    assert "{ path,url_dec -m beg /metrics /admin/ }\n" in (folder / "haproxy.cfg").read_text()


def test_deployments_limit_memory_and_tasks_and_require_https() -> None:
    folder = Path(__file__).parents[2] / "deploy"
    unit = (folder / "argentum@.service").read_text()
    assert re.search(r"^MemoryMax=\d+%$", unit, re.MULTILINE)
    assert re.search(r"^TasksMax=\d+$", unit, re.MULTILINE)
    assert re.search(r"header \S* ?Strict-Transport-Security max-age=\d{8}", (folder / "Caddyfile").read_text())
