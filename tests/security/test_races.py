import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, cast

from starlette.websockets import WebSocket

from argentum.rooms import lobby
from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.random_games import play_to_end
from tests.support.fakes import FakeSocket, StubConnection, open_slow_registry, run
from tests.support.server import ProtocolClient, Server, join_table, open_socket, receive_until


async def receive_errors(clients: list[ProtocolClient], count: int) -> list[dict[str, Any]]:
    """Return the first `count` errors that the clients receive."""
    errors: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def listen(client: ProtocolClient) -> None:
        while True:
            errors.put_nowait(await client.next_error())

    tasks = [asyncio.create_task(listen(client)) for client in clients]
    received = [await errors.get() for _ in range(count)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return received


def entry_kinds(server: Server, table: str) -> list[str]:
    """Return the kind of each log entry of a table."""

    async def read() -> list[str]:
        log = SqlJournal.open(server.database)
        try:
            return [entry.kind for entry in log.entries(table)]
        finally:
            await log.close()

    return run(read())


def test_starting_in_two_tabs_starts_one_game(server: Server) -> None:
    async def start() -> None:
        async with join_table(server, table, host) as tab1, join_table(server, table, host) as tab2:
            await asyncio.gather(tab1.send(type="start"), tab2.send(type="start"), tab1.send(type="start"))
            errors = await receive_errors([tab1, tab2], 2)
            assert {error["message"] for error in errors} == {"the game has begun already"}

    table, host = server.new_table("/tables")
    run(start())
    assert entry_kinds(server, table).count("start") == 1


def test_two_tabs_of_a_seat_answer_a_choice_once(server: Server) -> None:
    async def play() -> None:
        async with join_table(server, table, host) as tab1, join_table(server, table, host) as tab2:
            assert tab1.state["choice"] == tab2.state["choice"]
            await asyncio.gather(tab1.send_move("peek A1 A2"), tab2.send_move("peek A3 A4"))
            assert [error["code"] for error in await receive_errors([tab1, tab2], 1)] == ["stale"]
        async with join_table(server, table, host) as tab1:
            assert tab1.state["seats"][0]["here"] is True

    table, host = server.new_table("/play", bots="1")
    run(play())


def test_simultaneous_requests_open_one_rematch(tmp_path: Path) -> None:
    async def play_twice() -> None:
        registry = RoomRegistry(SqlJournal.open(str(tmp_path / "tables.db")))
        room, _ = await registry.create(new_arrangement())
        await lobby.start(room)
        assert room.game is not None
        play_to_end(room.game, Random(1))
        asked = await asyncio.gather(*[lobby.open_rematch(room, seat) for seat in "ABA"], return_exceptions=True)
        assert [str(error) for error in asked if error] == ["a rematch comes after a game"] * 2
        started = await asyncio.gather(lobby.start(room), lobby.start(room), return_exceptions=True)
        assert [str(error) for error in started if error] == ["the game has begun already"]
        assert [entry.kind for entry in registry.log.entries(room.name)] == ["table", "start", "arrange", "start"]
        await registry.close()
        await registry.log.close()

    run(play_twice())


def test_simultaneous_requests_for_free_seats_get_different_ones(server: Server) -> None:
    async def open_table() -> None:
        async with join_table(server, table, host) as client:
            await client.send(type="arrange", seats=4, listed=True)
            await receive_until(client, lambda message: len(message.get("seats", ())) == 4)

    async def seat_opened_by(key: str) -> str:
        async with join_table(server, table, key) as client:
            return str(client.state["seat"])

    table, host = server.new_table("/tables")
    assert server.request(f"/join/{table}", {}).status == 409  # It is not listed yet.
    run(open_table())
    with ThreadPoolExecutor(6) as executor:
        answers = list(executor.map(lambda _: server.request(f"/join/{table}", {}), range(6)))
    assert sorted(answer.status for answer in answers) == [303] * 3 + [409] * 3
    keys = [answer.headers["Location"].partition("#")[2] for answer in answers if answer.status == 303]
    assert sorted(run(seat_opened_by(key)) for key in keys) == ["B", "C", "D"]
    assert (
        "every seat of that table is taken" in next(answer.text for answer in answers if answer.status == 409).lower()
    )


def test_many_reconnections_leave_no_connections_or_log_entries(server: Server) -> None:
    async def connect_once(clean: bool) -> None:
        async with open_socket(server) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=derive_key(host, "B"))
            if clean:
                await client.receive()
            else:
                socket.transport.abort()

    async def reconnect() -> None:
        await asyncio.gather(*[connect_once(index % 2 == 0) for index in range(30)])
        async with join_table(server, table, host) as client:
            while client.state["seats"][1]["here"]:
                await client.receive()

    table, host = server.new_table("/tables")
    run(reconnect())
    assert entry_kinds(server, table) == ["table", "arrange"]  # The second entry is the claim of a seat.


def test_a_move_is_made_though_its_connection_breaks_before_the_answer(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            room, host = await registry.create(new_arrangement())
            await room.enter(StubConnection("B"))
            await lobby.start(room)
            join_message = {"type": "join", "table": room.name, "key": host}
            socket = FakeSocket(
                join_message, {"type": "move", "choice": room.choice_number("A"), "move": "peek A1 A2", "id": 1}
            )
            serving = asyncio.create_task(Connection(cast(WebSocket, socket), registry, PageRenderer()).run())
            await log.writing.wait()
            socket.broken = True
            room.mark_round_seen("B", 0)  # Sends an update, which finds the connection broken.
            for _ in range(10):
                await asyncio.sleep(0)
            log.may_end.set()
            await serving
            assert room.seq == len(log.entries(room.name))
            await room.play_move("B", room.choice_number("B"), "peek B1 B2")
            assert room.game is not None
            assert not room.game.in_first_look

    run(play())
