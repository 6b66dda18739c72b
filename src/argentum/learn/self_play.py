"""The games that are learned from: many at once, in worker processes, in two halves that take turns.

While the games of one half are played on, the network looks at the other. Each half has its arrays in memory that all
processes see; a row of them is a game. Rows are in order of the number of seats, and for each of these: games against
the league, games of the network with itself, and games against bots.
"""

import ctypes
import multiprocessing
import pickle
import signal
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from os import cpu_count
from traceback import format_exc
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.envs.batch.arrays import SharedBuffer, writable_bytes
from argentum.envs.batch.games import BatchGames
from argentum.envs.episode import BotEpisode, new_bot_episode
from argentum.envs.settings import make_settings
from argentum.learn import config as cf
from argentum.observations.actions import ACTION_COUNT
from argentum.observations.encoder import make_encoder
from argentum.observations.layout import OBSERVATION_SIZE, HIDDEN_STATE_SIZE
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK

CONTEXT: Final = multiprocessing.get_context("spawn")
HALVES: Final = 2
ALIGNED: Final = 4096  # a page: arrays can be pinned
# What happened in a row by the last step.
NOTHING: Final = 0
ROUND_OVER: Final = 1
GAME_OVER: Final = 2
# Kinds of games.
LEAGUE: Final = "league"
SELF: Final = "self"
# What a worker is told.
START: Final = "start"
STEP: Final = "step"
KEEP: Final = "keep"

Kept: TypeAlias = dict[tuple[int, int], tuple[int, list[int]]]  # by half and row: a game's count and moves


class Block(NamedTuple):
    """Games of one kind: rows `first` to `after - 1` of each half."""

    kind: str  # LEAGUE, SELF or the name of a bot
    players: int
    boxes: str
    first: int
    after: int


def shares(total: int, parts: dict[str, float]) -> dict[str, int]:
    """A total divided into parts by their weights; the sum is kept."""
    whole = sum(parts.values())
    ends = np.round(np.cumsum([0.0, *parts.values()]) / whole * total).astype(int)
    return {name: int(after - first) for name, (first, after) in zip(parts, pairwise(ends), strict=True)}


def blocks(games: cf.Games, league: float) -> list[Block]:
    """How the games of a half are divided."""
    kinds = {LEAGUE: league, SELF: 1 - league - sum(games.bots.values()), **games.bots}
    found: list[Block] = []
    row = 0
    for players, number in shares(games.games, games.seats).items():
        for kind, some in shares(number, kinds).items():
            for boxes, few in shares(some, games.boxes).items():
                if few:
                    found.append(Block(kind, int(players), boxes, row, row + few))
                    row += few
    return found


class Arrays:
    """The rows of a half, in one piece of memory."""

    def __init__(self, games: int, memory: SharedBuffer) -> None:
        self._memory = memory
        self._used = 0
        self.observations: NDArray[np.uint8] = self._array(np.uint8, (games, OBSERVATION_SIZE))
        self.masks: NDArray[np.bool_] = self._array(np.bool_, (games, ACTION_COUNT))
        self.truths: NDArray[np.uint8] = self._array(np.uint8, (games, 2, CARDS_IN_DECK))
        self.seats: NDArray[np.uint8] = self._array(np.uint8, (games,))
        self.points: NDArray[np.float32] = self._array(np.float32, (games, MAX_PLAYERS))  # of a round that is over
        self.ends: NDArray[np.uint8] = self._array(np.uint8, (games,))
        self.actions: NDArray[np.int32] = self._array(np.int32, (games,))

    @staticmethod
    def room(games: int) -> int:
        """The bytes that they take."""
        return games * (OBSERVATION_SIZE + ACTION_COUNT + HIDDEN_STATE_SIZE + 1 + 4 * MAX_PLAYERS + 1 + 4) + 8 * ALIGNED

    def _array(self, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        start = -(-self._used // ALIGNED) * ALIGNED
        array = np.frombuffer(memoryview(self._memory), kind, int(np.prod(shape)), start).reshape(shape)
        self._used = start + array.nbytes
        return array


class Part:
    """A process's games of one block."""

    def __init__(self, block: Block, half: int, arrays: Arrays, first: int, after: int, seed: int) -> None:
        rows = slice(first, after)
        bots = () if block.kind in (LEAGUE, SELF) else block.kind
        self.settings: Final = make_settings(block.boxes, block.players, opponents=bots, reward="round")
        self.keys: Final = [(half, row) for row in range(first, after)]
        self.seed: Final = (seed * HALVES + half) << 32
        self.first: Final = first
        self.players: Final = block.players
        self.counts = [0] * (after - first)  # of the games that were begun, by place
        self.actions: Final = arrays.actions[rows]
        self.points: Final = arrays.points[rows]
        self.ends: Final = arrays.ends[rows]
        written = [
            writable_bytes(array[rows]) for array in (arrays.observations, arrays.masks, arrays.seats, arrays.truths)
        ]
        observations, masks, seats, truths = written
        self.games: Final = BatchGames(
            self.settings,
            self.next_seed,
            observations,
            masks,
            seats,
            truths,
            make_encoder(observations, masks, seats, truths, self.settings.players, self.settings.history),
        )
        self.games.prefetch = True  # few as they may be here: all parts of a process take turns in its caches

    def next_seed(self, place: int) -> int:
        """What the next game at a place follows from: its row, and how many there were before."""
        self.counts[place] += 1
        return self._seed(place)

    def _seed(self, place: int) -> int:
        return ((self.seed + self.first + place) << 32) + self.counts[place]

    def start(self, kept: Kept) -> None:
        """Begin games, or go on with those that were kept."""
        self.ends.fill(NOTHING)
        if not kept:
            self.games.reset()
            return
        matches: list[BotEpisode] = []
        for place, key in enumerate(self.keys):
            self.counts[place], moves = kept[key]
            match = new_bot_episode(self.settings, self._seed(place), False)
            for move in moves[len(match.episode.moves) :]:
                match.episode.step(move)
            matches.append(match)
        self.games.restore(matches)

    def step(self) -> None:
        """An action in each game."""
        self.ends.fill(NOTHING)
        for ending in self.games.step(self.actions.tolist()):
            self.ends[ending.index] = GAME_OVER if ending.over else ROUND_OVER
            self.points[ending.index, : self.players] = [-reward for reward in ending.rewards]

    def keep(self) -> Kept:
        """Each game as its count and moves."""
        games = zip(self.keys, self.counts, self.games.episodes, strict=True)
        return {key: (count, match.episode.moves) for key, count, match in games}


class Shift:
    """One process's games of both halves."""

    def __init__(self, told: list[Block], arrays: Sequence[Arrays], nth: int, of: int, seed: int) -> None:
        self.parts: list[list[Part]] = [[], []]
        for half in range(HALVES):
            for block in told:
                size = block.after - block.first
                first, after = block.first + size * nth // of, block.first + size * (nth + 1) // of
                if after > first:
                    self.parts[half].append(Part(block, half, arrays[half], first, after, seed))

    def do(self, what: str, half: int, kept: Kept) -> Kept:
        """Do what is told with one half."""
        found: Kept = {}
        for part in self.parts[half]:
            if what == STEP:
                part.step()
            elif what == START:
                part.start(kept)
            else:
                found.update(part.keep())
        return found


def work(
    pipe: Connection, told: list[Block], games: int, memory: list[SharedBuffer], nth: int, of: int, seed: int
) -> None:
    """What a worker process does until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the trainer hears Ctrl-C, and then ends the others
    try:
        shift = Shift(told, [Arrays(games, one) for one in memory], nth, of, seed)
        while True:
            what, half, kept = pickle.loads(pipe.recv_bytes())
            pipe.send_bytes(pickle.dumps(shift.do(what, half, kept)))
    except (EOFError, BrokenPipeError):
        pass
    except Exception:
        pipe.send_bytes(pickle.dumps(format_exc()))


class Fleet:
    """All games, in two halves: `send` lets one be played on, and `wait` waits for it."""

    def __init__(self, config: cf.Config, league: float) -> None:
        self.blocks: Final = blocks(config.games, league)
        self.games: Final = config.games.games
        processes = config.processes or max((cpu_count() or 2) - 1, 1)
        memory = [_shared(Arrays.room(self.games)) for _ in range(HALVES)]
        self.arrays: Final = [Arrays(self.games, one) for one in memory]
        self.memory: Final = memory
        self._pipes: list[Connection] = []
        self._workers = []
        for nth in range(processes):
            mine, theirs = CONTEXT.Pipe()
            worker = CONTEXT.Process(
                target=work,
                args=(theirs, self.blocks, self.games, memory, nth, processes, config.seed),
                name=f"argentum-fleet-{nth}",
                daemon=True,
            )
            worker.start()
            theirs.close()
            self._pipes.append(mine)
            self._workers.append(worker)

    def start(self, kept: Kept) -> None:
        """Begin all games, or go on with those that were kept."""
        for half in range(HALVES):
            self._tell(START, half, kept)
            self.wait(half)

    def send(self, half: int) -> None:
        """Let the games of a half be played on by the actions that stand in its array."""
        self._tell(STEP, half, {})

    def wait(self, half: int) -> Kept:  # noqa: ARG002  # halves answer in the order in which they were told
        """Wait until what was told first is done."""
        found: Kept = {}
        for worker, pipe in zip(self._workers, self._pipes, strict=True):
            try:
                answer = pickle.loads(pipe.recv_bytes())
            except (EOFError, OSError):
                worker.join()
                raise RuntimeError(f"a process that plays is gone (exit code {worker.exitcode})") from None
            if isinstance(answer, str):
                raise RuntimeError(f"a process that plays failed:\n{answer}")
            found.update(answer)
        return found

    def keep(self) -> Kept:
        """All games, to go on with later; nothing may be under way."""
        found: Kept = {}
        for half in range(HALVES):
            self._tell(KEEP, half, {})
            found.update(self.wait(half))
        return found

    def _tell(self, what: str, half: int, kept: Kept) -> None:
        message = pickle.dumps((what, half, kept))
        for pipe in self._pipes:
            pipe.send_bytes(message)

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for worker in self._workers:
            worker.join()

    def __enter__(self) -> "Fleet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _shared(size: int) -> SharedBuffer:
    """Memory that worker processes see, and nobody else by a name."""
    memory: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory
