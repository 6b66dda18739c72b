"""After a game: record, review, branches."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor
from functools import partial
from random import SystemRandom
from time import monotonic
from typing import Any, Final, ParamSpec, TypeVar

from argentum import bots, records
from argentum.display.errors import Refused
from argentum.display.replay import fork_game
from argentum.display.session import SPECTATOR, describe_steps
from argentum.records.steps import written_moves
from argentum.review.analysis import open_decisions, review_decisions
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.entries import entries_of_game
from argentum.rooms.limits import TokenBucket
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.boxes import default_token
from argentum.rules.game import Game
from argentum.words import errors as why

Row = Mapping[str, Any]


async def create_branch(hall: RoomRegistry, room: Room, role: str, at: int, address: str = "") -> tuple[str, str]:
    """A table where a seat plays on from a position of a finished game: its name, and the key of that seat.

    It counts as a new table of the address.
    """
    game = room.game
    assert game is not None
    hall.creation_limiter.check(address)
    seed = SystemRandom().getrandbits(62)
    there, entries = await hall.replays.run(_branched, game, at, role, seed)
    places = [
        SeatConfig(seat.name, "", True) if seat.letter == role else SeatConfig(seat.name, seat.bot or STAND_IN)
        for seat in room.players()
    ]
    code, token = game.cast.code, game.cast.token  # what the host has arranged since is for a rematch
    memory = room.play.sitting.memory_mode if room.play.sitting is not None else False
    one = Arrangement(tuple(places), code, "" if token == default_token(code) else token, memory, host=role)
    table, key = await hall.create(one, address=address)
    await table.play_on(there, entries)
    return table.name, key


def _branched(game: Game, at: int, role: str, seed: int) -> tuple[Game, list[tuple[str, dict[str, Any]]]]:
    """The game to be played on, and its entries so far."""
    last = len(written_moves(game)) - 1
    there = fork_game(game, min(max(at, 0), last), role, seed)
    return there, entries_of_game(there, seed)


REVIEW_PLAYOUTS = (
    12 if sys.platform == "emscripten" else 60
)  # where Python is slow, all decisions matter more than each
REVIEW_SECONDS = 25.0  # seconds for a game; decisions after that are not reviewed
REVIEW_TIMEOUT = 90.0  # seconds to wait for the games of others, and for one's own
MAX_PENDING = 4
MAX_CACHED = 64
MIN_CHANCE = 0.01  # of a chance to win: less is too close to tell

SPOT = re.compile(r"\b[A-D]\d+\b")
PILES = {"draw": "deck", "take": "pile", "discard": "pile"}

Rows = list[dict[str, Any]]
P = ParamSpec("P")
Result = TypeVar("Result")
logger = logging.getLogger(__name__)
_cache: dict[tuple[str, int, str], Rows] = {}
_pending: set[tuple[str, int, str]] = set()


class ReviewProcess:
    """A process that reviews. It is started with the first review, and again after it was killed."""

    def __init__(self) -> None:
        self._pool: Executor | None = None

    async def run(self, function: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Call a function in the process; once more if the process was killed meanwhile, or before."""
        try:
            return await self._run(partial(function, *args, **kwargs))
        except BrokenExecutor:
            logger.warning("the process that reviews was killed; another is started")
            return await self._run(partial(function, *args, **kwargs))

    async def _run(self, call: Callable[[], Result]) -> Result:
        pool = self._pool = self._pool or _new_pool()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, call)
        except BrokenExecutor:
            if self._pool is pool:  # else another review has noticed before
                self._pool = None
            raise


def _new_pool() -> Executor:
    from concurrent.futures import ProcessPoolExecutor  # here, as the static edition has no processes
    from multiprocessing import get_context

    return ProcessPoolExecutor(1, get_context("spawn"))


PROCESS: Final = ReviewProcess()


async def review_rows(room: Room, role: str, limit: TokenBucket) -> Rows:
    """The review of a seat's decisions in the table's last game; the limit counts those that are computed."""
    if role == SPECTATOR or room.game is None or not room.game.over:
        raise Refused(why.REVIEW_LATER)
    key = (room.name, room.play.game_count, role)
    if key not in _cache:
        if key in _pending or len(_pending) >= MAX_PENDING:
            raise Refused(why.REVIEW_WAITS)
        if not limit.try_take():
            raise Refused(why.REVIEWS_TOO_FAST)
        _pending.add(key)
        try:
            async with asyncio.timeout(REVIEW_TIMEOUT):
                rows = await _rows_from_pool(records.write(room.game), role)
        except TimeoutError:
            raise Refused(why.REVIEW_SLOW) from None
        finally:
            _pending.discard(key)
        while len(_cache) >= MAX_CACHED:
            del _cache[next(iter(_cache))]
        _cache[key] = rows
    return _cache[key]


def review_bot() -> str:
    """The bot that reviews: a game has many decisions, so it must be one that answers at once."""
    return bots.strongest(may_search=False)


async def _rows_from_pool(record: str, seat: str) -> Rows:
    """The rows of a review, from another process; a browser has none."""
    if sys.platform == "emscripten":
        return await _rows_inline(record, seat)
    return await PROCESS.run(compute_rows, record, seat)


def compute_rows(record: str, seat: str, budget: float = REVIEW_SECONDS) -> Rows:
    """A seat's decisions, each with what the bot's choice would have gained; `at` is its place in the replay."""
    return list(_decisions(record, seat, budget))


async def _rows_inline(record: str, seat: str) -> Rows:
    """The same where there is no other process; the table goes on between two decisions."""
    rows = []
    for row in _decisions(record, seat, REVIEW_SECONDS):
        rows.append(row)
        await asyncio.sleep(0)
    return rows


def _decisions(record: str, seat: str, budget: float) -> Iterator[dict[str, Any]]:
    game = records.read(record)
    choices = open_decisions(game, seat)
    until = monotonic() + budget
    for nth, (choice, one) in enumerate(
        zip(choices, review_decisions(choices, review_bot(), REVIEW_PLAYOUTS, 1), strict=False), 1
    ):
        late = monotonic() > until
        yield {
            "at": len(written_moves(choice.game)),
            "round": one.round,
            "agreed": one.agreed,
            "played": describe_move(choice.game, seat, one.played),
            "better": describe_move(choice.game, seat, one.bot_move),
            "chance": one.win_probability_gain.mean,
            "error": one.win_probability_gain.error,
            "sure": not one.agreed
            and one.win_probability_gain.is_significant
            and abs(one.win_probability_gain.mean) >= MIN_CHANCE,
            "points": one.points_gain.mean,
            "standing": one.win_probability,
            "yours_at": slots_of_move(one.played),
            "better_at": slots_of_move(one.bot_move),
            "left_out": len(choices) - nth if late else 0,
        }
        if late:
            break


def slots_of_move(text: str) -> list[str]:
    """The cards that a move is about: those that it names, or the top of a pile.

    >>> places_of("exchange A1 A3"), places_of("take")
    (['A1', 'A3'], ['pile'])
    """
    return SPOT.findall(text) or ([PILES[text]] if text in PILES else [])


def describe_move(game: Game, seat: str, text: str) -> str:
    """A move as it is written, in words."""
    return describe_steps(game, seat, game.copy().play(text, seat))


def record_json(room: Room, role: str) -> str:
    """The game's record: the whole of it when it is over, till then what the seat was told."""
    if room.game is None:
        raise Refused(why.NO_RECORD_YET)
    if not room.game.over and role == SPECTATOR:
        raise Refused(why.RECORD_ONLOOKER)
    if not room.game.over and room.arrangement.memory:
        raise Refused(why.RECORD_MEMORY)
    text = records.write(room.game) if room.game.over else records.write_for(room.game, role)
    if room.game.over and room.play.opening is not None:
        text += room.play.opening.record_comments()
    return json.dumps({"type": "record", "name": f"{room.name}.silver", "text": text}, ensure_ascii=False)
