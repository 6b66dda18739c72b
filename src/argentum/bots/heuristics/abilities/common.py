"""Gains that several ability models share."""

from math import fsum

from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_TRADE,
    EFFECT_USE_PILE,
    PickedTargets,
    Target,
    TargetFunction,
    ability_gain,
    facedown_targets,
)
from argentum.bots.heuristics.evaluation import Evaluation
from argentum.rules.residents import TIMING_DRAWN
from argentum.rules.views import Card


def borrow_gain(evaluation: Evaluation, card: Card) -> float:
    """Return the gain of using the draw ability of another card."""
    if not has_borrowable_ability(evaluation, card):
        return 0.0
    label = evaluation.known_label(card)
    borrows = ABILITY_MODELS[label].effect in (
        EFFECT_BORROW,
        EFFECT_USE_PILE,
        EFFECT_TRADE,
    )  # A card that borrows in turn has a low gain.
    return 0.5 if borrows else ability_gain(evaluation, label)


def has_borrowable_ability(evaluation: Evaluation, card: Card) -> bool:
    """Return whether a card has a draw ability that may be borrowed (X1, X2)."""
    if card.number is None or not card.up:
        return False
    resident = evaluation.view.residents[card.number]
    return resident.timing == TIMING_DRAWN and resident.can_be_borrowed


def repeated_look_gain(
    evaluation: Evaluation, target: Target, picked: PickedTargets, most: int, targets: TargetFunction = facedown_targets
) -> float:
    """Return the gain of a look at a card followed by the best further looks; the best card comes first."""
    looks = sorted([evaluation.look_gain(other.spot) for other in targets(evaluation) if other != target], reverse=True)
    return 1.01 * evaluation.look_gain(target.spot) + fsum(looks[: most - 1 - len(picked)])
