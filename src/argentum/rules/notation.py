# mypyc: compile, optimize
"""Moves as integers: their encoding, and conversion to and from text."""

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from mypy_extensions import i64  # mypyc: unboxed int; used in annotations only

SEAT_LETTERS: Final = "ABCD"

DRAW: Final = 0
DRAW_PRIVATE: Final = 1
TAKE: Final = 2
CALL: Final = 3
DISCARD: Final = 4
USE: Final = 5
DONE: Final = 6
AT_LEFT: Final = 7
AT_RIGHT: Final = 8
USE_TOKEN: Final = 9
CLOCKWISE: Final = 10
COUNTERCLOCKWISE: Final = 11
STOP: Final = 12
PASS: Final = 13
END_TURN: Final = 14
DRAW_SHOWN: Final = 16  # + 1 to 4: a card shown beside the deck
KEEP_FROM_DECK: Final = 24  # + 1 to 5: depth in the deck
USE_FROM_PILE: Final = 32  # + 1 to 3: an offered card of the discard pile; or + the number of a discarded card
PICK_VILLAGE: Final = 48  # + seat
TAKE_FROM_PILE: Final = 64  # + 1 to 50: an offered card of the discard pile

PICK_CARD: Final = 1 << 8  # this and the following: + spot
PEEK: Final = 2 << 8
AND_CARD: Final = 3 << 8
EXCHANGE: Final = 4 << 8
PLACE_AT: Final = 5 << 8
USE_ABILITY: Final = 6 << 8
ROTATE: Final = 7 << 8
DISCARD_CARD: Final = 8 << 8
REMOVE: Final = 9 << 8
GIVE: Final = 10 << 8  # + spot + (receiver << 8)

MOVE_LIMIT: Final = 14 << 8  # every move is less
MOVE_RANGE: Final = list(range(MOVE_LIMIT))  # Slicing it is the fastest way to list the moves of a village.

_PLAIN_TEXT: Final = {
    DRAW: "draw",
    DRAW_PRIVATE: "draw private",
    TAKE: "take",
    CALL: "call",
    DISCARD: "discard",
    USE: "use",
    DONE: "done",
    AT_LEFT: "at left",
    AT_RIGHT: "at right",
    USE_TOKEN: "token",
    CLOCKWISE: "clockwise",
    COUNTERCLOCKWISE: "counterclockwise",
    STOP: "stop",
    PASS: "pass",
    END_TURN: "end",
}
_SPOT_VERBS: Final = {
    PICK_CARD: "",
    PEEK: "peek",
    AND_CARD: "and",
    EXCHANGE: "exchange",
    PLACE_AT: "at",
    USE_ABILITY: "ability",
    ROTATE: "rotate",
    DISCARD_CARD: "discard",
    REMOVE: "remove",
    GIVE: "give",
}


# A spot encodes a seat (two bits) and an index in its village (six bits). A move that names a card is the sum of a base
# and a spot.


def make_spot(seat: int, place: int) -> int:
    return seat << 6 | place


def card_move(base: "i64", seat: "i64", place: "i64") -> int:
    """Combine a base such as `EXCHANGE` with the spot of a card."""
    return base + (seat << 6) + place


def seat_of(move: "i64") -> int:
    """Return the seat of a spot, or of the card that a move names."""
    return move >> 6 & 3


def place_of(move: "i64") -> int:
    """Return the index in its village of a spot, or of the card that a move names."""
    return move & 63


def spot_of(move: int) -> int:
    return move & 255


def base_of(move: int) -> int:
    """Return the base of a move, such as `EXCHANGE`. The move must name a card and must not be a `give` move."""
    return move & ~255


def has_base(move: "i64", base: "i64") -> bool:
    return base <= move < base + 256


def names_card(move: int) -> bool:
    return move >= PICK_CARD


def names_village(move: int) -> bool:
    return PICK_VILLAGE <= move < TAKE_FROM_PILE


def village_move(seat: int) -> int:
    """Return the move that names a seat's village."""
    return PICK_VILLAGE + seat


def village_of(move: int) -> int:
    """Return the seat whose village a move names."""
    return move - PICK_VILLAGE


def give_move(spot: int, receiver: int) -> int:
    return GIVE + (receiver << 8) + spot


def receiver_of(move: int) -> int:
    """Return the seat that receives the card of a `give` move."""
    return (move - GIVE) >> 8


def shown_place(move: int) -> int:
    """Return N for a move `draw N`, which draws the Nth shown card."""
    return move - DRAW_SHOWN


def deck_depth(move: int) -> int:
    """Return N for a move `keep N`, which draws the Nth card from the top of the deck."""
    return move - KEEP_FROM_DECK


def pile_choice_number(move: int) -> int:
    """Return N for a move `take N`, which takes the Nth of `Table.pile_choices`."""
    return move - TAKE_FROM_PILE


def spot_text(spot: int) -> str:
    """Return ``B3`` for the third spot of seat B's village."""
    return f"{SEAT_LETTERS[seat_of(spot)]}{place_of(spot) + 1}"


class MoveFields(NamedTuple):
    """The parts of a move's text, in order: `give A2 B`, `take 2`."""

    verb: str
    number: int | None = None
    spot: str = ""
    seat: str = ""


def move_fields(move: int) -> MoveFields:
    """Return the parts of a move's text; for an integer that is not a move, a verb such as `move 15`."""
    if move not in _VALID_MOVES:
        return MoveFields(f"move {move}")
    if names_card(move):
        receiver = SEAT_LETTERS[receiver_of(move)] if move >= GIVE else ""
        return MoveFields(_SPOT_VERBS[min(base_of(move), GIVE)], None, spot_text(spot_of(move)), receiver)
    if names_village(move):
        return MoveFields("", None, "", SEAT_LETTERS[village_of(move)])
    for verb, (base, _, _) in _NUMBERED_VERBS.items():
        if move in _numbered_moves(verb):
            return MoveFields(verb, move - base)
    return MoveFields(_PLAIN_TEXT[move])


def move_text(move: int) -> str:
    """Return the text of a move; for an integer that is not a move, a text such as `move 15`."""
    fields = move_fields(move)
    number = "" if fields.number is None else str(fields.number)
    return " ".join([part for part in (fields.verb, number, fields.spot, fields.seat) if part])


# Verbs with a number: the base of their moves, the lowest and the highest number.
_NUMBERED_VERBS: Final = {
    "draw": (DRAW_SHOWN, 1, 4),
    "keep": (KEEP_FROM_DECK, 1, 5),
    "use": (USE_FROM_PILE, 0, 13),
    "take": (TAKE_FROM_PILE, 1, 50),
}


def _numbered_moves(verb: str) -> range:
    base, lowest, highest = _NUMBERED_VERBS[verb]
    return range(base + lowest, base + highest + 1)


_VALID_MOVES: Final = frozenset(
    [*_PLAIN_TEXT, *range(PICK_VILLAGE, PICK_VILLAGE + 4)]
    + [move for verb in _NUMBERED_VERBS for move in _numbered_moves(verb)]
    + [move for move in range(PICK_CARD, MOVE_LIMIT) if place_of(move) < 52]
)


def parse_spot(word: str) -> int:
    """Parse a spot such as ``B3``; return -1 if the word is not a spot."""
    seat = SEAT_LETTERS.find(word[:1].upper()) if word else -1
    place = word[1:]
    if seat < 0 or not (place.isascii() and place.isdigit()) or len(place) > 2 or not 1 <= int(place) <= 52:
        return -1
    return make_spot(seat, int(place) - 1)


def _parse_numbered(verb: str, word: str) -> int:
    """Parse a move with a number, such as ``use 6``; return -1 if there is no such move."""
    if verb not in _NUMBERED_VERBS or not (word.isascii() and word.isdigit()) or len(word) > 2:
        return -1
    move = _NUMBERED_VERBS[verb][0] + int(word)
    return move if move in _numbered_moves(verb) else -1


_PLAIN_MOVES: Final = {word: move for move, word in _PLAIN_TEXT.items()}
_SPOT_BASES: Final = {verb: base for base, verb in _SPOT_VERBS.items() if base != GIVE}


def parse_move(text: str) -> int:
    """Parse a single move, ignoring case and extra spaces; return -1 if the text is not a move.

    Looks and exchanges with several cards are parsed by :func:`parse_cards_move`.
    """
    words = text.lower().split()
    if not words or len(words) > 3:
        return -1
    plain = _PLAIN_MOVES.get(" ".join(words), -1)
    if plain >= 0:
        return plain
    if len(words) == 1:
        if len(words[0]) == 1:
            seat = SEAT_LETTERS.lower().find(words[0])
            return village_move(seat) if seat >= 0 else -1
        spot = parse_spot(words[0])
        return PICK_CARD + spot if spot >= 0 else -1
    spot = parse_spot(words[1])
    if len(words) == 2:
        if spot >= 0 and words[0] in _SPOT_BASES:
            return _SPOT_BASES[words[0]] + spot
        return _parse_numbered(words[0], words[1])
    receiver = SEAT_LETTERS.lower().find(words[2]) if len(words[2]) == 1 else -1
    if words[0] != "give" or spot < 0 or receiver < 0:
        return -1
    return give_move(spot, receiver)


def parse_cards_move(text: str) -> list[int]:
    """Return a `PEEK` or `EXCHANGE` move for each card in a text such as ``exchange A1 A3``; empty for other texts."""
    words = text.lower().split()
    if len(words) < 2 or words[0] not in ("peek", "exchange"):
        return []
    base = PEEK if words[0] == "peek" else EXCHANGE
    spots = [parse_spot(word) for word in words[1:]]
    return [] if -1 in spots else [base + spot for spot in spots]
