"""Ability models of all residents and tokens, one module per box."""

from importlib import import_module

from argentum.bots.heuristics.ability_model import ABILITY_MODELS
from argentum.rules.boxes import BOX_NAMES

__all__ = ["ABILITY_MODELS"]

for _name in BOX_NAMES:
    import_module(f"argentum.bots.heuristics.abilities.{_name}")
