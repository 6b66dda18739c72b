"""One moment of a game as its reader sees it: the view, what is asked, and what the sentences about it lean on."""

from typing import NamedTuple

from argentum.rules.boxes import BOX_BY_LETTER
from argentum.rules.notation import GIVE
from argentum.rules.residents import WINDOW_MAIN_ACTION
from argentum.rules.views import Asking, Card, View
from argentum.words.english import listed
from argentum.words.player_names import seating_of


class Prompt(NamedTuple):
    """What the reader may do now, more quietly how or why, and the number of the resident whose ability asks."""

    title: str
    detail: str
    source: int | None


class Moment:
    """A moment of a game that goes on."""

    def __init__(self, view: View) -> None:
        assert view.asking is not None, "nothing is asked any more: the game is over"
        self.view = view
        self.asking: Asking = view.asking
        self.seating = seating_of(view)
        self.verbs = {move.verb for move in view.legal}

    @property
    def who(self) -> str:
        """The player who is asked."""
        return self.seating.name(self.asking.seat)

    @property
    def token(self) -> str:
        """The silver token by name."""
        return f"the silver {self.view.token}"

    @property
    def asker(self) -> str:
        """The resident or token that asks, by name and with the article."""
        return self.token if self.asking.number is None else self.the(self.asking.number)

    @property
    def asker_text(self) -> str:
        """What the resident or token that asks says it does."""
        number = self.asking.number
        return BOX_BY_LETTER[self.view.token[0]].token_text if number is None else self.view.residents[number].text

    @property
    def picked(self) -> list[str]:
        """The spots of the cards picked so far for what asks."""
        return [move.spot for move in self.asking.picked if len(move.spot) > 1 and move < GIVE]

    @property
    def first(self) -> str:
        """The spot of the first card picked, in words."""
        return self.seating.spot(self.picked[0])

    def card(self, spot: str) -> Card:
        """The card at a spot, as the reader sees it."""
        return card_at(self.view, spot)

    def the(self, number: int | None, unknown: str = "a card") -> str:
        """A resident by name, with the definite article; or what stands for a card that the reader does not know."""
        return unknown if number is None else f"the {self.view.residents[number].name}"

    def known(self, spot: str) -> str:
        """A spot in words, with the resident there if the reader knows it: "Bo's spot 2, the Spy,"."""
        number = self.card(spot).number
        return self.seating.spot(spot) + ("" if number is None else f", {self.the(number)},")

    @property
    def hand(self) -> str:
        """The card in hand, which its holder may not know (a facedown card that was taken, C11)."""
        return self.the(None if self.view.hand is None else self.view.hand.number, "the facedown card")


def card_at(view: View, spot: str) -> Card:
    """The card at a spot, as the reader sees it."""
    return view.villages[spot[0]][int(spot[1:]) - 1]


def usable(now: Moment, main: bool = False) -> list[str]:
    """What may be used now, by name: what replaces the draw, or the rest."""
    found: list[str] = []
    for move in now.view.legal:
        if move.verb == "ability":
            number = now.card(move.spot).number
            assert number is not None  # it is faceup
            resident = now.view.residents[number]
            if (resident.window == WINDOW_MAIN_ACTION) == main and f"your {resident.name}" not in found:
                found.append(f"your {resident.name}")
    if "token" in now.verbs and not main:
        found.append(now.token)
    return found


def uses(now: Moment, main: bool = False) -> list[str]:
    """One way to go on: to use one of these; none if there are none."""
    found = usable(now, main)
    return [f"use {listed(found, ' or ')}"] if found else []


def also(now: Moment) -> str:
    """What may be used besides, as a sentence of its own."""
    return "".join([f" You may also {way}." for way in uses(now)])
