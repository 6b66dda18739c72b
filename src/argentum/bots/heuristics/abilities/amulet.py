"""Ability models of Silver Amulet."""

from typing import Final

from argentum.bots.heuristics.abilities.common import faceup_advantage, flip_gain, look_gain, repeated_look_gain
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_COVER,
    EFFECT_FLIP,
    EFFECT_GUARD,
    EFFECT_LOOK,
    EFFECT_SWITCH,
    EFFECT_USE_PILE,
    AbilityModel,
    PickedTargets,
    Spot,
    Target,
    Village,
    facedown_targets,
    other_facedown_targets,
    other_movable_targets,
    own_facedown_targets,
    own_targets,
    reachable_pile_cards,
    single_empty_target,
)
from argentum.bots.heuristics.evaluation import Evaluation
from argentum.bots.heuristics.exchanges import Exchanges, discard_cost
from argentum.bots.heuristics.owner_knowledge import UNKNOWN_CARD_COST
from argentum.rules.notation import parse_spot, place_of
from argentum.rules.views import Card

AVERAGE_CARD: Final = 6.5  # expected number of the card that replaces a taken one
TOKEN_COST: Final = 0.1  # cost of using the token now instead of later

ABILITY_MODELS["A0"] = AbilityModel()  # Its effect is in Evaluation.would_end_round.


ABILITY_MODELS["A1"] = AbilityModel(adjust_sum=faceup_advantage(0.1), faceup_bonus=0.1)


def adjust_empath_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    unknown = len([card for card in village if not card.up and seat not in card.known_by])
    return total - 0.4 * min(unknown, 2) * evaluation.time_factor if card.up else total


ABILITY_MODELS["A2"] = AbilityModel(
    own_facedown_targets, look_gain, adjust_empath_sum, faceup_bonus=0.4, effect=EFFECT_LOOK, own_cards_only=True
)


def protection_gain(evaluation: Evaluation, spot: Spot) -> float:
    """Return the expected loss of points that the viewing seat prevents by protecting its card at `spot`."""
    card = evaluation.card_at(spot)
    bonus = evaluation.models[card.number].faceup_bonus if card.up and card.number is not None else 0.0
    loss = AVERAGE_CARD - evaluation.expected_number(card) + bonus
    return evaluation.expected_thefts / len(evaluation.villages[spot.seat]) * max(loss, 0.0)


def guarded_spots(evaluation: Evaluation) -> list[Spot]:
    """Return the spots of the cards of the viewing seat that are guarded now."""
    spots = [parse_spot(spot) for _, spot in evaluation.view.guards if spot[0] == evaluation.me]
    return [Spot(evaluation.me, place_of(spot)) for spot in spots]


def guard_targets(evaluation: Evaluation) -> list[Target]:
    """Return the cards of the viewing seat that are neither guards nor guarded."""
    guarded, protects = guarded_spots(evaluation), evaluation.cast.protects
    return [
        target
        for target in own_targets(evaluation)
        if target.spot not in guarded and not evaluation.is_active(evaluation.card_at(target.spot), protects)
    ]


def guard_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of guarding the target instead of the most valuable card that is guarded now.

    The gain is 0 for equally valuable cards, so that a guard does not switch back and forth.
    """
    guarded = [protection_gain(evaluation, spot) for spot in guarded_spots(evaluation)]
    return protection_gain(evaluation, target.spot) - max(guarded, default=0.0)


ABILITY_MODELS["A3"] = AbilityModel(
    guard_targets, guard_gain, faceup_advantage(0.3), faceup_bonus=0.4, effect=EFFECT_GUARD
)


def adjust_rascal_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    return total - min(evaluation.turns_left, 4.0) * 0.8 if card.up else total


ABILITY_MODELS["A4"] = AbilityModel(adjust_sum=adjust_rascal_sum, faceup_bonus=2.5)
ABILITY_MODELS["A5"] = AbilityModel(
    own_facedown_targets, flip_gain, typical_gain=0.8, effect=EFFECT_FLIP, own_cards_only=True
)
ABILITY_MODELS["A6"] = AbilityModel(facedown_targets, flip_gain, typical_gain=0.9, effect=EFFECT_FLIP)


def beholder_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return repeated_look_gain(evaluation, target, picked, 2, own_facedown_targets)


ABILITY_MODELS["A7"] = AbilityModel(
    own_facedown_targets, beholder_gain, typical_gain=1.2, effect=EFFECT_LOOK, own_cards_only=True
)
ABILITY_MODELS["A8"] = AbilityModel(other_facedown_targets, look_gain, typical_gain=0.3, effect=EFFECT_LOOK)
ABILITY_MODELS["A9"] = AbilityModel(facedown_targets, look_gain, typical_gain=0.8, effect=EFFECT_LOOK)


def pile_targets(evaluation: Evaluation) -> list[Target]:
    """Return the cards in the discard pile; of equal cards, only the topmost."""
    depths = {card: depth for depth, card in reversed(list(enumerate(reachable_pile_cards(evaluation, "A10"), 1)))}
    return [Target("take", "", depth) for depth in depths.values()]


def master_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return Exchanges(evaluation).best_option(reachable_pile_cards(evaluation, "A10")[target.place - 1])[0]


ABILITY_MODELS["A10"] = AbilityModel(pile_targets, master_gain, typical_gain=4.0, effect=EFFECT_USE_PILE)


def witch_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of drawing a card to exchange it, or to replace a low card of an opponent with it.

    Once the card is in hand, return the gain of replacing the target.
    """
    view = evaluation.view
    if target.seat and view.hand is not None:
        return replacement_gain(evaluation, target.spot, view.hand)
    if not view.deck:
        return 0.0
    exchanges = Exchanges(evaluation)
    by_number = {
        evaluation.expected_number(evaluation.card_at(other.spot)): other for other in other_movable_targets(evaluation)
    }
    lowest = [by_number[number] for number in sorted(by_number)[:2]]
    gain = 0.0
    for number, probability in evaluation.probabilities(view.deck[0]):
        card = Card(number, view.deck_up, known_by=view.seat)
        gains = [exchanges.best_option(card)[0], *[replacement_gain(evaluation, other.spot, card) for other in lowest]]
        gain += probability * max(gains)
    return gain


def replacement_gain(evaluation: Evaluation, spot: Spot, card: Card) -> float:
    """Return the gain of replacing another seat's card with this one. A card that clings is not replaced (X19)."""
    old = evaluation.card_at(spot)
    if evaluation.has_hook(old, evaluation.cast.clings):
        return -discard_cost(evaluation, card)
    return evaluation.gain_of_change({spot.seat: evaluation.village_with_card_at(spot, card)}) - discard_cost(
        evaluation, old
    )


ABILITY_MODELS["A11"] = AbilityModel(single_empty_target, witch_gain, typical_gain=4.0, may_take_cards=True)


def robber_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of looking at another seat's card and switching it with the best card of the viewing seat."""
    if picked:
        return evaluation.switch_gain(picked[0].spot, target.spot)
    look_gain = UNKNOWN_CARD_COST * evaluation.time_factor if evaluation.card_at(target.spot).number is None else 0.0
    return max(
        [look_gain + evaluation.switch_gain(target.spot, other.spot) for other in own_targets(evaluation)], default=0.0
    )


ABILITY_MODELS["A12"] = AbilityModel(
    other_movable_targets, robber_gain, typical_gain=3.5, effect=EFFECT_SWITCH, may_take_cards=True
)
ABILITY_MODELS["A13"] = AbilityModel()  # Its effect is in Evaluation.known_sets_value.


def silver_amulet_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of protecting a card with the token, minus the value of keeping the token."""
    return protection_gain(evaluation, target.spot) - TOKEN_COST


ABILITY_MODELS["A14"] = AbilityModel(own_targets, silver_amulet_gain, effect=EFFECT_COVER)
