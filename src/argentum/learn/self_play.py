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
from argentum.observations.layout import HIDDEN_STATE_SIZE, OBSERVATION_SIZE
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK

CONTEXT: Final = multiprocessing.get_context("spawn")
HALF_COUNT: Final = 2
PAGE_SIZE: Final = 4096  # a page: arrays can be pinned
# What happened in a row by the last step.
END_NONE: Final = 0
END_ROUND: Final = 1
END_GAME: Final = 2
# Kinds of games.
OPPONENT_LEAGUE: Final = "league"
OPPONENT_SELF: Final = "self"
# What a worker is told.
OP_START: Final = "start"
OP_STEP: Final = "step"
OP_SAVE: Final = "keep"

SavedSelfPlayGames: TypeAlias = dict[
    tuple[int, int], tuple[int, list[int]]
]  # by half and row: a game's count and moves


class GameBlock(NamedTuple):
    """Games of one kind: rows `first` to `after - 1` of each half."""

    opponent: str  # LEAGUE, SELF or the name of a bot
    players: int
    boxes: str
    first: int
    after: int


def split_by_weight(total: int, parts: dict[str, float]) -> dict[str, int]:
    """A total divided into parts by their weights; the sum is kept."""
    whole = sum(parts.values())
    ends = np.round(np.cumsum([0.0, *parts.values()]) / whole * total).astype(int)
    return {name: int(after - first) for name, (first, after) in zip(parts, pairwise(ends), strict=True)}


def make_blocks(games: cf.GamesConfig, league: float) -> list[GameBlock]:
    """How the games of a half are divided."""
    kinds = {OPPONENT_LEAGUE: league, OPPONENT_SELF: 1 - league - sum(games.bots.values()), **games.bots}
    found: list[GameBlock] = []
    row = 0
    for players, number in split_by_weight(games.games, games.seats).items():
        for kind, kind_games in split_by_weight(number, kinds).items():
            for boxes, box_games in split_by_weight(kind_games, games.boxes).items():
                if box_games:
                    found.append(GameBlock(kind, int(players), boxes, row, row + box_games))
                    row += box_games
    return found


class SelfPlayArrays:
    """The rows of a half, in one piece of memory."""

    def __init__(self, games: int, memory: SharedBuffer) -> None:
        self._memory = memory
        self._used = 0
        self.observations: NDArray[np.uint8] = self._array(np.uint8, (games, OBSERVATION_SIZE))
        self.masks: NDArray[np.bool_] = self._array(np.bool_, (games, ACTION_COUNT))
        self.hidden_states: NDArray[np.uint8] = self._array(np.uint8, (games, 2, CARDS_IN_DECK))
        self.seats: NDArray[np.uint8] = self._array(np.uint8, (games,))
        self.points: NDArray[np.float32] = self._array(np.float32, (games, MAX_PLAYERS))  # of a round that is over
        self.end_kinds: NDArray[np.uint8] = self._array(np.uint8, (games,))
        self.actions: NDArray[np.int32] = self._array(np.int32, (games,))

    @staticmethod
    def required_bytes(games: int) -> int:
        """The bytes that they take."""
        return (
            games * (OBSERVATION_SIZE + ACTION_COUNT + HIDDEN_STATE_SIZE + 1 + 4 * MAX_PLAYERS + 1 + 4) + 8 * PAGE_SIZE
        )

    def _array(self, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        start = -(-self._used // PAGE_SIZE) * PAGE_SIZE
        array = np.frombuffer(memoryview(self._memory), kind, int(np.prod(shape)), start).reshape(shape)
        self._used = start + array.nbytes
        return array


class BlockSlice:
    """A process's games of one block."""

    def __init__(self, block: GameBlock, half: int, arrays: SelfPlayArrays, first: int, after: int, seed: int) -> None:
        rows = slice(first, after)
        bots = () if block.opponent in (OPPONENT_LEAGUE, OPPONENT_SELF) else block.opponent
        self.settings: Final = make_settings(block.boxes, block.players, opponents=bots, reward="round")
        self.keys: Final = [(half, row) for row in range(first, after)]
        self.seed: Final = (seed * HALF_COUNT + half) << 32
        self.first: Final = first
        self.players: Final = block.players
        self.counts = [0] * (after - first)  # of the games that were begun, by place
        self.actions: Final = arrays.actions[rows]
        self.points: Final = arrays.points[rows]
        self.ends: Final = arrays.end_kinds[rows]
        written = [
            writable_bytes(array[rows])
            for array in (arrays.observations, arrays.masks, arrays.seats, arrays.hidden_states)
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

    def start(self, saved: SavedSelfPlayGames) -> None:
        """Begin games, or go on with those that were kept."""
        self.ends.fill(END_NONE)
        if not saved:
            self.games.reset()
            return
        matches: list[BotEpisode] = []
        for place, key in enumerate(self.keys):
            self.counts[place], moves = saved[key]
            match = new_bot_episode(self.settings, self._seed(place), False)
            for move in moves[len(match.episode.moves) :]:
                match.episode.step(move)
            matches.append(match)
        self.games.restore(matches)

    def step(self) -> None:
        """An action in each game."""
        self.ends.fill(END_NONE)
        for ending in self.games.step(self.actions.tolist()):
            self.ends[ending.index] = END_GAME if ending.over else END_ROUND
            self.points[ending.index, : self.players] = [-reward for reward in ending.rewards]

    def save(self) -> SavedSelfPlayGames:
        """Each game as its count and moves."""
        games = zip(self.keys, self.counts, self.games.episodes, strict=True)
        return {key: (count, match.episode.moves) for key, count, match in games}


class WorkerGames:
    """One process's games of both halves."""

    def __init__(
        self, blocks: list[GameBlock], arrays: Sequence[SelfPlayArrays], worker_index: int, worker_count: int, seed: int
    ) -> None:
        self.slices: list[list[BlockSlice]] = [[], []]
        for half in range(HALF_COUNT):
            for block in blocks:
                size = block.after - block.first
                first, after = (
                    block.first + size * worker_index // worker_count,
                    block.first + size * (worker_index + 1) // worker_count,
                )
                if after > first:
                    self.slices[half].append(BlockSlice(block, half, arrays[half], first, after, seed))

    def handle(self, operation: str, half: int, saved: SavedSelfPlayGames) -> SavedSelfPlayGames:
        """Do what is told with one half."""
        found: SavedSelfPlayGames = {}
        for part in self.slices[half]:
            if operation == OP_STEP:
                part.step()
            elif operation == OP_START:
                part.start(saved)
            else:
                found.update(part.save())
        return found


def run_self_play_worker(
    pipe: Connection,
    blocks: list[GameBlock],
    games: int,
    memory: list[SharedBuffer],
    worker_index: int,
    worker_count: int,
    seed: int,
) -> None:
    """What a worker process does until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the trainer hears Ctrl-C, and then ends the others
    try:
        shift = WorkerGames(blocks, [SelfPlayArrays(games, one) for one in memory], worker_index, worker_count, seed)
        while True:
            operation, half, saved = pickle.loads(pipe.recv_bytes())
            pipe.send_bytes(pickle.dumps(shift.handle(operation, half, saved)))
    except (EOFError, BrokenPipeError):
        pass
    except Exception:
        pipe.send_bytes(pickle.dumps(format_exc()))


class SelfPlayGames:
    """All games, in two halves: `send` lets one be played on, and `wait` waits for it."""

    def __init__(self, config: cf.TrainingConfig, league: float) -> None:
        self.blocks: Final = make_blocks(config.games, league)
        self.games: Final = config.games.games
        processes = config.processes or max((cpu_count() or 2) - 1, 1)
        memory = [shared_buffer(SelfPlayArrays.required_bytes(self.games)) for _ in range(HALF_COUNT)]
        self.arrays: Final = [SelfPlayArrays(self.games, one) for one in memory]
        self.buffers: Final = memory
        self._pipes: list[Connection] = []
        self._workers = []
        for worker_index in range(processes):
            mine, theirs = CONTEXT.Pipe()
            worker = CONTEXT.Process(
                target=run_self_play_worker,
                args=(theirs, self.blocks, self.games, memory, worker_index, processes, config.seed),
                name=f"argentum-fleet-{worker_index}",
                daemon=True,
            )
            worker.start()
            theirs.close()
            self._pipes.append(mine)
            self._workers.append(worker)

    def start(self, saved: SavedSelfPlayGames) -> None:
        """Begin all games, or go on with those that were kept."""
        for half in range(HALF_COUNT):
            self._send(OP_START, half, saved)
            self.wait(half)

    def send(self, half: int) -> None:
        """Let the games of a half be played on by the actions that stand in its array."""
        self._send(OP_STEP, half, {})

    def wait(self, half: int) -> SavedSelfPlayGames:  # noqa: ARG002  # halves answer in the order in which they were told
        """Wait until what was told first is done."""
        found: SavedSelfPlayGames = {}
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

    def save(self) -> SavedSelfPlayGames:
        """All games, to go on with later; nothing may be under way."""
        found: SavedSelfPlayGames = {}
        for half in range(HALF_COUNT):
            self._send(OP_SAVE, half, {})
            found.update(self.wait(half))
        return found

    def _send(self, operation: str, half: int, saved: SavedSelfPlayGames) -> None:
        message = pickle.dumps((operation, half, saved))
        for pipe in self._pipes:
            pipe.send_bytes(message)

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for worker in self._workers:
            worker.join()

    def __enter__(self) -> "SelfPlayGames":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def shared_buffer(size: int) -> SharedBuffer:
    """Memory that worker processes see, and nobody else by a name."""
    memory: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return memory
