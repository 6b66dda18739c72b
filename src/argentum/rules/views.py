# mypyc: compile, optimize
"""Views: what a seat or a watcher may see of a table."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from argentum.rules.asking import DRAWN_CARD_LABEL, TAKEN_CARD_LABEL
from argentum.rules.events import END_REASONS
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import EXCHANGE, PEEK, SEAT_LETTERS, card_move, make_spot, spot_text
from argentum.rules.residents import (
    CARDS_IN_DECK,
    LABEL_RESIDENT,
    RESIDENTS_PER_BOX,
    RULE_LETTERS,
    Cast,
    Resident,
    parse_label,
)
from argentum.rules.standings import winner_seat
from argentum.rules.table import NO_CARD, NO_END_REASON, NO_SEAT, WATCHERS, Table

TOKEN_STATES: Final = ("idle", "active", "used")


class Card(NamedTuple):
    """A card as a viewer sees it. `number` is None if the viewer may not know it."""

    number: int | None
    up: bool
    sideways: bool = False
    covered: bool = False  # by the silver token
    known_by: str = ""  # letters of the seats that have seen its face (public)
    passed: bool = False  # everybody knows that it is above 4 (D7)

    def __str__(self) -> str:
        number = "?" if self.number is None else str(self.number)
        return number + "^" * self.up + "~" * self.sideways + "*" * self.covered


class Asking(NamedTuple):
    """The current question, and the answers to it so far."""

    seat: str  # the seat that has to answer
    label: str  # of the resident, token or rule that asks: D8 a Magician, D14 the dagger, G5 the main action
    step: str  # one of `asking.STEPS`
    picked: tuple[Move, ...]  # moves made in answer so far, with the cards' present spots
    depths: tuple[int, ...] = ()  # in the discard pile, from 1, of the cards that `take 1`, `use 2` ... name

    @property
    def number(self) -> int | None:
        """The number of the resident that asks; None for a rule or a token."""
        label = parse_label(self.label)
        return label.number if label.kind == LABEL_RESIDENT else None

    @property
    def is_rule(self) -> bool:
        """Whether a rule asks, rather than a resident or a token."""
        return self.label[0] in RULE_LETTERS

    @property
    def is_drawn_card(self) -> bool:
        """Whether the question is what to do with a drawn card (G7)."""
        return self.label == DRAWN_CARD_LABEL

    @property
    def is_taken_card(self) -> bool:
        """Whether the question is what to do with a card taken from the discard pile (G8)."""
        return self.label == TAKEN_CARD_LABEL


class View(NamedTuple):
    """Everything that a seat (or a watcher, if `seat` is empty) may know of a game now.

    Villages are listed from the owner's left, decks and the discard pile from the top. Two views are equal exactly if
    they show the same.
    """

    seat: str
    names: tuple[str, ...]
    boxes: str
    round: int
    turn: str
    to_move: str
    asking: Asking | None  # None when the game is over
    legal: tuple[Move, ...]
    villages: dict[str, tuple[Card, ...]]
    private: dict[str, tuple[Card, ...]]
    deck: tuple[Card, ...]
    deck_up: bool
    shown: tuple[Card, ...]  # beside the deck, in the order they came (A1)
    discard: tuple[Card, ...]
    hand: Card | None
    holder: str  # the seat with a card in hand; empty if there is none
    direction: str
    token: str
    token_seat: str
    token_state: str
    caller: str
    previous: str  # the other seat that last finished a turn (D4)
    turns: int  # number of turns finished in this round (G14)
    extra_turns: int  # more turns of the current seat, before the next seat plays (C1, D11)
    used: tuple[str, ...]  # spots of cards used this turn (G6)
    resting: tuple[str, ...]  # spots of cards that their owner may not use again yet (C1)
    guards: tuple[tuple[str, str], ...]  # spots of each guarding card and of the card that it guards (A3)
    named: tuple[str, ...]  # spots named so far in an exchange
    looking: tuple[str, ...]  # seats whose first look is not finished (G4)
    totals: dict[str, int]
    scores: dict[str, int]
    round_over: bool
    reason: str  # why the round ended (`events.END_REASONS`); empty while it goes on
    token_was: str  # the seat that had the token in this round, once it is scored
    over: bool
    winner: str  # of the game; empty while it goes on
    residents: tuple[Resident, ...]
    cast: Cast  # the residents and the token, with the effects that the rules apply


def make_view(table: Table, names: list[str], seat: int, chooser: int, legal: list[int], over: bool) -> View:
    """Return the view of a seat, or of a watcher for `NO_SEAT`."""
    letters = SEAT_LETTERS[: table.players]
    holder = table.turn if table.hand != NO_CARD else NO_SEAT
    return View(
        seat=seat_letter(seat),
        names=tuple(names),
        boxes=table.cast.code,
        round=table.round,
        turn=letters[table.turn],
        to_move=seat_letter(chooser),
        asking=make_asking(table, chooser if seat == NO_SEAT or not table.is_first_look_pending(seat) else seat),
        legal=tuple([MOVES[move] for move in legal]),
        villages={
            letters[seat_index]: cards_for_viewer(table, seat, table.villages[seat_index])
            for seat_index in range(table.players)
        },
        private={
            letters[seat_index]: pile_for_viewer(table, seat, table.private[seat_index])
            for seat_index in range(table.players)
        },
        deck=deck_for_viewer(table, seat),
        deck_up=table.deck_up,
        shown=cards_for_viewer(table, seat, table.shown),
        discard=pile_for_viewer(table, seat, table.discard),
        hand=None if holder == NO_SEAT else card_for_viewer(table, seat, table.hand),
        holder=seat_letter(holder),
        direction=direction_text(table),
        token=table.cast.token,
        token_seat=letters[table.token_seat],
        token_state=TOKEN_STATES[table.token_state],
        caller=seat_letter(table.caller),
        previous=seat_letter(table.previous_seat(table.turn)),
        turns=table.turns,
        extra_turns=table.extra_turns,
        used=marked_spots(table, [card for card in range(CARDS_IN_DECK) if table.is_used(card)])
        if table.used_cards
        else (),
        resting=marked_spots(table, [card for owner, card, _ in table.cooldowns if table.owner(card) == owner]),
        guards=guard_spots(table) if table.guards else (),
        named=named_spot_texts(table) if table.named_places else (),
        looking=tuple([letter for seat_index, letter in enumerate(letters) if table.is_first_look_pending(seat_index)]),
        totals=dict(zip(letters, table.totals, strict=True)),
        scores=dict(zip(letters, table.scores, strict=True)) if table.round_over else {},
        round_over=table.round_over,
        reason=END_REASONS[table.end_reason] if table.end_reason != NO_END_REASON else "",
        token_was=letters[table.scored_token_seat] if table.round_over else "",
        over=over,
        winner=letters[winner_seat(table)] if over else "",
        residents=tuple(table.cast.residents),
        cast=table.cast,
    )


def card_at(view: View, spot: str) -> Card:
    """Return the card at a spot such as `B3`."""
    return view.villages[spot[0]][int(spot[1:]) - 1]


def village_texts(view: View) -> dict[str, str]:
    """Return the villages of a view in the notation of positions, with `?` for unknown numbers."""
    return {seat: " ".join([str(card) for card in village]) for seat, village in view.villages.items()}


def seat_letter(seat: int) -> str:
    """Return a seat's letter; empty for `NO_SEAT`."""
    return "" if seat == NO_SEAT else SEAT_LETTERS[seat]


def marked_spots(table: Table, cards: list[int]) -> tuple[str, ...]:
    """Return the spots of those cards that lie in villages, except untraceable cards, whose marks are hidden (B8)."""
    in_villages = [card for card in cards if table.owner(card) != NO_SEAT and not table.is_untraceable(card)]
    return tuple(sorted([spot_text(table.spot_of_card(card)) for card in in_villages]))


def guard_spots(table: Table) -> tuple[tuple[str, str], ...]:
    """Return a pair of spots for each guard: the guarding card and the card that it guards."""
    spots = sorted([(table.spot_of_card(guard), table.spot_of_card(card)) for _, guard, card in table.guards])
    return tuple([(spot_text(guard), spot_text(card)) for guard, card in spots])


def make_asking(table: Table, chooser: int) -> Asking | None:
    """Return the question that the seat `chooser` has to answer; None for `NO_SEAT`."""
    if chooser == NO_SEAT:
        return None
    picked = table.picked
    if table.named_places:
        picked = tuple(
            [card_move(EXCHANGE, table.turn, place) for place in range(CARDS_IN_DECK) if table.is_named(place)]
        )
    elif table.first_look_pending and table.first_peeks[chooser] >= 0:
        picked = (card_move(PEEK, chooser, table.first_peeks[chooser]),)
    depths = tuple([len(table.discard) - place for place in table.pile_choices])
    return Asking(SEAT_LETTERS[chooser], table.asker, table.step, tuple([MOVES[move] for move in picked]), depths)


def named_spot_texts(table: Table) -> tuple[str, ...]:
    """Return the spots named so far in an exchange."""
    return tuple([spot_text(make_spot(table.turn, place)) for place in range(CARDS_IN_DECK) if table.is_named(place)])


def may_see_face(table: Table, seat: int, card: int) -> bool:
    """Whether a seat may see a card's face: it is faceup, or the seat has looked at it.

    Until the round is over, watchers do not see facedown cards, even those that everybody has seen.
    """
    if table.is_faceup(card):
        return True
    if seat == NO_SEAT:
        return table.end_reason != NO_END_REASON and table.knows(WATCHERS, card)
    return table.knows(seat, card)


# Cards by number, marks and the seats that know them; filled when they are first needed.
_CARD_CACHE: Final[list[Card | None]] = [None] * (RESIDENTS_PER_BOX + 1 << 8)


def card_for_viewer(table: Table, seat: int, card: int) -> Card:
    number = table.faces[card] if may_see_face(table, seat, card) else -1
    marks = table.faceup >> card & 1 | (table.sideways >> card & 1) << 1  # not bools, which mypyc would box
    marks |= (card == table.covered_card) << 2 | (table.passed_over >> card & 1) << 3
    return cached_card(number, marks, table.viewers_of(card) & (1 << table.players) - 1)


def cached_card(number: int, marks: int, known_by: int) -> Card:
    """Return the shared `Card` with this number (-1 if hidden), marks, and bit mask of the seats that know it.

    The bits of `marks`, from the lowest, are faceup, sideways, covered, passed over.
    """
    cache_index = (number + 1) << 8 | marks << 4 | known_by
    card = _CARD_CACHE[cache_index]
    if card is None:
        seats = "".join([letter for seat, letter in enumerate(SEAT_LETTERS) if known_by >> seat & 1])
        shown = None if number < 0 else number
        card = Card(shown, marks & 1 != 0, marks & 2 != 0, marks & 4 != 0, seats, marks & 8 != 0)
        _CARD_CACHE[cache_index] = card
    return card


def cards_for_viewer(table: Table, seat: int, cards: Sequence[int]) -> tuple[Card, ...]:
    return tuple([card_for_viewer(table, seat, card) for card in cards])


def pile_for_viewer(table: Table, seat: int, cards: Sequence[int]) -> tuple[Card, ...]:
    """Return a pile as a seat sees it, from the top."""
    return tuple([card_for_viewer(table, seat, card) for card in reversed(cards)])


def deck_for_viewer(table: Table, seat: int) -> tuple[Card, ...]:
    """Return the deck as a seat sees it, from the top. The top card of a faceup deck is visible (B5)."""
    cards = list(pile_for_viewer(table, seat, table.deck))
    if table.deck_up and cards:
        cards[0] = cached_card(table.faces[table.deck[-1]], 1, (1 << table.players) - 1)
    return tuple(cards)


def direction_text(table: Table) -> str:
    return "clockwise" if table.direction > 0 else "counterclockwise"
