"""Batch environment: step many games per call, with NumPy arrays, in one process or several.

>>> import numpy as np
>>> with Batch(3, boxes="coin", players=2) as batch:
...     step = batch.reset(seed=1)
...     step.masks.sum(axis=1)  # five cards to look at
...     step = batch.step(batch.sample(np.random.default_rng(1)))
...     step.masks.sum(axis=1), step.terminations.any()
array([5, 5, 5])
(array([4, 4, 4]), np.False_)
"""

import warnings
from collections.abc import Sequence
from itertools import pairwise
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from argentum.envs import settings as settings_module
from argentum.envs.batch.arrays import BatchArrays
from argentum.envs.batch.workers import (
    OP_RESET,
    OP_RESTORE,
    OP_SAVE,
    OP_SET_OPPONENTS,
    OP_STEP,
    BatchWorker,
    GameSlice,
    shared_memory,
)
from argentum.envs.rewards import RANK
from argentum.envs.settings import RANDOM_SEAT, Opponents
from argentum.observations import c_writer
from argentum.observations.actions import ACTION_COUNT, ILLEGAL_ACTION, NO_ACTION, action_text
from argentum.rules.boxes import DEFAULT_BOX
from argentum.rules.scoring import ROUNDS_PER_GAME


def place_seeds(seed: int | None, games: int) -> list[int]:
    """Return a seed for each game, hashed from `seed`, so that batches with different seeds share no games.

    If `seed` is None, the seeds are random.

    >>> place_seeds(1, 2)
    [7434755675892716031, 10007452063617845036]
    >>> place_seeds(2, 2)
    [10128210881749538955, 6172844041825227978]
    """
    seeds: list[int] = np.random.SeedSequence(seed).generate_state(games, np.uint64).tolist()
    return seeds


class BatchStep(NamedTuple):
    """Results of a step: arrays with a row per game, which the next step overwrites."""

    observations: NDArray[np.uint8]  # of the seat to move
    masks: NDArray[np.bool_]  # legal actions of the seat to move
    rewards: NDArray[np.float32]  # of the step, by seat
    terminations: NDArray[np.bool_]  # whether the step ended the game; all but the rewards are then of the next game
    seats: NDArray[np.uint8]  # the seat to move
    truncations: NDArray[np.bool_]  # whether the game reached `max_steps`; the rest is as for `terminations`


class Batch:
    """A batch of games with autoreset in the same step.

    Without `opponents`, the caller acts for every seat (self-play). With `opponents`, bots play all seats but the
    learner's. `opponents` is then the name of a bot for all of these seats, a list with a name for each of them,
    clockwise from the learner, or a function `opponents(index, random)` that returns one of these and is called for
    each game, with its index in the batch. `seat` is the letter of the learner's seat, or `random` to draw it for each
    game. A row plays the same games as the Gymnasium environment with the seed of that row, in any number of
    `processes`.

    Games have one to four `rounds`. Observations contain the last `history` events and actions of the seat to move.
    With `with_hidden_state`, :attr:`hidden_states` has the residents of all cards. A batch can be copied and pickled
    between steps.

    An illegal action raises ValueError; with `illegal_reward`, it ends the game with this reward for its seat. Games
    are truncated after `max_steps` actions, if that is not 0; with `opponents`, only the learner's actions count.
    """

    def __init__(
        self,
        games: int,
        boxes: str = DEFAULT_BOX,
        players: int = 2,
        token: str = "",
        opponents: Opponents = (),
        seat: str = RANDOM_SEAT,
        reward: str = RANK,
        processes: int = 1,
        rounds: int = ROUNDS_PER_GAME,
        history: int = 0,
        with_hidden_state: bool = False,
        illegal_reward: float | None = None,
        max_steps: int = 0,
    ) -> None:
        if games < 1 or processes < 1:
            raise ValueError(f"{games} games in {processes} processes: there must be at least one of each")
        if c_writer.problem():
            message = f"the batch is slow, because it runs without its C writer: {c_writer.problem()}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        settings = settings_module.make_settings(
            boxes, players, token, rounds, opponents, seat, reward, history, illegal_reward, max_steps
        )
        self._settings = settings
        self._arguments: dict[str, Any] = {
            "games": games,
            "boxes": boxes,
            "players": players,
            "token": token,
            "opponents": opponents,
            "seat": seat,
            "reward": reward,
            "processes": processes,
            "rounds": rounds,
            "history": history,
            "with_hidden_state": with_hidden_state,
            "illegal_reward": illegal_reward,
            "max_steps": max_steps,
        }
        slices = min(processes, games)
        size = BatchArrays.required_bytes(games, players, history, with_hidden_state)
        memory = bytearray(size) if slices == 1 else shared_memory(size)
        arrays = self._arrays = BatchArrays(games, players, history, with_hidden_state, memory)
        bounds = [games * index // slices for index in range(slices + 1)]
        self.games = games
        self.history = history
        self.with_hidden_state = with_hidden_state
        self.illegal_reward = illegal_reward
        self.closed = False
        self._local_slice = GameSlice(settings, arrays, 0, bounds[1])  # the games that this process plays
        self._workers = [
            BatchWorker(settings, games, with_hidden_state, memory, first, after)
            for first, after in pairwise(bounds[1:])
        ]
        self._row_indexes = np.arange(games)
        self._step = BatchStep(
            arrays.observations, arrays.masks, arrays.rewards, arrays.terminations, arrays.seats, arrays.truncations
        )

    def __reduce__(self) -> tuple[object, ...]:
        self._require_open()
        for worker in self._workers:
            worker.send(OP_SAVE)
        saved_games = [self._local_slice.save(), *[worker.receive() for worker in self._workers]]
        return _unpickle_batch, (self._arguments, saved_games, self._arrays.all_arrays())

    def _restore(self, saved_games: list[Any], arrays: list[NDArray[Any]]) -> None:
        for worker, games in zip(self._workers, saved_games[1:], strict=True):
            worker.send(OP_RESTORE, games)
        self._local_slice.restore(saved_games[0])
        for worker in self._workers:
            worker.receive()
        for array, saved in zip(self._arrays.all_arrays(), arrays, strict=True):
            array[:] = saved

    @property
    def workers(self) -> list[int]:
        """Process ids of the worker processes. The calling process also plays some of the games."""
        return [worker.pid for worker in self._workers]

    @property
    def masks(self) -> NDArray[np.bool_]:
        return self._arrays.masks

    @property
    def seats(self) -> NDArray[np.uint8]:
        return self._arrays.seats

    @property
    def last_observations(self) -> NDArray[np.uint8]:
        """Final observations of the seats that acted last; valid in rows of games that the last step ended."""
        return self._arrays.last_observations

    @property
    def last_points(self) -> NDArray[np.int32]:
        """Total points by seat; valid in rows of games that the last step played to their end."""
        return self._arrays.last_points

    @property
    def last_ranks(self) -> NDArray[np.int32]:
        """Ranks by seat, 1 for the winner; valid in rows of games that the last step played to their end."""
        return self._arrays.last_ranks

    @property
    def last_reasons(self) -> NDArray[np.int8]:
        """Why the last round ended, as indexes of `argentum.rules.events.END_REASONS`.

        -1 if the game was truncated or ended by an illegal action. Valid in rows of games that the last step ended.
        """
        return self._arrays.last_reasons

    @property
    def hidden_states(self) -> NDArray[np.uint8]:
        """Residents of all cards, numbered from 1, for training only: an array of games x 2 x 52, padded with 0.

        The first 52 are those of the card tokens of the observation, in the same order; the others those of the deck
        from the top.
        """
        if not self.with_hidden_state:
            raise ValueError("the batch has no hidden states: create it with Batch(..., with_hidden_state=True)")
        return self._arrays.hidden_states

    def reset(self, seed: int | Sequence[int] | None = None) -> BatchStep:
        """Start new games. `seed` is a list with a seed per game, or a single seed for :func:`place_seeds`."""
        seeds = place_seeds(seed, self.games) if seed is None or isinstance(seed, int) else list(seed)
        if len(seeds) != self.games:
            raise ValueError(f"{len(seeds)} seeds for {self.games} games")
        self._require_open()
        for worker in self._workers:
            worker.send(OP_RESET, seeds)
        self._local_slice.reset(seeds)
        for worker in self._workers:
            worker.receive()
        return self._step

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on."""
        self._require_open()
        names = settings_module.check_opponents(opponents, self._settings.players)
        settings = self._settings = self._settings._replace(opponents=names)
        self._arguments["opponents"] = opponents
        for worker in self._workers:
            worker.send(OP_SET_OPPONENTS, settings)
        self._local_slice.set_opponents(settings)
        for worker in self._workers:
            worker.receive()

    def step(self, actions: ArrayLike) -> BatchStep:
        """Apply an action in each game; -1 leaves a game unchanged.

        An illegal action raises ValueError and nothing changes; with `illegal_reward`, its game ends.
        """
        self._require_open()
        self._arrays.actions[:] = self._validate_actions(np.asarray(actions))
        for worker in self._workers:
            worker.send(OP_STEP)
        self._local_slice.step()
        for worker in self._workers:
            worker.receive()
        return self._step

    def sample(self, random: np.random.Generator) -> NDArray[np.intp]:
        """Sample a legal action for each game uniformly."""
        masks, random_values = self._arrays.masks, random.random(self.games)
        actions = np.empty(self.games, np.int64)
        module = c_writer.load()
        if module is not None:  # five times as fast as NumPy with all masks at once
            has_actions = module.sample(masks, random_values, actions)
        elif has_actions := bool(masks.any(axis=1).all()):
            legal = map(np.flatnonzero, masks)
            actions[:] = [
                options[int(value * len(options))] for options, value in zip(legal, random_values, strict=True)
            ]
        if not has_actions:
            raise ValueError("nothing is legal in some of the games: call reset() first")
        return actions

    def _validate_actions(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Return the actions, illegal ones as ILLEGAL_ACTION; without an `illegal_reward`, raise ValueError."""
        if actions.shape != (self.games,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.games} whole numbers, not {actions.dtype} of shape {actions.shape}")
        if actions.dtype == np.uint64:  # large values would become negative as int64
            actions = np.minimum(actions, ACTION_COUNT).astype(np.int64)
        module = c_writer.load()
        if module is not None and module.are_legal(self._arrays.masks, np.ascontiguousarray(actions, np.int64)):
            return actions  # In batches of few games, NumPy would take long for this, compared with a step.
        if self.illegal_reward is not None:
            clipped = np.clip(actions, 0, ACTION_COUNT - 1)
            legal = self._arrays.masks[self._row_indexes, clipped] & (clipped == actions)
            return np.where(legal | (actions == NO_ACTION), actions, ILLEGAL_ACTION)
        if actions.min() < NO_ACTION or actions.max() >= ACTION_COUNT:
            raise ValueError(f"actions are numbered 0 to {ACTION_COUNT - 1}")
        legal = self._arrays.masks[self._row_indexes, actions] | (actions == NO_ACTION)
        if not legal.all():
            game = int(np.flatnonzero(~legal)[0])
            options = ", ".join(action_text(int(action)) for action in np.flatnonzero(self._arrays.masks[game]))
            raise ValueError(
                f"'{action_text(int(actions[game]))}' is not legal in game {game} of the batch;"
                f" its seat may play: {options or 'nothing before a reset'}"
            )
        return actions

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("the batch is closed")

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        for worker in self._workers:
            worker.close()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unpickle_batch(arguments: dict[str, Any], saved_games: list[Any], arrays: list[NDArray[Any]]) -> Batch:
    batch = Batch(**arguments)
    batch._restore(saved_games, arrays)
    return batch
