"""Player, spot and card phrases of the log, for one reader."""

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
    """An event; `secret` if spectators see less of it."""

    event: Event
    secret: bool


class LogPhrases:
    """Phrases for the reader of a view."""

    def __init__(self, view: View) -> None:
        self.player_names = player_names(view)
        self.residents = view.residents
        self.seats = list(view.villages)
        self.token = f"the silver {view.token}"
        self.guard_name = next((resident.name for resident in view.residents if resident.protects), "card")
        # The resident that acts after the reveal (G15); those of several boxes have one number, so there is one.
        acting = [
            resident.number
            for resident in view.residents
            if resident.ability is not None and resident.timing == TIMING_SCORING
        ]
        self.round_end_resident = acting[0] if acting else None

    def texts_for(self, head: LoggedEvent) -> ResidentTexts:
        """Return the texts of the resident whose ability an event starts."""
        number = head.event.number
        return NO_TEXTS if number is None else texts_of(self.residents[number].label)

    def player(self, seat: str) -> PlayerName:
        return PlayerName(seat, self.player_names.name(seat))

    def spots(self, actor: str, spots: Sequence[str]) -> str:
        """Name spots, without the owner if that is the acting player."""
        if actor != self.player_names.reader and {spot[0] for spot in spots} == {actor}:
            return spot_numbers_phrase([spot[1:] for spot in spots])
        return self.player_names.spots_phrase(spots, actor)

    def spot(self, fact: LoggedEvent) -> str:
        return self.spots(fact.event.seat, [fact.event.spot])

    def definite_card(self, fact: LoggedEvent, unknown: str = "a card") -> Phrase:
        """Name the card of an event with the definite article."""
        number = fact.event.number
        return [unknown] if number is None else ["the ", CardChip(number, fact.secret)]

    def indefinite_card(self, fact: LoggedEvent) -> Phrase:
        """Name the card of an event with the indefinite article."""
        number = fact.event.number
        if number is None:
            return ["a card"]
        return [indefinite_article(self.residents[number].name) + " ", CardChip(number, fact.secret)]

    def cards(self, facts: Sequence[LoggedEvent]) -> Phrase:
        """Name the cards of several events; count those that the reader does not know."""
        known = [self.indefinite_card(fact) for fact in facts if fact.event.number is not None]
        hidden = len(facts) - len(known)
        more: list[Phrase] = [["a card" if hidden == 1 else count_noun(hidden, "card")]] if hidden else []
        return join_phrases(known + more, ", ", " and ")

    def looked_at(self, facts: Sequence[LoggedEvent]) -> str:
        """Name what was looked at: spots of villages, or the top of the deck (A4, A11)."""
        if facts[0].event.source:
            top = "top card" if len(facts) == 1 else f"top {COUNT_WORDS[len(facts)]} cards"
            return f"the deck's {top}"
        return self.spots(facts[0].event.seat, [fact.event.spot for fact in facts])

    def looked_at_result(self, facts: Sequence[LoggedEvent]) -> Phrase:
        """Name the cards that were seen, as far as the reader knows them."""
        known = [fact for fact in facts if fact.event.number is not None]
        if len(known) == len(facts):
            return [": ", *self.cards(facts)]
        spots = [fact for fact in known if fact.event.spot]
        phrases: list[Phrase] = [
            [f"{self.player_names.spot_phrase(fact.event.spot)} is ", *self.indefinite_card(fact)] for fact in spots
        ]
        return [": ", *join_phrases(phrases, ", ", " and ")] if phrases else []

    def guard_ended(self, fact: LoggedEvent) -> str:
        return f"{self.player_names.possessive(fact.event.seat)} {self.guard_name} no longer guards a card"
