"""List the possible exchanges of a seat and rate them."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.heuristics.ability_model import ability_gain, typical_gain
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card
from argentum.rules.exchange_preview import known_sets
from argentum.rules.exchange_result import leaving_places
from argentum.rules.notation import place_of
from argentum.rules.views import Card

Places: TypeAlias = tuple[int, ...]  # places in the village of the viewing seat

REUSE_PROBABILITY: Final = 0.7  # probability that a Mortician uses the ability of an exchanged card (B4)


def exchangeable_sets(evaluation: Evaluation) -> list[Places]:
    """Return the places of every exchange that the viewing seat can make: single cards, and known sets (G10)."""
    table, me = evaluation.table, evaluation.seat
    singles: list[Places] = [(place_of(move),) for move in table.own_moves(me)]
    removable = [place for (place,) in singles if leaving_places(table, me, (place,), evaluation.discard_destination)]
    return singles + known_sets(table, me, removable)


def discard_cost(evaluation: Evaluation, card: Card) -> float:
    """Return the cost of discarding a card: the weighted gain of the next seat if it takes that card; cached."""
    seat = evaluation.next_seat
    if seat == evaluation.me or seat == evaluation.view.caller:
        return 0.0
    number = round(evaluation.expected_number(card))
    if number not in evaluation.discard_costs:
        village = list(evaluation.villages[seat])
        touchable = [place for place, other in enumerate(village) if not other.covered]
        gain = 0.0
        if touchable:
            worst = max(touchable, key=lambda place: evaluation.expected_number(village[place]))
            village[worst] = faceup_card(number)
            gain = evaluation.costs[seat] - evaluation.village_cost(seat, village) - TURN_VALUE
        evaluation.discard_costs[number] = evaluation.weights[seat] * max(gain, 0.0)
    return evaluation.discard_costs[number]


class ExchangeOption(NamedTuple):
    """One way to exchange cards, before the incoming card is known."""

    places: Places  # places of the cards to exchange
    leaving: list[int]  # the places whose cards leave the village; the other cards cling (D4)
    village: list[Card]  # the village without the leaving cards, except the first, which the incoming card replaces
    side_gain: float  # gain of discarding the exchanged cards, or of using their abilities (B4)


class Exchanges:
    """The possible exchanges of the viewing seat, which can be rated for any incoming card."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.options: list[ExchangeOption] = []
        seen: set[Card] = set()
        for places in exchangeable_sets(evaluation):
            card = evaluation.villages[evaluation.me][places[0]]
            if len(places) > 1 or card not in seen:  # One option is enough for equal cards.
                seen.add(card)
                self.options.append(self.make_option(places))

    def make_option(self, places: Places) -> ExchangeOption:
        evaluation = self.evaluation
        village = list(evaluation.villages[evaluation.me])
        exchanged = [village[place] for place in places]
        leaving = leaving_places(evaluation.table, evaluation.seat, places, evaluation.discard_destination)
        side_gain = 0.0
        if not evaluation.avoids_discard_pile:
            side_gain = -discard_cost(evaluation, min(exchanged, key=evaluation.expected_number))
        if evaluation.table.has_active(evaluation.seat, evaluation.cast.uses_exchanged_cards):
            side_gain += REUSE_PROBABILITY * max(
                [typical_gain(evaluation, card.number) for card in exchanged if card.number is not None], default=0.0
            )
        for place in reversed(leaving[1:]):
            del village[place]
        return ExchangeOption(places, leaving, village, side_gain)

    def gain(self, option: ExchangeOption, card: Card) -> float:
        """Return the gain of an option if `card`, faceup or facedown, enters the village."""
        evaluation, village = self.evaluation, option.village[:]
        if option.leaving:
            village[option.leaving[0]] = card
        elif evaluation.has_hook(card, evaluation.cast.clings):
            village.append(card)  # The incoming card clings, too.
        else:
            return -discard_cost(evaluation, card)
        return evaluation.gain_of_change({evaluation.me: village}) + option.side_gain

    def best_option(self, card: Card, named_places: Sequence[int] = ()) -> tuple[float, Places]:
        """Return the gain and the places of the best option for an incoming card; -50 and no places if there is none.

        The option must include the `named_places`, which the seat has already named.
        """
        options = (
            [option for option in self.options if set(named_places) <= set(option.places)]
            if named_places
            else self.options
        )
        if not options and named_places:
            options = [self.make_option(tuple(named_places))]
        return max([(self.gain(option, card), option.places) for option in options], default=(-50.0, ()))

    def draw_gain(self) -> float:
        """Return the expected gain of drawing from the deck. Each active Rascal adds a card to choose from (A4)."""
        evaluation, view = self.evaluation, self.evaluation.view
        draw_count = 1 + evaluation.table.count_active(evaluation.seat, evaluation.cast.draws_deeper)
        gains = {
            number: self.drawn_card_gain(Card(number, view.deck_up, known_by=view.seat))
            for card in view.deck[:draw_count]
            for number, _ in evaluation.probabilities(card)
        }
        return expected_maximum(
            [
                [(gains[number], probability) for number, probability in evaluation.probabilities(card)]
                for card in view.deck[:draw_count]
            ]
        )

    def drawn_card_gain(self, card: Card) -> float:
        """Return the gain of drawing this card from the deck, with the typical gain of its ability."""
        assert card.number is not None
        return self.hand_card_gain(card, typical_gain(self.evaluation, card.number))

    def visible_card_gain(self, card: Card) -> float:
        """Return the gain of drawing a visible card, with the exact gain of its ability."""
        gain = ability_gain(self.evaluation, self.evaluation.known_label(card))
        return self.hand_card_gain(
            card, gain if card.number is not None and self.evaluation.cast.draw_abilities[card.number] else 0.0
        )

    def hand_card_gain(self, card: Card, ability_gain: float) -> float:
        """Return the gain of the best use of a card in hand: exchange it, use its ability or discard it."""
        evaluation = self.evaluation
        if evaluation.has_hook(card, evaluation.cast.clings) and not evaluation.avoids_discard_pile:
            return self.best_option(card)[0]
        return max(max(ability_gain, 0.0) - discard_cost(evaluation, card), self.best_option(card)[0])


def expected_maximum(draws: Iterable[list[tuple[float, float]]]) -> float:
    """Return the expected maximum of independent draws; each is a list of possible gains with their probabilities.

    >>> expected_maximum([[(1.0, 0.5), (3.0, 0.5)]]), expected_maximum([[(1.0, 0.5), (3.0, 0.5)]] * 2)
    (2.0, 2.5)

    """
    maximum = [(0.0, 1.0)]  # the distribution of the maximum so far
    for index, draw in enumerate(draws):
        joint = [
            (max(first, second) if index else second, first_probability * second_probability)
            for first, first_probability in maximum
            for second, second_probability in draw
        ]
        merged: dict[float, float] = {}
        for gain, probability in joint:
            merged[gain] = merged.get(gain, 0.0) + probability
        maximum = list(merged.items())
    return fsum([gain * probability for gain, probability in maximum])
