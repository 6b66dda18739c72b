from dataclasses import replace

import pytest

from argentum.commands import terminal
from argentum.display.errors import Refused
from argentum.rooms.clock import PACES, parse_pace
from tests.support.room import NO_DELAYS, load_registry, play_move, run, seat_clock, start_game


def test_the_first_look_has_a_minimum_time(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, min_first_look=900.0)) as registry:
            room = await start_game(registry, turn_seconds=30)
            await play_move(room, "A", "peek A1 A2")
            assert (room.time_left() or 0) > 800
            await play_move(room, "B", "peek B1 B2")
            assert 0 < (room.time_left() or 0) <= 30

    run(main())


def test_the_old_name_of_the_normal_pace_is_accepted(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            room.set_pace("A", "slow")
            room.set_pace("A", "even")
            assert seat_clock(room, "A").pace == "normal"

    run(main())


@pytest.mark.parametrize("pace", ["", "Normal", 1, None, ["slow"]])
def test_an_unknown_pace_is_refused(pace: object) -> None:
    with pytest.raises(Refused, match="slow, normal, fast, instant"):
        parse_pace(pace)


def test_the_command_line_offers_every_pace() -> None:
    assert tuple(PACES) == terminal.PACE_NAMES
