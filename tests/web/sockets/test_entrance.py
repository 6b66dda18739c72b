"""The first message of a connection."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from argentum.rooms.access import derive_key
from argentum.web.pages.assets import page_build
from tests.support.server import ProtocolClient, Server, join_table, open_socket

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def test_old_keys_of_reclaimed_seats_do_not_lock_a_device_out(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def main() -> list[str]:
        keys: list[str] = []
        async with join_table(server, table, key, format="html", device="phone") as client:
            for _ in range(5):
                await client.send(type="add_local_seat", seat="B")
                while (message := await client.receive())["type"] != "seat":
                    pass
                keys.append(message["key"])
                if len(keys) < 5:
                    await client.send(type="arrange", seat="B", bot="")
        async with join_table(server, table, key, format="html", device="phone", local_keys=keys) as returning:
            while (message := await returning.receive())["type"] != "people":
                pass
            return [seat["seat"] for seat in message["seats"] if seat["yours"]]

    assert run(main()) == ["A", "B"]


async def first_reply(server: Server, **message: Any) -> dict[str, Any]:
    """Connect and send a first message; return the first message of the server."""
    async with open_socket(server) as socket:
        client = ProtocolClient(socket)
        await client.send(**{"type": "join", **message})
        reply: dict[str, Any] = await client.receive()
        return reply


@pytest.mark.parametrize("build", ["", "0123456789", None, 7])
def test_a_page_of_another_build_is_sent_to_its_new_version(server: Server, build: object) -> None:
    table, key = server.new_table("/tables", here="2")
    first, second = key.split(".")
    message = {"table": table, "key": first, "local_keys": [second], "format": "html", "build": build}
    assert run(first_reply(server, **message)) == {"type": "table", "to": f"/table/{table}?reload=1#{key}"}
    assert run(first_reply(server, **message, reloaded=True))["type"] == "page"
    assert run(first_reply(server, **{**message, "build": page_build()}))["type"] == "page"


def test_a_page_of_the_first_version_is_sent_to_its_new_version(server: Server) -> None:
    keys = {"key": "first", "beside": ["second"]}
    message = {"type": "sit", "table": "quiet-owl-1a", "move": True, "format": "html", "build": "", **keys}
    assert run(first_reply(server, **message)) == {"type": "table", "to": "/table/quiet-owl-1a?reload=1#first.second"}


def test_a_page_of_another_build_keeps_the_link_to_its_game(server: Server) -> None:
    message = {"table": "quiet-owl-1a", "key": "key", "format": "html", "build": "old", "game": 2}
    assert run(first_reply(server, **message))["to"] == "/table/quiet-owl-1a?game=2&reload=1#key"


def test_programs_need_no_build(server: Server) -> None:
    table, key = server.new_table("/tables")
    assert run(first_reply(server, table=table, key=key))["type"] == "update"


def test_programs_may_send_the_earlier_name_of_the_first_message(server: Server) -> None:
    table, key = server.new_table("/tables")
    assert run(first_reply(server, type="sit", table=table, key=key))["type"] == "update"


def test_a_device_with_a_seat_does_not_watch(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def main() -> str:
        invitation = derive_key(key, "watch")
        async with join_table(server, table, invitation, format="html", device="phone", local_keys=[key]) as client:
            while (await client.receive())["type"] != "people":
                pass
            await client.send(type="resume_seat", id=1)
            while (message := await client.receive()).get("id") != 1:
                pass
            return str(message["type"])

    assert run(main()) == "done"
