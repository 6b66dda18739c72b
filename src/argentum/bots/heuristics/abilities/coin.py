"""Ability models of Silver Coin."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.abilities.common import (
    borrow_gain,
    counts_zero_faceup,
    faceup_advantage,
    repeated_look_gain,
)
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_FLIP,
    EFFECT_GIVE_UP,
    EFFECT_LOOK,
    EFFECT_REMOVE,
    EFFECT_REPLACE,
    EFFECT_ROTATE,
    EFFECT_SWITCH,
    EFFECT_USE_PILE,
    SUM_CLEARED,
    SUM_WITHOUT_HIGHEST,
    AbilityModel,
    PickedTargets,
    Target,
    Village,
    any_card_targets,
    card_targets,
    facedown_targets,
    faceup_targets,
    movable_targets,
    own_targets,
    reachable_pile_cards,
    single_empty_target,
    village_targets,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card
from argentum.bots.heuristics.exchanges import Exchanges, discard_cost
from argentum.rules.asking import FACEDOWN
from argentum.rules.standings import normal_cdf
from argentum.rules.views import Card


def adjust_regifter_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    others = [evaluation.expected_number(other) for other in village if other is not card and not other.covered]
    return total - 1.7 * max(others, default=0.0) if card.up else total


def regifter_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of giving a card away at the end of the round; 0 for passing."""
    if not target.seat:
        return 0.0
    end, receiver = evaluation.at_round_end, target.verb[-1]
    return end.gain_of_change(
        {
            target.seat: end.village_without_card_at(target.spot),
            receiver: [*end.villages[receiver], end.card_at(target.spot)],
        }
    )


ABILITY_MODELS["C0"] = AbilityModel(
    gain=regifter_gain,
    adjust_sum=adjust_regifter_sum,
    faceup_bonus=11.0,
    effect=EFFECT_GIVE_UP,
    sum_effect=SUM_WITHOUT_HIGHEST,
)


def con_artist_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return TURN_VALUE


ABILITY_MODELS["C1"] = AbilityModel(
    single_empty_target, con_artist_gain, faceup_advantage(1.2), faceup_bonus=1.5, always_use=True
)


def adjust_curator_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    return total - min(evaluation.turns_left, 4.0) * 0.6 if card.up else total


def curator_targets(evaluation: Evaluation) -> list[Target]:
    """Return targets for rotating each card of the viewing seat, and for discarding each sideways one."""
    rotations = [target._replace(verb="rotate") for target in own_targets(evaluation)]
    return rotations + [
        target._replace(verb="discard") for target in rotations if evaluation.card_at(target.spot).sideways
    ]


def curator_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of discarding a sideways card, or of rotating a card to discard it in a later turn."""
    card = evaluation.card_at(target.spot)
    if evaluation.has_hook(card, evaluation.cast.clings):
        return -0.1  # A card that clings would stay in the village.
    gain = evaluation.gain_of_change({evaluation.me: evaluation.village_without_card_at(target.spot)})
    if target.verb == "discard":
        return gain - discard_cost(evaluation, card)
    return -gain / 2 if card.sideways else gain / 3 * evaluation.time_factor


ABILITY_MODELS["C2"] = AbilityModel(
    curator_targets, curator_gain, adjust_curator_sum, faceup_bonus=2.5, effect=EFFECT_ROTATE, always_use=True
)


def pixie_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of turning a card over, minus the value of keeping the Pixie faceup."""
    return evaluation.flip_gain(target.spot) - 0.3 * evaluation.time_factor


ABILITY_MODELS["C3"] = AbilityModel(
    any_card_targets, pixie_gain, faceup_advantage(0.3), faceup_bonus=0.3, effect=EFFECT_FLIP
)


def blob_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return borrow_gain(evaluation, evaluation.view.discard[0]) if evaluation.view.discard else 0.0


ABILITY_MODELS["C4"] = AbilityModel(
    single_empty_target, blob_gain, faceup_advantage(0.3), faceup_bonus=0.5, effect=EFFECT_BORROW
)


def apprentice_tanner_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    joins = evaluation.gain_of_change({evaluation.me: [*evaluation.villages[evaluation.me], faceup_card(5)]})
    return joins + evaluation.flip_gain(target.spot)


ABILITY_MODELS["C5"] = AbilityModel(any_card_targets, apprentice_tanner_gain, effect=EFFECT_FLIP)


def huntress_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    gain = evaluation.flip_gain(target.spot)
    if evaluation.card_at(target.spot).up:
        gain += max([evaluation.flip_gain(candidate.spot) for candidate in facedown_targets(evaluation)], default=0.0)
    return gain


ABILITY_MODELS["C6"] = AbilityModel(faceup_targets, huntress_gain, typical_gain=0.8, effect=EFFECT_FLIP)


def nostro_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return fsum(
        [evaluation.look_gain(candidate.spot) for candidate in card_targets(evaluation, [target.seat], FACEDOWN)]
    )


ABILITY_MODELS["C7"] = AbilityModel(village_targets, nostro_gain, typical_gain=1.5, effect=EFFECT_LOOK)


def removable_targets(evaluation: Evaluation) -> list[Target]:
    return [candidate for candidate in movable_targets(evaluation) if evaluation.card_at(candidate.spot).up]


def assassin_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return evaluation.gain_of_change({target.seat: evaluation.village_without_card_at(target.spot)})


ABILITY_MODELS["C8"] = AbilityModel(removable_targets, assassin_gain, typical_gain=2.0, effect=EFFECT_REMOVE)


def psychic_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return repeated_look_gain(evaluation, target, picked, 3)


ABILITY_MODELS["C9"] = AbilityModel(facedown_targets, psychic_gain, typical_gain=1.6, effect=EFFECT_LOOK)


def nosferatu_cards(evaluation: Evaluation) -> list[Card]:
    """Return the cards, at most three, that a Nosferatu lets the seat take or use."""
    return reachable_pile_cards(evaluation, "C10")[:3]


def nosferatu_targets(evaluation: Evaluation) -> list[Target]:
    return [
        Target(verb, "", index + 1) for index in range(len(nosferatu_cards(evaluation))) for verb in ("take", "use")
    ]


def nosferatu_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    card = nosferatu_cards(evaluation)[target.place - 1]
    return Exchanges(evaluation).best_option(card)[0] if target.verb == "take" else borrow_gain(evaluation, card)


ABILITY_MODELS["C10"] = AbilityModel(nosferatu_targets, nosferatu_gain, typical_gain=2.0, effect=EFFECT_USE_PILE)


def golem_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    pile = evaluation.view.discard
    first = 1 if pile and evaluation.is_resident("C11", pile[0]) and evaluation.view.hand is None else 0
    if len(pile) <= first:
        return 0.0
    return evaluation.gain_of_change({target.seat: evaluation.village_with_card_at(target.spot, pile[first])})


ABILITY_MODELS["C11"] = AbilityModel(
    movable_targets, golem_gain, typical_gain=2.5, effect=EFFECT_REPLACE, may_take_cards=True
)


UNKNOWN_CARD: Final = Card(None, False)


def direction_targets(evaluation: Evaluation) -> list[Target]:
    return [Target("clockwise"), Target("counterclockwise")]


def village_idiot_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    if target.seat:  # The incoming card is unknown.
        return evaluation.gain_of_change({target.seat: evaluation.village_with_card_at(target.spot, UNKNOWN_CARD)})
    seats = [
        seat for seat in evaluation.villages if not evaluation.is_closed(seat) and card_targets(evaluation, [seat])
    ]
    if evaluation.me not in seats or len(seats) < 2:
        return 0.0
    step = 1 if target.verb == "clockwise" else -1
    giver = seats[(seats.index(evaluation.me) - step) % len(seats)]
    their_spots = [candidate.spot for candidate in card_targets(evaluation, [giver])]
    return max(
        [
            evaluation.switch_gain(candidate.spot, other)
            for candidate in own_targets(evaluation)
            for other in their_spots
        ],
        default=0.0,
    )


ABILITY_MODELS["C12"] = AbilityModel(
    direction_targets, village_idiot_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def adjust_wolfman_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    if not card.up:
        return total
    others = fsum([wolfman_value(evaluation, card) for card in village]) - 13
    sum_variance = fsum([variance(evaluation.beliefs.probabilities(card)) for card in village if card.number is None])
    probability = normal_cdf((12.5 + evaluation.turns_left - others) / sqrt(sum_variance + 0.1 + evaluation.turns_left))
    return total * (1 - probability)


def wolfman_value(evaluation: Evaluation, card: Card) -> float:
    """Return the points that a card adds to the sum that must be low for a Wolfman (C13)."""
    counts_zero = evaluation.is_muted(card) or counts_zero_faceup(evaluation, card)
    return 0.0 if counts_zero else evaluation.expected_number(card)


ABILITY_MODELS["C13"] = AbilityModel(adjust_sum=adjust_wolfman_sum, faceup_bonus=6.0, sum_effect=SUM_CLEARED)


def silver_coin_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of turning a card over with the token, minus the value of keeping the token."""
    return evaluation.flip_gain(target.spot) - min(evaluation.turns_left, 4.0) * 0.8


ABILITY_MODELS["C14"] = AbilityModel(any_card_targets, silver_coin_gain, effect=EFFECT_FLIP)
