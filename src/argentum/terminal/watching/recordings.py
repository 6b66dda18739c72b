"""Recordings to watch: a game from its record, or the updates of a live game."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from argentum.display.replay import Replay, build_replay_scene, game_positions
from argentum.display.results import RoundScoring, round_scoring
from argentum.display.scene import SeatInfo
from argentum.rules.game import Game
from argentum.terminal.state import MAX_LOG_LINES, TableState


class Recording(ABC):
    """Sequence of a game's states."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def state(self, index: int) -> TableState:
        pass

    @abstractmethod
    def round_scoring(self, index: int) -> RoundScoring | None:
        """Return the scoring of the round that ended just before this state, or None if none did."""

    @abstractmethod
    def rounds(self) -> dict[int, int]:
        """Return the index of the first state of each round, by round number."""


class ReplayedGame(Recording):
    """A finished game, with all cards faceup."""

    def __init__(self, game: Game) -> None:
        self.positions = game_positions(game)

    def __len__(self) -> int:
        return len(self.positions)

    def state(self, index: int) -> TableState:
        position = self.positions[index]
        seats = tuple(
            [SeatInfo(seat, name, "", True, "") for seat, name in zip(position.seats, position.names, strict=True)]
        )
        scene = build_replay_scene(Replay.build(self.positions, index), "", seats, MAX_LOG_LINES)
        return TableState(
            "over" if position.over else "playing",
            seats,
            {},
            scene,
            None,
            scores=position.scores,
            winner=position.winner,
        )

    def round_scoring(self, index: int) -> RoundScoring | None:
        if index == 0 or self.positions[index].rounds_finished == self.positions[index - 1].rounds_finished:
            return None
        return round_scoring(self.positions[index], "")

    def rounds(self) -> dict[int, int]:
        return dict(Replay.build(self.positions, 0).rounds)


@dataclass
class LiveGame(Recording):
    """A running game, extended by each update."""

    states: list[TableState] = field(default_factory=list)
    scorings: dict[int, RoundScoring] = field(default_factory=dict)

    def add(self, state: TableState, scoring: RoundScoring | None) -> None:
        """Append a state, or replace the last one if the log has not changed and no round has ended."""
        log = state.scene.log if state.scene is not None else ()
        last = self.states[-1].scene if self.states else None
        if scoring is None and last is not None and last.log == log:
            self.states[-1] = state
            return
        self.states.append(state)
        if scoring is not None:
            self.scorings[len(self) - 1] = scoring

    def __len__(self) -> int:
        return len(self.states)

    def state(self, index: int) -> TableState:
        return self.states[index]

    def round_scoring(self, index: int) -> RoundScoring | None:
        return self.scorings.get(index)

    def rounds(self) -> dict[int, int]:
        starts: dict[int, int] = {}
        for index, state in enumerate(self.states):
            if state.scene is not None:
                starts.setdefault(state.scene.round, index)
        return starts
