"""Bots: players that see a view and nothing else.

>>> names()[:2]
['random', 'novice']
>>> make("novice", seed=1).name
'novice'
"""

import sys
from importlib import import_module
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
from argentum.rules.views import View

NETWORK: Final = ".onnx"  # how the name of a network's file ends
GROUP: Final = "argentum.bots"  # of the entry points by which other packages offer their bots
OURS: Final[tuple[type[Bot], ...]] = (
    RandomBot,
    NoviceBot,
    QuickBot,
    SteadyBot,
    SeerBot,
)  # weakest first

__all__ = ["Bot", "ask", "make", "names", "observe"]


def names() -> list[str]:
    """The names of all bots that can play here: ours, the weakest first, then those of other packages."""
    ours = [bot.name for bot in OURS if not (bot.elsewhere and sys.platform == "emscripten")]
    return list(dict.fromkeys([*ours, *sorted(entry_points(group=GROUP).names)]))


def make(name: str, seed: int | None = None) -> Bot:
    """A bot by its name; what it does at random follows from the seed.

    A budget for each move may follow the name of one that takes it: `seer:200`, so many deals, or `seer:0.5s`. A
    network is named by its file (`file.onnx`, or `name@file.onnx`), and a bot of one's own as `module:Class`.
    """
    if name.endswith(NETWORK):
        return of_file(name.rpartition("@")[2], seed)
    word, colon, budget = name.partition(":")
    kinds = {bot.name: bot for bot in OURS}
    kind: type[Bot] | None = kinds.get(word)
    if kind is None:
        for entry in entry_points(group=GROUP, name=word):
            kind = entry.load()
    if kind is not None:
        return kind.within(budget, seed) if colon else kind(seed)
    if is_class(name):
        return imported(name)(seed)
    raise ValueError(f"there is no bot {word!r}: the bots are {', '.join(names())}")


def of_file(file: str, seed: int | None) -> Bot:
    """A network as a bot, by its file."""
    # By name: the compiled build reads what this package imports, and all that a network needs is a lot to read.
    made: Bot = import_module("argentum.bots.network").NetworkBot(seed, file)
    return made


def is_class(name: str) -> bool:
    """Whether a name is that of a class in a module, such as `my.bots:Clever`: no budget begins so."""
    module, _, kind = name.partition(":")
    return kind.isidentifier() and module not in names() and all([part.isidentifier() for part in module.split(".")])


def imported(name: str) -> type[Bot]:
    """A bot of somebody's own, by its module and class."""
    module, _, kind = name.partition(":")
    try:
        found = getattr(import_module(module), kind, None)
    except ImportError as error:
        raise ValueError(f"there is no bot {name!r}: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise ValueError(f"there is no bot {name!r}: module {module} has no class {kind} that is an argentum.bots.Bot")
    return found


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


def observe(view: View) -> bytes:
    """A seat's observation, as a network reads it: the bytes that the learning environments give, from its view."""
    # Here, so that only who observes needs what the environments need.
    from argentum.bots.observing import observe as written

    return written(view)
