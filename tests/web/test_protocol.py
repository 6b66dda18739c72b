"""Playing by the JSON protocol, over a real server."""

import asyncio
from random import Random

import pytest

from argentum.rules.residents import BOXES
from tests.web.serving import Server, seated, shared_server

__all__ = ["shared_server"]


@pytest.mark.parametrize("boxes", [*BOXES, "random"])
def test_a_program_plays_a_whole_game_against_bots(server: Server, boxes: str) -> None:
    async def play() -> None:
        table, key = server.new_table(boxes=boxes, bots="3")
        async with seated(server, table, key) as client:
            end = await client.play_on(Random(1), calls=0.3)
        assert end["winner"] in "ABCD"
        assert len(end["scores"]) == 4
        assert end["view"]["totals"] == {seat: sum(one[seat] for one in end["scores"]) for seat in "ABCD"}

    asyncio.run(play())
