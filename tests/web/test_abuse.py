"""What the server takes from anybody: how much, how fast, from where; and what it never gives away."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from random import Random
from signal import SIGINT
from typing import Any, ClassVar, TypeVar, cast
from urllib.parse import urljoin, urlsplit

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from argentum.display.errors import Refused
from argentum.display.updates import view_json
from argentum.rooms.access import derived
from argentum.rooms.arrangement import Arrangement, Rematch, first_arrangement
from argentum.rooms.clock import Pace
from argentum.rooms.limits import Gate, Gates, Limits
from argentum.rooms.log.databases import Database, LogError
from argentum.rooms.log.sql import Log
from argentum.rooms.messages import LONGEST_MESSAGE
from argentum.rooms.registry import Hall
from argentum.rooms.room import Room
from argentum.web.pages.lobby import lobby_of
from argentum.web.pages.my_tables import stands
from argentum.web.pages.page_diff import Received
from argentum.web.pages.renderer import Painter
from argentum.web.server.run import LONGEST_FRAME
from argentum.web.sockets.connection import PATIENCE as MOST_IGNORED
from argentum.web.sockets.connection import Connection
from tests.web.serving import PATIENCE, Answer, Client, Server, dialled, seated

Result = TypeVar("Result")
ELSEWHERE = "https://elsewhere.example"
VOID = "this link does not open a seat at this table; ask for a new one"


def run(main: Coroutine[None, None, Result]) -> Result:
    """Run it; who waits for what does not come fails."""
    return asyncio.run(asyncio.wait_for(main, 2 * PATIENCE))


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


async def heard_until_cut(socket: ClientConnection) -> tuple[list[dict[str, Any]], int | None]:
    """All that still comes, and the code with which the server hangs up."""
    heard = []
    try:
        while True:
            heard.append(json.loads(await socket.recv()))
    except ConnectionClosed as end:
        return heard, end.rcvd.code if end.rcvd is not None else None


# How fast and how much.


def test_a_gate_lets_a_burst_pass_and_then_a_steady_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("argentum.rooms.limits.monotonic", lambda: now)
    gate = Gate(60, 20.0)
    assert [gate.admits() for _ in range(61)] == [True] * 60 + [False]
    now += 1.0
    assert [gate.admits() for _ in range(21)] == [True] * 20 + [False]
    now += 1000.0
    assert sum([gate.admits() for _ in range(100)]) == 60


def test_who_is_too_fast_is_told_and_then_cut_off(site: Server) -> None:
    async def flood() -> None:
        table, key = site.new_table("/tables")
        async with seated(site, table, key) as client:
            codes: list[str] = []
            for _ in range(50):
                await client.say(type="move", choice=0, move="draw")
            with suppress(ConnectionClosed):
                while True:  # another for each answer: on a slow machine, many are admitted meanwhile
                    codes.append((await client.error())["code"])
                    with suppress(ConnectionClosed):
                        await client.say(type="move", choice=0, move="draw")
            assert client.socket.close_code == 1008
        assert codes.count("too fast") == MOST_IGNORED
        assert codes[: Limits.burst] == ["refused"] * Limits.burst
        async with seated(site, table, key) as again:  # the seat is still theirs
            assert again.state["seq"] == 1

    run(flood())


def test_a_long_message_is_refused_and_a_huge_one_ends_the_connection(site: Server) -> None:
    async def send() -> None:
        table, key = site.new_table("/tables")
        async with seated(site, table, key) as client:
            await client.socket.send(" " * (LONGEST_MESSAGE + 1))
            error = await client.error()
            assert (error["code"], error["message"]) == (
                "malformed",
                f"a message has at most {LONGEST_MESSAGE} characters; this one has {LONGEST_MESSAGE + 1}",
            )
            await client.say(type="arrange", name="Ann")
            assert (await client.update())["seats"][0]["name"] == "Ann"
            await client.socket.send(" " * (LONGEST_FRAME + 1))
            assert (await heard_until_cut(client.socket))[1] == 1009
        async with seated(site, table, key) as client:
            with suppress(ConnectionClosed):  # it may come while we still send
                await client.socket.send(["x" * 1000] * 100)  # in pieces
            with pytest.raises(ConnectionClosed):
                await client.update()
        async with seated(site, table, key) as client:
            assert client.state["seats"][0]["name"] == "Ann"

    run(send())


# From where.


@pytest.mark.parametrize(
    "origin", [ELSEWHERE, "null", "http://127.0.0.1:1", "http://127.0.0.1", "file://", "http://[x"]
)
def test_pages_of_other_sites_get_no_socket(site: Server, origin: str) -> None:
    async def ring() -> None:
        with pytest.raises(InvalidStatus) as refusal:
            async with dialled(site, origin=origin):
                pass
        assert refusal.value.response.status_code == 403

    run(ring())


def test_our_own_pages_and_programs_get_a_socket(site: Server) -> None:
    async def ring(origin: str | None) -> None:
        table, key = site.new_table("/tables")
        async with dialled(site, origin=origin) as socket:
            client = Client(socket)
            await client.say(type="sit", table=table, key=key)
            assert (await client.update())["seat"] == "A"

    run(ring(site.origin))
    run(ring(None))


@pytest.mark.parametrize("path", ["/play", "/guide", "/tables", "/join/amber-oak"])
def test_forms_of_other_sites_are_refused(site: Server, path: str) -> None:
    tables = site.ask("/health").text
    strangers = ({"Origin": ELSEWHERE}, {"Origin": "null"}, {"Origin": "http://[x"}, {"Sec-Fetch-Site": "cross-site"})
    for headers in strangers:
        answer = site.ask(path, {"name": "Ann"}, **headers)
        assert answer.status == 409
        assert "own pages" in answer.text
    assert site.ask("/health").text == tables
    if path != "/join/amber-oak":
        assert site.ask(path, {"name": "Ann"}, Origin=site.origin).status == 303


@pytest.mark.parametrize(
    "form",
    [
        {"name": "x" * 5000},
        {"name": "\x00"},
        {"name": "Ann\u202eB"},
        {"boxes": "silver"},
        {"boxes": "d" * 15},
        {"level": "../novice"},
        {"level": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")},
    ],
)
def test_forms_with_nonsense_set_no_table(site: Server, form: dict[str, str]) -> None:
    tables = site.ask("/health").text
    answer = site.ask("/play", form)
    assert answer.status == 409
    assert answer.headers.get_content_type() == "text/html"
    assert "Traceback" not in answer.text
    assert site.ask("/health").text == tables


def test_a_form_that_is_no_form_is_read_as_an_empty_one(site: Server) -> None:
    for form in ({"bots": "²"}, {"bots": "-1"}, {"bots": "9" * 4000}, {"\ufffd": "\ufffd"}):
        assert site.ask("/play", form).status == 303


# How many.


def test_one_address_may_set_so_many_tables_at_once_and_others_are_not_kept_from_it(site: Server) -> None:
    answers = (site.ask("/tables", {}, "127.0.0.9") for _ in range(1000))
    refused = next(answer for answer in answers if answer.status != 303)
    assert refused.status == 409
    assert "Too many new tables from your address; please wait a moment." in refused.text
    assert site.ask("/tables", {}, "127.0.0.10").status == 303


def test_the_hall_has_so_many_tables_and_no_more(tmp_path: Path) -> None:
    small = Server(str(tmp_path / "tables.db"), ("--bot-pause", "0", "--tables", "3"))
    small.start()
    try:
        with ThreadPoolExecutor(8) as crowd:
            answers = list(crowd.map(lambda path: small.ask(path, {}), ["/play", "/tables", "/guide", "/play"] * 2))
        assert sorted(answer.status for answer in answers) == [303] * 3 + [409] * 5
        full = next(answer for answer in answers if answer.status == 409)
        assert "The hall is full: every table is taken. Please try again in a while." in full.text
        assert full.headers.get_content_type() == "text/html"
        assert small.ask("/health").text == "ok, 3 tables\n"
        assert small.ask("/").status == 200
    finally:
        small.stop()


def test_a_table_has_so_many_connections_and_no_more(site: Server) -> None:
    async def crowd() -> None:
        table, key = site.new_table("/tables")
        watch = derived(key, "watch")
        async with AsyncExitStack() as stack:
            onlookers = [Client(await stack.enter_async_context(dialled(site))) for _ in range(Limits.connections)]
            for onlooker in onlookers:
                await onlooker.say(type="sit", table=table, key=watch)
                await onlooker.hear()
            async with dialled(site) as socket:
                late = Client(socket)
                await late.say(type="sit", table=table, key=watch)
                heard, code = await heard_until_cut(socket)
            assert ([one["code"] for one in heard], code) == (["full"], 1013)
            # Onlookers do not keep anybody from their seat, nor from other tables.
            async with seated(site, table, key) as host:
                assert host.state["seat"] == "A"
            async with seated(site, *site.new_table("/tables")) as other:
                assert other.state["seat"] == "A"
            await onlookers[0].socket.close()
            there = False
            while not there:  # once the server has noticed
                async with seated(site, table, watch) as late:
                    there = late.state.get("type") == "update"

    run(crowd())


def later(monkeypatch: pytest.MonkeyPatch, hours: float, before: float) -> None:
    monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: before + hours * 3600)
    monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + hours * 3600)


def test_empty_tables_are_deleted_in_minutes_and_games_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sweep() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log, limits=Limits(idle_hours=2.0, gathered_hours=1.0, empty_minutes=10.0))
        empty, _ = await hall.set_table(first_arrangement())
        gathered, _ = await hall.set_table(first_arrangement())
        await gathered.take_seat("a key", "Bo")
        watched, _ = await hall.set_table(first_arrangement())
        playing, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
        await playing.start("A")
        await watched.enter(Sitter("watch"))
        before = time.monotonic()
        steps: tuple[tuple[float, list[Room], list[Room]], ...] = (
            (0.1, [empty, gathered, watched, playing], []),
            (0.9, [gathered, watched, playing], []),
            (1.1, [watched, playing], []),
            (2.1, [watched], [playing]),
        )
        for hours, left, kept in steps:
            later(monkeypatch, hours, before)
            await hall.sweep()
            assert list(hall.rooms.values()) == left
            assert [name for name, _ in log.all_entries()] == sorted([room.name for room in [*left, *kept]])
        back = await hall.find(playing.name)  # whoever bookmarked it
        assert back is not None
        assert back.playing
        await hall.close()
        await log.close()

    run(sweep())


def test_new_tables_are_limited_by_address_by_network_and_in_all() -> None:
    gates = Gates(Limits(new_tables_burst=2, prefix_burst=3, all_burst=5, new_tables_rate=0, prefix_rate=0, all_rate=0))

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
    gates = Gates(Limits(new_tables_burst=2, new_tables_rate=0.0))
    gates.check("2001:db8::1")
    gates.check("2001:db8::2")
    with pytest.raises(Refused, match="from your address"):
        gates.check("2001:db8::3")
    gates.check("2001:db8:0:1::1")
    for nth in range(3):  # IPv4 addresses are not one network where they are written as IPv6
        gates.check(f"::ffff:192.0.2.{nth}")


def test_the_addresses_of_an_ipv6_network_of_64_bits_have_one_seat_at_an_open_table(tmp_path: Path) -> None:
    async def join() -> None:
        async with hall_in(tmp_path) as (hall, _):
            room, _ = await hall.set_table(replace(first_arrangement(opponents=3), listed=True))
            await hall.join(room.name, "Bo", "2001:db8::1")
            with pytest.raises(Refused, match="somebody at your address has a seat there already"):
                await hall.join(room.name, "Cy", "2001:db8::2")
            await hall.join(room.name, "Di", "2001:db8:0:1::1")

    run(join())


def test_the_addresses_of_an_ipv6_network_of_64_bits_watch_a_table_as_one(tmp_path: Path) -> None:
    async def watch() -> None:
        async with hall_in(tmp_path) as (hall, _):
            hall.limits = Limits(onlookers_per_address=2)
            room, _ = await hall.set_table(replace(first_arrangement(), listed=True))
            tasks = []
            for nth in range(2):
                connection = Connection(
                    cast(WebSocket, Line({"type": "sit", "table": room.name})), hall, Painter(), f"2001:db8::{nth}"
                )
                tasks.append(asyncio.create_task(connection.run()))
            while len(room.doors.readers) < 2:
                await asyncio.sleep(0)
            third = Line({"type": "sit", "table": room.name})
            await Connection(cast(WebSocket, third), hall, Painter(), "2001:db8::3").run()
            assert third.code == 1013
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(watch())


def test_two_open_tables_of_an_address_are_listed(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with hall_in(tmp_path) as (hall, _):
            set_from = ["192.0.2.1"] * 5 + ["192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"]
            rooms = []
            for nth, address in enumerate(set_from):
                room, _ = await hall.set_table(replace(first_arrangement(), listed=True), address=address)
                await room.enter(Sitter("A"))
                room.touched = float(nth)
                rooms.append(room)
            listed = {table["name"] for table in hall.listed()}
            assert [room.name in listed for room in rooms] == [False] * 3 + [True] * 3 + [False, True, True]

    run(list_tables())


def test_after_a_restart_open_tables_count_for_the_address_of_their_host(tmp_path: Path) -> None:
    async def list_tables() -> None:
        async with hall_in(tmp_path) as (hall, _):
            tasks, lines = [], []
            for _ in range(3):
                room, key = await hall.set_table(replace(first_arrangement(), listed=True))
                room.host_address = ""  # as after a restart
                lines.append(Line({"type": "sit", "table": room.name, "key": key}))
                connection = Connection(cast(WebSocket, lines[-1]), hall, Painter(), "192.0.2.1")
                tasks.append(asyncio.create_task(connection.run()))
                while not room.doors.readers:
                    await asyncio.sleep(0)
            assert {room.host_address for room in hall.rooms.values()} == {"192.0.2.1"}
            assert len(hall.listed()) == 2
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(list_tables())


def test_if_the_hall_is_full_tables_in_play_are_not_the_victims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log, limits=Limits(tables=3, spare_minutes=2.0))
        with_game, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
        await with_game.start("A")
        first, _ = await hall.set_table(first_arrangement())
        seated_at, _ = await hall.set_table(first_arrangement())
        await seated_at.enter(Sitter("A"))
        with pytest.raises(Refused, match="the hall is full"):
            await hall.set_table(first_arrangement())
        later(monkeypatch, 0.05, time.monotonic())
        second, _ = await hall.set_table(first_arrangement())
        assert list(hall.rooms.values()) == [with_game, seated_at, second]
        second.touched += 3600
        await hall.set_table(first_arrangement())  # now the game goes to sleep in the log, and nothing is lost
        assert with_game.name not in hall.rooms
        assert [entry.kind for entry in log.entries(with_game.name)] == ["table", "start"]
        assert not log.entries(first.name)
        await hall.close()
        await log.close()

    run(fill())


def test_a_wrong_clock_at_the_start_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is ten years ahead, as that of a machine without a battery may be."""

    async def restart() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log)
        for game in (True, False):
            room, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            if game:
                await room.start("A")
        await hall.close()
        monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 10 * 365 * 86400)
        again = Hall(log, limits=Limits(keep_days=30.0))
        again.restore()
        await again.sweep()
        assert len(again.rooms) == len(list(log.all_entries())) == 2
        monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: again.started + 3601)
        await again.sweep()  # after that, the operator's word counts
        assert not list(log.all_entries())
        await again.close()
        await log.close()

    run(restart())


def test_a_forward_jump_of_the_clock_deletes_nothing_until_the_grace_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def jump() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log, limits=Limits(keep_days=30.0, start_grace_minutes=60.0))
        in_memory, asleep = [(await hall.set_table(first_arrangement(opponents=1, bot="random")))[0] for _ in range(2)]
        for room in (in_memory, asleep):
            await room.start("A")
        del hall.rooms[asleep.name]
        begun, set_at = hall.started, time.time()

        async def sweep(hours: float, jump: float) -> list[str]:
            monkeypatch.setattr("argentum.rooms.registry.monotonic", lambda: begun + hours * 3600)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: set_at + hours * 3600 + jump)
            await hall.sweep()
            return [name for name, _ in log.all_entries()]

        both, ten_years = sorted([in_memory.name, asleep.name]), 10 * 365 * 86400.0
        assert await sweep(2.0, 0.0) == both
        assert await sweep(2.1, ten_years) == both
        assert await sweep(3.0, ten_years) == both
        assert len(caplog.records) == 1
        assert await sweep(3.2, ten_years) == [], "then the operator's word counts"
        await hall.close()
        await log.close()

    run(jump())


def test_a_finished_game_is_kept_while_a_browser_has_it_among_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come_back() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log, limits=Limits(keep_days=30.0, start_grace_minutes=-1.0))
        finished = []
        for _ in range(2):
            room, key = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            await room.start("A")
            assert room.game is not None
            room.game.roll_out(Random(1))
            finished.append((room.name, key))
        day, now = 86400.0, time.time()
        clock = now
        for module in ("hall", "room", "play", "log"):
            target = f"argentum.web.{module}.time.time" if module == "log" else f"argentum.web.{module}.time"
            monkeypatch.setattr(target, lambda: clock)
        for days in (20, 40):
            clock = now + days * day
            assert len(await stands(hall, finished[:1])) == 1  # as the first page asks
            assert len(await stands(hall, finished[:1])) == 1  # twice a day is not written twice
            await hall.sweep()
        assert [entry.kind for entry in log.entries(finished[0][0])] == ["table", "start", "visit", "visit"]
        assert not log.entries(finished[1][0])
        clock = now + 71 * day
        await hall.sweep()
        assert not list(log.all_entries())
        await hall.close()
        await log.close()

    run(come_back())


def test_a_table_at_which_somebody_is_keeps_its_log_however_old_its_last_move_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sit_for_long() -> None:
        async with hall_in(tmp_path) as (hall, log):
            log.may_end.set()
            hall.limits = Limits(keep_days=30.0, start_grace_minutes=-1.0)
            watched, left, kept = [
                (await hall.set_table(first_arrangement(opponents=1, bot="random")))[0] for _ in range(3)
            ]
            for room in (watched, left, kept):
                await room.start("A")
            await kept.play.keep()
            sitter = Sitter("A")
            await watched.enter(sitter)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 31 * 86400)
            await hall.sweep()
            assert [name for name, _ in log.all_entries()] == sorted([watched.name, kept.name])
            await watched.move("A", watched.choice("A"), "peek A1 A2")
            kinds = {entry.seq: entry.kind for entry in log.entries(watched.name)}
            assert [kinds[seq] for seq in range(3)] == ["table", "start", "move"]
            watched.leave(sitter)

    run(sit_for_long())


def test_who_asks_for_a_table_while_it_is_forgotten_finds_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read before it was deleted, and went on without a log."""

    async def ask() -> None:
        async with hall_in(tmp_path) as (hall, log):
            hall.limits = Limits(keep_days=30.0, start_grace_minutes=-1.0)
            room, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            await room.start("A")
            del hall.rooms[room.name]
            asked: list[asyncio.Task[Room | None]] = []
            forget = log.forget

            async def forget_slowly(table: str, before: float) -> bool:
                asked.append(asyncio.create_task(hall.find(table)))
                await asyncio.to_thread(log.entries, table)  # as long as it takes to read the table
                await asyncio.sleep(0)
                return await forget(table, before)

            monkeypatch.setattr(log, "forget", forget_slowly)
            monkeypatch.setattr("argentum.rooms.registry.time", lambda: time.time() + 31 * 86400)
            await hall.sweep()
            assert [await one for one in asked] == [None]
            assert not list(log.all_entries())

    run(ask())


# Tokens, and what an onlooker's is good for.


def test_keys_are_long_and_nowhere_but_in_the_link(tmp_path: Path) -> None:
    async def play(one: Server, table: str, key: str, **more: str) -> str:
        """All that a host hears on the way to the first choice."""
        async with seated(one, table, key, **more) as host:
            await host.say(type="record")
            return json.dumps([host.state, await host.hear()])

    one = Server(str(tmp_path / "tables.db"))
    with (tmp_path / "stderr").open("w+b") as one.stderr:
        one.start()
        answers = [one.ask("/play", {"name": "Ann"}) for _ in range(20)]
        links = [answer.headers["Location"].removeprefix("/table/").split("#") for answer in answers]
        hosts = [key for _, key in links]
        keys = [*hosts, *[derived(host, role) for host in hosts for role in ("B", "C", "D", "watch")]]
        assert len(set(keys)) == 100
        assert all(len(key) >= 32 for key in keys)
        table, host = links[0]
        page = one.ask(f"/table/{table}")
        said = [page.text, str(page.headers), *[answer.text for answer in answers], one.ask("/").text]
        told = [run(play(one, table, host)), run(play(one, table, host, format="html"))]
        said += [text.replace(derived(host, "watch"), "") for text in told]  # the host is told the invitation
        assert one.process is not None
        one.process.send_signal(SIGINT)
        said += [one.process.communicate()[0].decode(), (tmp_path / "stderr").read_text()]
    said += [file.read_bytes().decode("latin-1") for file in tmp_path.glob("tables.db*")]
    assert [(key, where) for key in keys for where, text in enumerate(said) if key in text] == []


def test_a_lobby_shows_the_invitation_to_the_host_alone(site: Server) -> None:
    """One link invites everybody. No page has the key of a seat: whoever takes one gets a key of their own."""

    async def first_page(table: str, key: str) -> str:
        async with dialled(site) as socket:
            guest = Client(socket)
            await guest.say(type="sit", table=table, key=key, format="html")
            return json.dumps(await guest.hear())

    async def gather() -> None:
        table, host = site.new_table("/tables")
        seats = [derived(host, role) for role in "BCD"]
        invitation = derived(host, "watch")
        async with seated(site, table, host, format="html") as client:
            await client.say(type="arrange", seats=4)
            page = ""
            while "seat-D" not in page:
                page = json.dumps(await client.hear())
        page = await first_page(table, host)
        assert f"/table/{table}#{invitation}" in page
        assert [one for one in (host, *seats) if one in page] == []
        async with dialled(site) as socket:
            guest = Client(socket)
            await guest.say(type="sit", table=table, key=invitation, format="html")
            page = json.dumps(await guest.hear())
            assert [one for one in (host, invitation, *seats) if one in page] == []
            await guest.say(type="take", seat="C", name="Cem")
            while (answer := await guest.hear())["type"] != "seat":
                pass
        assert answer["key"] not in (host, invitation, *seats)
        for key in (seats[0], answer["key"], seats[2]):
            page = await first_page(table, key)
            assert [one for one in (host, invitation, answer["key"], *seats) if one in page] == []
        assert "no seat" in await first_page(table, seats[1]), "a seat that is taken has no other key"

    run(gather())


def test_keys_open_their_own_table_only(site: Server) -> None:
    async def knock(table: object, key: object) -> tuple[list[str], int | None]:
        async with dialled(site) as socket:
            stranger = Client(socket)
            await stranger.say(type="sit", table=table, key=key)
            heard, code = await heard_until_cut(socket)
        return [one.get("code", one["type"]) for one in heard], code

    table, host = site.new_table("/tables")
    other, _ = site.new_table("/tables")
    wrong = [(other, host), (other, derived(host, "watch")), (table, host[:-1]), (table, host + "A"), (table, "")]
    wrong += [
        (table, host.swapcase()),
        (table, "x" * 65),
        (table, "\ud800"),
        (table, derived(host, "C")),
        ("none", host),
    ]
    nonsense: list[tuple[object, object]] = [(table, None), (table, [host]), ([table], host), (table, True), ({}, {})]
    for where, key in [*wrong, *nonsense]:
        assert run(knock(where, key)) == (["no seat"], 1008), (where, key)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "move", "choice": 1, "move": "draw"},
        {"type": "arrange"},
        {"type": "arrange", "name": "Eve"},
        {"type": "arrange", "listed": True},
        {"type": "arrange", "seats": 4},
        {"type": "arrange", "seat": "B", "bot": "random"},
        {"type": "start"},
        {"type": "rematch"},
        {"type": "swap", "number": 3, "box": "coin"},
        {"type": "record"},
        {"type": "sit", "table": "amber-oak"},
    ],
    ids=lambda message: " ".join(message),
)
@pytest.mark.parametrize("path", ["/tables", "/play"])
def test_an_onlooker_can_do_nothing(site: Server, path: str, message: dict[str, Any]) -> None:
    async def meddle() -> None:
        async with seated(site, table, derived(host, "watch")) as onlooker:
            while onlooker.state["seq"] < seq:
                await onlooker.hear()
            await onlooker.say(**message)
            assert (await onlooker.error())["code"] == ("malformed" if message["type"] == "sit" else "refused")
            assert onlooker.state["seat"] == ""
            assert onlooker.state["seats"][0]["here"] is False
        async with seated(site, table, derived(host, "watch")) as onlooker:
            assert onlooker.state["seq"] == seq

    table, host = site.new_table(path)
    seq = {"/tables": 1, "/play": 4}[path]  # the table; its game, and the first look of two bots
    run(meddle())


def test_an_onlooker_sees_what_lies_open_and_no_more(site: Server) -> None:
    async def watch() -> None:
        table, host = site.new_table("/play", bots="1", level="random")
        async with seated(site, table, host) as player, seated(site, table, derived(host, "watch")) as onlooker:
            random = Random(5)
            log = Log.open(site.database)
            for _ in range(30):
                while not player.asked:
                    await player.hear()
                while onlooker.state["seq"] < player.state["seq"]:
                    await onlooker.hear()
                game = Room.restored(table, log.entries(table)[: onlooker.state["seq"]], log, Pace()).game
                assert game is not None
                assert onlooker.state["view"] == json.loads(view_json(game.view()))
                assert onlooker.state["choice"] is None
                faces = [card for village in onlooker.state["view"]["villages"].values() for card in village]
                assert all(card["number"] is None or card.get("up") for card in faces)
                await player.play_random(random)
            await log.close()

    run(watch())


# What pages and files bring with them.

PATHS = [
    "/",
    "/rules",
    "/about",
    "/privacy",
    "/health",
    "/nowhere",
    "/static/css/base.css",
    "/static/nowhere.css",
    "/deck/all.svg",
]
PATHS += ["/deck/nowhere.svg", "/table/nowhere", "/play", "/static/../app.py", "/static/%2e%2e/app.py"]


def check_headers(answer: Answer) -> None:
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert not [word for word in ("unsafe", "*", "http", "data:", "blob:") if word in policy]
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "form-action 'self'" in policy
    assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")  # nothing is told elsewhere
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"]
    assert answer.headers["Set-Cookie"] is None
    assert "traceback" not in answer.text.lower()


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_its_guards(site: Server, path: str) -> None:
    check_headers(site.ask(path))


def test_refusals_redirects_and_tables_have_their_guards(site: Server) -> None:
    made = site.ask("/tables", {})
    assert made.status == 303
    check_headers(made)
    check_headers(site.ask(made.headers["Location"].partition("#")[0]))
    check_headers(site.ask("/tables", {}, Origin=ELSEWHERE))
    assert made.headers["Cache-Control"] == "no-store"  # the link is nobody else's


class Parts(HTMLParser):
    """What a page makes a browser load, and what its policy would not let run."""

    LOADING = {"src", "srcset", "poster", "data", "action", "formaction", "manifest", "background"}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in self.LOADING or (name in ("href", "xlink:href") and tag != "a"):
                self.loaded.append(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")
        if tag == "style" or (tag == "script" and "src" not in dict(attrs)):
            self.inline.append(tag)


def is_ours(url: str) -> bool:
    return not urlsplit(url).scheme and not urlsplit(url).netloc


def loads_of(sheet: str) -> list[str]:
    """What a style sheet makes a browser load."""
    return [match[1].strip("'\" ") for match in re.finditer(r"(?:url\(|@import\s+)([^);]+)", sheet)]


def pages(site: Server) -> list[str]:
    """Every page, and the table in several states as it is sent to a browser."""

    async def stages() -> list[str]:
        table, host = site.new_table("/play", bots="1")
        gathering, its_host = site.new_table("/tables")
        async with dialled(site) as one, dialled(site) as other:
            first, second = Client(one), Client(other)
            await first.say(type="sit", table=table, key=host, format="html")
            await second.say(type="sit", table=gathering, key=its_host, format="html")
            sent = [await first.hear(), await second.hear()]
            return [html for message in sent for html in Received().parts(message).values()]

    table, _ = site.new_table("/tables")
    paths = ["/", "/rules", "/about", "/privacy", "/nowhere", f"/table/{table}"]
    return [site.ask(path).text for path in paths] + run(stages())


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs_inline(site: Server) -> None:
    for page in pages(site):
        parts = Parts(page)
        assert parts.inline == []
        assert [url for url in parts.loaded if not is_ours(url)] == []
    for file in files():
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".css":
            assert [url for url in loads_of(text) if not is_ours(url)] == [], file
        code = text.replace("http://www.w3.org/", "")  # names, not addresses
        assert re.findall(r"(?:https?|wss?):?//[^\s\"'`]*", code) == [], file


def files() -> list[Path]:
    """The scripts, sheets and pictures that browsers are sent."""
    folder = Path(str(resources.files("argentum.web") / "static"))
    return [file for file in sorted(folder.rglob("*")) if file.suffix in (".css", ".js", ".svg", ".html")]


def test_the_first_page_is_light(site: Server) -> None:
    """All that it loads, before anything is compressed."""
    first = site.ask("/")
    sizes = {"/": len(first.body)}
    waiting = Parts(first.text).loaded
    while waiting:
        path = waiting.pop().partition("#")[0]
        if path in sizes or path in ("", "/play", "/guide", "/tables", "/quick") or path.startswith("/join/"):
            continue
        answer = site.ask(path)
        assert answer.status == 200, path
        sizes[path] = len(answer.body)
        if path.endswith(".css"):
            waiting += [urljoin(path, url) for url in loads_of(answer.text)]
    assert len(sizes) > 4
    assert sum(sizes.values()) < 200_000, sizes


# A bad line, several tabs, and people who press the same button at once.


async def heard(client: Client, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message of a kind."""
    while not wanted(message := await client.hear()):
        pass
    return message


async def errors_of(clients: list[Client], count: int) -> list[dict[str, Any]]:
    """The first errors that any of these are told: which of them, nobody knows."""
    errors: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def listen(client: Client) -> None:
        while True:
            errors.put_nowait(await client.error())

    tasks = [asyncio.create_task(listen(client)) for client in clients]
    told = [await errors.get() for _ in range(count)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return told


def kinds(site: Server, table: str) -> list[str]:
    """What the log has of a table, by kind."""

    async def read() -> list[str]:
        log = Log.open(site.database)
        try:
            return [entry.kind for entry in log.entries(table)]
        finally:
            await log.close()

    return run(read())


def test_start_pressed_in_two_tabs_starts_one_game(site: Server) -> None:
    async def press() -> None:
        async with seated(site, table, host) as one, seated(site, table, host) as two:
            await asyncio.gather(one.say(type="start"), two.say(type="start"), one.say(type="start"))
            errors = await errors_of([one, two], 2)
            assert {error["message"] for error in errors} == {"the game has begun already"}

    table, host = site.new_table("/tables")
    run(press())
    assert kinds(site, table).count("start") == 1


def test_two_tabs_of_a_seat_answer_a_choice_once(site: Server) -> None:
    async def play() -> None:
        async with seated(site, table, host) as one, seated(site, table, host) as two:
            assert one.state["choice"] == two.state["choice"]
            await asyncio.gather(one.play("peek A1 A2"), two.play("peek A3 A4"))
            assert [error["code"] for error in await errors_of([one, two], 1)] == ["stale"]
        async with seated(site, table, host) as one:
            assert one.state["seats"][0]["here"] is True

    table, host = site.new_table("/play", bots="1")
    run(play())


@pytest.mark.parametrize("form", ["json", "html"])
def test_a_seat_that_is_taken_away_from_somebody(site: Server, form: str) -> None:
    async def take_away() -> None:
        async with seated(site, table, host) as one, seated(site, table, derived(host, "B")) as two:
            await one.say(type="arrange", seats=3)
            await heard(one, lambda message: len(message.get("seats", ())) == 3)
            async with (
                seated(site, table, derived(host, "C"), format=form) as three,
                seated(site, table, derived(host, "C")) as three_again,
            ):
                await one.say(type="arrange", seats=2)
                await heard(one, lambda message: len(message.get("seats", ())) == 2)
                await one.say(type="start")
                for here in (one, two):
                    await heard(here, lambda message: message.get("stage") == "playing")
                for gone in (three, three_again):
                    messages, code = await heard_until_cut(gone.socket)
                    assert (messages[-1]["code"], code) == ("no seat", 1008)
            await one.play_random(Random(1))
            assert (await two.update())["stage"] == "playing"

    table, host = site.new_table("/tables")
    run(take_away())


def test_a_bot_is_put_where_somebody_sits(site: Server) -> None:
    async def replace() -> None:
        async with seated(site, table, host) as one, seated(site, table, derived(host, "B")) as two:
            await one.say(type="arrange", seat="B", bot="random")
            await heard(one, lambda message: message.get("seats", [{}, {"bot": ""}])[1]["bot"] == "random")
            await one.say(type="start")
            messages, code = await heard_until_cut(two.socket)
            assert (messages[-1]["code"], code) == ("no seat", 1008)
        async with dialled(site) as socket:
            again = Client(socket)
            await again.say(type="sit", table=table, key=derived(host, "B"))
            error = await again.hear()
            assert (error["code"], error["message"]) == ("no seat", VOID)

    table, host = site.new_table("/tables")
    run(replace())


def test_people_who_take_the_same_name_get_different_ones(site: Server) -> None:
    async def rename() -> None:
        async with seated(site, table, host) as one, seated(site, table, derived(host, "B")) as two:
            for _ in range(5):
                await asyncio.gather(
                    *[client.say(type="arrange", name=name) for client in (one, two) for name in ("Eve", "eve", "EVE")]
                )
            for client in (one, two):
                await client.say(type="record")  # refused, after all that was said before
                assert (await client.error())["message"] == "there is no game to record yet"
        async with seated(site, table, host) as one:
            names = [seat["name"] for seat in one.state["seats"]]
            assert len({name.casefold() for name in names}) == 2
            assert all(name.casefold() in ("eve", "eve 2") for name in names)

    table, host = site.new_table("/tables")
    run(rename())


def test_a_rematch_that_two_ask_for(tmp_path: Path) -> None:
    async def play_twice() -> None:
        hall = Hall(Log.open(str(tmp_path / "tables.db")))
        room, _ = await hall.set_table(first_arrangement())
        await room.start("A")
        assert room.game is not None
        room.game.roll_out(Random(1))
        asked = await asyncio.gather(*[room.rematch(seat) for seat in "ABA"], return_exceptions=True)
        assert [str(one) for one in asked if one] == ["a rematch comes after a game"] * 2
        started = await asyncio.gather(room.start("A"), room.start("A"), return_exceptions=True)
        assert [str(one) for one in started if one] == ["the game has begun already"]
        assert [entry.kind for entry in hall.log.entries(room.name)] == ["table", "start", "arrange", "start"]
        await hall.close()
        await hall.log.close()

    run(play_twice())


def test_the_winner_is_not_there_for_the_rematch() -> None:
    places = first_arrangement(opponents=2).places
    again = Rematch("d" * 14, "C", {"B": (3, "coin"), "C": (4, "coin")})
    room = Room("amber-oak", cast(Log, None), {}, Arrangement(places, again.code, rematch=again), Pace())
    room.arrangement = room.arrangement.changed({"seats": 2})
    assert room.arrangement.code == "dddcdddddddddd"
    lobby = lobby_of(room, "A", "key")
    assert lobby.rematch is not None
    assert lobby.rematch.winner == "Somebody who left"
    assert [swap.number for swap in lobby.rematch.swaps] == [3]


def test_a_free_seat_is_given_to_one_person(site: Server) -> None:
    async def open_table() -> None:
        async with seated(site, table, host) as client:
            await client.say(type="arrange", seats=4, listed=True)
            await heard(client, lambda message: len(message.get("seats", ())) == 4)

    async def seat_of(key: str) -> str:
        async with seated(site, table, key) as client:
            return str(client.state["seat"])

    table, host = site.new_table("/tables")
    assert site.ask(f"/join/{table}", {}).status == 409  # it is not open to anybody yet
    run(open_table())
    with ThreadPoolExecutor(6) as crowd:
        answers = list(crowd.map(lambda _: site.ask(f"/join/{table}", {}), range(6)))
    assert sorted(answer.status for answer in answers) == [303] * 3 + [409] * 3
    keys = [answer.headers["Location"].partition("#")[2] for answer in answers if answer.status == 303]
    assert sorted(run(seat_of(key)) for key in keys) == ["B", "C", "D"]
    assert (
        "every seat of that table is taken" in next(answer.text for answer in answers if answer.status == 409).lower()
    )


def test_a_storm_of_reconnections_leaves_no_trace(site: Server) -> None:
    async def come_and_go(polite: bool) -> None:
        async with dialled(site) as socket:
            client = Client(socket)
            await client.say(type="sit", table=table, key=derived(host, "B"))
            if polite:
                await client.hear()
            else:
                socket.transport.abort()

    async def storm() -> None:
        await asyncio.gather(*[come_and_go(nth % 2 == 0) for nth in range(30)])
        async with seated(site, table, host) as client:
            while client.state["seats"][1]["here"]:
                await client.hear()

    table, host = site.new_table("/tables")
    run(storm())
    assert kinds(site, table) == ["table", "arrange"]  # somebody has sat down


class Line:
    """A socket of a client that says some things and then nothing."""

    scope: ClassVar[dict[str, object]] = {}

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = list(messages)
        self.broken = False
        self.code = 0
        self.said: list[str] = []

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        if self.messages:
            return {"type": "websocket.receive", "text": json.dumps(self.messages.pop(0))}
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        if self.broken:
            raise WebSocketDisconnect(1006)
        self.said.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.code = code


class Sitter:
    """Somebody at a table, without a line."""

    def __init__(self, role: str) -> None:
        self.role = role

    def touch(self) -> None: ...


class SlowLog(Log):
    """A log in which a move takes its time, and which may fail."""

    broken = False

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.writing = asyncio.Event()
        self.may_end = asyncio.Event()

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            raise LogError("the disk is full")
        await super().append(table, seq, kind, body)
        if kind == "move":
            self.writing.set()
            await self.may_end.wait()


@asynccontextmanager
async def hall_in(folder: Path) -> AsyncIterator[tuple[Hall, SlowLog]]:
    log = SlowLog.open(str(folder / "tables.db"))
    hall = Hall(log)
    yield hall, log
    await hall.close()
    await log.close()


def test_a_line_that_breaks_before_the_answer(tmp_path: Path) -> None:
    """The move is written, so it is made, and the table goes on, though the mover is gone."""

    async def play() -> None:
        async with hall_in(tmp_path) as (hall, log):
            room, host = await hall.set_table(first_arrangement())
            await room.enter(Sitter("B"))
            await room.start("A")
            sit = {"type": "sit", "table": room.name, "key": host}
            line = Line(sit, {"type": "move", "choice": room.choice("A"), "move": "peek A1 A2", "id": 1})
            serving = asyncio.create_task(Connection(cast(WebSocket, line), hall, Painter()).run())
            await log.writing.wait()
            line.broken = True
            room.saw("B", 0)  # something to show, which finds the line broken
            for _ in range(10):
                await asyncio.sleep(0)
            log.may_end.set()
            await serving
            assert room.play.seq == len(log.entries(room.name))
            await room.move("B", room.choice("B"), "peek B1 B2")
            assert room.game is not None
            assert not room.game.looking

    run(play())


def test_who_cannot_be_written_down_does_not_stay(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def sit() -> None:
        async with hall_in(tmp_path) as (hall, log):
            room, host = await hall.set_table(first_arrangement())
            line = Line({"type": "sit", "table": room.name, "key": derived(host, "B")})
            log.broken = True
            await Connection(cast(WebSocket, line), hall, Painter()).run()
            assert line.code == 1013
            assert not room.doors.readers
            assert not room.seats()[1].here
            assert [(record.message, record.exc_info) for record in caplog.records] == [
                ("nobody could sit down as B: the disk is full", None)
            ]

    run(sit())


def test_games_of_the_past_are_not_opened_without_end(tmp_path: Path) -> None:
    """Each who opens one has it played again."""

    async def look() -> None:
        async with hall_in(tmp_path) as (hall, _):
            hall.gates = Gates(Limits(new_tables_burst=2, new_tables_rate=0.0))
            room, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            sit = {"type": "sit", "table": room.name, "game": 1, "key": room.play.share_key(1)}
            lines = [Line(sit) for _ in range(3)]
            for line in lines:
                await Connection(cast(WebSocket, line), hall, Painter(), "192.0.2.1").run()
            assert [json.loads(line.said[0])["message"] for line in lines] == [
                "that game is not over yet",
                "that game is not over yet",
                "too many games from your address; please wait a moment",
            ]

    run(look())


def test_nobody_comes_in_while_a_table_is_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sweep() -> None:
        async def close(room: Room) -> None:
            assert room.name not in hall.rooms

        async with hall_in(tmp_path) as (hall, log):
            hall.limits = Limits(empty_minutes=-1.0)
            await hall.set_table(first_arrangement())
            monkeypatch.setattr(Room, "close", close)
            await hall.sweep()
            assert not hall.rooms
            assert not list(log.all_entries())

    run(sweep())
