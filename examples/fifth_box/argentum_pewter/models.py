"""Ability models of Silver Pewter: what its residents are worth to bots, in points."""

from argentum.bots.heuristics.ability_model import (
    EFFECT_LOOK,
    AbilityModel,
    PickedTargets,
    Target,
    Village,
    facedown_targets,
)
from argentum.bots.heuristics.evaluation import Evaluation
from argentum.rules.views import Card


def lamplighter_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return 0.0 if picked else evaluation.look_gain(target.spot)


def bellringer_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    return total - 2 * len([other for other in village if other.up]) if card.up else total


# The Snuffer and the token have no model: bots expect no gain from them.
ABILITY_MODELS = {
    "P3": AbilityModel(faceup_bonus=0.2),
    "P7": AbilityModel(facedown_targets, lamplighter_gain, typical_gain=0.6, effect=EFFECT_LOOK),
    "P10": AbilityModel(adjust_sum=bellringer_sum, faceup_bonus=4.0),
    "P13": AbilityModel(final_value=8.0),
}
