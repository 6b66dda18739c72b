"""Silver as a `VecEnv` of Stable-Baselines3: the batch engine instead of many environments.

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

ACTION_MASKS: Final = "action_masks"  # what MaskablePPO asks for
TERMINAL_OBSERVATION: Final = "terminal_observation"
TRUNCATED: Final = "TimeLimit.truncated"
OUTCOME: Final = ("points", "ranks", "reason")  # of a game that was played to its end
VecEnvStep = tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class SilverVecEnv(VecEnv):  # type: ignore[misc]  # the package is not needed to check ours
    """Games of Silver at one seat each, against bots.

    It takes what :class:`argentum.envs.vector.SilverVectorEnv` takes; observations are vectors unless another form is
    chosen. With the same seeds it gives what a `DummyVecEnv` of single environments gives. At the end of a game, the
    info has each seat's `points` and `ranks`, and the `reason` why the last round ended.
    """

    def __init__(self, num_envs: int = 1, observation: str = spaces.FORM_VECTOR, **settings: Any) -> None:
        self.vector_env: Final = SilverVectorEnv(num_envs, observation=observation, **settings)
        super().__init__(num_envs, self.vector_env.single_observation_space, self.vector_env.single_action_space)
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)

    def reset(self) -> Any:
        """New games, by the seeds that were set; else by any."""
        given = self._seeds[0] is not None
        observations, infos = self.vector_env.reset(seed=self._seeds if given else None)
        self.reset_infos = [{"action_mask": mask} for mask in infos["action_mask"]]
        self._reset_seeds()
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next reset: one for each game, by a hash of this one."""
        self._seeds = place_seeds(seed, self.num_envs)
        return self._seeds

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take an action for each learner."""
        self._actions = actions

    def step_wait(self) -> VecEnvStep:
        """Each learner acts, and the others until it is asked again; a game that ends is followed by the next."""
        observations, rewards, over, cut, vector_infos = self.vector_env.step(self._actions)
        infos: list[dict[str, Any]] = [
            {"action_mask": mask, TRUNCATED: bool(truncated and not end)}
            for mask, truncated, end in zip(vector_infos["action_mask"], cut, over, strict=True)
        ]
        for place in np.flatnonzero(over | cut):
            infos[place][TERMINAL_OBSERVATION] = vector_infos["final_obs"][place]
        ended = vector_infos.get("final_info", {})
        for place in np.flatnonzero(ended.get("_reason", False)):
            infos[place] |= {key: ended[key][place] for key in OUTCOME}
        for place in np.flatnonzero(vector_infos.get("illegal", False)):
            infos[place]["illegal"] = True
        return observations, rewards.astype(np.float32), over | cut, infos

    def set_opponents(self, opponents: Opponents) -> None:
        """Let every game that begins from now on be against other opponents."""
        self.vector_env.set_opponents(opponents)

    def close(self) -> None:
        """End the processes."""
        self.vector_env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute that all games have in common, once for each; or `action_masks`, a function for each."""
        places = list(self._get_indices(indices))
        if attr_name == ACTION_MASKS:
            return [lambda place=place: self.vector_env.batch.masks[place].copy() for place in places]
        return [getattr(self.vector_env, attr_name) for _ in places]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002  # theirs
        """Games have no attributes of their own that could be set."""
        raise AttributeError(f"{attr_name} cannot be set for single games: make another environment, or see meet()")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method gives for each game: `action_masks` is the only one."""
        if method_name != ACTION_MASKS:
            raise AttributeError(f"single games have no method {method_name}: they have {ACTION_MASKS}")
        return [masks(*method_args, **method_kwargs) for masks in self.get_attr(ACTION_MASKS, indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002  # theirs
        """Single games are not wrapped."""
        return [False for _ in self._get_indices(indices)]
