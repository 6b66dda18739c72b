"""The first message of a connection."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.support.server import Server, seated


def test_old_keys_of_reclaimed_seats_do_not_lock_a_device_out(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def main() -> list[str]:
        keys: list[str] = []
        async with seated(server, table, key, format="html", device="phone") as client:
            for _ in range(5):
                await client.say(type="beside", seat="B")
                while (message := await client.hear())["type"] != "seat":
                    pass
                keys.append(message["key"])
                if len(keys) < 5:
                    await client.say(type="arrange", seat="B", bot="")
        async with seated(server, table, key, format="html", device="phone", beside=keys) as returning:
            while (message := await returning.hear())["type"] != "people":
                pass
            return [seat["seat"] for seat in message["seats"] if seat["yours"]]

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, main()).result() == ["A", "B"]
