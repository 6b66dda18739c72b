"""The vocabulary of the log: a player, a spot, a card, as one reader is told of them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from argentum.rules.events import Event
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import View
from argentum.words.english import COUNT_WORDS, count_noun, indefinite_article
from argentum.words.log.entries import CardChip, LogPart, PlayerName, join_phrases
from argentum.words.player_names import player_names, spot_numbers_phrase
from argentum.words.residents import texts_of
from argentum.words.residents.texts import NO_TEXTS, ResidentTexts

Phrase: TypeAlias = list[LogPart]


class LoggedEvent(NamedTuple):
    """An event, and whether those who only watch were told less."""

    event: Event
    secret: bool


class LogPhrases:
    """Finds the words for one reader."""

    def __init__(self, view: View) -> None:
        self.player_names = player_names(view)
        self.residents = view.residents
        self.seats = list(view.villages)
        self.token = f"the silver {view.token}"
        self.guard_name = next((resident.name for resident in view.residents if resident.protects), "card")
        # The resident that acts after the reveal (G15); those of several boxes have one number, so there is one.
        acting = [one.number for one in view.residents if one.ability is not None and one.timing == TIMING_SCORING]
        self.round_end_resident = acting[0] if acting else None

    def texts_for(self, head: LoggedEvent) -> ResidentTexts:
        """The entry of the resident whose ability an event begins."""
        number = head.event.number
        return NO_TEXTS if number is None else texts_of(self.residents[number].label)

    def player(self, seat: str) -> PlayerName:
        """A player."""
        return PlayerName(seat, self.player_names.name(seat))

    def spots(self, actor: str, spots: Sequence[str]) -> str:
        """Spots, without the owner's name where that is who acts."""
        if actor != self.player_names.reader and {spot[0] for spot in spots} == {actor}:
            return spot_numbers_phrase([spot[1:] for spot in spots])
        return self.player_names.spots_phrase(spots, actor)

    def spot(self, fact: LoggedEvent) -> str:
        """The spot of a fact."""
        return self.spots(fact.event.seat, [fact.event.spot])

    def definite_card(self, fact: LoggedEvent, unknown: str = "a card") -> Phrase:
        """The card of a fact, as the one that it is."""
        number = fact.event.number
        return [unknown] if number is None else ["the ", CardChip(number, fact.secret)]

    def indefinite_card(self, fact: LoggedEvent) -> Phrase:
        """The card of a fact, as one of its kind."""
        number = fact.event.number
        if number is None:
            return ["a card"]
        return [indefinite_article(self.residents[number].name) + " ", CardChip(number, fact.secret)]

    def cards(self, facts: Sequence[LoggedEvent]) -> Phrase:
        """The cards of several facts; those that the reader does not know are counted."""
        known = [self.indefinite_card(fact) for fact in facts if fact.event.number is not None]
        hidden = len(facts) - len(known)
        more: list[Phrase] = [["a card" if hidden == 1 else count_noun(hidden, "card")]] if hidden else []
        return join_phrases(known + more, ", ", " and ")

    def looked_at(self, facts: Sequence[LoggedEvent]) -> str:
        """The cards of a look: spots of villages, or the top of the deck (A4, A11)."""
        if facts[0].event.source:
            top = "top card" if len(facts) == 1 else f"top {COUNT_WORDS[len(facts)]} cards"
            return f"the deck's {top}"
        return self.spots(facts[0].event.seat, [fact.event.spot for fact in facts])

    def looked_at_result(self, facts: Sequence[LoggedEvent]) -> Phrase:
        """What a look showed, as far as the reader knows it."""
        known = [fact for fact in facts if fact.event.number is not None]
        if len(known) == len(facts):
            return [": ", *self.cards(facts)]
        spots = [fact for fact in known if fact.event.spot]
        phrases: list[Phrase] = [
            [f"{self.player_names.spot_phrase(fact.event.spot)} is ", *self.indefinite_card(fact)] for fact in spots
        ]
        return [": ", *join_phrases(phrases, ", ", " and ")] if phrases else []

    def guard_ended(self, fact: LoggedEvent) -> str:
        """A guard that ends (A3)."""
        return f"{self.player_names.possessive(fact.event.seat)} {self.guard_name} no longer guards a card"
