"""Games that are watched: a record from its first deal to its end, or what a server has told so far."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from argentum.display.replay import Replay, build_replay_scene, game_positions
from argentum.display.results import RoundScoring, round_scoring
from argentum.display.scene import SeatInfo
from argentum.rules.game import Game
from argentum.terminal.state import MAX_LOG_LINES, TableState


class Recording(ABC):
    """Moments of a game, one after another."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def state(self, index: int) -> TableState:
        """The table after so many steps."""

    @abstractmethod
    def round_scoring(self, index: int) -> RoundScoring | None:
        """How the round was scored that ended just before this moment."""

    @abstractmethod
    def rounds(self) -> dict[int, int]:
        """Where each round begins."""


class ReplayedGame(Recording):
    """A game from its record, with every face open."""

    def __init__(self, game: Game) -> None:
        self.positions = game_positions(game)

    def __len__(self) -> int:
        return len(self.positions)

    def state(self, at: int) -> TableState:
        """The table after so many moves."""
        there = self.positions[at]
        seats = tuple([SeatInfo(seat, name, "", True, "") for seat, name in zip(there.seats, there.names, strict=True)])
        drawn = build_replay_scene(Replay.of(self.positions, at), "", seats, MAX_LOG_LINES)
        return TableState(
            "over" if there.over else "playing", seats, {}, drawn, None, scores=there.scores, winner=there.winner
        )

    def round_scoring(self, at: int) -> RoundScoring | None:
        """The end of a round, if the last move brought it."""
        if at == 0 or self.positions[at].rounds_finished == self.positions[at - 1].rounds_finished:
            return None
        return round_scoring(self.positions[at], "")

    def rounds(self) -> dict[int, int]:
        """Where each round begins."""
        return dict(Replay.of(self.positions, 0).rounds)


@dataclass
class LiveGame(Recording):
    """A game that goes on, as far as it was seen."""

    moments: list[TableState] = field(default_factory=list)
    reckonings: dict[int, RoundScoring] = field(default_factory=dict)

    def add(self, moment: TableState, reckoning: RoundScoring | None) -> bool:
        """The next moment, or the last one once more: whether anything happened at the table."""
        log = moment.scene.log if moment.scene is not None else ()
        last = self.moments[-1].scene if self.moments else None
        new = last is None or last.log != log
        if not new:
            self.moments[-1] = moment
            return False
        self.moments.append(moment)
        if reckoning is not None:
            self.reckonings[len(self) - 1] = reckoning
        return True

    def __len__(self) -> int:
        return len(self.moments)

    def state(self, at: int) -> TableState:
        """What was told then."""
        return self.moments[at]

    def round_scoring(self, at: int) -> RoundScoring | None:
        """The end of a round, if it came with this."""
        return self.reckonings.get(at)

    def rounds(self) -> dict[int, int]:
        """Where each round begins, of those that were seen."""
        found: dict[int, int] = {}
        for at, moment in enumerate(self.moments):
            if moment.scene is not None:
                found.setdefault(moment.scene.round, at)
        return found
