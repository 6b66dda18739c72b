"""What a network reads of an observation, as plain lists: which values of which bytes are features, and which action
each output of a card's token is for. PyTorch (:mod:`argentum.learn.models`) and NumPy
(:mod:`argentum.bots.network.forward`) both go by them.
"""

from typing import Final

from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS, PLAIN_ACTIONS, ACTION_TEXTS
from argentum.rules.asking import STEPS
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import BOXES, CARDS_IN_DECK, RESIDENTS_PER_BOX

TABLE: Final = ob.PART_BY_NAME["cards"].offset  # bytes about the table as a whole; then come the cards
TOP: Final = 3  # cards of the discard pile that are read
PLACES: Final = CARDS_IN_DECK + 2
OWN_KINDS: Final = 8
GIVEN: Final = 3  # receivers
BY_SPOT: Final = OWN_KINDS + 1 + GIVEN + 2  # and a shown card to draw, and one of the deck to keep
BY_REACH: Final = 2  # a card of the discard pile to take, or to use
POINTERS: Final = BY_SPOT + BY_REACH
NEVER: Final = -1e4  # what a padded card gets in attention

# Features of a token, each 1 where a column has a value; large values count as the largest.
_CARD_VALUES: Final = {
    "where": range(1, ob.LOCATION_COUNT + 1),
    "place": range(1, 17),
    "resident": range(ob.RESIDENT_COUNT + 1),
    "number": range(RESIDENTS_PER_BOX + 1),
    "picked": range(1, 4),
    "guards": range(1, 9),
    "reached": range(1, 5),
}
_CARD_FLAGS: Final = (*ob.MARK_COLUMNS, "seen own", "seen first", "seen second", "seen third", "guarded", "legal")

# Features of the table: parts with few values, 1 for each; then numbers, scaled.
_TABLE_VALUES: Final = {
    "seats": range(2, MAX_PLAYERS + 1),
    "residents": range(1, len(BOXES) + 1),
    "token": range(1, len(BOXES) + 1),
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
_PICK_VALUES: Final = (range(1, len(ob.MOVE_KINDS) + 1), range(1, MAX_PLAYERS + 1), range(1, 17))
_PICKS_READ: Final = 2
POINTS: Final = ("totals", "scores")
A_POINT: Final = 1 / 40
_ASKERS: Final = ob.RULE_ASKER * ob.ASKER_NUMBERS


def card_features() -> list[tuple[int, int]]:
    """The features of a token: column and value."""
    found = [(ob.COLUMN_INDEX[name], value) for name, values in _CARD_VALUES.items() for value in values]
    return found + [(ob.COLUMN_INDEX[name], 1) for name in _CARD_FLAGS]


def table_features() -> list[tuple[int, int]]:
    """The features of the table that are 1 or 0: column and value; the column after the last is what asks."""
    found: list[tuple[int, int]] = []
    for name, values in _TABLE_VALUES.items():
        part = ob.PART_BY_NAME[name]
        found += [(part.offset + nth, value) for nth in range(part.size) for value in values]
    picked = ob.PART_BY_NAME["picked"].offset
    for nth in range(_PICKS_READ):
        for which, values in enumerate(_PICK_VALUES):
            found += [(picked + 3 * nth + which, value) for value in values]
    return found + [(TABLE, value) for value in range(_ASKERS)]


def table_numbers() -> list[tuple[int, float]]:
    """The features of the table that are numbers: column and scale."""
    return [(ob.PART_BY_NAME[name].offset + nth, 1 / most)
            for name, most in _TABLE_NUMBERS.items() for nth in range(ob.PART_BY_NAME[name].size)]  # fmt: skip


def largest(features: list[tuple[int, int]], width: int) -> list[int]:
    """For each column, the value that larger ones count as."""
    most = [255] * width
    for one in {column for column, _ in features}:
        most[one] = max(value for column, value in features if column == one)
    return most


def spot_pointers() -> list[list[int]]:
    """The action that each output of a card's token is for, by where it lies and its place; ACTIONS for none."""
    number = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * BY_SPOT for _ in range((ob.LOCATION_COUNT + 1) * PLACES)]
    card = CARDLESS_ACTIONS + CARDS_IN_DECK * OWN_KINDS
    for place in range(1, CARDS_IN_DECK + 1):
        mine = rows[ob.LOCATION_VILLAGE * PLACES + place]
        mine[:OWN_KINDS] = [CARDLESS_ACTIONS + CARDS_IN_DECK * kind + place - 1 for kind in range(OWN_KINDS)]
        gifts = [card + CARDS_IN_DECK * (MAX_PLAYERS + receiver) + place - 1 for receiver in range(GIVEN)]
        mine[OWN_KINDS + 1 : OWN_KINDS + 1 + GIVEN] = gifts
        for seat in range(MAX_PLAYERS):
            rows[(ob.LOCATION_VILLAGE + seat) * PLACES + place][OWN_KINDS] = card + CARDS_IN_DECK * seat + place - 1
        rows[ob.LOCATION_SHOWN * PLACES + place][BY_SPOT - 2] = number.get(f"draw {place}", ACTION_COUNT)
        rows[ob.LOCATION_DECK * PLACES + place][BY_SPOT - 1] = number.get(f"keep {place}", ACTION_COUNT)
    return rows


def reach_pointers() -> list[list[int]]:
    """The same for a card of the discard pile, by how it is reached."""
    number = {text: action for action, text in enumerate(ACTION_TEXTS)}
    rows = [[ACTION_COUNT] * BY_REACH for _ in range(PLACES)]
    for nth in range(1, CARDS_IN_DECK + 1):
        rows[nth] = [number.get(f"take {nth}", ACTION_COUNT), number.get(f"use {nth}", ACTION_COUNT)]
    return rows


assert PLAIN_ACTIONS < CARDLESS_ACTIONS  # what names nothing comes first
