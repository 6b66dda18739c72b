# mypyc: compile
"""The context of prompt texts: a view and its question."""

from typing import NamedTuple

from argentum.rules.notation import GIVE
from argentum.rules.residents import WINDOW_MAIN_ACTION
from argentum.rules.views import Asking, Card, View, card_at
from argentum.words.english import join_list
from argentum.words.player_names import player_names


class Prompt(NamedTuple):
    """What a player is asked or told; `source` is the number of the resident whose ability asks, or None."""

    title: str
    detail: str
    source: int | None


class PromptContext:
    """A view of a running game, with phrases for texts about its question."""

    def __init__(self, view: View) -> None:
        assert view.asking is not None, "the game is over"
        self.view = view
        self.asking: Asking = view.asking
        self.player_names = player_names(view)
        self.verbs = {move.verb for move in view.legal if move.number is None}  # not of `draw 1`, `take 2` ...

    @property
    def player(self) -> str:
        return self.player_names.name(self.asking.seat)

    @property
    def token_phrase(self) -> str:
        return f"the silver {self.view.token}"

    @property
    def token_text(self) -> str:
        """The card text of the token."""
        return self.view.cast.token_box.token_text

    @property
    def asker_phrase(self) -> str:
        """The resident or token that asks, by name and with the article."""
        return self.token_phrase if self.asking.number is None else self.resident_phrase(self.asking.number)

    @property
    def asker_text(self) -> str:
        """The card text of the resident or token that asks."""
        number = self.asking.number
        return self.token_text if number is None else self.view.residents[number].text

    @property
    def picked(self) -> list[str]:
        """The spots of the cards picked so far for this ability."""
        return [move.spot for move in self.asking.picked if move.spot and move < GIVE]

    @property
    def first_pick_phrase(self) -> str:
        return self.player_names.spot_phrase(self.picked[0])

    def card(self, spot: str) -> Card:
        return card_at(self.view, spot)

    def resident_phrase(self, number: int | None, unknown: str = "a card") -> str:
        """Return the name of a resident with the definite article; `unknown` if the reader does not know the card."""
        return unknown if number is None else f"the {self.view.residents[number].name}"

    def known_spot_phrase(self, spot: str) -> str:
        """Return a phrase for a spot, with its resident if the reader knows it: "Bo's spot 2, the Spy,"."""
        number = self.card(spot).number
        return self.player_names.spot_phrase(spot) + ("" if number is None else f", {self.resident_phrase(number)},")

    @property
    def hand_phrase(self) -> str:
        """A phrase for the card in hand: "the Spy", or "the facedown card" if its holder does not know it (C11)."""
        return self.resident_phrase(None if self.view.hand is None else self.view.hand.number, "the facedown card")


def usable_ability_names(context: PromptContext, main: bool = False) -> list[str]:
    """Return the names of the abilities that may be used now.

    With `main`, return those used instead of a draw; otherwise, the others and the token.
    """
    names: list[str] = []
    for move in context.view.legal:
        if move.verb == "ability":
            number = context.card(move.spot).number
            assert number is not None  # The card is faceup.
            resident = context.view.residents[number]
            if (resident.window == WINDOW_MAIN_ACTION) == main and f"your {resident.name}" not in names:
                names.append(f"your {resident.name}")
    if "token" in context.verbs and not main:
        names.append(context.token_phrase)
    return names


def use_options(context: PromptContext, main: bool = False) -> list[str]:
    """Return a list of the single option "use ...", or an empty list if nothing may be used."""
    names = usable_ability_names(context, main)
    return [f"use {join_list(names, ' or ')}"] if names else []


def usable_abilities_sentence(context: PromptContext) -> str:
    """Return " You may also use ...", with the leading space; empty if nothing may be used."""
    return "".join([f" You may also {option}." for option in use_options(context)])
