"""Input features of the network, and the action of each output of a card token.

Shared by :mod:`argentum.learn.models` (PyTorch) and :mod:`argentum.bots.network.forward` (NumPy).
"""

from typing import Final

from argentum.observations import layout
from argentum.observations.actions import ACTION_COUNT, ACTION_TEXTS, CARDLESS_ACTIONS, PLAIN_ACTIONS
from argentum.rules.asking import STEPS
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

TABLE_BYTES: Final = layout.PART_BY_NAME["cards"].offset  # bytes of the table part, before the cards
PILE_CARDS_READ: Final = 3  # cards of the discard pile that are read
PLACE_COUNT: Final = CARDS_IN_DECK + 2
OWN_CARD_ACTIONS: Final = 8
GIVE_ACTIONS: Final = 3  # receivers
SPOT_OUTPUTS: Final = OWN_CARD_ACTIONS + 1 + GIVE_ACTIONS + 2  # + `draw n` and `keep n`
PILE_OUTPUTS: Final = 2  # `take n` and `use n`
CARD_OUTPUTS: Final = SPOT_OUTPUTS + PILE_OUTPUTS
PADDING_LOGIT: Final = -1e4  # attention mask of padding

# One-hot features of a card token; larger values count as the largest.
_CARD_VALUES: Final = {
    "where": range(1, layout.LOCATION_COUNT + 1),
    "place": range(1, 17),
    "resident": range(layout.RESIDENT_COUNT + 1),
    "number": range(RESIDENTS_PER_BOX + 1),
    "picked": range(1, 4),
    "guards": range(1, 9),
    "reached": range(1, 5),
}
_CARD_FLAGS: Final = (*layout.MARK_COLUMNS, "seen own", "seen first", "seen second", "seen third", "guarded", "legal")

# Features of the table: one-hot for parts with few values, and scaled numbers.
_TABLE_VALUES: Final = {
    "seats": range(2, MAX_PLAYERS + 1),
    "residents": range(1, len(BOX_NAMES) + 1),
    "token": range(1, len(BOX_NAMES) + 1),
    "token_state": range(3),
    "token_seat": range(1, MAX_PLAYERS + 1),
    "round": range(1, 5),
    "turn": range(1, MAX_PLAYERS + 1),
    "step": range(1, len(STEPS) + 1),
    "picks": range(1, 4),
    "may": range(1, 2),
    "holder": range(1, MAX_PLAYERS + 1),
    "caller": range(1, MAX_PLAYERS + 1),
    "previous": range(1, MAX_PLAYERS + 1),
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
_PICK_VALUES: Final = (range(1, len(layout.MOVE_KINDS) + 1), range(1, MAX_PLAYERS + 1), range(1, 17))
_PICKS_READ: Final = 2
POINT_PARTS: Final = ("totals", "scores")
POINT_SCALE: Final = 1 / 40
_ASKER_VALUES: Final = layout.RULE_ASKER * layout.ASKER_NUMBERS


def card_features() -> list[tuple[int, int]]:
    """Return column and value of each one-hot feature of a card token."""
    features = [(layout.COLUMN_INDEX[name], value) for name, values in _CARD_VALUES.items() for value in values]
    return features + [(layout.COLUMN_INDEX[name], 1) for name in _CARD_FLAGS]


def table_features() -> list[tuple[int, int]]:
    """Return column and value of each one-hot feature of the table; the column after the last is the asker."""
    features: list[tuple[int, int]] = []
    for name, values in _TABLE_VALUES.items():
        part = layout.PART_BY_NAME[name]
        features += [(part.offset + index, value) for index in range(part.size) for value in values]
    picked = layout.PART_BY_NAME["picked"].offset
    for index in range(_PICKS_READ):
        for which, values in enumerate(_PICK_VALUES):
            features += [(picked + 3 * index + which, value) for value in values]
    return features + [(TABLE_BYTES, value) for value in range(_ASKER_VALUES)]


def table_numbers() -> list[tuple[int, float]]:
    """Return column and scale of each numeric feature of the table."""
    return [(layout.PART_BY_NAME[name].offset + index, 1 / most)
            for name, most in _TABLE_NUMBERS.items() for index in range(layout.PART_BY_NAME[name].size)]  # fmt: skip


def max_values(features: list[tuple[int, int]], width: int) -> list[int]:
    """Return the largest value of each column that has a feature of its own."""
    most = [255] * width
    for index in {column for column, _ in features}:
        most[index] = max(value for column, value in features if column == index)
    return most


def spot_action_table() -> list[list[int]]:
    """Return the action of each output of a card token, by location and place; ACTION_COUNT for none."""
    number = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * SPOT_OUTPUTS for _ in range((layout.LOCATION_COUNT + 1) * PLACE_COUNT)]
    card = CARDLESS_ACTIONS + CARDS_IN_DECK * OWN_CARD_ACTIONS
    for place in range(1, CARDS_IN_DECK + 1):
        own = rows[layout.LOCATION_VILLAGE * PLACE_COUNT + place]
        own[:OWN_CARD_ACTIONS] = [
            CARDLESS_ACTIONS + CARDS_IN_DECK * kind + place - 1 for kind in range(OWN_CARD_ACTIONS)
        ]
        gifts = [card + CARDS_IN_DECK * (MAX_PLAYERS + receiver) + place - 1 for receiver in range(GIVE_ACTIONS)]
        own[OWN_CARD_ACTIONS + 1 : OWN_CARD_ACTIONS + 1 + GIVE_ACTIONS] = gifts
        for seat in range(MAX_PLAYERS):
            rows[(layout.LOCATION_VILLAGE + seat) * PLACE_COUNT + place][OWN_CARD_ACTIONS] = (
                card + CARDS_IN_DECK * seat + place - 1
            )
        rows[layout.LOCATION_SHOWN * PLACE_COUNT + place][SPOT_OUTPUTS - 2] = number.get(f"draw {place}", ACTION_COUNT)
        rows[layout.LOCATION_DECK * PLACE_COUNT + place][SPOT_OUTPUTS - 1] = number.get(f"keep {place}", ACTION_COUNT)
    return rows


def pile_action_table() -> list[list[int]]:
    """Return the same for cards of the discard pile, by the number with which they are named."""
    number = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * PILE_OUTPUTS for _ in range(PLACE_COUNT)]
    for index in range(1, CARDS_IN_DECK + 1):
        rows[index] = [number.get(f"take {index}", ACTION_COUNT), number.get(f"use {index}", ACTION_COUNT)]
    return rows


assert PLAIN_ACTIONS < CARDLESS_ACTIONS  # Plain actions come first.
