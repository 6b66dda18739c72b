"""Ability models of residents and tokens by label.

Each box names in `Box.models` the module with its `ABILITY_MODELS`, or a function that returns them. Bots
expect no gain from an ability without a model.
"""

from argentum.bots.heuristics.ability_model import ABILITY_MODELS
from argentum.rules.boxes import ALL_BOXES
from argentum.rules.boxes.discovery import load_extension

__all__ = ["ABILITY_MODELS"]

for _box in ALL_BOXES:
    ABILITY_MODELS.update(load_extension(_box, _box.models, "ABILITY_MODELS"))
