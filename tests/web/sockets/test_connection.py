"""Connections that speak the JSON protocol."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.limits import Limits
from argentum.rules.boxes import BOX_NAMES
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.sockets.connection import Connection
from tests.support.fakes import FakeSocket, open_slow_registry, run
from tests.support.server import (
    TIMEOUT,
    ProtocolClient,
    Server,
    join_table,
    open_socket,
    receive_until,
    shared_server,
)

__all__ = ["shared_server"]


@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
def test_a_program_plays_a_whole_game_against_bots(server: Server, boxes: str) -> None:
    async def play() -> None:
        table, key = server.new_table(boxes=boxes, bots="3")
        async with join_table(server, table, key) as client:
            end = await client.play_to_end(Random(1), call_probability=0.3)
        assert end["winner"] in "ABCD"
        assert len(end["scores"]) == 4
        assert end["view"]["totals"] == {seat: sum(scores[seat] for scores in end["scores"]) for seat in "ABCD"}

    asyncio.run(play())


def test_a_visitor_whose_visit_cannot_be_saved_is_disconnected(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def join() -> None:
        async with open_slow_registry(tmp_path) as (registry, log):
            room, host = await registry.create(new_arrangement())
            socket = FakeSocket({"type": "join", "table": room.name, "key": derive_key(host, "B")})
            log.broken = True
            await Connection(cast(WebSocket, socket), registry, PageRenderer()).run()
            assert socket.code == 1013
            assert not room.connections
            assert not room.seats()[1].here
            assert [(record.message, record.exc_info) for record in caplog.records] == [
                ("nobody could sit down as B: the disk is full", None)
            ]

    run(join())


async def claim_seat(client: ProtocolClient, seat: str) -> str:
    """Claim a free seat; return its key."""
    await client.send(type="claim_seat", seat=seat, name="Bo")
    while (answer := await client.receive())["type"] != "seat":
        assert answer["type"] == "update"
    assert answer["seat"] == seat
    return str(answer["key"])


async def update_of(client: ProtocolClient, seat: str) -> dict[str, Any]:
    """Return the last update if it is for this seat, else the next one that is."""
    while client.state.get("seat") != seat:
        await client.next_update()
    return client.state


def test_a_spectator_who_claims_a_seat_plays_on_the_same_connection(server: Server) -> None:
    async def main() -> None:
        table, key = server.new_table("/tables")
        async with (
            asyncio.timeout(TIMEOUT),
            join_table(server, table, key) as host,
            join_table(server, table, derive_key(key, "watch")) as guest,
        ):
            await host.send(type="arrange", seats=3)
            await host.send(type="arrange", seat="C", bot="novice")
            await host.send(type="start")
            while not guest.state["seats"][1]["stand_in"] or not guest.state["events"]:
                await guest.next_update()
            assert guest.state["seat"] == ""
            assert "links" not in guest.state
            guest.state.clear()
            seat_key = await claim_seat(guest, "B")
            update = await update_of(guest, "B")
            assert update["events"][0]["kind"] == "dealt", "the first update of the seat has all events, as it saw them"
            assert update["view"]["seat"] == "B"
            while not host.state["seats"][1]["here"] or host.state["seats"][1]["stand_in"]:
                await host.next_update()
            assert host.state["seats"][1]["name"] == "Bo"
            players = [client.play_to_end(Random(1), call_probability=0.6, rounds=1) for client in (host, guest)]
            assert [len(update["scores"]) for update in await asyncio.gather(*players)] == [1, 1]
            assert guest.answered_choice is not None
            async with join_table(server, table, seat_key) as second:
                assert second.state["seat"] == "B", "a program may also reconnect with the key"

    asyncio.run(main())


def test_a_player_who_has_claimed_a_seat_may_use_reserved_connections(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_slow_registry(tmp_path) as (registry, _):
            room, host = await registry.create(new_arrangement())
            watch = derive_key(host, "watch")
            socket = FakeSocket(
                {"type": "join", "table": room.name, "key": watch}, {"type": "claim_seat", "seat": "B", "name": "Bo"}
            )
            limiter = ConnectionLimiter(Limits())
            connection = Connection(cast(WebSocket, socket), registry, PageRenderer(), "192.0.2.1", limiter)
            serving = asyncio.create_task(connection.run())
            while not limiter.returning:
                await asyncio.sleep(0)
            assert room.seats()[1].here
            assert room.connection_count("watch") == 0
            assert [*limiter.returning] == ["192.0.2.1"]
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            assert not room.seats()[1].here

    run(main())


@pytest.mark.parametrize(
    ("fields", "version", "answer"), [({"protocol": 3}, 3, "held"), ({"protocol": 2}, 2, "done"), ({}, 2, "done")]
)
def test_a_held_move_is_answered_as_the_version_of_the_protocol_says(
    server: Server, fields: dict[str, int], version: int, answer: str
) -> None:
    async def play() -> None:
        table, key = server.new_table(bots="1")
        async with open_socket(server) as socket:
            client = ProtocolClient(socket)
            await client.send(type="join", table=table, key=key, **fields)
            await client.next_update()
            assert client.state["protocol"] == version
            await client.send_move("peek A1 A2")
            state = client.state
            while state["choice"] in (None, client.answered_choice):
                state = await client.next_update()
            seq, choice = state["seq"], state["choice"]
            await client.send(type="move", choice=choice, move="take", hold=True, id="first")
            reply = await receive_until(client, lambda message: "id" in message)
            assert reply == {"type": answer, "id": "first", "seq": seq}, "it is not saved"
            await client.send(type="undo")
            await receive_until(client, lambda message: message.get("choice") == choice)
            await client.send(type="move", choice=choice, move="draw", hold=True, id=2)
            reply = await receive_until(client, lambda message: "id" in message)
            assert reply == {"type": "done", "id": 2, "seq": seq + 1}, "it reveals a card"

    asyncio.run(play())
