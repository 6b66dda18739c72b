from dataclasses import replace

from tests.support.room import NO_DELAYS, load_registry, play_move, run, start_game


def test_the_first_turn_has_a_clock_of_its_own(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url, replace(NO_DELAYS, min_first_look=900.0)) as registry:
            room = await start_game(registry, turn_seconds=30)
            await play_move(room, "A", "peek A1 A2")
            assert (room.time_left() or 0) > 800
            await play_move(room, "B", "peek B1 B2")
            assert 0 < (room.time_left() or 0) <= 30

    run(main())
