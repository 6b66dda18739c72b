"""What may be exchanged for a card, and what that gains."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.heuristics.ability_model import ability_gain, typical_gain
from argentum.bots.heuristics.evaluation import TURN_VALUE, Evaluation, faceup_card
from argentum.rules.exchange_preview import known_sets
from argentum.rules.views import Card

Places: TypeAlias = tuple[int, ...]  # of one's own village

REUSE_PROBABILITY: Final = 0.7  # how likely an ability of what is exchanged is used (B4)


def exchangeable_sets(judgement: Evaluation) -> list[Places]:
    """What this seat may exchange with good reason: each card, and the sets that it knows to match (G10)."""
    village = judgement.villages[judgement.me]
    singles: list[Places] = [(place,) for place, card in enumerate(village) if not card.covered]
    clinging = 0 if judgement.avoids_discard_pile else judgement.cast.clings
    going = [place for (place,) in singles if not judgement.is_known_with(village[place], clinging)]
    return singles + known_sets(judgement.cast, village, going)


def discard_cost(judgement: Evaluation, card: Card) -> float:
    """What it costs to leave a card on top of the discard pile for the next seat."""
    seat = judgement.next_seat
    if seat == judgement.me or seat == judgement.view.caller:
        return 0.0
    number = round(judgement.mean(card))
    if number not in judgement.offer_costs:
        village = list(judgement.villages[seat])
        touchable = [place for place, one in enumerate(village) if not one.covered]
        gain = 0.0
        if touchable:
            worst = max(touchable, key=lambda place: judgement.mean(village[place]))
            village[worst] = faceup_card(number)
            gain = judgement.costs[seat] - judgement.cost(seat, village) - TURN_VALUE
        judgement.offer_costs[number] = judgement.weights[seat] * max(gain, 0.0)
    return judgement.offer_costs[number]


class ExchangeOption(NamedTuple):
    """Something to exchange for a card: the places, the rest of the village, and what else comes of it."""

    places: Places
    village: list[Card]
    side_gain: float
    stays: bool  # it clings to its spot, and the card in hand is discarded instead (D4)


class Exchanges:
    """The exchanges that a seat may make, whatever the card that comes in."""

    def __init__(self, judgement: Evaluation) -> None:
        self.judgement = judgement
        self.options: list[ExchangeOption] = []
        seen: set[Card] = set()
        for places in exchangeable_sets(judgement):
            card = judgement.villages[judgement.me][places[0]]
            if len(places) > 1 or card not in seen:  # of cards that look the same, one will do
                seen.add(card)
                self.options.append(self.option(places))

    def option(self, places: Places) -> ExchangeOption:
        """What an exchange at these places means."""
        judgement, me = self.judgement, self.judgement.me
        village = list(judgement.villages[me])
        going = [village[place] for place in places]
        off_pile = judgement.avoids_discard_pile
        aside = 0.0 if off_pile else -discard_cost(judgement, min(going, key=judgement.mean))
        if judgement.has_active(me, judgement.cast.buries):
            aside += REUSE_PROBABILITY * max(
                [typical_gain(judgement, card.number) for card in going if card.number is not None], default=0.0
            )
        for place in reversed(places[1:]):
            del village[place]
        stays = not off_pile and all([judgement.is_known_with(card, judgement.cast.clings) for card in going])
        return ExchangeOption(places, village, aside, stays)

    def gain(self, way: ExchangeOption, card: Card) -> float:
        """What it gains to exchange so for a card, as it will face."""
        judgement, village = self.judgement, way.village[:]
        if way.stays and not judgement.is_known_with(card, judgement.cast.clings):
            return -discard_cost(judgement, card)
        if way.stays:
            village.append(card)  # both are kept
        else:
            village[way.places[0]] = card
        return judgement.gain({judgement.me: village}) + way.side_gain

    def best(self, card: Card, named: Sequence[int] = ()) -> tuple[float, Places]:
        """The best places to exchange for a card, with the gain: only those with what is named already."""
        ways = [way for way in self.options if set(named) <= set(way.places)] if named else self.options
        if not ways and named:
            ways = [self.option(tuple(named))]
        return max([(self.gain(way, card), way.places) for way in ways], default=(-50.0, ()))

    def draw_gain(self) -> float:
        """What it gains to draw from the deck, whatever comes; of several cards the best is kept (A4)."""
        judgement, view = self.judgement, self.judgement.view
        deep = 1 + len([card for card in view.villages[view.seat] if judgement.is_active(card, judgement.cast.deepens)])
        seen = {
            number: self.drawn_card_gain(Card(number, view.deck_up, known_by=view.seat))
            for card in view.deck[:deep]
            for number, _ in judgement.probabilities(card)
        }
        return expected_maximum(
            [[(seen[number], chance) for number, chance in judgement.probabilities(card)] for card in view.deck[:deep]]
        )

    def drawn_card_gain(self, card: Card) -> float:
        """What it gains to have this card drawn, as a rule: it is exchanged in, used or discarded."""
        assert card.number is not None
        return self.hand_card_gain(card, typical_gain(self.judgement, card.number))

    def visible_card_gain(self, card: Card) -> float:
        """The same for a card that one can see before it is drawn, with what its ability gains as things are."""
        gain = ability_gain(self.judgement, self.judgement.label(card))
        return self.hand_card_gain(
            card, gain if card.number is not None and self.judgement.cast.draw_abilities[card.number] else 0.0
        )

    def hand_card_gain(self, card: Card, ability: float) -> float:
        """What it gains to have a card in hand whose ability gains so much."""
        judgement = self.judgement
        if judgement.is_known_with(card, judgement.cast.clings) and not judgement.avoids_discard_pile:
            return self.best(card)[0]
        return max(max(ability, 0.0) - discard_cost(judgement, card), self.best(card)[0])


def expected_maximum(draws: Iterable[list[tuple[float, float]]]) -> float:
    """What the best of several draws gains on average, each a list of gains with their chances.

    >>> best_of([[(1.0, 0.5), (3.0, 0.5)]]), best_of([[(1.0, 0.5), (3.0, 0.5)]] * 2)
    (2.0, 2.5)
    """
    best = [(0.0, 1.0)]
    for index, draw in enumerate(draws):
        joint = [(max(one, other) if index else other, chance * more) for one, chance in best for other, more in draw]
        merged: dict[float, float] = {}
        for gain, chance in joint:
            merged[gain] = merged.get(gain, 0.0) + chance
        best = list(merged.items())
    return fsum([gain * chance for gain, chance in best])
