"""The PettingZoo environment, version 1: its rewards and observations stay as they are."""

from argentum.envs.pettingzoo import SilverAECEnv, env, parallel_env, raw_env

__all__ = ["SilverAECEnv", "env", "parallel_env", "raw_env"]
