"""Silver Dagger: what its residents and its token are good for."""

from math import fsum

from argentum.bots.heuristics.abilities.common import borrow_gain, repeated_look_gain
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
    no_choice,
    other_facedown_targets,
    own_targets,
    typical_gain,
    village_targets,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card, normal_density
from argentum.rules.table import HIGHEST_LOW_NUMBER
from argentum.rules.views import Card


def debt_collector_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes off a point for each card of the others."""
    others = sum([len(cards) for other, cards in judgement.villages.items() if other != seat])
    return total - others if card.up else total


ABILITY_MODELS["D0"] = AbilityModel(adjust_sum=debt_collector_sum, faceup_bonus=5.0, sum_effect=SUM_REDUCED)


def spy_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Of some use while faceup."""
    return total - 0.2 * judgement.time_factor if card.up else total


def spy_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at somebody's card."""
    return judgement.look_gain(target.spot)


ABILITY_MODELS["D1"] = AbilityModel(other_facedown_targets, spy_gain, spy_sum, faceup_bonus=0.2, effect=EFFECT_LOOK)


def halfling_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it counts nothing and halves the sum."""
    return (total - 2) / 2 if card.up else total


ABILITY_MODELS["D2"] = AbilityModel(adjust_sum=halfling_sum, faceup_bonus=6.0, sum_effect=SUM_HALVED)


def sentinel_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it keeps the others out."""
    return total - 0.5 * judgement.time_factor if card.up else total


ABILITY_MODELS["D3"] = AbilityModel(adjust_sum=sentinel_sum, faceup_bonus=0.5)


def zombie_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it can be passed on."""
    return total - 4.0 * judgement.time_factor if card.up else total


def zombie_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Off to the seat that played before."""
    seat = judgement.view.previous
    mine = judgement.villages[judgement.me]
    places = [place for place, card in enumerate(mine) if card.up and judgement.is_resident("D4", card)]
    if not seat or not places:
        return 0.0
    theirs = [*judgement.villages[seat], faceup_card(4)._replace(up=False)]
    return judgement.gain({judgement.me: judgement.without_card_at(Spot(judgement.me, places[0])), seat: theirs})


ABILITY_MODELS["D4"] = AbilityModel(no_choice, zombie_gain, zombie_sum, faceup_bonus=3.0, always_use=True)


def approximator_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Two bad cards for a five."""
    if picked:
        return approximator_pair_gain(judgement, picked[0].spot, target.spot)
    others = [one.spot for one in own_targets(judgement) if one != target]
    return max([approximator_pair_gain(judgement, target.spot, one) for one in others], default=0.0)


def approximator_pair_gain(judgement: Evaluation, one: Spot, other: Spot) -> float:
    """The gain of discarding two cards for an Approximator."""
    village = list(judgement.with_card_at(one, faceup_card(5)))
    if any([judgement.is_known_with(judgement.card(spot), judgement.cast.clings) for spot in (one, other)]):
        return -5.0  # it would stay
    del village[other.place]
    return judgement.gain({judgement.me: village})


ABILITY_MODELS["D5"] = AbilityModel(own_targets, approximator_gain, typical_gain=4.0, effect=EFFECT_MERGE)


def flipper_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Turn a village over."""
    return fsum([judgement.flip_gain(one.spot) for one in card_targets(judgement, [target.seat])])


ABILITY_MODELS["D6"] = AbilityModel(village_targets, flipper_gain, typical_gain=1.0, effect=EFFECT_FLIP)


def elusive_seer_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at one's own cards, or turn a good one faceup."""
    card = judgement.card(target.spot)
    if card.number is None:
        return judgement.look_gain(target.spot)
    return judgement.flip_gain(target.spot) if card.number <= HIGHEST_LOW_NUMBER else 0.0


ABILITY_MODELS["D7"] = AbilityModel(facedown_targets, elusive_seer_gain, typical_gain=1.0, effect=EFFECT_SEEK_LOW)


def magician_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Turn up a card to use it, or to have it."""
    turned = picked[0] if picked else None
    if turned is not None and not target.seat:
        return borrow_gain(judgement, judgement.card(turned.spot))
    if turned is not None:
        return judgement.switch_gain(turned.spot, target.spot)
    card = judgement.card(target.spot)
    gain = 0.0
    mine = [one.spot for one in own_targets(judgement)]
    worst = max(mine, key=lambda spot: judgement.mean(judgement.card(spot)), default=None)
    for number, chance in judgement.probabilities(card):
        gains = [typical_gain(judgement, number)]
        if worst is not None and not judgement.is_closed(target.seat):
            theirs = judgement.with_card_at(target.spot, judgement.card(worst))
            gains.append(
                judgement.gain({judgement.me: judgement.with_card_at(worst, faceup_card(number)), target.seat: theirs})
            )
        gain += chance * max(gains)
    return gain


ABILITY_MODELS["D8"] = AbilityModel(
    other_facedown_targets, magician_gain, typical_gain=2.5, effect=EFFECT_TRADE, may_take_cards=True
)


def mystic_seer_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at two cards."""
    return repeated_look_gain(judgement, target, picked, 2)


ABILITY_MODELS["D9"] = AbilityModel(facedown_targets, mystic_seer_gain, typical_gain=1.3, effect=EFFECT_LOOK)


def renfield_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Know what to draw, and have the last turns."""
    return 1.0 * judgement.time_factor


ABILITY_MODELS["D10"] = AbilityModel(no_choice, renfield_gain, typical_gain=1.0)


def reverse_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Reverser, the silver dagger: skip the other's turn; after a call, skip those who are yet to play."""
    caller = judgement.view.caller
    if len(judgement.villages) == 2:
        return 0.0 if caller else TURN_VALUE
    step = 1 if judgement.view.direction == "clockwise" else -1
    return (
        TURN_VALUE * (waiting_weight(judgement, step) - waiting_weight(judgement, -step)) if caller else 0.01
    )  # a token can wait


def waiting_weight(judgement: Evaluation, step: int) -> float:
    """How much those count who will play before the caller's turn comes, in that direction."""
    seats = list(judgement.villages)
    place = seats.index(judgement.me) + step
    total = 0.0
    while seats[place % len(seats)] not in (judgement.view.caller, judgement.me):
        total += judgement.weights[seats[place % len(seats)]]
        place += step
    return total


ABILITY_MODELS["D11"] = AbilityModel(no_choice, reverse_gain, typical_gain=2.0, effect=EFFECT_SKIP_TURN)
ABILITY_MODELS["D14"] = AbilityModel(no_choice, reverse_gain, effect=EFFECT_SKIP_TURN)


def master_thief_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Steal a good card, or slip somebody a bad one."""
    if picked:
        return judgement.switch_gain(picked[0].spot, target.spot)
    if judgement.is_closed(target.seat):
        return judgement.look_gain(target.spot)
    partners = [one.spot for one in movable_targets(judgement) if one.seat != target.seat]
    return max([judgement.switch_gain(target.spot, one) for one in partners], default=0.0)


ABILITY_MODELS["D12"] = AbilityModel(
    facedown_targets, master_thief_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def furry_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """A sum of exactly 50 is as good as it gets, if the round is about to end."""
    if judgement.time_factor == 1 or abs(total - 50) > 15:
        return total
    spread = fsum([variance(judgement.beliefs.probabilities(one)) for one in village if one.number is None])
    return total - 100 * (1 - judgement.time_factor) * normal_density(total - 50, spread + judgement.turns_left)


ABILITY_MODELS["D13"] = AbilityModel(adjust_sum=furry_sum)
