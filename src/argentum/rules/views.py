"""What one seat may see: the table, with the faces of the cards that are faceup or that it has looked at."""

from dataclasses import dataclass
from typing import Final

from argentum.rules.move import MOVES, Move
from argentum.rules.moves import SEATS
from argentum.rules.residents import NUMBERS, Resident
from argentum.rules.table import NO_CARD, NO_SEAT, Table

TOKEN_STATES: Final = ("idle", "active", "used")


@dataclass(frozen=True)
class Card:
    """A card as somebody sees it; the number is None where they may not know it."""

    number: int | None
    up: bool
    sideways: bool = False
    covered: bool = False  # by the silver bullet

    def __str__(self) -> str:
        number = "?" if self.number is None else str(self.number)
        return number + "^" * self.up + "~" * self.sideways + "*" * self.covered


# Every card as it may be seen: by number (the last: unknown), then up, sideways, covered as bits.
_SEEN: Final = [
    [Card(number, bits & 1 != 0, bits & 2 != 0, bits & 4 != 0) for bits in range(8)] for number in (*range(14), None)
]


@dataclass(frozen=True)
class View:
    """All that a seat (or, with an empty `seat`, somebody who only watches) may know of a game now.

    Villages are from the owner's left; decks and the discard pile from the top. Everything is a plain value, so two
    views are equal just if nothing that reaches the seat differs.
    """

    seat: str
    names: tuple[str, ...]
    boxes: str
    round: int
    turn: str
    to_move: str
    legal: tuple[Move, ...]
    villages: dict[str, tuple[Card, ...]]
    private: dict[str, tuple[Card, ...]]
    deck: tuple[Card, ...]
    deck_up: bool
    discard: tuple[Card, ...]
    hand: Card | None
    holder: str
    direction: str
    token: str
    token_seat: str
    token_state: str
    caller: str
    looking: tuple[str, ...]
    totals: dict[str, int]
    scores: dict[str, int]
    round_over: bool
    over: bool
    residents: tuple[Resident, ...]


def view_of(table: Table, names: list[str], seat: int, chooser: int, legal: list[int], over: bool) -> View:
    """The view of a seat; -1 for those who only watch, who see no hidden face."""
    letters = SEATS[: table.players]
    holder = table.turn if table.hand != NO_CARD else NO_SEAT
    return View(
        seat="" if seat == NO_SEAT else letters[seat],
        names=tuple(names),
        boxes=table.cast.code,
        round=table.round,
        turn=letters[table.turn],
        to_move="" if chooser == NO_SEAT else letters[chooser],
        legal=tuple([MOVES[move] for move in legal]),
        villages={letters[one]: cards_seen(table, seat, table.villages[one]) for one in range(table.players)},
        private={letters[one]: pile_seen(table, seat, table.private[one]) for one in range(table.players)},
        deck=deck_seen(table, seat),
        deck_up=table.deck_up,
        discard=pile_seen(table, seat, table.pile),
        hand=None if holder == NO_SEAT else card_seen(table, seat, table.hand),
        holder="" if holder == NO_SEAT else letters[holder],
        direction=direction_word(table),
        token=table.cast.token,
        token_seat=letters[table.token_seat],
        token_state=TOKEN_STATES[table.token_state],
        caller="" if table.caller == NO_SEAT else letters[table.caller],
        looking=tuple([letter for one, letter in enumerate(letters) if table.looking >> one & 1]),
        totals=dict(zip(letters, table.totals, strict=True)),
        scores=dict(zip(letters, table.scores, strict=True)) if table.over else {},
        round_over=table.over,
        over=over,
        residents=tuple(table.cast.residents),
    )


def knows(table: Table, seat: int, card: int) -> bool:
    """Whether a seat may see a card's face: it is faceup, or the seat has looked at it."""
    return table.up[card] == 1 or (seat != NO_SEAT and table.seen[card] >> seat & 1 == 1)


def card_seen(table: Table, seat: int, card: int) -> Card:
    """A card as a seat sees it."""
    number = table.faces[card] if knows(table, seat, card) else NUMBERS
    return _SEEN[number][table.up[card] | table.side[card] << 1 | (card == table.bullet) << 2]


def cards_seen(table: Table, seat: int, cards: list[int]) -> tuple[Card, ...]:
    """Cards in a row as a seat sees them."""
    return tuple([card_seen(table, seat, card) for card in cards])


def pile_seen(table: Table, seat: int, cards: list[int]) -> tuple[Card, ...]:
    """A pile from the top as a seat sees it."""
    return tuple([card_seen(table, seat, card) for card in reversed(cards)])


def deck_seen(table: Table, seat: int) -> tuple[Card, ...]:
    """The deck from the top: its top card if it lies faceup, and what the seat happens to know of the rest."""
    cards = list(pile_seen(table, seat, table.deck))
    if table.deck_up and cards:
        cards[0] = _SEEN[table.faces[table.deck[-1]]][1]
    return tuple(cards)


def direction_word(table: Table) -> str:
    """The direction of play in words."""
    return "clockwise" if table.direction > 0 else "counterclockwise"
