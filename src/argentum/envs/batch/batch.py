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
from dataclasses import replace
from types import TracebackType
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from argentum.envs.batch.workers import BatchPlan, BatchShare, SettingsBlock
from argentum.envs.settings import EnvOptions, EnvSettings, Opponents, make_settings
from argentum.observations import c_writer
from argentum.observations.actions import ACTION_COUNT, ILLEGAL_ACTION, NO_ACTION, action_text
from argentum.processes import ProcessPool, SharedBuffer, shared_memory


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

    The `options` are fields of :class:`argentum.envs.settings.EnvSettings`, and change those of `settings`. Without
    `opponents`, the caller acts for every seat (self-play). Instead of a number of games, `games` can be a list of
    :class:`SettingsBlock`, whose games have different settings: rows are in the order of the blocks, and arrays with a
    column per seat have as many columns as the largest number of players.

    The games are played in this process and `processes - 1` others; with a `pool`, which several batches can share,
    only in its processes. A row plays the same games as the Gymnasium environment with the seed of that row, in any
    number of processes. `step` is `send` followed by `wait`; between these two, the worker processes play, and the
    caller can do something else.

    With `with_hidden_state`, :attr:`hidden_states` has the residents of all cards. A batch can be copied and pickled
    between steps. An illegal action raises ValueError, unless `illegal_reward` is set.
    """

    def __init__(
        self,
        games: int | Sequence[SettingsBlock],
        settings: EnvSettings | None = None,
        *,
        processes: int = 1,
        pool: ProcessPool | None = None,
        with_hidden_state: bool = False,
        **options: Unpack[EnvOptions],
    ) -> None:
        if not isinstance(games, Sequence):
            games = [SettingsBlock(games, make_settings(settings, **options))]
        elif settings is not None or options:
            raise ValueError("the blocks of a batch have their own settings: give no others")
        self._plan = plan = _check_plan(BatchPlan(tuple(games), with_hidden_state))
        self.games = plan.games
        self.illegal_reward = plan.blocks[0].settings.illegal_reward
        if plan.games < 1 or processes < 1:
            raise ValueError(f"{plan.games} games in {processes} processes: there must be at least one of each")
        if c_writer.problem():
            message = f"the batch is slow, because it runs without its C writer: {c_writer.problem()}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        own_shares = 0 if pool else 1  # played by this process
        shares = self._shares = pool.size if pool else min(processes, plan.games)
        self.memory: SharedBuffer = (
            bytearray(plan.required_bytes()) if shares == own_shares else shared_memory(plan.required_bytes())
        )
        arrays = self._arrays = plan.make_arrays(self.memory)
        self._pool = pool or ProcessPool(shares - own_shares, "batch")
        self._owns_pool = pool is None
        self._local_shares = [BatchShare(plan, self.memory, index, shares) for index in range(own_shares)]
        self._remote_shares = self._pool.add(
            BatchShare, [(plan, self.memory, index, shares) for index in range(own_shares, shares)]
        )
        self.closed = False
        self._is_stepping = False
        self._row_indexes = np.arange(self.games)
        self._step = BatchStep(
            arrays.observations, arrays.masks, arrays.rewards, arrays.terminations, arrays.seats, arrays.truncations
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle_batch, (self._plan, self._shares, self.save(), self._arrays.all_arrays())

    @property
    def workers(self) -> list[int]:
        """Process ids of the worker processes."""
        return [worker.pid for worker in self._pool.workers]

    @property
    def observations(self) -> NDArray[np.uint8]:
        return self._arrays.observations

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
    def rewards(self) -> NDArray[np.float32]:
        return self._arrays.rewards

    @property
    def terminations(self) -> NDArray[np.bool_]:
        return self._arrays.terminations

    @property
    def round_ends(self) -> NDArray[np.bool_]:
        """Whether the last step played a round to its end."""
        return self._arrays.round_ends

    @property
    def hidden_states(self) -> NDArray[np.uint8]:
        """Residents of all cards, numbered from 1, for training only: an array of games x 2 x 52, padded with 0.

        The first 52 are those of the card tokens of the observation, in the same order; the others those of the deck
        from the top.
        """
        if not self._plan.with_hidden_state:
            raise ValueError("the batch has no hidden states: create it with Batch(..., with_hidden_state=True)")
        return self._arrays.hidden_states

    def reset(self, seed: int | Sequence[int] | None = None) -> BatchStep:
        """Start new games. `seed` is a list with a seed per game, or a single seed for :func:`place_seeds`."""
        seeds = place_seeds(seed, self.games) if seed is None or isinstance(seed, int) else list(seed)
        if len(seeds) != self.games:
            raise ValueError(f"{len(seeds)} seeds for {self.games} games")
        self._call("reset", seeds)
        return self._step

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on, in all blocks."""
        blocks = [block._replace(settings=replace(block.settings, opponents=opponents)) for block in self._plan.blocks]
        self._call("set_opponents", opponents)
        self._plan = self._plan._replace(blocks=tuple(blocks))

    def step(self, actions: ArrayLike) -> BatchStep:
        """Apply an action in each game; -1 leaves a game unchanged.

        An illegal action raises ValueError and nothing changes; with `illegal_reward`, its game ends.
        """
        self.send(actions)
        return self.wait()

    def send(self, actions: ArrayLike) -> None:
        """Start a step in the worker processes; `wait` finishes it. Actions are as for `step`."""
        self._require_idle()
        self._arrays.actions[:] = self._validate_actions(np.asarray(actions))
        if self._pool.size:
            self._remote_shares.send("step")
        self._is_stepping = True

    def wait(self) -> BatchStep:
        """Finish the step that `send` started: play this process's share of it, and wait for the others."""
        if not self._is_stepping:
            raise ValueError("there is no step to wait for: call send()")
        self._is_stepping = False
        try:
            for share in self._local_shares:
                share.step()
        finally:
            if self._pool.size:
                self._remote_shares.receive()
        return self._step

    def save(self) -> list[bytes]:
        """Return the state of each game, for `restore` of a batch with the same blocks in any number of processes."""
        states: dict[int, bytes] = {}
        for saved in self._call("save"):
            states |= saved
        return [states[row] for row in sorted(states)]

    def restore(self, saved: Sequence[bytes]) -> BatchStep:
        """Continue with the games that `save` returned; the last rewards and results are not restored."""
        if len(saved) == self.games:
            self._call("restore", saved)
        elif saved:  # Before the first reset, there are none to save.
            raise ValueError(f"{len(saved)} saved games for a batch of {self.games}")
        return self._step

    def _call(self, method: str, *arguments: object) -> list[Any]:
        """Call a method of all shares and return the results."""
        self._require_idle()
        self._remote_shares.send(method, *arguments)
        results: list[Any] = []
        try:
            results += [getattr(share, method)(*arguments) for share in self._local_shares]
        finally:  # Otherwise the next call would receive the results of this one.
            results += self._remote_shares.receive()
        return results

    def sample(self, random: np.random.Generator) -> NDArray[np.intp]:
        """Sample a legal action for each game uniformly."""
        masks, random_values = self._arrays.masks, random.random(self.games)
        actions = np.empty(self.games, np.int64)
        module = c_writer.load()
        if module is not None:  # In a batch of 64 games, NumPy for all masks at once would add 15 % to a step.
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
            return actions  # In a batch of 64 games, NumPy would add 7 % to a step for this, in one of 16 games 25 %.
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

    def _require_idle(self) -> None:
        if self.closed:
            raise ValueError("the batch is closed")
        if self._is_stepping:
            raise ValueError("a step is running: call wait()")

    def close(self) -> None:
        """End the batch's own processes. A pool that was given to the batch stays open."""
        self.closed = True
        if self._owns_pool:
            self._pool.close()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _check_plan(plan: BatchPlan) -> BatchPlan:
    """Return `plan`; raise ValueError if its blocks cannot be in one batch."""
    if not plan.blocks or min([block.games for block in plan.blocks]) < 0:
        raise ValueError("a batch has at least one block, and blocks have no negative number of games")
    for setting in ("history", "illegal_reward"):
        if len({getattr(block.settings, setting) for block in plan.blocks}) > 1:
            raise ValueError(f"all blocks of a batch have the same {setting}")
    return plan


def _unpickle_batch(plan: BatchPlan, shares: int, saved: list[bytes], arrays: list[NDArray[Any]]) -> Batch:
    batch = Batch(plan.blocks, processes=shares, with_hidden_state=plan.with_hidden_state)
    batch.restore(saved)
    for array, saved_array in zip(batch._arrays.all_arrays(), arrays, strict=True):
        array[:] = saved_array
    return batch
