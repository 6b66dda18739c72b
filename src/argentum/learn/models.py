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
    POINT_SCALE,
    PADDING_LOGIT,
    PLACE_COUNT,
    CARD_OUTPUTS,
    POINT_PARTS,
    TABLE_BYTES,
    PILE_CARDS_READ,
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

AHEAD: Final = 6  # cards of the deck that a critic sees
PADDED: Final = 8  # room for them: a GPU is fastest where the number of tokens can be divided by 8
SLOTS: Final = {2: 23, 3: 31, 4: 39}  # cards that are read in training, by the seats; in play there is no limit
IN_TRUE_DECK: Final = ob.LOCATION_COUNT  # where a card of the deck is that only a critic sees


def column(tokens: Tensor, name: str) -> Tensor:
    """A column of tokens."""
    return tokens[..., ob.COLUMN_INDEX[name]]


class Seen(NamedTuple):
    """What the network reads: the table's part, and a token for each card, 0 where there is none."""

    table: Tensor  # rows x TABLE
    tokens: Tensor  # rows x cards x columns
    slots: Tensor  # rows x cards: which of the observation's tokens each is


def read(rows: Tensor, slots: int) -> Seen:
    """Pick the cards that matter out of observations, at most so many."""
    cards = rows[:, TABLE_BYTES : ob.OBSERVATION_SIZE].view(len(rows), CARDS_IN_DECK, ob.TOKEN_SIZE)
    where = column(cards, "where")
    kept = (where > 0) & (
        (where != ob.LOCATION_DISCARD) | (column(cards, "place") <= PILE_CARDS_READ) | (column(cards, "reached") > 0)
    )
    nth = kept.cumsum(1) - 1
    aim = torch.where(kept & (nth < slots), nth, slots)
    order = torch.arange(CARDS_IN_DECK, device=rows.device).expand(len(rows), CARDS_IN_DECK)
    found = torch.full((len(rows), slots + 1), -1, dtype=torch.int64, device=rows.device).scatter(1, aim, order)
    found = found[:, :slots]
    there = (found >= 0).unsqueeze(2)
    tokens = cards.gather(1, found.clamp_min(0).unsqueeze(2).expand(-1, -1, ob.TOKEN_SIZE)) * there
    return Seen(rows[:, :TABLE_BYTES], tokens, found)


class Flags(nn.Module):
    """Features that are 1 where a column has a value; a value above the largest of its column counts as that."""

    columns: Tensor
    values: Tensor
    most: Tensor

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        super().__init__()
        most = max_values(features, width)
        self.register_buffer("columns", torch.tensor([column for column, _ in features]), persistent=False)
        self.register_buffer(
            "values", torch.tensor([value for _, value in features], dtype=torch.uint8), persistent=False
        )
        self.register_buffer("most", torch.tensor(most, dtype=torch.uint8), persistent=False)
        self.size = len(features)

    def forward(self, rows: Tensor, kind: torch.dtype) -> Tensor:
        """The features of rows of bytes."""
        kept = torch.minimum(rows, self.most.to(rows.dtype)).index_select(-1, self.columns)
        return (kept == self.values.to(rows.dtype)).to(kind)


def _kind(layer: nn.Linear) -> torch.dtype:
    """The kind of numbers that a layer works with: smaller ones under autocast."""
    device = layer.weight.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else layer.weight.dtype


class TableReader(nn.Module):
    """The table's part as one token."""

    columns: Tensor
    scales: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        numbers = table_numbers()
        self.flags = Flags(table_features(), TABLE_BYTES + 1)
        self.register_buffer("columns", torch.tensor([column for column, _ in numbers]), persistent=False)
        self.register_buffer("scales", torch.tensor([scale for _, scale in numbers]), persistent=False)
        self.first = nn.Linear(self.flags.size + len(numbers) + 2 * MAX_PLAYERS, 2 * width)
        self.second = nn.Linear(2 * width, width)

    def forward(self, table: Tensor) -> Tensor:
        """Rows of the table's part as tokens."""
        kind = _kind(self.first)
        asker = ob.PART_BY_NAME["asker"].offset
        who = (table[:, asker] * ob.ASKER_NUMBERS + table[:, asker + 1]).sub(ob.ASKER_NUMBERS)
        flags = self.flags(torch.cat((table, who.unsqueeze(1)), 1), kind)
        numbers = (table.index_select(1, self.columns).float() * self.scales).to(kind)
        points = [self.points(table, name).to(kind) for name in POINT_PARTS]
        return self.second(torch.relu(self.first(torch.cat((flags, numbers, *points), 1))))  # type: ignore[no-any-return]

    @staticmethod
    def points(table: Tensor, name: str) -> Tensor:
        """Points by seat, scaled."""
        part = ob.PART_BY_NAME[name]
        told = table[:, part.offset : part.offset + part.size].reshape(-1, MAX_PLAYERS, 3).float()
        return (told[:, :, 0] + 256 * told[:, :, 1]) * (1 - 2 * told[:, :, 2]) * POINT_SCALE


class Norm(nn.LayerNorm):
    """A layer norm that answers in the kind of numbers that it is given, also under autocast: that is much faster."""

    def forward(self, tokens: Tensor) -> Tensor:
        """The tokens, each brought to one scale."""
        with torch.autocast(tokens.device.type, enabled=False):
            kind = tokens.dtype
            return functional.layer_norm(
                tokens, self.normalized_shape, self.weight.to(kind), self.bias.to(kind), self.eps
            )


class Layer(nn.Module):
    """A layer in which the tokens attend to each other, and each then thinks for itself."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = Norm(width), Norm(width)
        self.mixed, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 3 * width), nn.Linear(3 * width, width)

    def forward(self, tokens: Tensor, hidden: Tensor) -> Tensor:
        """The tokens after the layer; `hidden` is added to the scores of attention."""
        rows, count, width = tokens.shape
        mixed = self.mixed(self.before(tokens)).view(rows, count, 3, self.heads, width // self.heads)
        asks, has, gives = (one.transpose(1, 2) for one in mixed.unbind(2))
        # Written out: with so few tokens, this is faster than PyTorch's kernel for attention.
        scores = asks @ has.transpose(2, 3) * asks.shape[3] ** -0.5 + hidden
        heard = scores.softmax(3) @ gives
        tokens = tokens + self.out(heard.transpose(1, 2).reshape(rows, count, width))
        return tokens + self.narrow(torch.relu(self.wide(self.between(tokens))))  # type: ignore[no-any-return]


class Body(nn.Module):
    """Tokens for the table and the cards, and what they come to know of each other."""

    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        self.table = TableReader(width)
        self.flags = Flags(card_features(), ob.TOKEN_SIZE)
        self.card = nn.Linear(self.flags.size, width)
        self.layers = nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.last = Norm(width)

    def forward(self, table: Tensor, tokens: Tensor) -> Tensor:
        """The table's token first, then the cards."""
        cards = self.card(self.flags(tokens, _kind(self.card)))
        body = torch.cat((self.table(table).unsqueeze(1), cards), 1)
        padded = (tokens[:, :, 0] == 0).to(body.dtype) * PADDING_LOGIT
        hidden = torch.cat((torch.zeros_like(padded[:, :1]), padded), 1)[:, None, None, :]
        for layer in self.layers:
            body = layer(body, hidden)
        return self.last(body)  # type: ignore[no-any-return]


class Answer(NamedTuple):
    """What the network says of each row."""

    logits: Tensor  # rows x ACTIONS, of legal and other actions alike
    values: Tensor  # rows: what the round will bring
    beliefs: Tensor  # rows x cards x NUMBERS: logits of what each card is


class Actor(nn.Module):
    """The player: it sees what a seat sees."""

    spots: Tensor
    reached: Tensor

    def __init__(self, width: int = 128, layers: int = 3, heads: int = 4) -> None:
        super().__init__()
        self.body = Body(width, layers, heads)
        self.plain = nn.Linear(width, CARDLESS_ACTIONS)
        self.point = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CARD_OUTPUTS))
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.belief = nn.Linear(width, RESIDENTS_PER_BOX)
        self.register_buffer("spots", torch.tensor(spot_action_table(), dtype=torch.int32), persistent=False)
        self.register_buffer("reached", torch.tensor(pile_action_table(), dtype=torch.int32), persistent=False)
        for layer in (self.plain, self.point[2], self.value[2]):
            _soften(cast(nn.Linear, layer))

    def forward(self, table: Tensor, tokens: Tensor) -> Answer:
        """What to do, what it will bring, and what the cards may be."""
        body = self.body(table, tokens)
        whole, cards = body[:, 0], body[:, 1:]
        aims = self.actions(tokens).flatten(1)
        points = self.point(cards).flatten(1).float()
        logits = torch.zeros((table.shape[0], ACTION_COUNT + 1), device=points.device).scatter(1, aims, points)[
            :, :ACTION_COUNT
        ]
        plain = self.plain(whole).float()
        logits = torch.cat((logits[:, :CARDLESS_ACTIONS] + plain, logits[:, CARDLESS_ACTIONS:]), 1)
        return Answer(logits, self.value(whole).squeeze(1).float(), self.belief(cards).float())

    def actions(self, tokens: Tensor) -> Tensor:
        """The action that each output of each card is for; ACTIONS where for none."""
        where, place = column(tokens, "where").long(), column(tokens, "place").long()
        by_spot = self.spots[where * PLACE_COUNT + place]
        by_reach = self.reached[column(tokens, "reached").long()]
        return torch.cat((by_spot, by_reach), -1).long()


class Critic(nn.Module):
    """What a round will bring, by all the cards: in training only."""

    def __init__(self, width: int, layers: int, heads: int, privileged: bool) -> None:
        super().__init__()
        self.privileged = privileged
        self.body = Body(width, layers, heads)
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        _soften(cast(nn.Linear, self.value[2]))

    def forward(self, seen: Seen, truths: Tensor) -> Tensor:
        """The values of rows; `truths` has the residents of the observation's tokens, then of the deck."""
        tokens = revealed(seen, truths) if self.privileged else seen.tokens
        return self.value(self.body(seen.table, tokens)[:, 0]).squeeze(1).float()  # type: ignore[no-any-return]


def true_residents(seen: Seen, truths: Tensor) -> Tensor:
    """The resident of each card that is read, known or not; 0 where there is none."""
    return truths[:, 0].gather(1, seen.slots.clamp_min(0)) * (seen.slots >= 0)


def revealed(seen: Seen, truths: Tensor) -> Tensor:
    """The tokens with every card as it is, and the next cards of the deck after them."""
    tokens = seen.tokens.clone()
    true = true_residents(seen, truths)
    tokens[..., ob.COLUMN_INDEX["resident"]] = true
    ahead = torch.zeros((len(tokens), PADDED, ob.TOKEN_SIZE), dtype=tokens.dtype, device=tokens.device)
    deck = truths[:, 1, :AHEAD]
    ahead[:, :AHEAD, ob.COLUMN_INDEX["where"]] = (deck > 0) * IN_TRUE_DECK
    ahead[:, :AHEAD, ob.COLUMN_INDEX["place"]] = torch.arange(1, AHEAD + 1, dtype=tokens.dtype, device=tokens.device)
    ahead[:, :AHEAD, ob.COLUMN_INDEX["resident"]] = deck
    tokens = torch.cat((tokens, ahead), 1)
    residents = column(tokens, "resident")
    tokens[..., ob.COLUMN_INDEX["number"]] = torch.where(residents > 0, (residents - 1) % RESIDENTS_PER_BOX + 1, 0).to(
        tokens.dtype
    )
    return tokens


def hidden_numbers(seen: Seen, truths: Tensor) -> Tensor:
    """The number of each card that the seat does not know; -1 for all else."""
    true = true_residents(seen, truths).long()
    unknown = (true > 0) & (column(seen.tokens, "resident") == 0)
    return torch.where(unknown, (true - 1) % RESIDENTS_PER_BOX, -1)


def _soften(layer: nn.Linear) -> None:
    """Let a last layer begin with next to nothing to say."""
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with what is not legal at no chance."""
    return logits.masked_fill(~masks, float("-inf"))


def parameters(module: nn.Module) -> int:
    """How many parameters a network has."""
    return sum([one.numel() for one in module.parameters()])


def state(module: nn.Module) -> dict[str, Any]:
    """The weights of a network on the processor, as copies."""
    return {name: value.detach().to("cpu", copy=True) for name, value in module.state_dict().items()}
