"""The bot that learned: a network plays it, and with time for a move it looks ahead as well."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.search.search_bot import ForesightBot, budget_of
from argentum.rules.move import Move
from argentum.rules.views import View

FILE: Final = str(Path(__file__).parent / "network" / "moon.npz")
NEEDS: Final = ("numpy", "librt")
INSTALL: Final = "needs NumPy, which is not installed: pip install numpy librt"
MOST: Final = 5  # candidates
LEAST: Final = 0.04  # how likely the network must find a candidate


class MoonBot(Bot):
    """Plays what a network likes best, by what the seat sees: the one that comes along, or another file."""

    name: ClassVar[str] = "moon"
    summary: ClassVar[str] = "learned by playing itself, millions of times"

    def __init__(self, seed: int | None = None, file: str = "") -> None:
        super().__init__(seed)
        if not self.can_play():
            raise ValueError(f"{self.name} {INSTALL}")
        self.file: Final = file or FILE
        # By name: the compiled build reads what this package imports, and all that a network needs is a lot to read.
        self.networks: Final[Any] = import_module("argentum.bots.network.files")
        self.network: Final = self.networks.loaded(self.file)

    @property
    def network_file(self) -> str:
        """Its own file."""
        return self.file

    @classmethod
    def can_play(cls) -> bool:
        """Whether what it needs is installed."""
        return all([find_spec(name) is not None for name in NEEDS])

    @classmethod
    def within(cls, budget: str, seed: int | None = None, file: str = "") -> Bot:
        """One that looks ahead: `200`, so many deals, `0.5s`, so many seconds, or `0.5s@4`, on four cores."""
        return MoonAhead(seed, file, *budget_of(budget))

    def choose(self, view: View) -> Move:
        """The legal move that the network likes best."""
        return self.liked(view)[0][1]

    def liked(self, view: View) -> list[tuple[float, Move]]:
        """The legal moves, the one that it likes best first, each with how likely it would be played."""
        likes: list[float] = self.networks.likes(self.network, view)
        return sorted(zip(likes, view.legal, strict=True), key=lambda one: -one[0])


class MoonAhead(ForesightBot):
    """The same with a budget for each move: the moves that the network likes best race as those of `seer` do."""

    name: ClassVar[str] = MoonBot.name
    summary: ClassVar[str] = MoonBot.summary

    def __init__(self, seed: int | None, file: str, seconds: float, deals: int, processes: int) -> None:
        super().__init__(seed, seconds, deals, processes)
        self.player: Final = MoonBot(seed, file)

    @property
    def network_file(self) -> str:
        """The file of the network that names the candidates."""
        return self.player.network_file

    def candidates(self, view: View) -> list[Move]:
        """The moves to look into, the network's own first; only that one in the first look, where all are alike."""
        liked = self.player.liked(view)
        return candidates(liked[:1] if view.looking else liked)


def candidates(liked: list[tuple[float, Move]]) -> list[Move]:
    """The moves to look into, the network's own first: a few that it may well play."""
    return [move for nth, (likely, move) in enumerate(liked[:MOST]) if nth == 0 or likely > LEAST]
