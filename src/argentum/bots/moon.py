"""The bot that learned: a network plays it, and with time for a move it looks ahead as well."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.search.search_bot import SearchBot, parse_budget
from argentum.rules.move import Move
from argentum.rules.views import View

NETWORK_FILE: Final = str(Path(__file__).parent / "network" / "moon.npz")
REQUIRED_PACKAGES: Final = ("numpy", "librt")
INSTALL: Final = "needs NumPy, which is not installed: pip install numpy librt"
MAX_CANDIDATES: Final = 5  # candidates
MIN_PROBABILITY: Final = 0.04  # how likely the network must find a candidate


class MoonBot(Bot):
    """Plays what a network likes best, by what the seat sees: the one that comes along, or another file."""

    name: ClassVar[str] = "moon"
    summary: ClassVar[str] = "learned by playing itself, millions of times"

    def __init__(self, seed: int | None = None, file: str = "") -> None:
        super().__init__(seed)
        if not self.can_play():
            raise ValueError(f"{self.name} {INSTALL}")
        self.file: Final = file or NETWORK_FILE
        # By name: the compiled build reads what this package imports, and all that a network needs is a lot to read.
        self.network_files: Final[Any] = import_module("argentum.bots.network.files")
        self.network: Final = self.network_files.load_network(self.file)

    @property
    def network_file(self) -> str:
        """Its own file."""
        return self.file

    @classmethod
    def can_play(cls) -> bool:
        """Whether what it needs is installed."""
        return all([find_spec(name) is not None for name in REQUIRED_PACKAGES])

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None, file: str = "") -> Bot:
        """One that looks ahead: `200`, so many deals, `0.5s`, so many seconds, or `0.5s@4`, on four cores."""
        return MoonSearchBot(seed, file, *parse_budget(budget))

    def choose(self, view: View) -> Move:
        """The legal move that the network likes best."""
        return self.move_probabilities(view)[0][1]

    def move_probabilities(self, view: View) -> list[tuple[float, Move]]:
        """The legal moves, the one that it likes best first, each with how likely it would be played."""
        probabilities: list[float] = self.network_files.move_probabilities(self.network, view)
        return sorted(zip(probabilities, view.legal, strict=True), key=lambda one: -one[0])


class MoonSearchBot(SearchBot):
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
        liked = self.player.move_probabilities(view)
        return select_candidates(liked[:1] if view.looking else liked)


def select_candidates(probabilities: list[tuple[float, Move]]) -> list[Move]:
    """The moves to look into, the network's own first: a few that it may well play."""
    return [
        move
        for nth, (probability, move) in enumerate(probabilities[:MAX_CANDIDATES])
        if nth == 0 or probability > MIN_PROBABILITY
    ]
