"""Actions after a game: its record, reviews of its decisions, and tables that continue from one of its positions."""

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
from argentum.review.analysis import find_open_decisions, review_decisions
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.bot_players import STAND_IN
from argentum.rooms.entries import RoomEntry, entries_of_game
from argentum.rooms.limits import TokenBucket
from argentum.rooms.protocol import error_json, parse_replay_index
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection
from argentum.rules.boxes import default_token
from argentum.rules.game import Game
from argentum.words import errors

Row = Mapping[str, Any]


async def create_branch(
    registry: RoomRegistry, room: Room, role: str, index: int, address: str = ""
) -> tuple[str, str]:
    """Create a table where the player of a seat continues a finished game from a position; return its name and the key.

    Raise `Refused` if the address exceeds its limit on new tables.
    """
    game = room.game
    assert game is not None
    registry.creation_limiter.check(address)
    seed = SystemRandom().getrandbits(62)
    position, entries = await registry.replays.run_in_thread(_fork, game, index, role, seed)
    seats = [
        SeatConfig(seat.name, "", True) if seat.letter == role else SeatConfig(seat.name, seat.bot or STAND_IN)
        for seat in room.players()
    ]
    code, token = game.cast.code, game.cast.token  # the arrangement may already be for a rematch
    arrangement = Arrangement(
        tuple(seats), code, "" if token == default_token(code) else token, room.memory_mode, host=role
    )
    table, key = await registry.create(arrangement, address=address)
    await table.start_branch(position, entries)
    return table.name, key


def _fork(game: Game, index: int, role: str, seed: int) -> tuple[Game, list[RoomEntry]]:
    """Return a fork of a game at a position, and the log entries of its moves so far."""
    last = len(written_moves(game)) - 1
    position = fork_game(game, min(max(index, 0), last), role, seed)
    return position, entries_of_game(position, seed)


# In the static edition Python is slow: with fewer playouts, all decisions can be reviewed.
REVIEW_PLAYOUTS = 12 if sys.platform == "emscripten" else 60
REVIEW_SECONDS = 25.0  # for a game; later decisions are not reviewed
REVIEW_TIMEOUT = 90.0  # seconds, including the wait for other reviews
MAX_PENDING = 4
MAX_CACHED = 64
MIN_CHANCE = 0.01  # difference in win probability; smaller ones are too close to call

SPOT = re.compile(r"\b[A-D]\d+\b")
PILES = {"draw": "deck", "take": "pile", "discard": "pile"}

Rows = list[dict[str, Any]]
P = ParamSpec("P")
Result = TypeVar("Result")
logger = logging.getLogger(__name__)
_cache: dict[tuple[str, int, str], Rows] = {}
_pending: set[tuple[str, int, str]] = set()


class ReviewProcess:
    """A process that computes reviews. It is started for the first review, and restarted if it was killed."""

    def __init__(self) -> None:
        self._pool: Executor | None = None

    async def run(self, function: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Call a function in the process; retry once if the process was killed."""
        try:
            return await self._run(partial(function, *args, **kwargs))
        except BrokenExecutor:
            logger.warning("the review process was killed; a new one is started")
            return await self._run(partial(function, *args, **kwargs))

    async def _run(self, call: Callable[[], Result]) -> Result:
        pool = self._pool = self._pool or _new_pool()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, call)
        except BrokenExecutor:
            if self._pool is pool:  # else another review has already replaced it
                self._pool = None
            raise


def _new_pool() -> Executor:
    from argentum.processes import make_executor  # not at the top, as the static edition has no processes

    return make_executor(1)


PROCESS: Final = ReviewProcess()


async def review_rows(room: Room, role: str, bucket: TokenBucket) -> Rows:
    """Return the review of a seat's decisions in the last game, from the cache or for a token of `bucket`.

    Raise `Refused` before the end of the game, and if the review is rate-limited or takes too long.
    """
    if room.game is None or not room.game.over:
        raise Refused(errors.REVIEW_LATER)
    key = (room.name, room.game_count, role)
    if key not in _cache:
        if key in _pending or len(_pending) >= MAX_PENDING:
            raise Refused(errors.REVIEW_WAITS)
        if not bucket.try_take():
            raise Refused(errors.REVIEWS_TOO_FAST)
        _pending.add(key)
        try:
            async with asyncio.timeout(REVIEW_TIMEOUT):
                rows = await _rows_from_pool(records.write(room.game), role)
        except TimeoutError:
            raise Refused(errors.REVIEW_SLOW) from None
        finally:
            _pending.discard(key)
        while len(_cache) >= MAX_CACHED:
            del _cache[next(iter(_cache))]
        _cache[key] = rows
    return _cache[key]


def review_bot_name(game: Game | None) -> str:
    """Return the name of the strongest bot that does not search, because a game has many decisions."""
    return bots.strongest(may_search=False, cast=None if game is None else game.cast)


async def _rows_from_pool(record: str, seat: str) -> Rows:
    """Compute a review in another process; in the static edition, which has none, on the event loop."""
    if sys.platform == "emscripten":
        return await _rows_inline(record, seat)
    return await PROCESS.run(compute_rows, record, seat)


def compute_rows(record: str, seat: str, time_limit: float = REVIEW_SECONDS) -> Rows:
    """Compare each decision of a seat with the bot's choice; a row's `at` is its position in the replay."""
    return list(_decisions(record, seat, time_limit))


async def _rows_inline(record: str, seat: str) -> Rows:
    """Compute a review on the event loop, yielding to other tasks after each decision."""
    rows = []
    for row in _decisions(record, seat, REVIEW_SECONDS):
        rows.append(row)
        await asyncio.sleep(0)
    return rows


def _decisions(record: str, seat: str, time_limit: float) -> Iterator[dict[str, Any]]:
    game = records.read(record)
    choices = find_open_decisions(game, seat)
    deadline = monotonic() + time_limit
    for number, (choice, decision) in enumerate(
        zip(choices, review_decisions(choices, review_bot_name(game), REVIEW_PLAYOUTS, 1), strict=False), 1
    ):
        late = monotonic() > deadline
        yield {
            "at": len(written_moves(choice.game)),
            "round": decision.round,
            "agreed": decision.agreed,
            "played": describe_move(choice.game, seat, decision.played),
            "better": describe_move(choice.game, seat, decision.bot_move),
            "chance": decision.win_probability_gain.mean,
            "error": decision.win_probability_gain.error,
            "sure": not decision.agreed
            and decision.win_probability_gain.is_significant
            and abs(decision.win_probability_gain.mean) >= MIN_CHANCE,
            "points": decision.points_gain.mean,
            "standing": decision.win_probability,
            "yours_at": slots_of_move(decision.played),
            "better_at": slots_of_move(decision.bot_move),
            "left_out": len(choices) - number if late else 0,
        }
        if late:
            break


def slots_of_move(text: str) -> list[str]:
    """Return the slots that a move refers to: the cards it names, or the top of a pile.

    >>> slots_of_move("exchange A1 A3"), slots_of_move("take")
    (['A1', 'A3'], ['pile'])
    """
    return SPOT.findall(text) or ([PILES[text]] if text in PILES else [])


def describe_move(game: Game, seat: str, text: str) -> str:
    """Describe a move, which must be legal in `game`, to the player of a seat."""
    return describe_steps(game, seat, game.copy().play(text, seat))


def record_json(room: Room, role: str) -> str:
    """Return the game's record as a message; before the end of the game, only with what the seat has seen.

    Raise `Refused` if there is no game; and before its end, for spectators and in memory mode.
    """
    if room.game is None:
        raise Refused(errors.NO_RECORD_YET)
    if not room.game.over and role == SPECTATOR:
        raise Refused(errors.RECORD_ONLOOKER)
    if not room.game.over and room.arrangement.memory:
        raise Refused(errors.RECORD_MEMORY)
    text = records.write(room.game) if room.game.over else records.write_for(room.game, role)
    if room.game.over and room.opening is not None:
        text += room.opening.record_comments()
    return json.dumps({"type": "record", "name": f"{room.name}.silver", "text": text}, ensure_ascii=False)


# Message handlers.


async def handle_record(client: ClientConnection, room: Room, _message: dict[str, Any]) -> str:
    if not client.registry.record_buckets.bucket_for(client.visitor.address).try_take():
        raise Refused(errors.RECORD_JUST_GOT)
    return record_json(room, client.visitor.role)


async def handle_review(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    """Start the review of a finished game in the background."""
    client.visitor.review_task = asyncio.create_task(_send_review(client, room))


async def _send_review(client: ClientConnection, room: Room) -> None:
    visitor = client.visitor
    try:
        game = room.game_count
        rows = await review_rows(room, visitor.role, client.registry.review_buckets.bucket_for(visitor.address))
    except Refused as error:
        reply = error_json("refused", str(error))
    except Exception:
        logger.exception("table %s cannot be reviewed", room.name)
        reply = error_json("broken", errors.REVIEW_FAILED)
    else:
        visitor.reader.show_review(rows, game)
        payload = {"type": "reviewed", "bot": review_bot_name(room.game), "playouts": REVIEW_PLAYOUTS}
        payload["rows"] = [] if visitor.reader.shows_pages else rows  # a page shows the review itself
        reply = json.dumps(payload, ensure_ascii=False)
    await client.send(reply)
    visitor.notify()


async def handle_branch(client: ClientConnection, room: Room, message: dict[str, Any]) -> str:
    """Create a table that continues a finished game from one of its positions, against bots; reply with its URL."""
    role, index, game = client.visitor.role, parse_replay_index(message["at"]), room.game
    if game is None or not game.over or index is None:
        raise Refused(errors.PLAY_ON_LATER)
    name, key = await create_branch(client.registry, room, role, index, client.visitor.address)
    return json.dumps({"type": "table", "to": client.url_for(f"/table/{name}#{key}")})


async def handle_keep_game(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    await room.keep_game(client.visitor.role)
