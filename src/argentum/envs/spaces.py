"""Observations and masks as arrays, and the spaces that they are in."""

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from librt.strings import BytesWriter
from numpy.typing import NDArray

from argentum.envs.episode import Episode
from argentum.observations import actions, history, layout, one_hot, table_writer
from argentum.observations.history import observation_size
from argentum.rules.events import END_REASONS
from argentum.rules.game import Game

FORM_MASKED: Final = "masked"
FORM_PLAIN: Final = "plain"
FORM_PARTS: Final = "parts"
FORM_VECTOR: Final = "vector"
FORM_RLLIB: Final = "rllib"
OBSERVATION_FORMS: Final = (FORM_MASKED, FORM_PLAIN, FORM_PARTS, FORM_VECTOR, FORM_RLLIB)


def check_form(form: str) -> str:
    """Return `form`; raise ValueError if it is not an observation form."""
    if form not in OBSERVATION_FORMS:
        raise ValueError(f"{form!r} is not a form of observations: choose one of {', '.join(OBSERVATION_FORMS)}")
    return form


def action_space() -> "spaces.Discrete":
    return spaces.Discrete(actions.ACTION_COUNT)


def observation_space(form: str, history: int = 0) -> "spaces.Space[Any]":
    """The observations of a form, with so much history.

    `plain`: the row of bytes. `masked`: a dictionary of that, `observation`, and the `action_mask`. `parts`: the same,
    but the observation is a dictionary of the parts by name, each in its shape. `vector`: numbers from -1 to 1 for a
    plain network (:mod:`argentum.observations.one_hot`). `rllib`: a dictionary of such numbers, `observations`, and the
    `action_mask`, as RLlib's module for masked actions wants them.
    """
    size = observation_size(history)
    if form == FORM_PLAIN:
        return _bytes((size,))
    if form == FORM_VECTOR:
        return _numbers(history)
    masks = spaces.Box(0, 1, (actions.ACTION_COUNT,), np.int8)
    if form == FORM_RLLIB:
        return spaces.Dict({"observations": _numbers(history), "action_mask": masks})
    seen: spaces.Space[Any] = _bytes((size,))
    if form == FORM_PARTS:
        seen = spaces.Dict({name: _bytes(part.shape) for name, part in split_parts(np.zeros(size, np.uint8)).items()})
    return spaces.Dict({"observation": seen, "action_mask": masks})


def state_space(history: int = 0) -> "spaces.Box":
    """The states, for training only: what the seat to move observes, and the truth."""
    return _bytes((observation_size(history) + layout.HIDDEN_STATE_SIZE,))


def observe(play: Episode, seat: int, form: str) -> Any:
    """What a seat observes, in a form."""
    return to_form(observation_row(play, seat), action_mask(play, seat), form)


def to_form(rows: NDArray[np.uint8], masks: NDArray[Any], form: str) -> Any:
    """Observations as rows, and masks, in a form."""
    if form == FORM_PLAIN:
        return rows
    if form == FORM_VECTOR:
        return one_hot.encode_one_hot(rows)
    if form == FORM_RLLIB:
        return {"observations": one_hot.encode_one_hot(rows), "action_mask": masks.astype(np.int8)}
    return {"observation": split_parts(rows) if form == FORM_PARTS else rows, "action_mask": masks.astype(np.int8)}


def observation_row(play: Episode, seat: int) -> NDArray[np.uint8]:
    """What a seat observes and remembers, as a row of bytes."""
    out = BytesWriter()
    play.write_observation(seat, out, None)
    return _array(out.getvalue(), np.uint8)


def state_row(play: Episode, seat: int) -> NDArray[np.uint8]:
    """What a seat observes and remembers, and then the truth: for training only."""
    out, truth = BytesWriter(), BytesWriter()
    play.write_observation(seat, out, truth)
    return _array(out.getvalue() + truth.getvalue(), np.uint8)


def game_observation_row(game: Game, seat: int) -> NDArray[np.uint8]:
    """What a seat of any game observes, without a history."""
    out = BytesWriter()
    table_writer.write_table_observation(
        game.copy_table(), seat, game.chooser, game.over, game.legal_moves(), out, None
    )
    return _array(out.getvalue(), np.uint8)


def split_parts(rows: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
    """The named parts of an observation, each in its shape; of many observations in rows, each with these rows."""
    parts = {
        part.name: rows[..., part.offset : part.offset + part.size].reshape(*rows.shape[:-1], *part.shape)
        for part in layout.LAYOUT_PARTS
    }
    if rows.shape[-1] > layout.OBSERVATION_SIZE:
        parts["history"] = rows[..., layout.OBSERVATION_SIZE :].reshape(*rows.shape[:-1], -1, history.EVENT_TOKEN_SIZE)
    return parts


def action_mask(play: Episode, seat: int) -> NDArray[np.int8]:
    """A 1 for each legal action of a seat; all 0 while another is asked."""
    out = BytesWriter()
    play.write_mask(seat, out)
    return _array(out.getvalue(), np.int8)


def outcome(play: Episode) -> dict[str, Any]:
    """How a game came out, for its infos: each seat's points and rank, and why the last round ended."""
    game_outcome = play.outcome()
    if game_outcome is None:
        return {}
    points, ranks = np.array(game_outcome.points, np.int32), np.array(game_outcome.ranks, np.int32)
    return {"points": points, "ranks": ranks, "reason": END_REASONS[game_outcome.reason]}


def _array(written: bytes, kind: Any) -> NDArray[Any]:
    return np.frombuffer(bytearray(written), kind)


def _numbers(history: int) -> "spaces.Box":
    return spaces.Box(-1, 1, (one_hot.vector_size(history),), np.float32)


def _bytes(shape: tuple[int, ...]) -> "spaces.Box":
    return spaces.Box(0, 255, shape, np.uint8)
