"""Observations as plain vectors: numbers from -1 to 1, with an input for each thing that may be so.

It is made from the rows of bytes (:mod:`argentum.observations.layout`), one or many at once, and has the same parts,
but the cards: those have a block each at the places that matter most, and cards further on are counted only.

>>> from argentum import Game
>>> from argentum.envs.spaces import row_of
>>> game = Game.new("coin", players=2, seed=1)
>>> vector = encode(row_of(game, 0))
>>> vector.shape == (size(),), float(vector.min()) >= -1, float(vector.max()) <= 1
(True, True, True)
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argentum.observations import history
from argentum.observations.layout import (
    ASKED_NUMBER,
    BOX,
    COLUMN,
    FLAGS,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_PRIVATE,
    IN_SHOWN,
    IN_VILLAGE,
    KINDS,
    MARKS,
    PART,
    PARTS,
    PICKS,
    POINTS,
    RESIDENTS,
    SEAT,
    SIZE,
    WHERE,
    WIDTH,
    Part,
)
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

# The blocks by name: where its cards are, and how many of them have a block.
SPOTS: Final = 8
BLOCKS: Final = (
    ("villages", IN_VILLAGE, MAX_PLAYERS, SPOTS),
    ("hand", IN_HAND, 1, 1),
    ("discard", IN_DISCARD, 1, 4),
    ("deck", IN_DECK, 1, 1),
    ("shown", IN_SHOWN, 1, 4),
    ("private", IN_PRIVATE, 1, 1),
)
SLOTS: Final = sum([rows * spots for _, _, rows, spots in BLOCKS])
# The fields of a block.
KNOWN: Final = 1
NUMBER: Final = 2
RESIDENT: Final = 3
MARK: Final = RESIDENT + RESIDENTS
SEEN_BY: Final = MARK + len(MARKS)
PICKED_AS: Final = SEEN_BY + MAX_PLAYERS
GUARDS: Final = PICKED_AS + 1
GUARDED: Final = GUARDS + 1
REACHED: Final = GUARDED + 1
LEGAL: Final = REACHED + 1
BLOCK: Final = LEGAL + 1
MOST_POINTS: Final = 200  # of a seat; more count no more
MOST_VALUE: Final = 1000  # of something remembered: an action is below that


def _slots() -> NDArray[np.intp]:
    """By where a card is and its place there: its block; SLOTS for those that have none."""
    slots = np.full((WHERE, CARDS_IN_DECK + 1), SLOTS, np.intp)
    first = 0
    for _, where, rows, spots in BLOCKS:
        for nth in range(rows):
            slots[where + nth, 1 : spots + 1] = range(first, first + spots)
            first += spots
    return slots


CARD_SLOTS: Final = _slots()


@cache
def _ones(count: int) -> Floats:
    """One-hot rows; numbers that are too large have none."""
    ones = np.zeros((256, count), np.float32)
    ones[:count] = np.eye(count, dtype=np.float32)
    return ones


def encode(rows: Bytes) -> Floats:
    """Observations as vectors: of one row, or of rows in any shape."""
    flat = np.atleast_2d(rows).reshape(-1, rows.shape[-1])
    told = [values.reshape(len(flat), -1) for _, values in _encoded(flat)]
    return np.concatenate(told, axis=1, dtype=np.float32).reshape(*rows.shape[:-1], -1)


@cache
def shapes(count: int = 0) -> dict[str, tuple[int, ...]]:
    """The parts of a vector in their order, each with its shape; with so many tokens of history."""
    row = np.zeros((1, SIZE + history.WIDTH * count), np.uint8)
    return {name: values.shape[1:] for name, values in _encoded(row)}


def size(count: int = 0) -> int:
    """How many numbers a vector has, with so many tokens of history."""
    return sum([int(np.prod(shape)) for shape in shapes(count).values()])


def _encoded(rows: Bytes) -> Iterator[tuple[str, Floats]]:
    """The parts of many rows, one by one."""
    for part in PARTS[:-1]:
        yield part.name, _part(part, rows[:, part.offset : part.offset + part.size].reshape(len(rows), *part.shape))
    cards = PART["cards"]
    blocks = _blocks(rows[:, cards.offset : SIZE].reshape(len(rows), CARDS_IN_DECK, WIDTH))
    first = 0
    for name, _, times, spots in BLOCKS:
        after = first + times * spots
        shape = (times, spots, BLOCK) if times > 1 else (spots, BLOCK)
        yield name, blocks[:, first:after].reshape(len(rows), *shape)
        first = after
    if rows.shape[1] > SIZE:
        yield "history", remembered(rows[:, SIZE:].reshape(len(rows), -1, history.WIDTH))


def _part(part: Part, values: Bytes) -> Floats:
    """A part that is not about single cards."""
    if part.name == "asker":
        return np.concatenate([_ones(BOX + 1)[values[:, 0]], _ones(ASKED_NUMBER)[values[:, 1]]], axis=1)
    if part.name == "picked":
        what, village = _ones(len(KINDS) + 1)[values[..., 0]], _ones(SEAT)[values[..., 1]]
        return np.concatenate([what, village, values[..., 2:] / np.float32(CARDS_IN_DECK)], axis=2)
    if part.most == POINTS:
        return (_signed(values) / MOST_POINTS).clip(-1, 1)
    if part.most == FLAGS:
        return values.astype(np.float32)
    if part.most > 0:
        return _ones(part.most)[values]
    return (values / np.float32(-part.most)).clip(0, 1)


def _signed(values: Bytes) -> Floats:
    """Numbers that are told as a size, how many times 256 more, and 1 if below 0."""
    size = values[..., 0] + np.float32(256) * values[..., 1]
    return np.where(values[..., 2] > 0, -size, size)


def _blocks(tokens: Bytes) -> Floats:
    """A block for each card that has one."""
    games = len(tokens)
    made = np.zeros((games, SLOTS + 1, BLOCK), np.float32)
    slots = CARD_SLOTS[tokens[..., COLUMN["where"]], tokens[..., COLUMN["place"]]]
    game, nth = np.nonzero(slots < SLOTS)
    token, slot = tokens[game, nth], slots[game, nth]
    block = np.zeros((len(token), BLOCK), np.float32)
    resident, up = token[:, COLUMN["resident"]], COLUMN["up"]
    block[:, 0] = 1
    block[:, KNOWN] = resident > 0
    block[:, NUMBER] = (token[:, COLUMN["number"]].astype(np.float32) - 1).clip(0) / (RESIDENTS_PER_BOX - 1)
    block[:, RESIDENT:MARK] = _ones(RESIDENTS + 1)[resident, 1:]
    block[:, MARK:PICKED_AS] = token[:, up : up + len(MARKS) + MAX_PLAYERS]
    block[:, PICKED_AS] = (token[:, COLUMN["picked"]] / np.float32(PICKS)).clip(0, 1)
    block[:, GUARDS] = token[:, COLUMN["guards"]] / np.float32(CARDS_IN_DECK)
    block[:, GUARDED] = token[:, COLUMN["guarded"]]
    block[:, REACHED] = (token[:, COLUMN["reached"]] / np.float32(PICKS)).clip(0, 1)
    block[:, LEGAL] = token[:, COLUMN["legal"]]
    made[game, slot] = block
    return made[:, :SLOTS]


def remembered(tokens: Bytes) -> Floats:
    """What was told and done: tokens by game, and one after another."""
    told: list[Any] = [
        _ones(history.OWN_ACT + 1)[tokens[..., 0]],
        _ones(SEAT)[tokens[..., 1]],
        _ones(SEAT)[tokens[..., 2]],
        tokens[..., 3:4] / np.float32(CARDS_IN_DECK),
        _ones(RESIDENTS_PER_BOX + 1)[tokens[..., 4]],
        _ones(SEAT)[tokens[..., 5]],
        tokens[..., 6:7] / np.float32(CARDS_IN_DECK),
        _ones(len(history.WORDS) + 1)[tokens[..., 7]],
        (_signed(tokens[..., 8:11]) / MOST_VALUE)[..., None].clip(-1, 1),
    ]
    return np.concatenate(told, axis=2, dtype=np.float32)
