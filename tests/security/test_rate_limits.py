"""Limits on messages, tables, connections, seats and records."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import cast

import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import CreationLimiter, Limits
from argentum.rooms.messages import MAX_MESSAGE_LENGTH
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.run import MAX_FRAME_BYTES
from argentum.web.sockets.connection import MAX_TOO_FAST, Connection
from tests.support.fakes import FakeSocket, open_slow_registry, run
from tests.support.server import TIMEOUT, ProtocolClient, Server, join_table, open_socket, receive_until_closed


def test_too_many_messages_are_answered_with_errors_and_then_disconnected(server: Server) -> None:
    async def flood() -> None:
        table, key = server.new_table("/tables")
        async with join_table(server, table, key) as client:
            codes: list[str] = []
            for _ in range(50):
                await client.send(type="move", choice=0, move="draw")
            with suppress(ConnectionClosed):
                while True:  # Send one more for each answer, because a slow machine admits many meanwhile.
                    codes.append((await client.next_error())["code"])
                    with suppress(ConnectionClosed):
                        await client.send(type="move", choice=0, move="draw")
            assert client.socket.close_code == 1008
        assert codes.count("too fast") == MAX_TOO_FAST
        assert codes[: Limits.message_burst] == ["refused"] * Limits.message_burst
        async with join_table(server, table, key) as client:  # The key still opens the seat.
            assert client.state["seq"] == 1

    run(flood())


def test_a_long_message_is_refused_and_a_huge_one_ends_the_connection(server: Server) -> None:
    async def send() -> None:
        table, key = server.new_table("/tables")
        async with join_table(server, table, key) as client:
            await client.socket.send(" " * (MAX_MESSAGE_LENGTH + 1))
            error = await client.next_error()
            assert (error["code"], error["message"]) == (
                "malformed",
                f"a message has at most {MAX_MESSAGE_LENGTH} characters; this one has {MAX_MESSAGE_LENGTH + 1}",
            )
            await client.send(type="arrange", name="Ann")
            assert (await client.next_update())["seats"][0]["name"] == "Ann"
            await client.socket.send(" " * (MAX_FRAME_BYTES + 1))
            assert (await receive_until_closed(client.socket))[1] == 1009
        async with join_table(server, table, key) as client:
            with suppress(ConnectionClosed):  # The server may close while the client still sends.
                await client.socket.send(["x" * 1000] * 100)  # These are fragments of one message.
            with pytest.raises(ConnectionClosed):
                await client.next_update()
        async with join_table(server, table, key) as client:
            assert client.state["seats"][0]["name"] == "Ann"

    run(send())


def test_the_number_of_tables_is_limited(tmp_path: Path) -> None:
    small = Server(str(tmp_path / "tables.db"), ("--bot-pause", "0", "--tables", "3"))
    small.start()
    try:
        with ThreadPoolExecutor(8) as executor:
            answers = list(
                executor.map(lambda path: small.request(path, {}), ["/play", "/tables", "/guide", "/play"] * 2)
            )
        assert sorted(answer.status for answer in answers) == [303] * 3 + [409] * 5
        full = next(answer for answer in answers if answer.status == 409)
        assert "The hall is full: every table is taken. Please try again in a while." in full.text
        assert full.headers.get_content_type() == "text/html"
        assert small.request("/health").text == "ok, 3 tables\n"
        assert small.request("/").status == 200
    finally:
        small.stop()


def test_the_number_of_connections_per_table_is_limited(server: Server) -> None:
    async def connect() -> None:
        table, key = server.new_table("/tables")
        watch = derive_key(key, "watch")
        async with AsyncExitStack() as stack:
            spectators = [
                ProtocolClient(await stack.enter_async_context(open_socket(server)))
                for _ in range(Limits.max_connections_per_seat)
            ]
            for spectator in spectators:
                await spectator.send(type="join", table=table, key=watch)
                await spectator.receive()
            async with open_socket(server) as socket:
                late = ProtocolClient(socket)
                await late.send(type="join", table=table, key=watch)
                messages, code = await receive_until_closed(socket)
            assert ([message["code"] for message in messages], code) == (["full"], 1013)
            # Spectators block neither the seats nor other tables.
            async with join_table(server, table, key) as host:
                assert host.state["seat"] == "A"
            async with join_table(server, *server.new_table("/tables")) as other:
                assert other.state["seat"] == "A"
            await spectators[0].socket.close()
            admitted = False
            while not admitted:  # The server takes a moment to notice that a connection was closed.
                async with join_table(server, table, watch) as late:
                    admitted = late.state.get("type") == "update"

    run(connect())


def test_opening_past_games_is_limited(tmp_path: Path) -> None:
    # The server replays a past game for each connection that opens it.
    async def open_game() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            registry.creation_limiter = CreationLimiter(Limits(new_tables_burst=2, new_tables_rate=0.0))
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            join_message = {"type": "join", "table": room.name, "game": 1, "key": room.share_key(1)}
            sockets = [FakeSocket(join_message) for _ in range(3)]
            for socket in sockets:
                await Connection(cast(WebSocket, socket), registry, PageRenderer(), "192.0.2.1").run()
            assert [json.loads(socket.sent[0])["message"] for socket in sockets] == [
                "that game is not over yet",
                "that game is not over yet",
                "too many games from your address; please wait a moment",
            ]

    run(open_game())


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{server.port}")
        server.start()
        yield server
        server.stop()


async def open_table(server: Server, table: str, host: str, stack: AsyncExitStack) -> ProtocolClient:
    client = await stack.enter_async_context(join_table(server, table, host))
    await client.send(type="arrange", seats=4, listed=True)
    while len(client.state["seats"]) < 4:
        await client.receive()
    return client


def test_an_address_takes_one_seat_of_an_open_table(public_server: Server) -> None:
    async def take() -> None:
        table, host = public_server.new_table("/tables")
        async with AsyncExitStack() as stack:
            await open_table(public_server, table, host, stack)
            answers = [
                await asyncio.to_thread(public_server.request, f"/join/{table}", {}, "127.7.0.1") for _ in range(3)
            ]
            assert [answer.status for answer in answers] == [303, 409, 409]
            assert "at your address has a seat there already" in answers[1].text
            assert (await asyncio.to_thread(public_server.request, f"/join/{table}", {}, "127.7.0.2")).status == 303

    asyncio.run(asyncio.wait_for(take(), TIMEOUT))


def test_a_spectator_takes_one_seat_with_or_without_a_link(public_server: Server) -> None:
    async def take() -> None:
        table, host = public_server.new_table("/tables")

        async def take_as_spectator(*seats: str, key: str = "", device: str = "") -> list[str]:
            """Connect as a spectator and ask for seats; return the type of each answer."""
            async with open_socket(public_server, local_addr=("127.7.0.9", 0)) as raw:
                client = ProtocolClient(raw)
                more = {"format": "html", "device": device} if device else {}
                await client.send(type="join", table=table, key=key, **more)
                for seat in seats:
                    await client.send(type="claim_seat", seat=seat, name="Eve")
                answers: list[str] = []
                while len(answers) < len(seats):
                    message = await client.receive()
                    if message["type"] in ("seat", "error"):
                        answers.append(message["type"])
                return answers

        async with AsyncExitStack() as stack:
            await open_table(public_server, table, host, stack)
            assert await take_as_spectator("B", "C") == ["seat", "error"], "on one connection"
            assert await take_as_spectator("C") == ["error"], "from one address, without a link"
            watch = derive_key(host, "watch")
            # With a link, people at one address are told apart by their devices.
            assert await take_as_spectator("C", key=watch, device="laptop") == ["seat"]
            assert await take_as_spectator("D", key=watch, device="laptop") == ["error"]
            assert await take_as_spectator("D", key=watch, device="phone") == ["seat"]

    asyncio.run(asyncio.wait_for(take(), TIMEOUT))


def test_spectators_without_a_link_leave_room_for_those_with_one(public_server: Server) -> None:
    async def connect() -> None:
        table, host = public_server.new_table("/tables")
        async with AsyncExitStack() as stack:
            await open_table(public_server, table, host, stack)
            codes = []
            for index in range(Limits.max_spectators_per_address + 1):
                raw = await stack.enter_async_context(open_socket(public_server, local_addr=("127.7.0.3", 0)))
                client = ProtocolClient(raw)
                await client.send(type="join", table=table)
                codes.append((await client.receive()).get("code", ""))
                assert index < Limits.max_spectators_per_address or codes[-1] == "full"
            assert codes[:-1] == [""] * Limits.max_spectators_per_address
            invited = await stack.enter_async_context(join_table(public_server, table, derive_key(host, "watch")))
            assert invited.state["type"] == "update"

    asyncio.run(asyncio.wait_for(connect(), TIMEOUT))


def test_requests_for_records_are_limited(public_server: Server) -> None:
    async def ask() -> None:
        async with join_table(public_server, *public_server.new_table("/play")) as client:
            count = 3 * Limits.record_burst  # A slow machine admits some meanwhile.
            for _ in range(count):
                await client.send(type="record")
            kinds: list[str] = []
            while len(kinds) < count:
                message = await client.receive()
                if message["type"] in ("record", "error"):
                    kinds.append(message["type"])
            assert kinds[: Limits.record_burst] == ["record"] * Limits.record_burst
            assert "error" in kinds

    asyncio.run(asyncio.wait_for(ask(), TIMEOUT))
