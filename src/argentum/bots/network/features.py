"""Input features of the network, and the action of each output of a card token.

Shared by :mod:`argentum.learn.models` (PyTorch) and :mod:`argentum.bots.network.forward` (NumPy).
"""

from collections.abc import Sequence
from typing import Final

from argentum.observations import layout
from argentum.observations.actions import ACTION_COUNT, ACTION_TEXTS, CARDLESS_ACTIONS, PLAIN_ACTIONS
from argentum.rules.asking import STEPS
from argentum.rules.boxes import ALL_BOXES, PUBLISHED_BOXES
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

TABLE_BYTES: Final = layout.PART_BY_NAME["cards"].offset  # size of the table part, which comes before the cards
PILE_CARDS_READ: Final = 3  # from the top of the discard pile
PLACE_COUNT: Final = CARDS_IN_DECK + 2
# The outputs of a card token: actions that name its spot, then actions that name its number in the discard pile.
OWN_CARD_ACTIONS: Final = 8  # kinds of moves that name an own card
GIVE_ACTIONS: Final = 3  # one for each receiver
SPOT_OUTPUTS: Final = OWN_CARD_ACTIONS + 1 + GIVE_ACTIONS + 2  # also `card`, `draw n` and `keep n`
PILE_OUTPUTS: Final = 2  # `take n` and `use n`
CARD_OUTPUTS: Final = SPOT_OUTPUTS + PILE_OUTPUTS
MAX_VALUES: Final = 256  # of a column, because observations are bytes
PADDING_LOGIT: Final = -1e4  # added to the attention scores of padding

# Values in the columns of a card token that become one-hot features. Larger values are clamped to the largest.
_CARD_VALUES: Final = {
    "where": range(1, layout.LOCATION_COUNT + 1),
    "place": range(1, 17),
    "resident": range(layout.PUBLISHED_RESIDENT_COUNT + 1),
    "number": range(RESIDENTS_PER_BOX + 1),
    "picked": range(1, 4),
    "guards": range(1, 9),
    "reached": range(1, 5),
}
_CARD_FLAGS: Final = (*layout.MARK_COLUMNS, "seen own", "seen first", "seen second", "seen third", "guarded", "legal")

# Values of the parts of the table that become one-hot features.
_TABLE_VALUES: Final = {
    "seats": range(2, MAX_PLAYERS + 1),
    "residents": range(1, len(PUBLISHED_BOXES) + 1),
    "token": range(1, len(PUBLISHED_BOXES) + 1),
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
# Parts of the table that become numeric features, and the usual maximum that each is divided by.
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


def card_features(with_foreign_boxes: bool = True) -> list[tuple[int, int]]:
    """Return the one-hot features of a card token, as pairs of a column and a value."""
    card_values = dict(_CARD_VALUES)
    if with_foreign_boxes:
        card_values["resident"] = range(layout.RESIDENT_COUNT + 1)
    features = [(layout.COLUMN_INDEX[name], value) for name, values in card_values.items() for value in values]
    return features + [(layout.COLUMN_INDEX[name], 1) for name in _CARD_FLAGS]


def table_features(with_foreign_boxes: bool = True) -> list[tuple[int, int]]:
    """Return the one-hot features of the table, as pairs of a column and a value.

    Column `TABLE_BYTES`, after the last one, is the asker: its box and number combined.
    """
    features: list[tuple[int, int]] = []
    table_values: dict[str, Sequence[int]] = dict(_TABLE_VALUES)
    if with_foreign_boxes:
        table_values["residents"] = table_values["token"] = [layout.box_code(box.name) for box in ALL_BOXES]
    for name, values in table_values.items():
        part = layout.PART_BY_NAME[name]
        features += [(part.offset + index, value) for index in range(part.size) for value in values]
    picked = layout.PART_BY_NAME["picked"].offset
    for index in range(_PICKS_READ):
        for field, values in enumerate(_PICK_VALUES):
            features += [(picked + 3 * index + field, value) for value in values]
    askers = layout.ASKER_BOX_VALUES - 1 if with_foreign_boxes else layout.RULE_ASKER
    if askers * layout.ASKER_NUMBERS > MAX_VALUES:
        raise ValueError(f"networks know at most {MAX_VALUES // layout.ASKER_NUMBERS - 1} boxes")
    return features + [(TABLE_BYTES, value) for value in range(askers * layout.ASKER_NUMBERS)]


def table_numbers() -> list[tuple[int, float]]:
    """Return the numeric features of the table, as pairs of a column and a scale."""
    return [(layout.PART_BY_NAME[name].offset + index, 1 / maximum)
            for name, maximum in _TABLE_NUMBERS.items() for index in range(layout.PART_BY_NAME[name].size)]  # fmt: skip


def max_values(features: list[tuple[int, int]], width: int) -> list[int]:
    """Return for each of `width` columns the largest value with a one-hot feature; 255 for columns without features."""
    maxima = [255] * width
    for index in {column for column, _ in features}:
        maxima[index] = max(value for column, value in features if column == index)
    return maxima


def spot_action_table() -> list[list[int]]:
    """Return the action of each of the first `SPOT_OUTPUTS` outputs of a card token; ACTION_COUNT for unused outputs.

    Row `location * PLACE_COUNT + place` is for a card at that location and place.
    """
    action_by_text = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * SPOT_OUTPUTS for _ in range((layout.LOCATION_COUNT + 1) * PLACE_COUNT)]
    first_card_action = CARDLESS_ACTIONS + CARDS_IN_DECK * OWN_CARD_ACTIONS
    for place in range(1, CARDS_IN_DECK + 1):
        own_row = rows[layout.LOCATION_VILLAGE * PLACE_COUNT + place]
        own_row[:OWN_CARD_ACTIONS] = [
            CARDLESS_ACTIONS + CARDS_IN_DECK * kind + place - 1 for kind in range(OWN_CARD_ACTIONS)
        ]
        gifts = [
            first_card_action + CARDS_IN_DECK * (MAX_PLAYERS + receiver) + place - 1 for receiver in range(GIVE_ACTIONS)
        ]
        own_row[OWN_CARD_ACTIONS + 1 : OWN_CARD_ACTIONS + 1 + GIVE_ACTIONS] = gifts
        for seat in range(MAX_PLAYERS):
            rows[(layout.LOCATION_VILLAGE + seat) * PLACE_COUNT + place][OWN_CARD_ACTIONS] = (
                first_card_action + CARDS_IN_DECK * seat + place - 1
            )
        rows[layout.LOCATION_SHOWN * PLACE_COUNT + place][SPOT_OUTPUTS - 2] = action_by_text.get(
            f"draw {place}", ACTION_COUNT
        )
        rows[layout.LOCATION_DECK * PLACE_COUNT + place][SPOT_OUTPUTS - 1] = action_by_text.get(
            f"keep {place}", ACTION_COUNT
        )
    return rows


def pile_action_table() -> list[list[int]]:
    """Return the action of each of the last `PILE_OUTPUTS` outputs of a card token; ACTION_COUNT for unused outputs.

    Row n is for the card that `take n` and `use n` name.
    """
    action_by_text = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * PILE_OUTPUTS for _ in range(PLACE_COUNT)]
    for index in range(1, CARDS_IN_DECK + 1):
        rows[index] = [action_by_text.get(f"{verb} {index}", ACTION_COUNT) for verb in ("take", "use")]
    return rows


assert PLAIN_ACTIONS < CARDLESS_ACTIONS  # The tables rely on this order of actions.
