"""Ability models of Silver Bullet."""

from math import fsum

from argentum.bots.heuristics.abilities.common import (
    borrow_gain,
    counts_zero_faceup,
    faceup_advantage,
    flip_gain,
    has_borrowable_ability,
)
from argentum.bots.heuristics.ability_model import (
    ABILITY_MODELS,
    EFFECT_BORROW,
    EFFECT_COVER,
    EFFECT_FLIP,
    EFFECT_GIVE_UP,
    EFFECT_LOOK,
    EFFECT_SHUFFLE,
    EFFECT_SWITCH,
    SUM_WITHOUT_HIGHEST,
    AbilityModel,
    PickedTargets,
    Target,
    Village,
    ability_gain,
    any_card_targets,
    faceup_targets,
    movable_targets,
    own_facedown_targets,
    own_targets,
    single_empty_target,
    village_targets,
)
from argentum.bots.heuristics.evaluation import Evaluation, faceup_card
from argentum.bots.heuristics.exchanges import discard_cost
from argentum.bots.heuristics.owner_knowledge import UNKNOWN_CARD_COST
from argentum.rules.views import Card


def adjust_hunter_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    return total - highest_expected_number(evaluation, village) if card.up else total


def highest_expected_number(evaluation: Evaluation, village: Village) -> float:
    return max([evaluation.expected_number(card) for card in village if not card.covered], default=0.0)


def hunter_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of removing a card at the end of the round; 0 for passing."""
    return (
        evaluation.at_round_end.gain_of_change(
            {target.seat: evaluation.at_round_end.village_without_card_at(target.spot)}
        )
        if target.seat
        else 0.0
    )


ABILITY_MODELS["B0"] = AbilityModel(
    gain=hunter_gain,
    adjust_sum=adjust_hunter_sum,
    faceup_bonus=8.0,
    effect=EFFECT_GIVE_UP,
    sum_effect=SUM_WITHOUT_HIGHEST,
)
ABILITY_MODELS["B1"] = AbilityModel(adjust_sum=faceup_advantage(0.4), faceup_bonus=0.4)
ABILITY_MODELS["B2"] = AbilityModel(
    own_targets, flip_gain, faceup_advantage(0.2), faceup_bonus=0.3, effect=EFFECT_FLIP, own_cards_only=True
)
ABILITY_MODELS["B3"] = AbilityModel(adjust_sum=faceup_advantage(0.2), faceup_bonus=0.2)


def mortician_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of using the ability of an exchanged card (a move such as `use 6`); 0 for other moves."""
    return ability_gain(evaluation, evaluation.cast.labels[target.place]) if target.verb == "use" else 0.0


ABILITY_MODELS["B4"] = AbilityModel(single_empty_target, mortician_gain, faceup_advantage(1.0), faceup_bonus=1.0)


def cow_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of turning the deck over.

    Facedown, the deck hides its top card from the next seat; faceup, it is better for a seat that is ahead.
    """
    view = evaluation.view
    if view.deck_up:
        return discard_cost(evaluation, view.deck[0]) - 0.1 if view.deck else 0.0
    return 0.1 if evaluation.current_lead > 0 else -0.1


ABILITY_MODELS["B5"] = AbilityModel(single_empty_target, cow_gain)
ABILITY_MODELS["B6"] = AbilityModel(any_card_targets, flip_gain, typical_gain=0.9, effect=EFFECT_FLIP)


def insomniac_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return fsum([evaluation.look_gain(other.spot) for other in own_facedown_targets(evaluation)])


ABILITY_MODELS["B7"] = AbilityModel(
    single_empty_target, insomniac_gain, typical_gain=1.5, effect=EFFECT_LOOK, own_cards_only=True
)


def the_thing_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    village = evaluation.villages[target.seat]
    known_count = len([card for card in village if not card.up and not card.covered and target.seat in card.known_by])
    loss = UNKNOWN_CARD_COST * evaluation.time_factor * known_count
    return -loss if target.seat == evaluation.me else evaluation.weights[target.seat] * loss


ABILITY_MODELS["B8"] = AbilityModel(village_targets, the_thing_gain, typical_gain=0.8, effect=EFFECT_SHUFFLE)


def borrow_targets(evaluation: Evaluation) -> list[Target]:
    """Return the faceup cards with a draw ability that may be borrowed."""
    return [
        other
        for other in faceup_targets(evaluation)
        if has_borrowable_ability(evaluation, evaluation.card_at(other.spot))
    ]


def marksman_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return borrow_gain(evaluation, evaluation.card_at(target.spot))


ABILITY_MODELS["B9"] = AbilityModel(borrow_targets, marksman_gain, typical_gain=0.7, effect=EFFECT_BORROW)


def the_count_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    ahead = evaluation.at_round_end.current_lead
    return ahead - 2.0 if len(evaluation.view.deck) <= 10 else 0.1 * ahead - 0.2


ABILITY_MODELS["B10"] = AbilityModel(single_empty_target, the_count_gain)


def troublemaker_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    if picked:
        return evaluation.switch_gain(picked[0].spot, target.spot)
    return max(
        [
            evaluation.switch_gain(target.spot, other.spot)
            for other in movable_targets(evaluation)
            if other.seat != target.seat
        ],
        default=0.0,
    )


ABILITY_MODELS["B11"] = AbilityModel(
    movable_targets, troublemaker_gain, typical_gain=4.0, effect=EFFECT_SWITCH, may_take_cards=True
)


def open_village_targets(evaluation: Evaluation) -> list[Target]:
    return [Target("", seat) for seat in evaluation.villages if not evaluation.is_closed(seat)]


def gremlin_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    return evaluation.gain_of_change({target.seat: [*evaluation.villages[target.seat], faceup_card(12)]})


ABILITY_MODELS["B12"] = AbilityModel(open_village_targets, gremlin_gain, typical_gain=5.0)


def adjust_copycat_sum(evaluation: Evaluation, seat: str, village: Village, card: Card, total: float) -> float:
    others = [copied_value(evaluation, other) for other in village if not evaluation.is_resident("B13", other)]
    return total - 13 + min(others, default=13.0)


def copied_value(evaluation: Evaluation, card: Card) -> float:
    """Return the number that a Copycat counts if it copies a card (B13, B14, X7)."""
    if evaluation.is_muted(card):
        return 0.0
    return 13.0 if counts_zero_faceup(evaluation, card) else evaluation.expected_number(card)


ABILITY_MODELS["B13"] = AbilityModel(adjust_sum=adjust_copycat_sum, final_value=2.5)


def silver_bullet_gain(evaluation: Evaluation, target: Target, picked: PickedTargets) -> float:
    """Return the gain of muting a card, minus the value of keeping the token, which falls over the round."""
    card = evaluation.card_at(target.spot)
    gain = evaluation.gain_of_change(
        {evaluation.me: evaluation.village_with_card_at(target.spot, card._replace(covered=True))}
    )
    return gain - min(evaluation.turns_left, 4.0) * 1.5


ABILITY_MODELS["B14"] = AbilityModel(own_targets, silver_bullet_gain, effect=EFFECT_COVER)
