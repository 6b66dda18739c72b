import asyncio
from collections.abc import AsyncIterator

from argentum.rooms.access import derive_key
from tests.support.server import Server, seated


def test_hints_need_the_consent_of_all_players(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def hints() -> AsyncIterator[str]:
        async with seated(server, table, key) as host, seated(server, table, derive_key(key, "B")) as guest:
            await host.say(type="start")
            while host.state.get("choice") is None:
                await host.update()
            for client in (None, host, guest):
                if client is not None:
                    await client.say(type="agree", on=True)
                    await client.say(type="record")  # its reply shows that the first message was handled
                    while (await client.hear())["type"] != "record":
                        pass
                await host.say(type="hint")
                while (answer := await host.hear())["type"] not in ("hint", "error"):
                    pass
                yield str(answer.get("words") or answer["message"])

    async def collect() -> list[str]:
        return [hint async for hint in hints()]

    with_none, with_one, with_all = asyncio.run(collect())
    assert "only if all agree" in with_none
    assert "only if all agree" in with_one
    assert "A strong bot would choose" in with_all
