"""Actions before and after a game: settings, seats, the host's role, rematches."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from argentum.display.errors import Refused
from argentum.display.results import game_result
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR
from argentum.rooms import clock, lobby
from argentum.rooms.access import derive_key, seat_path
from argentum.rooms.arrangement import Arrangement, Rematch, SeatConfig, new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.holders import Identity
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.ticker import tick
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.web.pages.end import GameEndPage
from argentum.web.pages.lobby import lobby_page
from argentum.web.pages.people import people_json
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader, PageState
from tests.random_games import play_to_end
from tests.support.fakes import run
from tests.support.room import (
    add_connection,
    assert_refused,
    create_room,
    disconnect,
    finished_room,
    journal_of,
    load_registry,
    log_entries,
    make_room,
    play_move,
    play_randomly,
    restore_room,
    room_of_three,
    room_state,
    seat_clock,
    session_of,
    set_rounds_seen,
    set_timing,
    start_game,
    state_of,
    view_of,
)
from tests.support.scenes import page_updates
from tests.support.server import ProtocolClient, Server, join_table, open_socket, receive_until, receive_until_closed

SEATS = [SeatInfo("A", "Ann", "", True, ""), SeatInfo("B", "Bo", "", True, ""), SeatInfo("C", "Cy", "", True, "")]


def undecided_names(timer: clock.RematchTimer, rematch: Rematch, host: str = "A") -> list[str]:
    return [seat.name for seat in timer.undecided(SEATS, rematch, {host})]


def test_a_rematch_waits_for_losers_until_they_have_decided() -> None:
    timer, rematch = clock.RematchTimer(), Rematch("d" * 14, "C")
    assert undecided_names(timer, rematch) == [], "there is no rematch yet, or the server was restarted"
    timer.start()
    assert undecided_names(timer, rematch) == ["Bo"], (
        "neither the winner nor the host, who decides by starting, is waited for"
    )
    assert undecided_names(timer, rematch, "B") == ["Ann"], "after the host has changed"
    with pytest.raises(Refused, match="Bo may still replace a number, for 30 s at most"):
        timer.require_done(SEATS, rematch, {"A"})
    timer.record("B", keeps=True)
    assert undecided_names(timer, rematch) == []
    timer.record("B", keeps=False)
    assert undecided_names(timer, rematch) == ["Bo"]
    assert undecided_names(timer, Rematch("d" * 14, "C", {"B": (3, "coin")})) == []
    absent = [SEATS[0], SEATS[1]._replace(here=False), SEATS[2]._replace(bot="novice")]
    assert timer.undecided(absent, Rematch("d" * 14, "A"), {"A"}) == []


def test_a_rematch_waits_only_until_its_timer_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "REMATCH_SECONDS", 0.0)
    timer = clock.RematchTimer()
    timer.start()
    timer.require_done(SEATS, Rematch("d" * 14, "C"), {"A"})


def test_a_seat_with_a_stand_in_is_marked_in_the_result() -> None:
    scores = [{"A": 9, "B": 3, "C": 5}]
    rows = game_result([*SEATS[:2], SEATS[2]._replace(bot="novice")], scores, "B", "A", "BC").rows
    assert [(row.name, row.had_stand_in) for row in rows] == [("Bo", True), ("Cy", False), ("Ann", False)]
    page = PageRenderer().render("game_end.html", "page", GameEndPage("owl", "Bo wins.", rows, True, False, ""))
    assert page.count("a bot filled in") == 1


class RecordingPage:
    """The connection of a page with some seats, which records notifications."""

    def __init__(self, *roles: str) -> None:
        self.role = roles[0]
        self.roles = roles
        self.notifications: asyncio.Queue[None] = asyncio.Queue()

    def notify(self) -> None:
        self.notifications.put_nowait(None)


def room_before_rematch(*pages: RecordingPage) -> Room:
    """Return a room of three seats before a rematch of a game that A won. It has no log."""
    seats = tuple([SeatConfig(name, "", True) for name in ("Ann", "Bo", "Cy")])
    room = make_room(Arrangement(seats, rematch=Rematch("d" * 14, "A")))
    for page in pages:
        add_connection(room, page)
        for local in page.roles[1:]:
            add_connection(room, LocalSeat(local, "a key"))
    room.start_rematch_timer()
    return room


def test_players_on_the_hosts_device_decide_by_starting() -> None:
    room = room_before_rematch(RecordingPage("A", "B"), RecordingPage("C"))
    assert [seat.name for seat in room.undecided()] == ["Cy"]


def test_a_rematch_waits_for_each_player_on_another_device() -> None:
    room = room_before_rematch(RecordingPage("A"), RecordingPage("B", "C"))
    assert [seat.name for seat in room.undecided()] == ["Bo", "Cy"]
    first = lobby_page(room, "B", "a key", local_seats=("C",)).rematch
    assert first is not None
    assert (first.choosing_seat, first.chooser_name, first.may_keep_deck, first.waiting_for) == ("B", "Bo", True, ())
    room.record_swap_decision("B", keeps=True)
    second = lobby_page(room, "B", "a key", local_seats=("C",)).rematch
    assert second is not None
    assert (second.choosing_seat, second.chooser_name, second.may_keep_deck) == ("C", "Cy", True), (
        "players on one device choose one after another"
    )


def test_result_replay_and_review_stay_reachable_after_a_rematch_is_opened(tmp_path: Path) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, key = await registry.create(new_arrangement("Ann", "dagger", 2))
        await room.claim_seat("Bo's key", "Bo")
        await lobby.start(room)
        assert room.game is not None
        play_to_end(room.game, Random(1))
        set_rounds_seen(room, room.game.rounds_finished)
        await lobby.open_rematch(room, "A")
        await room.claim_seat("Cy's key", "Cy")  # Cy did not play in the last game.
        pages = {
            "A": HtmlReader(PageRenderer(), room),
            "B": HtmlReader(PageRenderer(), room),
            "C": HtmlReader(PageRenderer(), room),
        }

        def updates_text(seat: str) -> str:
            return " ".join(pages[seat].updates(room, seat, key if seat == "A" else ""))

        for seat, page in pages.items():
            assert "review of the last game" in updates_text(seat)
            page.return_to_result()
            result = updates_text(seat)
            assert '"page":"game_end"' in result
            assert ("data-review" in result) == (seat != "C"), "Cy has not played in it"
            page.show_replay(0)
            await page.prepare(room, seat, registry.replays, "")
            assert '"page":"replay"' in updates_text(seat)
            page.show_replay(None)
            page.leave_game_end(room)
            assert '"page":"lobby"' in updates_text(seat)
        room = Room.from_entries(room.name, log.entries(room.name), log, Timing())
        assert [room.has_played(seat) for seat in "ABC"] == [True, True, False]
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_every_page_is_notified_when_the_rematch_timer_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "REMATCH_SECONDS", 0.05)
    page = RecordingPage("A")
    room = room_before_rematch(page, RecordingPage("B"), RecordingPage("C"))

    async def wait() -> None:
        room.notify()
        while room.undecided():
            await asyncio.wait_for(page.notifications.get(), 60)
        assert room.time_left() is None
        assert await tick(room) is None, "nothing more is due"
        await room.close()

    asyncio.run(wait())


INVALID_LINK = "this link does not open a seat at this table; ask for a new one"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this module."""
    folder = tmp_path_factory.mktemp("site")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.start()
        yield server
        server.stop()


@pytest.mark.parametrize("form", ["json", "html"])
def test_removing_a_seat_disconnects_its_player(site: Server, form: str) -> None:
    async def remove_seat() -> None:
        async with join_table(site, table, host) as ann, join_table(site, table, derive_key(host, "B")) as bo:
            await ann.send(type="arrange", seats=3)
            await receive_until(ann, lambda message: len(message.get("seats", ())) == 3)
            async with (
                join_table(site, table, derive_key(host, "C"), format=form) as cem,
                join_table(site, table, derive_key(host, "C")) as cem_again,
            ):
                await ann.send(type="arrange", seats=2)
                await receive_until(ann, lambda message: len(message.get("seats", ())) == 2)
                await ann.send(type="start")
                for client in (ann, bo):
                    await receive_until(client, lambda message: message.get("stage") == "playing")
                for client in (cem, cem_again):
                    messages, code = await receive_until_closed(client.socket)
                    assert (messages[-1]["code"], code) == ("no seat", 1008)
            await ann.play_random_move(Random(1))
            assert (await bo.next_update())["stage"] == "playing"

    table, host = site.new_table("/tables")
    run(remove_seat())


def test_a_bot_replaces_a_seated_player(site: Server) -> None:
    async def put_bot() -> None:
        async with join_table(site, table, host) as ann, join_table(site, table, derive_key(host, "B")) as bo:
            await ann.send(type="arrange", seat="B", bot="random")
            await receive_until(ann, lambda message: message.get("seats", [{}, {"bot": ""}])[1]["bot"] == "random")
            await ann.send(type="start")
            messages, code = await receive_until_closed(bo.socket)
            assert (messages[-1]["code"], code) == ("no seat", 1008)
        async with open_socket(site) as socket:
            returning = ProtocolClient(socket)
            await returning.send(type="join", table=table, key=derive_key(host, "B"))
            error = await returning.receive()
            assert (error["code"], error["message"]) == ("no seat", INVALID_LINK)

    table, host = site.new_table("/tables")
    run(put_bot())


def test_players_who_choose_the_same_name_get_different_names(site: Server) -> None:
    async def rename() -> None:
        async with join_table(site, table, host) as ann, join_table(site, table, derive_key(host, "B")) as bo:
            for _ in range(5):
                await asyncio.gather(
                    *[client.send(type="arrange", name=name) for client in (ann, bo) for name in ("Eve", "eve", "EVE")]
                )
            for client in (ann, bo):
                await client.send(type="record")  # It is refused after all earlier messages were handled.
                assert (await client.next_error())["message"] == "there is no game to record yet"
        async with join_table(site, table, host) as ann:
            names = [seat["name"] for seat in ann.state["seats"]]
            assert len({name.casefold() for name in names}) == 2
            assert all(name.casefold() in ("eve", "eve 2") for name in names)

    table, host = site.new_table("/tables")
    run(rename())


def test_a_rematch_does_not_name_a_winner_who_left() -> None:
    seats = new_arrangement(opponents=2).seats
    rematch = Rematch("d" * 14, "C", {"B": (3, "coin"), "C": (4, "coin")})
    room = make_room(Arrangement(seats, rematch.deck_code, rematch=rematch))
    state_of(room).arrangement = room.arrangement.with_changes({"seats": 2})
    assert room.arrangement.deck_code == "dddcdddddddddd"
    page = lobby_page(room, "A", "key")
    assert page.rematch is not None
    assert page.rematch.winner == "Somebody who left"
    assert [swap.number for swap in page.rematch.swaps] == [3]


def possible_actions(room: Room, role: str) -> dict[str, list[str]]:
    """Return the actions that the people list offers to a role, keyed by the seat that they affect."""
    people: dict[str, Any] = json.loads(people_json(room, role))
    return {row["seat"]: row["may"] for row in people["seats"]}


def test_transferring_the_host_transfers_rights_and_invitations(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            assert possible_actions(room, "A") == {
                "A": [],
                "B": ["nudge", "free", "host"],
                "C": ["nudge", "free", "host"],
            }
            assert possible_actions(room, "B") == {"A": ["nudge"], "B": [], "C": ["nudge"]}
            assert not any(possible_actions(room, SPECTATOR).values())
            for role, to, key in (("B", "B", keys["B"]), ("B", "C", keys["C"]), ("A", "A", keys["A"])):
                with pytest.raises(Refused):
                    await lobby.transfer_host(room, role, to, key)
            with pytest.raises(Refused, match="is here"):
                await lobby.transfer_host(room, "A", "B", "not the key by which Bo sits there")
            await lobby.transfer_host(room, "A", "B", room.key_in_use("B"))
            reloaded = Room.from_entries(room.name, log_entries(room), journal_of(room), room.timing)
            for current in (room, reloaded):
                assert current.arrangement.host == "B"
                for host in ("A", "B"):  # The invitations of both open the table.
                    assert current.keys.role_for_key(derive_key(keys[host], SPECTATOR)) == SPECTATOR
            await lobby.arrange(room, "B", {"seat": "A", "bot": "novice"}, keys["B"])
            assert room.keys.role_for_key(keys["A"]) == "", "Ann has lost her seat"
            with pytest.raises(Refused, match="host's own"):
                await lobby.arrange(room, "B", {"seat": "B", "bot": "novice"}, keys["B"])

    asyncio.run(main())


def test_visitors_without_a_seat_are_told_so_and_shown_to_the_host(tmp_path: Path) -> None:
    async def main() -> None:
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
            page = "".join(page_updates(room, "A", keys["A"], PageState()))
            assert "2 people are here without a seat." in page
            await lobby.arrange(room, "A", {"seats": 4}, keys["A"])
            assert seatless(SPECTATOR) == "You are watching. A seat is free."

    asyncio.run(main())


def end_grace_period(room: Room) -> None:
    """Shorten the grace period to zero, so that it is over."""
    set_timing(room, replace(room.timing, disconnect_grace=0.0))


async def reload_room(room: Room) -> Room:
    """Close a room and load it from its log, as another server does."""
    await room.close()
    return Room.from_entries(room.name, log_entries(room), journal_of(room), Timing())


def test_a_player_takes_over_when_the_host_was_away_for_the_grace_period(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            assert not json.loads(people_json(room, "C"))["take_over"]
            disconnect(room, "A")
            assert not json.loads(people_json(room, "C"))["take_over"], "the host may be reloading the page"
            with pytest.raises(Refused, match="Ann may still come back"):
                await lobby.transfer_host(room, "C", "C", room.key_in_use("C"))
            end_grace_period(room)
            assert json.loads(people_json(room, "C"))["take_over"]
            with pytest.raises(Refused):
                await lobby.transfer_host(room, "B", "C", keys["C"])  # A player takes over only for themselves.
            await lobby.transfer_host(room, "C", "C", room.key_in_use("C"))
            assert room.arrangement.host == "C"
            assert room.key_in_use("A") == ""

    asyncio.run(main())


def test_every_page_is_updated_when_the_grace_period_ends(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            browser = HtmlReader(PageRenderer(), room)
            page = Visitor()
            page.role = "C"
            await room.enter(page)
            set_timing(room, replace(room.timing, disconnect_grace=0.05))
            disconnect(room, "A")
            while not any('"take_over": true' in update for update in browser.updates(room, "C", keys["C"])):
                page.changed.clear()
                await asyncio.wait_for(page.changed.wait(), 60)

    asyncio.run(main())


def test_loading_a_table_restarts_the_grace_period(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.start(room)
            end_grace_period(room)
            disconnect(room, "A")
            assert room.absent_seats == "A"
            reloaded = await reload_room(room)
            await reloaded.enter(LocalSeat("C", keys["C"]))
            assert reloaded.absent_seats == ""
            with pytest.raises(Refused, match="Ann may still come back"):
                await lobby.transfer_host(reloaded, "C", "C", keys["C"])
            await reloaded.close()

    asyncio.run(main())


def test_in_a_game_only_seats_of_players_away_for_the_grace_period_are_freed(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.start(room)
            with pytest.raises(Refused, match="Bo is here"):
                await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            disconnect(room, "B")
            assert possible_actions(room, "A")["B"] == []
            with pytest.raises(Refused, match="Bo may still come back"):
                await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            end_grace_period(room)
            assert possible_actions(room, "A")["B"] == ["free"]
            for change in ({"seat": "B", "bot": "novice"}, {"seats": 2}, {"seat": "B", "bot": "", "memory": True}):
                with pytest.raises(Refused, match="the game has begun"):
                    await lobby.arrange(room, "A", change, keys["A"])
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.first_free_seat == "B"
            assert room.seats()[1].stand_in, "a bot fills in"

    asyncio.run(main())


def test_a_connected_player_who_timed_out_keeps_the_seat_for_the_grace_period(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"seconds": 30}, keys["A"])
            await lobby.start(room)
            seat_clock(room, "B").timed_out, seat_clock(room, "B").timed_out_at = True, seat_clock(room, "B").deadline
            with pytest.raises(Refused, match="Bo may still come back"):
                await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])

    asyncio.run(main())


def test_a_seat_just_claimed_has_the_full_grace_period(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"seats": 4}, keys["A"])
            await lobby.start(room)
            room._presence[3].left_at -= room.timing.disconnect_grace
            await room.claim_seat("a key", "Dee", "D")
            with pytest.raises(Refused, match="Dee may still come back"):
                await lobby.arrange(room, "A", {"seat": "D", "bot": ""}, keys["A"])

    asyncio.run(main())


def test_a_host_who_took_over_never_frees_the_previous_hosts_seat_in_a_running_game(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.start(room)
            end_grace_period(room)
            disconnect(room, "A")
            await lobby.transfer_host(room, "C", "C", keys["C"])
            await lobby.transfer_host(room, "C", "B", keys["B"])  # The next host may not free the seat either.
            reloaded = await reload_room(room)
            end_grace_period(reloaded)
            for current in (room, reloaded):
                assert possible_actions(current, "B")["A"] == []
                with pytest.raises(Refused, match="Ann was the host"):
                    await lobby.arrange(current, "B", {"seat": "A", "bot": ""}, keys["B"])
            await reloaded.enter(LocalSeat("A", keys["A"]))
            await reloaded.enter(LocalSeat("B", keys["B"]))
            await lobby.transfer_host(reloaded, "B", "A", keys["A"])
            await lobby.transfer_host(reloaded, "A", "B", keys["B"])  # This time Ann herself has transferred the role.
            disconnect(reloaded, "A")
            await lobby.arrange(reloaded, "B", {"seat": "A", "bot": ""}, keys["B"])
            assert reloaded.first_free_seat == "A"
            await reloaded.close()

    asyncio.run(main())


def test_a_player_whose_seat_was_freed_while_away_returns_until_it_is_claimed(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.start(room)
            end_grace_period(room)
            for _ in range(2):
                disconnect(room, "B")
                await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
                link = derive_key(keys["A"], "B", room.arrangement.key_versions[1])
                reloaded = await reload_room(room)
                for current in (room, reloaded):
                    assert current.keys.role_for_key(keys["B"]) == current.keys.role_for_key(link) == "B"
                await room.enter(LocalSeat("B", keys["B"]))
                assert room.arrangement.seats[1].claimed
                assert room.keys.role_for_key(keys["B"]) == "B"
                assert room.keys.role_for_key(link) == ""
                assert room.key_in_use("B") == keys["B"]
            disconnect(room, "B")
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            await room.claim_seat("another key", "Dee", "B", Identity("192.0.2.7"))
            assert room.keys.role_for_key(keys["B"]) == ""
            assert room.keys.role_for_key("another key") == "B"

    asyncio.run(main())


def test_a_connected_player_whose_seat_was_freed_does_not_return(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            assert room.keys.role_for_key(keys["B"]) == ""
            disconnect(room, "C")
            await lobby.arrange(room, "A", {"seat": "C", "bot": "novice"}, keys["A"])
            await lobby.arrange(room, "A", {"seat": "C", "bot": ""}, keys["A"])
            assert room.keys.role_for_key(keys["C"]) == "", "the host has given that seat to a bot"

    asyncio.run(main())


HOUSE, PHONE = "192.0.2.1", "192.0.2.2"


def visitor_with_key(room: Room, key: str, address: str = "", device: str = "") -> Visitor:
    """Return a visitor with a key and the role that it opens."""
    visitor = Visitor(address)
    visitor.role, visitor.key, visitor.device_id = room.keys.role_for_key(key), key, device
    return visitor


@asynccontextmanager
async def game_with_freed_seat(path: Path, *, loaded: bool = False) -> AsyncIterator[tuple[Room, dict[str, str]]]:
    """Yield a room with a running game of Ann and Bo, and the keys by seat.

    Ann and Bo have different addresses. Cem's seat was freed, and a fourth seat was never claimed. If `loaded` is true,
    the room was loaded from its log since, and Bo has not connected.
    """
    async with room_of_three(path) as (room, keys):
        await lobby.arrange(room, "A", {"seats": 4}, keys["A"])
        await lobby.start(room)
        for seat in "ABC":
            disconnect(room, seat)
        if loaded:
            room = await reload_room(room)
        await visitor_with_key(room, keys["A"], HOUSE, "laptop").enter(room)
        if not loaded:
            await visitor_with_key(room, keys["B"], PHONE, "phone").enter(room)
            cem = visitor_with_key(room, keys["C"], "192.0.2.3")
            await cem.enter(room)
            cem.leave(room)
        end_grace_period(room)
        await lobby.arrange(room, "A", {"seat": "C", "bot": ""}, keys["A"])
        yield room, keys
        await room.close()


@pytest.mark.parametrize("link", [True, False])
def test_no_player_takes_a_second_seat_of_a_running_game(tmp_path: Path, link: bool) -> None:
    async def main() -> None:
        async with game_with_freed_seat(tmp_path) as (room, keys):
            keys_by_seat = {seat: seat_path(room, keys["A"], seat).partition("#")[2] for seat in "CD"}

            async def claim(seat: str, address: str, device: str) -> None:
                if link:
                    await visitor_with_key(room, keys_by_seat[seat], address, device).enter(room)
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
                    await claim(seat, address, device)
            with pytest.raises(Refused, match="nobody else"):
                await claim("C", "", "")
            await claim("D", HOUSE, "a friend's phone")  # Nobody has seen the cards of this seat.
            await claim("C", "192.0.2.9", "")
            assert room.free_seats == []

    asyncio.run(main())


def test_keys_of_two_seats_on_one_device_do_not_open_a_freed_seat(tmp_path: Path) -> None:
    async def main() -> None:
        async with game_with_freed_seat(tmp_path) as (room, keys):
            link = seat_path(room, keys["A"], "C").partition("#")[2]
            for first, second in ((keys["A"], link), (link, keys["A"])):
                visitor = visitor_with_key(room, first, "192.0.2.9", "a new browser")
                visitor.local_seats = [LocalSeat(room.keys.role_for_key(second), second)]
                with pytest.raises(Refused, match="held another seat"):
                    await visitor.enter(room)
                visitor.leave(room)

    asyncio.run(main())


def test_a_former_holder_of_a_seat_does_not_take_another(tmp_path: Path) -> None:
    async def main() -> None:
        async with game_with_freed_seat(tmp_path) as (room, keys):
            await room.claim_seat("new", "Eve", "C", Identity("192.0.2.9"))
            disconnect(room, "B")
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="held another seat"):
                await room.claim_seat("old", "Cem", "B", Identity("192.0.2.3"))

    asyncio.run(main())


def test_after_a_restart_a_freed_seat_stays_closed_until_the_other_holders_are_known(tmp_path: Path) -> None:
    async def main() -> None:
        async with game_with_freed_seat(tmp_path, loaded=True) as (room, keys):
            with pytest.raises(Refused, match="nobody else"):
                await room.claim_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            await visitor_with_key(room, keys["B"], PHONE, "phone").enter(room)
            with pytest.raises(Refused, match="held another seat"):
                await room.claim_seat("a key", "Bo again", "C", Identity(PHONE))
            await room.claim_seat("a key", "Eve", "C", Identity("192.0.2.9"))
            disconnect(room, "B")
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="nobody else"):  # The former holder of seat C is unknown.
                await room.claim_seat("a key", "Cem?", "B", Identity("192.0.2.3"))
            await visitor_with_key(room, keys["B"], "192.0.2.3").enter(room)  # The own key always opens the seat.

    asyncio.run(main())


def test_players_who_share_a_device_keep_their_seats(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            for seat in "AB":
                disconnect(room, seat)
            await lobby.start(room)
            visitor = visitor_with_key(room, keys["A"], HOUSE, "laptop")
            visitor.local_seats = [LocalSeat("B", keys["B"])]
            await visitor.enter(room)
            assert visitor.roles == ("A", "B")
            assert [seat.here for seat in room.seats()] == [True, True, True]
            end_grace_period(room)
            visitor.leave(room)
            await lobby.transfer_host(room, "C", "C", keys["C"])
            await lobby.arrange(room, "C", {"seat": "B", "bot": ""}, keys["C"])
            await visitor.enter(room)
            assert [seat_config.claimed for seat_config in room.arrangement.seats] == [True, True, True]

    asyncio.run(main())


def test_each_loser_may_swap_a_number_before_a_rematch(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await finished_room(registry)
            assert room.game is not None
            winner = room.game.winner
            first, second = [seat for seat in "ABC" if seat != winner]
            await assert_refused(room, lobby.swap(room, first, 3, "coin"), "before a rematch")
            await assert_refused(room, lobby.open_rematch(room, SPECTATOR), "onlookers only watch")
            await lobby.open_rematch(room, winner)
            assert room.stage == "gathering"
            await assert_refused(room, lobby.open_rematch(room, first), "a rematch comes after a game")
            await assert_refused(room, lobby.swap(room, winner, 3, "coin"), "the winner replaces nothing")
            await assert_refused(room, lobby.arrange(room, "A", {"boxes": "coin"}), "those who lost change the deck")
            await lobby.swap(room, first, 3, "coin")
            await assert_refused(room, lobby.swap(room, second, 3, "bullet"), "somebody else already replaces number 3")
            await lobby.swap(room, second, 13, "bullet")
            assert room.arrangement.deck_code == "dddcdddddddddb"
            await lobby.swap(room, first, 0, "bullet")  # It replaces the first swap, as each loser has one.
            assert room.arrangement.deck_code == "bddddddddddddb"
            await lobby.swap(room, second, None, None)
            assert room.arrangement.deck_code == "bddddddddddddd"
            for number, box in [(14, "coin"), (-1, "coin"), (True, "coin"), ("3", "coin"), (3, "onyx"), (3, None)]:
                await assert_refused(room, lobby.swap(room, second, number, box), "replace a number from 0 to 13")
            assert room_state(restore_room(room)) == room_state(room)
            await lobby.start(room)
            assert (room.game_count, room.game.cast.code) == (2, "bddddddddddddd")
            await play_randomly(room, Random(8), 30)
            assert room_state(restore_room(room)) == room_state(room)

    run(main())


def test_a_player_is_renamed_in_the_middle_of_a_game(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await start_game(registry)
            choices = [room.choice_number(seat) for seat in "AB"]
            view_of(room, "B")
            await lobby.arrange(room, "A", {"name": "  Zoë \n Quick "})
            assert [room.choice_number(seat) for seat in "AB"] == choices
            await play_move(room, "A", "peek A1 A2")
            assert view_of(room, "B").names == ("Zoë Quick", "Bramble")
            [_, entry] = session_of(room).memory_of("B").log_lines(2)
            assert entry.text(view_of(room, "B").residents) == "Zoë Quick looked at spots 1 and 2."
            await lobby.arrange(room, "B", {"name": "zoë quick"})
            assert view_of(room, "A").names == ("Zoë Quick", "zoë quick 2")
            assert room_state(restore_room(room)) == room_state(room)
            for invalid_name in ("", " ", None, 3, "a\u202eb", "\x00"):
                await assert_refused(room, lobby.arrange(room, "A", {"name": invalid_name}), "name")
            await assert_refused(room, lobby.arrange(room, SPECTATOR, {"name": "Eve"}), "onlookers only watch")
            await assert_refused(room, lobby.arrange(room, "A", {"seconds": 30}), "the game has begun")

    run(main())


@pytest.mark.parametrize(
    ("change", "reason"),
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
def test_invalid_arrangements_are_refused(database_url: str, change: dict[str, Any], reason: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, new_arrangement())
            await assert_refused(room, lobby.arrange(room, "A", change), reason)
            await assert_refused(room, lobby.arrange(room, "B", {"seats": 3}), "only the host may change the table")

    run(main())


def test_the_host_arranges_the_table(database_url: str) -> None:
    async def main() -> None:
        async with load_registry(database_url) as registry:
            room = await create_room(registry, new_arrangement("Ann"))
            await lobby.arrange(
                room, "A", {"boxes": "coin", "token": "bullet", "seats": 4, "memory": True, "seconds": 30}
            )
            await lobby.arrange(room, "A", {"seat": "C", "bot": "novice"})
            await lobby.arrange(room, "A", {"seats": 3, "listed": True})
            await lobby.arrange(room, "A", {"number": 8, "box": "bullet"})
            assert room.arrangement == Arrangement(
                (SeatConfig("Ann", "", True), SeatConfig("Bramble", "", True), SeatConfig("Cinder", "novice")),
                "ccccccccbccccc", "bullet", memory=True, turn_seconds=30, listed=True,
            )  # fmt: skip
            await lobby.start(room)
            await assert_refused(room, lobby.start(room), "the game has begun already")
            assert room_state(restore_room(room)) == room_state(room)
            assert view_of(room, "A").token == "bullet"

    run(main())
