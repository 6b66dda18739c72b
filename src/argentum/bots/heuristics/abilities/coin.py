"""Ability models of Silver Coin (look_on goes to common)."""

from math import fsum, sqrt
from typing import Final

from argentum.bots.heuristics.abilities.common import borrow_gain, repeated_look_gain
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_FLIP,
    EFFECT_LOOK,
    EFFECT_REMOVE,
    EFFECT_REPLACE,
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
    no_choice,
    own_targets,
    reachable_pile_cards,
    village_targets,
)
from argentum.bots.heuristics.beliefs import variance
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card, normal_cdf
from argentum.bots.heuristics.exchanges import Exchanges, discard_cost
from argentum.rules.views import Card


def regifter_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it gives the worst other card away, to the harm of somebody else."""
    others = [judgement.mean(one) for one in village if one is not card and not one.covered]
    return total - 1.7 * max(others, default=0.0) if card.up else total


def regifter_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Give a card away at the end of the round, or none."""
    if not target.seat:
        return 0.0
    end, receiver = judgement.at_round_end, target.verb[-1]
    return end.gain(
        {target.seat: end.without_card_at(target.spot), receiver: [*end.villages[receiver], end.card(target.spot)]}
    )


ABILITY_MODELS["C0"] = AbilityModel(
    gain=regifter_gain, adjust_sum=regifter_sum, faceup_bonus=11.0, sum_effect=SUM_WITHOUT_HIGHEST
)


def con_artist_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it is good for another turn."""
    return total - 1.2 * judgement.time_factor if card.up else total


def con_artist_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Con Artist: turns are good."""
    return TURN_VALUE


ABILITY_MODELS["C1"] = AbilityModel(no_choice, con_artist_gain, con_artist_sum, faceup_bonus=1.5, always_use=True)


def curator_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it takes a card off every other turn."""
    return total - min(judgement.turns_left, 4.0) * 0.6 if card.up else total


def curator_targets(judgement: Evaluation) -> list[Target]:
    """What a Curator may do with each card."""
    turned = [one._replace(verb="rotate") for one in own_targets(judgement)]
    return turned + [one._replace(verb="discard") for one in turned if judgement.card(one.spot).sideways]


def curator_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Discard the worst sideways card; else turn the worst sideways, if there is time to discard it."""
    card = judgement.card(target.spot)
    if judgement.is_known_with(card, judgement.cast.clings):
        return -0.1  # it would stay
    gain = judgement.gain({judgement.me: judgement.without_card_at(target.spot)})
    if target.verb == "discard":
        return gain - discard_cost(judgement, card)
    return -gain / 2 if card.sideways else gain / 3 * judgement.time_factor


ABILITY_MODELS["C2"] = AbilityModel(curator_targets, curator_gain, curator_sum, faceup_bonus=2.5, always_use=True)


def helper_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Pixie, Blob: of some use while faceup."""
    return total - 0.3 * judgement.time_factor if card.up else total


def pixie_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Turn another card over; the Pixie is spent on it."""
    return judgement.flip_gain(target.spot) - 0.3 * judgement.time_factor


ABILITY_MODELS["C3"] = AbilityModel(any_card_targets, pixie_gain, helper_sum, faceup_bonus=0.3, effect=EFFECT_FLIP)


def blob_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Use what lies on the discard pile."""
    return borrow_gain(judgement, judgement.view.discard[0]) if judgement.view.discard else 0.0


ABILITY_MODELS["C4"] = AbilityModel(no_choice, blob_gain, helper_sum, faceup_bonus=0.5, effect=EFFECT_BORROW)


def apprentice_tanner_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Five points, for a flip."""
    joins = judgement.gain({judgement.me: [*judgement.villages[judgement.me], faceup_card(5)]})
    return joins + judgement.flip_gain(target.spot)


ABILITY_MODELS["C5"] = AbilityModel(any_card_targets, apprentice_tanner_gain, effect=EFFECT_FLIP)


def huntress_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Turn one card down, then another one up."""
    gain = judgement.flip_gain(target.spot)
    if judgement.card(target.spot).up:
        gain += max([judgement.flip_gain(one.spot) for one in facedown_targets(judgement)], default=0.0)
    return gain


ABILITY_MODELS["C6"] = AbilityModel(faceup_targets, huntress_gain, typical_gain=0.8, effect=EFFECT_FLIP)


def nostro_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at a village."""
    return fsum([judgement.look_gain(one.spot) for one in card_targets(judgement, [target.seat], False)])


ABILITY_MODELS["C7"] = AbilityModel(village_targets, nostro_gain, typical_gain=1.5, effect=EFFECT_LOOK)


def removable_targets(judgement: Evaluation) -> list[Target]:
    """Faceup cards that may be taken away."""
    return [one for one in movable_targets(judgement) if judgement.card(one.spot).up]


def assassin_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Away with a bad card of one's own, or a good one of somebody else's."""
    return judgement.gain({target.seat: judgement.without_card_at(target.spot)})


ABILITY_MODELS["C8"] = AbilityModel(removable_targets, assassin_gain, typical_gain=2.0, effect=EFFECT_REMOVE)


def psychic_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at three cards."""
    return repeated_look_gain(judgement, target, picked, 3)


ABILITY_MODELS["C9"] = AbilityModel(facedown_targets, psychic_gain, typical_gain=1.6, effect=EFFECT_LOOK)


def nosferatu_cards(judgement: Evaluation) -> list[Card]:
    """The three cards below a Nosferatu, or that will lie there."""
    return reachable_pile_cards(judgement, "C10")[:3]


def nosferatu_targets(judgement: Evaluation) -> list[Target]:
    """What a Nosferatu may do."""
    return [Target(verb, "", nth + 1) for nth in range(len(nosferatu_cards(judgement))) for verb in ("take", "use")]


def nosferatu_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Take a good card, or use one."""
    card = nosferatu_cards(judgement)[target.place - 1]
    return Exchanges(judgement).best(card)[0] if target.verb == "take" else borrow_gain(judgement, card)


ABILITY_MODELS["C10"] = AbilityModel(nosferatu_targets, nosferatu_gain, typical_gain=2.0, effect=EFFECT_USE_PILE)


def golem_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Put what lies on the discard pile where it does most good."""
    pile = judgement.view.discard
    first = 1 if pile and judgement.is_resident("C11", pile[0]) and judgement.view.hand is None else 0
    if len(pile) <= first:
        return 0.0
    return judgement.gain({target.seat: judgement.with_card_at(target.spot, pile[first])})


ABILITY_MODELS["C11"] = AbilityModel(
    movable_targets, golem_gain, typical_gain=2.5, effect=EFFECT_REPLACE, may_take_cards=True
)


UNKNOWN_CARD: Final = Card(None, False)


def direction_targets(judgement: Evaluation) -> list[Target]:
    """Two directions."""
    return [Target("clockwise"), Target("counterclockwise")]


def village_idiot_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Pass one's worst card on, and get a neighbour's best."""
    if target.seat:  # whatever comes for it
        return judgement.gain({target.seat: judgement.with_card_at(target.spot, UNKNOWN_CARD)})
    seats = [seat for seat in judgement.villages if not judgement.is_closed(seat) and card_targets(judgement, [seat])]
    if judgement.me not in seats or len(seats) < 2:
        return 0.0
    step = 1 if target.verb == "clockwise" else -1
    giver = seats[(seats.index(judgement.me) - step) % len(seats)]
    theirs = [one.spot for one in card_targets(judgement, [giver])]
    return max(
        [judgement.switch_gain(one.spot, other) for one in own_targets(judgement) for other in theirs], default=0.0
    )


ABILITY_MODELS["C12"] = AbilityModel(
    direction_targets, village_idiot_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def wolfman_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it makes a low village count nothing."""
    if not card.up:
        return total
    others = fsum([wolfman_value(judgement, one) for one in village]) - 13
    spread = fsum([variance(judgement.beliefs.probabilities(one)) for one in village if one.number is None])
    chance = normal_cdf((12.5 + judgement.turns_left - others) / sqrt(spread + 0.1 + judgement.turns_left))
    return total * (1 - chance)


def wolfman_value(judgement: Evaluation, card: Card) -> float:
    """What a Wolfman counts for another card (C13)."""
    counts_nothing = judgement.is_muted(card) or (card.up and judgement.is_resident("D2", card))
    return 0.0 if counts_nothing else judgement.mean(card)


ABILITY_MODELS["C13"] = AbilityModel(adjust_sum=wolfman_sum, faceup_bonus=6.0, sum_effect=SUM_CLEARED)


def silver_coin_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Turn a card over, but not the first that comes along."""
    return judgement.flip_gain(target.spot) - min(judgement.turns_left, 4.0) * 0.8


ABILITY_MODELS["C14"] = AbilityModel(any_card_targets, silver_coin_gain, effect=EFFECT_FLIP)
