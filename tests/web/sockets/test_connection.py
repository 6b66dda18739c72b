"""Connections that speak the JSON protocol."""

import asyncio
from pathlib import Path
from random import Random
from typing import cast

import pytest
from starlette.websockets import WebSocket

from argentum.rooms.access import derive_key
from argentum.rooms.arrangement import new_arrangement
from argentum.rules.boxes import BOX_NAMES
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.support.fakes import FakeSocket, open_slow_registry, run
from tests.support.server import ProtocolClient, Server, join_table, open_socket, receive_until, shared_server

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
