"""What bots know of each resident and each token: one entry for each, one module for each box."""

from argentum.bots.heuristics.abilities import amulet, bullet, coin, dagger
from argentum.bots.heuristics.ability_model import ABILITY_MODELS

__all__ = ["ABILITY_MODELS", "amulet", "bullet", "coin", "dagger"]
