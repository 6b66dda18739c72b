import asyncio
from collections.abc import AsyncIterator

from argentum.rooms.access import derive_key
from tests.support.server import Server, join_table


def test_hints_need_the_consent_of_all_players(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def ask_for_hints() -> AsyncIterator[str]:
        async with join_table(server, table, key) as host, join_table(server, table, derive_key(key, "B")) as guest:
            await host.send(type="start")
            while host.state.get("choice") is None:
                await host.next_update()
            for client in (None, host, guest):
                if client is not None:
                    await client.send(type="allow_hints", on=True)
                    await client.send(type="record")  # Its reply shows that the first message was handled.
                    while (await client.receive())["type"] != "record":
                        pass
                await host.send(type="hint")
                while (answer := await host.receive())["type"] not in ("hint", "error"):
                    pass
                yield str(answer.get("words") or answer["message"])

    async def collect() -> list[str]:
        return [hint async for hint in ask_for_hints()]

    with_none, with_one, with_all = asyncio.run(collect())
    assert "only if all agree" in with_none
    assert "only if all agree" in with_one
    assert "A strong bot would choose" in with_all
