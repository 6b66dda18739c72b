"""The network in NumPy: what PyTorch trained (:mod:`argentum.learn.models`), as quick on one core, and nothing else.

A file (`.npz`) has the weights by their names in the network, and what it was made for.
"""

from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.bots.network.features import (
    A_POINT,
    NEVER,
    PLACES,
    POINTS,
    TABLE,
    card_features,
    largest,
    reach_pointers,
    spot_pointers,
    table_features,
    table_numbers,
)
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS
from argentum.rules.game import MAX_PLAYERS

Floats: TypeAlias = NDArray[np.float32]
Bytes: TypeAlias = NDArray[np.uint8]
EVEN: Final = 1e-5  # that layer norms add to a variance


class Linear:
    """A layer that is a matrix and what is added; a norm's own scale before it is worked in."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, norm: str = "") -> None:
        matrix = weights[f"{name}.weight"].astype(np.float32).T
        self.added: Floats = weights[f"{name}.bias"].astype(np.float32)
        if norm:
            self.added = self.added + weights[f"{norm}.bias"].astype(np.float32) @ matrix
            matrix = weights[f"{norm}.weight"].astype(np.float32)[:, None] * matrix
        self.matrix: Floats = np.ascontiguousarray(matrix)

    def __call__(self, tokens: Floats) -> Floats:
        """The answer for each token."""
        found: Floats = tokens @ self.matrix
        found += self.added
        return found


class Flags:
    """Features that are 1 where a column has a value; a value above the largest of its column counts as that."""

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        self.columns: Final = np.array([column for column, _ in features])
        self.values: Final = np.array([value for _, value in features], np.uint8)
        self.most: Final = np.array(largest(features, width), np.uint8)

    def __call__(self, rows: Bytes) -> Floats:
        """The features of rows of bytes."""
        found: Floats = (np.minimum(rows, self.most)[:, self.columns] == self.values).astype(np.float32)
        return found


class Layer:
    """A layer in which the tokens attend to each other, and each then thinks for itself."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, heads: int) -> None:
        self.heads: Final = heads
        self.mixed: Final = Linear(weights, f"{name}.mixed", f"{name}.before")
        self.out: Final = Linear(weights, f"{name}.out")
        self.wide: Final = Linear(weights, f"{name}.wide", f"{name}.between")
        self.narrow: Final = Linear(weights, f"{name}.narrow")
        width = len(self.out.added)
        self.mixed.matrix[:, :width] *= (width // heads) ** -0.5  # what it asks for is scaled
        self.mixed.added[:width] *= (width // heads) ** -0.5

    def __call__(self, tokens: Floats, hidden: Floats) -> Floats:
        """The tokens after the layer; `hidden` is added to the scores of attention."""
        rows, count = hidden.shape
        width = tokens.shape[1]
        mixed = self.mixed(even(tokens)).reshape(rows, count, 3, self.heads, width // self.heads)
        asks, has, gives = mixed.transpose(2, 0, 3, 1, 4)
        scores = asks @ has.transpose(0, 1, 3, 2)
        scores += hidden[:, None, None, :]
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        heard = (scores @ gives).transpose(0, 2, 1, 3).reshape(rows * count, width)
        tokens = tokens + self.out(heard)
        thought = self.wide(even(tokens))
        return tokens + self.narrow(np.maximum(thought, 0, out=thought))


def even(tokens: Floats) -> Floats:
    """Each token brought to one scale: a layer norm without a scale of its own."""
    found: Floats = tokens - tokens.mean(1, keepdims=True)
    found /= np.sqrt((found * found).mean(1, keepdims=True) + EVEN)
    return found


class Forward:
    """The player's network."""

    def __init__(self, weights: dict[str, NDArray[Any]], heads: int) -> None:
        numbers = table_numbers()
        layers = {name.split(".")[2] for name in weights if name.startswith("body.layers.")}
        self.columns: Final = np.array([column for column, _ in numbers])
        self.scales: Final = np.array([scale for _, scale in numbers], np.float32)
        self.table_flags: Final = Flags(table_features(), TABLE + 1)
        self.card_flags: Final = Flags(card_features(), ob.TOKEN_SIZE)
        self.table: Final = [Linear(weights, "body.table.first"), Linear(weights, "body.table.second")]
        self.card: Final = Linear(weights, "body.card")
        self.layers: Final = [Layer(weights, f"body.layers.{nth}", heads) for nth in range(len(layers))]
        self.plain: Final = Linear(weights, "plain", "body.last")
        self.point: Final = [Linear(weights, "point.0", "body.last"), Linear(weights, "point.2")]
        self.value: Final = [Linear(weights, "value.0", "body.last"), Linear(weights, "value.2")]
        self.belief: Final = Linear(weights, "belief", "body.last")

    @cached_property
    def spots(self) -> NDArray[np.intp]:
        """The actions of a card's token, by where it lies and its place."""
        return np.array(spot_pointers(), np.intp)

    @cached_property
    def reached(self) -> NDArray[np.intp]:
        """The same, by how it is reached."""
        return np.array(reach_pointers(), np.intp)

    def __call__(self, table: Bytes, tokens: Bytes) -> tuple[Floats, Floats, Floats]:
        """What to do (logits of actions), what it will bring, and what each card may be (logits of numbers)."""
        rows, count = tokens.shape[:2]
        body = np.empty((rows, 1 + count, len(self.card.added)), np.float32)
        body[:, 0] = self.read_table(table)
        body[:, 1:] = self.card(self.card_flags(tokens.reshape(-1, ob.TOKEN_SIZE))).reshape(rows, count, -1)
        hidden = np.zeros((rows, 1 + count), np.float32)
        hidden[:, 1:] = (tokens[:, :, 0] == 0) * np.float32(NEVER)
        flat: Floats = body.reshape(rows * (1 + count), -1)
        for layer in self.layers:
            flat = layer(flat, hidden)
        body = even(flat).reshape(rows, 1 + count, -1)
        whole, cards = np.ascontiguousarray(body[:, 0]), body[:, 1:].reshape(rows * count, -1)
        return (
            self.logits(whole, cards, tokens),
            through(self.value, whole)[:, 0],
            self.belief(cards).reshape(rows, count, -1),
        )

    def read_table(self, table: Bytes) -> Floats:
        """The table's part as one token."""
        asker = ob.PART_BY_NAME["asker"].offset
        who = table[:, asker] * np.uint8(ob.ASKER_NUMBERS) + table[:, asker + 1] - np.uint8(ob.ASKER_NUMBERS)
        flags = self.table_flags(np.concatenate((table, who[:, None]), 1))
        numbers = table[:, self.columns] * self.scales
        return through(self.table, np.concatenate((flags, numbers, *[points(table, name) for name in POINTS]), 1))

    def logits(self, whole: Floats, cards: Floats, tokens: Bytes) -> Floats:
        """A logit for each action: a card's token says what may be done with it, and the table's all else."""
        rows = len(whole)
        where, place = tokens[:, :, ob.COLUMN_INDEX["where"]].astype(np.intp), tokens[:, :, ob.COLUMN_INDEX["place"]]
        by_spot = self.spots[where * PLACES + place]
        by_reach = self.reached[tokens[:, :, ob.COLUMN_INDEX["reached"]]]
        aims = np.concatenate((by_spot, by_reach), 2).reshape(rows, -1)
        found: Floats = np.zeros((rows, ACTION_COUNT + 1), np.float32)
        np.put_along_axis(found, aims, through(self.point, cards).reshape(rows, -1), 1)
        found[:, :CARDLESS_ACTIONS] += self.plain(whole)
        return found[:, :ACTION_COUNT]


def through(layers: list[Linear], tokens: Floats) -> Floats:
    """What two layers make of tokens."""
    between = layers[0](tokens)
    return layers[1](np.maximum(between, 0, out=between))


def points(table: Bytes, name: str) -> Floats:
    """Points by seat, scaled."""
    part = ob.PART_BY_NAME[name]
    told = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).astype(np.float32)
    return (told[:, :, 0] + 256 * told[:, :, 1]) * (1 - 2 * told[:, :, 2]) * np.float32(A_POINT)
