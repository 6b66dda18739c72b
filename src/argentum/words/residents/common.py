"""Words that residents of several boxes share."""

from collections.abc import Callable

from argentum.words.moment import Moment
from argentum.words.residents.voice import Asked
from argentum.words.seating import COUNTS

FLIP = "Faceup turns facedown, and facedown turns faceup for all to see."
UNSEEN = "Nobody else sees it."
KEEP_FACES = "Both cards stay faceup or facedown as they are."
LOOK_ADVICE = (
    "Look at a card of yours that you don't know, to find one to get rid of. A card of another village tells you how"
    " well its owner is doing."
)
OWN_LOOK_ADVICE = "Look at a card that you haven't seen yet: it may be one to get rid of."
THEIR_LOOK_ADVICE = "A card of another village tells you how well its owner is doing: look before you call."
FLIP_ADVICE = "A card that works while faceup is worth turning up. Turning a card up also shows it to everybody."


def look_on(most: int, where: str) -> Callable[[Moment], Asked]:
    """The question for one more card to look at, or no more."""

    def asked(now: Moment) -> Asked:
        left = most - len(now.picked)
        seen = now.seating.spots(now.picked)
        return f"Look at {'up to ' * (left > 1)}{COUNTS[left]} more, or stop.", f"{where} You have looked at {seen}."

    return asked
