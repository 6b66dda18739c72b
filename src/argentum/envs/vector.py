"""Gymnasium vector environment on top of the batch environment.

>>> import gymnasium
>>> import argentum.envs
>>> environments = gymnasium.make_vec("argentum/Silver-v1", num_envs=4, boxes="coin", opponents="random")
>>> observations, infos = environments.reset(seed=7)
>>> observations.shape, infos["action_mask"].sum(axis=1)
((4, 1308), array([5, 5, 5, 5]))
>>> environments.close()
"""

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from argentum.envs import spaces
from argentum.envs.batch.batch import Batch
from argentum.envs.settings import EnvOptions, EnvSettings, Opponents, make_learner_settings
from argentum.observations.actions import ACTION_COUNT, NO_ACTION
from argentum.rules.events import END_REASONS
from argentum.rules.table import NO_END_REASON

VectorStep = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SilverVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Vector environment in which the learner plays one seat of each game against bots.

    The settings are those of :class:`argentum.envs.gym.SilverEnv`. In addition, the games are spread over a number of
    `processes`. `max_episode_steps` is Gymnasium's name for `max_steps`.

    With the same list of seeds, results equal those of Gymnasium's `SyncVectorEnv`; a single seed is expanded by
    :func:`argentum.envs.batch.batch.place_seeds`. With `AutoresetMode.SAME_STEP`, a game that ends is reset in the same
    step, and the infos have its `final_obs` and `final_info`. With `AutoresetMode.NEXT_STEP`, the next step resets it
    and ignores its action.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        settings: EnvSettings | None = None,
        *,
        observation: str = spaces.FORM_PLAIN,
        processes: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.SAME_STEP,
        **options: Unpack[EnvOptions],
    ) -> None:
        if max_episode_steps is not None:
            options["max_steps"] = max_episode_steps
        self.observation_form = spaces.check_form(observation)
        if autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError("games are always followed by the next: choose AutoresetMode.SAME_STEP or NEXT_STEP")
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self.resets_in_same_step = autoreset_mode == AutoresetMode.SAME_STEP
        env_settings = make_learner_settings(settings, **options)
        self.batch = Batch(num_envs, env_settings, processes=processes)
        self.num_envs = num_envs
        self.single_observation_space = spaces.observation_space(self.observation_form, env_settings.history)
        self.single_action_space = spaces.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._row_indexes = np.arange(num_envs)
        self._awaiting_reset = np.zeros(num_envs, bool)  # games that have ended and that the next step resets

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games and play the bots until the learners' first decisions."""
        super().reset(seed=seed if isinstance(seed, int) else None, options=options)
        if seed is None:
            seed = int(self.np_random.integers(1 << 62))
        step = self.batch.reset(seed)
        self._awaiting_reset.fill(False)
        return self._to_observations(step.observations, step.masks), self._infos(step.masks)

    def step(self, actions: NDArray[np.int64]) -> VectorStep:
        """Apply the learners' actions and play the bots until the learners' next decisions.

        An illegal action changes nothing; with `illegal_reward`, it ends its game.
        """
        actions = np.asarray(actions)
        clipped = np.clip(actions, 0, ACTION_COUNT - 1)
        is_illegal = ~(self.batch.masks[self._row_indexes, clipped] & (clipped == actions)) & ~self._awaiting_reset
        learners = self.batch.seats.copy()
        refused = NO_ACTION if self.batch.illegal_reward is None else ACTION_COUNT
        step = self.batch.step(np.where(self._awaiting_reset, NO_ACTION, np.where(is_illegal, refused, actions)))
        over, truncated = step.terminations.copy(), step.truncations.copy()
        rewards = step.rewards[self._row_indexes, learners].astype(np.float64)
        rows, masks = step.observations, step.masks
        infos: dict[str, Any] = {}
        ended = over | truncated
        if ended.any() and self.resets_in_same_step:
            infos["final_obs"], infos["_final_obs"] = self._final_observations(ended), ended
            infos["final_info"], infos["_final_info"] = self._outcome_infos(ended), ended
        elif ended.any():
            rows = np.where(ended[:, None], self.batch.last_observations, rows)
            masks = masks & ~ended[:, None]
            infos |= self._outcome_infos(ended)
        self._awaiting_reset = ended & (not self.resets_in_same_step)
        if is_illegal.any():
            infos["illegal"] = infos["_illegal"] = is_illegal
        return self._to_observations(rows, masks), rewards, over, truncated, self._infos(masks) | infos

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on."""
        self.batch.set_opponents(opponents)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002  # Gymnasium's signature
        self.batch.close()

    def _to_observations(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Any:
        """Convert rows to the observation form; copy them, because the next step overwrites them."""
        return spaces.convert_to_form(rows.copy(), masks, self.observation_form)

    def _final_observations(self, over: NDArray[np.bool_]) -> NDArray[Any]:
        """Return the final observations as an object array, with None for games that have not ended."""
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(over):
            final[index] = self._to_observations(self.batch.last_observations[index], np.zeros(ACTION_COUNT, bool))
        return final

    def _outcome_infos(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the infos with the results of games that the last step played to their end."""
        reasons = self.batch.last_reasons
        played = ended & (reasons != NO_END_REASON)
        if not played.any():
            return {}
        points, ranks = self.batch.last_points * played[:, None], self.batch.last_ranks * played[:, None]
        reason_texts = np.full(self.num_envs, None, object)
        reason_texts[played] = [END_REASONS[reason] for reason in reasons[played]]
        return {
            "points": points,
            "_points": played,
            "ranks": ranks,
            "_ranks": played,
            "reason": reason_texts,
            "_reason": played,
        }

    def _infos(self, masks: NDArray[np.bool_]) -> dict[str, Any]:
        return {"action_mask": masks.astype(np.int8), "_action_mask": np.ones(self.num_envs, bool)}
