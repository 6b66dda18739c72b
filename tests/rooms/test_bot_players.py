"""Bots in threads: searching bots share time, fast bots do not wait for them, failing bots are replaced."""

import asyncio

import pytest

from argentum import Game, bots
from argentum.bots.search.worker_pool import (
    MAX_WAITING_PER_WORKER,
    MIN_SECONDS,
    POOL,
    SearchRequest,
    SearchTask,
    WorkerPool,
)
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.bot_players import BotRunner
from argentum.rooms.registry import RoomRegistry
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from tests.support.room import (
    NO_DELAYS,
    MemoryJournal,
    WaitingConnection,
    load_registry,
    log_entries,
    play_move,
    run,
    seats_to_move,
)

TABLES = 60
TIME_LIMIT = 600.0  # seconds


def test_fast_bots_do_not_wait_for_searching_bots_which_share_their_time(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []
    run_search = SearchTask.search_in_workers

    def record_share(task: SearchTask, request: SearchRequest, processes: int) -> int:
        shares.append(POOL.time_share(request.seconds))
        return run_search(task, request, processes)

    monkeypatch.setattr(SearchTask, "search_in_workers", record_share)

    async def play() -> int:
        games = [Game.at({"boxes": "coin", "discard": "4", "deck": "6 9 7 10 3 5 12 2 8",
                          "villages": {"A": "3 5 2 6", "B": "5 6 7 8"}, "seen": {"A": "A1 A2 A3", "B": "B1 B2"}})
                 for _ in range(TABLES)]  # fmt: skip
        seers = [asyncio.create_task(BotRunner(1).play(game, "A", "seer", TIME_LIMIT)) for game in games]
        await asyncio.sleep(0)
        await BotRunner(1).play(games[0], "A", "novice")
        waiting = sum([not seer.done() for seer in seers])
        moves = await asyncio.gather(*seers)
        assert {move.bot for move in moves} == {"seer"}
        return waiting

    assert asyncio.run(play()) > TABLES / 2
    assert len(shares) >= TABLES
    assert sum(shares) < TABLES / 3  # Each bot requested a second.
    assert not caplog.records


def test_search_time_shrinks_with_the_number_of_waiting_searches() -> None:
    pool = WorkerPool(2)
    assert pool.time_share(1.0) == 1.0
    pool.waiting_count = 2
    assert pool.time_share(1.0) == 1.0
    pool.waiting_count = 8
    assert pool.time_share(1.0) == 0.25
    pool.waiting_count = 2 * MAX_WAITING_PER_WORKER
    assert pool.time_share(1.0) == MIN_SECONDS
    assert not pool.is_overloaded
    pool.waiting_count += 1
    assert pool.is_overloaded


@pytest.mark.parametrize("failure", ["fails", "cheats"])
def test_a_table_goes_on_when_a_bot_fails_or_plays_an_illegal_move(
    failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FaultyBot:
        name = "novice"

        def choose(self, view: View) -> Move:
            if failure == "fails":
                raise RuntimeError("a bot's own mistake")
            return Move.of("B7")

    monkeypatch.setattr(bots, "make", lambda name, seed: FaultyBot())

    async def main() -> None:
        room, _ = await RoomRegistry(MemoryJournal(), NO_DELAYS).create(new_arrangement("Ann", "dagger", 1, "novice"))
        await lobby.start(room)
        ann = WaitingConnection("A")
        await room.enter(ann)
        await play_move(room, "A", "peek A1 A2")
        await ann.wait_until(lambda: seats_to_move(room) == ["A"])
        assert "B" in [entry.body.get("seat") for entry in log_entries(room)]
        await room.close()

    run(main())


def test_a_bot_that_fails_is_replaced(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, view: object) -> None:
        raise RuntimeError("no idea")

    async def main() -> None:
        async with load_registry(database_url) as registry:
            room, _ = await registry.create(new_arrangement("Ann", "dagger", 1, "random"))
            monkeypatch.setattr("argentum.bots.random.RandomBot.choose", fail)
            await lobby.start(room)
            ann = WaitingConnection("A")
            await room.enter(ann)
            await ann.wait_until(lambda: room.game is not None and not [*room.game.legal(SEAT_LETTERS[1])])

    run(main())
