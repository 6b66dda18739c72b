"""Clients that flood, stall, or do not read: each is cut off, and nobody else notices."""

import asyncio
import re
import socket
import struct
import time
from ast import literal_eval
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from argentum.cli import main
from argentum.rooms.limits import Limits
from argentum.web.server.admission import Porch
from argentum.web.settings import BadSetting, Settings, read_settings
from tests.web.serving import PATIENCE, Server, seated

STRANGER = "127.9.0.1"
QUICK = """
header_seconds = 2.0
body_seconds = 2.0
unread_seconds = 0.5
lines = 60
lines_reserved = 10
lines_per_address = 20
"""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with small limits."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "settings.toml").write_text(QUICK)
    one = Server(str(folder / "tables.db"), ("--bot-pause", "0", "--settings", str(folder / "settings.toml")))
    one.start()
    yield one
    one.stop()


def line(server: Server, address: str = STRANGER, patience: float = PATIENCE) -> socket.socket:
    """A bare TCP connection."""
    return socket.create_connection(("127.0.0.1", server.port), patience, (address, 0))


def upgraded(server: Server, address: str = STRANGER) -> socket.socket:
    """A WebSocket of which nothing is read any more."""
    raw = line(server, address)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert b" 101 " in raw.recv(4096)
    return raw


def frame(opcode: int, data: bytes = b"", last: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    return struct.pack("!BB", opcode | (0x80 if last else 0), 0x80 | len(data)) + bytes(4) + data


def flood(raw: socket.socket, piece: bytes, most: int) -> int:
    """Send until the server hangs up; how many bytes that took."""
    sent = 0
    try:
        while sent < most:
            sent += raw.send(piece)
    except OSError:
        return sent
    return sent


def memory(server: Server) -> int:
    """What the server takes, in kilobytes."""
    assert server.process is not None
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1])


def is_cut(raw: socket.socket) -> bool:
    """Whether the server hangs up; what it says until then is read."""
    try:
        while raw.recv(65536):
            pass
    except ConnectionError:
        return True
    return True  # (a timeout is an error of the test)


@pytest.mark.parametrize(
    "piece",
    [frame(9, b"x" * 100) * 500, frame(9) * 5000, frame(10) * 5000, frame(0, last=False) * 5000],
    ids=["pings", "empty pings", "pongs", "empty pieces"],
)
def test_a_flood_of_frames_is_cut(strict: Server, piece: bytes) -> None:
    before = memory(strict)
    with closing(upgraded(strict)) as raw:
        if piece[0] == 0:
            raw.sendall(frame(1, b"{", last=False))
        assert flood(raw, piece, 20_000_000) < 20_000_000
    assert memory(strict) < before + 10_000
    assert strict.ask("/health").status == 200


def test_pings_now_and_then_are_answered(strict: Server) -> None:
    async def ping() -> None:
        table, key = strict.new_table("/tables")
        async with seated(strict, table, key) as client:
            for _ in range(30):
                await asyncio.wait_for(await client.socket.ping(), PATIENCE)

    asyncio.run(ping())


def test_a_client_that_does_not_read_is_cut(strict: Server) -> None:
    """It asks for page after page, and reads none of them."""
    with closing(line(strict)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /rules HTTP/1.1\r\nHost: 127.0.0.1:{strict.port}\r\n\r\n".encode()
        raw.settimeout(0.2)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                raw.send(request * 20)
            except TimeoutError:
                continue
            except OSError:
                return
    pytest.fail("it was never cut")


def test_who_does_not_finish_a_request_is_cut(strict: Server) -> None:
    """Silence, half a header, half a body."""
    head = b" HTTP/1.1\r\nHost: x\r\n"
    starts = [b"", b"GET /" + head + b"X-A: ", b"POST /tables" + head + b"Content-Length: 100\r\n\r\nname="]
    with ExitStack() as stack:
        raws = [stack.enter_context(closing(line(strict))) for _ in starts]
        for raw, start in zip(raws, starts, strict=True):
            raw.sendall(start)
        for raw in raws:
            assert is_cut(raw)


def test_a_byte_now_and_then_makes_the_time_no_longer(strict: Server) -> None:
    with closing(line(strict)) as raw:
        raw.settimeout(0.1)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                raw.sendall(b"G")
                assert raw.recv(1000).startswith(b"HTTP/1.1 408 ")
                return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    pytest.fail("it was never cut")


def test_one_address_does_not_take_all_lines(strict: Server) -> None:
    hoarder = "127.9.0.3"
    with ExitStack() as stack:
        # They have much longer to sit down than a silent line has.
        raws = [stack.enter_context(closing(upgraded(strict, hoarder))) for _ in range(20)]
        with closing(line(strict, hoarder)) as more:
            assert more.recv(1000).startswith(b"HTTP/1.1 503 ")
        assert strict.ask("/health", address="127.9.0.2").status == 200
        for raw in raws:
            raw.sendall(frame(8))
            assert is_cut(raw)
    assert strict.ask("/health", address=hoarder).status == 200


def test_players_who_return_find_room_when_strangers_do_not() -> None:
    porch = Porch(Limits(lines=10, lines_reserved=2, lines_per_address=5))
    porch.knows("192.0.2.1")
    assert [porch.admits(f"198.51.100.{nth}") for nth in range(9)] == [True] * 8 + [False]
    assert [porch.admits("192.0.2.1") for _ in range(3)] == [True, True, False]
    porch.leaves("192.0.2.1")
    assert not porch.admits("198.51.100.77")
    assert porch.admits("192.0.2.1")


def test_sockets_behind_a_proxy_are_counted_by_the_address_it_names() -> None:
    porch = Porch(Limits(lines_per_address=2), Settings(trusted_proxies="10.0.0.0/8"))
    assert all([porch.admits("10.0.0.1") for _ in range(5)])
    with porch.socket("192.0.2.1", "10.0.0.1") as first, porch.socket("192.0.2.1", "10.0.0.1") as second:
        with porch.socket("192.0.2.1", "10.0.0.1") as third:
            assert (first, second, third) == (True, True, False)
        with porch.socket("192.0.2.2", "10.0.0.1") as other:
            assert other
    assert not porch.by_subscriber


def test_the_addresses_of_an_ipv6_network_of_64_bits_share_their_connections() -> None:
    porch = Porch(Limits(lines_per_address=2))
    assert [porch.admits(f"2001:db8::{nth}") for nth in range(3)] == [True, True, False]
    assert porch.admits("2001:db8:0:1::1")
    assert all([porch.admits(f"::ffff:192.0.2.{nth}") for nth in range(3)])
    porch.leaves("2001:db8::1")
    assert porch.admits("2001:db8::3")


def test_a_banned_ipv4_address_is_banned_where_it_is_written_as_ipv6() -> None:
    porch = Porch(Limits())
    porch.ban(["192.0.2.0/24", "::ffff:198.51.100.1"])
    assert porch.is_banned("::ffff:192.0.2.1")
    assert porch.is_banned("198.51.100.1")


# Settings.


def test_settings_come_from_a_file_the_environment_and_the_command(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('tables = 7\nrate = 2.5\npublic_url = "https://silver.example"\nlog_addresses = true\n')
    limits, settings = read_settings(
        str(file), {"ARGENTUM_TABLES": "8", "ARGENTUM_BURST": "9", "HOME": "x"}, {"burst": 10}
    )
    assert (limits.tables, limits.rate, limits.burst) == (8, 2.5, 10)
    assert (settings.public_url, settings.log_addresses) == ("https://silver.example", True)
    assert read_settings(None, {}) == (Limits(), Settings())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tabels = 7", "There is no setting 'tabels'"),
        ('tables = "many"', "tables is a number, not 'many'"),
        ("tables = -1", "tables is a number from 0 up"),
        ('public_url = "silver.example"', "public_url is an address such as https://"),
        ('public_url = "https://[x"', "public_url is an address such as https://"),
        ("log_addresses = 3", "log_addresses is true or false"),
        ("tables = ", "is not a TOML file"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BadSetting, match=re.escape(why)):
        read_settings(str(file), {})


def test_an_option_of_nothing_comes_first_too(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Limits] = []
    monkeypatch.setattr("argentum.commands.serve.check_address", lambda host, port: None)
    monkeypatch.setattr("argentum.web.server.run.serve", lambda *given: served.append(given[6]))
    for options, days in (([], 30), (["--keep-days", "0"], 0)):
        result = CliRunner().invoke(main, ["serve", *options], env={"ARGENTUM_KEEP_DAYS": "30"})
        assert (result.exit_code, served.pop().keep_days) == (0, days)


def test_the_hosting_page_lists_every_setting_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \| .+ \|$", page, re.MULTILINE))
    due = {one.name: one.default for kind in (Limits, Settings) for one in fields(kind)}
    assert {name: literal_eval(text) for name, text in listed.items()} == due
