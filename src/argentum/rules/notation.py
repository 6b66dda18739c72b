"""Move codes, spot bits, parsing, text; int-list helpers for mypyc."""

from typing import Final

SEATS: Final = "ABCD"

DRAW: Final = 0
DRAW_PRIVATE: Final = 1
TAKE: Final = 2
CALL: Final = 3
DISCARD: Final = 4
USE: Final = 5
DONE: Final = 6
AT_LEFT: Final = 7
AT_RIGHT: Final = 8
TOKEN: Final = 9
CLOCKWISE: Final = 10
COUNTERCLOCKWISE: Final = 11
STOP: Final = 12
PASS: Final = 13
END: Final = 14
DRAW_NTH: Final = 16  # + 1 to 4: a card that is shown beside the deck
KEEP_NTH: Final = 24  # + 1 to 5: a card from the top of the deck
USE_NTH: Final = 32  # + 1 to 3 from the discard pile, or + a number that was discarded
VILLAGE: Final = 48  # + seat
TAKE_NTH: Final = 64  # + 1 to 50: a card from the top of the discard pile

CARD: Final = 1 << 8  # each of these + a spot
PEEK: Final = 2 << 8
AND: Final = 3 << 8
EXCHANGE: Final = 4 << 8
AT: Final = 5 << 8
ABILITY: Final = 6 << 8
ROTATE: Final = 7 << 8
DISCARD_CARD: Final = 8 << 8
REMOVE: Final = 9 << 8
GIVE: Final = 10 << 8  # + spot + (receiver << 8)

MOST_MOVES: Final = 14 << 8  # every move is below this number
ALL_MOVES: Final = list(range(MOST_MOVES))  # a slice of it is the quickest list of moves for a village

_PLAIN: Final = {
    DRAW: "draw",
    DRAW_PRIVATE: "draw private",
    TAKE: "take",
    CALL: "call",
    DISCARD: "discard",
    USE: "use",
    DONE: "done",
    AT_LEFT: "at left",
    AT_RIGHT: "at right",
    TOKEN: "token",
    CLOCKWISE: "clockwise",
    COUNTERCLOCKWISE: "counterclockwise",
    STOP: "stop",
    PASS: "pass",
    END: "end",
}
_SPOT_WORDS: Final = {
    CARD: "",
    PEEK: "peek ",
    AND: "and ",
    EXCHANGE: "exchange ",
    AT: "at ",
    ABILITY: "ability ",
    ROTATE: "rotate ",
    DISCARD_CARD: "discard ",
    REMOVE: "remove ",
}


def spot(seat: int, place: int) -> int:
    """The number of a spot, for use in moves."""
    return seat << 6 | place


def spot_text(where: int) -> str:
    """``B3`` for the third spot of seat B's village."""
    return f"{SEATS[where >> 6 & 3]}{(where & 63) + 1}"


def names_seat(move: int) -> int:
    """The seat of the card that a move names, or -1."""
    return move >> 6 & 3 if move >= CARD else -1


def text(move: int) -> str:
    """A move as people write it; a number that stands for none is written as it is."""
    if move not in _WRITTEN:
        return f"move {move}"
    if move >= GIVE:
        return f"give {spot_text(move & 255)} {SEATS[(move - GIVE) >> 8]}"
    if move >= CARD:
        return _SPOT_WORDS[move & ~255] + spot_text(move & 255)
    if VILLAGE <= move < TAKE_NTH:
        return SEATS[move - VILLAGE]
    for word, (base, _, _) in _COUNTED.items():
        if move in _counted_moves(word):
            return f"{word} {move - base}"
    return _PLAIN[move]


# Verbs that come with a number: where their moves begin, the lowest and the highest number.
_COUNTED: Final = {
    "draw": (DRAW_NTH, 1, 4),
    "keep": (KEEP_NTH, 1, 5),
    "use": (USE_NTH, 0, 13),
    "take": (TAKE_NTH, 1, 50),
}


def _counted_moves(verb: str) -> range:
    base, lowest, highest = _COUNTED[verb]
    return range(base + lowest, base + highest + 1)


_WRITTEN: Final = frozenset(
    [*_PLAIN, *range(VILLAGE, VILLAGE + 4)]
    + [move for verb in _COUNTED for move in _counted_moves(verb)]
    + [move for move in range(CARD, MOST_MOVES) if move & 63 < 52]
)


def parse_spot(word: str) -> int:
    """The spot that a word like ``B3`` names, or -1 where it names none."""
    seat = SEATS.find(word[:1].upper()) if word else -1
    place = word[1:]
    if seat < 0 or not (place.isascii() and place.isdigit()) or len(place) > 2 or not 1 <= int(place) <= 52:
        return -1
    return spot(seat, int(place) - 1)


def _counted(verb: str, word: str) -> int:
    """``use 6`` and ``take 2``; -1 where the number makes no sense."""
    if verb not in _COUNTED or not (word.isascii() and word.isdigit()) or len(word) > 2:
        return -1
    move = _COUNTED[verb][0] + int(word)
    return move if move in _counted_moves(verb) else -1


_WORD_OF_PLAIN: Final = {word: move for move, word in _PLAIN.items()}
_WORD_OF_SPOT: Final = {word.strip(): base for base, word in _SPOT_WORDS.items()}


def parse(written: str) -> int:
    """The move that a text names, or -1 where it names none. Case and extra spaces do not matter."""
    words = written.lower().split()
    if not words or len(words) > 3:
        return -1
    plain = _WORD_OF_PLAIN.get(" ".join(words), -1)
    if plain >= 0:
        return plain
    if len(words) == 1:
        if len(words[0]) == 1:
            seat = SEATS.lower().find(words[0])
            return VILLAGE + seat if seat >= 0 else -1
        where = parse_spot(words[0])
        return CARD + where if where >= 0 else -1
    where = parse_spot(words[1])
    if len(words) == 2:
        if where >= 0 and words[0] in _WORD_OF_SPOT:
            return _WORD_OF_SPOT[words[0]] + where
        return _counted(words[0], words[1])
    receiver = SEATS.lower().find(words[2]) if len(words[2]) == 1 else -1
    if words[0] != "give" or where < 0 or receiver < 0:
        return -1
    return GIVE + (receiver << 8) + where


def parse_several(written: str) -> list[int]:
    """The spots of a ``peek A1 A4`` or ``exchange A1 A3``, as one-card moves; empty for any other text."""
    words = written.lower().split()
    if len(words) < 2 or words[0] not in ("peek", "exchange"):
        return []
    base = PEEK if words[0] == "peek" else EXCHANGE
    spots = [parse_spot(word) for word in words[1:]]
    return [] if -1 in spots else [base + where for where in spots]
