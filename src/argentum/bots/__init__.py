"""Bots: players that see a view and nothing else.

>>> names()[:2]
['random', 'novice']
>>> make("novice", seed=1).name
'novice'
"""

from importlib.metadata import entry_points
from random import Random
from typing import Final

from argentum.bots.bot import Bot
from argentum.bots.chance import RandomBot
from argentum.bots.novice import NoviceBot
from argentum.bots.quick_bot import QuickBot
from argentum.bots.seer import SeerBot
from argentum.bots.steady import SteadyBot
from argentum.rules.game import Game
from argentum.rules.move import Move

GROUP: Final = "argentum.bots"  # of the entry points by which other packages offer their bots
OURS: Final[tuple[type[Bot], ...]] = (
    RandomBot,
    NoviceBot,
    QuickBot,
    SteadyBot,
    SeerBot,
)  # weakest first

__all__ = ["Bot", "ask", "make", "names"]


def names() -> list[str]:
    """The names of all bots: ours, the weakest first, then those of other packages."""
    return list(dict.fromkeys([*[bot.name for bot in OURS], *sorted(entry_points(group=GROUP).names)]))


def make(name: str, seed: int | None = None) -> Bot:
    """A bot by its name; what it does at random follows from the seed.

    A budget for each move may follow the name of one that takes it: `seer:200`, so many deals, or `seer:0.5s`.
    """
    name, colon, budget = name.partition(":")
    kinds = {bot.name: bot for bot in OURS}
    kind: type[Bot] | None = kinds.get(name)
    if kind is None:
        for entry in entry_points(group=GROUP, name=name):
            kind = entry.load()
    if kind is not None:
        return kind.within(budget, seed) if colon else kind(seed)
    raise ValueError(f"there is no bot {name!r}: the bots are {', '.join(names())}")


def ask(bot: Bot, game: Game, seat: str) -> Move:
    """What a bot plays at a seat that is to choose.

    This is the only way in which a game is put before a bot: it gets the seat's view, and if it looks ahead, a game
    that is imagined from what the seat knows.
    """
    if not bot.looks_ahead:
        return bot.choose(game.view(seat))
    dealt = game.imagine(seat, Random(bot.random.getrandbits(62)))
    view = game.view(seat)
    return bot.choose(view) if dealt is None else bot.look_ahead(view, Game.resume(dealt.text(), game.names))
