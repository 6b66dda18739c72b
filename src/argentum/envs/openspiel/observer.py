"""Base class of the OpenSpiel observers: observations and information states as tensors and as text."""

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


class ObservedProgress(Protocol):
    """The part of a state that an observer reads, implemented by `SpielProgress` and `MiniNode`."""

    @property
    def game(self) -> Game | None:
        """The game, or None before it begins."""

    def history(self, seat: int) -> SpielHistory:
        """Return the events and moves of a seat."""


class SpielObserver(ABC):
    """Base class of the observers, with the interface that OpenSpiel expects of observers in Python.

    An observation is a seat's view of the current position. With perfect recall, it is the information state, which
    includes the seat's history. Observations of only public or only private information have a text but no tensor.
    `shapes` maps the names of the tensor's parts to their shapes. Raise ValueError for observations of all seats'
    private information.
    """

    def __init__(self, observation_type: pyspiel.IIGObservationType, shapes: Mapping[str, tuple[int, ...]]) -> None:
        if observation_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("there is no observation of what all seats know together")
        self.observation_type: Final = observation_type
        self.single_player: Final[bool] = observation_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if shapes and self.single_player and observation_type.public_info:
            sizes = [int(np.prod(shape)) for shape in shapes.values()]
            self.tensor = np.zeros(sum(sizes), np.float32)
            parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
            self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def set_from(self, state: Any, player: int) -> None:
        """Set the tensor to the observation of a player; to 0 before the game begins."""
        if self.tensor is not None:
            self.tensor.fill(0)
            if state.progress.game is not None:
                self.write_tensor(state.progress, player)

    @abstractmethod
    def write_tensor(self, progress: Any, player: int) -> None:
        """Write the observation of a player to the tensor, which is all 0. Called only after the game has begun."""

    def write_history(self, history: SpielHistory, player: int) -> None:
        """Write the parts `player` (one-hot) and `told` (the history, padded with 0 at the front)."""
        self.dict["player"][player] = 1
        if history.tokens:
            tokens = np.frombuffer(b"".join(history.tokens), np.uint8).reshape(1, -1, EVENT_TOKEN_SIZE)
            self.dict["told"][-len(history.tokens) :] = one_hot.encode_history(tokens)[0]

    def string_from(self, state: Any, player: int) -> str:
        """Return the observation of a player as text; empty before the game begins."""
        progress: ObservedProgress = state.progress
        if progress.game is None:
            return ""
        history = progress.history(player).lines if self.observation_type.perfect_recall else ""
        return history + self._current_text(progress.game, SEAT_LETTERS[player])

    def _current_text(self, game: Game, seat: str) -> str:
        """Return the position as text: public information, private information of the seat, or both."""
        if not self.single_player:
            return view_text(game.view()) if self.observation_type.public_info else ""
        return (
            view_text(game.view(seat))
            if self.observation_type.public_info
            else private_text(game.view(seat), game.view())
        )
