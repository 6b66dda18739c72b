"""On the device: hints, sounds and notices when they are wanted, and a page that says when the server is away."""

import asyncio
from collections.abc import AsyncIterator

from argentum.rooms.access import derive_key
from tests.support.server import Server, join_table


def test_hints_with_other_people_only_if_all_agree(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def hints() -> AsyncIterator[str]:
        async with join_table(server, table, key) as host, join_table(server, table, derive_key(key, "B")) as visitor:
            await host.send(type="start")
            while host.state.get("choice") is None:
                await host.next_update()
            for who in (None, host, visitor):
                if who is not None:
                    await who.send(type="agree", on=True)
                    await who.send(type="record")  # whose answer says that the first message was read
                    while (await who.receive())["type"] != "record":
                        pass
                await host.send(type="hint")
                while (answer := await host.receive())["type"] not in ("hint", "error"):
                    pass
                yield str(answer.get("words") or answer["message"])

    async def all_of_them() -> list[str]:
        return [hint async for hint in hints()]

    nobody, one, all_ = asyncio.run(all_of_them())
    assert "only if all agree" in nobody
    assert "only if all agree" in one
    assert "A strong bot would choose" in all_
