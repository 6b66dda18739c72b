"""The network: one for all decks, tokens and numbers of seats.

It reads an observation (:mod:`argentum.envs.observation`) as a token for the table and one for each card that matters,
lets them attend to each other, and answers with a logit for each action, what the round will bring, and what each
hidden card may be. A move that names a card takes its logit from the card's token; so a card's place in the list does
not matter, and what was learned of one village holds for the next. Cards deep in the discard pile are left out: what
they mean for the cards nobody has seen is in the table's part.
"""

from typing import Any, Final, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from argentum.envs import observation as ob
from argentum.envs.actions import ACTIONS, NAMELESS, PLAIN, TEXTS
from argentum.rules.asking import STEPS
from argentum.rules.game import MOST
from argentum.rules.residents import BOXES, CARDS, NUMBERS

TABLE: Final = ob.PART["cards"].offset  # bytes about the table as a whole; then come the cards
TOP: Final = 3  # cards of the discard pile that are read
AHEAD: Final = 6  # cards of the deck that a critic sees
PLACES: Final = CARDS + 2
OWN_KINDS: Final = 8
GIVEN: Final = 3  # receivers
BY_SPOT: Final = OWN_KINDS + 1 + GIVEN + 2  # and a shown card to draw, and one of the deck to keep
BY_REACH: Final = 2  # a card of the discard pile to take, or to use
POINTERS: Final = BY_SPOT + BY_REACH
SLOTS: Final = {2: 23, 3: 31, 4: 39}  # cards that are read in training, by the seats; in play there is no limit
NEVER: Final = -1e4  # what a padded card gets in attention


def column(tokens: Tensor, name: str) -> Tensor:
    """A column of tokens."""
    return tokens[..., ob.COLUMN[name]]


class Seen(NamedTuple):
    """What the network reads: the table's part, and a token for each card, 0 where there is none."""

    table: Tensor  # rows x TABLE
    tokens: Tensor  # rows x cards x columns
    slots: Tensor  # rows x cards: which of the observation's tokens each is


def read(rows: Tensor, slots: int) -> Seen:
    """Pick the cards that matter out of observations, at most so many."""
    cards = rows[:, TABLE : ob.SIZE].view(len(rows), CARDS, ob.WIDTH)
    where = column(cards, "where")
    kept = (where > 0) & ((where != ob.IN_DISCARD) | (column(cards, "place") <= TOP) | (column(cards, "reached") > 0))
    nth = kept.cumsum(1) - 1
    aim = torch.where(kept & (nth < slots), nth, slots)
    order = torch.arange(CARDS, device=rows.device).expand(len(rows), CARDS)
    found = torch.full((len(rows), slots + 1), -1, dtype=torch.int64, device=rows.device).scatter(1, aim, order)
    found = found[:, :slots]
    there = (found >= 0).unsqueeze(2)
    tokens = cards.gather(1, found.clamp_min(0).unsqueeze(2).expand(-1, -1, ob.WIDTH)) * there
    return Seen(rows[:, :TABLE], tokens, found)


# Features of a token, each 1 where a column has a value; large values count as the largest.
_CARD_VALUES: Final = {
    "where": range(1, ob.WHERE + 1),
    "place": range(1, 17),
    "resident": range(ob.RESIDENTS + 1),
    "number": range(NUMBERS + 1),
    "picked": range(1, 4),
    "guards": range(1, 9),
    "reached": range(1, 5),
}
_CARD_FLAGS: Final = (*ob.MARKS, "seen own", "seen first", "seen second", "seen third", "guarded", "legal")
IN_TRUE_DECK: Final = ob.WHERE  # where a card of the deck is that only a critic sees


def _card_features() -> list[tuple[int, int]]:
    """The features of a token: column and value."""
    found = [(ob.COLUMN[name], value) for name, values in _CARD_VALUES.items() for value in values]
    return found + [(ob.COLUMN[name], 1) for name in _CARD_FLAGS]


# Features of the table: parts with few values, 1 for each; then numbers, scaled.
_TABLE_VALUES: Final = {
    "seats": range(2, MOST + 1),
    "residents": range(1, len(BOXES) + 1),
    "token": range(1, len(BOXES) + 1),
    "token_state": range(3),
    "token_seat": range(1, MOST + 1),
    "round": range(1, 5),
    "turn": range(1, MOST + 1),
    "step": range(1, len(STEPS) + 1),
    "picks": range(1, 4),
    "may": range(1, 2),
    "holder": range(1, MOST + 1),
    "caller": range(1, MOST + 1),
    "previous": range(1, MOST + 1),
    "looking": range(1, 2),
    "clockwise": range(1, 2),
    "deck_up": range(1, 2),
    "round_over": range(1, 2),
    "reason": range(1, 5),
}
_TABLE_NUMBERS: Final = {
    "turns": 40,
    "extra_turns": 2,
    "village_sizes": 6,
    "private_sizes": 6,
    "deck_size": 32,
    "discard_size": 32,
    "shown_size": 3,
    "unseen": 4,
}
_PICK_VALUES: Final = (range(1, len(ob.KINDS) + 1), range(1, MOST + 1), range(1, 17))
_PICKS_READ: Final = 2
_POINTS: Final = ("totals", "scores")
_A_POINT: Final = 1 / 40
_ASKERS: Final = ob.A_RULE * ob.ASKED_NUMBER


def _table_features() -> list[tuple[int, int]]:
    """The features of the table that are 1 or 0: column and value; the column after the last is what asks."""
    found: list[tuple[int, int]] = []
    for name, values in _TABLE_VALUES.items():
        part = ob.PART[name]
        found += [(part.offset + nth, value) for nth in range(part.size) for value in values]
    picked = ob.PART["picked"].offset
    for nth in range(_PICKS_READ):
        for which, values in enumerate(_PICK_VALUES):
            found += [(picked + 3 * nth + which, value) for value in values]
    return found + [(TABLE, value) for value in range(_ASKERS)]


def _table_numbers() -> list[tuple[int, float]]:
    """The features of the table that are numbers: column and scale."""
    return [(ob.PART[name].offset + nth, 1 / most)
            for name, most in _TABLE_NUMBERS.items() for nth in range(ob.PART[name].size)]  # fmt: skip


class Flags(nn.Module):
    """Features that are 1 where a column has a value; a value above the largest of its column counts as that."""

    columns: Tensor
    values: Tensor
    most: Tensor

    def __init__(self, features: list[tuple[int, int]], width: int) -> None:
        super().__init__()
        most = [255] * width
        for one in {column for column, _ in features}:
            most[one] = max(value for column, value in features if column == one)
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
        numbers = _table_numbers()
        self.flags = Flags(_table_features(), TABLE + 1)
        self.register_buffer("columns", torch.tensor([column for column, _ in numbers]), persistent=False)
        self.register_buffer("scales", torch.tensor([scale for _, scale in numbers]), persistent=False)
        self.first = nn.Linear(self.flags.size + len(numbers) + 2 * MOST, 2 * width)
        self.second = nn.Linear(2 * width, width)

    def forward(self, table: Tensor) -> Tensor:
        """Rows of the table's part as tokens."""
        kind = _kind(self.first)
        asker = ob.PART["asker"].offset
        who = (table[:, asker] * ob.ASKED_NUMBER + table[:, asker + 1]).sub(ob.ASKED_NUMBER)
        flags = self.flags(torch.cat((table, who.unsqueeze(1)), 1), kind)
        numbers = (table.index_select(1, self.columns).float() * self.scales).to(kind)
        points = [self.points(table, name).to(kind) for name in _POINTS]
        return self.second(torch.relu(self.first(torch.cat((flags, numbers, *points), 1))))  # type: ignore[no-any-return]

    @staticmethod
    def points(table: Tensor, name: str) -> Tensor:
        """Points by seat, scaled."""
        part = ob.PART[name]
        told = table[:, part.offset : part.offset + part.size].reshape(-1, MOST, 3).float()
        return (told[:, :, 0] + 256 * told[:, :, 1]) * (1 - 2 * told[:, :, 2]) * _A_POINT


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
        asks, has, gives = mixed.permute(2, 0, 3, 1, 4).unbind(0)
        scores = (asks * (width // self.heads) ** -0.5) @ has.transpose(-1, -2) + hidden
        with torch.autocast(tokens.device.type, enabled=False):  # the same for the softmax
            weights = scores.softmax(-1)
        heard = (weights @ gives).transpose(1, 2).reshape(rows, count, width)
        tokens = tokens + self.out(heard)
        return tokens + self.narrow(torch.relu(self.wide(self.between(tokens))))  # type: ignore[no-any-return]


class Body(nn.Module):
    """Tokens for the table and the cards, and what they come to know of each other."""

    def __init__(self, width: int, layers: int, heads: int) -> None:
        super().__init__()
        self.table = TableReader(width)
        self.flags = Flags(_card_features(), ob.WIDTH)
        self.card = nn.Linear(self.flags.size, width)
        self.layers = nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.last = Norm(width)

    def forward(self, table: Tensor, tokens: Tensor) -> Tensor:
        """The table's token first, then the cards."""
        cards = self.card(self.flags(tokens, _kind(self.card)))
        body = torch.cat((self.table(table).unsqueeze(1), cards), 1)
        padded = (tokens[:, :, 0] == 0).to(body.dtype) * NEVER
        hidden = torch.cat((torch.zeros_like(padded[:, :1]), padded), 1)[:, None, None, :]
        for layer in self.layers:
            body = layer(body, hidden)
        return self.last(body)  # type: ignore[no-any-return]


def _pointers() -> tuple[Tensor, Tensor]:
    """The action that each output of a card's token is for: by where it lies and its place; by how it is reached."""
    number = {text: action for action, text in enumerate(TEXTS)}
    spots = torch.full((ob.WHERE + 1, PLACES, BY_SPOT), ACTIONS, dtype=torch.int32)
    own = NAMELESS + CARDS * torch.arange(OWN_KINDS, dtype=torch.int32)
    card = NAMELESS + CARDS * OWN_KINDS
    give = card + CARDS * MOST + CARDS * torch.arange(GIVEN, dtype=torch.int32)
    for place in range(1, CARDS + 1):
        spots[ob.IN_VILLAGE, place, :OWN_KINDS] = own + place - 1
        spots[ob.IN_VILLAGE, place, OWN_KINDS + 1 : OWN_KINDS + 1 + GIVEN] = give + place - 1
        for seat in range(MOST):
            spots[ob.IN_VILLAGE + seat, place, OWN_KINDS] = card + CARDS * seat + place - 1
        spots[ob.IN_SHOWN, place, BY_SPOT - 2] = number.get(f"draw {place}", ACTIONS)
        spots[ob.IN_DECK, place, BY_SPOT - 1] = number.get(f"keep {place}", ACTIONS)
    reached = torch.full((PLACES, BY_REACH), ACTIONS, dtype=torch.int32)
    for nth in range(1, CARDS + 1):
        reached[nth, 0] = number.get(f"take {nth}", ACTIONS)
        reached[nth, 1] = number.get(f"use {nth}", ACTIONS)
    return spots.view(-1, BY_SPOT), reached


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
        self.plain = nn.Linear(width, NAMELESS)
        self.point = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, POINTERS))
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.belief = nn.Linear(width, NUMBERS)
        spots, reached = _pointers()
        self.register_buffer("spots", spots, persistent=False)
        self.register_buffer("reached", reached, persistent=False)
        for layer in (self.plain, self.point[2], self.value[2]):
            _soften(cast(nn.Linear, layer))

    def forward(self, table: Tensor, tokens: Tensor) -> Answer:
        """What to do, what it will bring, and what the cards may be."""
        body = self.body(table, tokens)
        whole, cards = body[:, 0], body[:, 1:]
        aims = self.actions(tokens).flatten(1)
        points = self.point(cards).flatten(1).float()
        logits = torch.zeros((table.shape[0], ACTIONS + 1), device=points.device).scatter(1, aims, points)[:, :ACTIONS]
        plain = self.plain(whole).float()
        logits = torch.cat((logits[:, :NAMELESS] + plain, logits[:, NAMELESS:]), 1)
        return Answer(logits, self.value(whole).squeeze(1).float(), self.belief(cards).float())

    def actions(self, tokens: Tensor) -> Tensor:
        """The action that each output of each card is for; ACTIONS where for none."""
        where, place = column(tokens, "where").long(), column(tokens, "place").long()
        by_spot = self.spots[where * PLACES + place]
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
    tokens[..., ob.COLUMN["resident"]] = true
    ahead = torch.zeros((len(tokens), AHEAD, ob.WIDTH), dtype=tokens.dtype, device=tokens.device)
    deck = truths[:, 1, :AHEAD]
    ahead[..., ob.COLUMN["where"]] = (deck > 0) * IN_TRUE_DECK
    ahead[..., ob.COLUMN["place"]] = torch.arange(1, AHEAD + 1, dtype=tokens.dtype, device=tokens.device)
    ahead[..., ob.COLUMN["resident"]] = deck
    tokens = torch.cat((tokens, ahead), 1)
    residents = column(tokens, "resident")
    tokens[..., ob.COLUMN["number"]] = torch.where(residents > 0, (residents - 1) % NUMBERS + 1, 0).to(tokens.dtype)
    return tokens


def hidden_numbers(seen: Seen, truths: Tensor) -> Tensor:
    """The number of each card that the seat does not know; -1 for all else."""
    true = true_residents(seen, truths).long()
    unknown = (true > 0) & (column(seen.tokens, "resident") == 0)
    return torch.where(unknown, (true - 1) % NUMBERS, -1)


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


assert PLAIN < NAMELESS  # what names nothing comes first
