"""The trained bot: a network, optionally with search."""

from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.search.search_bot import SearchBot, parse_budget
from argentum.rules.boxes import is_published
from argentum.rules.move import Move
from argentum.rules.residents import Cast
from argentum.rules.views import View

NETWORK_FILE: Final = str(Path(__file__).parent / "network" / "moon.npz")
MISSING_PACKAGE_MESSAGE: Final = "needs NumPy, which is not installed: pip install numpy"
MAX_CANDIDATES: Final = 5
MIN_PROBABILITY: Final = 0.04  # lowest probability of a move that is searched


class MoonBot(Bot):
    """Play the most probable move of a network, by default the packaged one."""

    name: ClassVar[str] = "moon"
    summary: ClassVar[str] = "learned by playing itself, millions of times"

    def __init__(self, seed: int | None = None, file: str = "") -> None:
        super().__init__(seed)
        if not self.can_play():
            raise ValueError(f"{self.name} {MISSING_PACKAGE_MESSAGE}")
        self.file: Final = file or NETWORK_FILE
        from argentum.bots.network.files import load_network  # needs NumPy

        self.network: Final = load_network(self.file)

    @property
    def network_file(self) -> str:
        return self.file

    def knows_deck(self, cast: Cast) -> bool:
        """Whether the network was trained with all boxes of a deck."""
        from argentum.bots.network.files import knows_foreign_boxes

        return is_published(cast) or knows_foreign_boxes(self.network.metadata)

    @classmethod
    def can_play(cls) -> bool:
        return find_spec("numpy") is not None

    @classmethod
    def with_budget(cls, budget: str, seed: int | None = None, file: str = "") -> Bot:
        """Return a bot that searches, with a budget per move such as `200` (deals), `0.5s` or `0.5s@4` (four cores)."""
        return MoonSearchBot(seed, file, *parse_budget(budget))

    def choose(self, view: View) -> Move:
        return self.move_probabilities(view)[0][1]

    def move_probabilities(self, view: View) -> list[tuple[float, Move]]:
        """Return the legal moves with their probabilities, the most probable first."""
        from argentum.bots.network.files import move_probabilities

        probabilities = move_probabilities(self.network, view)
        return sorted(zip(probabilities, view.legal, strict=True), key=lambda pair: -pair[0])


class MoonSearchBot(SearchBot):
    """Search over the most probable moves of the network, as `seer` does over those of `steady`."""

    name: ClassVar[str] = MoonBot.name
    summary: ClassVar[str] = MoonBot.summary

    def __init__(self, seed: int | None, file: str, seconds: float, deals: int, processes: int) -> None:
        super().__init__(seed, seconds, deals, processes)
        self.network_bot: Final = MoonBot(seed, file)

    @property
    def network_file(self) -> str:
        return self.network_bot.network_file

    def knows_deck(self, cast: Cast) -> bool:
        return self.network_bot.knows_deck(cast)

    def candidates(self, view: View) -> list[Move]:
        """Return the moves to race: only one in the first look, where all cards are equally unknown."""
        ranked = self.network_bot.move_probabilities(view)
        return select_candidates(ranked[:1] if view.looking else ranked)


def select_candidates(probabilities: list[tuple[float, Move]]) -> list[Move]:
    """Return the most probable move, then up to `MAX_CANDIDATES - 1` others more probable than `MIN_PROBABILITY`.

    `probabilities` must be sorted, the most probable move first.
    """
    return [
        move
        for index, (probability, move) in enumerate(probabilities[:MAX_CANDIDATES])
        if index == 0 or probability > MIN_PROBABILITY
    ]
