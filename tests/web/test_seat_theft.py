"""A player of an open table who tries to get at other people's seats, from the host's reload to a restart."""

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
    """What a browser sends when it opens a table."""
    async with connected(server, local_addr=(address, 0)) as socket:
        client = ProtocolClient(socket)
        await client.send(type="sit", table=table, key=key, protocol=2, format="html", **{"device": address, **more})
        yield client


async def hears(client: ProtocolClient, kind: str, /, **fields: Any) -> dict[str, Any]:
    """The next message of a kind in which some fields are so."""
    while True:
        message = await asyncio.wait_for(client.receive(), TIMEOUT)
        if message["type"] == kind and fields.items() <= message.items():
            return message


async def refusal(client: ProtocolClient, **message: Any) -> str:
    """Why the server does not do something."""
    await client.send(**message)
    return str((await hears(client, "error"))["message"])


async def seat_of(client: ProtocolClient, seat: str, **fields: Any) -> None:
    """Wait until a seat is in some state, as a browser shows it."""
    while True:
        people = (await hears(client, "people"))["seats"]
        if any([row["seat"] == seat and fields.items() <= row.items() for row in people]):
            return


def join(server: Server, table: str, address: str) -> str:
    """A seat from the list of open tables."""
    answer = server.request(f"/join/{table}", {}, address)
    assert answer.status == 303, answer.text
    return answer.headers["Location"].partition("#")[2]


async def tries_at_once(eve: ProtocolClient) -> None:
    """Become the host, free the host's seat, sit in it: all of it while Ann is away for a moment."""
    assert "Ann may still come back" in await refusal(eve, type="host", seat="B")
    assert "only the host" in await refusal(eve, type="arrange", seat="A", bot="")
    assert "only the host" in await refusal(eve, type="beside", seat="A")


async def tries_all(server: Server, table: str, eve: ProtocolClient, key: str) -> None:
    """The same when Ann and Cem have been away for long: Eve becomes the host, but gets no other seat."""
    await hears(eve, "people", take_over=True)
    await eve.send(type="host", seat="B")
    await hears(eve, "people", host=True)
    assert "Ann was the host" in await refusal(eve, type="arrange", seat="A", bot="")
    await eve.send(type="arrange", seat="C", bot="")
    await seat_of(eve, "C", state="free; steady keeps it")
    assert "before the game begins" in await refusal(eve, type="beside", seat="C")
    for more in ({"device": EVE}, {"device": "new"}, {"device": EVE, "beside": [key]}):
        async with browser(server, table, derive_key(key, "C", 1), EVE, **more) as again:
            assert (await hears(again, "error"))["code"] == "no seat"
    for opens in ("", derive_key(key, "watch")):
        async with browser(server, table, opens, EVE, device="new") as again:
            await hears(again, "page")
            assert "a bot fills in" in await refusal(again, type="take", seat="C")
    assert server.request(f"/join/{table}", {}, EVE).status == 409


def test_a_player_cannot_claim_another_seat_after_the_hosts_reload_or_a_restart(tmp_path: Path) -> None:
    async def evening(server: Server) -> None:
        table, host = await asyncio.to_thread(server.new_table, "/tables", name="Ann")
        async with browser(server, table, host, ANN) as ann:
            await ann.send(type="arrange", seats=3)
            await ann.send(type="arrange", listed=True)
            await seat_of(ann, "C", state="free")
            keys = {"B": await asyncio.to_thread(join, server, table, EVE)}
            keys["C"] = await asyncio.to_thread(join, server, table, CEM)
            async with browser(server, table, keys["C"], CEM) as cem, browser(server, table, keys["B"], EVE) as eve:
                await ann.send(type="start")
                await hears(cem, "page", kind="table")
                await ann.socket.close()
                await seat_of(eve, "A", state="away")
                await tries_at_once(eve)
        async with browser(server, table, host, ANN) as ann:
            await hears(ann, "page", kind="table")
        await restart(server, "")
        async with browser(server, table, keys["B"], EVE) as eve:  # the first to return
            await tries_at_once(eve)
        await restart(server, SHORT_GRACE)
        async with browser(server, table, keys["B"], EVE) as eve:
            await tries_all(server, table, eve, keys["B"])
        for key, address in ((host, ANN), (keys["C"], CEM)):
            async with browser(server, table, key, address) as person:
                await hears(person, "page", kind="table")

    async def restart(server: Server, first: str) -> None:
        server.kill()
        server.startup_code = first
        await asyncio.to_thread(server.start)

    one = Server(str(tmp_path / "tables.db"))
    one.start()
    try:
        asyncio.run(evening(one))
    finally:
        one.stop()
