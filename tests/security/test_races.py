import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.support.fakes import FakeSocket, StubConnection, open_slow_registry, run
from tests.support.server import ProtocolClient, Server, connected, join_table, receive_until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


async def errors_of(clients: list[ProtocolClient], count: int) -> list[dict[str, Any]]:
    """The first errors that any of these are told: which of them, nobody knows."""
    errors: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def listen(client: ProtocolClient) -> None:
        while True:
            errors.put_nowait(await client.next_error())

    tasks = [asyncio.create_task(listen(client)) for client in clients]
    told = [await errors.get() for _ in range(count)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return told


def kinds(site: Server, table: str) -> list[str]:
    """What the log has of a table, by kind."""

    async def read() -> list[str]:
        log = SqlJournal.open(site.database)
        try:
            return [entry.kind for entry in log.entries(table)]
        finally:
            await log.close()

    return run(read())


def test_start_pressed_in_two_tabs_starts_one_game(site: Server) -> None:
    async def press() -> None:
        async with join_table(site, table, host) as one, join_table(site, table, host) as two:
            await asyncio.gather(one.send(type="start"), two.send(type="start"), one.send(type="start"))
            errors = await errors_of([one, two], 2)
            assert {error["message"] for error in errors} == {"the game has begun already"}

    table, host = site.new_table("/tables")
    run(press())
    assert kinds(site, table).count("start") == 1


def test_two_tabs_of_a_seat_answer_a_choice_once(site: Server) -> None:
    async def play() -> None:
        async with join_table(site, table, host) as one, join_table(site, table, host) as two:
            assert one.state["choice"] == two.state["choice"]
            await asyncio.gather(one.send_move("peek A1 A2"), two.send_move("peek A3 A4"))
            assert [error["code"] for error in await errors_of([one, two], 1)] == ["stale"]
        async with join_table(site, table, host) as one:
            assert one.state["seats"][0]["here"] is True

    table, host = site.new_table("/play", bots="1")
    run(play())


def test_a_rematch_that_two_ask_for(tmp_path: Path) -> None:
    async def play_twice() -> None:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        room, _ = await registry.create(new_arrangement())
        await room.start("A")
        assert room.game is not None
        room.game.rollout(Random(1))
        asked = await asyncio.gather(*[room.rematch(seat) for seat in "ABA"], return_exceptions=True)
        assert [str(one) for one in asked if one] == ["a rematch comes after a game"] * 2
        started = await asyncio.gather(room.start("A"), room.start("A"), return_exceptions=True)
        assert [str(one) for one in started if one] == ["the game has begun already"]
        assert [entry.kind for entry in registry.log.entries(room.name)] == ["table", "start", "arrange", "start"]
        await registry.close()
        await registry.log.close()

    run(play_twice())


def test_a_free_seat_is_given_to_one_person(site: Server) -> None:
    async def open_table() -> None:
        async with join_table(site, table, host) as client:
            await client.send(type="arrange", seats=4, listed=True)
            await receive_until(client, lambda message: len(message.get("seats", ())) == 4)

    async def seat_of(key: str) -> str:
        async with join_table(site, table, key) as client:
            return str(client.state["seat"])

    table, host = site.new_table("/tables")
    assert site.request(f"/join/{table}", {}).status == 409  # it is not open to anybody yet
    run(open_table())
    with ThreadPoolExecutor(6) as crowd:
        answers = list(crowd.map(lambda _: site.request(f"/join/{table}", {}), range(6)))
    assert sorted(answer.status for answer in answers) == [303] * 3 + [409] * 3
    keys = [answer.headers["Location"].partition("#")[2] for answer in answers if answer.status == 303]
    assert sorted(run(seat_of(key)) for key in keys) == ["B", "C", "D"]
    assert (
        "every seat of that table is taken" in next(answer.text for answer in answers if answer.status == 409).lower()
    )


def test_a_storm_of_reconnections_leaves_no_trace(site: Server) -> None:
    async def come_and_go(polite: bool) -> None:
        async with connected(site) as socket:
            client = ProtocolClient(socket)
            await client.send(type="sit", table=table, key=derive_key(host, "B"))
            if polite:
                await client.receive()
            else:
                socket.transport.abort()

    async def storm() -> None:
        await asyncio.gather(*[come_and_go(nth % 2 == 0) for nth in range(30)])
        async with join_table(site, table, host) as client:
            while client.state["seats"][1]["here"]:
                await client.receive()

    table, host = site.new_table("/tables")
    run(storm())
    assert kinds(site, table) == ["table", "arrange"]  # somebody has sat down


def test_a_line_that_breaks_before_the_answer(tmp_path: Path) -> None:
    """The move is written, so it is made, and the table goes on, though the mover is gone."""

    async def play() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            room, host = await registry.create(new_arrangement())
            await room.enter(StubConnection("B"))
            await room.start("A")
            sit = {"type": "sit", "table": room.name, "key": host}
            line = FakeSocket(sit, {"type": "move", "choice": room.choice_number("A"), "move": "peek A1 A2", "id": 1})
            serving = asyncio.create_task(Connection(cast(WebSocket, line), registry, PageRenderer()).run())
            await log.writing.wait()
            line.broken = True
            room.mark_round_seen("B", 0)  # something to show, which finds the line broken
            for _ in range(10):
                await asyncio.sleep(0)
            log.may_end.set()
            await serving
            assert room.play.seq == len(log.entries(room.name))
            await room.play_move("B", room.choice_number("B"), "peek B1 B2")
            assert room.game is not None
            assert not room.game.in_first_look

    run(play())
