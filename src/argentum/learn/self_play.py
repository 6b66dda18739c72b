"""Self-play games in worker processes, in two halves: while one half is stepped, the network acts for the other.

Each half has its arrays in shared memory, with one row per game. Rows are ordered by the number of players, and for
each of these: games against the league, games of the network against itself, and games against bots.
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
from argentum.observations.layout import HIDDEN_STATE_SIZE, OBSERVATION_SIZE
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK

CONTEXT: Final = multiprocessing.get_context("spawn")
HALF_COUNT: Final = 2
PAGE_SIZE: Final = 4096  # arrays are aligned to pages, so that they can be pinned
# What the last step ended in a row.
END_NONE: Final = 0
END_ROUND: Final = 1
END_GAME: Final = 2
# Opponents of the learner, besides the names of bots.
OPPONENT_LEAGUE: Final = "league"
OPPONENT_SELF: Final = "self"
# Operations of a worker.
OP_START: Final = "start"
OP_STEP: Final = "step"
OP_SAVE: Final = "save"

# By half and row: the number of games started in the row, and the moves of the current one.
SavedSelfPlayGames: TypeAlias = dict[tuple[int, int], tuple[int, list[int]]]


class GameBlock(NamedTuple):
    """Games with the same opponents, number of players and deck: rows `first` to `end - 1` of each half."""

    opponent: str  # OPPONENT_LEAGUE, OPPONENT_SELF or the name of a bot
    players: int
    boxes: str
    first: int
    end: int


def split_by_weight(total: int, weights: dict[str, float]) -> dict[str, int]:
    """Divide a total in proportion to weights, into integers that add up to it."""
    ends = np.round(np.cumsum([0.0, *weights.values()]) / sum(weights.values()) * total).astype(int)
    return {name: int(end - first) for name, (first, end) in zip(weights, pairwise(ends), strict=True)}


def make_blocks(games: cf.GamesConfig, league_fraction: float) -> list[GameBlock]:
    """Divide the games of a half by number of players, opponent and deck."""
    opponents = {
        OPPONENT_LEAGUE: league_fraction,
        OPPONENT_SELF: 1 - league_fraction - sum(games.bots.values()),
        **games.bots,
    }
    blocks: list[GameBlock] = []
    row = 0
    for players, game_count in split_by_weight(games.per_half, games.players).items():
        for opponent, opponent_games in split_by_weight(game_count, opponents).items():
            for boxes, box_games in split_by_weight(opponent_games, games.decks).items():
                if box_games:
                    blocks.append(GameBlock(opponent, int(players), boxes, row, row + box_games))
                    row += box_games
    return blocks


class SelfPlayArrays:
    """The arrays of a half in one shared buffer."""

    def __init__(self, games: int, buffer: SharedBuffer) -> None:
        self._buffer = buffer
        self._used = 0
        self.observations: NDArray[np.uint8] = self._allocate_array(np.uint8, (games, OBSERVATION_SIZE))
        self.masks: NDArray[np.bool_] = self._allocate_array(np.bool_, (games, ACTION_COUNT))
        self.hidden_states: NDArray[np.uint8] = self._allocate_array(np.uint8, (games, 2, CARDS_IN_DECK))
        self.seats: NDArray[np.uint8] = self._allocate_array(np.uint8, (games,))
        # The points of the round that the last step ended.
        self.points: NDArray[np.float32] = self._allocate_array(np.float32, (games, MAX_PLAYERS))
        self.end_kinds: NDArray[np.uint8] = self._allocate_array(np.uint8, (games,))
        self.actions: NDArray[np.int32] = self._allocate_array(np.int32, (games,))

    @staticmethod
    def required_bytes(games: int) -> int:
        return (
            games * (OBSERVATION_SIZE + ACTION_COUNT + HIDDEN_STATE_SIZE + 1 + 4 * MAX_PLAYERS + 1 + 4) + 8 * PAGE_SIZE
        )

    def _allocate_array(self, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        start = -(-self._used // PAGE_SIZE) * PAGE_SIZE
        array = np.frombuffer(memoryview(self._buffer), dtype, int(np.prod(shape)), start).reshape(shape)
        self._used = start + array.nbytes
        return array


class BlockSlice:
    """The games of one block that one worker plays."""

    def __init__(self, block: GameBlock, half: int, arrays: SelfPlayArrays, first: int, end: int, seed: int) -> None:
        rows = slice(first, end)
        bots = () if block.opponent in (OPPONENT_LEAGUE, OPPONENT_SELF) else block.opponent
        self.settings: Final = make_settings(block.boxes, block.players, opponents=bots, reward="round")
        self.keys: Final = [(half, row) for row in range(first, end)]
        self.seed: Final = (seed * HALF_COUNT + half) << 32
        self.first: Final = first
        self.players: Final = block.players
        self.counts = [0] * (end - first)  # games started, by index in the slice
        self.actions: Final = arrays.actions[rows]
        self.points: Final = arrays.points[rows]
        self.end_kinds: Final = arrays.end_kinds[rows]
        outputs = [
            writable_bytes(array[rows])
            for array in (arrays.observations, arrays.masks, arrays.seats, arrays.hidden_states)
        ]
        observations, masks, seats, hidden_states = outputs
        self.games: Final = BatchGames(
            self.settings,
            self.next_seed,
            observations,
            masks,
            seats,
            hidden_states,
        )

    def next_seed(self, index: int) -> int:
        """Count a new game in a row and return its seed, which depends only on the row and that count."""
        self.counts[index] += 1
        return self._current_seed(index)

    def _current_seed(self, index: int) -> int:
        return ((self.seed + self.first + index) << 32) + self.counts[index]

    def start(self, saved: SavedSelfPlayGames) -> None:
        """Start new games if `saved` is empty, else restore the saved ones."""
        self.end_kinds.fill(END_NONE)
        if not saved:
            self.games.reset()
            return
        episodes: list[BotEpisode] = []
        for index, key in enumerate(self.keys):
            self.counts[index], moves = saved[key]
            episode = new_bot_episode(self.settings, self._current_seed(index), False)
            for move in moves[len(episode.episode.moves) :]:
                episode.episode.step(move)
            episodes.append(episode)
        self.games.restore(episodes)

    def step(self) -> None:
        """Play the action of each row, and store which rounds and games ended."""
        self.end_kinds.fill(END_NONE)
        for end in self.games.step(self.actions.tolist()):
            self.end_kinds[end.index] = END_GAME if end.over else END_ROUND
            self.points[end.index, : self.players] = [-reward for reward in end.rewards]

    def save(self) -> SavedSelfPlayGames:
        games = zip(self.keys, self.counts, self.games.episodes, strict=True)
        return {key: (count, episode.episode.moves) for key, count, episode in games}


class WorkerGames:
    """The games of both halves that one worker plays."""

    def __init__(
        self, blocks: list[GameBlock], arrays: Sequence[SelfPlayArrays], worker_index: int, worker_count: int, seed: int
    ) -> None:
        self.slices: list[list[BlockSlice]] = [[], []]
        for half in range(HALF_COUNT):
            for block in blocks:
                size = block.end - block.first
                first, end = (
                    block.first + size * worker_index // worker_count,
                    block.first + size * (worker_index + 1) // worker_count,
                )
                if end > first:
                    self.slices[half].append(BlockSlice(block, half, arrays[half], first, end, seed))

    def execute(self, operation: str, half: int, saved: SavedSelfPlayGames) -> SavedSelfPlayGames:
        """Execute an operation on one half; return the games if the operation saves them."""
        games: SavedSelfPlayGames = {}
        for block_slice in self.slices[half]:
            if operation == OP_STEP:
                block_slice.step()
            elif operation == OP_START:
                block_slice.start(saved)
            else:
                games.update(block_slice.save())
        return games


def run_self_play_worker(
    pipe: Connection,
    blocks: list[GameBlock],
    games: int,
    buffers: list[SharedBuffer],
    worker_index: int,
    worker_count: int,
    seed: int,
) -> None:
    """Run a worker process: execute the operations that arrive on the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The trainer handles Ctrl-C and ends its workers.
    try:
        arrays = [SelfPlayArrays(games, buffer) for buffer in buffers]
        worker_games = WorkerGames(blocks, arrays, worker_index, worker_count, seed)
        while True:
            operation, half, saved = pickle.loads(pipe.recv_bytes())
            pipe.send_bytes(pickle.dumps(worker_games.execute(operation, half, saved)))
    except (EOFError, BrokenPipeError):
        pass
    except Exception:
        pipe.send_bytes(pickle.dumps(format_exc()))


class SelfPlayGames:
    """All games of a run, played by worker processes. `start_step` starts a step of one half; `wait` waits for it."""

    def __init__(self, config: cf.TrainingConfig, league_fraction: float) -> None:
        self.blocks: Final = make_blocks(config.games, league_fraction)
        self.games_per_half: Final = config.games.per_half
        processes = config.processes or max((cpu_count() or 2) - 1, 1)
        self.buffers: Final = [
            shared_buffer(SelfPlayArrays.required_bytes(self.games_per_half)) for _ in range(HALF_COUNT)
        ]
        self.arrays: Final = [SelfPlayArrays(self.games_per_half, buffer) for buffer in self.buffers]
        self._pipes: list[Connection] = []
        self._workers = []
        for worker_index in range(processes):
            pipe, worker_pipe = CONTEXT.Pipe()
            worker = CONTEXT.Process(
                target=run_self_play_worker,
                args=(
                    worker_pipe,
                    self.blocks,
                    self.games_per_half,
                    self.buffers,
                    worker_index,
                    processes,
                    config.seed,
                ),
                name=f"argentum-self-play-{worker_index}",
                daemon=True,
            )
            worker.start()
            worker_pipe.close()
            self._pipes.append(pipe)
            self._workers.append(worker)

    def start(self, saved: SavedSelfPlayGames) -> None:
        """Start new games if `saved` is empty, else restore the saved ones."""
        for half in range(HALF_COUNT):
            self._send(OP_START, half, saved)
            self.wait(half)

    def start_step(self, half: int) -> None:
        """Start stepping the games of a half, with the actions in its array; `wait` waits for the step to finish."""
        self._send(OP_STEP, half, {})

    def wait(self, half: int) -> SavedSelfPlayGames:  # noqa: ARG002  # replies come in the order of the requests
        """Wait until all workers have finished their oldest operation; return the games if it saved them.

        Raise RuntimeError if a worker has failed or ended.
        """
        games: SavedSelfPlayGames = {}
        for worker, pipe in zip(self._workers, self._pipes, strict=True):
            try:
                reply = pickle.loads(pipe.recv_bytes())
            except (EOFError, OSError):
                worker.join()
                raise RuntimeError(f"a self-play worker has ended (exit code {worker.exitcode})") from None
            if isinstance(reply, str):
                raise RuntimeError(f"a self-play worker failed:\n{reply}")
            games.update(reply)
        return games

    def save(self) -> SavedSelfPlayGames:
        """Return all games for a checkpoint. No step may be running."""
        games: SavedSelfPlayGames = {}
        for half in range(HALF_COUNT):
            self._send(OP_SAVE, half, {})
            games.update(self.wait(half))
        return games

    def _send(self, operation: str, half: int, saved: SavedSelfPlayGames) -> None:
        message = pickle.dumps((operation, half, saved))
        for pipe in self._pipes:
            pipe.send_bytes(message)

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        for worker in self._workers:
            worker.join()

    def __enter__(self) -> "SelfPlayGames":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def shared_buffer(size: int) -> SharedBuffer:
    """Allocate a zeroed buffer of shared memory that can be passed to worker processes."""
    buffer: SharedBuffer = CONTEXT.RawArray(ctypes.c_ubyte, size)
    return buffer
