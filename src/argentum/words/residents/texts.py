"""What a resident or token has to say of its own: the form of an entry in the tables of the boxes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from argentum.words.context import Moment
from argentum.words.english import COUNTS

Asked: TypeAlias = tuple[str, str]  # a title and a detail
Question: TypeAlias = Asked | Callable[[Moment], Asked]


@dataclass(frozen=True)
class Voice:
    """An entry. Whatever it leaves out is said in general words, from the step, the name and the card's text."""

    asks: Mapping[str, Question] = field(default_factory=dict)  # by step (`asking.STEPS`): what its user is asked
    chooses: Mapping[str, str] = field(default_factory=dict)  # by step: what others are told, "chooses ... for {asker}"
    pick: str = "{spot}"  # a button for a card
    decline: str = ""  # the button for none of it, or no more
    says: Mapping[str, str] = field(default_factory=dict)  # by kind of event: how the log tells it
    faced: bool = False  # whether it counts differently faceup and facedown
    # How it changes its owner's sum, and those of others: {name}, {whose}, {before} (the sum), {rounded}, and {value}
    # or {cards} for what it looked at (`scoring.Line.value`).
    change: str = "{name}"
    abroad: str = "{whose} {name}"
    by: bool = False  # whether the change is shown with that, not the new sum
    advice: str | Callable[[Moment], str] = ""  # for a first game


GENERAL = Voice()

FLIP = "Faceup turns facedown, and facedown turns faceup for all to see."
UNSEEN = "Nobody else sees it."
KEEP_FACES = "Both cards stay faceup or facedown as they are."
THEIR_LOOK_ADVICE = "A card of another village tells you how well its owner is doing: look before you call."
FLIP_ADVICE = "A card that works while faceup is worth turning up. Turning a card up also shows it to everybody."


def look_advice(now: Moment) -> str:
    """Why to look at a card of any village."""
    own = "Look at a card of yours that you don't know, to find one to get rid of. " if _unknown(now) else ""
    return f"{own}A card of another village tells you how well its owner is doing."


def own_look_advice(now: Moment) -> str:
    """Why to look at a card of one's own."""
    if _unknown(now):
        return "Look at a card that you haven't seen yet: it may be one to get rid of."
    return "You know all the cards that you can look at, so this tells you nothing new."


def _unknown(now: Moment) -> bool:
    """Whether the reader can look at a card of their own that they don't know."""
    mine = [move.spot for move in now.view.legal if move.spot.startswith(now.view.seat)]
    return any([now.card(spot).number is None for spot in mine])


def look_on(most: int, where: str) -> Callable[[Moment], Asked]:
    """The question for one more card to look at, or no more."""

    def asked(now: Moment) -> Asked:
        left = most - len(now.picked)
        seen = now.seating.spots(now.picked)
        return f"Look at {'up to ' * (left > 1)}{COUNTS[left]} more, or stop.", f"{where} You have looked at {seen}."

    return asked
