from dataclasses import replace

from tests.support.room import AT_ONCE, play, registry_on, run, started_game


def test_the_first_look_has_a_minimum_time(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url, replace(AT_ONCE, min_first_look=900.0)) as registry:
            room = await started_game(registry, turn_seconds=30)
            await play(room, "A", "peek A1 A2")
            assert (room.time_left() or 0) > 800
            await play(room, "B", "peek B1 B2")
            assert 0 < (room.time_left() or 0) <= 30

    run(main())
