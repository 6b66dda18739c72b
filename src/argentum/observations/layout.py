"""Layout of an observation as data: parts, offsets, columns of card tokens and kinds of moves.

`python -m argentum.observations.layout` writes `_layout.h`, the same numbers for the writer in C.
"""

from pathlib import Path
from typing import Final, NamedTuple

from argentum.observations.actions import ACTION_COUNT, CARDLESS_ACTIONS
from argentum.rules.asking import STEPS
from argentum.rules.boxes import ALL_BOXES, BOX_NAMES, box_index
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
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, RULE_LETTERS, copies_of
from argentum.rules.scoring import ROUNDS_PER_GAME

LAYOUT_VERSION: Final = 1  # also the version in the names of the environments
RESIDENT_COUNT: Final = len(BOX_NAMES) * RESIDENTS_PER_BOX
MAX_PICKS: Final = 8  # picked moves that are listed; only a long exchange can have more

# Locations of a card: 1 to 4 are villages, 5 to 8 private decks, each from the observer's own; 0 is no card.
LOCATION_VILLAGE: Final = 1
LOCATION_PRIVATE: Final = 5
LOCATION_DISCARD: Final = 9
LOCATION_DECK: Final = 10
LOCATION_HAND: Final = 11
LOCATION_SHOWN: Final = 12
LOCATION_COUNT: Final = 13

MARK_COLUMNS: Final = ("up", "sideways", "covered", "muted", "passed", "used", "resting", "named")
TOKEN_COLUMNS: Final = (
    "where",
    "place",
    "resident",
    "number",
    *MARK_COLUMNS,
    "seen own",
    "seen first",
    "seen second",
    "seen third",
    "picked",
    "guards",
    "guarded",
    "reached",
    "legal",
)
TOKEN_SIZE: Final = len(TOKEN_COLUMNS)
COLUMN_INDEX: Final = {name: index for index, name in enumerate(TOKEN_COLUMNS)}

# Kinds of moves: without an argument, with a number or a village, with a card.
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
_PLAIN_KINDS: Final = 15


def _compute_kind(move: int) -> int:
    if move < DRAW_SHOWN:
        return min(move, _PLAIN_KINDS - 1)
    later = [base for base in (*_KIND_BASES, DISCARD_CARD, REMOVE, GIVE) if base <= move]
    return _PLAIN_KINDS + len(later) - 1


_KIND_OF_MOVE: Final = [_compute_kind(move) for move in range(MOVE_LIMIT)]
CARD_KIND_COUNT: Final = len(MOVE_KINDS) - _KIND_OF_MOVE[PICK_CARD]
_BASE_OF_KIND: Final = [0] * _PLAIN_KINDS + [*_KIND_BASES, DISCARD_CARD, REMOVE, GIVE]  # by kind


def move_kind(move: int) -> int:
    """Return the index of a move's kind in :data:`MOVE_KINDS`."""
    return _KIND_OF_MOVE[move]


def move_number(move: int) -> int:
    """Return the number in a move, such as 3 in `take 3`; 0 for moves without one."""
    kind = _KIND_OF_MOVE[move]
    return move - _BASE_OF_KIND[kind] if kind >= _PLAIN_KINDS else 0


RULE_ASKER: Final = len(BOX_NAMES) + 1  # box value of a question by a rule, not by a resident or token

# Value ranges of parts: flags, categories (how many there are), or amounts (below 0: the usual maximum, negated).
FLAG_VALUES: Final = 0
SEAT_VALUES: Final = MAX_PLAYERS + 1  # 0 for none
BOX_VALUES: Final = len(BOX_NAMES) + 1
ASKER_NUMBERS: Final = 26
POINT_VALUES: Final = -1000


def box_code(name: str) -> int:
    """Return the value that stands for a box in an observation; 0 is for no box."""
    return box_index(name) + 1


def _asker_bytes() -> dict[str, bytes]:
    """Return the bytes of part `asker` by label: a box's code or RULE_ASKER, and the label's number plus 1."""
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


class LayoutPart(NamedTuple):
    """A part of the layout: consecutive values of a shape from an offset."""

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
    ("seats", (1,), SEAT_VALUES, "how many seats there are"),
    ("residents", (RESIDENTS_PER_BOX,), BOX_VALUES, "the deck: by number, its resident's box (G1)"),
    ("token", (1,), BOX_VALUES, "the token in play, by its box"),
    ("token_state", (1,), 3, "idle, active or used, from 0 (G17, G18)"),
    ("token_seat", (1,), SEAT_VALUES, "whose it is"),
    ("token_was", (1,), SEAT_VALUES, "whose it was when the round was scored; 0 while the round goes on"),
    ("round", (1,), ROUNDS_PER_GAME + 1, "the round, from 1"),
    ("turn", (1,), SEAT_VALUES, "whose turn it is"),
    ("to_move", (1,), SEAT_VALUES, "who must choose now; 0 when the game is over"),
    ("asked", (1,), SEAT_VALUES, "who is asked what follows; in the first look, which nobody waits for, oneself (G4)"),
    ("asker", (2,), 0, f"what asks: a box, or {RULE_ASKER} for a rule, and its number and 1 more (15 for a token)"),
    ("step", (1,), len(STEPS) + 1, "which of its questions, from 1, as in `argentum.rules.asking.STEPS`"),
    ("picks", (1,), -MAX_PICKS, "how many moves were made so far in answer to it"),
    ("picked", (MAX_PICKS, 3), 0, "the first of these moves: its kind from 1, a village, and a place or number"),
    (
        "may",
        (CARDLESS_ACTIONS + CARD_KIND_COUNT,),
        FLAG_VALUES,
        "if the seat itself must choose: 1 for each legal action that names no card, then for each kind that names one",
    ),
    ("holder", (1,), SEAT_VALUES, "who has a card in hand"),
    ("caller", (1,), SEAT_VALUES, "who has called"),
    ("previous", (1,), SEAT_VALUES, "the other seat that last finished a turn (D4)"),
    ("looking", (MAX_PLAYERS,), FLAG_VALUES, "1 for each seat that has yet to take its first look (G4)"),
    ("clockwise", (1,), FLAG_VALUES, "1 while play goes clockwise"),
    ("deck_up", (1,), FLAG_VALUES, "1 while the deck lies faceup (B5)"),
    ("round_over", (1,), FLAG_VALUES, "1 when the round is over"),
    ("over", (1,), FLAG_VALUES, "1 when the game is over"),
    ("reason", (1,), 5, "why the round ended, from 1: call, deck, turn cap, residents"),
    ("turns", (1,), -200, "turns finished in this round, 0 to 200 (G14)"),
    ("extra_turns", (1,), -4, "extra turns that the seat to play will take (C1, D11)"),
    ("village_sizes", (MAX_PLAYERS,), -16, "cards in each village"),
    ("private_sizes", (MAX_PLAYERS,), -16, "cards in each private deck"),
    ("deck_size", (1,), -CARDS_IN_DECK, "cards in the deck"),
    ("discard_size", (1,), -CARDS_IN_DECK, "cards in the discard pile"),
    ("shown_size", (1,), -4, "cards beside the deck (A1)"),
    (
        "totals",
        (MAX_PLAYERS, 3),
        POINT_VALUES,
        "points of finished rounds by seat: the size, how many times 256 more, and 1 if below 0",
    ),
    ("scores", (MAX_PLAYERS, 3), POINT_VALUES, "the same for this round, once it is over"),
    ("unseen", (RESIDENTS_PER_BOX,), -4, "by number: how many of its cards lie where the seat does not know them"),
    (
        "cards",
        (CARDS_IN_DECK, TOKEN_SIZE),
        0,
        "a token for each card in a village, hand, private deck or the discard pile, for those beside the deck, and for"
        " those of the deck that somebody has seen; then 0",
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
HIDDEN_STATE_SIZE: Final = 2 * CARDS_IN_DECK  # the resident of each token, and of the deck from the top
_STEP: Final = {step: number for number, step in enumerate(STEPS, start=1)}


def c_header() -> str:
    """Return the text of `_layout.h`."""
    constants = {
        "MAX_PLAYERS": MAX_PLAYERS,
        "CARDS_IN_DECK": CARDS_IN_DECK,
        "RESIDENTS_PER_BOX": RESIDENTS_PER_BOX,
        "MAX_PICKS": MAX_PICKS,
        "KIND_COUNT": len(MOVE_KINDS),
        "PLAIN_KINDS": _PLAIN_KINDS,
        "CARD_KIND_COUNT": CARD_KIND_COUNT,
        "ACTION_COUNT": ACTION_COUNT,
        "CARDLESS_ACTIONS": CARDLESS_ACTIONS,
        "PICK_VILLAGE": PICK_VILLAGE,
        "TAKE_FROM_PILE": TAKE_FROM_PILE,
        "PICK_CARD": PICK_CARD,
        "PEEK": PEEK,
        "EXCHANGE": EXCHANGE,
        "GIVE": GIVE,
        "MOVE_LIMIT": MOVE_LIMIT,
        "LOCATION_VILLAGE": LOCATION_VILLAGE,
        "LOCATION_PRIVATE": LOCATION_PRIVATE,
        "LOCATION_DISCARD": LOCATION_DISCARD,
        "LOCATION_DECK": LOCATION_DECK,
        "LOCATION_HAND": LOCATION_HAND,
        "LOCATION_SHOWN": LOCATION_SHOWN,
        "OBSERVATION_SIZE": OBSERVATION_SIZE,
        "HIDDEN_STATE_SIZE": HIDDEN_STATE_SIZE,
        "TOKEN_SIZE": TOKEN_SIZE,
        **{f"COLUMN_{name.replace(' ', '_')}": index for name, index in COLUMN_INDEX.items()},
        **{f"MARK_{name}": 1 << index for index, name in enumerate(MARK_COLUMNS)},
        **{f"OFFSET_{part.name}": part.offset for part in LAYOUT_PARTS},
    }
    copies = ", ".join([str(copies_of(number)) for number in range(RESIDENTS_PER_BOX)])
    lines = [
        "/* Generated by `python -m argentum.observations.layout`. Do not edit. */",
        "",
        *[f"#define {name} {number}" for name, number in constants.items()],
        f"#define COPIES_BY_NUMBER {{{copies}}}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "_layout.h").write_text(c_header(), encoding="utf-8")
