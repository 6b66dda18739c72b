"""A table on the server: what it refuses, what it writes down, who fills in, and that the log has all of it."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from argentum.bots.steady import SteadyBot
from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR
from argentum.display.updates import update_json
from argentum.rooms import lobby
from argentum.rooms import room as play_module
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.log.databases import LogError
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import CHANGE_BURST, Room
from argentum.rules.move import Move
from argentum.rules.views import View
from tests.support.people import three
from tests.support.room import (
    AT_ONCE,
    PATIENCE,
    FailingLog,
    Notebook,
    Sitter,
    asked,
    create_room,
    over,
    play,
    play_on,
    random_move,
    refused,
    registry_on,
    restored,
    run,
    sitting,
    started_game,
    state,
    view,
    written,
)


def test_a_visit_does_not_wait_while_a_game_goes_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with three(tmp_path) as (room, _), room.lock:  # as while a bot thinks
            await asyncio.wait_for(room.record_visit(), 60)

    asyncio.run(evening())


# Choices.


def test_a_choice_is_answered_once(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
            choice = room.choice_number("A")
            await room.play_move("A", choice, "peek A1 A2")
            await refused(room, room.play_move("A", choice, "peek A1 A2"), "not what you are asked", Stale)
            await play(room, "B", "peek B1 B2")
            [seat] = asked(room)
            choice = room.choice_number(seat)
            answers = [room.play_move(seat, choice, "draw") for _ in range(8)]
            outcomes = await asyncio.gather(*answers, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [type(None)] + [Stale] * 7
            assert [entry.body["steps"] for entry in written(room)[-1:]] == [["draw"]]
            assert state(restored(room)) == state(room)

    run(main())


def test_first_looks_do_not_make_each_other_stale(database_url: str) -> None:
    """G4: nobody waits for another."""

    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry, people=4)
            choices = {seat: room.choice_number(seat) for seat in "ABCD"}
            looks = [room.play_move(seat, choices[seat], f"peek {seat}2 {seat}4") for seat in "DBAC"]
            await asyncio.gather(*looks)
            assert room.game is not None
            assert not room.game.in_first_look
            for seat in "ABCD":
                assert [card.known_by for card in view(room, seat).villages[seat]] == ["", seat, "", seat, ""]
                assert [card.number is None for card in view(room, seat).villages[seat]] == [True, False] * 2 + [True]

    run(main())


@pytest.mark.parametrize(
    ("role", "move", "words"),
    [
        (SPECTATOR, "peek A1 A2", "onlookers only watch"),
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
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
            await refused(room, room.play_move(role, room.choice_number("A"), move), words)
            await play(room, "A", "peek A1 A2")

    run(main())


@pytest.mark.parametrize("choice", [None, True, "2", 2.0, -1, 1, 3, 10**30])
def test_another_number_than_that_of_the_choice_is_refused(database_url: str, choice: Any) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
            assert room.choice_number("A") == 2
            await refused(room, room.play_move("A", choice, "peek A1 A2"), "choice|not what you are asked")

    run(main())


def test_out_of_turn_is_refused(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
            for seat in "AB":
                await play(room, seat, f"peek {seat}1 {seat}2")
            [seat] = asked(room)
            other = "AB".replace(seat, "")
            assert room.choice_number(other) is None
            number = sitting(room).pending[other].number
            await refused(room, room.play_move(other, number, "draw"), f"it is not seat {other}'s turn")
            await refused(
                room, room.play_move(other, room.choice_number(seat), "draw"), "not what you are asked|not seat"
            )

    run(main())


def test_without_a_game_there_is_no_move(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await create_room(registry, new_arrangement())
            await refused(room, room.play_move("A", 1, "draw"), "no game is going on")
            await lobby.start(room, "A")
            await play_on(room, Random(1))
            number = sitting(room).pending["A"].number
            await refused(room, room.play_move("A", number, "draw"), "no game is going on")

    run(main())


# The log.


def test_what_cannot_be_written_is_not_done(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            assert isinstance(registry.log, FailingLog)
            room = await started_game(registry)
            before = state(room)
            registry.log.broken = True
            acts = [play(room, "A", "peek A1 A2"), lobby.arrange(room, "A", {"name": "Zoe"})]
            for act in acts:
                with pytest.raises(LogError):
                    await act
            with pytest.raises(LogError):
                await registry.create(new_arrangement())
            assert state(room) == before
            assert list(registry.rooms) == [room.name]
            registry.log.broken = False
            await play(room, "A", "peek A1 A2")
            assert state(restored(room)) == state(room)

    run(main())


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """What is random about the games of a table follows from a seed."""

    def sow(seed: int) -> None:
        random = Random(seed)
        monkeypatch.setattr(play_module, "secrets", SimpleNamespace(token_bytes=random.randbytes))

    return sow


@pytest.mark.parametrize("turns", range(3))
def test_a_room_closes_right_after_it_was_woken(turns: int) -> None:
    async def main() -> None:
        room = await started_game(RoomRegistry(Notebook(), AT_ONCE))
        await room.enter(Sitter("A"))
        await play(room, "A", "peek A1 A2")
        for _ in range(turns):
            await asyncio.sleep(0)
        room.resume_seat("A")
        await asyncio.wait_for(room.close(), PATIENCE)
        assert room.ticker.task is not None
        assert room.ticker.task.cancelled()

    run(main())


# Two servers on one database, and writers who do not wait.


def test_the_second_writer_reloads_what_the_first_wrote(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as first:
            mine = await started_game(first)
            async with registry_on(database_url) as second:
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
                    await lobby.arrange(mine, "A", {"name": "Zoe"})
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


def test_leaving_while_a_move_is_written_loses_nothing(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
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
                if room.game is not None and room.game.in_first_look:
                    await play(room, seat, f"peek {seat}1 {seat}2")
            assert state(room) == state(restored(room))

    run(main())


def test_two_connections_of_a_seat_are_one_person(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url, replace(AT_ONCE, disconnect_grace=0.0)) as registry:
            room = await started_game(registry)
            phone, laptop = Sitter("A"), Sitter("A")
            await room.enter(phone)
            await room.enter(laptop)
            room.leave(phone)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (True, "")
            room.leave(laptop)
            assert (room.seats()[0].here, room.seats()[0].stand_in) == (False, STAND_IN)

    run(main())


def test_of_arrangements_in_a_row_the_log_keeps_the_last(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            for nth in range(20):
                await lobby.arrange(room, "B", {"name": f"Bo {nth}"})
            await lobby.arrange(room, "A", {"memory": True})
            assert [entry.kind for entry in written(room)] == ["table", "arrange"]
            assert state(restored(room)) == state(room)
            await lobby.start(room, "A")
            await lobby.arrange(room, "B", {"name": "Bert"})
            await lobby.arrange(room, "B", {"name": "Bertha"})
            assert [entry.kind for entry in written(room)] == ["table", "arrange", "start", "arrange"]
            again = restored(room)
            assert state(again) == state(room)
            await lobby.arrange(again, "B", {"name": "Bea"})
            assert [entry.kind for entry in written(room)] == ["table", "arrange", "start", "arrange"]
            with pytest.raises(Stale):
                await lobby.arrange(room, "B", {"name": "Bob"})
            assert state(room) == state(again), "it goes on from what the other server wrote"
            await again.close()

    run(main())


def test_an_arrangement_keeps_the_keys_of_those_it_replaces(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 2))
            await room.claim_seat("Bo's key", "Bo")
            await room.claim_seat("Cem's key", "Cem")
            await lobby.arrange(room, "A", {"memory": True})
            assert len(written(room)) == 2
            assert [restored(room).access.role_for_key(key) for key in ("Bo's key", "Cem's key")] == ["B", "C"]

    run(main())


def test_an_arrangement_that_changes_nothing_is_not_written(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await lobby.arrange(room, "A", {"name": "Ann"})
            assert [entry.kind for entry in written(room)] == ["table"]

    run(main())


def test_one_seat_changes_the_arrangement_only_so_often(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1))
            await room.enter(Sitter("B"))
            answers = [lobby.arrange(room, "B", {"name": f"Bo {nth % 7}"}) for nth in range(5 * CHANGE_BURST)]
            gathered = await asyncio.gather(*answers, return_exceptions=True)
            too_fast = [error for error in gathered if isinstance(error, Refused) and "too many" in str(error)]
            assert len(too_fast) >= 3 * CHANGE_BURST
            await lobby.arrange(room, "A", {"name": "Anna"})  # others are not kept from it

    run(main())


def test_a_table_that_is_full_begins_no_other_game_but_ends_the_one_that_goes_on(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await started_game(registry)
            monkeypatch.setattr(lobby, "MAX_LOG_ENTRIES", room.play.seq)
            await refused(room, lobby.arrange(room, "A", {"name": "Anna"}), "set a new one")
            await play(room, "A", "peek A1 A2")
            await play_on(room, Random(1))
            await refused(room, lobby.open_rematch(room, "A"), "set a new one")

    run(main())


def test_spectators_see_every_village_after_the_last_round(database_url: str) -> None:
    async def main() -> None:
        async with registry_on(database_url) as registry:
            room = await over(registry)
            for here in (room, restored(room)):
                cards = [card for village in view(here, SPECTATOR).villages.values() for card in village]
                assert all(card.number is not None for card in cards)
                text, _ = update_json(SPECTATOR, here.update_fields(), here.session, None)
                told_ = [card for village in json.loads(text)["view"]["villages"].values() for card in village]
                assert [card["number"] for card in told_] == [card.number for card in cards]

    run(main())


# What is half done.


async def half_done(registry: RoomRegistry) -> tuple[Room, str, str]:
    """A table at which somebody has named the first of a Troublemaker's two cards: who, and which card."""
    random = Random(5)
    while True:
        room = await started_game(registry, "a" * 6 + "d" * 8)
        while room.playing:
            [seat] = asked(room) if room.game is not None and not room.game.in_first_look else asked(room)[:1]
            asking = view(room, seat).asking
            assert asking is not None
            move = random_move(room, seat, random)
            await play(room, seat, move)
            if asking.step == "card" and room.game is not None and asked(room) == [seat]:
                now = view(room, seat).asking
                if now is not None and now.step == "second" and now.label == asking.label:
                    return room, seat, move


def test_a_first_selection_survives_a_reload_and_a_stand_in(
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
        async with registry_on(database_url, replace(AT_ONCE, disconnect_grace=0.0)) as registry:
            room, seat, first = await half_done(registry)
            for here in (room, restored(room)):
                for role in ("A", "B", SPECTATOR):
                    form = json.loads(update_json(role, here.update_fields(), here.session, None)[0])["view"]["asking"]
                    asking = view(here, role).asking
                    assert asking is not None
                    assert (form["seat"], form["step"], form["picked"]) == (seat, "second", [first])
                    assert [str(move) for move in asking.picked] == [first]
            onlooker = Sitter(SPECTATOR)
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
