"""The first message of a connection."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.support.server import Server, seated


def test_seats_that_were_freed_and_claimed_again_lock_no_device_out(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def come_back() -> list[str]:
        keys: list[str] = []
        async with seated(server, table, key, format="html", device="phone") as both:
            for _ in range(5):
                await both.say(type="beside", seat="B")
                while (message := await both.hear())["type"] != "seat":
                    pass
                keys.append(message["key"])
                if len(keys) < 5:
                    await both.say(type="arrange", seat="B", bot="")
        async with seated(server, table, key, format="html", device="phone", beside=keys) as again:
            while (message := await again.hear())["type"] != "people":
                pass
            return [seat["seat"] for seat in message["seats"] if seat["yours"]]

    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(asyncio.run, come_back()).result() == ["A", "B"]
