"""Bots in threads: searching bots share time, failing bots are replaced, and nobody waits for a bot that thinks."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

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
from argentum.rooms.log.memory import MemoryJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from tests.support.room import (
    NO_DELAYS,
    TIMEOUT,
    WaitingConnection,
    load_registry,
    log_entries,
    play_move,
    restore_room,
    room_state,
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


class BlockingBot(bots.Bot):
    """A bot that thinks until a test lets it move."""

    name = "novice"

    def __init__(self) -> None:
        self.is_thinking = threading.Event()
        self.may_move = threading.Event()

    def choose(self, view: View) -> Move:
        self.is_thinking.set()
        assert self.may_move.wait(TIMEOUT)
        return view.legal[0]

    async def wait_until_thinking(self) -> None:
        while not self.is_thinking.is_set():
            await asyncio.sleep(0)


@pytest.fixture
def blocking_bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockingBot]:
    """A bot that is used for every seat."""
    bot = BlockingBot()
    monkeypatch.setattr(bots, "make", lambda name, seed: bot)
    yield bot
    bot.may_move.set()


@asynccontextmanager
async def room_with_thinking_bot(bot: BlockingBot) -> AsyncIterator[tuple[Room, str]]:
    """Yield a room in which Ann (A) is connected, Bo (B) is away, and a bot thinks for B; and the host's key."""
    journal = MemoryJournal()
    room, key = await RoomRegistry(journal, replace(NO_DELAYS, disconnect_grace=0.0)).create(new_arrangement("Ann"))
    await room.claim_seat("Bo's key", "Bo")
    await lobby.start(room)
    await room.enter(WaitingConnection("A"))
    await bot.wait_until_thinking()
    yield room, key
    await room.close()


async def wait_for_log(room: Room, length: int) -> None:
    while len(log_entries(room)) < length:
        await asyncio.sleep(0)


def test_reconnecting_does_not_wait_for_a_bot(blocking_bot: BlockingBot) -> None:
    async def main() -> None:
        async with room_with_thinking_bot(blocking_bot) as (room, _):
            await asyncio.wait_for(room.enter(WaitingConnection("A")), TIMEOUT)

    run(main())


def test_renaming_does_not_wait_for_a_bot_whose_move_counts(blocking_bot: BlockingBot) -> None:
    async def main() -> None:
        async with room_with_thinking_bot(blocking_bot) as (room, _):
            await asyncio.wait_for(lobby.arrange(room, "A", {"name": "Zoe"}), TIMEOUT)
            blocking_bot.may_move.set()
            await wait_for_log(room, 5)
            assert [entry.kind for entry in log_entries(room)[3:]] == ["arrange", "move"]
            assert room.game is not None
            assert room.game.names == ["Zoe", "Bo"]
            assert room_state(room) == room_state(restore_room(room))

    run(main())


def test_freeing_a_seat_does_not_wait_for_a_bot(blocking_bot: BlockingBot) -> None:
    async def main() -> None:
        async with room_with_thinking_bot(blocking_bot) as (room, key):
            await asyncio.wait_for(lobby.arrange(room, "A", {"seat": "B", "bot": ""}, key), TIMEOUT)
            assert room.free_seats == ["B"]

    run(main())


def test_a_bots_move_is_played_after_another_player_has_looked(blocking_bot: BlockingBot) -> None:
    async def main() -> None:
        async with room_with_thinking_bot(blocking_bot) as (room, _):
            await asyncio.wait_for(play_move(room, "A", "peek A1 A2"), TIMEOUT)
            blocking_bot.may_move.set()
            await wait_for_log(room, 5)
            assert [entry.body["seat"] for entry in log_entries(room)[3:5]] == ["A", "B"]
            assert room.game is not None
            assert {event.seat for event in room.game.events(None) if event.kind == "looked"} == {"A", "B"}

    run(main())


def test_a_bots_move_is_dropped_when_the_player_returns(blocking_bot: BlockingBot) -> None:
    async def main() -> None:
        async with room_with_thinking_bot(blocking_bot) as (room, _):
            await asyncio.wait_for(room.enter(LocalSeat("B", "Bo's key")), TIMEOUT)
            blocking_bot.may_move.set()
            await asyncio.wait_for(play_move(room, "B", "peek B4 B5"), TIMEOUT)
            moves = [entry.body for entry in log_entries(room) if entry.kind == "move"]
            assert moves == [{"seat": "B", "steps": ["peek B4", "and B5"]}]

    run(main())
