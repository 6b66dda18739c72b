"""The network: one for all decks, tokens and numbers of seats.

It reads an observation (:mod:`argentum.observations.layout`) as a token for the table and one for each card that matters,
lets them attend to each other, and answers with a logit for each action, what the round will bring, and what each
hidden card may be. A move that names a card takes its logit from the card's token; so a card's place in the list does
not matter, and what was learned of one village holds for the next. Cards deep in the discard pile are left out: what
they mean for the cards nobody has seen is in the table's part.
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
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

CRITIC_DECK_CARDS: Final = 6  # cards of the deck that a critic sees
CRITIC_DECK_SLOTS: Final = 8  # room for them: a GPU is fastest where the number of tokens can be divided by 8
CARDS_READ: Final = {2: 23, 3: 31, 4: 39}  # cards that are read in training, by the seats; in play there is no limit
LOCATION_TRUE_DECK: Final = ob.LOCATION_COUNT  # where a card of the deck is that only a critic sees


def column(tokens: Tensor, name: str) -> Tensor:
    """A column of tokens."""
    return tokens[..., ob.COLUMN_INDEX[name]]


class ModelInput(NamedTuple):
    """What the network reads: the table's part, and a token for each card, 0 where there is none."""

    table: Tensor  # rows x TABLE
    tokens: Tensor  # rows x cards x columns
    token_indexes: Tensor  # rows x cards: which of the observation's tokens each is


def select_cards(rows: Tensor, slots: int) -> ModelInput:
    """Pick the cards that matter out of observations, at most so many."""
    cards = rows[:, TABLE_BYTES : ob.OBSERVATION_SIZE].view(len(rows), CARDS_IN_DECK, ob.TOKEN_SIZE)
    where = column(cards, "where")
    is_read = (where > 0) & (
        (where != ob.LOCATION_DISCARD) | (column(cards, "place") <= PILE_CARDS_READ) | (column(cards, "reached") > 0)
    )
    rank = is_read.cumsum(1) - 1
    target_slot = torch.where(is_read & (rank < slots), rank, slots)
    order = torch.arange(CARDS_IN_DECK, device=rows.device).expand(len(rows), CARDS_IN_DECK)
    token_indexes = torch.full((len(rows), slots + 1), -1, dtype=torch.int64, device=rows.device).scatter(
        1, target_slot, order
    )
    token_indexes = token_indexes[:, :slots]
    is_present = (token_indexes >= 0).unsqueeze(2)
    tokens = cards.gather(1, token_indexes.clamp_min(0).unsqueeze(2).expand(-1, -1, ob.TOKEN_SIZE)) * is_present
    return ModelInput(rows[:, :TABLE_BYTES], tokens, token_indexes)


class OneHotFeatures(nn.Module):
    """Features that are 1 where a column has a value; a value above the largest of its column counts as that."""

    columns: Tensor
    values: Tensor
    max_values: Tensor

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        super().__init__()
        most = max_values(features, width)
        self.register_buffer("columns", torch.tensor([column for column, _ in features]), persistent=False)
        self.register_buffer(
            "values", torch.tensor([value for _, value in features], dtype=torch.uint8), persistent=False
        )
        self.register_buffer("most", torch.tensor(most, dtype=torch.uint8), persistent=False)
        self.size = len(features)

    def forward(self, rows: Tensor, dtype: torch.dtype) -> Tensor:
        """The features of rows of bytes."""
        is_read = torch.minimum(rows, self.max_values.to(rows.dtype)).index_select(-1, self.columns)
        return (is_read == self.values.to(rows.dtype)).to(dtype)


def _compute_dtype(layer: nn.Linear) -> torch.dtype:
    """The kind of numbers that a layer works with: smaller ones under autocast."""
    device = layer.weight.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else layer.weight.dtype


class TableEncoder(nn.Module):
    """The table's part as one token."""

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
        """Rows of the table's part as tokens."""
        dtype = _compute_dtype(self.linear1)
        asker = ob.PART_BY_NAME["asker"].offset
        who = (table[:, asker] * ob.ASKER_NUMBERS + table[:, asker + 1]).sub(ob.ASKER_NUMBERS)
        flags = self.flags(torch.cat((table, who.unsqueeze(1)), 1), dtype)
        numbers = (table.index_select(1, self.columns).float() * self.scales).to(dtype)
        points = [self.points(table, name).to(dtype) for name in POINT_PARTS]
        return self.linear2(torch.relu(self.linear1(torch.cat((flags, numbers, *points), 1))))  # type: ignore[no-any-return]

    @staticmethod
    def points(table: Tensor, name: str) -> Tensor:
        """Points by seat, scaled."""
        part = ob.PART_BY_NAME[name]
        values = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).float()
        return (values[:, :, 0] + 256 * values[:, :, 1]) * (1 - 2 * values[:, :, 2]) * POINT_SCALE


class LayerNorm(nn.LayerNorm):
    """A layer norm that answers in the kind of numbers that it is given, also under autocast: that is much faster."""

    def forward(self, tokens: Tensor) -> Tensor:
        """The tokens, each brought to one scale."""
        with torch.autocast(tokens.device.type, enabled=False):
            dtype = tokens.dtype
            return functional.layer_norm(
                tokens, self.normalized_shape, self.weight.to(dtype), self.bias.to(dtype), self.eps
            )


class TransformerLayer(nn.Module):
    """A layer in which the tokens attend to each other, and each then thinks for itself."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = LayerNorm(width), LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 3 * width), nn.Linear(3 * width, width)

    def forward(self, tokens: Tensor, attention_mask: Tensor) -> Tensor:
        """The tokens after the layer; `hidden` is added to the scores of attention."""
        rows, count, width = tokens.shape
        mixed = self.qkv(self.norm1(tokens)).view(rows, count, 3, self.heads, width // self.heads)
        q, k, v = (one.transpose(1, 2) for one in mixed.unbind(2))
        # Written out: with so few tokens, this is faster than PyTorch's kernel for attention.
        scores = q @ k.transpose(2, 3) * q.shape[3] ** -0.5 + attention_mask
        attended = scores.softmax(3) @ v
        tokens = tokens + self.proj(attended.transpose(1, 2).reshape(rows, count, width))
        return tokens + self.down(torch.relu(self.up(self.norm2(tokens))))  # type: ignore[no-any-return]


class CardEncoder(nn.Module):
    """Tokens for the table and the cards, and what they come to know of each other."""

    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        self.table_encoder = TableEncoder(width)
        self.flags = OneHotFeatures(card_features(), ob.TOKEN_SIZE)
        self.card_projection = nn.Linear(self.flags.size, width)
        self.layers = nn.ModuleList([TransformerLayer(width, heads) for _ in range(layers)])
        self.final_norm = LayerNorm(width)

    def forward(self, table: Tensor, tokens: Tensor) -> Tensor:
        """The table's token first, then the cards."""
        cards = self.card_projection(self.flags(tokens, _compute_dtype(self.card_projection)))
        body = torch.cat((self.table_encoder(table).unsqueeze(1), cards), 1)
        padding_mask = (tokens[:, :, 0] == 0).to(body.dtype) * PADDING_LOGIT
        attention_mask = torch.cat((torch.zeros_like(padding_mask[:, :1]), padding_mask), 1)[:, None, None, :]
        for layer in self.layers:
            body = layer(body, attention_mask)
        return self.final_norm(body)  # type: ignore[no-any-return]


class ActorOutput(NamedTuple):
    """What the network says of each row."""

    logits: Tensor  # rows x ACTIONS, of legal and other actions alike
    values: Tensor  # rows: what the round will bring
    beliefs: Tensor  # rows x cards x NUMBERS: logits of what each card is


class Actor(nn.Module):
    """The player: it sees what a seat sees."""

    spot_actions: Tensor
    pile_actions: Tensor

    def __init__(self, width: int = 128, layers: int = 3, heads: int = 4) -> None:
        super().__init__()
        self.encoder = CardEncoder(width, layers, heads)
        self.action_head = nn.Linear(width, CARDLESS_ACTIONS)
        self.card_action_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CARD_OUTPUTS))
        self.value_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.belief_head = nn.Linear(width, RESIDENTS_PER_BOX)
        self.register_buffer("spots", torch.tensor(spot_action_table(), dtype=torch.int32), persistent=False)
        self.register_buffer("reached", torch.tensor(pile_action_table(), dtype=torch.int32), persistent=False)
        for layer in (self.action_head, self.card_action_head[2], self.value_head[2]):
            _init_last_layer(cast(nn.Linear, layer))

    def forward(self, table: Tensor, tokens: Tensor) -> ActorOutput:
        """What to do, what it will bring, and what the cards may be."""
        body = self.encoder(table, tokens)
        table_token, cards = body[:, 0], body[:, 1:]
        action_indexes = self.output_actions(tokens).flatten(1)
        points = self.card_action_head(cards).flatten(1).float()
        logits = torch.zeros((table.shape[0], ACTION_COUNT + 1), device=points.device).scatter(
            1, action_indexes, points
        )[:, :ACTION_COUNT]
        plain = self.action_head(table_token).float()
        logits = torch.cat((logits[:, :CARDLESS_ACTIONS] + plain, logits[:, CARDLESS_ACTIONS:]), 1)
        return ActorOutput(logits, self.value_head(table_token).squeeze(1).float(), self.belief_head(cards).float())

    def output_actions(self, tokens: Tensor) -> Tensor:
        """The action that each output of each card is for; ACTIONS where for none."""
        where, place = column(tokens, "where").long(), column(tokens, "place").long()
        by_spot = self.spot_actions[where * PLACE_COUNT + place]
        by_reach = self.pile_actions[column(tokens, "reached").long()]
        return torch.cat((by_spot, by_reach), -1).long()


class Critic(nn.Module):
    """What a round will bring, by all the cards: in training only."""

    def __init__(self, width: int, layers: int, heads: int, privileged: bool) -> None:
        super().__init__()
        self.privileged = privileged
        self.encoder = CardEncoder(width, layers, heads)
        self.value_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        _init_last_layer(cast(nn.Linear, self.value_head[2]))

    def forward(self, seen: ModelInput, hidden_states: Tensor) -> Tensor:
        """The values of rows; `truths` has the residents of the observation's tokens, then of the deck."""
        tokens = reveal_tokens(seen, hidden_states) if self.privileged else seen.tokens
        return self.value_head(self.encoder(seen.table, tokens)[:, 0]).squeeze(1).float()  # type: ignore[no-any-return]


def true_residents(seen: ModelInput, hidden_states: Tensor) -> Tensor:
    """The resident of each card that is read, known or not; 0 where there is none."""
    return hidden_states[:, 0].gather(1, seen.token_indexes.clamp_min(0)) * (seen.token_indexes >= 0)


def reveal_tokens(seen: ModelInput, hidden_states: Tensor) -> Tensor:
    """The tokens with every card as it is, and the next cards of the deck after them."""
    tokens = seen.tokens.clone()
    true = true_residents(seen, hidden_states)
    tokens[..., ob.COLUMN_INDEX["resident"]] = true
    ahead = torch.zeros((len(tokens), CRITIC_DECK_SLOTS, ob.TOKEN_SIZE), dtype=tokens.dtype, device=tokens.device)
    deck = hidden_states[:, 1, :CRITIC_DECK_CARDS]
    ahead[:, :CRITIC_DECK_CARDS, ob.COLUMN_INDEX["where"]] = (deck > 0) * LOCATION_TRUE_DECK
    ahead[:, :CRITIC_DECK_CARDS, ob.COLUMN_INDEX["place"]] = torch.arange(
        1, CRITIC_DECK_CARDS + 1, dtype=tokens.dtype, device=tokens.device
    )
    ahead[:, :CRITIC_DECK_CARDS, ob.COLUMN_INDEX["resident"]] = deck
    tokens = torch.cat((tokens, ahead), 1)
    residents = column(tokens, "resident")
    tokens[..., ob.COLUMN_INDEX["number"]] = torch.where(residents > 0, (residents - 1) % RESIDENTS_PER_BOX + 1, 0).to(
        tokens.dtype
    )
    return tokens


def belief_targets(seen: ModelInput, hidden_states: Tensor) -> Tensor:
    """The number of each card that the seat does not know; -1 for all else."""
    true = true_residents(seen, hidden_states).long()
    unknown = (true > 0) & (column(seen.tokens, "resident") == 0)
    return torch.where(unknown, (true - 1) % RESIDENTS_PER_BOX, -1)


def _init_last_layer(layer: nn.Linear) -> None:
    """Let a last layer begin with next to nothing to say."""
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with what is not legal at no chance."""
    return logits.masked_fill(~masks, float("-inf"))


def parameter_count(module: nn.Module) -> int:
    """How many parameters a network has."""
    return sum([one.numel() for one in module.parameters()])


def cpu_state_dict(module: nn.Module) -> dict[str, Any]:
    """The weights of a network on the processor, as copies."""
    return {name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}
