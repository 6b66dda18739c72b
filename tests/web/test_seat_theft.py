"""A player at a listed table cannot claim the seats of others, even after the host's reload or a restart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from argentum.rooms.access import derive_key
from tests.support.server import SHORT_GRACE, TIMEOUT, ProtocolClient, Server, open_socket

ANN, EVE, CEM = "127.7.1.1", "127.7.1.2", "127.7.1.3"  # addresses


@asynccontextmanager
async def connect_browser(
    server: Server, table: str, key: str, address: str, **more: Any
) -> AsyncIterator[ProtocolClient]:
    """Connect like a browser that opens a table; `more` are further fields of the first message."""
    async with open_socket(server, local_addr=(address, 0)) as socket:
        client = ProtocolClient(socket)
        await client.send(type="join", table=table, key=key, protocol=2, format="html", **{"device": address, **more})
        yield client


async def receive_until(client: ProtocolClient, kind: str, /, **fields: Any) -> dict[str, Any]:
    """Receive messages until one is of the given type and has these fields; return it."""
    while True:
        message = await asyncio.wait_for(client.receive(), TIMEOUT)
        if message["type"] == kind and fields.items() <= message.items():
            return message


async def send_and_receive_error(client: ProtocolClient, **message: Any) -> str:
    """Send a message; return the text of the error."""
    await client.send(**message)
    return str((await receive_until(client, "error"))["message"])


async def wait_for_seat(client: ProtocolClient, seat: str, **fields: Any) -> None:
    """Wait until the row of a seat in the list of people has these fields."""
    while True:
        people = (await receive_until(client, "people"))["seats"]
        if any([row["seat"] == seat and fields.items() <= row.items() for row in people]):
            return


def join(server: Server, table: str, address: str) -> str:
    """Claim a free seat at a listed table; return its key."""
    answer = server.request(f"/join/{table}", {}, address)
    assert answer.status == 303, answer.text
    return answer.headers["Location"].partition("#")[2]


async def check_short_absence(eve: ProtocolClient) -> None:
    """Assert that Eve cannot become host, free Ann's seat or claim it while Ann, the host, has just left."""
    assert "Ann may still come back" in await send_and_receive_error(eve, type="transfer_host", seat="B")
    assert "only the host" in await send_and_receive_error(eve, type="arrange", seat="A", bot="")
    assert "only the host" in await send_and_receive_error(eve, type="add_local_seat", seat="A")


async def check_long_absence(server: Server, table: str, eve: ProtocolClient, key: str) -> None:
    """Assert that Eve can become host, but claim no other seat, when the grace periods of Ann and Cem are over."""
    await receive_until(eve, "people", take_over=True)
    await eve.send(type="transfer_host", seat="B")
    await receive_until(eve, "people", host=True)
    assert "Ann was the host" in await send_and_receive_error(eve, type="arrange", seat="A", bot="")
    await eve.send(type="arrange", seat="C", bot="")
    await wait_for_seat(eve, "C", state="free; steady keeps it")
    assert "before the game begins" in await send_and_receive_error(eve, type="add_local_seat", seat="C")
    for more in ({"device": EVE}, {"device": "new"}, {"device": EVE, "local_keys": [key]}):
        async with connect_browser(server, table, derive_key(key, "C", 1), EVE, **more) as client:
            assert (await receive_until(client, "error"))["code"] == "no seat"
    for spectator_key in ("", derive_key(key, "watch")):
        async with connect_browser(server, table, spectator_key, EVE, device="new") as client:
            await receive_until(client, "page")
            assert "a bot fills in" in await send_and_receive_error(client, type="claim_seat", seat="C")
    assert server.request(f"/join/{table}", {}, EVE).status == 409


def test_a_player_cannot_claim_another_seat_after_the_hosts_reload_or_a_restart(tmp_path: Path) -> None:
    async def main(server: Server) -> None:
        table, host = await asyncio.to_thread(server.new_table, "/tables", name="Ann")
        async with connect_browser(server, table, host, ANN) as ann:
            await ann.send(type="arrange", listed=True)
            await ann.send(type="arrange", seats=3)
            await wait_for_seat(ann, "C", state="free")
            keys = {"B": await asyncio.to_thread(join, server, table, EVE)}
            keys["C"] = await asyncio.to_thread(join, server, table, CEM)
            async with (
                connect_browser(server, table, keys["C"], CEM) as cem,
                connect_browser(server, table, keys["B"], EVE) as eve,
            ):
                await ann.send(type="start")
                await receive_until(cem, "page", page="table")
                await ann.socket.close()
                await wait_for_seat(eve, "A", state="away")
                await check_short_absence(eve)
        async with connect_browser(server, table, host, ANN) as ann:
            await receive_until(ann, "page", page="table")
        await restart(server, "")
        async with connect_browser(server, table, keys["B"], EVE) as eve:  # the first to return
            await check_short_absence(eve)
        await restart(server, SHORT_GRACE)
        async with connect_browser(server, table, keys["B"], EVE) as eve:
            await check_long_absence(server, table, eve, keys["B"])
        for key, address in ((host, ANN), (keys["C"], CEM)):
            async with connect_browser(server, table, key, address) as person:
                await receive_until(person, "page", page="table")

    async def restart(server: Server, startup_code: str) -> None:
        server.kill()
        server.startup_code = startup_code
        await asyncio.to_thread(server.start)

    server = Server(str(tmp_path / "tables.db"))
    server.start()
    try:
        asyncio.run(main(server))
    finally:
        server.stop()
