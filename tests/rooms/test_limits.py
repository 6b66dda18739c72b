"""Rate limits on new tables, seats and spectators, per address and in total."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from starlette.websockets import WebSocket

from argentum.display.errors import Refused
from argentum.rooms import limits
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import AddressBuckets, CreationLimiter, Limits, TokenBucket
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.support.fakes import FakeSocket, StubConnection, open_slow_registry, run
from tests.support.server import Server


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this module."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.start()
        yield server
        server.stop()


@pytest.fixture(autouse=True)
def no_server_output(site: Server) -> Iterator[None]:
    """Check that the server writes nothing to stderr during a test."""
    assert site.stderr is not None
    # Read by the path, because the open file shares its position with the server.
    stderr = Path(site.stderr.name)
    size = stderr.stat().st_size
    yield
    assert stderr.read_bytes()[size:].decode() == ""


def test_a_bucket_allows_a_burst_and_then_a_steady_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("argentum.rooms.limits.monotonic", lambda: now)
    bucket = TokenBucket(60, 20.0)
    assert [bucket.try_take() for _ in range(61)] == [True] * 60 + [False]
    now += 1.0
    assert [bucket.try_take() for _ in range(21)] == [True] * 20 + [False]
    now += 1000.0
    assert sum([bucket.try_take() for _ in range(100)]) == 60


def test_looking_up_buckets_costs_a_constant_number_of_checks_per_address(monkeypatch: pytest.MonkeyPatch) -> None:
    now, checks = 100.0, 0

    class CountingBucket(TokenBucket):
        @property
        def is_full(self) -> bool:
            nonlocal checks
            checks += 1
            return super().is_full

    monkeypatch.setattr(limits, "monotonic", lambda: now)
    monkeypatch.setattr(limits, "MAX_BUCKETS", 10)
    monkeypatch.setattr(limits, "TokenBucket", CountingBucket)
    buckets = AddressBuckets(1, 1.0, str)
    for number in range(1000):
        buckets.bucket_for(str(number)).try_take()
    assert len(buckets.buckets) == 1000, "no bucket is full"
    assert checks < 2 * 1000
    now += 1.0
    for number in range(1000, 2000):
        buckets.bucket_for(str(number)).try_take()
    assert "0" not in buckets.buckets, "full buckets are dropped"
    assert checks < 2 * 2000


def test_new_tables_are_limited_per_address(site: Server) -> None:
    answers = (site.request("/tables", {}, "127.0.0.9") for _ in range(1000))
    refused = next(answer for answer in answers if answer.status != 303)
    assert refused.status == 409
    assert "Too many new tables from your address; please wait a moment." in refused.text
    assert site.request("/tables", {}, "127.0.0.10").status == 303


def test_new_tables_are_limited_per_address_per_network_and_in_total() -> None:
    limiter = CreationLimiter(
        Limits(
            new_tables_burst=2,
            new_tables_prefix_burst=3,
            new_tables_total_burst=5,
            new_tables_rate=0,
            new_tables_prefix_rate=0,
            new_tables_total_rate=0,
        )
    )

    def scope_of_refusal(address: str) -> str:
        try:
            limiter.check(address)
        except Refused as error:
            return str(error).removeprefix("too many new tables ").partition(";")[0]
        return ""

    assert [scope_of_refusal("192.0.2.1") for _ in range(3)] == ["", "", "from your address"]
    assert [scope_of_refusal("192.0.2.2") for _ in range(2)] == ["", "from your network"]
    assert [scope_of_refusal("2001:db8::1"), scope_of_refusal("2001:db8:0:ff::1")] == ["", ""]
    assert [scope_of_refusal("198.51.100.1"), scope_of_refusal("2001:db8::2")] == ["at once", "at once"]


def test_addresses_of_an_ipv6_64_network_share_the_limit_on_new_tables() -> None:
    limiter = CreationLimiter(Limits(new_tables_burst=2, new_tables_rate=0.0))
    limiter.check("2001:db8::1")
    limiter.check("2001:db8::2")
    with pytest.raises(Refused, match="from your address"):
        limiter.check("2001:db8::3")
    limiter.check("2001:db8:0:1::1")
    for index in range(3):  # IPv4-mapped addresses count as IPv4 addresses.
        limiter.check(f"::ffff:192.0.2.{index}")


def test_addresses_of_an_ipv6_64_network_get_one_seat_at_an_open_table(tmp_path: Path) -> None:
    async def join() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            room, _ = await registry.create(replace(new_arrangement(opponents=3), listed=True))
            await registry.join_open_room(room.name, "Bo", "2001:db8::1")
            with pytest.raises(Refused, match="somebody at your address has a seat there already"):
                await registry.join_open_room(room.name, "Cy", "2001:db8::2")
            await registry.join_open_room(room.name, "Di", "2001:db8:0:1::1")

    run(join())


def test_addresses_of_an_ipv6_64_network_share_the_limit_on_spectators(tmp_path: Path) -> None:
    async def watch() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            registry.limits = Limits(max_spectators_per_address=2)
            room, _ = await registry.create(replace(new_arrangement(), listed=True))
            tasks = []
            for index in range(2):
                connection = Connection(
                    cast(WebSocket, FakeSocket({"type": "join", "table": room.name})),
                    registry,
                    PageRenderer(),
                    f"2001:db8::{index}",
                )
                tasks.append(asyncio.create_task(connection.run()))
            while len(room.connections) < 2:
                await asyncio.sleep(0)
            third = FakeSocket({"type": "join", "table": room.name})
            await Connection(cast(WebSocket, third), registry, PageRenderer(), "2001:db8::3").run()
            assert third.code == 1013
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(watch())


def test_at_most_two_open_tables_per_address_are_listed(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            host_addresses = ["192.0.2.1"] * 5 + ["192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"]
            rooms = []
            for index, address in enumerate(host_addresses):
                room, _ = await registry.create(replace(new_arrangement(), listed=True), address=address)
                await room.enter(StubConnection("A"))
                room._last_active = float(index)
                rooms.append(room)
            listed = {table["name"] for table in registry.open_rooms()}
            assert [room.name in listed for room in rooms] == [False] * 3 + [True] * 3 + [False, True, True]

    run(list_tables())


def test_after_a_restart_open_tables_count_for_the_address_of_their_host(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            tasks, sockets = [], []
            for _ in range(3):
                room, key = await registry.create(replace(new_arrangement(), listed=True))
                room.set_host_address("")  # It is unknown after a restart.
                sockets.append(FakeSocket({"type": "join", "table": room.name, "key": key}))
                connection = Connection(cast(WebSocket, sockets[-1]), registry, PageRenderer(), "192.0.2.1")
                tasks.append(asyncio.create_task(connection.run()))
                while not room.connections:
                    await asyncio.sleep(0)
            assert {room.host_address for room in registry.rooms.values()} == {"192.0.2.1"}
            assert len(registry.open_rooms()) == 2
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(list_tables())
