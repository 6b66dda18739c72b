"""Layout as data; observation from a Table."""

from typing import Final, NamedTuple

from argentum.observations.actions import NAMELESS
from argentum.rules.asking import STEPS
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.notation import (
    USE_ABILITY,
    AND_CARD,
    PLACE_AT,
    PICK_CARD,
    DISCARD_CARD,
    DRAW_SHOWN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    MOVE_LIMIT,
    PEEK,
    REMOVE,
    ROTATE,
    TAKE_FROM_PILE,
    USE_FROM_PILE,
    PICK_VILLAGE,
)
from argentum.rules.residents import BOXES, CARDS_IN_DECK, RESIDENTS_PER_BOX
from argentum.rules.scoring import ROUNDS_PER_GAME

VERSION: Final = 1  # of the layout; it is the version of the environments that use it
RESIDENTS: Final = len(BOXES) * RESIDENTS_PER_BOX
PICKS: Final = 8  # of what was picked so far that are listed; more is only ever a set that is being named

# Where a card is: 1 to 4 are villages, 5 to 8 private decks, each from one's own; 0 is no card.
IN_VILLAGE: Final = 1
IN_PRIVATE: Final = 5
IN_DISCARD: Final = 9
IN_DECK: Final = 10
IN_HAND: Final = 11
IN_SHOWN: Final = 12
WHERE: Final = 13

# The columns of a token.
MARKS: Final = ("up", "sideways", "covered", "muted", "passed", "used", "resting", "named")
COLUMNS: Final = (
    "where",
    "place",
    "resident",
    "number",
    *MARKS,
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
WIDTH: Final = len(COLUMNS)
COLUMN: Final = {name: nth for nth, name in enumerate(COLUMNS)}

# The kinds of moves: those that name nothing, those with a number, a village, a card.
KINDS: Final = (
    *("draw", "draw private", "take", "call", "discard", "use", "done", "at left", "at right", "token"),
    *("clockwise", "counterclockwise", "stop", "pass", "end"),
    *("draw n", "keep n", "use n", "village", "take n"),
    *("card", "peek", "and", "exchange", "at", "ability", "rotate", "discard card", "remove", "give"),
)
_BASES: Final = (
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
_PLAIN: Final = 15


def _kind(move: int) -> int:
    """The kind of a move."""
    if move < DRAW_SHOWN:
        return min(move, _PLAIN - 1)
    later = [base for base in (*_BASES, DISCARD_CARD, REMOVE, GIVE) if base <= move]
    return _PLAIN + len(later) - 1


_KIND_OF: Final = [_kind(move) for move in range(MOVE_LIMIT)]
CARD_KINDS: Final = len(KINDS) - _KIND_OF[PICK_CARD]
_BASE_OF: Final = [0] * _PLAIN + [*_BASES, DISCARD_CARD, REMOVE, GIVE]  # by kind


def kind_of(move: int) -> int:
    """The kind of a move, as its place in :data:`KINDS`."""
    return _KIND_OF[move]


def number_of(move: int) -> int:
    """The number that a move of a kind with one has, such as 3 of `take 3`; else 0."""
    kind = _KIND_OF[move]
    return move - _BASE_OF[kind] if kind >= _PLAIN else 0


A_RULE: Final = 5  # what asks is a rule, not a resident or token of one of the four boxes

# What a part holds: flags, or numbers of things of which there are so many, or (below 0) up to about so many of them.
FLAGS: Final = 0
SEAT: Final = MAX_PLAYERS + 1  # 0 for none
BOX: Final = len(BOXES) + 1
ASKED_NUMBER: Final = 26
POINTS: Final = -1000


class Part(NamedTuple):
    """A part of the layout: values in a row, of a shape, from an offset; `most` says what they are."""

    name: str
    offset: int
    shape: tuple[int, ...]
    most: int
    meaning: str

    @property
    def size(self) -> int:
        """How many values it has."""
        size = 1
        for length in self.shape:
            size *= length
        return size


_LAYOUT: Final[tuple[tuple[str, tuple[int, ...], int, str], ...]] = (
    ("seats", (1,), SEAT, "how many seats there are"),
    ("residents", (RESIDENTS_PER_BOX,), BOX, "the deck: by number, its resident's box (G1)"),
    ("token", (1,), BOX, "the token in play, by its box"),
    ("token_state", (1,), 3, "idle, active or used, from 0 (G17, G18)"),
    ("token_seat", (1,), SEAT, "whose it is"),
    ("token_was", (1,), SEAT, "whose it was when the round was scored; 0 while the round goes on"),
    ("round", (1,), ROUNDS_PER_GAME + 1, "the round, from 1"),
    ("turn", (1,), SEAT, "whose turn it is"),
    ("to_move", (1,), SEAT, "who must choose now; 0 when the game is over"),
    ("asked", (1,), SEAT, "who is asked what follows; in the first look, which nobody waits for, oneself (G4)"),
    ("asker", (2,), 0, "what asks: a box, or 5 for a rule, and its number and 1 more (15 for a token)"),
    ("step", (1,), len(STEPS) + 1, "which of its questions, from 1, as in `argentum.rules.asking.STEPS`"),
    ("picks", (1,), -PICKS, "how many moves were made so far in answer to it"),
    ("picked", (PICKS, 3), 0, "the first of these moves: its kind from 1, a village, and a place or number"),
    (
        "may",
        (NAMELESS + CARD_KINDS,),
        FLAGS,
        "if the seat itself must choose: 1 for each legal action that names no card, then for each kind that names one",
    ),
    ("holder", (1,), SEAT, "who has a card in hand"),
    ("caller", (1,), SEAT, "who has called"),
    ("previous", (1,), SEAT, "the other seat that last finished a turn (D4)"),
    ("looking", (MAX_PLAYERS,), FLAGS, "1 for each seat that has yet to take its first look (G4)"),
    ("clockwise", (1,), FLAGS, "1 while play goes clockwise"),
    ("deck_up", (1,), FLAGS, "1 while the deck lies faceup (B5)"),
    ("round_over", (1,), FLAGS, "1 when the round is over"),
    ("over", (1,), FLAGS, "1 when the game is over"),
    ("reason", (1,), 5, "why the round ended, from 1: call, deck, turn cap, villagers"),
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
        POINTS,
        "points of finished rounds by seat: the size, how many times 256 more, and 1 if below 0",
    ),
    ("scores", (MAX_PLAYERS, 3), POINTS, "the same for this round, once it is over"),
    ("unseen", (RESIDENTS_PER_BOX,), -4, "by number: how many of its cards lie where the seat does not know them"),
    (
        "cards",
        (CARDS_IN_DECK, WIDTH),
        0,
        "a token for each card in a village, hand, private deck or the discard pile, for those beside the deck, and for"
        " those of the deck that somebody has seen; then 0",
    ),
)


def _parts() -> tuple[Part, ...]:
    """The parts with their offsets."""
    parts: list[Part] = []
    offset = 0
    for name, shape, most, meaning in _LAYOUT:
        part = Part(name, offset, shape, most, meaning)
        parts.append(part)
        offset += part.size
    return tuple(parts)


PARTS: Final = _parts()
PART: Final = {part.name: part for part in PARTS}
SIZE: Final = PARTS[-1].offset + PARTS[-1].size
TRUTH: Final = 2 * CARDS_IN_DECK  # the true resident of each token, and those of the deck from the top
_STEP: Final = {step: nth for nth, step in enumerate(STEPS, start=1)}
