"""The forward pass of the network in NumPy: the same results as :mod:`argentum.learn.models` in PyTorch."""

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
from argentum.observations import layout
from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS
from argentum.rules.game import MAX_PLAYERS

FloatArray: TypeAlias = NDArray[np.float32]
ByteArray: TypeAlias = NDArray[np.uint8]
LAYER_NORM_EPS: Final = 1e-5  # the default of PyTorch


class NumpyLinear:
    """A linear layer. The scale and bias of the layer norm `norm` before it are folded into its weights."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, norm: str = "") -> None:
        matrix = weights[f"{name}.weight"].astype(np.float32).T
        self.bias: FloatArray = weights[f"{name}.bias"].astype(np.float32)
        if norm:
            self.bias = self.bias + weights[f"{norm}.bias"].astype(np.float32) @ matrix
            matrix = weights[f"{norm}.weight"].astype(np.float32)[:, None] * matrix
        self.weight: FloatArray = np.ascontiguousarray(matrix)

    def __call__(self, tokens: FloatArray) -> FloatArray:
        output: FloatArray = tokens @ self.weight
        output += self.bias
        return output


class NumpyFeatures:
    """Compute one-hot features of rows. Values are clamped to the largest one that has a feature."""

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        self.columns: Final = np.array([column for column, _ in features])
        self.values: Final = np.array([value for _, value in features], np.uint8)
        self.max_values: Final = np.array(max_values(features, width), np.uint8)

    def __call__(self, rows: ByteArray) -> FloatArray:
        features: FloatArray = (np.minimum(rows, self.max_values)[:, self.columns] == self.values).astype(np.float32)
        return features


class NumpyTransformerLayer:
    """A pre-norm transformer layer: self-attention, then an MLP."""

    def __init__(self, weights: dict[str, NDArray[Any]], name: str, heads: int) -> None:
        self.heads: Final = heads
        self.qkv: Final = NumpyLinear(weights, f"{name}.qkv", f"{name}.norm1")
        self.proj: Final = NumpyLinear(weights, f"{name}.proj")
        self.mlp_up: Final = NumpyLinear(weights, f"{name}.up", f"{name}.norm2")
        self.mlp_down: Final = NumpyLinear(weights, f"{name}.down")
        width = len(self.proj.bias)
        self.qkv.weight[:, :width] *= (width // heads) ** -0.5  # Scale the queries here instead of the scores.
        self.qkv.bias[:width] *= (width // heads) ** -0.5

    def __call__(self, tokens: FloatArray, attention_mask: FloatArray) -> FloatArray:
        """Apply the layer to flattened tokens. `attention_mask`, by row and token, is added to the attention scores."""
        rows, count = attention_mask.shape
        width = tokens.shape[1]
        qkv = self.qkv(layer_norm(tokens)).reshape(rows, count, 3, self.heads, width // self.heads)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        scores = q @ k.transpose(0, 1, 3, 2)
        scores += attention_mask[:, None, None, :]
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        attended = (scores @ v).transpose(0, 2, 1, 3).reshape(rows * count, width)
        tokens = tokens + self.proj(attended)
        hidden = self.mlp_up(layer_norm(tokens))
        return tokens + self.mlp_down(np.maximum(hidden, 0, out=hidden))


def layer_norm(tokens: FloatArray) -> FloatArray:
    """Normalize each token. The learned scale and bias are in the next `NumpyLinear`."""
    output: FloatArray = tokens - tokens.mean(1, keepdims=True)
    output /= np.sqrt((output * output).mean(1, keepdims=True) + LAYER_NORM_EPS)
    return output


class NumpyActor:
    """The policy network with its value head and belief head."""

    def __init__(self, weights: dict[str, NDArray[Any]], heads: int, with_foreign_boxes: bool = True) -> None:
        numbers = table_numbers()
        layers = {name.split(".")[2] for name in weights if name.startswith("encoder.layers.")}
        self.columns: Final = np.array([column for column, _ in numbers])
        self.scales: Final = np.array([scale for _, scale in numbers], np.float32)
        self.table_flags: Final = NumpyFeatures(table_features(with_foreign_boxes), TABLE_BYTES + 1)
        self.card_flags: Final = NumpyFeatures(card_features(with_foreign_boxes), layout.TOKEN_SIZE)
        self.table_encoder: Final = [
            NumpyLinear(weights, "encoder.table_encoder.linear1"),
            NumpyLinear(weights, "encoder.table_encoder.linear2"),
        ]
        self.card_encoder: Final = NumpyLinear(weights, "encoder.card_projection")
        self.layers: Final = [
            NumpyTransformerLayer(weights, f"encoder.layers.{index}", heads) for index in range(len(layers))
        ]
        self.action_head: Final = NumpyLinear(weights, "action_head", "encoder.final_norm")
        self.card_action_head: Final = [
            NumpyLinear(weights, "card_action_head.0", "encoder.final_norm"),
            NumpyLinear(weights, "card_action_head.2"),
        ]
        self.value_head: Final = [
            NumpyLinear(weights, "value_head.0", "encoder.final_norm"),
            NumpyLinear(weights, "value_head.2"),
        ]
        self.belief_head: Final = NumpyLinear(weights, "belief_head", "encoder.final_norm")

    @cached_property
    def spot_actions(self) -> NDArray[np.intp]:
        return np.array(spot_action_table(), np.intp)

    @cached_property
    def pile_actions(self) -> NDArray[np.intp]:
        return np.array(pile_action_table(), np.intp)

    def __call__(self, table: ByteArray, tokens: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return three arrays: action logits, state values, and, for each card token, logits over the card's number."""
        rows, count = tokens.shape[:2]
        hidden = np.empty((rows, 1 + count, len(self.card_encoder.bias)), np.float32)
        hidden[:, 0] = self.encode_table(table)
        hidden[:, 1:] = self.card_encoder(self.card_flags(tokens.reshape(-1, layout.TOKEN_SIZE))).reshape(
            rows, count, -1
        )
        attention_mask = np.zeros((rows, 1 + count), np.float32)
        attention_mask[:, 1:] = (tokens[:, :, 0] == 0) * np.float32(PADDING_LOGIT)
        flat: FloatArray = hidden.reshape(rows * (1 + count), -1)
        for layer in self.layers:
            flat = layer(flat, attention_mask)
        hidden = layer_norm(flat).reshape(rows, 1 + count, -1)
        table_token, cards = np.ascontiguousarray(hidden[:, 0]), hidden[:, 1:].reshape(rows * count, -1)
        return (
            self.action_logits(table_token, cards, tokens),
            mlp(self.value_head, table_token)[:, 0],
            self.belief_head(cards).reshape(rows, count, -1),
        )

    def encode_table(self, table: ByteArray) -> FloatArray:
        """Encode the table part of each row as one token."""
        asker = layout.PART_BY_NAME["asker"].offset
        asker_value = (
            table[:, asker] * np.uint8(layout.ASKER_NUMBERS) + table[:, asker + 1] - np.uint8(layout.ASKER_NUMBERS)
        )
        flags = self.table_flags(np.concatenate((table, asker_value[:, None]), 1))
        numbers = table[:, self.columns] * self.scales
        return mlp(
            self.table_encoder,
            np.concatenate((flags, numbers, *[point_features(table, name) for name in POINT_PARTS]), 1),
        )

    def action_logits(self, table_token: FloatArray, cards: FloatArray, tokens: ByteArray) -> FloatArray:
        """Return action logits: from card tokens for actions that name a card, from the table token for all others."""
        rows = len(table_token)
        location = tokens[:, :, layout.COLUMN_INDEX["where"]].astype(np.intp)
        place = tokens[:, :, layout.COLUMN_INDEX["place"]]
        by_spot = self.spot_actions[location * PLACE_COUNT + place]
        by_reach = self.pile_actions[tokens[:, :, layout.COLUMN_INDEX["reached"]]]
        action_indexes = np.concatenate((by_spot, by_reach), 2).reshape(rows, -1)
        logits: FloatArray = np.zeros((rows, ACTION_COUNT + 1), np.float32)
        np.put_along_axis(logits, action_indexes, mlp(self.card_action_head, cards).reshape(rows, -1), 1)
        logits[:, :CARDLESS_ACTIONS] += self.action_head(table_token)
        return logits[:, :ACTION_COUNT]


def mlp(layers: list[NumpyLinear], tokens: FloatArray) -> FloatArray:
    """Apply two layers with a ReLU between them."""
    hidden = layers[0](tokens)
    return layers[1](np.maximum(hidden, 0, out=hidden))


def point_features(table: ByteArray, name: str) -> FloatArray:
    """Decode the points of each seat in the part `name` and scale them."""
    part = layout.PART_BY_NAME[name]
    values = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).astype(np.float32)
    return (values[:, :, 0] + 256 * values[:, :, 1]) * (1 - 2 * values[:, :, 2]) * np.float32(POINT_SCALE)
