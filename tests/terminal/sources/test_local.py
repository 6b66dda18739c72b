import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from argentum import records
from argentum.records.fairness import verify
from argentum.terminal.sources.local import LocalSource
from tests.support.server import Server, join_table
from tests.support.terminal import TIMEOUT
from tests.support.terminal_tables import choose_move

Message = dict[str, Any]


@asynccontextmanager
async def running(source: LocalSource) -> AsyncIterator[Callable[[Callable[[Message], object]], Awaitable[Message]]]:
    """Run a source; yield a function that waits for a message."""
    received: asyncio.Queue[Message] = asyncio.Queue()
    task = asyncio.create_task(source.run(received.put_nowait))

    async def wait_for(matches: Callable[[Message], object]) -> Message:
        async with asyncio.timeout(TIMEOUT):
            while not matches(message := await received.get()):
                pass
        return message

    try:
        yield wait_for
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def is_update(message: Message) -> bool:
    return bool(message["type"] == "update")


async def play_to_end(source: LocalSource) -> str:
    """Play a game by a fixed policy; return its record."""
    async with running(source) as wait_for:
        random, answered = Random(1), None
        while True:
            update = await wait_for(is_update)
            if update["stage"] == "over":
                await source.send({"type": "record"})
                return str((await wait_for(lambda message: message["type"] == "record"))["text"])
            are_others_looking = update["view"]["looking"] not in ([], ["A"])  # the order of the first looks differs
            if update["choice"] not in (None, answered) and not are_others_looking:
                answered = update["choice"]
                game = source.room.game
                assert game is not None
                move = choose_move(game.view("A"), random)
                await source.send({"type": "move", "choice": answered, "move": move})


def test_a_local_update_has_the_same_fields_as_that_of_a_server(server: Server) -> None:
    async def local_update() -> Message:
        async with running(LocalSource("Ann", ["novice"], seed=1)) as wait_for:
            return await wait_for(is_update)

    async def server_update() -> Message:
        table, key = server.new_table(boxes="dagger", bots="1")
        async with join_table(server, table, key) as client:
            return client.state

    local, update = asyncio.run(local_update()), asyncio.run(server_update())
    assert local.keys() == update.keys()
    assert local["view"].keys() == update["view"].keys()
    assert local["seats"][0].keys() == update["seats"][0].keys()
    assert local["arrangement"].keys() == update["arrangement"].keys()


def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", lambda self, view: 1 / 0)

    async def main() -> None:
        async with running(LocalSource("Ann", ["novice"], seed=1, pause=0)) as wait_for:
            await wait_for(lambda message: is_update(message) and message["view"]["looking"] == ["A"])

    asyncio.run(main())


def test_a_seed_gives_the_same_game_again() -> None:
    def record(seed: int) -> str:
        return asyncio.run(play_to_end(LocalSource("Ann", ["novice"], "random", seed, pause=0)))

    first = record(4)
    assert record(4) == first
    assert record(5) != first


def test_the_record_of_a_finished_game_can_be_verified() -> None:
    text = asyncio.run(play_to_end(LocalSource("Ann", ["quick", "quick"], "coin", 2, pause=0)))
    assert verify(text, records.read(text)).values == ()


def test_a_refused_message_is_reported_and_a_stale_move_ignored() -> None:
    async def main() -> None:
        source = LocalSource("Ann", ["novice"], seed=1, pause=0)
        async with running(source) as wait_for:
            choice = (await wait_for(is_update))["choice"]
            await source.send({"type": "move", "choice": choice, "move": "draw"})
            error = await wait_for(lambda message: message["type"] == "error")
            assert "not legal" in error["message"] or "peek" in error["message"]
            for _ in range(2):
                await source.send({"type": "move", "choice": choice, "move": "peek A1 A2"})
            await source.send({"type": "record"})
            messages = [await wait_for(bool)]
            while messages[-1]["type"] != "record":
                messages.append(await wait_for(bool))
            assert "error" not in [message["type"] for message in messages]

    asyncio.run(main())


def test_a_message_before_the_table_is_open_is_ignored() -> None:
    async def main() -> None:
        source = LocalSource("Ann", ["novice"], seed=1)
        await source.send({"type": "skip_bot_delays"})
        async with running(source) as wait_for:
            assert (await wait_for(is_update))["stage"] == "playing"

    asyncio.run(main())
