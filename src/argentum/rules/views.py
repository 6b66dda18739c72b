"""What one seat may see: the table, with the faces of the cards that are faceup or that it has looked at."""

from functools import cache
from typing import Final, NamedTuple

from argentum.rules.move import MOVES, Move
from argentum.rules.notation import SEATS, spot_text
from argentum.rules.residents import CARDS, Resident
from argentum.rules.table import NO_CARD, NO_SEAT, Table

TOKEN_STATES: Final = ("idle", "active", "used")


class Card(NamedTuple):
    """A card as somebody sees it; the number is None where they may not know it."""

    number: int | None
    up: bool
    sideways: bool = False
    covered: bool = False  # by the silver bullet
    known_by: str = ""  # the seats that have seen its face, which is public
    passed: bool = False  # an Elusive Seer passed over it: everybody knows that it is above 4

    def __str__(self) -> str:
        number = "?" if self.number is None else str(self.number)
        return number + "^" * self.up + "~" * self.sideways + "*" * self.covered


class View(NamedTuple):
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
    previous: str  # the other seat that last finished a turn (D4)
    turns: int  # finished in this round (G14)
    extra_turns: int  # that the seat to play will take (C1, D11)
    used: tuple[str, ...]  # spots of cards that were used this turn (G6)
    resting: tuple[str, ...]  # spots of Con Artists that their owner may not use yet (C1)
    named: tuple[str, ...]  # spots named so far in an exchange
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
        seat=seat_letter(seat),
        names=tuple(names),
        boxes=table.cast.code,
        round=table.round,
        turn=letters[table.turn],
        to_move=seat_letter(chooser),
        legal=tuple([MOVES[move] for move in legal]),
        villages={letters[one]: cards_seen(table, seat, table.villages[one]) for one in range(table.players)},
        private={letters[one]: pile_seen(table, seat, table.private[one]) for one in range(table.players)},
        deck=deck_seen(table, seat),
        deck_up=table.deck_up,
        discard=pile_seen(table, seat, table.pile),
        hand=None if holder == NO_SEAT else card_seen(table, seat, table.hand),
        holder=seat_letter(holder),
        direction=direction_word(table),
        token=table.cast.token,
        token_seat=letters[table.token_seat],
        token_state=TOKEN_STATES[table.token_state],
        caller=seat_letter(table.caller),
        previous=seat_letter(table.predecessor(table.turn)),
        turns=table.finished,
        extra_turns=table.extra,
        used=spots_of(table, [card for card in range(CARDS) if table.used >> card & 1]) if table.used else (),
        resting=spots_of(table, [card for owner, card, _ in table.resting if table.owner(card) == owner]),
        named=named_spots(table) if table.named else (),
        looking=tuple([letter for one, letter in enumerate(letters) if table.looking >> one & 1]),
        totals=dict(zip(letters, table.totals, strict=True)),
        scores=dict(zip(letters, table.scores, strict=True)) if table.over else {},
        round_over=table.over,
        over=over,
        residents=tuple(table.cast.residents),
    )


def seat_letter(seat: int) -> str:
    """A seat's letter; empty for none."""
    return "" if seat == NO_SEAT else SEATS[seat]


def spots_of(table: Table, cards: list[int]) -> tuple[str, ...]:
    """The spots of those of the cards that lie in villages."""
    return tuple(sorted([spot_text(table.spot(card)) for card in cards if table.owner(card) != NO_SEAT]))


def named_spots(table: Table) -> tuple[str, ...]:
    """The spots named so far in an exchange."""
    return tuple([spot_text(table.turn << 6 | place) for place in range(CARDS) if table.named >> place & 1])


def knows(table: Table, seat: int, card: int) -> bool:
    """Whether a seat may see a card's face: it is faceup, or the seat has looked at it."""
    return table.up[card] == 1 or (seat != NO_SEAT and table.seen[card] >> seat & 1 == 1)


def card_seen(table: Table, seat: int, card: int) -> Card:
    """A card as a seat sees it."""
    number = table.faces[card] if knows(table, seat, card) else -1
    marks = table.up[card] | table.side[card] << 1 | (card == table.bullet) << 2 | (table.passed >> card & 1) << 3
    return seen_card(number, marks, table.seen[card] & (1 << table.players) - 1)


@cache
def seen_card(number: int, marks: int, known_by: int) -> Card:
    """The one object for a card as it is seen. Number or -1; marks: up, sideways, covered, passed; seats: as bits."""
    seats = "".join([letter for seat, letter in enumerate(SEATS) if known_by >> seat & 1])
    shown = None if number < 0 else number
    return Card(shown, marks & 1 != 0, marks & 2 != 0, marks & 4 != 0, seats, marks & 8 != 0)


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
        cards[0] = seen_card(table.faces[table.deck[-1]], 1, (1 << table.players) - 1)
    return tuple(cards)


def direction_word(table: Table) -> str:
    """The direction of play in words."""
    return "clockwise" if table.direction > 0 else "counterclockwise"
