"""Argentum: the Silver card games with enforced rules.

>>> from random import Random
>>> from argentum import Game
>>> game = Game.new(boxes="dagger", players=2, seed=7)
>>> random = Random(7)
>>> while not game.over:
...     _ = game.play(random.choice(game.legal()))
>>> len(game.scores)
4
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argentum.rules.boxes import cast_of, deck_code, residents
    from argentum.rules.deal import Deal
    from argentum.rules.errors import IllegalMove
    from argentum.rules.events import Event
    from argentum.rules.game import Game
    from argentum.rules.move import Move
    from argentum.rules.residents import Resident
    from argentum.rules.scoring import ScoreLine
    from argentum.rules.views import Asking, Card, View

__all__ = [
    "Asking",
    "Card",
    "Deal",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "Resident",
    "ScoreLine",
    "View",
    "__version__",
    "cast_of",
    "deck_code",
    "residents",
]

__version__: str

_MODULES = {
    "boxes": ("cast_of", "deck_code", "residents"),
    "deal": ("Deal",),
    "errors": ("IllegalMove",),
    "events": ("Event",),
    "game": ("Game",),
    "move": ("Move",),
    "residents": ("Resident",),
    "scoring": ("ScoreLine",),
    "views": ("Asking", "Card", "View"),
}


def __getattr__(name: str) -> Any:
    """Import a public name, or read `__version__`, on first use.

    The command line must set the boxes to load (`--box`) before the rules are imported.
    """
    if name == "__version__":
        value: Any = _read_version()
    else:
        module = next((module for module, names in _MODULES.items() if name in names), None)
        if module is None:
            raise AttributeError(f"module 'argentum' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"argentum.rules.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _read_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("argentum")
    except PackageNotFoundError:  # the source is used without being installed
        return "unknown"
