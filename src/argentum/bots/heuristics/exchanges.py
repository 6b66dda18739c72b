"""Candidate exchanges and their gains."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.heuristics.ability_model import ability_gain, typical_gain
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card
from argentum.rules.exchange_preview import known_sets
from argentum.rules.views import Card

Places: TypeAlias = tuple[int, ...]  # of the own village

REUSE_PROBABILITY: Final = 0.7  # probability that the ability of an exchanged card is used (B4)


def exchangeable_sets(evaluation: Evaluation) -> list[Places]:
    """Return what this seat can exchange: single cards, and sets that it knows to match (G10)."""
    village = evaluation.villages[evaluation.me]
    singles: list[Places] = [(place,) for place, card in enumerate(village) if not card.covered]
    clinging = 0 if evaluation.avoids_discard_pile else evaluation.cast.clings
    going = [place for (place,) in singles if not evaluation.is_known_with(village[place], clinging)]
    return singles + known_sets(evaluation.cast, village, going)


def discard_cost(evaluation: Evaluation, card: Card) -> float:
    """Return the cost of leaving a card on the discard pile for the next seat."""
    seat = evaluation.next_seat
    if seat == evaluation.me or seat == evaluation.view.caller:
        return 0.0
    number = round(evaluation.expected_number(card))
    if number not in evaluation.offer_costs:
        village = list(evaluation.villages[seat])
        touchable = [place for place, other in enumerate(village) if not other.covered]
        gain = 0.0
        if touchable:
            worst = max(touchable, key=lambda place: evaluation.expected_number(village[place]))
            village[worst] = faceup_card(number)
            gain = evaluation.costs[seat] - evaluation.village_cost(seat, village) - TURN_VALUE
        evaluation.offer_costs[number] = evaluation.weights[seat] * max(gain, 0.0)
    return evaluation.offer_costs[number]


class ExchangeOption(NamedTuple):
    """Cards to exchange: their places, the rest of the village, and the side effects."""

    places: Places
    village: list[Card]
    side_gain: float
    stays: bool  # the old card clings to its spot, and the card in hand is discarded (D4)


class Exchanges:
    """The possible exchanges of a seat, independent of the incoming card."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.options: list[ExchangeOption] = []
        seen: set[Card] = set()
        for places in exchangeable_sets(evaluation):
            card = evaluation.villages[evaluation.me][places[0]]
            if len(places) > 1 or card not in seen:  # Equal cards need one option.
                seen.add(card)
                self.options.append(self.make_option(places))

    def make_option(self, places: Places) -> ExchangeOption:
        """Return the option of exchanging the cards at these places."""
        evaluation, me = self.evaluation, self.evaluation.me
        village = list(evaluation.villages[me])
        going = [village[place] for place in places]
        off_pile = evaluation.avoids_discard_pile
        aside = 0.0 if off_pile else -discard_cost(evaluation, min(going, key=evaluation.expected_number))
        if evaluation.has_active(me, evaluation.cast.buries):
            aside += REUSE_PROBABILITY * max(
                [typical_gain(evaluation, card.number) for card in going if card.number is not None], default=0.0
            )
        for place in reversed(places[1:]):
            del village[place]
        stays = not off_pile and all([evaluation.is_known_with(card, evaluation.cast.clings) for card in going])
        return ExchangeOption(places, village, aside, stays)

    def gain(self, option: ExchangeOption, card: Card) -> float:
        """Return the gain of an option for a card with its future facing."""
        evaluation, village = self.evaluation, option.village[:]
        if option.stays and not evaluation.is_known_with(card, evaluation.cast.clings):
            return -discard_cost(evaluation, card)
        if option.stays:
            village.append(card)  # Both cards stay.
        else:
            village[option.places[0]] = card
        return evaluation.gain_of_change({evaluation.me: village}) + option.side_gain

    def best_option(self, card: Card, named: Sequence[int] = ()) -> tuple[float, Places]:
        """Return the best option for a card with its gain, among those that contain the cards named so far."""
        options = [option for option in self.options if set(named) <= set(option.places)] if named else self.options
        if not options and named:
            options = [self.make_option(tuple(named))]
        return max([(self.gain(option, card), option.places) for option in options], default=(-50.0, ()))

    def draw_gain(self) -> float:
        """Return the expected gain of drawing from the deck; of several cards the best is kept (A4)."""
        evaluation, view = self.evaluation, self.evaluation.view
        deep = 1 + len(
            [card for card in view.villages[view.seat] if evaluation.is_active(card, evaluation.cast.deepens)]
        )
        seen = {
            number: self.drawn_card_gain(Card(number, view.deck_up, known_by=view.seat))
            for card in view.deck[:deep]
            for number, _ in evaluation.probabilities(card)
        }
        return expected_maximum(
            [[(seen[number], chance) for number, chance in evaluation.probabilities(card)] for card in view.deck[:deep]]
        )

    def drawn_card_gain(self, card: Card) -> float:
        """Return the typical gain of drawing a card: exchanging it, using it or discarding it."""
        assert card.number is not None
        return self.hand_card_gain(card, typical_gain(self.evaluation, card.number))

    def visible_card_gain(self, card: Card) -> float:
        """Return the gain of drawing a visible card, with the current gain of its ability."""
        gain = ability_gain(self.evaluation, self.evaluation.known_label(card))
        return self.hand_card_gain(
            card, gain if card.number is not None and self.evaluation.cast.draw_abilities[card.number] else 0.0
        )

    def hand_card_gain(self, card: Card, ability: float) -> float:
        """Return the gain of a card in hand whose ability has this gain."""
        evaluation = self.evaluation
        if evaluation.is_known_with(card, evaluation.cast.clings) and not evaluation.avoids_discard_pile:
            return self.best_option(card)[0]
        return max(max(ability, 0.0) - discard_cost(evaluation, card), self.best_option(card)[0])


def expected_maximum(draws: Iterable[list[tuple[float, float]]]) -> float:
    """Return the expected maximum of several draws, each a list of gains with probabilities.

    >>> expected_maximum([[(1.0, 0.5), (3.0, 0.5)]]), expected_maximum([[(1.0, 0.5), (3.0, 0.5)]] * 2)
    (2.0, 2.5)

    """
    best = [(0.0, 1.0)]
    for index, draw in enumerate(draws):
        joint = [
            (max(first, second) if index else second, chance * more) for first, chance in best for second, more in draw
        ]
        merged: dict[float, float] = {}
        for gain, chance in joint:
            merged[gain] = merged.get(gain, 0.0) + chance
        best = list(merged.items())
    return fsum([gain * chance for gain, chance in best])
