"""Bots: players that see a view and nothing else.

>>> names()[:2]
['random', 'novice']
>>> make("novice", seed=1).name
'novice'
"""

import re
import sys
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import Final

from argentum.bots.bot import Bot
from argentum.bots.moon import MISSING_PACKAGE_MESSAGE, MoonBot
from argentum.bots.novice import NoviceBot
from argentum.bots.quick import QuickBot
from argentum.bots.random import RandomBot
from argentum.bots.seer import SeerBot
from argentum.bots.steady import SteadyBot
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.views import View

NETWORK_FILE_PATTERN: Final = re.compile(
    r"(?:[^@]*@)?(.+\.(?:npz|onnx))(?::([^:]*))?"
)  # a network's file, and a budget
PYTHON_FILE_PATTERN: Final = re.compile(r"(?:.*[/\\])?([^/\\:]+)\.py(?::(.*))?")  # a Python file instead of a module
ENTRY_POINT_GROUP: Final = "argentum.bots"  # where other packages register bots
BUILTIN_BOTS: Final[tuple[type[Bot], ...]] = (
    RandomBot,
    NoviceBot,
    QuickBot,
    SteadyBot,
    SeerBot,
    MoonBot,
)  # weakest first

__all__ = ["Bot", "ask", "make", "names", "not_installed", "observation_of", "strongest"]


def names() -> list[str]:
    """Return the names of all bots that can play here: built-in ones from weakest to strongest, then others."""
    ours = [bot.name for bot in BUILTIN_BOTS if bot.can_play()]
    return list(dict.fromkeys([*ours, *sorted(entry_points(group=ENTRY_POINT_GROUP).names)]))


def not_installed() -> dict[str, str]:
    """Return the bots that need packages that are not installed, with what to install; empty in a browser."""
    return {} if MoonBot.can_play() or sys.platform == "emscripten" else {MoonBot.name: MISSING_PACKAGE_MESSAGE}


def strongest(players: int = 2, may_search: bool = True) -> str:
    """Return the name of the strongest bot that can play here. Without `may_search`, it answers at once.

    The order follows the measurements in docs/strength.md. Advice and hints for players use this bot.
    """
    ahead = may_search and players == 2  # With three and four seats, search gave no gain (docs/learning.md).
    if MoonBot.can_play():
        return f"{MoonBot.name}:100" if ahead else MoonBot.name
    return f"{SeerBot.name}:150" if ahead and SeerBot.can_play() else SteadyBot.name


def make(name: str, seed: int | None = None) -> Bot:
    """Make a bot by its name; everything random comes from the seed.

    A budget per move can follow the name of a bot that takes one: `seer:200` for 200 deals, `seer:0.5s` for half a
    second. A network is named by its file (`file.npz`, `name@file.onnx:1s`), and a bot of your own by `module:Class`.

    """
    network = NETWORK_FILE_PATTERN.fullmatch(name)
    if network is not None:
        file, budget = network.groups()
        return MoonBot(seed, file) if budget is None else MoonBot.with_budget(budget, seed, file)
    source = PYTHON_FILE_PATTERN.fullmatch(name)
    if source is not None:
        module, kind_name = source.groups()
        raise ValueError(
            f"there is no bot {name!r}: a bot of your own is named by its module and class, such as"
            f" {module}:{kind_name or 'MyBot'}, with the folder of {module}.py on PYTHONPATH"
        )
    word, colon, budget = name.partition(":")
    kinds = {bot.name: bot for bot in BUILTIN_BOTS}
    bot_class: type[Bot] | None = kinds.get(word)
    if bot_class is None:
        for entry in entry_points(group=ENTRY_POINT_GROUP, name=word):
            bot_class = entry.load()
    if bot_class is not None:
        return bot_class.with_budget(budget, seed) if colon else bot_class(seed)
    if is_class_path(name):
        return import_bot_class(name)(seed)
    more = "".join([f"; {name} {reason}" for name, reason in not_installed().items()])
    raise ValueError(f"there is no bot {word!r}: the bots are {', '.join(names())}{more}")


def is_class_path(name: str) -> bool:
    """Return whether a name is `module:Class`, such as `my.bots:Clever`. No budget has this form."""
    module, _, bot_class = name.partition(":")
    return (
        bot_class.isidentifier() and module not in names() and all([part.isidentifier() for part in module.split(".")])
    )


def import_bot_class(name: str) -> type[Bot]:
    """Import the class named by `module:Class`."""
    module, _, kind = name.partition(":")
    try:
        bot_class = getattr(import_module(module), kind, None)
    except ImportError as error:
        raise ValueError(f"there is no bot {name!r}: {error}") from None
    if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
        raise ValueError(f"there is no bot {name!r}: module {module} has no class {kind} that is an argentum.bots.Bot")
    return bot_class


def ask(bot: Bot, game: Game, seat: str) -> Move:
    """Ask a bot for a move of a seat that must choose.

    The bot gets the view of the seat, never the game itself. A bot that searches also gets a game re-dealt from what
    the seat knows.
    """
    if not bot.uses_search:
        return bot.choose(game.view(seat))
    dealt = game.redeal_from_knowledge(seat, Random(bot.random.getrandbits(62)))
    view = game.view(seat)
    return bot.choose(view) if dealt is None else bot.choose_with_search(view, Game.resume(dealt.text(), game.names))


def observation_of(view: View) -> bytes:
    """Return the observation of a view, with the same bytes as in the learning environments."""
    # Imported here because bots without a network do not need it.
    from argentum.observations.view_writer import write_observation as written

    return written(view)
