"""Gains of abilities that use other cards or look repeatedly, shared by the boxes."""

from math import fsum

from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_TRADE,
    EFFECT_USE_PILE,
    NO_MODEL,
    PickedTargets,
    SumAdjustment,
    Target,
    TargetFunction,
    Village,
    ability_gain,
    facedown_targets,
)
from argentum.bots.heuristics.evaluation import Evaluation
from argentum.rules.residents import TIMING_DRAWN
from argentum.rules.views import Card


def look_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return evaluation.look_gain(target.spot)


def flip_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return evaluation.flip_gain(target.spot)


def faceup_advantage(points: float) -> SumAdjustment:
    """Return a function that lowers the sum of a card's owner while it lies faceup and turns remain to use it."""

    def adjust_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
        return total - points * evaluation.time_factor if card.up else total

    return adjust_sum


def counts_zero_faceup(evaluation: Evaluation, card: Card) -> bool:
    """Return whether a card counts 0 because it lies faceup."""
    return card.up and card.number is not None and evaluation.models[card.number].counts_zero_faceup


def borrow_gain(evaluation: Evaluation, card: Card) -> float:
    """Return the gain of using the draw ability of another card; 0 if it has none that may be borrowed."""
    if not has_borrowable_ability(evaluation, card):
        return 0.0
    label = evaluation.known_label(card)
    # Abilities that borrow an ability themselves get a fixed low gain, because they could recurse.
    borrows = ABILITY_MODELS.get(label, NO_MODEL).effect in (EFFECT_BORROW, EFFECT_USE_PILE, EFFECT_TRADE)
    return 0.5 if borrows else ability_gain(evaluation, label)


def has_borrowable_ability(evaluation: Evaluation, card: Card) -> bool:
    """Return whether a card is faceup and has a draw ability that may be borrowed (X1, X2)."""
    if card.number is None or not card.up:
        return False
    resident = evaluation.view.residents[card.number]
    return resident.timing == TIMING_DRAWN and resident.can_be_borrowed


def repeated_look_gain(
    evaluation: Evaluation,
    target: Target,
    picked: PickedTargets,
    max_looks: int,
    targets: TargetFunction = facedown_targets,
) -> float:
    """Return the gain of looking at `target` and, with the remaining looks, at the best other targets.

    The factor of 1.01 makes the best card the first choice.
    """
    looks = sorted([evaluation.look_gain(other.spot) for other in targets(evaluation) if other != target], reverse=True)
    return 1.01 * evaluation.look_gain(target.spot) + fsum(looks[: max_looks - 1 - len(picked)])
