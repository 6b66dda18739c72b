"""A table on the server: what it refuses, what it writes down, who fills in, and that the log has all of it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from argentum import bots, records
from argentum.bots.steady import SteadyBot
from argentum.display.errors import Refused, Stale
from argentum.display.session import WATCH, Sitting
from argentum.display.updates import update_json
from argentum.rooms import room as play_module
from argentum.rooms import room as room_module
from argentum.rooms.access import derived, digest, role_of, seat_link
from argentum.rooms.arrangement import Arrangement, Place, first_arrangement
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.clock import Pace
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Conflict, Entry
from argentum.rooms.log.sql import Log
from argentum.rooms.post_game import record_of
from argentum.rooms.registry import Hall
from argentum.rooms.room import CHANGES, Room
from argentum.rules.engine import random_move
from argentum.rules.move import Move
from argentum.rules.notation import SEATS
from argentum.rules.views import View

PATIENCE = 60.0  # seconds until a test gives up waiting
AT_ONCE = Pace(bot_pause=0.0, grace=60.0, first_look=0.0, fade=60.0)


@dataclass(eq=False)
class Sitter:
    """A reader that notes when something changed."""

    role: str
    touched: asyncio.Event = field(default_factory=asyncio.Event)

    def touch(self) -> None:
        self.touched.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so; look again whenever the table has changed."""
        while not holds():
            self.touched.clear()
            await asyncio.wait_for(self.touched.wait(), PATIENCE)


class FailingLog(Log):
    """A log whose disk is full, while `broken`."""

    broken = False
    failed: asyncio.Event

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            self.failed.set()
            raise LogError("the disk is full")
        await super().append(table, seq, kind, body)

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        if self.broken:
            self.failed.set()
            raise LogError("the disk is full")
        await super().replace(table, seq, kind, body)


def run(main: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 4 * PATIENCE))


@asynccontextmanager
async def hall_on(url: str, pace: Pace = AT_ONCE) -> AsyncIterator[Hall]:
    """A hall with what the log has."""
    log = FailingLog.open(url)
    log.failed = asyncio.Event()
    hall = Hall(log, pace)
    hall.restore()
    try:
        yield hall
    finally:
        await hall.close()
        await log.close()


async def set_table(hall: Hall, arrangement: Arrangement) -> Room:
    """A table whose people have all sat down, though they do not look."""
    places = tuple([replace(place, claimed=not place.bot) for place in arrangement.places])
    room, _ = await hall.set_table(replace(arrangement, places=places))
    return room


async def begun(hall: Hall, code: str = "dagger", people: int = 2, **more: Any) -> Room:
    """A game of people that has just begun."""
    room = await set_table(hall, replace(first_arrangement("Ann", code, people - 1), **more))
    await room.start("A")
    return room


def state(room: Room) -> list[Any]:
    """All of a table that must outlive the server: if two are equal, nobody can tell them apart."""
    form: list[Any] = [room.play.seq, room.play.games, room.stage, room.doors.digests, room.arrangement]
    if room.play.sitting is not None:
        form += [(question.legal, question.number) for question in room.play.sitting.questions.values()]
    if room.game is not None:
        form += [room.game.history(), room.game.scores, room.game.winner, room.game.names]
        for role in [*SEATS[: room.game.players], None]:
            form += [room.game.view(role), room.game.events(role)]
    return form


def sitting(room: Room) -> Sitting:
    """The game on the table."""
    assert room.sitting is not None
    return room.sitting


def view(room: Room, role: str) -> View:
    """What a role is shown."""
    return sitting(room).view(role)


def written(room: Room) -> list[Entry]:
    return room.play.log.entries(room.name)


def restored(room: Room) -> Room:
    return Room.restored(room.name, written(room), room.play.log, room.clock.pace)


def restored_without_seed(room: Room) -> Room:
    """From the deals and shuffles that were written down alone: another seed would make others."""
    entries = written(room)
    for entry in entries:
        if entry.kind == "start":
            entry.body["seed"] += 1
    return Room.restored(room.name, entries, room.play.log, room.clock.pace)


def asked(room: Room) -> list[str]:
    """The seats that are asked something now."""
    return [letter for letter in SEATS if room.choice(letter) is not None]


def a_move(room: Room, seat: str, random: Random) -> str:
    """A legal move, as a person writes it."""
    legal = [str(move) for move in view(room, seat).legal]
    move = random.choice(legal)
    if "use" in legal and random.random() < 0.5:
        return "use"  # so that abilities are seen
    if move.startswith("peek"):
        return "peek " + " ".join([one.split()[1] for one in random.sample(legal, 2)])
    swaps = [one.split()[1] for one in legal if one.startswith("exchange")]
    if move.startswith("exchange") and len(swaps) > 1 and random.random() < 0.2:
        return "exchange " + " ".join(random.sample(swaps, 2))
    return move


async def play(room: Room, seat: str, move: str) -> None:
    await room.move(seat, room.choice(seat), move)


async def play_on(room: Room, random: Random, most: int = 10_000) -> None:
    """Let everybody play at random."""
    while room.playing and most:
        seat = random.choice(asked(room))
        await play(room, seat, a_move(room, seat, random))
        most -= 1


async def refused(room: Room, act: Coroutine[None, None, None], words: str, error: type[Refused] = Refused) -> None:
    """It is refused with these words, and nothing changes, on the table or in the log."""
    before, entries = state(room), written(room)
    with pytest.raises(error, match=words):
        await act
    assert state(room) == before
    assert written(room) == entries


# Choices.


def test_a_choice_is_answered_once(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            choice = room.choice("A")
            await room.move("A", choice, "peek A1 A2")
            await refused(room, room.move("A", choice, "peek A1 A2"), "not what you are asked", Stale)
            await play(room, "B", "peek B1 B2")
            [seat] = asked(room)
            choice = room.choice(seat)
            answers = [room.move(seat, choice, "draw") for _ in range(8)]
            outcomes = await asyncio.gather(*answers, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [type(None)] + [Stale] * 7
            assert [entry.body["steps"] for entry in written(room)[-1:]] == [["draw"]]
            assert state(restored(room)) == state(room)

    run(main())


def test_first_looks_do_not_make_each_other_stale(database_url: str) -> None:
    """G4: nobody waits for another."""

    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall, people=4)
            choices = {seat: room.choice(seat) for seat in "ABCD"}
            looks = [room.move(seat, choices[seat], f"peek {seat}2 {seat}4") for seat in "DBAC"]
            await asyncio.gather(*looks)
            assert room.game is not None
            assert not room.game.looking
            for seat in "ABCD":
                assert [card.known_by for card in view(room, seat).villages[seat]] == ["", seat, "", seat, ""]
                assert [card.number is None for card in view(room, seat).villages[seat]] == [True, False] * 2 + [True]

    run(main())


@pytest.mark.parametrize(
    ("role", "move", "words"),
    [
        (WATCH, "peek A1 A2", "onlookers only watch"),
        ("C", "peek A1 A2", "no seat 'C'"),
        ("A", "draw", "'draw' is not legal now; seat A may play: peek A1"),
        ("A", "peek B1 B2", "is not legal now"),
        ("A", "peek A1 A1", "is not legal now"),
        ("A", "steal B1", "is not a move"),
        ("A", "", "is not a move"),
        ("A", None, "a move has a text"),
        ("A", ["peek A1", "and A2"], "a move has a text"),
    ],
)
def test_what_is_no_move_is_refused_in_words(database_url: str, role: str, move: Any, words: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            await refused(room, room.move(role, room.choice("A"), move), words)
            await play(room, "A", "peek A1 A2")

    run(main())


@pytest.mark.parametrize("choice", [None, True, "2", 2.0, -1, 1, 3, 10**30])
def test_another_number_than_that_of_the_choice_is_refused(database_url: str, choice: Any) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            assert room.choice("A") == 2
            await refused(room, room.move("A", choice, "peek A1 A2"), "choice|not what you are asked")

    run(main())


def test_out_of_turn_is_refused(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            for seat in "AB":
                await play(room, seat, f"peek {seat}1 {seat}2")
            [seat] = asked(room)
            other = "AB".replace(seat, "")
            assert room.choice(other) is None
            number = sitting(room).questions[other].number
            await refused(room, room.move(other, number, "draw"), f"it is not seat {other}'s turn")
            await refused(room, room.move(other, room.choice(seat), "draw"), "not what you are asked|not seat")

    run(main())


def test_without_a_game_there_is_no_move(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await set_table(hall, first_arrangement())
            await refused(room, room.move("A", 1, "draw"), "no game is going on")
            await room.start("A")
            await play_on(room, Random(1))
            number = sitting(room).questions["A"].number
            await refused(room, room.move("A", number, "draw"), "no game is going on")

    run(main())


# The log.


def test_what_cannot_be_written_is_not_done(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            assert isinstance(hall.log, FailingLog)
            room = await begun(hall)
            before = state(room)
            hall.log.broken = True
            acts = [play(room, "A", "peek A1 A2"), room.arrange("A", {"name": "Zoe"})]
            for act in acts:
                with pytest.raises(LogError):
                    await act
            with pytest.raises(LogError):
                await hall.set_table(first_arrangement())
            assert state(room) == before
            assert list(hall.rooms) == [room.name]
            hall.log.broken = False
            await play(room, "A", "peek A1 A2")
            assert state(restored(room)) == state(room)

    run(main())


def test_a_bot_waits_for_the_log(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            assert isinstance(hall.log, FailingLog)
            room = await set_table(hall, first_arrangement("Ann", "dagger", 1, "novice"))
            await room.start("A")
            before = state(room)
            hall.log.broken = True
            onlooker = Sitter(WATCH)
            await room.enter(onlooker)
            await asyncio.wait_for(hall.log.failed.wait(), PATIENCE)
            assert state(room) == before
            hall.log.broken = False
            room.saw("A", 0)  # whatever happens at the table, it tries again
            await onlooker.until(lambda: room.choice("B") is None)
            assert written(room)[-1].body["bot"] == "novice"

    run(main())
    assert "the disk is full" in caplog.text


# From the log, the same table.


class Notebook(Log):
    """A log without a disk, for games that are restored at every step."""

    def __init__(self) -> None:
        self.lines: dict[str, list[tuple[str, str]]] = {}

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        lines = self.lines.setdefault(table, [])
        if seq != len(lines):
            raise Conflict(table)
        lines.append((kind, json.dumps(body)))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        await self.append(table, seq, kind, body)

    def entries(self, table: str) -> list[Entry]:
        return [Entry(seq, kind, json.loads(body), 0.0) for seq, (kind, body) in enumerate(self.lines[table])]


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """What is random about the games of a table follows from a seed."""

    def sow(seed: int) -> None:
        random = Random(seed)
        monkeypatch.setattr(play_module, "secrets", SimpleNamespace(token_bytes=random.randbytes))

    return sow


@pytest.mark.parametrize(("code", "people"), [("dagger", 4), ("dcbdcbdcbdcbdc", 2), ("bcdbcdbcbdcbdb", 3)])
def test_a_restored_table_is_the_same_all_through_a_game(code: str, people: int, seeds: Callable[[int], None]) -> None:
    seeds(people)

    async def main() -> None:
        log = Notebook()
        room = await begun(Hall(log, AT_ONCE), code, people)
        random = Random(code)
        rounds, seen = 0, 0
        while room.playing and room.game is not None:
            await play_on(room, random, 1)
            special = room.game.rounds_over > rounds or "shuffles" in log.lines[room.name][-1][1]
            if special or seen < 6 or random.random() < 0.02:
                again = restored(room)
                assert state(again) == state(room)
                assert state(restored_without_seed(room)) == state(room)
                room = random.choice([again, room])  # and either goes on
                seen += 1
            rounds = room.game.rounds_over if room.game is not None else 0
        assert room.game is not None
        assert rounds == 4
        assert records.write(records.read(records.write(room.game))) == records.write(room.game)
        if room.arrangement.code[8] == "b":  # The Thing
            assert any("shuffles" in entry.body for entry in written(room)), "no Thing was used; take another seed"

    run(main())


def test_a_restart_changes_nothing(database_url: str, seeds: Callable[[int], None]) -> None:
    seeds(3)

    async def main() -> None:
        random = Random(3)
        async with hall_on(database_url) as hall:
            room = await begun(hall, "bcdbcdbcbdcbdb", 3, memory=True, seconds=60, listed=True)
        before = state(room)
        for _ in range(12):
            async with hall_on(database_url) as hall:
                [room] = hall.rooms.values()
                assert state(room) == before
                assert [seat.stand_in for seat in room.seats()] == ["", "", ""], "they have a minute to come back"
                await play_on(room, random, 4)
                before = state(room)

    run(main())


@pytest.mark.parametrize("turns", range(3))
def test_a_table_is_closed_even_if_it_has_just_been_stirred(turns: int) -> None:
    async def main() -> None:
        room = await begun(Hall(Notebook(), AT_ONCE))
        await room.enter(Sitter("A"))
        await play(room, "A", "peek A1 A2")
        for _ in range(turns):
            await asyncio.sleep(0)
        room.return_to("A")
        await asyncio.wait_for(room.close(), PATIENCE)
        assert room.pulse.task is not None
        assert room.pulse.task.cancelled()

    run(main())


# Two servers on one database, and writers who do not wait.


def test_whoever_writes_second_takes_on_what_the_first_wrote(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as first:
            mine = await begun(first)
            async with hall_on(database_url) as second:
                theirs = second.rooms[mine.name]
                sitter = Sitter("B")
                await theirs.enter(sitter)
                sitter.touched.clear()
                await play(mine, "A", "peek A1 A2")
                with pytest.raises(Stale, match="changed in the meantime"):
                    await play(theirs, "B", "peek B1 B2")
                assert sitter.touched.is_set()
                assert state(theirs) == state(mine)
                await play(theirs, "B", "peek B1 B2")
                assert theirs.seats()[1].here
                with pytest.raises(Stale):
                    await mine.arrange("A", {"name": "Zoe"})
                assert state(theirs) == state(mine) == state(restored(mine))
                random = Random(1)
                for _ in range(20):
                    here = random.choice([mine, theirs])
                    with contextlib.suppress(Stale):
                        await play_on(here, random, 2)
                assert [entry.seq for entry in written(mine)] == list(range(len(written(mine))))
                longest = max(mine, theirs, key=lambda room: room.play.seq)
                assert state(restored(mine)) == state(longest)

    run(main())


def test_who_leaves_while_a_move_is_written_harms_nobody(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            move = asyncio.create_task(play(room, "A", "peek A1 A2"))
            while not room.lock.locked():
                await asyncio.sleep(0)
            move.cancel()
            with pytest.raises(asyncio.CancelledError):
                await move
            with contextlib.suppress(Stale):  # the log may have it, and the table finds out now
                await play(room, "B", "peek B1 B2")
            assert state(room) == state(restored(room))
            for seat in asked(room):
                if room.game is not None and room.game.looking:
                    await play(room, seat, f"peek {seat}1 {seat}2")
            assert state(room) == state(restored(room))

    run(main())


# Before and after a game.


async def over(hall: Hall, people: int = 3) -> Room:
    """A game that is over."""
    room = await begun(hall, "dagger", people)
    await play_on(room, Random(7))
    return room


def test_losers_replace_a_number_each_before_a_rematch(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await over(hall)
            assert room.game is not None
            winner = room.game.winner
            first, second = [seat for seat in "ABC" if seat != winner]
            await refused(room, room.swap(first, 3, "coin"), "before a rematch")
            await refused(room, room.rematch(WATCH), "onlookers only watch")
            await room.rematch(winner)
            assert room.stage == "gathering"
            await refused(room, room.rematch(first), "a rematch comes after a game")
            await refused(room, room.swap(winner, 3, "coin"), "the winner replaces nothing")
            await refused(room, room.arrange("A", {"boxes": "coin"}), "those who lost change the deck")
            await room.swap(first, 3, "coin")
            await refused(room, room.swap(second, 3, "bullet"), "somebody else already replaces number 3")
            await room.swap(second, 13, "bullet")
            assert room.arrangement.code == "dddcdddddddddb"
            await room.swap(first, 0, "bullet")  # one each: the new one instead of the old
            assert room.arrangement.code == "bddddddddddddb"
            await room.swap(second, None, None)
            assert room.arrangement.code == "bddddddddddddd"
            for number, box in [(14, "coin"), (-1, "coin"), (True, "coin"), ("3", "coin"), (3, "onyx"), (3, None)]:
                await refused(room, room.swap(second, number, box), "replace a number from 0 to 13")
            assert state(restored(room)) == state(room)
            await room.start("A")
            assert (room.play.games, room.game.cast.code) == (2, "bddddddddddddd")
            await play_on(room, Random(8), 30)
            assert state(restored(room)) == state(room)

    run(main())


def test_somebody_is_renamed_in_the_middle_of_a_game(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            choices = [room.choice(seat) for seat in "AB"]
            view(room, "B")
            await room.arrange("A", {"name": "  Zoë \n Quick "})
            assert [room.choice(seat) for seat in "AB"] == choices
            await play(room, "A", "peek A1 A2")
            assert view(room, "B").names == ("Zoë Quick", "Bramble")
            [_, entry] = sitting(room).recall("B").entries(2)
            assert entry.text(view(room, "B").residents) == "Zoë Quick looked at spots 1 and 2."
            await room.arrange("B", {"name": "zoë quick"})
            assert view(room, "A").names == ("Zoë Quick", "zoë quick 2")
            assert state(restored(room)) == state(room)
            for bad in ("", " ", None, 3, "a\u202eb", "\x00"):
                await refused(room, room.arrange("A", {"name": bad}), "name")
            await refused(room, room.arrange(WATCH, {"name": "Eve"}), "onlookers only watch")
            await refused(room, room.arrange("A", {"seconds": 30}), "the game has begun")

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
        async with hall_on(database_url) as hall:
            room = await set_table(hall, first_arrangement())
            await refused(room, room.arrange("A", change), words)
            await refused(room, room.arrange("B", {"seats": 3}), "only the host may change the table")
            await refused(room, room.start("B"), "only the host may start the game")

    run(main())


def test_the_host_arranges_the_table(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await set_table(hall, first_arrangement("Ann"))
            await room.arrange("A", {"boxes": "coin", "token": "bullet", "seats": 4, "memory": True, "seconds": 30})
            await room.arrange("A", {"seat": "C", "bot": "novice"})
            await room.arrange("A", {"seats": 3, "listed": True})
            await room.arrange("A", {"number": 8, "box": "bullet"})
            assert room.arrangement == Arrangement(
                (Place("Ann", "", True), Place("Bramble", "", True), Place("Cinder", "novice")),
                "ccccccccbccccc", "bullet", memory=True, seconds=30, listed=True,
            )  # fmt: skip
            await room.start("A")
            await refused(room, room.start("A"), "the game has begun already")
            assert state(restored(room)) == state(room)
            assert view(room, "A").token == "bullet"

    run(main())


# Links.


def test_a_seat_is_claimed_by_whoever_comes_by_its_link(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, host = await hall.set_table(first_arrangement("Ann", "dagger", 2))
            assert [role_of(derived(host, role), room.doors.digests) for role in ("B", "C", WATCH)] == ["B", "C", WATCH]
            assert role_of(host, room.doors.digests) == "A"
            assert role_of(derived(host, "D"), room.doors.digests) == "D"
            assert role_of("", room.doors.digests) == role_of(host[:-1], room.doors.digests) == ""
            await room.enter(Sitter(WATCH))
            assert [place.claimed for place in room.arrangement.places] == [True, False, False]
            await room.enter(Sitter("C"))
            assert [place.claimed for place in room.arrangement.places] == [True, False, True]
            assert [seat.here for seat in room.seats()] == [False, False, True]
            assert restored(room).arrangement == room.arrangement
            assert host not in str(written(room))

    run(main())


def test_a_listed_table_is_joined_and_the_old_link_is_void(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, host = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            with pytest.raises(Refused, match="no open table"):
                await hall.join(room.name, "Zoe")
            await room.arrange("A", {"listed": True})
            await room.enter(Sitter("A"))
            assert [table["name"] for table in hall.listed()] == [room.name]
            key = await hall.join(room.name, "Zoe")
            assert room.doors.digests["B"] == digest(key)
            assert role_of(derived(host, "B"), room.doors.digests) == ""
            assert room.arrangement.places[1].name == "Zoe"
            await room.enter(Sitter("B"))
            assert hall.listed() == []
            with pytest.raises(Refused, match="every seat of that table is taken"):
                await hall.join(room.name, "Zoe")
            assert state(restored(room)) == state(room)

    run(main())


# Who fills in.


def test_an_open_seat_is_kept_by_a_bot_until_somebody_comes(database_url: str, seeds: Callable[[int], None]) -> None:
    seeds(1)

    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.start("A")
            ann = Sitter("A")
            await room.enter(ann)
            await ann.until(lambda: room.choice("B") is None)
            assert room.seats()[1].stand_in == STAND_IN
            await room.enter(Sitter("B"))
            assert room.seats()[1].stand_in == ""
            await play(room, "A", "peek A1 A2")
            if asked(room) != ["B"]:
                await play(room, "A", "draw")
                await play(room, "A", "exchange A1")
            await ann.until(lambda: asked(room) == ["B"])
            seq = room.play.seq
            room.saw("A", 0)
            await play(room, "B", "draw")
            assert [entry.body.get("bot") for entry in written(room)[seq:]] == [None]

    run(main())


def test_whoever_is_late_has_a_bot_sit_in_and_takes_the_seat_back(
    database_url: str, seeds: Callable[[int], None]
) -> None:
    seeds(1)

    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, bot_pause=3600.0)) as hall:
            room = await begun(hall)
            ann, bo = Sitter("A"), Sitter("B")
            await room.enter(ann)
            await room.enter(bo)
            await play(room, "A", "peek A1 A2")
            await play(room, "B", "peek B1 B2")
            [seat] = asked(room)
            hand = room.clock.seats[SEATS.index(seat)]

            async def run_out() -> None:
                room.arrangement = replace(room.arrangement, seconds=60)
                hand.deadline = 0.0
                room.saw(seat, 0)
                await ann.until(lambda: {one.letter for one in room.seats() if one.stand_in == STAND_IN} == {seat})

            await run_out()
            room.return_to(seat)
            assert not any(one.stand_in for one in room.seats())
            assert hand.deadline > 0.0
            await run_out()
            await play(room, seat, "draw")
            await room.beat()
            assert not any(one.stand_in for one in room.seats()), "there is time again"
            await run_out()
            await room.enter(Sitter(seat))
            assert not any(one.stand_in for one in room.seats())

    run(main())


def test_whoever_is_gone_too_long_has_a_bot_sit_in_until_they_return(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            ann, bo = Sitter("A"), Sitter("B")
            await room.enter(ann)
            await room.enter(bo)
            await play(room, "A", "peek A1 A2")
            room.leave(bo)
            assert room.seats()[1].stand_in == "", "there is some time to come back"
            room.clock.pace = replace(AT_ONCE, grace=0.0)
            room.stir()
            await ann.until(lambda: room.choice("B") is None or not room.playing)
            assert written(room)[-1].body["bot"] == STAND_IN
            assert [(seat.here, seat.stand_in) for seat in room.seats()] == [(True, ""), (False, STAND_IN)]
            await room.enter(Sitter("B"))
            assert [(seat.here, seat.stand_in) for seat in room.seats()] == [(True, ""), (True, "")]

    run(main())


def test_two_connections_of_a_seat_are_one_person(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, grace=0.0)) as hall:
            room = await begun(hall)
            phone, laptop = Sitter("A"), Sitter("A")
            await room.enter(phone)
            await room.enter(laptop)
            room.leave(phone)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (True, "")
            room.leave(laptop)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (False, STAND_IN)

    run(main())


def test_a_table_at_which_nobody_is_sleeps(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, grace=0.0)) as hall:
            room = await set_table(hall, first_arrangement("Ann", "dagger", 1, "novice"))
            await room.start("A")
            assert room.pulse.task is not None
            await asyncio.wait_for(room.pulse.task, PATIENCE)
            assert room.play.seq == 2, "no bot has played"
            onlooker = Sitter(WATCH)
            await room.enter(onlooker)
            await onlooker.until(lambda: room.play.seq > 6)
            room.leave(onlooker)
            await asyncio.wait_for(room.pulse.task, PATIENCE)
            seq = room.play.seq
            room.saw("A", 0)
            await asyncio.wait_for(room.pulse.task, PATIENCE)
            assert room.play.seq == seq == len(written(room))

    run(main())


def test_bots_play_a_whole_game_for_an_onlooker(seeds: Callable[[int], None]) -> None:
    seeds(5)

    async def main() -> None:
        arrangement = first_arrangement("Ann", "dcbdcbdcbdcbdc", 3, "novice")
        room, _ = await Hall(Notebook(), replace(AT_ONCE, grace=0.0)).set_table(arrangement)
        await room.start("A")
        onlooker = Sitter(WATCH)
        await room.enter(onlooker)
        await onlooker.until(lambda: room.stage == "over")
        moves = [entry.body for entry in written(room) if entry.kind == "move"]
        assert {(move["seat"], move["bot"]) for move in moves} == {
            ("A", STAND_IN), ("B", "novice"), ("C", "novice"), ("D", "novice"),
        }  # fmt: skip
        assert state(restored(room)) == state(room)
        await room.close()

    run(main())


@pytest.mark.parametrize("bad", ["fails", "cheats"])
def test_a_bot_that_goes_wrong_does_not_stop_the_table(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Bad:
        name = "novice"

        def choose(self, view: View) -> Move:
            if bad == "fails":
                raise RuntimeError("a bot's own mistake")
            return Move.of("B7")

    monkeypatch.setattr(bots, "make", lambda name, seed: Bad())

    async def main() -> None:
        room, _ = await Hall(Notebook(), AT_ONCE).set_table(first_arrangement("Ann", "dagger", 1, "novice"))
        await room.start("A")
        ann = Sitter("A")
        await room.enter(ann)
        await play(room, "A", "peek A1 A2")
        await ann.until(lambda: asked(room) == ["A"])
        assert "B" in [entry.body.get("seat") for entry in written(room)]
        await room.close()

    run(main())


# Memory.


def own(room: Room, seat: str) -> list[int | None]:
    return [card.number for card in view(room, seat).villages[seat]]


def test_with_memory_what_was_looked_at_fades(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, fade=0.5)) as hall:
            room = await begun(hall, memory=True)
            ann = Sitter("A")
            await room.enter(ann)
            assert own(room, "A") == [None] * 5
            await play(room, "A", "peek A1 A3")
            assert [number is None for number in own(room, "A")] == [False, True, False, True, True]
            assert own(room, "B") == [None] * 5
            await ann.until(lambda: own(room, "A") == [None] * 5)
            assert [card.known_by for card in view(room, "A").villages["A"]] == ["A", "", "A", "", ""]
            with pytest.raises(Refused, match="remember"):
                record_of(room, "A")
            again = told(room, "A", None)
            assert [event.get("number") for event in again] == [None] * len(again), "who comes back is not told again"

    run(main())


@pytest.mark.parametrize("act", ["rename", "restart"])
def test_nothing_brings_back_what_has_faded(database_url: str, act: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, fade=0.2)) as hall:
            room = await begun(hall, memory=True)
            ann = Sitter("A")
            await room.enter(ann)
            view(room, "A")
            await play(room, "A", "peek A1 A3")
            await ann.until(lambda: own(room, "A") == [None] * 5)
            if act == "rename":
                await room.arrange("B", {"name": "Zoe"})
            else:
                room = restored(room)
            assert own(room, "A") == [None] * 5

    run(main())


def test_a_rename_takes_nothing_from_sight(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall, memory=True)
            view(room, "A")
            await play(room, "A", "peek A1 A3")
            seen = own(room, "A")
            await room.arrange("B", {"name": "Zoe"})
            assert own(room, "A") == seen != [None] * 5

    run(main())


def test_open_notes_keep_what_was_looked_at(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, fade=0.0)) as hall:
            room = await begun(hall)
            await play(room, "A", "peek A1 A3")
            assert [number is None for number in own(room, "A")] == [False, True, False, True, True]
            numbers = [event.get("number") for event in told(room, "A", None) if event["kind"] == "looked"]
            assert numbers == [own(room, "A")[0], own(room, "A")[2]]
            assert [event for event in told(room, WATCH, None) if "number" in event] == []

    run(main())


def told(room: Room, role: str, since: int | None) -> list[dict[str, Any]]:
    """The events of an update."""
    text, _ = update_json(role, room.told(), room.sitting, since)
    events: list[dict[str, Any]] = json.loads(text)["events"]
    return events


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


def test_of_arrangements_in_a_row_the_log_keeps_the_last(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            for nth in range(20):
                await room.arrange("B", {"name": f"Bo {nth}"})
            await room.arrange("A", {"memory": True})
            assert [entry.kind for entry in written(room)] == ["table", "arrange"]
            assert state(restored(room)) == state(room)
            await room.start("A")
            await room.arrange("B", {"name": "Bert"})
            await room.arrange("B", {"name": "Bertha"})
            assert [entry.kind for entry in written(room)] == ["table", "arrange", "start", "arrange"]
            again = restored(room)
            assert state(again) == state(room)
            await again.arrange("B", {"name": "Bea"})
            assert [entry.kind for entry in written(room)] == ["table", "arrange", "start", "arrange"]
            with pytest.raises(Stale):
                await room.arrange("B", {"name": "Bob"})
            assert state(room) == state(again), "it goes on from what the other server wrote"
            await again.close()

    run(main())


def test_an_arrangement_keeps_the_keys_of_those_it_replaces(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 2))
            await room.take_seat("Bo's key", "Bo")
            await room.take_seat("Cem's key", "Cem")
            await room.arrange("A", {"memory": True})
            assert len(written(room)) == 2
            assert [restored(room).doors.role_of(key) for key in ("Bo's key", "Cem's key")] == ["B", "C"]

    run(main())


def test_an_arrangement_that_changes_nothing_is_not_written(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.arrange("A", {"name": "Ann"})
            assert [entry.kind for entry in written(room)] == ["table"]

    run(main())


def test_one_seat_changes_the_arrangement_only_so_often(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            answers = [room.arrange("B", {"name": f"Bo {nth % 7}"}) for nth in range(5 * CHANGES)]
            gathered = await asyncio.gather(*answers, return_exceptions=True)
            too_fast = [error for error in gathered if isinstance(error, Refused) and "too many" in str(error)]
            assert len(too_fast) >= 3 * CHANGES
            await room.arrange("A", {"name": "Anna"})  # others are not kept from it

    run(main())


def test_a_table_that_is_full_begins_no_other_game_but_ends_the_one_that_goes_on(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await begun(hall)
            monkeypatch.setattr(room_module, "MOST_ENTRIES", room.play.seq)
            await refused(room, room.arrange("A", {"name": "Anna"}), "set a new one")
            await play(room, "A", "peek A1 A2")
            await play_on(room, Random(1))
            await refused(room, room.rematch("A"), "set a new one")

    run(main())


def test_a_seat_is_taken_from_somebody_by_the_hosts_key_only(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            await refused(room, room.arrange("A", {"seat": "B", "bot": "novice"}, "guess"), "the host's own link")

    run(main())


def test_a_table_that_another_server_set_is_found(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as first, hall_on(database_url) as second:
            room = await begun(first)
            await play(room, "A", "peek A1 A2")
            assert room.name not in second.rooms
            theirs, again = await asyncio.gather(second.find(room.name), second.find(room.name))
            assert theirs is again is second.rooms[room.name]
            assert theirs is not None
            assert state(theirs) == state(room)
            await play(theirs, "B", "peek B1 B2")
            assert await second.find("no-table") is None
            assert await second.find("' OR 1=1") is None

    run(main())


def test_onlookers_see_every_village_after_the_last_reveal(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url) as hall:
            room = await over(hall)
            for here in (room, restored(room)):
                cards = [card for village in view(here, WATCH).villages.values() for card in village]
                assert all(card.number is not None for card in cards)
                text, _ = update_json(WATCH, here.told(), here.sitting, None)
                told_ = [card for village in json.loads(text)["view"]["villages"].values() for card in village]
                assert [card["number"] for card in told_] == [card.number for card in cards]

    run(main())


# What is half done.


async def half_done(hall: Hall) -> tuple[Room, str, str]:
    """A table at which somebody has named the first of a Troublemaker's two cards: who, and which card."""
    random = Random(5)
    while True:
        room = await begun(hall, "a" * 6 + "d" * 8)
        while room.playing:
            [seat] = asked(room) if room.game is not None and not room.game.looking else asked(room)[:1]
            asking = view(room, seat).asking
            assert asking is not None
            move = a_move(room, seat, random)
            await play(room, seat, move)
            if asking.step == "card" and room.game is not None and asked(room) == [seat]:
                now = view(room, seat).asking
                if now is not None and now.step == "second" and now.label == asking.label:
                    return room, seat, move


def test_a_first_pick_is_seen_after_a_reload_and_by_whoever_fills_in(
    database_url: str, seeds: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds(2)
    seen: list[View] = []

    def choose(self: SteadyBot, view: View) -> Move:
        seen.append(view)
        return chosen(self, view)

    chosen = SteadyBot.choose
    monkeypatch.setattr(SteadyBot, "choose", choose)

    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, grace=0.0)) as hall:
            room, seat, first = await half_done(hall)
            for here in (room, restored(room)):
                for role in ("A", "B", WATCH):
                    form = json.loads(update_json(role, here.told(), here.sitting, None)[0])["view"]["asking"]
                    asking = view(here, role).asking
                    assert asking is not None
                    assert (form["seat"], form["step"], form["picked"]) == (seat, "second", [first])
                    assert [str(move) for move in asking.picked] == [first]
            onlooker = Sitter(WATCH)
            await room.enter(onlooker)  # the person is gone: the stand-in goes on
            seq = room.play.seq
            await onlooker.until(lambda: room.play.seq > seq)
            asking = seen[0].asking
            assert asking is not None
            assert (asking.seat, asking.step, [str(move) for move in asking.picked]) == (seat, "second", [first])
            [entry] = written(room)[seq : seq + 1]
            assert (entry.body["seat"], entry.body["bot"]) == (seat, STAND_IN)
            assert entry.body["steps"] != [first]

    run(main())


def test_the_first_turn_has_a_clock_of_its_own(database_url: str) -> None:
    async def main() -> None:
        async with hall_on(database_url, replace(AT_ONCE, first_look=900.0)) as hall:
            room = await begun(hall, seconds=30)
            await play(room, "A", "peek A1 A2")
            assert (room.time_left() or 0) > 800
            await play(room, "B", "peek B1 B2")
            assert 0 < (room.time_left() or 0) <= 30

    run(main())


def test_with_memory_the_own_deck_and_the_reveal_stay_open(database_url: str) -> None:
    """D10: a private deck may be looked at at any time. G15: a 0 acts when all villages are open."""
    kept, acted = 0, 0

    async def main() -> None:
        nonlocal kept, acted
        async with hall_on(database_url, replace(AT_ONCE, fade=0.0)) as hall:
            random = Random(1)
            while not (kept and acted):
                room = await begun(hall, "c" + "d" * 13, 2, memory=True)
                while room.game is not None and not room.game.over:
                    seat = room.game.to_move
                    room.game.play(random_move(room.game.choices(), random))
                    sitting(room).moment += 1
                    for one in "AB":
                        private = view(room, one).private[one]
                        kept += len(private)
                        assert all(card.number is not None for card in private)
                    if room.game.to_move and sitting(room).recall(room.game.to_move).telling.revealed:
                        acted += 1
                        cards = [card for village in view(room, seat).villages.values() for card in village]
                        assert all(card.number is not None for card in cards)

    run(main())


def test_a_bot_that_fails_is_replaced(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, view: object) -> None:
        raise RuntimeError("no idea")

    async def main() -> None:
        async with hall_on(database_url) as hall:
            room, _ = await hall.set_table(first_arrangement("Ann", "dagger", 1, "random"))
            monkeypatch.setattr("argentum.bots.random.RandomBot.choose", broken)
            await room.start("A")
            ann = Sitter("A")
            await room.enter(ann)
            await ann.until(lambda: room.game is not None and not room.game.choices_of(1))

    run(main())
