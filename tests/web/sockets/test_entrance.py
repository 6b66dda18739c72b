"""The first message of a connection."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.support.server import Server, join_table


def test_seats_that_were_freed_and_claimed_again_lock_no_device_out(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def come_back() -> list[str]:
        keys: list[str] = []
        async with join_table(server, table, key, format="html", device="phone") as both:
            for _ in range(5):
                await both.send(type="beside", seat="B")
                while (message := await both.receive())["type"] != "seat":
                    pass
                keys.append(message["key"])
                if len(keys) < 5:
                    await both.send(type="arrange", seat="B", bot="")
        async with join_table(server, table, key, format="html", device="phone", beside=keys) as again:
            while (message := await again.receive())["type"] != "people":
                pass
            return [seat["seat"] for seat in message["seats"] if seat["yours"]]

    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(asyncio.run, come_back()).result() == ["A", "B"]
