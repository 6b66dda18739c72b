"""Who is at a table, without a browser: handing over hosting, freeing seats, and what a page may do about a seat."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from argentum.display.errors import Refused
from argentum.display.session import WATCH
from argentum.rooms.access import derived, key_of, links_of, new_key, seat_link
from argentum.rooms.arrangement import first_arrangement
from argentum.rooms.clock import Pace
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.sql import Log
from argentum.rooms.registry import Hall
from argentum.rooms.room import Room
from argentum.rooms.visitor import Companion, Guest
from argentum.web.holders import Identity
from argentum.web.pages.lobby import lobby_of
from argentum.web.pages.people import people_json
from argentum.web.pages.renderer import Painter
from argentum.web.sockets.readers import Browser, Reading


@asynccontextmanager
async def three(path: Path) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """A table at which Ann hosts, and two more have sat down; and their keys."""
    log = Log.open(str(path / "tables.db"))
    hall = Hall(log)
    room, host = await hall.set_table(first_arrangement("Ann", "dagger", 2))
    keys = {"A": host, "B": new_key(), "C": new_key()}
    for seat in "BC":
        await room.take_seat(keys[seat], "Bo" if seat == "B" else "Cem", seat)
    for seat, key in keys.items():
        await room.enter(Companion(seat, key))
    yield room, keys
    await hall.close()
    await log.close()


def may(room: Room, role: str) -> dict[str, list[str]]:
    """What somebody may do about each seat."""
    form: dict[str, Any] = json.loads(people_json(room, role))
    return {row["seat"]: row["may"] for row in form["seats"]}


def go(room: Room, seat: str) -> None:
    """Somebody leaves."""
    for reader in list(room.doors.readers):
        if reader.role == seat:
            room.leave(reader)


def test_hosting_is_handed_over_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            assert may(room, "A") == {"A": [], "B": ["nudge", "free", "host"], "C": ["nudge", "free", "host"]}
            assert may(room, "B") == {"A": ["nudge"], "B": [], "C": ["nudge"]}
            assert not any(may(room, WATCH).values())
            for role, to, key in (("B", "B", keys["B"]), ("B", "C", keys["C"]), ("A", "A", keys["A"])):
                with pytest.raises(Refused):
                    await room.hand_over(role, to, key)
            with pytest.raises(Refused, match="is here"):
                await room.hand_over("A", "B", "not the key by which Bo sits there")
            await room.hand_over("A", "B", key_of(room, "B"))
            again = Room.restored(room.name, room.play.log.entries(room.name), room.play.log, room.clock.pace)
            for one in (room, again):
                assert one.arrangement.host == "B"
                for host in ("A", "B"):  # invitations of both open the table
                    assert one.doors.role_of(derived(keys[host], WATCH)) == WATCH
            with pytest.raises(Refused, match="only the host"):
                await room.start("A")
            await room.arrange("B", {"seat": "A", "bot": "novice"}, keys["B"])
            assert room.doors.role_of(keys["A"]) == "", "Ann has no seat any more"
            with pytest.raises(Refused, match="host's own"):
                await room.arrange("B", {"seat": "B", "bot": "novice"}, keys["B"])

    asyncio.run(evening())


def test_who_has_no_seat_reads_that_they_are_watching_and_the_host_sees_them(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):

            def seatless(role: str) -> str:
                return lobby_of(room, role, keys["A"]).seatless

            assert [seatless(role) for role in "ABC"] == ["", "", ""]
            await room.enter(Guest())
            assert seatless(WATCH) == "All seats are taken. You are watching."
            assert seatless("A") == "Somebody is here without a seat."
            assert seatless("B") == ""
            await room.enter(Guest())
            assert seatless("A") == "2 people are here without a seat."
            page = "".join(Painter().news(room, "A", keys["A"], Reading()))
            assert "2 people are here without a seat." in page
            await room.arrange("A", {"seats": 4}, keys["A"])
            assert seatless(WATCH) == "You are watching. A seat is free."

    asyncio.run(evening())


def test_a_new_host_gets_no_links_that_open_nothing(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.arrange("A", {"seats": 4}, keys["A"])
            assert links_of(room, keys["A"]).keys() == {"invite", "D"}
            await room.hand_over("A", "B", keys["B"])
            await room.arrange("B", {"seat": "C", "bot": ""}, keys["B"])
            links = {role: link.partition("#")[2] for role, link in links_of(room, keys["B"]).items()}
            assert {role: room.doors.role_of(key) for role, key in links.items()} == {"invite": WATCH, "C": "C"}

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


def test_a_visit_waits_for_nobody_while_a_game_goes_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, _), room.lock:  # as while a bot thinks
            await asyncio.wait_for(room.visit(), 60)

    asyncio.run(evening())


def grace_passes(room: Room) -> None:
    """Whoever is away has been away for long enough."""
    room.clock.pace = replace(room.clock.pace, grace=0.0)


async def restarted(room: Room) -> Room:
    """The table as another server process loads it."""
    await room.close()
    return Room.restored(room.name, room.play.log.entries(room.name), room.play.log, Pace())


def test_somebody_takes_over_when_the_host_has_been_away_for_the_grace(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            assert not json.loads(people_json(room, "C"))["take_over"]
            go(room, "A")
            assert not json.loads(people_json(room, "C"))["take_over"], "the host may be reloading the page"
            with pytest.raises(Refused, match="Ann may still come back"):
                await room.hand_over("C", "C", key_of(room, "C"))
            grace_passes(room)
            assert json.loads(people_json(room, "C"))["take_over"]
            with pytest.raises(Refused):
                await room.hand_over("B", "C", keys["C"])  # only for oneself
            await room.hand_over("C", "C", key_of(room, "C"))
            assert room.arrangement.host == "C"
            assert key_of(room, "A") == ""

    asyncio.run(evening())


def test_every_page_learns_when_the_grace_has_passed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            browser = Browser(Painter(), room)
            page = Guest()
            page.role = "C"
            await room.enter(page)
            room.clock.pace = replace(room.clock.pace, grace=0.05)
            go(room, "A")
            while not any('"take_over": true' in news for news in browser.news(room, "C", keys["C"])):
                page.dirty.clear()
                await asyncio.wait_for(page.dirty.wait(), 60)

    asyncio.run(evening())


def test_the_grace_begins_again_when_the_table_is_loaded(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            go(room, "A")
            assert room.absent == "A"
            again = await restarted(room)
            await again.enter(Companion("C", keys["C"]))
            assert again.absent == ""
            with pytest.raises(Refused, match="Ann may still come back"):
                await again.hand_over("C", "C", keys["C"])
            await again.close()

    asyncio.run(evening())


def test_in_a_game_only_the_seat_of_somebody_away_for_the_grace_is_freed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            with pytest.raises(Refused, match="Bo is here"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            go(room, "B")
            assert may(room, "A")["B"] == []
            with pytest.raises(Refused, match="Bo may still come back"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            grace_passes(room)
            assert may(room, "A")["B"] == ["free"]
            for change in ({"seat": "B", "bot": "novice"}, {"seats": 2}, {"seat": "B", "bot": "", "memory": True}):
                with pytest.raises(Refused, match="the game has begun"):
                    await room.arrange("A", change, keys["A"])
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.free_seat == "B"
            assert room.seats()[1].stand_in, "a bot keeps it"

    asyncio.run(evening())


def test_somebody_late_but_connected_keeps_the_seat_for_the_grace_too(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.arrange("A", {"seconds": 30}, keys["A"])
            await room.start("A")
            assert room.clock.late(1, 30, room.clock.seats[1].deadline)
            with pytest.raises(Refused, match="Bo may still come back"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])

    asyncio.run(evening())


def test_a_seat_that_has_just_been_taken_has_the_whole_grace(tmp_path: Path) -> None:
    """Whoever takes a seat comes with its key a moment later."""

    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.arrange("A", {"seats": 4}, keys["A"])
            await room.start("A")
            room.doors.seats[3].left -= room.clock.pace.grace
            await room.take_seat("a key", "Dee", "D")
            with pytest.raises(Refused, match="Dee may still come back"):
                await room.arrange("A", {"seat": "D", "bot": ""}, keys["A"])

    asyncio.run(evening())


def test_a_host_who_took_over_never_frees_the_previous_hosts_seat_in_a_running_game(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            go(room, "A")
            await room.hand_over("C", "C", keys["C"])
            await room.hand_over("C", "B", keys["B"])  # nor does anybody whom they make the host
            again = await restarted(room)
            grace_passes(again)
            for one in (room, again):
                assert may(one, "B")["A"] == []
                with pytest.raises(Refused, match="Ann was the host"):
                    await one.arrange("B", {"seat": "A", "bot": ""}, keys["B"])
            await again.enter(Companion("A", keys["A"]))
            await again.enter(Companion("B", keys["B"]))
            await again.hand_over("B", "A", keys["A"])
            await again.hand_over("A", "B", keys["B"])  # this time Ann has chosen
            go(again, "A")
            await again.arrange("B", {"seat": "A", "bot": ""}, keys["B"])
            assert again.free_seat == "A"
            await again.close()

    asyncio.run(evening())


def test_whoever_was_away_when_their_seat_was_freed_returns_until_somebody_else_sits_there(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            for _ in range(2):
                go(room, "B")
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
                link = derived(keys["A"], "B", room.arrangement.locks[1])
                again = await restarted(room)
                for one in (room, again):
                    assert one.doors.role_of(keys["B"]) == one.doors.role_of(link) == "B"
                await room.enter(Companion("B", keys["B"]))
                assert room.arrangement.places[1].claimed
                assert room.doors.role_of(keys["B"]) == "B"
                assert room.doors.role_of(link) == ""
                assert key_of(room, "B") == keys["B"]
            go(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            await room.take_seat("another key", "Dee", "B", Identity("192.0.2.7"))
            assert room.doors.role_of(keys["B"]) == ""
            assert room.doors.role_of("another key") == "B"

    asyncio.run(evening())


def test_whoever_was_here_when_the_host_freed_their_seat_does_not_return(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.doors.role_of(keys["B"]) == ""
            go(room, "C")
            await room.arrange("A", {"seat": "C", "bot": "novice"}, keys["A"])
            await room.arrange("A", {"seat": "C", "bot": ""}, keys["A"])
            assert room.doors.role_of(keys["C"]) == "", "the host has given that seat to a bot"

    asyncio.run(evening())


HOUSE, PHONE = "192.0.2.1", "192.0.2.2"


def guest_of(room: Room, key: str, address: str = "", device: str = "") -> Guest:
    """Somebody connects with a key."""
    guest = Guest(address)
    guest.role, guest.key, guest.device = room.doors.role_of(key), key, device
    return guest


@asynccontextmanager
async def freed(path: Path, *, loaded: bool = False) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """A running game of Ann and Bo, each at their own address, and the seat of Cem, which is free; a fourth is open."""
    async with three(path) as (room, keys):
        await room.arrange("A", {"seats": 4}, keys["A"])
        await room.start("A")
        for seat in "ABC":
            go(room, seat)
        if loaded:
            room = await restarted(room)
        await guest_of(room, keys["A"], HOUSE, "laptop").enter(room)
        if not loaded:
            await guest_of(room, keys["B"], PHONE, "phone").enter(room)
            cem = guest_of(room, keys["C"], "192.0.2.3")
            await cem.enter(room)
            cem.leave(room)
        grace_passes(room)
        await room.arrange("A", {"seat": "C", "bot": ""}, keys["A"])
        yield room, keys
        await room.close()


@pytest.mark.parametrize("link", [True, False])
def test_nobody_sits_in_a_second_seat_of_a_running_game(tmp_path: Path, link: bool) -> None:
    async def evening() -> None:
        async with freed(tmp_path) as (room, keys):
            opens = {seat: seat_link(room, keys["A"], seat).partition("#")[2] for seat in "CD"}

            async def sits(seat: str, address: str, device: str) -> None:
                if link:
                    await guest_of(room, opens[seat], address, device).enter(room)
                else:
                    person = Identity(address, device, invited=True)
                    await room.take_seat("a key", "Eve", seat, person)

            for seat, address, device in (
                ("C", HOUSE, "laptop"),
                ("C", HOUSE, "another browser"),
                ("C", "192.0.2.8", "laptop"),
                ("C", PHONE, ""),
                ("D", HOUSE, "laptop"),
                ("D", PHONE, ""),
            ):
                with pytest.raises(Refused, match="held another seat"):
                    await sits(seat, address, device)
            with pytest.raises(Refused, match="nobody else"):
                await sits("C", "", "")
            await sits("D", HOUSE, "a friend's phone")  # in the same house, to a seat whose cards nobody has seen
            await sits("C", "192.0.2.9", "")
            assert room.free_seats == []

    asyncio.run(evening())


def test_keys_of_two_seats_on_one_device_do_not_open_a_freed_seat(tmp_path: Path) -> None:
    async def evening() -> None:
        async with freed(tmp_path) as (room, keys):
            link = seat_link(room, keys["A"], "C").partition("#")[2]
            for first, second in ((keys["A"], link), (link, keys["A"])):
                guest = guest_of(room, first, "192.0.2.9", "a new browser")
                guest.beside = [Companion(room.doors.role_of(second), second)]
                with pytest.raises(Refused, match="held another seat"):
                    await guest.enter(room)
                guest.leave(room)

    asyncio.run(evening())


def test_whoever_held_a_seat_before_does_not_sit_in_another_either(tmp_path: Path) -> None:
    async def evening() -> None:
        async with freed(tmp_path) as (room, keys):
            await room.take_seat("new", "Eve", "C", Identity("192.0.2.9"))
            go(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="held another seat"):
                await room.take_seat("old", "Cem", "B", Identity("192.0.2.3"))

    asyncio.run(evening())


def test_after_a_restart_a_freed_seat_is_a_bots_while_nobody_knows_who_held_the_others(tmp_path: Path) -> None:
    async def evening() -> None:
        async with freed(tmp_path, loaded=True) as (room, keys):
            with pytest.raises(Refused, match="nobody else"):
                await room.take_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            await guest_of(room, keys["B"], PHONE, "phone").enter(room)
            with pytest.raises(Refused, match="held another seat"):
                await room.take_seat("a key", "Bo again", "C", Identity(PHONE))
            await room.take_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            go(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="nobody else"):  # Cem has held a seat, and we do not know who that was
                await room.take_seat("a key", "Cem?", "B", Identity("192.0.2.3"))
            await guest_of(room, keys["B"], "192.0.2.3").enter(room)  # one's own key opens one's own seat

    asyncio.run(evening())


def test_people_who_share_a_device_keep_the_seats_they_began_with(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            for seat in "AB":
                go(room, seat)
            await room.start("A")
            both = guest_of(room, keys["A"], HOUSE, "laptop")
            both.beside = [Companion("B", keys["B"])]
            await both.enter(room)
            assert both.roles == ("A", "B")
            assert [seat.here for seat in room.seats()] == [True, True, True]
            grace_passes(room)
            both.leave(room)
            await room.hand_over("C", "C", keys["C"])
            await room.arrange("C", {"seat": "B", "bot": ""}, keys["C"])
            await both.enter(room)
            assert [place.claimed for place in room.arrangement.places] == [True, True, True]

    asyncio.run(evening())


def test_a_device_whose_first_seat_is_freed_goes_on_with_who_is_left_behind_the_curtain(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            for seat in "BC":
                go(room, seat)
            device = Guest()
            device.role, device.key, device.beside = "B", keys["B"], [Companion("C", keys["C"])]
            device.reader = Browser(Painter(), room)
            await device.enter(room)
            await room.start("A")

            def shown() -> str:
                """Which page the device is sent, and whose."""
                device.check(room)
                page, *_ = device.reader.news(room, device.role, device.key, device.roles[1:])
                return f"{json.loads(page)['kind']} {device.role}"

            device.reader.lift()
            assert shown() == "table B"
            room.clock.seats[1].slow = True
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert shown() == "curtain C", "Bo may still look at it"
            assert device.roles == ("C",)
            assert not room.doors.here(1)
            assert room.doors.here(2)
            device.reader.lift()
            assert shown() == "table C"
            room.clock.seats[2].slow = True
            await room.arrange("A", {"seat": "C", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="does not open a seat"):
                device.check(room)

    asyncio.run(evening())


def test_a_curtain_stays_until_somebody_lifts_it_though_the_other_has_lost_the_seat(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            browser = Browser(Painter(), room)
            kinds = [json.loads(browser.news(room, "B", keys["B"], ("C",))[0])["kind"]]
            assert kinds == ["curtain"]
            assert not [text for text in browser.news(room, "B", keys["B"]) if '"kind"' in text], "it stays as it is"
            browser.lift()
            assert json.loads(browser.news(room, "B", keys["B"])[0])["kind"] == "table"

    asyncio.run(evening())
