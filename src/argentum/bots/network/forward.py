"""The network in NumPy: what PyTorch trained (:mod:`argentum.learn.models`), as quick on one core, and nothing else.

A file (`.npz`) has the weights by their names in the network, and what it was made for.
"""

from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from argentum.bots.network.features import (
    PADDING_LOGIT,
    PLACE_COUNT,
    POINT_PARTS,
    POINT_SCALE,
    TABLE_BYTES,
    card_features,
    max_values,
    pile_action_table,
    spot_action_table,
    table_features,
    table_numbers,
)
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS
from argentum.rules.game import MAX_PLAYERS

FloatArray: TypeAlias = NDArray[np.float32]
ByteArray: TypeAlias = NDArray[np.uint8]
LAYER_NORM_EPS: Final = 1e-5  # that layer norms add to a variance


class NumpyLinear:
    """A layer that is a matrix and what is added; a norm's own scale before it is worked in."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, norm: str = "") -> None:
        matrix = weights[f"{name}.weight"].astype(np.float32).T
        self.bias: FloatArray = weights[f"{name}.bias"].astype(np.float32)
        if norm:
            self.bias = self.bias + weights[f"{norm}.bias"].astype(np.float32) @ matrix
            matrix = weights[f"{norm}.weight"].astype(np.float32)[:, None] * matrix
        self.weight: FloatArray = np.ascontiguousarray(matrix)

    def __call__(self, tokens: FloatArray) -> FloatArray:
        """The answer for each token."""
        found: FloatArray = tokens @ self.weight
        found += self.bias
        return found


class NumpyFeatures:
    """Features that are 1 where a column has a value; a value above the largest of its column counts as that."""

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        self.columns: Final = np.array([column for column, _ in features])
        self.values: Final = np.array([value for _, value in features], np.uint8)
        self.most: Final = np.array(max_values(features, width), np.uint8)

    def __call__(self, rows: ByteArray) -> FloatArray:
        """The features of rows of bytes."""
        found: FloatArray = (np.minimum(rows, self.most)[:, self.columns] == self.values).astype(np.float32)
        return found


class NumpyTransformerLayer:
    """A layer in which the tokens attend to each other, and each then thinks for itself."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, heads: int) -> None:
        self.heads: Final = heads
        self.qkv: Final = NumpyLinear(weights, f"{name}.mixed", f"{name}.before")
        self.out: Final = NumpyLinear(weights, f"{name}.out")
        self.mlp_up: Final = NumpyLinear(weights, f"{name}.wide", f"{name}.between")
        self.mlp_down: Final = NumpyLinear(weights, f"{name}.narrow")
        width = len(self.out.bias)
        self.qkv.weight[:, :width] *= (width // heads) ** -0.5  # what it asks for is scaled
        self.qkv.bias[:width] *= (width // heads) ** -0.5

    def __call__(self, tokens: FloatArray, attention_mask: FloatArray) -> FloatArray:
        """The tokens after the layer; `hidden` is added to the scores of attention."""
        rows, count = attention_mask.shape
        width = tokens.shape[1]
        mixed = self.qkv(layer_norm(tokens)).reshape(rows, count, 3, self.heads, width // self.heads)
        q, k, v = mixed.transpose(2, 0, 3, 1, 4)
        scores = q @ k.transpose(0, 1, 3, 2)
        scores += attention_mask[:, None, None, :]
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        attended = (scores @ v).transpose(0, 2, 1, 3).reshape(rows * count, width)
        tokens = tokens + self.out(attended)
        thought = self.mlp_up(layer_norm(tokens))
        return tokens + self.mlp_down(np.maximum(thought, 0, out=thought))


def layer_norm(tokens: FloatArray) -> FloatArray:
    """Each token brought to one scale: a layer norm without a scale of its own."""
    found: FloatArray = tokens - tokens.mean(1, keepdims=True)
    found /= np.sqrt((found * found).mean(1, keepdims=True) + LAYER_NORM_EPS)
    return found


class NumpyActor:
    """The player's network."""

    def __init__(self, weights: dict[str, NDArray[Any]], heads: int) -> None:
        numbers = table_numbers()
        layers = {name.split(".")[2] for name in weights if name.startswith("body.layers.")}
        self.columns: Final = np.array([column for column, _ in numbers])
        self.scales: Final = np.array([scale for _, scale in numbers], np.float32)
        self.table_flags: Final = NumpyFeatures(table_features(), TABLE_BYTES + 1)
        self.card_flags: Final = NumpyFeatures(card_features(), ob.TOKEN_SIZE)
        self.table_encoder: Final = [
            NumpyLinear(weights, "body.table.first"),
            NumpyLinear(weights, "body.table.second"),
        ]
        self.card_encoder: Final = NumpyLinear(weights, "body.card")
        self.layers: Final = [NumpyTransformerLayer(weights, f"body.layers.{nth}", heads) for nth in range(len(layers))]
        self.action_head: Final = NumpyLinear(weights, "plain", "body.last")
        self.card_action_head: Final = [NumpyLinear(weights, "point.0", "body.last"), NumpyLinear(weights, "point.2")]
        self.value_head: Final = [NumpyLinear(weights, "value.0", "body.last"), NumpyLinear(weights, "value.2")]
        self.belief_head: Final = NumpyLinear(weights, "belief", "body.last")

    @cached_property
    def spots(self) -> NDArray[np.intp]:
        """The actions of a card's token, by where it lies and its place."""
        return np.array(spot_action_table(), np.intp)

    @cached_property
    def pile_actions(self) -> NDArray[np.intp]:
        """The same, by how it is reached."""
        return np.array(pile_action_table(), np.intp)

    def __call__(self, table: ByteArray, tokens: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What to do (logits of actions), what it will bring, and what each card may be (logits of numbers)."""
        rows, count = tokens.shape[:2]
        body = np.empty((rows, 1 + count, len(self.card_encoder.bias)), np.float32)
        body[:, 0] = self.read_table(table)
        body[:, 1:] = self.card_encoder(self.card_flags(tokens.reshape(-1, ob.TOKEN_SIZE))).reshape(rows, count, -1)
        attention_mask = np.zeros((rows, 1 + count), np.float32)
        attention_mask[:, 1:] = (tokens[:, :, 0] == 0) * np.float32(PADDING_LOGIT)
        flat: FloatArray = body.reshape(rows * (1 + count), -1)
        for layer in self.layers:
            flat = layer(flat, attention_mask)
        body = layer_norm(flat).reshape(rows, 1 + count, -1)
        table_token, cards = np.ascontiguousarray(body[:, 0]), body[:, 1:].reshape(rows * count, -1)
        return (
            self.logits(table_token, cards, tokens),
            mlp(self.value_head, table_token)[:, 0],
            self.belief_head(cards).reshape(rows, count, -1),
        )

    def read_table(self, table: ByteArray) -> FloatArray:
        """The table's part as one token."""
        asker = ob.PART_BY_NAME["asker"].offset
        who = table[:, asker] * np.uint8(ob.ASKER_NUMBERS) + table[:, asker + 1] - np.uint8(ob.ASKER_NUMBERS)
        flags = self.table_flags(np.concatenate((table, who[:, None]), 1))
        numbers = table[:, self.columns] * self.scales
        return mlp(
            self.table_encoder,
            np.concatenate((flags, numbers, *[point_features(table, name) for name in POINT_PARTS]), 1),
        )

    def logits(self, table_token: FloatArray, cards: FloatArray, tokens: ByteArray) -> FloatArray:
        """A logit for each action: a card's token says what may be done with it, and the table's all else."""
        rows = len(table_token)
        where, place = tokens[:, :, ob.COLUMN_INDEX["where"]].astype(np.intp), tokens[:, :, ob.COLUMN_INDEX["place"]]
        by_spot = self.spots[where * PLACE_COUNT + place]
        by_reach = self.pile_actions[tokens[:, :, ob.COLUMN_INDEX["reached"]]]
        action_indexes = np.concatenate((by_spot, by_reach), 2).reshape(rows, -1)
        found: FloatArray = np.zeros((rows, ACTION_COUNT + 1), np.float32)
        np.put_along_axis(found, action_indexes, mlp(self.card_action_head, cards).reshape(rows, -1), 1)
        found[:, :CARDLESS_ACTIONS] += self.action_head(table_token)
        return found[:, :ACTION_COUNT]


def mlp(layers: list[NumpyLinear], tokens: FloatArray) -> FloatArray:
    """What two layers make of tokens."""
    between = layers[0](tokens)
    return layers[1](np.maximum(between, 0, out=between))


def point_features(table: ByteArray, name: str) -> FloatArray:
    """Points by seat, scaled."""
    part = ob.PART_BY_NAME[name]
    values = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).astype(np.float32)
    return (values[:, :, 0] + 256 * values[:, :, 1]) * (1 - 2 * values[:, :, 2]) * np.float32(POINT_SCALE)
