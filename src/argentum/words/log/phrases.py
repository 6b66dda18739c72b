"""The vocabulary of the log: a player, a spot, a card, as one reader is told of them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.events import Event
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import View
from argentum.words.english import COUNTS, article, counted
from argentum.words.log.entries import Chip, Name, Part, joined
from argentum.words.player_names import seating_of, spot_numbers
from argentum.words.residents import voice_of
from argentum.words.residents.texts import GENERAL, Voice

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
        self.guard = next((resident.name for resident in view.residents if resident.protects), "card")
        # The resident that acts after the reveal (G15); those of several boxes have one number, so there is one.
        acting = [one.number for one in view.residents if one.ability is not None and one.timing == TIMING_SCORING]
        self.closer = acting[0] if acting else None

    def voice(self, head: Fact) -> Voice:
        """The entry of the resident whose ability an event begins."""
        number = head.event.number
        return GENERAL if number is None else voice_of(self.residents[number].label)

    def who(self, seat: str) -> Name:
        """A player."""
        return Name(seat, self.seating.name(seat))

    def spots(self, actor: str, spots: Sequence[str]) -> str:
        """Spots, without the owner's name where that is who acts."""
        if actor != self.seating.me and {spot[0] for spot in spots} == {actor}:
            return spot_numbers([spot[1:] for spot in spots])
        return self.seating.spots(spots, actor)

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

    def looked_at(self, facts: Sequence[Fact]) -> str:
        """The cards of a look: spots of villages, or the top of the deck (A4, A11)."""
        if facts[0].event.source:
            top = "top card" if len(facts) == 1 else f"top {COUNTS[len(facts)]} cards"
            return f"the deck's {top}"
        return self.spots(facts[0].event.seat, [fact.event.spot for fact in facts])

    def seen(self, facts: Sequence[Fact]) -> Words:
        """What a look showed, as far as the reader knows it."""
        known = [fact for fact in facts if fact.event.number is not None]
        if len(known) == len(facts):
            return [": ", *self.cards(facts)]
        spots = [fact for fact in known if fact.event.spot]
        told: list[Words] = [[f"{self.seating.spot(fact.event.spot)} is ", *self.one(fact)] for fact in spots]
        return [": ", *joined(told, ", ", " and ")] if told else []

    def guard_over(self, fact: Fact) -> str:
        """A guard that ends (A3)."""
        return f"{self.seating.whose(fact.event.seat)} {self.guard} no longer guards a card"
