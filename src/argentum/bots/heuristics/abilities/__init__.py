"""Ability models of all residents and tokens, one module per box."""

from argentum.bots.heuristics.abilities import amulet, bullet, coin, dagger
from argentum.bots.heuristics.ability_model import ABILITY_MODELS

__all__ = ["ABILITY_MODELS", "amulet", "bullet", "coin", "dagger"]
