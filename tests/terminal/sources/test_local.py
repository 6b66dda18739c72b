"""A local game sends the updates of a server, and survives a failing bot."""

import asyncio
from typing import Any

import pytest

from argentum.terminal.sources.local import LocalSource
from tests.support.server import Server, join_table
from tests.support.terminal import TIMEOUT


def test_a_local_update_has_the_fields_of_a_servers(server: Server) -> None:
    local_update = LocalSource("Ann", ["novice"], seed=1).update()

    async def server_update() -> dict[str, Any]:
        table, key = server.new_table(boxes="dagger", bots="1")
        async with join_table(server, table, key) as client:
            return client.state

    update = asyncio.run(server_update())
    assert local_update.keys() == update.keys() - {"links"}, "a local table has no invitation"
    assert local_update["view"].keys() == update["view"].keys()
    assert local_update["seats"][0].keys() == update["seats"][0].keys()
    assert local_update["arrangement"].keys() == update["arrangement"].keys()


def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = LocalSource("Ann", ["novice"], seed=1, pause=0)
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", lambda self, view: 1 / 0)
    messages: list[dict[str, Any]] = []

    async def look() -> None:
        running = asyncio.create_task(table.run(messages.append))
        async with asyncio.timeout(TIMEOUT):
            while table.game.legal("B"):
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(look())
    assert messages[-1]["view"]["looking"] == ["A"]
