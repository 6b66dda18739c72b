"""The layout of observations as floats from -1 to 1: which float each byte of an observation becomes.

:mod:`argentum.observations.one_hot` computes them. The parts are the same as in bytes except for the cards: there is a
block for each slot of the most important locations, and other cards appear only in the sizes of their piles.
"""

from math import prod
from typing import Final, NamedTuple

from argentum.observations import history
from argentum.observations.layout import (
    ASKER_BOX_VALUES,
    ASKER_NUMBERS,
    COLUMN_INDEX,
    FLAG_VALUES,
    LAYOUT_PARTS,
    LOCATION_COUNT,
    LOCATION_DECK,
    LOCATION_DISCARD,
    LOCATION_HAND,
    LOCATION_PRIVATE,
    LOCATION_SHOWN,
    LOCATION_VILLAGE,
    MARK_COLUMNS,
    MAX_PICKS,
    MOVE_KINDS,
    POINT_VALUES,
    RESIDENT_COUNT,
    SEAT_VALUES,
    LayoutPart,
)
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

VILLAGE_SLOTS: Final = 8
# Name, first location, number of locations, and slots per location.
CARD_BLOCKS: Final = (
    ("villages", LOCATION_VILLAGE, MAX_PLAYERS, VILLAGE_SLOTS),
    ("hand", LOCATION_HAND, 1, 1),
    ("discard", LOCATION_DISCARD, 1, 4),
    ("deck", LOCATION_DECK, 1, 1),
    ("shown", LOCATION_SHOWN, 1, 4),
    ("private", LOCATION_PRIVATE, 1, 1),
)
SLOT_COUNT: Final = sum([locations * slots for _, _, locations, slots in CARD_BLOCKS])
MAX_POINTS: Final = 200  # per seat; larger values are clipped
MAX_VALUE: Final = 1000  # in the history; numbers of actions are lower

# Kinds of features.
ONE_HOT: Final = 0  # 1 at the index `value - first`, if this is one of `width`
RATIO: Final = 1  # (value - first) / maximum, from 0 to 1
NUMBER: Final = 2  # a number of three bytes (low byte, high byte, sign) / maximum, from -1 to 1


class Feature(NamedTuple):
    """`length` values in adjacent bytes from `column` on, which become `width` floats each, from `offset` on."""

    column: int
    length: int
    kind: int
    offset: int
    width: int
    first: int
    maximum: int

    @property
    def column_size(self) -> int:
        """Number of bytes of a value."""
        return 3 if self.kind == NUMBER else 1


class FeatureList:
    """Lists features in the order of their floats."""

    def __init__(self) -> None:
        self.features: Final[list[Feature]] = []
        self.size = 0  # number of floats

    def _add(self, column: int, count: int, kind: int, width: int, first: int, maximum: int) -> None:
        self.features.append(Feature(column, count, kind, self.size, width, first, maximum))
        self.size += count * width

    def one_hot(self, column: int, width: int, first: int = 0, count: int = 1) -> None:
        self._add(column, count, ONE_HOT, width, first, 1)

    def ratio(self, column: int, maximum: int = 1, first: int = 0, count: int = 1) -> None:
        self._add(column, count, RATIO, 1, first, maximum)

    def number(self, column: int, maximum: int, count: int = 1) -> None:
        self._add(column, count, NUMBER, 1, 0, maximum)


def _add_part(features: FeatureList, part: LayoutPart) -> tuple[int, ...]:
    """Add the features of a part other than `cards`; return the shape of their floats."""
    if part.name == "asker":
        features.one_hot(part.offset, ASKER_BOX_VALUES)
        features.one_hot(part.offset + 1, ASKER_NUMBERS)
        return (ASKER_BOX_VALUES + ASKER_NUMBERS,)
    if part.name == "picked":
        for column in range(part.offset, part.offset + part.size, 3):
            features.one_hot(column, len(MOVE_KINDS) + 1)
            features.one_hot(column + 1, SEAT_VALUES)
            features.ratio(column + 2, CARDS_IN_DECK)
        return part.shape[0], len(MOVE_KINDS) + 1 + SEAT_VALUES + 1
    if part.value_range == POINT_VALUES:
        features.number(part.offset, MAX_POINTS, part.shape[0])
        return part.shape[:-1]
    if part.value_range > 0:
        features.one_hot(part.offset, part.value_range, count=part.size)
        return *part.shape, part.value_range
    features.ratio(part.offset, 1 if part.value_range == FLAG_VALUES else -part.value_range, count=part.size)
    return part.shape


def _card_features() -> FeatureList:
    """Return the features of a card's block; `Feature.column` is a column of card tokens."""
    features = FeatureList()
    features.ratio(COLUMN_INDEX["where"])  # whether there is a card
    features.ratio(COLUMN_INDEX["resident"])  # whether it is known
    features.ratio(COLUMN_INDEX["number"], RESIDENTS_PER_BOX - 1, first=1)
    features.one_hot(COLUMN_INDEX["resident"], RESIDENT_COUNT, first=1)
    features.ratio(COLUMN_INDEX["up"], count=len(MARK_COLUMNS))
    features.ratio(COLUMN_INDEX["seen own"], count=MAX_PLAYERS)
    features.ratio(COLUMN_INDEX["picked"], MAX_PICKS)
    features.ratio(COLUMN_INDEX["guards"], CARDS_IN_DECK)
    features.ratio(COLUMN_INDEX["guarded"])
    features.ratio(COLUMN_INDEX["reached"], MAX_PICKS)
    features.ratio(COLUMN_INDEX["legal"])
    return features


def _event_features() -> FeatureList:
    """Return the features of a token of the history."""
    columns = {name: index for index, name in enumerate(history.EVENT_COLUMNS)}
    features = FeatureList()
    features.one_hot(columns["kind"], history.OWN_ACTION_KIND + 1)
    features.one_hot(columns["seat"], SEAT_VALUES)
    features.one_hot(columns["village"], SEAT_VALUES)
    features.ratio(columns["place"], CARDS_IN_DECK)
    features.one_hot(columns["number"], RESIDENTS_PER_BOX + 1)
    features.one_hot(columns["to village"], SEAT_VALUES)
    features.ratio(columns["to place"], CARDS_IN_DECK)
    features.one_hot(columns["word"], len(history.DETAIL_WORDS) + 1)
    features.number(columns["value"], MAX_VALUE)
    return features


_table = FeatureList()
_part_shapes = {part.name: _add_part(_table, part) for part in LAYOUT_PARTS[:-1]}
_card, _event = _card_features(), _event_features()
TABLE_FEATURES: Final = _table.features
CARD_FEATURES: Final = _card.features
EVENT_FEATURES: Final = _event.features
TABLE_FLOATS: Final = _table.size  # of the parts before the cards
BLOCK_SIZE: Final = _card.size  # floats of a slot
EVENT_FLOATS: Final = _event.size  # floats of an entry of the history


def block_index(column: str, kind: int = RATIO) -> int:
    """Return the index in a block of the first float of a column of card tokens."""
    index = COLUMN_INDEX[column]
    return next(
        feature.offset + index - feature.column
        for feature in CARD_FEATURES
        if feature.kind == kind and feature.column <= index < feature.column + feature.length
    )


def part_shapes(history_length: int = 0) -> dict[str, tuple[int, ...]]:
    """Return the names and shapes of the parts of a vector in order, for a history of `history_length` tokens."""
    shapes = dict(_part_shapes)
    for name, _, locations, slots in CARD_BLOCKS:
        shapes[name] = (locations, slots, BLOCK_SIZE) if locations > 1 else (slots, BLOCK_SIZE)
    if history_length:
        shapes["history"] = (history_length, EVENT_FLOATS)
    return shapes


def vector_size(history_length: int = 0) -> int:
    """Return the length of a vector with a history of `history_length` tokens."""
    return sum([prod(shape) for shape in part_shapes(history_length).values()])


def _card_slots() -> list[list[int]]:
    """Return the slot of a card by location and place; SLOT_COUNT for cards without a slot."""
    slots = [[SLOT_COUNT] * (CARDS_IN_DECK + 1) for _ in range(LOCATION_COUNT)]
    first = 0
    for _, first_location, locations, count in CARD_BLOCKS:
        for location in range(first_location, first_location + locations):
            slots[location][1 : count + 1] = range(first, first + count)
            first += count
    return slots


CARD_SLOTS: Final = _card_slots()
