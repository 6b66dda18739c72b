"""Bots: players that choose a move from what their seat can see.

>>> names()[:2]
['random', 'novice']
>>> make("novice", seed=1).name
'novice'
"""

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import Final
from warnings import warn

from argentum.bots.bot import Bot
from argentum.bots.moon import MISSING_PACKAGE_MESSAGE, MoonBot
from argentum.bots.novice import NoviceBot
from argentum.bots.quick import QuickBot
from argentum.bots.random import RandomBot
from argentum.bots.seer import SeerBot
from argentum.bots.steady import SteadyBot
from argentum.rules.boxes.discovery import BoxWarning
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import CALL
from argentum.rules.residents import Cast
from argentum.rules.views import View

NETWORK_FILE_PATTERN: Final = re.compile(r"(?:[^@]*@)?(.+\.(?:npz|onnx))(?::([^:]*))?")  # label@file:budget
PYTHON_FILE_PATTERN: Final = re.compile(r"(?:.*[/\\])?([^/\\:]+)\.py(?::(.*))?")  # file.py:Class
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
    """Return the names of the bots that can play here: built-in ones, weakest first, then those of other packages."""
    builtin = [bot.name for bot in BUILTIN_BOTS if bot.can_play()]
    return list(dict.fromkeys([*builtin, *sorted(entry_points(group=ENTRY_POINT_GROUP).names)]))


def not_installed() -> dict[str, str]:
    """Map each bot whose packages are missing to a message that says what to install.

    Empty in a browser, where nothing can be installed.
    """
    return {} if MoonBot.can_play() or sys.platform == "emscripten" else {MoonBot.name: MISSING_PACKAGE_MESSAGE}


def strongest(players: int = 2, may_search: bool = True, cast: Cast | None = None) -> str:
    """Return the name of the strongest bot that can play here, as measured in docs/strength.md.

    With the `cast` of a deck, consider only bots that know all of its boxes; without `may_search`, only bots that
    choose within milliseconds.
    """
    searches = may_search and players == 2  # With three and four seats, search gave no gain (docs/learning.md).
    if MoonBot.can_play() and (cast is None or MoonBot().knows_deck(cast)):
        return f"{MoonBot.name}:100" if searches else MoonBot.name
    return f"{SeerBot.name}:150" if searches and SeerBot.can_play() else SteadyBot.name


def make(name: str, seed: int | None = None) -> Bot:
    """Make the bot with this name; raise `ValueError` if there is none.

    A bot that searches takes a budget per move: `seer:200` for 200 deals, `seer:0.5s` for half a second. The name of a
    network is its file (`file.npz`, `label@file.onnx:1s`), and that of a custom bot is `module:Class`. Bots with the
    same seed make the same choices, unless their budget is a time limit.
    """
    network = NETWORK_FILE_PATTERN.fullmatch(name)
    if network is not None:
        file, budget = network.groups()
        return MoonBot(seed, file) if budget is None else MoonBot.with_budget(budget, seed, file)
    source = PYTHON_FILE_PATTERN.fullmatch(name)
    if source is not None:
        module, class_name = source.groups()
        raise ValueError(
            f"there is no bot {name!r}: a bot of your own is named by its module and class, such as"
            f" {module}:{class_name or 'MyBot'}, with the folder of {module}.py on PYTHONPATH"
        )
    base_name, colon, budget = name.partition(":")
    builtin = {bot.name: bot for bot in BUILTIN_BOTS}
    bot_class: type[Bot] | None = builtin.get(base_name)
    if bot_class is None:
        for entry in entry_points(group=ENTRY_POINT_GROUP, name=base_name):
            bot_class = entry.load()
    if bot_class is not None:
        return bot_class.with_budget(budget, seed) if colon else bot_class(seed)
    if is_class_path(name):
        return import_bot_class(name)(seed)
    missing = "".join([f"; {bot} {message}" for bot, message in not_installed().items()])
    raise ValueError(f"there is no bot {base_name!r}: the bots are {', '.join(names())}{missing}")


def is_class_path(name: str) -> bool:
    """Return whether a name has the form `module:Class`, such as `my.bots:Clever`."""
    module, _, class_name = name.partition(":")
    return (
        class_name.isidentifier()
        and module not in names()
        and all([package.isidentifier() for package in module.split(".")])
    )


def import_bot_class(name: str) -> type[Bot]:
    """Import the class named by `module:Class`; raise `ValueError` if there is none or it is not a `Bot`."""
    module, _, class_name = name.partition(":")
    try:
        bot_class = getattr(import_module(module), class_name, None)
    except ImportError as error:
        raise ValueError(f"there is no bot {name!r}: {error}") from None
    if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
        raise ValueError(
            f"there is no bot {name!r}: module {module} has no class {class_name} that is an argentum.bots.Bot"
        )
    return bot_class


def ask(bot: Bot, game: Game, seat: str, may_call: bool = True) -> Move:
    """Ask a bot for the move of a seat that must choose.

    The bot gets the view of the seat, never the game itself. A bot that searches also gets the position as the seat
    knows it, unless no deal of the unknown cards is found. Without `may_call`, the bot chooses among the other legal
    moves, without a search.
    """
    view = game.view(seat)
    if not may_call:
        view = view._replace(legal=without_call(view.legal))
    if not bot.knows_deck(view.cast):
        warn(f"{bot.name} does not know all boxes of the deck; steady plays instead", BoxWarning, stacklevel=2)
        bot = SteadyBot(0)
    if not bot.uses_search or not may_call:
        return bot.choose(view)
    position = game.position().known_to(seat)
    sample = position.redealt(seat, Random(bot.random.getrandbits(62)))
    return bot.choose(view) if sample is None else bot.choose_with_search(view, position)


def without_call(legal: Sequence[Move]) -> tuple[Move, ...]:
    """Return legal moves without the call, unless it is the only one."""
    return tuple([move for move in legal if move != CALL]) or tuple(legal)


def observation_of(view: View) -> bytes:
    """Return the observation of a view as bytes, the same as in the learning environments."""
    # Imported here because only bots with a network need it.
    from argentum.observations.view_writer import write_observation

    return write_observation(view)
