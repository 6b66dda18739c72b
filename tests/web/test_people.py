"""Who is at a table, without a browser: handing over hosting, freeing seats, and what a page may do about a seat."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from argentum.tableside.arrangement import first_arrangement
from argentum.tableside.refusals import Refused
from argentum.tableside.sitting import WATCH
from argentum.web.guest import Guest
from argentum.web.hall import Hall
from argentum.web.keys import derived, new_key
from argentum.web.listeners import Browser
from argentum.web.lobby import links_of
from argentum.web.log import Log, LogError
from argentum.web.painter import Painter
from argentum.web.people import Companion, key_of, people_json
from argentum.web.room import Room


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


def test_somebody_takes_over_while_the_host_is_away(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            assert not json.loads(people_json(room, "C"))["take_over"]
            go(room, "A")
            assert json.loads(people_json(room, "C"))["take_over"]
            with pytest.raises(Refused):
                await room.hand_over("B", "C", keys["C"])  # only for oneself
            await room.hand_over("C", "C", key_of(room, "C"))
            assert room.arrangement.host == "C"
            assert key_of(room, "A") == ""

    asyncio.run(evening())


def test_in_a_game_only_the_seat_of_somebody_away_is_freed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, keys):
            await room.start("A")
            with pytest.raises(Refused, match="Bo is here"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            go(room, "B")
            assert may(room, "A")["B"] == ["free"]
            for change in ({"seat": "B", "bot": "novice"}, {"seats": 2}, {"seat": "B", "bot": "", "memory": True}):
                with pytest.raises(Refused, match="the game has begun"):
                    await room.arrange("A", change, keys["A"])
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.free_seat == "B"
            assert room.seats()[1].stand_in, "a bot keeps it"
            assert room.doors.role_of(keys["B"]) == ""

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
