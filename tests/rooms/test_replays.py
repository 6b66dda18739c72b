"""Replays and reviews of finished games: built outside the event loop, limited per address, with a bounded cache."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar, TypeVarTuple, Unpack, cast

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect

from argentum.display.errors import Refused
from argentum.display.replay import game_positions as original_positions
from argentum.pyodide.asgi import start_server
from argentum.pyodide.build import template_loader
from argentum.rooms import lobby, post_game
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.entries import RoomState, TableCreated
from argentum.rooms.limits import Limits, TokenBucket
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.post_game import create_branch
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.replays import MAX_CACHED_TABLES, ReplayStep
from argentum.rooms.room import Room
from argentum.rooms.ticker import tick
from argentum.rules.game import Game
from argentum.web.pages.assets import page_build
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.connection import Connection
from tests.random_games import play_to_end
from tests.support.room import session_of, set_rounds_seen
from tests.support.server import TIMEOUT

NO_LIMIT = 10**6
Args = TypeVarTuple("Args")
Result = TypeVar("Result")


def run(main: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 2 * TIMEOUT))


@asynccontextmanager
async def open_registry(folder: Path, **limits: Any) -> AsyncIterator[RoomRegistry]:
    log = SqlJournal.open(str(folder / "tables.db"))
    registry = RoomRegistry(log, Timing(bot_delay=0.0, disconnect_grace=0.0), Limits(**limits))
    yield registry
    await registry.close()
    await log.close()


async def finished_game(registry: RoomRegistry) -> tuple[Room, str]:
    """Return a room with a finished game, whose round summaries everybody has left, and the host's key."""
    room, key = await registry.create(new_arrangement(opponents=1, bot="random"))
    await lobby.start(room)
    assert room.game is not None
    play_to_end(room.game, Random(1))
    set_rounds_seen(room, room.game.rounds_finished)
    return room, key


class FakeBrowserSocket:
    """The server's side of a browser's WebSocket, with queues for the messages in both directions."""

    def __init__(self, room: Room, key: str) -> None:
        self.scope: dict[str, object] = {}
        self.headers: dict[str, str] = {}
        self.to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.to_browser: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.has_left = False
        self.send_message(type="join", table=room.name, key=key, format="html", build=page_build())

    def send_message(self, **message: Any) -> None:
        self.to_server.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def leave(self) -> None:
        self.has_left = True
        self.to_server.put_nowait({"type": "websocket.disconnect"})

    async def next_message(self, kind: str) -> dict[str, Any]:
        """Wait for the next message of a type, or the next page of a kind, and return it."""
        while True:
            message = await self.to_browser.get()
            if kind in (message["type"], message.get("page")):
                return message

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        return await self.to_server.get()

    async def send_text(self, text: str) -> None:
        if self.has_left:
            raise WebSocketDisconnect(1006)
        self.to_browser.put_nowait(json.loads(text))

    async def close(self, code: int, reason: str) -> None: ...


def connect(registry: RoomRegistry, client: FakeBrowserSocket, address: str = "192.0.2.1") -> asyncio.Task[None]:
    return asyncio.create_task(Connection(cast(WebSocket, client), registry, PageRenderer(), address).run())


class PositionBuilds:
    """Records the threads in which positions are built, and blocks them while `may_end` is cleared."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    def game_positions(self, game: Game) -> list[Game]:
        self.threads.append(threading.current_thread())
        self.begun.set()
        assert self.may_end.wait(TIMEOUT)
        return original_positions(game)


@pytest.fixture
def positions(monkeypatch: pytest.MonkeyPatch) -> PositionBuilds:
    builds = PositionBuilds()
    monkeypatch.setattr("argentum.rooms.replays.game_positions", builds.game_positions)
    return builds


def test_other_tables_are_served_while_a_replay_is_built(tmp_path: Path, positions: PositionBuilds) -> None:
    async def main() -> None:
        async with open_registry(tmp_path) as registry:
            finished_room, key = await finished_game(registry)
            other, other_key = await registry.create(new_arrangement())
            client, neighbour = FakeBrowserSocket(finished_room, key), FakeBrowserSocket(other, other_key)
            serving = [connect(registry, client), connect(registry, neighbour)]
            await client.next_message("game_end")
            await neighbour.next_message("lobby")
            positions.may_end.clear()
            client.send_message(type="show_replay", at=5)
            await asyncio.to_thread(positions.begun.wait, TIMEOUT)
            neighbour.send_message(type="arrange", name="Bo")
            await neighbour.next_message("lobby")
            client.send_message(type="record")  # The table of the replay is served, too.
            await client.next_message("record")
            positions.may_end.set()
            await client.next_message("replay")
            assert threading.main_thread() not in positions.threads
            for served_client in (client, neighbour):
                served_client.leave()
            await asyncio.gather(*serving)

    run(main())


def test_a_page_that_moves_on_while_a_replay_is_built_gets_the_latest_position(
    tmp_path: Path, positions: PositionBuilds
) -> None:
    async def main() -> None:
        async with open_registry(tmp_path) as registry:
            room, key = await finished_game(registry)
            client = FakeBrowserSocket(room, key)
            serving = connect(registry, client)
            await client.next_message("game_end")
            positions.may_end.clear()
            client.send_message(type="show_replay", at=5)
            await asyncio.to_thread(positions.begun.wait, TIMEOUT)
            client.send_message(type="show_replay", at=9)
            client.send_message(type="record")  # It is answered after the other messages.
            await client.next_message("record")
            positions.may_end.set()
            page = await client.next_message("replay")
            assert 'data-index="9"' in json.dumps(page).replace('\\"', '"')
            assert len(positions.threads) == 1
            client.leave()
            await serving

    run(main())


def test_positions_are_cached_for_one_game_per_table_and_a_few_tables(
    tmp_path: Path, positions: PositionBuilds
) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, replay_burst=NO_LIMIT) as registry:
            room, _ = await finished_game(registry)
            for index in range(3):
                assert (await registry.replays.build(room, ReplayStep(1, index, ""), "192.0.2.1")).index == index
            assert len(positions.threads) == 1
            await registry.replays.build(room, ReplayStep(2, 0, ""), "192.0.2.1")
            assert len(positions.threads) == 2, "another game of the table is not cached"
            await registry.replays.build(room, ReplayStep(1, 0, ""), "192.0.2.1")
            assert len(positions.threads) == 3, "the second game has replaced the first"
            for number in range(MAX_CACHED_TABLES):
                state = RoomState(TableCreated(room.arrangement, {}))
                state.last_session = session_of(room)
                other = Room(f"amber-oak-{number}", registry.log, state, room.timing)
                await registry.replays.build(other, ReplayStep(1, 0, ""), "192.0.2.1")
            assert len(registry.replays._positions) == MAX_CACHED_TABLES

    run(main())


def test_visitors_of_a_past_game_share_its_positions(tmp_path: Path, positions: PositionBuilds) -> None:
    async def main() -> None:
        async with open_registry(tmp_path) as registry:
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            await lobby.start(room)
            while room.playing:
                await tick(room)
            for _ in range(3):
                past_room = await registry.past_game(room, 1, room.share_key(1))
                await registry.replays.build(past_room, ReplayStep(1, 4, ""), "192.0.2.1")
            assert len(positions.threads) == 1

    run(main())


def test_past_games_are_restored_outside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_registry(tmp_path) as registry:
            room, _ = await registry.create(new_arrangement(opponents=1, bot="random"))
            await lobby.start(room)
            while room.playing:
                await tick(room)
            threads = []
            from_entries = Room.from_entries

            def record_thread(*args: Any) -> Room:
                threads.append(threading.current_thread())
                return from_entries(*args)

            monkeypatch.setattr(Room, "from_entries", record_thread)
            await registry.past_game(room, 1, room.share_key(1))
            assert len(threads) == 1
            assert threads[0] is not threading.main_thread()

    run(main())


def test_replays_are_limited_per_address(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, replay_burst=1, replay_rate=0.0) as registry:
            room, _ = await finished_game(registry)
            step = ReplayStep(1, 3, "")
            await registry.replays.build(room, step, "2001:db8::1")
            waiting = asyncio.create_task(registry.replays.build(room, step, "2001:db8::2"))
            await registry.replays.build(room, step, "192.0.2.2")
            assert not waiting.done()
            bucket = registry.replays.buckets.bucket_for("2001:db8::1")
            assert bucket.tokens == -1.0
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert bucket.tokens == 0.0, "a request that was cancelled returns its token"

    run(main())


class ThreadlessLoop(asyncio.SelectorEventLoop):
    """An event loop like that of Pyodide, which calls functions for an executor at once."""

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Args]], Result], *args: *Args
    ) -> asyncio.Future[Result]:
        future: asyncio.Future[Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class BrowserDatabase:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    async def add(self, row: str) -> bool:
        self.rows.append(json.loads(row))
        return True

    async def read(self, table: str) -> str:
        return json.dumps([row for row in self.rows if table in ("", row["table"])])

    async def remove(self, table: str) -> None:
        self.rows = [row for row in self.rows if row["table"] != table]


def test_the_static_edition_has_replays_though_it_has_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        server = await start_server(BrowserDatabase(), template_loader())
        room, key = await finished_game(server.app.state.registry)
        replies: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        connection = server.connect(lambda text: replies.put_nowait(json.loads(text)), lambda *_: None)
        for message, expected in (
            ({"type": "join", "table": room.name, "key": key, "format": "html", "build": page_build()}, "game_end"),
            ({"type": "show_replay", "at": 5}, "replay"),
            ({"type": "branch", "at": 5}, "table"),
        ):
            connection.receive(json.dumps(message))
            while expected not in ((reply := await replies.get())["type"], reply.get("page")):
                assert reply["type"] != "error", reply
        connection.close()
        await asyncio.gather(*server.sockets)
        await server.exit_stack.aclose()

    monkeypatch.setattr(threading.Thread, "start", lambda _: pytest.fail("there are no threads"))
    loop = ThreadlessLoop()
    try:
        loop.run_until_complete(asyncio.wait_for(main(), 2 * TIMEOUT))
    finally:
        loop.close()


# Branches and records.


def test_a_branch_counts_as_a_new_table(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, new_tables_burst=2, new_tables_rate=0.0) as registry:
            room, key = await finished_game(registry)
            answers = []
            for _ in range(3):  # Each uses another connection.
                client = FakeBrowserSocket(room, key)
                serving = connect(registry, client)
                client.send_message(type="branch", at=3)
                while (message := await client.to_browser.get())["type"] not in ("table", "error"):
                    pass
                answers.append(message.get("message", "a table"))
                client.leave()
                await serving
            assert answers == ["a table", "a table", "too many new tables from your address; please wait a moment"]
            with pytest.raises(Refused, match="too many new tables"):
                registry.creation_limiter.check("192.0.2.1")
            assert len(registry.rooms) == 3

    run(main())


def test_a_branch_is_built_outside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        builds = PositionBuilds()
        for module in ("display.replay", "rooms.entries"):
            monkeypatch.setattr(f"argentum.{module}.game_positions", builds.game_positions)
        async with open_registry(tmp_path) as registry:
            room, _ = await finished_game(registry)
            await create_branch(registry, room, "A", 5, "192.0.2.1")
            assert builds.threads
            assert threading.main_thread() not in builds.threads

    run(main())


def test_records_are_limited_per_address_not_per_connection(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, record_burst=2, record_rate=0.0) as registry:
            room, key = await finished_game(registry)
            answers = []
            for address in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"):
                client = FakeBrowserSocket(room, key)
                serving = connect(registry, client, address)
                client.send_message(type="record")
                while (message := await client.to_browser.get())["type"] not in ("record", "error"):
                    pass
                answers.append(message["type"])
                client.leave()
                await serving
            assert answers == ["record", "record", "error", "record"]

    run(main())


# Reviews.


def rows_with_process_id(record: str, seat: str) -> list[dict[str, Any]]:
    """Return the rows of a review, with the id of the process that computes it."""
    return [{"process": os.getpid(), "sure": False, "at": 0}]


@pytest.fixture
def process() -> Iterator[post_game.ReviewProcess]:
    """A review process, which is shut down after the test."""
    review_process = post_game.ReviewProcess()
    yield review_process
    if review_process._pool is not None:
        review_process._pool.shutdown()


@pytest.fixture
def fast_reviews(monkeypatch: pytest.MonkeyPatch, process: post_game.ReviewProcess) -> None:
    monkeypatch.setattr(post_game, "compute_rows", rows_with_process_id)
    monkeypatch.setattr(post_game, "_cache", {})
    monkeypatch.setattr(post_game, "PROCESS", process)


@pytest.mark.usefixtures("fast_reviews")
def test_reviews_continue_after_their_process_is_killed(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path) as registry:
            room, _ = await finished_game(registry)
            limit = TokenBucket(NO_LIMIT, 0.0)
            [first] = await post_game.review_rows(room, "A", limit)
            assert first["process"] != os.getpid()
            os.kill(first["process"], signal.SIGKILL)
            [second] = await post_game.review_rows(room, "B", limit)
            assert second["process"] not in (first["process"], os.getpid())

    run(main())


def kill_own_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_call_that_kills_the_review_process_fails_and_later_ones_succeed(process: post_game.ReviewProcess) -> None:
    async def main() -> None:
        with pytest.raises(BrokenExecutor):
            await process.run(kill_own_process)
        assert await process.run(os.getpid) != os.getpid()

    run(main())


@pytest.mark.usefixtures("fast_reviews")
def test_reviews_are_limited_per_address_and_cached_ones_do_not_count(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_registry(tmp_path, review_burst=1, review_rate=0.0) as registry:
            answers = []
            tables = [await finished_game(registry) for _ in range(2)]
            for room, key in (tables[0], tables[0], tables[1]):
                client = FakeBrowserSocket(room, key)
                serving = connect(registry, client)
                client.send_message(type="review")
                while (message := await client.to_browser.get())["type"] not in ("reviewed", "error"):
                    pass
                answers.append(message.get("message", "reviewed"))
                client.leave()
                await serving
            assert answers == ["reviewed", "reviewed", "too many reviews from your address; please wait a moment"]

    run(main())


@pytest.mark.parametrize("fails", [False, True])
def test_a_client_that_leaves_during_a_review_logs_no_traceback(
    fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        started_game, may_end = asyncio.Event(), asyncio.Event()

        async def review_slowly(*_: object) -> list[dict[str, Any]]:
            started_game.set()
            await may_end.wait()
            if fails:
                raise Refused("not now")
            return rows_with_process_id("", "A")

        monkeypatch.setattr(post_game, "review_rows", review_slowly)
        async with open_registry(tmp_path) as registry:
            room, key = await finished_game(registry)
            client = FakeBrowserSocket(room, key)
            serving = connect(registry, client)
            client.send_message(type="review")
            await started_game.wait()
            [review] = [task for task in asyncio.all_tasks() if "_send_review" in repr(task.get_coro())]
            client.leave()
            await serving
            may_end.set()
            await review
        assert [record.message for record in caplog.records] == []

    run(main())
