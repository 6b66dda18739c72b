"""What may be exchanged for a card, and what that gains."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.judgement import TEMPO, Judgement, faceup
from argentum.bots.plan import usual
from argentum.rules.views import Card

Places: TypeAlias = tuple[int, ...]  # of one's own village

BURIAL: Final = 0.7  # a Mortician's owner need not use the ability of what it discards


def sets(judgement: Judgement) -> list[Places]:
    """What this seat may exchange with good reason: each card, and the sets that it knows to match (G10, B1)."""
    village = judgement.villages[judgement.me]
    singles: list[Places] = [(place,) for place, card in enumerate(village) if not card.covered]
    known = [place for (place,) in singles if village[place].number is not None]
    found: list[Places] = []
    for number in sorted({number_at(village, place) for place in known}, reverse=True):
        found += matching(judgement, number, [place for place in known if number_at(village, place) <= number])
    return singles + found


def matching(judgement: Judgement, number: int, places: list[int]) -> list[Places]:
    """The largest set with this highest number that matches, with what the faceup Lycans outside it may raise."""
    village = judgement.villages[judgement.me]
    lycans = [place for place in places if village[place].up and judgement.is_one("B1", village[place])]
    places.sort(key=lambda place: number - number_at(village, place))
    chosen: list[int] = []
    missing = 0
    for place in places:
        more = missing + number - number_at(village, place)
        if more > len([lycan for lycan in lycans if lycan not in chosen and lycan != place]):
            break
        missing = more
        chosen.append(place)
    return [tuple(sorted(chosen))] if len(chosen) > 1 else []


def number_at(village: Sequence[Card], place: int) -> int:
    """The number of a card that is known."""
    number = village[place].number
    return -1 if number is None else number


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
    stays: bool  # it is a Zombie, and the card in hand is discarded instead (D4)


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
        to_deck = judgement.shows(me, "B3")
        aside = 0.0 if to_deck else -offer(judgement, min(going, key=judgement.mean))
        if judgement.shows(me, "B4"):
            aside += BURIAL * max(
                [usual(judgement, card.number) for card in going if card.number is not None], default=0.0
            )
        for place in reversed(places[1:]):
            del village[place]
        return Way(places, village, aside, not to_deck and all([judgement.is_one("D4", card) for card in going]))

    def gain(self, way: Way, card: Card) -> float:
        """What it gains to exchange so for a card, as it will face."""
        judgement, village = self.judgement, way.village[:]
        if way.stays and not judgement.is_one("D4", card):
            return -offer(judgement, card)
        if way.stays:
            village.append(card)  # two Zombies: both are kept
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
        """What it gains to draw from the deck, whatever comes."""
        view = self.judgement.view
        top = view.deck[0]
        return sum(
            [
                chance * self.drawn(Card(number, view.deck_up, known_by=view.seat))
                for number, chance in self.judgement.chances(top)
            ]
        )

    def drawn(self, card: Card) -> float:
        """What it gains to have this card drawn: it is exchanged in, used or discarded."""
        assert card.number is not None
        idle = max(usual(self.judgement, card.number), 0.0) - offer(self.judgement, card)
        return max(idle, self.best(card)[0])
