"""Replays of finished games, built in a thread, because a long game would block the event loop."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, ParamSpec, TypeVar

from argentum.display.replay import Replay, game_positions
from argentum.rooms.limits import AddressBuckets, Limits
from argentum.rooms.room import Room
from argentum.rules.game import Game

MAX_CACHED_TABLES = 32  # tables for which the positions of one game are cached
P = ParamSpec("P")
Result = TypeVar("Result")


class ReplayStep(NamedTuple):
    """A position of a replay, and the seat whose knowledge is shown."""

    game: int  # number of the game at its table
    move_count: int  # moves played before it
    viewer: str  # the seat whose knowledge is shown; empty: all cards are face up


class Replays:
    """Build replays in one thread, with a rate limit per address."""

    def __init__(self, limits: Limits) -> None:
        self.buckets = AddressBuckets(limits.replay_burst, limits.replay_rate)
        self._pool = ThreadPoolExecutor(1, "replay")
        # By table: the number of a game, and its positions. Only the thread uses it.
        self._positions: OrderedDict[str, tuple[int, list[Game]]] = OrderedDict()

    async def run_in_thread(self, function: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Call a function in the thread; in the static edition, which has no threads, on the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: function(*args, **kwargs))

    async def build(self, room: Room, step: ReplayStep, address: str) -> Replay:
        """Build the replay of a room's last game at a step. Requests above the rate limit of an address wait."""
        assert room.game is not None
        game = room.game
        await self.wait_for_turn(address)
        return await self.run_in_thread(self._build_in_thread, room.name, game, step)

    async def wait_for_turn(self, address: str) -> None:
        """Wait until the rate limit of an address allows another replay."""
        bucket = self.buckets.bucket_for(address)
        try:
            await asyncio.sleep(bucket.reserve())
        except asyncio.CancelledError:
            bucket.put_back()
            raise

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _build_in_thread(self, table: str, game: Game, step: ReplayStep) -> Replay:
        number, positions = self._positions.get(table, (0, []))
        if number != step.game:
            positions = game_positions(game)
            self._positions[table] = step.game, positions
        self._positions.move_to_end(table)
        if len(self._positions) > MAX_CACHED_TABLES:
            self._positions.popitem(last=False)
        return Replay.build(positions, step.move_count, step.viewer)
