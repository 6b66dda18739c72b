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


def borrow_gain(judgement: Evaluation, card: Card) -> float:
    """What it gains to use the draw ability of another card."""
    if not has_borrowable_ability(judgement, card):
        return 0.0
    label = judgement.label(card)
    borrows = ABILITY_MODELS[label].effect in (
        EFFECT_BORROW,
        EFFECT_USE_PILE,
        EFFECT_TRADE,
    )  # of one that borrows in turn, not much is expected
    return 0.5 if borrows else ability_gain(judgement, label)


def has_borrowable_ability(judgement: Evaluation, card: Card) -> bool:
    """Whether a card has a draw ability that may be borrowed (X1, X2)."""
    if card.number is None or not card.up:
        return False
    resident = judgement.view.residents[card.number]
    return resident.timing == TIMING_DRAWN and resident.can_be_borrowed


def repeated_look_gain(
    judgement: Evaluation, target: Target, picked: PickedTargets, most: int, targets: TargetFunction = facedown_targets
) -> float:
    """Look at a card, and at the best others as far as there are looks left; the best comes first."""
    looks = sorted([judgement.look_gain(one.spot) for one in targets(judgement) if one != target], reverse=True)
    return 1.01 * judgement.look_gain(target.spot) + fsum(looks[: most - 1 - len(picked)])
