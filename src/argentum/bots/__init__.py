"""Bots: players that see a view and nothing else.

>>> names()[:2]
['random', 'novice']
>>> make("novice", seed=1).name
'novice'
"""

from importlib.metadata import entry_points
from typing import Final

from argentum.bots.bot import Bot
from argentum.bots.chance import RandomBot
from argentum.bots.novice import NoviceBot
from argentum.bots.steady import SteadyBot

GROUP: Final = "argentum.bots"  # of the entry points by which other packages offer their bots
OURS: Final[tuple[type[Bot], ...]] = (
    RandomBot,
    NoviceBot,
    SteadyBot,
)  # weakest first

__all__ = ["Bot", "make", "names"]


def names() -> list[str]:
    """The names of all bots: ours, the weakest first, then those of other packages."""
    return list(dict.fromkeys([*[bot.name for bot in OURS], *sorted(entry_points(group=GROUP).names)]))


def make(name: str, seed: int | None = None) -> Bot:
    """A bot by its name; what it does at random follows from the seed."""
    for bot in OURS:
        if bot.name == name:
            return bot(seed)
    for entry in entry_points(group=GROUP, name=name):
        theirs: type[Bot] = entry.load()
        return theirs(seed)
    raise ValueError(f"there is no bot {name!r}: the bots are {', '.join(names())}")
