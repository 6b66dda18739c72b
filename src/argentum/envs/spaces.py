"""Observations, action masks and states as NumPy arrays in several forms, and their Gymnasium spaces."""

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from argentum.envs.episode import Episode
from argentum.envs.rows import row_of, write_mask
from argentum.observations import actions, history, layout, one_hot
from argentum.observations.float_layout import vector_size
from argentum.observations.history import observation_size
from argentum.observations.view_writer import write_observation
from argentum.rules.events import END_REASONS
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS

FORM_MASKED: Final = "masked"
FORM_PLAIN: Final = "plain"
FORM_PARTS: Final = "parts"
FORM_VECTOR: Final = "vector"
FORM_FLOAT: Final = "float"
FORM_RLLIB: Final = "rllib"
OBSERVATION_FORMS: Final = (FORM_MASKED, FORM_PLAIN, FORM_PARTS, FORM_VECTOR, FORM_FLOAT, FORM_RLLIB)


def check_form(form: str) -> str:
    """Return `form`; raise ValueError if it is not an observation form."""
    if form not in OBSERVATION_FORMS:
        raise ValueError(f"{form!r} is not a form of observations: choose one of {', '.join(OBSERVATION_FORMS)}")
    return form


def action_space() -> "spaces.Discrete":
    return spaces.Discrete(actions.ACTION_COUNT)


def observation_space(form: str, history: int = 0) -> "spaces.Space[Any]":
    """Return the space of observations in a form; observations contain the last `history` events and actions.

    - `plain`: an array of bytes (:mod:`argentum.observations.layout`).
    - `masked`: a dictionary with this array as `observation`, and the `action_mask`.
    - `parts`: like `masked`, but `observation` is a dictionary of its named parts, each with its own shape.
    - `vector`: an array of floats from -1 to 1, for a feed-forward network (:mod:`argentum.observations.one_hot`).
    - `float`: a dictionary with the array of `vector` as `observation`, and the `action_mask`.
    - `rllib`: a dictionary with the array of `vector` as `observations`, and the `action_mask`, as RLlib's
      `ActionMaskingRLModule` expects.
    """
    size = observation_size(history)
    if form == FORM_PLAIN:
        return _byte_box((size,))
    if form == FORM_VECTOR:
        return _vector_box(history)
    masks = spaces.Box(0, 1, (actions.ACTION_COUNT,), np.int8)
    if form == FORM_FLOAT:
        return spaces.Dict({"observation": _vector_box(history), "action_mask": masks})
    if form == FORM_RLLIB:
        return spaces.Dict({"observations": _vector_box(history), "action_mask": masks})
    observation: spaces.Space[Any] = _byte_box((size,))
    if form == FORM_PARTS:
        parts = split_parts(np.zeros(size, np.uint8))
        observation = spaces.Dict({name: _byte_box(part.shape) for name, part in parts.items()})
    return spaces.Dict({"observation": observation, "action_mask": masks})


def state_space(history: int = 0) -> "spaces.Box":
    """Return the space of the arrays that `state_row` returns."""
    return _byte_box((observation_size(history) + layout.HIDDEN_STATE_SIZE,))


def observe(episode: Episode, seat: int, form: str) -> Any:
    """Return the observation of a seat in a form."""
    row = row_of(episode, seat)
    return convert_to_form(np.frombuffer(row.observations, np.uint8), np.frombuffer(row.masks, np.int8), form)


def convert_to_form(rows: NDArray[np.uint8], masks: NDArray[Any], form: str) -> Any:
    """Convert byte observations, one or a batch, and their action masks to a form of :func:`observation_space`.

    The forms `plain` and `vector` do not include the masks.
    """
    if form == FORM_PLAIN:
        return rows
    if form == FORM_VECTOR:
        return one_hot.encode_one_hot(rows)
    if form == FORM_FLOAT:
        return {"observation": one_hot.encode_one_hot(rows), "action_mask": masks.astype(np.int8)}
    if form == FORM_RLLIB:
        return {"observations": one_hot.encode_one_hot(rows), "action_mask": masks.astype(np.int8)}
    return {"observation": split_parts(rows) if form == FORM_PARTS else rows, "action_mask": masks.astype(np.int8)}


def state_row(episode: Episode, seat: int) -> NDArray[np.uint8]:
    """Return the observation of a seat followed by the hidden state, for critics in training."""
    row = row_of(episode, seat)
    return np.frombuffer(bytearray(row.observations) + row.hidden_states, np.uint8)


def game_observation_row(game: Game, seat: int) -> NDArray[np.uint8]:
    """Return the observation of a seat in a `Game`, without a history."""
    return np.frombuffer(bytearray(write_observation(game.view(SEAT_LETTERS[seat]))), np.uint8)


def split_parts(rows: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
    """Split observations into their named parts. Each part keeps the leading dimensions of `rows`."""
    parts = {
        part.name: rows[..., part.offset : part.offset + part.size].reshape(*rows.shape[:-1], *part.shape)
        for part in layout.LAYOUT_PARTS
    }
    if rows.shape[-1] > layout.OBSERVATION_SIZE:
        parts["history"] = rows[..., layout.OBSERVATION_SIZE :].reshape(*rows.shape[:-1], -1, history.EVENT_TOKEN_SIZE)
    return parts


def action_mask(episode: Episode, seat: int) -> NDArray[np.int8]:
    """Return an array with 1 for each legal action of a seat; all 0 if another seat is to move."""
    legal = episode.legal_moves() if seat == episode.chooser else []
    return np.frombuffer(bytearray(write_mask(legal, seat, episode.players)), np.int8)


def outcome_info(episode: Episode) -> dict[str, Any]:
    """Return the info of a finished game: points and ranks by seat, and why the last round ended.

    Return an empty info if the game is not over.
    """
    outcome = episode.outcome()
    if outcome is None:
        return {}
    points, ranks = np.array(outcome.points, np.int32), np.array(outcome.ranks, np.int32)
    return {"points": points, "ranks": ranks, "reason": END_REASONS[outcome.reason]}


def _vector_box(history: int) -> "spaces.Box":
    return spaces.Box(-1, 1, (vector_size(history),), np.float32)


def _byte_box(shape: tuple[int, ...]) -> "spaces.Box":
    return spaces.Box(0, 255, shape, np.uint8)
