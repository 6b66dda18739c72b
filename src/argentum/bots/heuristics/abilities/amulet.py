"""Silver Amulet: what its residents and its token are good for."""

from typing import Final

from argentum.bots.heuristics.abilities.common import repeated_look_gain
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
    no_choice,
    other_facedown_targets,
    other_movable_targets,
    own_facedown_targets,
    own_targets,
    reachable_pile_cards,
)
from argentum.bots.heuristics.evaluation import UNKNOWN_CARD_COST, Evaluation
from argentum.bots.heuristics.exchanges import Exchanges, discard_cost
from argentum.rules.notation import parse_spot
from argentum.rules.views import Card

AVERAGE_CARD: Final = 6.5  # what one gets for a card that is taken
TOKEN_COST: Final = 0.1  # a token that is used cannot be used better later

ABILITY_MODELS["A0"] = AbilityModel()  # the judgement sees for itself when the round would end


def squire_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it shows cards: to all, but its owner is not always the last to choose."""
    return total - 0.1 * judgement.time_factor if card.up else total


ABILITY_MODELS["A1"] = AbilityModel(adjust_sum=squire_sum, faceup_bonus=0.1)


def empath_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it gets to know the village."""
    unknown = len([one for one in village if not one.up and seat not in one.known_by])
    return total - 0.4 * min(unknown, 2) * judgement.time_factor if card.up else total


def look_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Empath, Apprentice Seer, Seer: look at a card."""
    return judgement.look_gain(target.spot)


ABILITY_MODELS["A2"] = AbilityModel(
    own_facedown_targets, look_gain, empath_sum, faceup_bonus=0.4, effect=EFFECT_LOOK, own_cards_only=True
)


def bodyguard_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it keeps itself and another card."""
    return total - 0.3 * judgement.time_factor if card.up else total


def protection_gain(judgement: Evaluation, spot: Spot) -> float:
    """What it is worth that nobody takes a card of one's own: the lower it is, the more they would like it."""
    card = judgement.card(spot)
    bonus = judgement.models[card.number].faceup_bonus if card.up and card.number is not None else 0.0
    loss = AVERAGE_CARD - judgement.mean(card) + bonus
    return judgement.threat / len(judgement.villages[spot.seat]) * max(loss, 0.0)


def guard_targets(judgement: Evaluation) -> list[Target]:
    """Cards of one's own that none guards yet, and that is not a guard."""
    guarded = [parse_spot(spot) & 63 for _, spot in judgement.view.guards if spot[0] == judgement.me]
    return [
        one
        for one in own_targets(judgement)
        if one.place not in guarded and not judgement.is_active(judgement.card(one.spot), judgement.cast.protects)
    ]


def guard_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Bodyguard: keep the best card; but not to and fro, one as good as the other."""
    guarded_spots = [
        Spot(spot[0], parse_spot(spot) & 63) for _, spot in judgement.view.guards if spot[0] == judgement.me
    ]
    return protection_gain(judgement, target.spot) - max(
        [protection_gain(judgement, spot) for spot in guarded_spots], default=0.0
    )


ABILITY_MODELS["A3"] = AbilityModel(guard_targets, guard_gain, bodyguard_sum, faceup_bonus=0.4, effect=EFFECT_GUARD)


def rascal_sum(judgement: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    """Faceup, it draws better cards, turn for turn."""
    return total - min(judgement.turns_left, 4.0) * 0.8 if card.up else total


ABILITY_MODELS["A4"] = AbilityModel(adjust_sum=rascal_sum, faceup_bonus=2.5)


def turn_up_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Exposer, Revealer: turn a card faceup."""
    return judgement.flip_gain(target.spot)


ABILITY_MODELS["A5"] = AbilityModel(
    own_facedown_targets, turn_up_gain, typical_gain=0.8, effect=EFFECT_FLIP, own_cards_only=True
)
ABILITY_MODELS["A6"] = AbilityModel(facedown_targets, turn_up_gain, typical_gain=0.9, effect=EFFECT_FLIP)


def beholder_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Look at two cards of one's own."""
    return repeated_look_gain(judgement, target, picked, 2, own_facedown_targets)


ABILITY_MODELS["A7"] = AbilityModel(
    own_facedown_targets, beholder_gain, typical_gain=1.2, effect=EFFECT_LOOK, own_cards_only=True
)
ABILITY_MODELS["A8"] = AbilityModel(other_facedown_targets, look_gain, typical_gain=0.3, effect=EFFECT_LOOK)
ABILITY_MODELS["A9"] = AbilityModel(facedown_targets, look_gain, typical_gain=0.8, effect=EFFECT_LOOK)


def pile_targets(judgement: Evaluation) -> list[Target]:
    """What a Master may take: of equal cards, one."""
    first = {card: nth for nth, card in reversed(list(enumerate(reachable_pile_cards(judgement, "A10"), 1)))}
    return [Target("take", "", nth) for nth in first.values()]


def master_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Take the card that does most good."""
    return Exchanges(judgement).best(reachable_pile_cards(judgement, "A10")[target.place - 1])[0]


ABILITY_MODELS["A10"] = AbilityModel(pile_targets, master_gain, typical_gain=4.0, effect=EFFECT_USE_PILE)


def witch_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Put the deck's top card where it does most good: at home, or in the place of somebody's best."""
    view = judgement.view
    if target.seat and view.hand is not None:
        return replacement_gain(judgement, target.spot, view.hand)
    if not view.deck:
        return 0.0
    exchanges = Exchanges(judgement)
    theirs = {judgement.mean(judgement.card(one.spot)): one for one in other_movable_targets(judgement)}
    best = [theirs[number] for number in sorted(theirs)[:2]]
    gain = 0.0
    for number, chance in judgement.probabilities(view.deck[0]):
        card = Card(number, view.deck_up, known_by=view.seat)
        gains = [exchanges.best(card)[0], *[replacement_gain(judgement, one.spot, card) for one in best]]
        gain += chance * max(gains)
    return gain


def replacement_gain(judgement: Evaluation, spot: Spot, card: Card) -> float:
    """The gain of putting a card in the place of somebody else's, which is discarded unless it clings (X19)."""
    old = judgement.card(spot)
    if judgement.is_known_with(old, judgement.cast.clings):
        return -discard_cost(judgement, card)
    return judgement.gain({spot.seat: judgement.with_card_at(spot, card)}) - discard_cost(judgement, old)


ABILITY_MODELS["A11"] = AbilityModel(no_choice, witch_gain, typical_gain=4.0, may_take_cards=True)


def robber_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Get somebody's best card for one's worst, and look at it."""
    if picked:
        return judgement.switch_gain(picked[0].spot, target.spot)
    look = UNKNOWN_CARD_COST * judgement.time_factor if judgement.card(target.spot).number is None else 0.0
    return max([look + judgement.switch_gain(target.spot, one.spot) for one in own_targets(judgement)], default=0.0)


ABILITY_MODELS["A12"] = AbilityModel(
    other_movable_targets, robber_gain, typical_gain=3.5, effect=EFFECT_SWITCH, may_take_cards=True
)
ABILITY_MODELS["A13"] = AbilityModel()  # a 13; the sets that it makes are in the hook


def silver_amulet_gain(judgement: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Keep the best card for the rest of the round, if anybody might take it; it can still be used tomorrow."""
    return protection_gain(judgement, target.spot) - TOKEN_COST


ABILITY_MODELS["A14"] = AbilityModel(own_targets, silver_amulet_gain, effect=EFFECT_COVER)
