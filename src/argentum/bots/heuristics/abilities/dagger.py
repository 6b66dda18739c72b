"""Ability models of Silver Dagger."""

from math import fsum

from argentum.bots.heuristics.abilities.common import borrow_gain, faceup_advantage, look_gain, repeated_look_gain
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_FLIP,
    EFFECT_LOOK,
    EFFECT_MERGE,
    EFFECT_SEEK_LOW,
    EFFECT_SKIP_TURN,
    EFFECT_SWITCH,
    EFFECT_TRADE,
    SUM_HALVED,
    SUM_REDUCED,
    AbilityModel,
    PickedTargets,
    Spot,
    Target,
    Village,
    card_targets,
    facedown_targets,
    movable_targets,
    other_facedown_targets,
    own_targets,
    single_empty_target,
    typical_gain,
    village_targets,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card, normal_density
from argentum.rules.table import HIGHEST_LOW_NUMBER
from argentum.rules.views import Card


def adjust_debt_collector_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    others = sum([len(cards) for other, cards in evaluation.villages.items() if other != seat])
    return total - others if card.up else total


ABILITY_MODELS["D0"] = AbilityModel(adjust_sum=adjust_debt_collector_sum, faceup_bonus=5.0, sum_effect=SUM_REDUCED)
ABILITY_MODELS["D1"] = AbilityModel(
    other_facedown_targets, look_gain, faceup_advantage(0.2), faceup_bonus=0.2, effect=EFFECT_LOOK
)


def adjust_halfling_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    return (total - 2) / 2 if card.up else total


ABILITY_MODELS["D2"] = AbilityModel(
    adjust_sum=adjust_halfling_sum, faceup_bonus=6.0, sum_effect=SUM_HALVED, counts_zero_faceup=True
)
ABILITY_MODELS["D3"] = AbilityModel(adjust_sum=faceup_advantage(0.5), faceup_bonus=0.5)


def zombie_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    seat = evaluation.view.previous
    own_cards = evaluation.villages[evaluation.me]
    places = [place for place, card in enumerate(own_cards) if card.up and evaluation.is_resident("D4", card)]
    if not seat or not places:
        return 0.0
    their_cards = [*evaluation.villages[seat], faceup_card(4)._replace(up=False)]
    return evaluation.gain_of_change(
        {evaluation.me: evaluation.village_without_card_at(Spot(evaluation.me, places[0])), seat: their_cards}
    )


ABILITY_MODELS["D4"] = AbilityModel(
    single_empty_target, zombie_gain, faceup_advantage(4.0), faceup_bonus=3.0, always_use=True
)


def approximator_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    if picked:
        return approximator_pair_gain(evaluation, picked[0].spot, target.spot)
    others = [other.spot for other in own_targets(evaluation) if other != target]
    return max([approximator_pair_gain(evaluation, target.spot, spot) for spot in others], default=0.0)


def approximator_pair_gain(evaluation: Evaluation, first: Spot, second: Spot) -> float:
    """Return the gain of replacing two own cards with an Approximator."""
    village = list(evaluation.village_with_card_at(first, faceup_card(5)))
    if any([evaluation.has_hook(evaluation.card_at(spot), evaluation.cast.clings) for spot in (first, second)]):
        return -5.0  # A card that clings would stay in the village.
    del village[second.place]
    return evaluation.gain_of_change({evaluation.me: village})


ABILITY_MODELS["D5"] = AbilityModel(own_targets, approximator_gain, typical_gain=4.0, effect=EFFECT_MERGE)


def flipper_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return fsum([evaluation.flip_gain(other.spot) for other in card_targets(evaluation, [target.seat])])


ABILITY_MODELS["D6"] = AbilityModel(village_targets, flipper_gain, typical_gain=1.0, effect=EFFECT_FLIP)


def elusive_seer_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    card = evaluation.card_at(target.spot)
    if card.number is None:
        return evaluation.look_gain(target.spot)
    return evaluation.flip_gain(target.spot) if card.number <= HIGHEST_LOW_NUMBER else 0.0


ABILITY_MODELS["D7"] = AbilityModel(facedown_targets, elusive_seer_gain, typical_gain=1.0, effect=EFFECT_SEEK_LOW)


def magician_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    if picked and not target.seat:
        return borrow_gain(evaluation, evaluation.card_at(picked[0].spot))
    if picked:
        return evaluation.switch_gain(picked[0].spot, target.spot)
    card = evaluation.card_at(target.spot)
    gain = 0.0
    own_spots = [other.spot for other in own_targets(evaluation)]
    worst = max(own_spots, key=lambda spot: evaluation.expected_number(evaluation.card_at(spot)), default=None)
    for number, probability in evaluation.probabilities(card):
        gains = [typical_gain(evaluation, number)]
        if worst is not None and not evaluation.is_closed(target.seat):
            their_cards = evaluation.village_with_card_at(target.spot, evaluation.card_at(worst))
            gains.append(
                evaluation.gain_of_change(
                    {
                        evaluation.me: evaluation.village_with_card_at(worst, faceup_card(number)),
                        target.seat: their_cards,
                    }
                )
            )
        gain += probability * max(gains)
    return gain


ABILITY_MODELS["D8"] = AbilityModel(
    other_facedown_targets, magician_gain, typical_gain=2.5, effect=EFFECT_TRADE, may_take_cards=True
)


def mystic_seer_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return repeated_look_gain(evaluation, target, picked, 2)


ABILITY_MODELS["D9"] = AbilityModel(facedown_targets, mystic_seer_gain, typical_gain=1.3, effect=EFFECT_LOOK)


def renfield_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return 1.0 * evaluation.time_factor


ABILITY_MODELS["D10"] = AbilityModel(single_empty_target, renfield_gain, typical_gain=1.0)


def reverse_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of reversing play.

    With two seats it skips the opponent's turn; with more, it changes which opponents still play after a call.
    """
    caller = evaluation.view.caller
    if len(evaluation.villages) == 2:
        return 0.0 if caller else TURN_VALUE
    step = 1 if evaluation.view.direction == "clockwise" else -1
    if not caller:
        return 0.01  # less than MIN_ABILITY_GAIN, so that the token is kept
    return TURN_VALUE * (waiting_weight(evaluation, step) - waiting_weight(evaluation, -step))


def waiting_weight(evaluation: Evaluation, step: int) -> float:
    """Return the total weight of the opponents between the viewing seat and the caller, in the direction `step`."""
    seats = list(evaluation.villages)
    place = seats.index(evaluation.me) + step
    total = 0.0
    while seats[place % len(seats)] not in (evaluation.view.caller, evaluation.me):
        total += evaluation.weights[seats[place % len(seats)]]
        place += step
    return total


ABILITY_MODELS["D11"] = AbilityModel(single_empty_target, reverse_gain, typical_gain=2.0, effect=EFFECT_SKIP_TURN)
ABILITY_MODELS["D14"] = AbilityModel(single_empty_target, reverse_gain, effect=EFFECT_SKIP_TURN)


def master_thief_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    if picked:
        return evaluation.switch_gain(picked[0].spot, target.spot)
    if evaluation.is_closed(target.seat):
        return evaluation.look_gain(target.spot)
    partners = [other.spot for other in movable_targets(evaluation) if other.seat != target.seat]
    return max([evaluation.switch_gain(target.spot, spot) for spot in partners], default=0.0)


ABILITY_MODELS["D12"] = AbilityModel(
    facedown_targets, master_thief_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def adjust_furry_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Adjust the sum by the probability that it is exactly 50, if the round is about to end."""
    if evaluation.time_factor == 1 or abs(total - 50) > 15:
        return total
    sum_variance = fsum([variance(evaluation.beliefs.probabilities(card)) for card in village if card.number is None])
    density = normal_density(total - 50, sum_variance + evaluation.turns_left)
    return total - 100 * (1 - evaluation.time_factor) * density


ABILITY_MODELS["D13"] = AbilityModel(adjust_sum=adjust_furry_sum)
