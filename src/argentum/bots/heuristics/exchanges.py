"""What may be exchanged for a card, and what that gains."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.heuristics.ability_model import usual, worth
from argentum.bots.heuristics.evaluation import TEMPO, Judgement, faceup
from argentum.rules.exchange_preview import known_sets
from argentum.rules.views import Card

Places: TypeAlias = tuple[int, ...]  # of one's own village

BURIAL: Final = 0.7  # how likely an ability of what is exchanged is used (B4)


def sets(judgement: Judgement) -> list[Places]:
    """What this seat may exchange with good reason: each card, and the sets that it knows to match (G10)."""
    village = judgement.villages[judgement.me]
    singles: list[Places] = [(place,) for place, card in enumerate(village) if not card.covered]
    clinging = 0 if judgement.off_pile else judgement.cast.clings
    going = [place for (place,) in singles if not judgement.has(village[place], clinging)]
    return singles + known_sets(judgement.cast, village, going)


def offer(judgement: Judgement, card: Card) -> float:
    """What it costs to leave a card on top of the discard pile for the next seat."""
    seat = judgement.next_seat
    if seat == judgement.me or seat == judgement.view.caller:
        return 0.0
    number = round(judgement.mean(card))
    if number not in judgement.offers:
        village = list(judgement.villages[seat])
        touchable = [place for place, one in enumerate(village) if not one.covered]
        gain = 0.0
        if touchable:
            worst = max(touchable, key=lambda place: judgement.mean(village[place]))
            village[worst] = faceup(number)
            gain = judgement.costs[seat] - judgement.cost(seat, village) - TEMPO
        judgement.offers[number] = judgement.weights[seat] * max(gain, 0.0)
    return judgement.offers[number]


class Way(NamedTuple):
    """Something to exchange for a card: the places, the rest of the village, and what else comes of it."""

    places: Places
    village: list[Card]
    aside: float
    stays: bool  # it clings to its spot, and the card in hand is discarded instead (D4)


class Exchanges:
    """The exchanges that a seat may make, whatever the card that comes in."""

    def __init__(self, judgement: Judgement) -> None:
        self.judgement = judgement
        self.ways: list[Way] = []
        seen: set[Card] = set()
        for places in sets(judgement):
            card = judgement.villages[judgement.me][places[0]]
            if len(places) > 1 or card not in seen:  # of cards that look the same, one will do
                seen.add(card)
                self.ways.append(self.way(places))

    def way(self, places: Places) -> Way:
        """What an exchange at these places means."""
        judgement, me = self.judgement, self.judgement.me
        village = list(judgement.villages[me])
        going = [village[place] for place in places]
        off_pile = judgement.off_pile
        aside = 0.0 if off_pile else -offer(judgement, min(going, key=judgement.mean))
        if judgement.shows(me, judgement.cast.buries):
            aside += BURIAL * max(
                [usual(judgement, card.number) for card in going if card.number is not None], default=0.0
            )
        for place in reversed(places[1:]):
            del village[place]
        stays = not off_pile and all([judgement.has(card, judgement.cast.clings) for card in going])
        return Way(places, village, aside, stays)

    def gain(self, way: Way, card: Card) -> float:
        """What it gains to exchange so for a card, as it will face."""
        judgement, village = self.judgement, way.village[:]
        if way.stays and not judgement.has(card, judgement.cast.clings):
            return -offer(judgement, card)
        if way.stays:
            village.append(card)  # both are kept
        else:
            village[way.places[0]] = card
        return judgement.gain({judgement.me: village}) + way.aside

    def best(self, card: Card, named: Sequence[int] = ()) -> tuple[float, Places]:
        """The best places to exchange for a card, with the gain: only those with what is named already."""
        ways = [way for way in self.ways if set(named) <= set(way.places)] if named else self.ways
        if not ways and named:
            ways = [self.way(tuple(named))]
        return max([(self.gain(way, card), way.places) for way in ways], default=(-50.0, ()))

    def drawing(self) -> float:
        """What it gains to draw from the deck, whatever comes; of several cards the best is kept (A4)."""
        judgement, view = self.judgement, self.judgement.view
        deep = 1 + len([card for card in view.villages[view.seat] if judgement.works(card, judgement.cast.deepens)])
        seen = {
            number: self.drawn(Card(number, view.deck_up, known_by=view.seat))
            for card in view.deck[:deep]
            for number, _ in judgement.chances(card)
        }
        return best_of(
            [[(seen[number], chance) for number, chance in judgement.chances(card)] for card in view.deck[:deep]]
        )

    def drawn(self, card: Card) -> float:
        """What it gains to have this card drawn, as a rule: it is exchanged in, used or discarded."""
        assert card.number is not None
        return self.settled(card, usual(self.judgement, card.number))

    def in_sight(self, card: Card) -> float:
        """The same for a card that one can see before it is drawn, with what its ability gains as things are."""
        gain = worth(self.judgement, self.judgement.label(card))
        return self.settled(
            card, gain if card.number is not None and self.judgement.cast.draw_abilities[card.number] else 0.0
        )

    def settled(self, card: Card, ability: float) -> float:
        """What it gains to have a card in hand whose ability gains so much."""
        judgement = self.judgement
        if judgement.has(card, judgement.cast.clings) and not judgement.off_pile:
            return self.best(card)[0]
        return max(max(ability, 0.0) - offer(judgement, card), self.best(card)[0])


def best_of(draws: Iterable[list[tuple[float, float]]]) -> float:
    """What the best of several draws gains on average, each a list of gains with their chances.

    >>> best_of([[(1.0, 0.5), (3.0, 0.5)]]), best_of([[(1.0, 0.5), (3.0, 0.5)]] * 2)
    (2.0, 2.5)
    """
    best = [(0.0, 1.0)]
    for nth, draw in enumerate(draws):
        joint = [(max(one, other) if nth else other, chance * more) for one, chance in best for other, more in draw]
        merged: dict[float, float] = {}
        for gain, chance in joint:
            merged[gain] = merged.get(gain, 0.0) + chance
        best = list(merged.items())
    return fsum([gain * chance for gain, chance in best])
