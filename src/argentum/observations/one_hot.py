"""Observations as float vectors from -1 to 1, mostly one-hot, for plain networks.

They are computed from observations in bytes, one or many at once, by :mod:`argentum.observations.float_layout`.

>>> from argentum import Game
>>> from argentum.envs.spaces import game_observation_row
>>> game = Game.new("coin", players=2, seed=1)
>>> vector = encode_one_hot(game_observation_row(game, 0))
>>> vector.shape == (vector_size(),), float(vector.min()) >= -1, float(vector.max()) <= 1
(True, True, True)
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from argentum.observations import c_writer
from argentum.observations.float_layout import (
    BLOCK_SIZE,
    CARD_FEATURES,
    CARD_SLOTS,
    EVENT_FEATURES,
    EVENT_FLOATS,
    NUMBER,
    ONE_HOT,
    SLOT_COUNT,
    TABLE_FEATURES,
    TABLE_FLOATS,
    Feature,
    vector_size,
)
from argentum.observations.history import EVENT_TOKEN_SIZE
from argentum.observations.layout import COLUMN_INDEX, OBSERVATION_SIZE, PART_BY_NAME, TOKEN_SIZE

FloatArray = NDArray[np.float32]
ByteArray = NDArray[np.uint8]
_SLOTS = np.array(CARD_SLOTS, np.intp)


def encode_one_hot(rows: ByteArray, out: FloatArray | None = None) -> FloatArray:
    """Encode observations with or without a history. The last axis of `rows` has the bytes of an observation.

    Write the vectors to the contiguous array `out` if it is given, and return it; that is faster than a new array.
    """
    shape = (*rows.shape[:-1], vector_size((rows.shape[-1] - OBSERVATION_SIZE) // EVENT_TOKEN_SIZE))
    if out is None:
        out = np.empty(shape, np.float32)
    if out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"the vectors need a contiguous array of 32-bit floats of shape {shape}")
    module = c_writer.load()
    if module is None:
        write_one_hot(rows.reshape(-1, rows.shape[-1]), out.reshape(-1, shape[-1]))
    else:
        module.one_hot(np.ascontiguousarray(rows), rows.shape[-1], out)
    return out


def write_one_hot(rows: ByteArray, out: FloatArray) -> None:
    """Write the vectors of observations, as the C writer does."""
    out.fill(0)
    write_features(TABLE_FEATURES, rows, out)
    cards = rows[:, PART_BY_NAME["cards"].offset : OBSERVATION_SIZE].reshape(len(rows), -1, TOKEN_SIZE)
    slots = _SLOTS[cards[..., COLUMN_INDEX["where"]], cards[..., COLUMN_INDEX["place"]]]
    game, card = np.nonzero(slots < SLOT_COUNT)
    blocks = np.zeros((len(game), BLOCK_SIZE), np.float32)
    write_features(CARD_FEATURES, cards[game, card], blocks)
    end = TABLE_FLOATS + SLOT_COUNT * BLOCK_SIZE
    out[:, TABLE_FLOATS:end].reshape(len(rows), SLOT_COUNT, BLOCK_SIZE)[game, slots[game, card]] = blocks
    out[:, end:] = encode_history(rows[:, OBSERVATION_SIZE:].reshape(len(rows), -1, EVENT_TOKEN_SIZE)).reshape(
        len(rows), -1
    )


def write_features(features: list[Feature], values: ByteArray, out: FloatArray) -> None:
    """Write the floats of features; the rows of `values` have the bytes, those of `out` the floats."""
    for feature in features:
        columns = values[..., feature.column : feature.column + feature.length * feature.column_size]
        end = feature.offset + feature.length * feature.width
        floats = out[..., feature.offset : end]
        if feature.kind == ONE_HOT:
            floats[:] = _one_hot_rows(feature.width, feature.first)[columns].reshape(floats.shape)
        elif feature.kind == NUMBER:
            numbers = columns.reshape(*columns.shape[:-1], feature.length, 3)
            floats[:] = (_decode_number(numbers) / np.float32(feature.maximum)).clip(-1, 1)
        else:
            floats[:] = ((columns.astype(np.float32) - feature.first) / np.float32(feature.maximum)).clip(0, 1)


@cache
def _one_hot_rows(width: int, first: int) -> FloatArray:
    """Return the one-hot row of each byte value."""
    rows = np.zeros((256, width), np.float32)
    rows[first : first + width] = np.eye(width, dtype=np.float32)
    return rows


def _decode_number(values: ByteArray) -> FloatArray:
    """Decode numbers whose low byte, high byte and sign are on the last axis."""
    size = values[..., 0] + np.float32(256) * values[..., 1]
    return np.where(values[..., 2] > 0, -size, size)


def encode_history(tokens: ByteArray) -> FloatArray:
    """Encode the tokens of histories, an array of histories x tokens x columns."""
    out = np.zeros((*tokens.shape[:-1], EVENT_FLOATS), np.float32)
    write_features(EVENT_FEATURES, tokens, out)
    return out
