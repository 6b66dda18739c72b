"""The PettingZoo environment, version 1: its rewards and observations stay as they are."""

from argentum.envs.pettingzoo import SilverEnv, env, parallel_env, raw_env

__all__ = ["SilverEnv", "env", "parallel_env", "raw_env"]
