"""A rematch waits for those who lost, and a seat in which a bot filled in is marked at the end."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum.tableside.arrangement import Arrangement, Place, Rematch, first_arrangement
from argentum.tableside.refusals import Refused
from argentum.tableside.reveal import result_of
from argentum.tableside.scene import Seat
from argentum.web import rematching
from argentum.web.clock import Pace
from argentum.web.hall import Hall
from argentum.web.listeners import Browser
from argentum.web.lobby import lobby_of
from argentum.web.log import Log
from argentum.web.painter import Over, Painter
from argentum.web.people import Companion
from argentum.web.room import Room

SEATS = [Seat("A", "Ann", "", True, ""), Seat("B", "Bo", "", True, ""), Seat("C", "Cy", "", True, "")]


def waits_for(time: rematching.SwapTime, again: Rematch, host: str = "A") -> list[str]:
    return [seat.name for seat in time.undecided(SEATS, again, {host})]


def test_a_rematch_waits_for_people_who_lost_until_they_have_chosen() -> None:
    time, again = rematching.SwapTime(), Rematch("d" * 14, "C")
    assert waits_for(time, again) == [], "there is no rematch yet, or the server was restarted"
    time.begin()
    assert waits_for(time, again) == ["Bo"], "not for the winner, nor for the host, who starts"
    assert waits_for(time, again, "B") == ["Ann"], "where hosting was handed over"
    with pytest.raises(Refused, match="Bo may still replace a number, for 30 s at most"):
        time.check(SEATS, again, {"A"})
    time.chosen("B", keeps=True)
    assert waits_for(time, again) == []
    time.chosen("B", keeps=False)
    assert waits_for(time, again) == ["Bo"]
    assert waits_for(time, Rematch("d" * 14, "C", {"B": (3, "coin")})) == []
    gone = [SEATS[0], SEATS[1]._replace(here=False), SEATS[2]._replace(bot="novice")]
    assert time.undecided(gone, Rematch("d" * 14, "A"), {"A"}) == []


def test_it_waits_for_a_short_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rematching, "WAIT", 0.0)
    time = rematching.SwapTime()
    time.begin()
    time.check(SEATS, Rematch("d" * 14, "C"), {"A"})


def test_a_seat_in_which_a_bot_filled_in_is_marked_at_the_end() -> None:
    scores = [{"A": 9, "B": 3, "C": 5}]
    rows = result_of([*SEATS[:2], SEATS[2]._replace(bot="novice")], scores, "B", "A", "BC").rows
    assert [(row.name, row.filled_in) for row in rows] == [("Bo", True), ("Cy", False), ("Ann", False)]
    page = Painter()._draw("over.html", "stage", Over("owl", "Bo wins.", rows, True, False, ""))
    assert page.count("a bot filled in") == 1


class Page:
    """A page that shows some seats, and notes what the rematch waits for whenever it is called."""

    def __init__(self, *roles: str) -> None:
        self.role = roles[0]
        self.roles = roles
        self.calls: asyncio.Queue[None] = asyncio.Queue()

    def touch(self) -> None:
        self.calls.put_nowait(None)


def a_rematch(folder: Path, *pages: Page) -> Room:
    """A table of three at which A has won; nobody writes anything there any more."""
    log = Log.open(str(folder / "tables.db"))
    places = tuple([Place(name, "", True) for name in ("Ann", "Bo", "Cy")])
    room = Room("owl", log, {}, Arrangement(places, rematch=Rematch("d" * 14, "A")), Pace())
    asyncio.run(log.close())
    for page in pages:
        room.doors.enter(page)
        for beside in page.roles[1:]:
            room.doors.enter(Companion(beside, "a key"))
    room.swap_time.begin()
    return room


def test_those_who_share_the_hosts_device_choose_by_starting(tmp_path: Path) -> None:
    room = a_rematch(tmp_path, Page("A", "B"), Page("C"))
    assert [seat.name for seat in room.undecided()] == ["Cy"]


def test_those_who_share_another_device_are_waited_for(tmp_path: Path) -> None:
    room = a_rematch(tmp_path, Page("A"), Page("B", "C"))
    assert [seat.name for seat in room.undecided()] == ["Bo", "Cy"]
    first = lobby_of(room, "B", "a key", beside=("C",)).rematch
    assert first is not None
    assert (first.chooser, first.chooser_name, first.may_keep, first.waiting) == ("B", "Bo", True, ())
    room.swap_time.chosen("B", keeps=True)
    then = lobby_of(room, "B", "a key", beside=("C",)).rematch
    assert then is not None
    assert (then.chooser, then.chooser_name, then.may_keep) == ("C", "Cy", True), "one after another"


def test_result_replay_and_review_stay_reachable_after_a_rematch_is_opened(tmp_path: Path) -> None:
    async def evening() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        hall = Hall(log)
        room, key = await hall.set_table(first_arrangement("Ann", "dagger", 2))
        await room.take_seat("Bo's key", "Bo")
        await room.start("A")
        assert room.game is not None
        room.game.roll_out(Random(1))
        room.play.rounds_seen = [room.game.rounds_over] * 4
        await room.rematch("A")
        await room.take_seat("Cy's key", "Cy")  # a newcomer
        pages = {"A": Browser(Painter(), room), "B": Browser(Painter(), room), "C": Browser(Painter(), room)}

        def shown(seat: str) -> str:
            return " ".join(pages[seat].news(room, seat, key if seat == "A" else ""))

        for seat, page in pages.items():
            assert "review of the last game" in shown(seat)
            page.return_to_result()
            result = shown(seat)
            assert '"kind":"over"' in result
            assert ("data-review" in result) == (seat != "C"), "Cy has not played in it"
            page.replay(0)
            await page.prepare(room, seat, hall.replays, "")
            assert '"kind":"replay"' in shown(seat)
            page.replay(None)
            page.leave_result(room)
            assert '"kind":"gathering"' in shown(seat)
        room = Room.restored(room.name, log.entries(room.name), log, Pace())
        assert [room.played(seat) for seat in "ABC"] == [True, True, False]
        await hall.close()
        await log.close()

    asyncio.run(evening())


def test_every_page_is_told_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rematching, "WAIT", 0.05)
    page = Page("A")
    room = a_rematch(tmp_path, page, Page("B"), Page("C"))

    async def wait() -> None:
        room.stir()
        while room.undecided():
            await asyncio.wait_for(page.calls.get(), 60)
        assert room.time_left() is None
        assert await room.beat() is None, "once"
        await room.close()

    asyncio.run(wait())
