"""Version 1 of the PettingZoo environment: rewards and observations will not change under this name."""

from argentum.envs.pettingzoo import SilverAECEnv, env, parallel_env, raw_env

__all__ = ["SilverAECEnv", "env", "parallel_env", "raw_env"]
