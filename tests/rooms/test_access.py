import asyncio
from pathlib import Path

import pytest

from argentum.display.session import SPECTATOR
from argentum.rooms import lobby
from argentum.rooms.access import derive_key, host_links, matching_role, seat_path
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from tests.support.room import (
    WaitingConnection,
    assert_refused,
    load_registry,
    log_entries,
    restore_room,
    room_of_three,
    room_state,
    run,
)


def test_a_new_host_gets_only_links_that_work(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"seats": 4}, keys["A"])
            assert host_links(room, keys["A"]).keys() == {"invite", "D"}
            await lobby.transfer_host(room, "A", "B", keys["B"])
            await lobby.arrange(room, "B", {"seat": "C", "bot": ""}, keys["B"])
            links = {role: link.partition("#")[2] for role, link in host_links(room, keys["B"]).items()}
            assert {role: room.keys.role_for_key(key) for role, key in links.items()} == {
                "invite": SPECTATOR,
                "C": "C",
            }

    asyncio.run(main())


def test_a_visitor_whose_visit_cannot_be_saved_is_not_shown_as_connected(tmp_path: Path) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, _ = await registry.create(new_arrangement("Ann", "dagger", 2))
        visitor = Visitor()
        visitor.role, visitor.local_seats = "B", [LocalSeat("C", "")]
        room._released = True  # Now nothing can be written.
        with pytest.raises(LogError):
            await visitor.enter(room)
        visitor.leave(room)
        room._released = False
        await visitor.enter(room)
        assert [seat.here for seat in room.seats()] == [False, True, True]
        visitor.leave(room)
        assert [seat.here for seat in room.seats()] == [False, False, False]
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_a_seat_is_claimed_by_its_link(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, host = await registry.create(new_arrangement("Ann", "dagger", 2))
            assert [matching_role(derive_key(host, role), room.keys.digests) for role in ("B", "C", SPECTATOR)] == [
                "B",
                "C",
                SPECTATOR,
            ]
            assert matching_role(host, room.keys.digests) == "A"
            assert matching_role(derive_key(host, "D"), room.keys.digests) == "D"
            assert matching_role("", room.keys.digests) == matching_role(host[:-1], room.keys.digests) == ""
            await room.enter(WaitingConnection(SPECTATOR))
            assert [place.claimed for place in room.arrangement.seats] == [True, False, False]
            await room.enter(WaitingConnection("C"))
            assert [place.claimed for place in room.arrangement.seats] == [True, False, True]
            assert [seat.here for seat in room.seats()] == [False, False, True]
            assert restore_room(room).arrangement == room.arrangement
            assert host not in str(log_entries(room))

    run(main())


def test_a_freed_seat_gets_a_new_link(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, host = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(WaitingConnection("B"))
            assert matching_role(derive_key(host, "B"), room.keys.digests) == "B"
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, host)
            assert matching_role(derive_key(host, "B"), room.keys.digests) == ""
            assert matching_role(derive_key(host, "B", 1), room.keys.digests) == "B"
            assert seat_path(room, host, "B").endswith("#" + derive_key(host, "B", 1))
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


@pytest.mark.parametrize("freed_for", ["a bot", "nobody"])
def test_a_replaced_key_never_opens_the_seat_again(database_url: str, freed_for: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, host = await registry.create(new_arrangement("Ann", "dagger", 2))
            old_keys: list[str] = []
            for _ in range(3):
                old_keys.append(linked_key(room, host, "C"))
                assert room.keys.role_for_key(old_keys[-1]) == "C"
                connection = WaitingConnection("C")
                await room.enter(connection)
                room.leave(connection)
                if freed_for == "a bot":
                    await lobby.arrange(room, "A", {"seat": "C", "bot": "novice"}, host)
                await lobby.arrange(room, "A", {"seats": 2}, host)
                assert [key for key in old_keys if room.keys.role_for_key(key)] == [], "the old keys are invalid"
                await room.close()
                room = registry.rooms[room.name] = restore_room(room)
                await lobby.arrange(room, "A", {"seats": 3}, host)
                assert [key for key in old_keys if room.keys.role_for_key(key)] == []
                assert room.keys.role_for_key(linked_key(room, host, "C")) == "C"
                assert room_state(restore_room(room)) == room_state(room)
            assert len({*old_keys, linked_key(room, host, "C")}) == 4

    run(main())


def linked_key(room: Room, host_key: str, seat: str) -> str:
    """Return the key in the link to a seat that the host's page shows."""
    link = seat_path(room, host_key, seat)
    return link.partition("#")[2]


def test_only_the_hosts_key_frees_a_seat(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(WaitingConnection("B"))
            await assert_refused(
                room, lobby.arrange(room, "A", {"seat": "B", "bot": "novice"}, "guess"), "the host's own link"
            )

    run(main())
