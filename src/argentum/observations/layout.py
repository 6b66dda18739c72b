# mypyc: compile
"""The layout of an observation: its parts and their offsets, the columns of card tokens, and the kinds of moves.

:mod:`argentum.observations.view_writer` defines what is written there. `_encode.c` writes the same bytes, with the
numbers of this module (:mod:`argentum.observations.c_header`).
"""

from typing import Final, NamedTuple

from argentum.observations.actions import CARDLESS_ACTIONS
from argentum.rules.asking import STEPS
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, FOREIGN_BOXES, PUBLISHED_BOXES, box_index
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.notation import (
    AND_CARD,
    DISCARD_CARD,
    DRAW_SHOWN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    MOVE_LIMIT,
    PEEK,
    PICK_CARD,
    PICK_VILLAGE,
    PLACE_AT,
    REMOVE,
    ROTATE,
    TAKE_FROM_PILE,
    USE_ABILITY,
    USE_FROM_PILE,
)
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, RULE_LETTERS, Cast
from argentum.rules.scoring import ROUNDS_PER_GAME

LAYOUT_VERSION: Final = 1  # also the version in the names of the environments
RESIDENT_COUNT: Final = len(ALL_BOXES) * RESIDENTS_PER_BOX
PUBLISHED_RESIDENT_COUNT: Final = len(PUBLISHED_BOXES) * RESIDENTS_PER_BOX
MAX_PICKS: Final = 8  # moves listed in the part `picked`; only an exchange of many cards has more

# Locations of a card: 1 to 4 are villages and 5 to 8 private decks, clockwise from the observer; 0 is no card.
LOCATION_VILLAGE: Final = 1
LOCATION_PRIVATE: Final = 5
LOCATION_DISCARD: Final = 9
LOCATION_DECK: Final = 10
LOCATION_HAND: Final = 11
LOCATION_SHOWN: Final = 12
LOCATION_COUNT: Final = 13

_BOX_NAMES: Final = [box.name for box in PUBLISHED_BOXES]
_RESIDENT_ORDER: Final = ", ".join([f"{_BOX_NAMES[0]} 0 to {RESIDENTS_PER_BOX - 1}", *_BOX_NAMES[1:]])
_MARK_MEANINGS: Final = {
    "up": "1 if it lies faceup",
    "sideways": "1 if it lies sideways (C2)",
    "covered": "1 if it lies under the token (B14, A14)",
    "muted": "1 if the token on it cancels its ability and points (B14)",
    "passed": "1 if it was passed over, so that all seats know that it is above 4 (D7)",
    "used": "1 if its ability was used this turn (G6)",
    "resting": "1 if its owner may not use it again yet (C1)",
    "named": "1 if it is named for an exchange (G10)",
}
MARK_COLUMNS: Final = tuple(_MARK_MEANINGS)
assert len(MARK_COLUMNS) <= 8  # The C writer has them as the bits of a byte.
# The columns of a card token in order, with their meanings.
COLUMN_MEANINGS: Final = {
    "where": "the location of the card (see below); 0 if there is no card",
    "place": "its place at this location, from 1",
    "resident": f"its resident, from 1: {_RESIDENT_ORDER}; 0 if the seat does not know it",
    "number": "its number plus 1; 0 if the seat does not know it",
    **_MARK_MEANINGS,
    "seen own": "1 if the observing seat has seen its face",
    "seen first": "1 if the next seat clockwise has seen its face",
    "seen second": "1 if the second seat clockwise has seen its face",
    "seen third": "1 if the third seat clockwise has seen its face",
    "picked": "if it was picked in answer to the question: the position of the pick, from 1",
    "guards": "the place, in the same village, of the card that it guards (A3)",
    "guarded": "1 if another card guards it (A3)",
    "reached": "its number in moves such as `take 2` and `use 2`, if it can be chosen now",
    "legal": "1 if a legal move of the observing seat names it",
}
TOKEN_COLUMNS: Final = tuple(COLUMN_MEANINGS)
TOKEN_SIZE: Final = len(TOKEN_COLUMNS)
COLUMN_INDEX: Final = {name: index for index, name in enumerate(TOKEN_COLUMNS)}

# Kinds of moves: first those without an argument, then those with a number or a village, then those with a card.
MOVE_KINDS: Final = (
    *("draw", "draw private", "take", "call", "discard", "use", "done", "at left", "at right", "token"),
    *("clockwise", "counterclockwise", "stop", "pass", "end"),
    *("draw n", "keep n", "use n", "village", "take n"),
    *("card", "peek", "and", "exchange", "at", "ability", "rotate", "discard card", "remove", "give"),
)
_KIND_BASES: Final = (
    DRAW_SHOWN,
    KEEP_FROM_DECK,
    USE_FROM_PILE,
    PICK_VILLAGE,
    TAKE_FROM_PILE,
    PICK_CARD,
    PEEK,
    AND_CARD,
    EXCHANGE,
    PLACE_AT,
    USE_ABILITY,
    ROTATE,
)
PLAIN_KIND_COUNT: Final = 15  # kinds without an argument


def _compute_kind(move: int) -> int:
    if move < DRAW_SHOWN:
        return min(move, PLAIN_KIND_COUNT - 1)
    lower_bases = [base for base in (*_KIND_BASES, DISCARD_CARD, REMOVE, GIVE) if base <= move]
    return PLAIN_KIND_COUNT + len(lower_bases) - 1


KIND_OF_MOVE: Final = [_compute_kind(move) for move in range(MOVE_LIMIT)]
CARD_KIND_COUNT: Final = len(MOVE_KINDS) - KIND_OF_MOVE[PICK_CARD]
BASE_OF_KIND: Final = [0] * PLAIN_KIND_COUNT + [*_KIND_BASES, DISCARD_CARD, REMOVE, GIVE]  # by kind


def move_kind(move: int) -> int:
    """Return the index of a move's kind in :data:`MOVE_KINDS`."""
    return KIND_OF_MOVE[move]


def move_number(move: int) -> int:
    """Return the number in a move, such as 3 for `take 3`; 0 for moves without an argument."""
    kind = KIND_OF_MOVE[move]
    return move - BASE_OF_KIND[kind] if kind >= PLAIN_KIND_COUNT else 0


RULE_ASKER: Final = len(PUBLISHED_BOXES) + 1  # in place of a box, if a rule asks the question and no resident or token

# Value ranges of parts: FLAG_VALUES for flags, the number of values for categories, the negated usual maximum for
# amounts, and POINT_VALUES for points in three bytes.
FLAG_VALUES: Final = 0
SEAT_VALUES: Final = MAX_PLAYERS + 1  # 0 for none
ASKER_BOX_VALUES: Final = RULE_ASKER + 1 + len(FOREIGN_BOXES)  # number of values of the first byte of `asker`
BOX_VALUES: Final = ASKER_BOX_VALUES if FOREIGN_BOXES else RULE_ASKER  # no box has the value RULE_ASKER
ASKER_NUMBERS: Final = 26  # number of values of the second byte of `asker`
POINT_VALUES: Final = -1000


def box_code(name: str) -> int:
    """Return the value that stands for a box in an observation, where 0 stands for no box.

    Boxes that are not published come after RULE_ASKER, so that observations of published decks are always the same.
    """
    index = box_index(name)
    return index + 1 if index < len(PUBLISHED_BOXES) else index + 2


def _asker_bytes() -> dict[str, bytes]:
    """Map labels to the two bytes of the part `asker`: a box's code or RULE_ASKER, then the label's number plus 1."""
    by_label = {
        box.label(number): bytes([box_code(box.name), number + 1])
        for box in ALL_BOXES
        for number in range(RESIDENTS_PER_BOX + 1)
    }
    for letter in RULE_LETTERS:
        for number in range(ASKER_NUMBERS - 1):
            by_label[f"{letter}{number}"] = bytes([RULE_ASKER, number + 1])
    return by_label


ASKER_BYTES: Final = _asker_bytes()


def layout_text(with_foreign_boxes: bool = True) -> str:
    """Describe the layout, for comparison: the version, two sizes, and the boxes that are not published."""
    boxes = [f"{box.name} {box.letter} {box.digest}" for box in FOREIGN_BOXES] if with_foreign_boxes else []
    return ", ".join([f"{LAYOUT_VERSION} {OBSERVATION_SIZE} {TOKEN_SIZE}", *boxes])


def resident_code(box: str, number: int) -> int:
    """Return the value that stands for a resident in a card token, where 0 stands for an unknown one."""
    return box_index(box) * RESIDENTS_PER_BOX + number + 1


def cast_bytes(cast: Cast) -> bytes:
    """Encode a cast as bytes for the C writer.

    They are the codes of the 14 residents, the codes of their boxes, the code of the token's box, and 1 if the token
    mutes the card that it covers, else 0.
    """
    boxes = [BOX_BY_LETTER[letter].name for letter in cast.code]
    residents = [resident_code(box, number) for number, box in enumerate(boxes)]
    return bytes([*residents, *map(box_code, boxes), box_code(cast.token), int(cast.token_mutes_card)])


class LayoutPart(NamedTuple):
    """A part of an observation: bytes from `offset` on, which form an array of `shape`."""

    name: str
    offset: int
    shape: tuple[int, ...]
    value_range: int
    meaning: str

    @property
    def size(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size


_PART_SPECS: Final[tuple[tuple[str, tuple[int, ...], int, str], ...]] = (
    ("seats", (1,), SEAT_VALUES, "number of seats"),
    ("residents", (RESIDENTS_PER_BOX,), BOX_VALUES, "the deck: for each number, the box of its resident (G1)"),
    ("token", (1,), BOX_VALUES, "the box of the token in play"),
    ("token_state", (1,), 3, "idle, active or used, from 0 (G17, G18)"),
    ("token_seat", (1,), SEAT_VALUES, "the seat that has the token"),
    ("token_was", (1,), SEAT_VALUES, "the seat that had the token when the round was scored; 0 during the round"),
    ("round", (1,), ROUNDS_PER_GAME + 1, "the round, from 1"),
    ("turn", (1,), SEAT_VALUES, "the seat whose turn it is"),
    ("to_move", (1,), SEAT_VALUES, "the seat that must choose now; 0 when the game is over"),
    (
        "asked",
        (1,),
        SEAT_VALUES,
        "the seat that is asked the following question; in the first look, the observer itself (G4)",
    ),
    (
        "asker",
        (2,),
        0,
        f"what asks the question: a box, or {RULE_ASKER} for a rule; then a number plus 1, which is 15 for a token",
    ),
    ("step", (1,), len(STEPS) + 1, "the question, numbered from 1 as in `argentum.rules.asking.STEPS`"),
    ("picks", (1,), -MAX_PICKS, "number of moves made so far in answer to the question"),
    ("picked", (MAX_PICKS, 3), 0, "the first of these moves: the kind from 1, a village, and a place or number"),
    (
        "may",
        (CARDLESS_ACTIONS + CARD_KIND_COUNT,),
        FLAG_VALUES,
        "if the observer must choose: 1 for each legal action that names no card, then for each legal kind that does",
    ),
    ("holder", (1,), SEAT_VALUES, "the seat with a card in hand"),
    ("caller", (1,), SEAT_VALUES, "the seat that has called"),
    ("previous", (1,), SEAT_VALUES, "the seat, other than that of `turn`, that last finished a turn (D4)"),
    ("looking", (MAX_PLAYERS,), FLAG_VALUES, "1 for each seat that has not finished its first look (G4)"),
    ("clockwise", (1,), FLAG_VALUES, "1 if play goes clockwise"),
    ("deck_up", (1,), FLAG_VALUES, "1 if the deck lies faceup (B5)"),
    ("round_over", (1,), FLAG_VALUES, "1 if the round is over"),
    ("over", (1,), FLAG_VALUES, "1 if the game is over"),
    ("reason", (1,), 5, "the reason for the end of the round, from 1: call, deck, turn cap, residents"),
    ("turns", (1,), -200, "finished turns of this round, 0 to 200 (G14)"),
    ("extra_turns", (1,), -4, "extra turns of the seat whose turn it is (C1, D11)"),
    ("village_sizes", (MAX_PLAYERS,), -16, "cards in each village"),
    ("private_sizes", (MAX_PLAYERS,), -16, "cards in each private deck"),
    ("deck_size", (1,), -CARDS_IN_DECK, "cards in the deck"),
    ("discard_size", (1,), -CARDS_IN_DECK, "cards in the discard pile"),
    ("shown_size", (1,), -4, "cards beside the deck (A1)"),
    (
        "totals",
        (MAX_PLAYERS, 3),
        POINT_VALUES,
        "points of finished rounds by seat: the size modulo 256, the size divided by 256, and 1 if below 0",
    ),
    ("scores", (MAX_PLAYERS, 3), POINT_VALUES, "the same for this round; 0 before it is scored"),
    ("unseen", (RESIDENTS_PER_BOX,), -4, "for each number, how many of its cards the observer does not know"),
    (
        "cards",
        (CARDS_IN_DECK, TOKEN_SIZE),
        0,
        "a token for each card in a village, hand, private deck, the discard pile or beside the deck, and for each"
        " card of the deck that some seat has seen; then 0",
    ),
)


def _build_parts() -> tuple[LayoutPart, ...]:
    parts: list[LayoutPart] = []
    offset = 0
    for name, shape, value_range, meaning in _PART_SPECS:
        part = LayoutPart(name, offset, shape, value_range, meaning)
        parts.append(part)
        offset += part.size
    return tuple(parts)


LAYOUT_PARTS: Final = _build_parts()
PART_BY_NAME: Final = {part.name: part for part in LAYOUT_PARTS}
OBSERVATION_SIZE: Final = LAYOUT_PARTS[-1].offset + LAYOUT_PARTS[-1].size
# The residents of the card tokens, in the same order, then those of the deck from the top, each padded with 0.
HIDDEN_STATE_SIZE: Final = 2 * CARDS_IN_DECK
STEP_NUMBERS: Final = {step: number for number, step in enumerate(STEPS, start=1)}


# The attributes of a `Table` that the C writer reads.
TABLE_FIELDS: Final = (
    "asker",
    "untraceable",
    "caller",
    "covered_card",
    "deck",
    "deck_up",
    "direction",
    "discard",
    "extra_turns",
    "faces",
    "guards",
    "hand",
    "last_turns",
    "first_look_pending",
    "named_places",
    "round_over",
    "passed_over",
    "first_peeks",
    "picked",
    "private",
    "pile_choices",
    "end_reason",
    "cooldowns",
    "round",
    "scores",
    "seen",
    "shown",
    "sideways",
    "step",
    "token_seat",
    "token_state",
    "scored_token_seat",
    "totals",
    "turn",
    "turns",
    "faceup",
    "used_cards",
    "villages",
)
