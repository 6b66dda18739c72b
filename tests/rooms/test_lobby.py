"""A rematch waits for those who lost, and a seat in which a bot filled in is marked at the end."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from argentum.display.errors import Refused
from argentum.display.results import game_result
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR
from argentum.rooms import clock
from argentum.rooms.access import derive_key, key_of, seat_path
from argentum.rooms.arrangement import Arrangement, Rematch, SeatConfig, new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.holders import Identity
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.web.pages.end import GameEndPage
from argentum.web.pages.lobby import lobby_page
from argentum.web.pages.people import people_json
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader, PageState
from tests.support.fakes import run
from tests.support.room import (
    assert_refused,
    create_room,
    disconnect,
    finished_room,
    load_registry,
    play_move,
    play_randomly,
    restore_room,
    room_of_three,
    room_state,
    session_of,
    start_game,
    view_of,
)
from tests.support.server import ProtocolClient, Server, connected, join_table, receive_until, receive_until_closed

SEATS = [SeatInfo("A", "Ann", "", True, ""), SeatInfo("B", "Bo", "", True, ""), SeatInfo("C", "Cy", "", True, "")]


def waits_for(time: clock.RematchTimer, again: Rematch, host: str = "A") -> list[str]:
    return [seat.name for seat in time.undecided(SEATS, again, {host})]


def test_a_rematch_waits_for_people_who_lost_until_they_have_chosen() -> None:
    time, again = clock.RematchTimer(), Rematch("d" * 14, "C")
    assert waits_for(time, again) == [], "there is no rematch yet, or the server was restarted"
    time.start()
    assert waits_for(time, again) == ["Bo"], "not for the winner, nor for the host, who starts"
    assert waits_for(time, again, "B") == ["Ann"], "where hosting was handed over"
    with pytest.raises(Refused, match="Bo may still replace a number, for 30 s at most"):
        time.require_done(SEATS, again, {"A"})
    time.record("B", keeps=True)
    assert waits_for(time, again) == []
    time.record("B", keeps=False)
    assert waits_for(time, again) == ["Bo"]
    assert waits_for(time, Rematch("d" * 14, "C", {"B": (3, "coin")})) == []
    gone = [SEATS[0], SEATS[1]._replace(here=False), SEATS[2]._replace(bot="novice")]
    assert time.undecided(gone, Rematch("d" * 14, "A"), {"A"}) == []


def test_it_waits_for_a_short_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "REMATCH_SECONDS", 0.0)
    time = clock.RematchTimer()
    time.start()
    time.require_done(SEATS, Rematch("d" * 14, "C"), {"A"})


def test_a_seat_in_which_a_bot_filled_in_is_marked_at_the_end() -> None:
    scores = [{"A": 9, "B": 3, "C": 5}]
    rows = game_result([*SEATS[:2], SEATS[2]._replace(bot="novice")], scores, "B", "A", "BC").rows
    assert [(row.name, row.had_stand_in) for row in rows] == [("Bo", True), ("Cy", False), ("Ann", False)]
    page = PageRenderer()._render("game_end.html", "stage", GameEndPage("owl", "Bo wins.", rows, True, False, ""))
    assert page.count("a bot filled in") == 1


class Page:
    """A page that shows some seats, and notes what the rematch waits for whenever it is called."""

    def __init__(self, *roles: str) -> None:
        self.role = roles[0]
        self.roles = roles
        self.calls: asyncio.Queue[None] = asyncio.Queue()

    def notify(self) -> None:
        self.calls.put_nowait(None)


def a_rematch(folder: Path, *pages: Page) -> Room:
    """A table of three at which A has won; nobody writes anything there any more."""
    log = SqlJournal.open(str(folder / "tables.db"))
    places = tuple([SeatConfig(name, "", True) for name in ("Ann", "Bo", "Cy")])
    room = Room("owl", log, {}, Arrangement(places, rematch=Rematch("d" * 14, "A")), Timing())
    asyncio.run(log.close())
    for page in pages:
        room.access.add(page)
        for beside in page.roles[1:]:
            room.access.add(LocalSeat(beside, "a key"))
    room.rematch_timer.start()
    return room


def test_those_who_share_the_hosts_device_choose_by_starting(tmp_path: Path) -> None:
    room = a_rematch(tmp_path, Page("A", "B"), Page("C"))
    assert [seat.name for seat in room.undecided()] == ["Cy"]


def test_those_who_share_another_device_are_waited_for(tmp_path: Path) -> None:
    room = a_rematch(tmp_path, Page("A"), Page("B", "C"))
    assert [seat.name for seat in room.undecided()] == ["Bo", "Cy"]
    first = lobby_page(room, "B", "a key", local_seats=("C",)).rematch
    assert first is not None
    assert (first.choosing_seat, first.chooser_name, first.may_keep_deck, first.waiting_for) == ("B", "Bo", True, ())
    room.rematch_timer.record("B", keeps=True)
    then = lobby_page(room, "B", "a key", local_seats=("C",)).rematch
    assert then is not None
    assert (then.choosing_seat, then.chooser_name, then.may_keep_deck) == ("C", "Cy", True), "one after another"


def test_result_replay_and_review_stay_reachable_after_a_rematch_is_opened(tmp_path: Path) -> None:
    async def evening() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, key = await registry.create(new_arrangement("Ann", "dagger", 2))
        await room.claim_seat("Bo's key", "Bo")
        await room.start("A")
        assert room.game is not None
        room.game.rollout(Random(1))
        room.play.rounds_seen = [room.game.rounds_finished] * 4
        await room.rematch("A")
        await room.claim_seat("Cy's key", "Cy")  # a newcomer
        pages = {
            "A": HtmlReader(PageRenderer(), room),
            "B": HtmlReader(PageRenderer(), room),
            "C": HtmlReader(PageRenderer(), room),
        }

        def shown(seat: str) -> str:
            return " ".join(pages[seat].updates(room, seat, key if seat == "A" else ""))

        for seat, page in pages.items():
            assert "review of the last game" in shown(seat)
            page.return_to_result()
            result = shown(seat)
            assert '"kind":"over"' in result
            assert ("data-review" in result) == (seat != "C"), "Cy has not played in it"
            page.show_replay(0)
            await page.prepare(room, seat, registry.replays, "")
            assert '"kind":"replay"' in shown(seat)
            page.show_replay(None)
            page.leave_game_end(room)
            assert '"kind":"gathering"' in shown(seat)
        room = Room.from_entries(room.name, log.entries(room.name), log, Timing())
        assert [room.played(seat) for seat in "ABC"] == [True, True, False]
        await registry.close()
        await log.close()

    asyncio.run(evening())


def test_every_page_is_updated_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "REMATCH_SECONDS", 0.05)
    page = Page("A")
    room = a_rematch(tmp_path, page, Page("B"), Page("C"))

    async def wait() -> None:
        room.notify()
        while room.undecided():
            await asyncio.wait_for(page.calls.get(), 60)
        assert room.time_left() is None
        assert await room.beat() is None, "once"
        await room.close()

    asyncio.run(wait())


VOID = "this link does not open a seat at this table; ask for a new one"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        one = Server(str(folder / "tables.db"), stderr=stderr)
        one.start()
        yield one
        one.stop()


@pytest.mark.parametrize("form", ["json", "html"])
def test_a_seat_is_freed(site: Server, form: str) -> None:
    async def take_away() -> None:
        async with join_table(site, table, host) as one, join_table(site, table, derive_key(host, "B")) as two:
            await one.send(type="arrange", seats=3)
            await receive_until(one, lambda message: len(message.get("seats", ())) == 3)
            async with (
                join_table(site, table, derive_key(host, "C"), format=form) as three,
                join_table(site, table, derive_key(host, "C")) as three_again,
            ):
                await one.send(type="arrange", seats=2)
                await receive_until(one, lambda message: len(message.get("seats", ())) == 2)
                await one.send(type="start")
                for here in (one, two):
                    await receive_until(here, lambda message: message.get("stage") == "playing")
                for gone in (three, three_again):
                    messages, code = await receive_until_closed(gone.socket)
                    assert (messages[-1]["code"], code) == ("no seat", 1008)
            await one.play_random_move(Random(1))
            assert (await two.next_update())["stage"] == "playing"

    table, host = site.new_table("/tables")
    run(take_away())


def test_a_bot_replaces_a_seated_player(site: Server) -> None:
    async def replace() -> None:
        async with join_table(site, table, host) as one, join_table(site, table, derive_key(host, "B")) as two:
            await one.send(type="arrange", seat="B", bot="random")
            await receive_until(one, lambda message: message.get("seats", [{}, {"bot": ""}])[1]["bot"] == "random")
            await one.send(type="start")
            messages, code = await receive_until_closed(two.socket)
            assert (messages[-1]["code"], code) == ("no seat", 1008)
        async with connected(site) as socket:
            again = ProtocolClient(socket)
            await again.send(type="sit", table=table, key=derive_key(host, "B"))
            error = await again.receive()
            assert (error["code"], error["message"]) == ("no seat", VOID)

    table, host = site.new_table("/tables")
    run(replace())


def test_people_who_take_the_same_name_get_different_ones(site: Server) -> None:
    async def rename() -> None:
        async with join_table(site, table, host) as one, join_table(site, table, derive_key(host, "B")) as two:
            for _ in range(5):
                await asyncio.gather(
                    *[client.send(type="arrange", name=name) for client in (one, two) for name in ("Eve", "eve", "EVE")]
                )
            for client in (one, two):
                await client.send(type="record")  # refused, after all that was said before
                assert (await client.next_error())["message"] == "there is no game to record yet"
        async with join_table(site, table, host) as one:
            names = [seat["name"] for seat in one.state["seats"]]
            assert len({name.casefold() for name in names}) == 2
            assert all(name.casefold() in ("eve", "eve 2") for name in names)

    table, host = site.new_table("/tables")
    run(rename())


def test_the_winner_is_not_there_for_the_rematch() -> None:
    places = new_arrangement(opponents=2).seats
    again = Rematch("d" * 14, "C", {"B": (3, "coin"), "C": (4, "coin")})
    room = Room("amber-oak", cast(SqlJournal, None), {}, Arrangement(places, again.deck_code, rematch=again), Timing())
    room.arrangement = room.arrangement.with_changes({"seats": 2})
    assert room.arrangement.deck_code == "dddcdddddddddd"
    lobby = lobby_page(room, "A", "key")
    assert lobby.rematch is not None
    assert lobby.rematch.winner == "Somebody who left"
    assert [swap.number for swap in lobby.rematch.swaps] == [3]


def may(room: Room, role: str) -> dict[str, list[str]]:
    """What somebody may do about each seat."""
    form: dict[str, Any] = json.loads(people_json(room, role))
    return {row["seat"]: row["may"] for row in form["seats"]}


def test_hosting_is_handed_over_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            assert may(room, "A") == {"A": [], "B": ["nudge", "free", "host"], "C": ["nudge", "free", "host"]}
            assert may(room, "B") == {"A": ["nudge"], "B": [], "C": ["nudge"]}
            assert not any(may(room, SPECTATOR).values())
            for role, to, key in (("B", "B", keys["B"]), ("B", "C", keys["C"]), ("A", "A", keys["A"])):
                with pytest.raises(Refused):
                    await room.transfer_host(role, to, key)
            with pytest.raises(Refused, match="is here"):
                await room.transfer_host("A", "B", "not the key by which Bo sits there")
            await room.transfer_host("A", "B", key_of(room, "B"))
            again = Room.from_entries(room.name, room.play.log.entries(room.name), room.play.log, room.clock.timing)
            for one in (room, again):
                assert one.arrangement.host == "B"
                for host in ("A", "B"):  # invitations of both open the table
                    assert one.access.role_for_key(derive_key(keys[host], SPECTATOR)) == SPECTATOR
            with pytest.raises(Refused, match="only the host"):
                await room.start("A")
            await room.arrange("B", {"seat": "A", "bot": "novice"}, keys["B"])
            assert room.access.role_for_key(keys["A"]) == "", "Ann has no seat any more"
            with pytest.raises(Refused, match="host's own"):
                await room.arrange("B", {"seat": "B", "bot": "novice"}, keys["B"])

    asyncio.run(evening())


def test_who_has_no_seat_reads_that_they_are_watching_and_the_host_sees_them(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):

            def seatless(role: str) -> str:
                return lobby_page(room, role, keys["A"]).seatless

            assert [seatless(role) for role in "ABC"] == ["", "", ""]
            await room.enter(Visitor())
            assert seatless(SPECTATOR) == "All seats are taken. You are watching."
            assert seatless("A") == "Somebody is here without a seat."
            assert seatless("B") == ""
            await room.enter(Visitor())
            assert seatless("A") == "2 people are here without a seat."
            page = "".join(PageRenderer().page_updates(room, "A", keys["A"], PageState()))
            assert "2 people are here without a seat." in page
            await room.arrange("A", {"seats": 4}, keys["A"])
            assert seatless(SPECTATOR) == "You are watching. A seat is free."

    asyncio.run(evening())


def grace_passes(room: Room) -> None:
    """Whoever is away has been away for long enough."""
    room.clock.timing = replace(room.clock.timing, disconnect_grace=0.0)


async def restarted(room: Room) -> Room:
    """The table as another server process loads it."""
    await room.close()
    return Room.from_entries(room.name, room.play.log.entries(room.name), room.play.log, Timing())


def test_a_player_takes_over_when_the_host_was_away_for_the_grace_time(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            assert not json.loads(people_json(room, "C"))["take_over"]
            disconnect(room, "A")
            assert not json.loads(people_json(room, "C"))["take_over"], "the host may be reloading the page"
            with pytest.raises(Refused, match="Ann may still come back"):
                await room.transfer_host("C", "C", key_of(room, "C"))
            grace_passes(room)
            assert json.loads(people_json(room, "C"))["take_over"]
            with pytest.raises(Refused):
                await room.transfer_host("B", "C", keys["C"])  # only for oneself
            await room.transfer_host("C", "C", key_of(room, "C"))
            assert room.arrangement.host == "C"
            assert key_of(room, "A") == ""

    asyncio.run(evening())


def test_every_page_learns_when_the_grace_has_passed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            browser = HtmlReader(PageRenderer(), room)
            page = Visitor()
            page.role = "C"
            await room.enter(page)
            room.clock.timing = replace(room.clock.timing, disconnect_grace=0.05)
            disconnect(room, "A")
            while not any('"take_over": true' in news for news in browser.updates(room, "C", keys["C"])):
                page.changed.clear()
                await asyncio.wait_for(page.changed.wait(), 60)

    asyncio.run(evening())


def test_the_grace_begins_again_when_the_table_is_loaded(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            disconnect(room, "A")
            assert room.absent == "A"
            again = await restarted(room)
            await again.enter(LocalSeat("C", keys["C"]))
            assert again.absent == ""
            with pytest.raises(Refused, match="Ann may still come back"):
                await again.transfer_host("C", "C", keys["C"])
            await again.close()

    asyncio.run(evening())


def test_in_a_game_only_seats_of_players_away_for_the_grace_time_are_freed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.start("A")
            with pytest.raises(Refused, match="Bo is here"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            disconnect(room, "B")
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


def test_a_connected_player_who_timed_out_keeps_the_seat_for_the_grace_time(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.arrange("A", {"seconds": 30}, keys["A"])
            await room.start("A")
            assert room.clock.expire(1, 30, room.clock.seats[1].deadline)
            with pytest.raises(Refused, match="Bo may still come back"):
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])

    asyncio.run(evening())


def test_a_seat_that_has_just_been_taken_has_the_whole_grace(tmp_path: Path) -> None:
    """Whoever takes a seat comes with its key a moment later."""

    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.arrange("A", {"seats": 4}, keys["A"])
            await room.start("A")
            room.access.presence[3].left_at -= room.clock.timing.disconnect_grace
            await room.claim_seat("a key", "Dee", "D")
            with pytest.raises(Refused, match="Dee may still come back"):
                await room.arrange("A", {"seat": "D", "bot": ""}, keys["A"])

    asyncio.run(evening())


def test_a_host_who_took_over_never_frees_the_previous_hosts_seat_in_a_running_game(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            disconnect(room, "A")
            await room.transfer_host("C", "C", keys["C"])
            await room.transfer_host("C", "B", keys["B"])  # nor does anybody whom they make the host
            again = await restarted(room)
            grace_passes(again)
            for one in (room, again):
                assert may(one, "B")["A"] == []
                with pytest.raises(Refused, match="Ann was the host"):
                    await one.arrange("B", {"seat": "A", "bot": ""}, keys["B"])
            await again.enter(LocalSeat("A", keys["A"]))
            await again.enter(LocalSeat("B", keys["B"]))
            await again.transfer_host("B", "A", keys["A"])
            await again.transfer_host("A", "B", keys["B"])  # this time Ann has chosen
            disconnect(again, "A")
            await again.arrange("B", {"seat": "A", "bot": ""}, keys["B"])
            assert again.free_seat == "A"
            await again.close()

    asyncio.run(evening())


def test_a_player_whose_seat_was_freed_while_away_returns_until_it_is_claimed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.start("A")
            grace_passes(room)
            for _ in range(2):
                disconnect(room, "B")
                await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
                link = derive_key(keys["A"], "B", room.arrangement.key_versions[1])
                again = await restarted(room)
                for one in (room, again):
                    assert one.access.role_for_key(keys["B"]) == one.access.role_for_key(link) == "B"
                await room.enter(LocalSeat("B", keys["B"]))
                assert room.arrangement.seats[1].claimed
                assert room.access.role_for_key(keys["B"]) == "B"
                assert room.access.role_for_key(link) == ""
                assert key_of(room, "B") == keys["B"]
            disconnect(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            await room.claim_seat("another key", "Dee", "B", Identity("192.0.2.7"))
            assert room.access.role_for_key(keys["B"]) == ""
            assert room.access.role_for_key("another key") == "B"

    asyncio.run(evening())


def test_a_connected_player_whose_seat_was_freed_does_not_return(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.access.role_for_key(keys["B"]) == ""
            disconnect(room, "C")
            await room.arrange("A", {"seat": "C", "bot": "novice"}, keys["A"])
            await room.arrange("A", {"seat": "C", "bot": ""}, keys["A"])
            assert room.access.role_for_key(keys["C"]) == "", "the host has given that seat to a bot"

    asyncio.run(evening())


HOUSE, PHONE = "192.0.2.1", "192.0.2.2"


def guest_of(room: Room, key: str, address: str = "", device: str = "") -> Visitor:
    """Somebody connects with a key."""
    visitor = Visitor(address)
    visitor.role, visitor.key, visitor.device_id = room.access.role_for_key(key), key, device
    return visitor


@asynccontextmanager
async def freed(path: Path, *, loaded: bool = False) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """A running game of Ann and Bo, each at their own address, and the seat of Cem, which is free; a fourth is open."""
    async with room_of_three(path) as (room, keys):
        await room.arrange("A", {"seats": 4}, keys["A"])
        await room.start("A")
        for seat in "ABC":
            disconnect(room, seat)
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
def test_no_player_takes_a_second_seat_of_a_running_game(tmp_path: Path, link: bool) -> None:
    async def evening() -> None:
        async with freed(tmp_path) as (room, keys):
            opens = {seat: seat_path(room, keys["A"], seat).partition("#")[2] for seat in "CD"}

            async def sits(seat: str, address: str, device: str) -> None:
                if link:
                    await guest_of(room, opens[seat], address, device).enter(room)
                else:
                    person = Identity(address, device, invited=True)
                    await room.claim_seat("a key", "Eve", seat, person)

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
            link = seat_path(room, keys["A"], "C").partition("#")[2]
            for first, second in ((keys["A"], link), (link, keys["A"])):
                visitor = guest_of(room, first, "192.0.2.9", "a new browser")
                visitor.local_seats = [LocalSeat(room.access.role_for_key(second), second)]
                with pytest.raises(Refused, match="held another seat"):
                    await visitor.enter(room)
                visitor.leave(room)

    asyncio.run(evening())


def test_a_former_holder_of_a_seat_does_not_take_another(tmp_path: Path) -> None:
    async def evening() -> None:
        async with freed(tmp_path) as (room, keys):
            await room.claim_seat("new", "Eve", "C", Identity("192.0.2.9"))
            disconnect(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="held another seat"):
                await room.claim_seat("old", "Cem", "B", Identity("192.0.2.3"))

    asyncio.run(evening())


def test_after_a_restart_a_freed_seat_is_a_bots_while_nobody_knows_who_held_the_others(tmp_path: Path) -> None:
    async def evening() -> None:
        async with freed(tmp_path, loaded=True) as (room, keys):
            with pytest.raises(Refused, match="nobody else"):
                await room.claim_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            await guest_of(room, keys["B"], PHONE, "phone").enter(room)
            with pytest.raises(Refused, match="held another seat"):
                await room.claim_seat("a key", "Bo again", "C", Identity(PHONE))
            await room.claim_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            disconnect(room, "B")
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="nobody else"):  # Cem has held a seat, and we do not know who that was
                await room.claim_seat("a key", "Cem?", "B", Identity("192.0.2.3"))
            await guest_of(room, keys["B"], "192.0.2.3").enter(room)  # one's own key opens one's own seat

    asyncio.run(evening())


def test_people_who_share_a_device_keep_the_seats_they_began_with(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            for seat in "AB":
                disconnect(room, seat)
            await room.start("A")
            both = guest_of(room, keys["A"], HOUSE, "laptop")
            both.local_seats = [LocalSeat("B", keys["B"])]
            await both.enter(room)
            assert both.roles == ("A", "B")
            assert [seat.here for seat in room.seats()] == [True, True, True]
            grace_passes(room)
            both.leave(room)
            await room.transfer_host("C", "C", keys["C"])
            await room.arrange("C", {"seat": "B", "bot": ""}, keys["C"])
            await both.enter(room)
            assert [place.claimed for place in room.arrangement.seats] == [True, True, True]

    asyncio.run(evening())


def test_losers_replace_a_number_each_before_a_rematch(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await finished_room(registry)
            assert room.game is not None
            winner = room.game.winner
            first, second = [seat for seat in "ABC" if seat != winner]
            await assert_refused(room, room.swap(first, 3, "coin"), "before a rematch")
            await assert_refused(room, room.rematch(SPECTATOR), "onlookers only watch")
            await room.rematch(winner)
            assert room.stage == "gathering"
            await assert_refused(room, room.rematch(first), "a rematch comes after a game")
            await assert_refused(room, room.swap(winner, 3, "coin"), "the winner replaces nothing")
            await assert_refused(room, room.arrange("A", {"boxes": "coin"}), "those who lost change the deck")
            await room.swap(first, 3, "coin")
            await assert_refused(room, room.swap(second, 3, "bullet"), "somebody else already replaces number 3")
            await room.swap(second, 13, "bullet")
            assert room.arrangement.deck_code == "dddcdddddddddb"
            await room.swap(first, 0, "bullet")  # one each: the new one instead of the old
            assert room.arrangement.deck_code == "bddddddddddddb"
            await room.swap(second, None, None)
            assert room.arrangement.deck_code == "bddddddddddddd"
            for number, box in [(14, "coin"), (-1, "coin"), (True, "coin"), ("3", "coin"), (3, "onyx"), (3, None)]:
                await assert_refused(room, room.swap(second, number, box), "replace a number from 0 to 13")
            assert room_state(restore_room(room)) == room_state(room)
            await room.start("A")
            assert (room.play.game_count, room.game.cast.code) == (2, "bddddddddddddd")
            await play_randomly(room, Random(8), 30)
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


def test_a_player_is_renamed_in_the_middle_of_a_game(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            choices = [room.choice_number(seat) for seat in "AB"]
            view_of(room, "B")
            await room.arrange("A", {"name": "  Zoë \n Quick "})
            assert [room.choice_number(seat) for seat in "AB"] == choices
            await play_move(room, "A", "peek A1 A2")
            assert view_of(room, "B").names == ("Zoë Quick", "Bramble")
            [_, entry] = session_of(room).memory_of("B").log_lines(2)
            assert entry.text(view_of(room, "B").residents) == "Zoë Quick looked at spots 1 and 2."
            await room.arrange("B", {"name": "zoë quick"})
            assert view_of(room, "A").names == ("Zoë Quick", "zoë quick 2")
            assert room_state(restore_room(room)) == room_state(room)
            for bad in ("", " ", None, 3, "a\u202eb", "\x00"):
                await assert_refused(room, room.arrange("A", {"name": bad}), "name")
            await assert_refused(room, room.arrange(SPECTATOR, {"name": "Eve"}), "onlookers only watch")
            await assert_refused(room, room.arrange("A", {"seconds": 30}), "the game has begun")

    run(main())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"boxes": "onyx"}, "onyx"),
        ({"boxes": 3}, "boxes is"),
        ({"number": 14, "box": "coin"}, "replace a number from 0 to 13"),
        ({"number": 3}, "replace a number"),
        ({"number": 3, "box": ["coin"]}, "replace a number"),
        ({"token": "onyx"}, "the token is one of"),
        ({"seats": 5}, "2 to 4 seats"),
        ({"seats": True}, "2 to 4 seats"),
        ({"seat": "B", "bot": "nobody"}, "is not a bot"),
        ({"seat": "A", "bot": "novice"}, "the host's own"),
        ({"seat": "D", "bot": "novice"}, "no seat 'D'"),
        ({"memory": 1}, "memory is true or false"),
        ({"listed": "yes"}, "listed is true or false"),
        ({"seconds": 7}, "the time for a turn"),
        ({"seconds": [30]}, "the time for a turn"),
        ({"seats": 3, "memory": "no"}, "memory"),
    ],
)
def test_what_cannot_be_arranged_changes_nothing(database_url: str, change: dict[str, Any], words: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, new_arrangement())
            await assert_refused(room, room.arrange("A", change), words)
            await assert_refused(room, room.arrange("B", {"seats": 3}), "only the host may change the table")
            await assert_refused(room, room.start("B"), "only the host may start the game")

    run(main())


def test_the_host_arranges_the_table(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, new_arrangement("Ann"))
            await room.arrange("A", {"boxes": "coin", "token": "bullet", "seats": 4, "memory": True, "seconds": 30})
            await room.arrange("A", {"seat": "C", "bot": "novice"})
            await room.arrange("A", {"seats": 3, "listed": True})
            await room.arrange("A", {"number": 8, "box": "bullet"})
            assert room.arrangement == Arrangement(
                (SeatConfig("Ann", "", True), SeatConfig("Bramble", "", True), SeatConfig("Cinder", "novice")),
                "ccccccccbccccc", "bullet", memory=True, turn_seconds=30, listed=True,
            )  # fmt: skip
            await room.start("A")
            await assert_refused(room, room.start("A"), "the game has begun already")
            assert room_state(restore_room(room)) == room_state(room)
            assert view_of(room, "A").token == "bullet"

    run(main())
