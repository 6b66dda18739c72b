"""TODO."""

import asyncio
from pathlib import Path

import pytest

from argentum.display.session import SPECTATOR
from argentum.rooms.access import derived, links_of, role_of, seat_link
from argentum.rooms.arrangement import first_arrangement
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.sql import Log
from argentum.rooms.registry import Hall
from argentum.rooms.room import Room
from argentum.rooms.visitor import Companion, Guest
from tests.support.people import three
from tests.support.room import Sitter, hall_on, refused, restored, run, state, written


def test_a_new_host_gets_no_links_that_open_nothing(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.arrange("A", {"seats": 4}, keys["A"])
            assert links_of(room, keys["A"]).keys() == {"invite", "D"}
            await room.hand_over("A", "B", keys["B"])
            await room.arrange("B", {"seat": "C", "bot": ""}, keys["B"])
            links = {role: link.partition("#")[2] for role, link in links_of(room, keys["B"]).items()}
            assert {role: room.doors.role_of(key) for role, key in links.items()} == {"invite": SPECTATOR, "C": "C"}

    asyncio.run(evening())


def test_who_could_not_come_in_is_not_missed_afterwards(tmp_path: Path) -> None:
    async def evening() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log)
        room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 2))
        guest = Guest()
        guest.role, guest.beside = "B", [Companion("C", "")]
        room.play.shut = True  # nothing can be written
        with pytest.raises(LogError):
            await guest.enter(room)
        guest.leave(room)
        room.play.shut = False
        await guest.enter(room)
        assert [seat.here for seat in room.seats()] == [False, True, True]
        guest.leave(room)
        assert [seat.here for seat in room.seats()] == [False, False, False]
        await hall.close()
        await log.close()

    asyncio.run(evening())


# Links.


def test_a_seat_is_claimed_by_whoever_comes_by_its_link(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, host = await hall.set_table(first_arrangement("Ann", "dagger", 2))
            assert [role_of(derived(host, role), room.doors.digests) for role in ("B", "C", SPECTATOR)] == [
                "B",
                "C",
                SPECTATOR,
            ]
            assert role_of(host, room.doors.digests) == "A"
            assert role_of(derived(host, "D"), room.doors.digests) == "D"
            assert role_of("", room.doors.digests) == role_of(host[:-1], room.doors.digests) == ""
            await room.enter(Sitter(SPECTATOR))
            assert [place.claimed for place in room.arrangement.places] == [True, False, False]
            await room.enter(Sitter("C"))
            assert [place.claimed for place in room.arrangement.places] == [True, False, True]
            assert [seat.here for seat in room.seats()] == [False, False, True]
            assert restored(room).arrangement == room.arrangement
            assert host not in str(written(room))

    run(main())


def test_a_seat_that_is_taken_from_somebody_gets_another_link(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, host = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            assert role_of(derived(host, "B"), room.doors.digests) == "B"
            await room.arrange("A", {"seat": "B", "bot": ""}, host)
            assert role_of(derived(host, "B"), room.doors.digests) == ""
            assert role_of(derived(host, "B", 1), room.doors.digests) == "B"
            assert seat_link(room, host, "B").endswith("#" + derived(host, "B", 1))
            assert state(restored(room)) == state(room)

    run(main())


@pytest.mark.parametrize("given", ["a bot", "nobody"])
def test_a_key_never_opens_a_seat_again(database_url: str, given: str) -> None:
    """A seat that was claimed, given away, dropped and set again: the host's link opens it, and no old one does."""

    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, host = await hall.set_table(first_arrangement("Ann", "dagger", 2))
            old: list[str] = []
            for _ in range(3):
                old.append(shown_key(room, host, "C"))
                assert room.doors.role_of(old[-1]) == "C"
                sitter = Sitter("C")
                await room.enter(sitter)
                room.leave(sitter)
                if given == "a bot":
                    await room.arrange("A", {"seat": "C", "bot": "novice"}, host)
                await room.arrange("A", {"seats": 2}, host)
                assert [key for key in old if room.doors.role_of(key)] == [], "who sat there has no seat any more"
                await room.close()
                room = hall.rooms[room.name] = restored(room)
                await room.arrange("A", {"seats": 3}, host)
                assert [key for key in old if room.doors.role_of(key)] == []
                assert room.doors.role_of(shown_key(room, host, "C")) == "C"
                assert state(restored(room)) == state(room)
            assert len({*old, shown_key(room, host, "C")}) == 4

    run(main())


def shown_key(room: Room, host: str, seat: str) -> str:
    """The key of a seat's link on the host's page."""
    link = seat_link(room, host, seat)
    return link.partition("#")[2]


def test_a_seat_is_taken_from_somebody_by_the_hosts_key_only(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            await refused(room, room.arrange("A", {"seat": "B", "bot": "novice"}, "guess"), "the host's own link")

    run(main())
