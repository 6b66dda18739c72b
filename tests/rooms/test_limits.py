"""What the server takes from anybody: how much, how fast, from where; and what it never gives away."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from starlette.websockets import WebSocket

from argentum.display.errors import Refused
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import CreationLimiter, Limits, TokenBucket
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.support.fakes import FakeSocket, StubConnection, open_slow_registry, run
from tests.support.server import Server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


@pytest.fixture(autouse=True)
def quiet(site: Server) -> Iterator[None]:
    """Whatever is done to it, the server has nothing to complain of."""
    assert site.stderr is not None
    said = Path(
        site.stderr.name
    )  # read by name: our handle shares its place with the server's, and is always at the end
    before = said.stat().st_size
    yield
    assert said.read_bytes()[before:].decode() == ""


# How fast and how much.


def test_a_bucket_allows_a_burst_and_then_a_steady_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("argentum.rooms.limits.monotonic", lambda: now)
    gate = TokenBucket(60, 20.0)
    assert [gate.try_take() for _ in range(61)] == [True] * 60 + [False]
    now += 1.0
    assert [gate.try_take() for _ in range(21)] == [True] * 20 + [False]
    now += 1000.0
    assert sum([gate.try_take() for _ in range(100)]) == 60


# How many.


def test_new_tables_are_limited_per_address(site: Server) -> None:
    answers = (site.request("/tables", {}, "127.0.0.9") for _ in range(1000))
    refused = next(answer for answer in answers if answer.status != 303)
    assert refused.status == 409
    assert "Too many new tables from your address; please wait a moment." in refused.text
    assert site.request("/tables", {}, "127.0.0.10").status == 303


def test_new_tables_are_limited_by_address_by_network_and_in_all() -> None:
    gates = CreationLimiter(
        Limits(
            new_tables_burst=2,
            new_tables_prefix_burst=3,
            new_tables_total_burst=5,
            new_tables_rate=0,
            new_tables_prefix_rate=0,
            new_tables_total_rate=0,
        )
    )

    def asks(address: str) -> str:
        try:
            gates.check(address)
        except Refused as error:
            return str(error).removeprefix("too many new tables ").partition(";")[0]
        return ""

    assert [asks("192.0.2.1") for _ in range(3)] == ["", "", "from your address"]
    assert [asks("192.0.2.2") for _ in range(2)] == ["", "from your network"]
    assert [asks("2001:db8::1"), asks("2001:db8:0:ff::1")] == ["", ""]
    assert [asks("198.51.100.1"), asks("2001:db8::2")] == ["at once", "at once"]


def test_the_addresses_of_an_ipv6_network_of_64_bits_set_tables_as_one() -> None:
    gates = CreationLimiter(Limits(new_tables_burst=2, new_tables_rate=0.0))
    gates.check("2001:db8::1")
    gates.check("2001:db8::2")
    with pytest.raises(Refused, match="from your address"):
        gates.check("2001:db8::3")
    gates.check("2001:db8:0:1::1")
    for nth in range(3):  # IPv4 addresses are not one network where they are written as IPv6
        gates.check(f"::ffff:192.0.2.{nth}")


def test_the_addresses_of_an_ipv6_network_of_64_bits_have_one_seat_at_an_open_table(tmp_path: Path) -> None:
    async def join() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            room, _ = await registry.create(replace(new_arrangement(opponents=3), listed=True))
            await registry.join_open_room(room.name, "Bo", "2001:db8::1")
            with pytest.raises(Refused, match="somebody at your address has a seat there already"):
                await registry.join_open_room(room.name, "Cy", "2001:db8::2")
            await registry.join_open_room(room.name, "Di", "2001:db8:0:1::1")

    run(join())


def test_the_addresses_of_an_ipv6_network_of_64_bits_watch_a_table_as_one(tmp_path: Path) -> None:
    async def watch() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            registry.limits = Limits(max_spectators_per_address=2)
            room, _ = await registry.create(replace(new_arrangement(), listed=True))
            tasks = []
            for nth in range(2):
                connection = Connection(
                    cast(WebSocket, FakeSocket({"type": "sit", "table": room.name})),
                    registry,
                    PageRenderer(),
                    f"2001:db8::{nth}",
                )
                tasks.append(asyncio.create_task(connection.run()))
            while len(room.access.connections) < 2:
                await asyncio.sleep(0)
            third = FakeSocket({"type": "sit", "table": room.name})
            await Connection(cast(WebSocket, third), registry, PageRenderer(), "2001:db8::3").run()
            assert third.code == 1013
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(watch())


def test_two_open_tables_of_an_address_are_listed(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            set_from = ["192.0.2.1"] * 5 + ["192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"]
            rooms = []
            for nth, address in enumerate(set_from):
                room, _ = await registry.create(replace(new_arrangement(), listed=True), address=address)
                await room.enter(StubConnection("A"))
                room.last_active = float(nth)
                rooms.append(room)
            listed = {table["name"] for table in registry.open_rooms()}
            assert [room.name in listed for room in rooms] == [False] * 3 + [True] * 3 + [False, True, True]

    run(list_tables())


def test_after_a_restart_open_tables_count_for_the_address_of_their_host(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            tasks, lines = [], []
            for _ in range(3):
                room, key = await registry.create(replace(new_arrangement(), listed=True))
                room.host_address = ""  # as after a restart
                lines.append(FakeSocket({"type": "sit", "table": room.name, "key": key}))
                connection = Connection(cast(WebSocket, lines[-1]), registry, PageRenderer(), "192.0.2.1")
                tasks.append(asyncio.create_task(connection.run()))
                while not room.access.connections:
                    await asyncio.sleep(0)
            assert {room.host_address for room in registry.rooms.values()} == {"192.0.2.1"}
            assert len(registry.open_rooms()) == 2
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(list_tables())


def test_a_forward_jump_of_the_clock_deletes_nothing_until_the_grace_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def jump() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log, limits=Limits(keep_days=30.0, startup_grace_minutes=60.0))
        in_memory, asleep = [(await registry.create(new_arrangement(opponents=1, bot="random")))[0] for _ in range(2)]
        for room in (in_memory, asleep):
            await room.start("A")
        del registry.rooms[asleep.name]
        started_game, set_at = registry.started, time.time()

        async def sweep(hours: float, jump: float) -> list[str]:
            monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: started_game + hours * 3600)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: set_at + hours * 3600 + jump)
            await registry.sweep()
            return [name for name, _ in log.all_entries()]

        both, ten_years = sorted([in_memory.name, asleep.name]), 10 * 365 * 86400.0
        assert await sweep(2.0, 0.0) == both
        assert await sweep(2.1, ten_years) == both
        assert await sweep(3.0, ten_years) == both
        assert len(caplog.records) == 1
        assert await sweep(3.2, ten_years) == [], "then the operator's word counts"
        await registry.close()
        await log.close()

    run(jump())
