"""A choice that can still be taken back: nothing new was seen by it, and nobody was told of it yet.

It is made on a copy of the game, which only its seat is shown. What that seat does next makes both known together, or
takes the choice back. If the game goes on otherwise, a clock that runs out for example, the draft is gone.
"""

from dataclasses import dataclass

from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.tableside.moves import Made
from argentum.tableside.recall import Recall

QUIET = ("took", "ability", "token")  # what shows nobody a card that they have not seen before


@dataclass
class Draft:
    """What a seat has chosen, and what it sees and is asked now."""

    made: Made
    recall: Recall
    number: int  # of the question that it leads to


def is_quiet(made: Made, events: list[Event]) -> bool:
    """Whether a move with these events, as those who only watch would be told them, can still be taken back.

    The same seat must be asked next. A card that was taken is one that everybody has seen (a facedown one is not, C11).
    """
    if not made.game.legal(made.seat):
        return False
    return all([one.kind in QUIET and (one.kind != "took" or one.number is not None) for one in events])


def drafted(made: Made, looks: dict[str, float], moment: int, number: int) -> Draft:
    """A draft of a move; `looks` are the cards that its seat saw a moment ago."""
    game: Game = made.game
    recall = Recall(made.seat, game, lambda: game.events(None), looks)
    recall.catch_up(game, moment)
    return Draft(made, recall, number)
