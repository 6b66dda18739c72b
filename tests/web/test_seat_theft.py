"""A player of an open table cannot take over other players' seats, even after a reload of the host or a restart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from argentum.rooms.access import derive_key
from tests.support.server import SHORT_GRACE, TIMEOUT, ProtocolClient, Server, connected

ANN, EVE, CEM = "127.7.1.1", "127.7.1.2", "127.7.1.3"  # addresses


@asynccontextmanager
async def browser(server: Server, table: str, key: str, address: str, **more: Any) -> AsyncIterator[ProtocolClient]:
    """Connect as a browser that opens a table."""
    async with connected(server, local_addr=(address, 0)) as socket:
        client = ProtocolClient(socket)
        await client.send(type="sit", table=table, key=key, protocol=2, format="html", **{"device": address, **more})
        yield client


async def hears(client: ProtocolClient, kind: str, /, **fields: Any) -> dict[str, Any]:
    """Receive messages up to one of a type with these fields."""
    while True:
        message = await asyncio.wait_for(client.receive(), TIMEOUT)
        if message["type"] == kind and fields.items() <= message.items():
            return message


async def refusal(client: ProtocolClient, **message: Any) -> str:
    """Send a message; return the text of the error."""
    await client.send(**message)
    return str((await hears(client, "error"))["message"])


async def seat_of(client: ProtocolClient, seat: str, **fields: Any) -> None:
    """Wait until the people list has a seat with these fields."""
    while True:
        people = (await hears(client, "people"))["seats"]
        if any([row["seat"] == seat and fields.items() <= row.items() for row in people]):
            return


def join(server: Server, table: str, address: str) -> str:
    """Claim a seat of an open table; return its key."""
    answer = server.request(f"/join/{table}", {}, address)
    assert answer.status == 303, answer.text
    return answer.headers["Location"].partition("#")[2]


async def tries_at_once(eve: ProtocolClient) -> None:
    """Try to become host, to free the host's seat and to claim it while Ann is away for a moment."""
    assert "Ann may still come back" in await refusal(eve, type="host", seat="B")
    assert "only the host" in await refusal(eve, type="arrange", seat="A", bot="")
    assert "only the host" in await refusal(eve, type="add_local_seat", seat="A")


async def tries_all(server: Server, table: str, eve: ProtocolClient, key: str) -> None:
    """Try the same when Ann and Cem have been away for long: Eve becomes host, but gets no other seat."""
    await hears(eve, "people", take_over=True)
    await eve.send(type="host", seat="B")
    await hears(eve, "people", host=True)
    assert "Ann was the host" in await refusal(eve, type="arrange", seat="A", bot="")
    await eve.send(type="arrange", seat="C", bot="")
    await seat_of(eve, "C", state="free; steady keeps it")
    assert "before the game begins" in await refusal(eve, type="add_local_seat", seat="C")
    for more in ({"device": EVE}, {"device": "new"}, {"device": EVE, "local_keys": [key]}):
        async with browser(server, table, derive_key(key, "C", 1), EVE, **more) as client:
            assert (await hears(client, "error"))["code"] == "no seat"
    for opens in ("", derive_key(key, "watch")):
        async with browser(server, table, opens, EVE, device="new") as client:
            await hears(client, "page")
            assert "a bot fills in" in await refusal(client, type="take", seat="C")
    assert server.request(f"/join/{table}", {}, EVE).status == 409


def test_a_player_cannot_claim_another_seat_after_the_hosts_reload_or_a_restart(tmp_path: Path) -> None:
    async def evening(server: Server) -> None:
        table, host = await asyncio.to_thread(server.new_table, "/tables", name="Ann")
        async with browser(server, table, host, ANN) as ann:
            await ann.send(type="arrange", listed=True)
            await ann.send(type="arrange", seats=3)
            await seat_of(ann, "C", state="free")
            keys = {"B": await asyncio.to_thread(join, server, table, EVE)}
            keys["C"] = await asyncio.to_thread(join, server, table, CEM)
            async with browser(server, table, keys["C"], CEM) as cem, browser(server, table, keys["B"], EVE) as eve:
                await ann.send(type="start")
                await hears(cem, "page", page="table")
                await ann.socket.close()
                await seat_of(eve, "A", state="away")
                await tries_at_once(eve)
        async with browser(server, table, host, ANN) as ann:
            await hears(ann, "page", page="table")
        await restart(server, "")
        async with browser(server, table, keys["B"], EVE) as eve:  # the first to return
            await tries_at_once(eve)
        await restart(server, SHORT_GRACE)
        async with browser(server, table, keys["B"], EVE) as eve:
            await tries_all(server, table, eve, keys["B"])
        for key, address in ((host, ANN), (keys["C"], CEM)):
            async with browser(server, table, key, address) as person:
                await hears(person, "page", page="table")

    async def restart(server: Server, first: str) -> None:
        server.kill()
        server.startup_code = first
        await asyncio.to_thread(server.start)

    server = Server(str(tmp_path / "tables.db"))
    server.start()
    try:
        asyncio.run(evening(server))
    finally:
        server.stop()
