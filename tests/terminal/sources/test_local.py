"""TODO."""

import asyncio
from typing import Any

import pytest

from argentum.terminal.sources.local import LocalSource
from tests.support.server import Server, seated
from tests.support.terminal import PATIENCE


def test_a_game_here_tells_what_a_server_tells(server: Server) -> None:
    here = LocalSource("Ann", ["novice"], seed=1).update()

    async def there() -> dict[str, Any]:
        table, key = server.new_table(boxes="dagger", bots="1")
        async with seated(server, table, key) as client:
            return client.state

    update = asyncio.run(there())
    assert here.keys() == update.keys() - {"links"}, "nobody is invited here"
    assert here["view"].keys() == update["view"].keys()
    assert here["seats"][0].keys() == update["seats"][0].keys()
    assert here["arrangement"].keys() == update["arrangement"].keys()


def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = LocalSource("Ann", ["novice"], seed=1, pause=0)
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", lambda self, view: 1 / 0)
    heard: list[dict[str, Any]] = []

    async def look() -> None:
        running = asyncio.create_task(table.run(heard.append))
        async with asyncio.timeout(PATIENCE):
            while table.game.legal("B"):
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(look())
    assert heard[-1]["view"]["looking"] == ["A"]
