"""Actor and critic in PyTorch: transformers over the cards, the same for all decks and numbers of players.

The input is an observation (:mod:`argentum.observations.layout`) as one token for the table and one for each card;
the actor's outputs are action logits, the value of the round, and beliefs about hidden cards. An action that names a
card takes its logit from the card's token, so the order of cards does not matter and the weights are shared between
spots. Cards deep in the discard pile are left out, because the table's part has the counts of unseen cards.
"""

from typing import Any, Final, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from argentum.bots.network.features import (
    CARD_OUTPUTS,
    PADDING_LOGIT,
    PILE_CARDS_READ,
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
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

CRITIC_DECK_CARDS: Final = 6  # next cards of the deck that a privileged critic sees
CRITIC_DECK_SLOTS: Final = 8  # padded: GPUs are fastest if the number of tokens is a multiple of 8
CARDS_READ: Final = {2: 23, 3: 31, 4: 39}  # limit in training, by number of players; there is none in play
LOCATION_TRUE_DECK: Final = layout.LOCATION_COUNT  # of a deck card that only the critic sees


def token_column(tokens: Tensor, name: str) -> Tensor:
    return tokens[..., layout.COLUMN_INDEX[name]]


class ModelInput(NamedTuple):
    """The inputs of the networks. Tokens of absent cards are 0."""

    table: Tensor  # rows x TABLE_BYTES
    tokens: Tensor  # rows x cards x columns
    token_indexes: Tensor  # rows x cards: index in the observation, -1 if absent


def select_cards(rows: Tensor, slots: int) -> ModelInput:
    """Select the cards that the networks read, at most `slots` per observation."""
    cards = rows[:, TABLE_BYTES : layout.OBSERVATION_SIZE].view(len(rows), CARDS_IN_DECK, layout.TOKEN_SIZE)
    where = token_column(cards, "where")
    is_read = (where > 0) & (
        (where != layout.LOCATION_DISCARD)
        | (token_column(cards, "place") <= PILE_CARDS_READ)
        | (token_column(cards, "reached") > 0)
    )
    rank = is_read.cumsum(1) - 1
    target_slot = torch.where(is_read & (rank < slots), rank, slots)
    order = torch.arange(CARDS_IN_DECK, device=rows.device).expand(len(rows), CARDS_IN_DECK)
    token_indexes = torch.full((len(rows), slots + 1), -1, dtype=torch.int64, device=rows.device).scatter(
        1, target_slot, order
    )
    token_indexes = token_indexes[:, :slots]
    is_present = (token_indexes >= 0).unsqueeze(2)
    tokens = cards.gather(1, token_indexes.clamp_min(0).unsqueeze(2).expand(-1, -1, layout.TOKEN_SIZE)) * is_present
    return ModelInput(rows[:, :TABLE_BYTES], tokens, token_indexes)


class OneHotFeatures(nn.Module):
    """One-hot encoding of selected input columns; each column is clamped to its largest encoded value."""

    columns: Tensor
    values: Tensor
    max_values: Tensor

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        super().__init__()
        largest = max_values(features, width)
        self.register_buffer("columns", torch.tensor([column for column, _ in features]), persistent=False)
        self.register_buffer(
            "values", torch.tensor([value for _, value in features], dtype=torch.uint8), persistent=False
        )
        self.register_buffer("max_values", torch.tensor(largest, dtype=torch.uint8), persistent=False)
        self.size = len(features)

    def forward(self, rows: Tensor, dtype: torch.dtype) -> Tensor:
        clamped = torch.minimum(rows, self.max_values.to(rows.dtype)).index_select(-1, self.columns)
        return (clamped == self.values.to(rows.dtype)).to(dtype)


def _compute_dtype(layer: nn.Linear) -> torch.dtype:
    """Return the dtype that a layer computes with, which autocast may lower."""
    device = layer.weight.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else layer.weight.dtype


class TableEncoder(nn.Module):
    """Encodes the table part of observations as one token."""

    columns: Tensor
    scales: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        numbers = table_numbers()
        self.flags = OneHotFeatures(table_features(), TABLE_BYTES + 1)
        self.register_buffer("columns", torch.tensor([column for column, _ in numbers]), persistent=False)
        self.register_buffer("scales", torch.tensor([scale for _, scale in numbers]), persistent=False)
        self.linear1 = nn.Linear(self.flags.size + len(numbers) + 2 * MAX_PLAYERS, 2 * width)
        self.linear2 = nn.Linear(2 * width, width)

    def forward(self, table: Tensor) -> Tensor:
        dtype = _compute_dtype(self.linear1)
        asker = layout.PART_BY_NAME["asker"].offset
        asker_index = (table[:, asker] * layout.ASKER_NUMBERS + table[:, asker + 1]).sub(layout.ASKER_NUMBERS)
        flags = self.flags(torch.cat((table, asker_index.unsqueeze(1)), 1), dtype)
        numbers = (table.index_select(1, self.columns).float() * self.scales).to(dtype)
        points = [self.point_features(table, name).to(dtype) for name in POINT_PARTS]
        return self.linear2(torch.relu(self.linear1(torch.cat((flags, numbers, *points), 1))))  # type: ignore[no-any-return]

    @staticmethod
    def point_features(table: Tensor, name: str) -> Tensor:
        """Decode the points of each seat in the part `name` and scale them."""
        part = layout.PART_BY_NAME[name]
        values = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).float()
        return (values[:, :, 0] + 256 * values[:, :, 1]) * (1 - 2 * values[:, :, 2]) * POINT_SCALE


class LayerNorm(nn.LayerNorm):
    """Layer norm that keeps the dtype of its input under autocast, which is much faster than float32."""

    def forward(self, tokens: Tensor) -> Tensor:
        with torch.autocast(tokens.device.type, enabled=False):
            dtype = tokens.dtype
            return functional.layer_norm(
                tokens, self.normalized_shape, self.weight.to(dtype), self.bias.to(dtype), self.eps
            )


class TransformerLayer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = LayerNorm(width), LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 3 * width), nn.Linear(3 * width, width)

    def forward(self, tokens: Tensor, attention_mask: Tensor) -> Tensor:
        """Apply the layer. `attention_mask` is added to the attention scores."""
        rows, count, width = tokens.shape
        qkv = self.qkv(self.norm1(tokens)).view(rows, count, 3, self.heads, width // self.heads)
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))
        # With so few tokens, this is faster than scaled_dot_product_attention.
        scores = q @ k.transpose(2, 3) * q.shape[3] ** -0.5 + attention_mask
        attended = scores.softmax(3) @ v
        tokens = tokens + self.proj(attended.transpose(1, 2).reshape(rows, count, width))
        return tokens + self.down(torch.relu(self.up(self.norm2(tokens))))  # type: ignore[no-any-return]


class CardEncoder(nn.Module):
    """Transformer encoder of the table and the cards."""

    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        self.table_encoder = TableEncoder(width)
        self.flags = OneHotFeatures(card_features(), layout.TOKEN_SIZE)
        self.card_projection = nn.Linear(self.flags.size, width)
        self.layers = nn.ModuleList([TransformerLayer(width, heads) for _ in range(layers)])
        self.final_norm = LayerNorm(width)

    def forward(self, table: Tensor, tokens: Tensor) -> Tensor:
        """Return the encoded tokens: the table first, then the cards."""
        cards = self.card_projection(self.flags(tokens, _compute_dtype(self.card_projection)))
        encoded = torch.cat((self.table_encoder(table).unsqueeze(1), cards), 1)
        padding_mask = (tokens[:, :, 0] == 0).to(encoded.dtype) * PADDING_LOGIT
        attention_mask = torch.cat((torch.zeros_like(padding_mask[:, :1]), padding_mask), 1)[:, None, None, :]
        for layer in self.layers:
            encoded = layer(encoded, attention_mask)
        return self.final_norm(encoded)  # type: ignore[no-any-return]


class ActorOutput(NamedTuple):
    logits: Tensor  # rows x ACTION_COUNT, not masked
    values: Tensor  # rows: expected reward of the round
    beliefs: Tensor  # rows x cards x card numbers: logits


class Actor(nn.Module):
    """Policy network with value and belief heads; its input is one seat's observation."""

    spot_actions: Tensor
    pile_actions: Tensor

    def __init__(self, width: int = 128, layers: int = 3, heads: int = 4) -> None:
        super().__init__()
        self.encoder = CardEncoder(width, layers, heads)
        self.action_head = nn.Linear(width, CARDLESS_ACTIONS)
        self.card_action_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CARD_OUTPUTS))
        self.value_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.belief_head = nn.Linear(width, RESIDENTS_PER_BOX)
        self.register_buffer("spot_actions", torch.tensor(spot_action_table(), dtype=torch.int32), persistent=False)
        self.register_buffer("pile_actions", torch.tensor(pile_action_table(), dtype=torch.int32), persistent=False)
        for layer in (self.action_head, self.card_action_head[2], self.value_head[2]):
            _init_last_layer(cast(nn.Linear, layer))

    def forward(self, table: Tensor, tokens: Tensor) -> ActorOutput:
        encoded = self.encoder(table, tokens)
        table_token, cards = encoded[:, 0], encoded[:, 1:]
        action_indexes = self.output_actions(tokens).flatten(1)
        card_logits = self.card_action_head(cards).flatten(1).float()
        logits = torch.zeros((table.shape[0], ACTION_COUNT + 1), device=card_logits.device).scatter(
            1, action_indexes, card_logits
        )[:, :ACTION_COUNT]
        cardless_logits = self.action_head(table_token).float()
        logits = torch.cat((logits[:, :CARDLESS_ACTIONS] + cardless_logits, logits[:, CARDLESS_ACTIONS:]), 1)
        return ActorOutput(logits, self.value_head(table_token).squeeze(1).float(), self.belief_head(cards).float())

    def output_actions(self, tokens: Tensor) -> Tensor:
        """Return the action of each output of each card; ACTION_COUNT for outputs without an action."""
        where, place = token_column(tokens, "where").long(), token_column(tokens, "place").long()
        by_spot = self.spot_actions[where * PLACE_COUNT + place]
        by_reach = self.pile_actions[token_column(tokens, "reached").long()]
        return torch.cat((by_spot, by_reach), -1).long()


class Critic(nn.Module):
    """Value function for training only. If `privileged`, it sees all faces, including those of the next deck cards."""

    def __init__(self, width: int, layers: int, heads: int, privileged: bool) -> None:
        super().__init__()
        self.privileged = privileged
        self.encoder = CardEncoder(width, layers, heads)
        self.value_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        _init_last_layer(cast(nn.Linear, self.value_head[2]))

    def forward(self, inputs: ModelInput, hidden_states: Tensor) -> Tensor:
        """Return the values. `hidden_states` has the residents of the observation's tokens, then of the deck."""
        tokens = reveal_tokens(inputs, hidden_states) if self.privileged else inputs.tokens
        return self.value_head(self.encoder(inputs.table, tokens)[:, 0]).squeeze(1).float()  # type: ignore[no-any-return]


def true_residents(inputs: ModelInput, hidden_states: Tensor) -> Tensor:
    """Return the resident of each card, whether or not the seat knows it; 0 for absent cards."""
    return hidden_states[:, 0].gather(1, inputs.token_indexes.clamp_min(0)) * (inputs.token_indexes >= 0)


def reveal_tokens(inputs: ModelInput, hidden_states: Tensor) -> Tensor:
    """Return the tokens with all residents revealed, followed by tokens of the next cards of the deck."""
    tokens = inputs.tokens.clone()
    residents_by_token = true_residents(inputs, hidden_states)
    tokens[..., layout.COLUMN_INDEX["resident"]] = residents_by_token
    deck_tokens = torch.zeros(
        (len(tokens), CRITIC_DECK_SLOTS, layout.TOKEN_SIZE), dtype=tokens.dtype, device=tokens.device
    )
    deck = hidden_states[:, 1, :CRITIC_DECK_CARDS]
    deck_tokens[:, :CRITIC_DECK_CARDS, layout.COLUMN_INDEX["where"]] = (deck > 0) * LOCATION_TRUE_DECK
    deck_tokens[:, :CRITIC_DECK_CARDS, layout.COLUMN_INDEX["place"]] = torch.arange(
        1, CRITIC_DECK_CARDS + 1, dtype=tokens.dtype, device=tokens.device
    )
    deck_tokens[:, :CRITIC_DECK_CARDS, layout.COLUMN_INDEX["resident"]] = deck
    tokens = torch.cat((tokens, deck_tokens), 1)
    residents = token_column(tokens, "resident")
    tokens[..., layout.COLUMN_INDEX["number"]] = torch.where(
        residents > 0, (residents - 1) % RESIDENTS_PER_BOX + 1, 0
    ).to(tokens.dtype)
    return tokens


def belief_targets(inputs: ModelInput, hidden_states: Tensor) -> Tensor:
    """Return the number of each card that the seat does not know; -1 for other tokens."""
    true = true_residents(inputs, hidden_states).long()
    unknown = (true > 0) & (token_column(inputs.tokens, "resident") == 0)
    return torch.where(unknown, (true - 1) % RESIDENTS_PER_BOX, -1)


def _init_last_layer(layer: nn.Linear) -> None:
    """Initialize the last layer of a head so that the outputs are close to 0 before training."""
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """Return the logits with those of illegal actions replaced by minus infinity."""
    return logits.masked_fill(~masks, float("-inf"))


def parameter_count(module: nn.Module) -> int:
    return sum([parameter.numel() for parameter in module.parameters()])


def cpu_state_dict(module: nn.Module) -> dict[str, Any]:
    """Return copies of the weights on the CPU."""
    return {name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}
