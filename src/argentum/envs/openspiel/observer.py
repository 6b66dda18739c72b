"""What OpenSpiel's games of Silver show to a seat: tensors in named parts, and strings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import pyspiel
from numpy.typing import NDArray

from argentum.envs.openspiel.state import SpielHistory
from argentum.envs.openspiel.text import private_text, view_text
from argentum.observations import one_hot
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS

EVENT_FEATURES: Final = one_hot.encode_history(np.zeros((1, 1, EVENT_TOKEN_SIZE), np.uint8)).shape[
    -1
]  # numbers for something that was told


class ObservedProgress(Protocol):
    """Interface that an observer reads: the game, and the history of each seat."""

    @property
    def game(self) -> Game | None:
        """The game, if it has begun."""

    def history(self, seat: int) -> SpielHistory:
        """What a seat was told and did."""


class SpielObserver(ABC):
    """An observer as OpenSpiel wants it (`PyObserver`).

    An observation is how things stand for a seat. With perfect recall it is the information state: what the seat was
    told and did before that, too. What all can see, and what a seat knows beyond that, are there in words only.
    """

    def __init__(self, kind: pyspiel.IIGObservationType, shapes: Mapping[str, tuple[int, ...]]) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("there is no observation of what all seats know together")
        self.kind: Final = kind
        self.single_player: Final[bool] = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if shapes and self.single_player and kind.public_info:
            sizes = [int(np.prod(shape)) for shape in shapes.values()]
            self.tensor = np.zeros(sum(sizes), np.float32)
            parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
            self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: Any, player: int) -> None:
        """Write the tensor; before the game begins, it is all 0."""
        if self.tensor is not None:
            self.tensor.fill(0)
            if state.progress.game is not None:
                self.write(state.progress, player)

    @abstractmethod
    def write(self, progress: Any, player: int) -> None:
        """Write the tensor of a game that has begun."""

    def write_history(self, memory: SpielHistory, player: int) -> None:
        """Write who the seat is, and what it was told, the latest last."""
        self.dict["player"][player] = 1
        if memory.tokens:
            history = np.frombuffer(b"".join(memory.tokens), np.uint8).reshape(1, -1, EVENT_TOKEN_SIZE)
            self.dict["told"][-len(memory.tokens) :] = one_hot.encode_history(history)[0]

    def string_from(self, state: Any, player: int) -> str:
        """Return the observation as text."""
        progress: ObservedProgress = state.progress
        if progress.game is None:
            return ""
        history = progress.history(player).lines if self.kind.perfect_recall else ""
        return history + self._current_text(progress.game, SEAT_LETTERS[player])

    def _current_text(self, game: Game, seat: str) -> str:
        """How things stand: for a seat, for all, or just what the seat knows beyond that."""
        if not self.single_player:
            return view_text(game.view()) if self.kind.public_info else ""
        return view_text(game.view(seat)) if self.kind.public_info else private_text(game.view(seat), game.view())
