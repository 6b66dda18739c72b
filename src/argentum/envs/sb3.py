"""Stable-Baselines3 `VecEnv` on top of the batch environment. An example:

from sb3_contrib import MaskablePPO
from argentum.envs.sb3 import SilverVecEnv

model = MaskablePPO("MlpPolicy", SilverVecEnv(64, opponents="quick", rounds=1), n_steps=128, batch_size=1024)
model.learn(500_000)
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from argentum.envs import spaces
from argentum.envs.batch.batch import place_seeds
from argentum.envs.settings import Opponents
from argentum.envs.vector import SilverVectorEnv

ACTION_MASKS: Final = "action_masks"  # method that MaskablePPO calls
TERMINAL_OBSERVATION: Final = "terminal_observation"
TRUNCATED: Final = "TimeLimit.truncated"
OUTCOME_KEYS: Final = ("points", "ranks", "reason")  # keys in the info of a game that was played to its end
VecEnvStep = tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class SilverVecEnv(VecEnv):  # type: ignore[misc]  # mypy runs without the package
    """Vector environment in which the learner plays one seat of each game against bots.

    The arguments are those of :class:`argentum.envs.vector.SilverVectorEnv`; the default observation form is `vector`.
    With the same seeds, results equal those of a `DummyVecEnv`. At the end of a game the info has `points` and `ranks`
    by seat, and the `reason` why the last round ended.
    """

    def __init__(self, num_envs: int = 1, observation: str = spaces.FORM_VECTOR, **arguments: Any) -> None:
        self.vector_env: Final = SilverVectorEnv(num_envs, observation=observation, **arguments)
        super().__init__(num_envs, self.vector_env.single_observation_space, self.vector_env.single_action_space)
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)

    def reset(self) -> Any:
        """Start new games with the seeds set by `seed`, or with random ones if none were set."""
        is_seeded = self._seeds[0] is not None
        observations, infos = self.vector_env.reset(seed=self._seeds if is_seeded else None)
        self.reset_infos = [{"action_mask": mask} for mask in infos["action_mask"]]
        self._reset_seeds()
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Derive a seed for each game from one seed; use them in the next reset and return them."""
        self._seeds = place_seeds(seed, self.num_envs)
        return self._seeds

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStep:
        """Apply the actions passed to `step_async`. Games that end are reset in the same step."""
        observations, rewards, over, truncated, vector_infos = self.vector_env.step(self._actions)
        infos: list[dict[str, Any]] = [
            {"action_mask": mask, TRUNCATED: bool(is_truncated and not is_over)}
            for mask, is_truncated, is_over in zip(vector_infos["action_mask"], truncated, over, strict=True)
        ]
        for index in np.flatnonzero(over | truncated):
            infos[index][TERMINAL_OBSERVATION] = vector_infos["final_obs"][index]
        ended = vector_infos.get("final_info", {})
        for index in np.flatnonzero(ended.get("_reason", False)):
            infos[index] |= {key: ended[key][index] for key in OUTCOME_KEYS}
        for index in np.flatnonzero(vector_infos.get("illegal", False)):
            infos[index]["illegal"] = True
        return observations, rewards.astype(np.float32), over | truncated, infos

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on."""
        self.vector_env.set_opponents(opponents)

    def close(self) -> None:
        self.vector_env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the vector environment for each game; for `action_masks`, a function per game."""
        indexes = list(self._get_indices(indices))
        if attr_name == ACTION_MASKS:
            return [lambda index=index: self.vector_env.batch.masks[index].copy() for index in indexes]
        return [getattr(self.vector_env, attr_name) for _ in indexes]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002  # VecEnv's signature
        """Raise AttributeError: games have no settable attributes."""
        raise AttributeError(
            f"{attr_name} cannot be set for single games: create another environment, or see set_opponents()"
        )

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call `action_masks` of each game; raise AttributeError for other methods, which games do not have."""
        if method_name != ACTION_MASKS:
            raise AttributeError(f"single games have no method {method_name}: they have {ACTION_MASKS}")
        return [masks(*method_args, **method_kwargs) for masks in self.get_attr(ACTION_MASKS, indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002  # VecEnv's signature
        return [False for _ in self._get_indices(indices)]
