# mypyc: compile
"""Phrases of the log for players, spots and cards, for one reader."""

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
    """An event. `secret` means that spectators do not receive its card number."""

    event: Event
    secret: bool


class LogPhrases:
    """Phrases about players, spots and cards, for the reader of a view."""

    def __init__(self, view: View) -> None:
        self.player_names = player_names(view)
        self.residents = view.residents
        self.seats = list(view.villages)
        self.token = f"the silver {view.token}"
        self.guard_name = next((resident.name for resident in view.residents if resident.protects), "card")
        # The resident that acts after the reveal (G15). In all boxes it has the number 0, so a cast has at most one.
        acting = [
            resident.number
            for resident in view.residents
            if resident.ability is not None and resident.timing == TIMING_SCORING
        ]
        self.round_end_resident = acting[0] if acting else None

    def texts_for(self, head: LoggedEvent) -> ResidentTexts:
        """Return the texts of the resident whose ability starts with the event `head`."""
        number = head.event.number
        return NO_TEXTS if number is None else texts_of(self.residents[number].label)

    def player(self, seat: str) -> PlayerName:
        return PlayerName(seat, self.player_names.name(seat))

    def spots_phrase(self, actor: str, spots: Sequence[str]) -> str:
        """Return a phrase for spots, without their owner if all belong to the acting player, who is not the reader."""
        if actor != self.player_names.reader and {spot[0] for spot in spots} == {actor}:
            return spot_numbers_phrase([spot[1:] for spot in spots])
        return self.player_names.spots_phrase(spots, actor)

    def spot_phrase(self, logged: LoggedEvent) -> str:
        return self.spots_phrase(logged.event.seat, [logged.event.spot])

    def definite_card(self, logged: LoggedEvent, unknown: str = "a card") -> Phrase:
        """Return the card of an event with the definite article; `unknown` if the reader does not know it."""
        number = logged.event.number
        return [unknown] if number is None else ["the ", CardChip(number, logged.secret)]

    def indefinite_card(self, logged: LoggedEvent) -> Phrase:
        """Return the card of an event with the indefinite article."""
        number = logged.event.number
        if number is None:
            return ["a card"]
        return [indefinite_article(self.residents[number].name) + " ", CardChip(number, logged.secret)]

    def cards_phrase(self, logged_events: Sequence[LoggedEvent]) -> Phrase:
        """List the cards of events: those that the reader knows by name, then the count of the others."""
        known = [self.indefinite_card(logged) for logged in logged_events if logged.event.number is not None]
        hidden = len(logged_events) - len(known)
        more: list[Phrase] = [["a card" if hidden == 1 else count_noun(hidden, "card")]] if hidden else []
        return join_phrases(known + more, ", ", " and ")

    def looked_at_phrase(self, logged_events: Sequence[LoggedEvent]) -> str:
        """Return a phrase for the spots, or the cards on top of the deck, that were looked at (A4, A11)."""
        if logged_events[0].event.source:
            top = "top card" if len(logged_events) == 1 else f"top {COUNT_WORDS[len(logged_events)]} cards"
            return f"the deck's {top}"
        return self.spots_phrase(logged_events[0].event.seat, [logged.event.spot for logged in logged_events])

    def looked_at_cards_phrase(self, logged_events: Sequence[LoggedEvent]) -> Phrase:
        """Return a colon and the looked-at cards that the reader knows; empty if the reader knows none."""
        known = [logged for logged in logged_events if logged.event.number is not None]
        if len(known) == len(logged_events):
            return [": ", *self.cards_phrase(logged_events)]
        spots = [logged for logged in known if logged.event.spot]
        phrases: list[Phrase] = [
            [f"{self.player_names.spot_phrase(logged.event.spot)} is ", *self.indefinite_card(logged)]
            for logged in spots
        ]
        return [": ", *join_phrases(phrases, ", ", " and ")] if phrases else []

    def guard_ended_phrase(self, logged: LoggedEvent) -> str:
        return f"{self.player_names.possessive(logged.event.seat)} {self.guard_name} no longer guards a card"
