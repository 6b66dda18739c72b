"""Words that residents of several boxes share."""

from collections.abc import Callable

from argentum.words.moment import Moment
from argentum.words.residents.voice import Asked
from argentum.words.seating import COUNTS

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
