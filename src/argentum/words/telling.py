"""The vocabulary of the log: a player, a spot, a card, as one reader is told of them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.words.entries import Chip, Name, Part, joined
from argentum.words.seating import article, counted, seating_of, spot_numbers

Words: TypeAlias = list[Part]


class Fact(NamedTuple):
    """An event, and whether those who only watch were told less."""

    event: Event
    secret: bool


class Teller:
    """Finds the words for one reader."""

    def __init__(self, view: View) -> None:
        self.seating = seating_of(view)
        self.residents = view.residents
        self.seats = list(view.villages)
        self.token = f"the silver {view.token}"

    def who(self, seat: str) -> Name:
        """A player."""
        return Name(seat, self.seating.name(seat))

    def spots(self, actor: str, spots: Sequence[str]) -> str:
        """Spots, without the owner's name where that is who acts."""
        if actor != self.seating.me and {spot[0] for spot in spots} == {actor}:
            return spot_numbers([spot[1:] for spot in spots])
        return self.seating.spots(spots)

    def spot(self, fact: Fact) -> str:
        """The spot of a fact."""
        return self.spots(fact.event.seat, [fact.event.spot])

    def the(self, fact: Fact, unknown: str = "a card") -> Words:
        """The card of a fact, as the one that it is."""
        number = fact.event.number
        return [unknown] if number is None else ["the ", Chip(number, fact.secret)]

    def one(self, fact: Fact) -> Words:
        """The card of a fact, as one of its kind."""
        number = fact.event.number
        if number is None:
            return ["a card"]
        return [article(self.residents[number].name) + " ", Chip(number, fact.secret)]

    def cards(self, facts: Sequence[Fact]) -> Words:
        """The cards of several facts; those that the reader does not know are counted."""
        known = [self.one(fact) for fact in facts if fact.event.number is not None]
        hidden = len(facts) - len(known)
        more: list[Words] = [["a card" if hidden == 1 else counted(hidden, "card")]] if hidden else []
        return joined(known + more, ", ", " and ")

    def seen(self, facts: Sequence[Fact]) -> Words:
        """What a look showed, as far as the reader knows it."""
        known = [fact for fact in facts if fact.event.number is not None]
        if len(known) == len(facts):
            return [": ", *self.cards(facts)]
        told: list[Words] = [[f"{self.seating.spot(fact.event.spot)} is ", *self.one(fact)] for fact in known]
        return [": ", *joined(told, ", ", " and ")] if told else []
