"""Observations as float vectors from -1 to 1, mostly one-hot.

They are computed from observations in bytes (:mod:`argentum.observations.layout`), one or many at once. The parts are
the same except for the cards: the vector has a block for each slot of the most important locations, and other cards
appear only in the sizes of their piles.

>>> from argentum import Game
>>> from argentum.envs.spaces import game_observation_row
>>> game = Game.new("coin", players=2, seed=1)
>>> vector = encode_one_hot(game_observation_row(game, 0))
>>> vector.shape == (vector_size(),), float(vector.min()) >= -1, float(vector.max()) <= 1
(True, True, True)
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argentum.observations import history
from argentum.observations.layout import (
    ASKER_NUMBERS,
    BOX_VALUES,
    COLUMN_INDEX,
    FLAG_VALUES,
    LAYOUT_PARTS,
    LOCATION_COUNT,
    LOCATION_DECK,
    LOCATION_DISCARD,
    LOCATION_HAND,
    LOCATION_PRIVATE,
    LOCATION_SHOWN,
    LOCATION_VILLAGE,
    MARK_COLUMNS,
    MAX_PICKS,
    MOVE_KINDS,
    OBSERVATION_SIZE,
    PART_BY_NAME,
    POINT_VALUES,
    RESIDENT_COUNT,
    SEAT_VALUES,
    TOKEN_SIZE,
    LayoutPart,
)
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

FloatArray = NDArray[np.float32]
ByteArray = NDArray[np.uint8]

VILLAGE_SLOTS: Final = 8
# Name, first location, number of locations, and slots per location.
CARD_BLOCKS: Final = (
    ("villages", LOCATION_VILLAGE, MAX_PLAYERS, VILLAGE_SLOTS),
    ("hand", LOCATION_HAND, 1, 1),
    ("discard", LOCATION_DISCARD, 1, 4),
    ("deck", LOCATION_DECK, 1, 1),
    ("shown", LOCATION_SHOWN, 1, 4),
    ("private", LOCATION_PRIVATE, 1, 1),
)
SLOT_COUNT: Final = sum([locations * slots for _, _, locations, slots in CARD_BLOCKS])
# Indexes in the block of a slot. Index 0 is 1 if there is a card in the slot.
FIELD_KNOWN: Final = 1
FIELD_NUMBER: Final = 2
FIELD_RESIDENT: Final = 3
FIELD_MARKS: Final = FIELD_RESIDENT + RESIDENT_COUNT
FIELD_SEEN_BY: Final = FIELD_MARKS + len(MARK_COLUMNS)
FIELD_PICKED: Final = FIELD_SEEN_BY + MAX_PLAYERS
FIELD_GUARDS: Final = FIELD_PICKED + 1
FIELD_GUARDED: Final = FIELD_GUARDS + 1
FIELD_REACHED: Final = FIELD_GUARDED + 1
FIELD_LEGAL: Final = FIELD_REACHED + 1
BLOCK_SIZE: Final = FIELD_LEGAL + 1
MAX_POINTS: Final = 200  # per seat; larger values are clipped
MAX_VALUE: Final = 1000  # in the history; numbers of actions are lower


def _slot_table() -> NDArray[np.intp]:
    """Return an array of card slots, indexed by location and place; SLOT_COUNT for cards without a slot."""
    slots = np.full((LOCATION_COUNT, CARDS_IN_DECK + 1), SLOT_COUNT, np.intp)
    first = 0
    for _, first_location, locations, count in CARD_BLOCKS:
        for location in range(first_location, first_location + locations):
            slots[location, 1 : count + 1] = range(first, first + count)
            first += count
    return slots


CARD_SLOTS: Final = _slot_table()


@cache
def _one_hot_rows(count: int) -> FloatArray:
    """Return the one-hot row of each byte value, with `count` columns; rows of larger values are 0."""
    rows = np.zeros((256, count), np.float32)
    rows[:count] = np.eye(count, dtype=np.float32)
    return rows


def encode_one_hot(rows: ByteArray) -> FloatArray:
    """Encode observations with or without a history. The last axis of `rows` has the bytes of an observation."""
    flat = np.atleast_2d(rows).reshape(-1, rows.shape[-1])
    parts = [values.reshape(len(flat), -1) for _, values in _encode_parts(flat)]
    return np.concatenate(parts, axis=1, dtype=np.float32).reshape(*rows.shape[:-1], -1)


@cache
def part_shapes(history_length: int = 0) -> dict[str, tuple[int, ...]]:
    """Map the names of a vector's parts, in order, to their shapes, for a history of `history_length` tokens."""
    row = np.zeros((1, OBSERVATION_SIZE + history.EVENT_TOKEN_SIZE * history_length), np.uint8)
    return {name: values.shape[1:] for name, values in _encode_parts(row)}


def vector_size(history_length: int = 0) -> int:
    """Return the length of a vector with a history of `history_length` tokens."""
    return sum([int(np.prod(shape)) for shape in part_shapes(history_length).values()])


def _encode_parts(rows: ByteArray) -> Iterator[tuple[str, FloatArray]]:
    """Yield the name and the encoded values of each part in order."""
    for part in LAYOUT_PARTS[:-1]:
        yield (
            part.name,
            _encode_part(part, rows[:, part.offset : part.offset + part.size].reshape(len(rows), *part.shape)),
        )
    cards = PART_BY_NAME["cards"]
    blocks = _encode_cards(rows[:, cards.offset : OBSERVATION_SIZE].reshape(len(rows), CARDS_IN_DECK, TOKEN_SIZE))
    first = 0
    for name, _, locations, slots in CARD_BLOCKS:
        end = first + locations * slots
        shape = (locations, slots, BLOCK_SIZE) if locations > 1 else (slots, BLOCK_SIZE)
        yield name, blocks[:, first:end].reshape(len(rows), *shape)
        first = end
    if rows.shape[1] > OBSERVATION_SIZE:
        yield "history", encode_history(rows[:, OBSERVATION_SIZE:].reshape(len(rows), -1, history.EVENT_TOKEN_SIZE))


def _encode_part(part: LayoutPart, values: ByteArray) -> FloatArray:
    """Encode the values of a part other than `cards`."""
    if part.name == "asker":
        return np.concatenate(
            [_one_hot_rows(BOX_VALUES + 1)[values[:, 0]], _one_hot_rows(ASKER_NUMBERS)[values[:, 1]]], axis=1
        )
    if part.name == "picked":
        kinds, villages = _one_hot_rows(len(MOVE_KINDS) + 1)[values[..., 0]], _one_hot_rows(SEAT_VALUES)[values[..., 1]]
        return np.concatenate([kinds, villages, values[..., 2:] / np.float32(CARDS_IN_DECK)], axis=2)
    if part.value_range == POINT_VALUES:
        return (_decode_number(values) / MAX_POINTS).clip(-1, 1)
    if part.value_range == FLAG_VALUES:
        return values.astype(np.float32)
    if part.value_range > 0:
        return _one_hot_rows(part.value_range)[values]
    return (values / np.float32(-part.value_range)).clip(0, 1)


def _decode_number(values: ByteArray) -> FloatArray:
    """Decode numbers whose low byte, high byte and sign are on the last axis."""
    size = values[..., 0] + np.float32(256) * values[..., 1]
    return np.where(values[..., 2] > 0, -size, size)


def _encode_cards(tokens: ByteArray) -> FloatArray:
    """Return the blocks of the slots, given the card tokens of each observation."""
    games = len(tokens)
    blocks = np.zeros((games, SLOT_COUNT + 1, BLOCK_SIZE), np.float32)
    slots = CARD_SLOTS[tokens[..., COLUMN_INDEX["where"]], tokens[..., COLUMN_INDEX["place"]]]
    game, card = np.nonzero(slots < SLOT_COUNT)
    token, slot = tokens[game, card], slots[game, card]
    block = np.zeros((len(token), BLOCK_SIZE), np.float32)
    resident, up = token[:, COLUMN_INDEX["resident"]], COLUMN_INDEX["up"]
    block[:, 0] = 1
    block[:, FIELD_KNOWN] = resident > 0
    block[:, FIELD_NUMBER] = (token[:, COLUMN_INDEX["number"]].astype(np.float32) - 1).clip(0) / (RESIDENTS_PER_BOX - 1)
    block[:, FIELD_RESIDENT:FIELD_MARKS] = _one_hot_rows(RESIDENT_COUNT + 1)[resident, 1:]
    block[:, FIELD_MARKS:FIELD_PICKED] = token[:, up : up + len(MARK_COLUMNS) + MAX_PLAYERS]
    block[:, FIELD_PICKED] = (token[:, COLUMN_INDEX["picked"]] / np.float32(MAX_PICKS)).clip(0, 1)
    block[:, FIELD_GUARDS] = token[:, COLUMN_INDEX["guards"]] / np.float32(CARDS_IN_DECK)
    block[:, FIELD_GUARDED] = token[:, COLUMN_INDEX["guarded"]]
    block[:, FIELD_REACHED] = (token[:, COLUMN_INDEX["reached"]] / np.float32(MAX_PICKS)).clip(0, 1)
    block[:, FIELD_LEGAL] = token[:, COLUMN_INDEX["legal"]]
    blocks[game, slot] = block
    return blocks[:, :SLOT_COUNT]


def encode_history(tokens: ByteArray) -> FloatArray:
    """Encode the tokens of histories, an array of histories x tokens x columns."""
    parts: list[Any] = [
        _one_hot_rows(history.OWN_ACTION_KIND + 1)[tokens[..., 0]],
        _one_hot_rows(SEAT_VALUES)[tokens[..., 1]],
        _one_hot_rows(SEAT_VALUES)[tokens[..., 2]],
        tokens[..., 3:4] / np.float32(CARDS_IN_DECK),
        _one_hot_rows(RESIDENTS_PER_BOX + 1)[tokens[..., 4]],
        _one_hot_rows(SEAT_VALUES)[tokens[..., 5]],
        tokens[..., 6:7] / np.float32(CARDS_IN_DECK),
        _one_hot_rows(len(history.DETAIL_WORDS) + 1)[tokens[..., 7]],
        (_decode_number(tokens[..., 8:11]) / MAX_VALUE)[..., None].clip(-1, 1),
    ]
    return np.concatenate(parts, axis=2, dtype=np.float32)
