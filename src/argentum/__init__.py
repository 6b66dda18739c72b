"""Argentum: the Silver card games with enforced rules.

>>> from random import Random
>>> game = Game.new(boxes="dagger", players=2, seed=7)
>>> random = Random(7)
>>> while not game.over:
...     _ = game.play(random.choice(game.legal()))
>>> len(game.scores)
4
"""

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


def __getattr__(name: str) -> str:
    """Read `__version__` on first use, because reading it takes longer than most imports of the package."""
    if name != "__version__":
        raise AttributeError(f"module 'argentum' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("argentum")
    except PackageNotFoundError:  # the source is used without being installed
        return "unknown"
