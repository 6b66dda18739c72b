"""Observation and action mask from a Table."""

from typing import Final

from librt.strings import BytesWriter

from argentum.observations.actions import ACTION_TABLE, ACTIONS, NAMELESS
from argentum.observations.layout import (
    _BASE_OF,
    _KIND_OF,
    _PLAIN,
    _STEP,
    A_RULE,
    ASKED_NUMBER,
    CARD_KINDS,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_PRIVATE,
    IN_SHOWN,
    IN_VILLAGE,
    MARKS,
    PICKS,
    RESIDENTS,
    WIDTH,
)
from argentum.rules.game import MIN_PLAYERS, MAX_PLAYERS
from argentum.rules.notation import PICK_CARD, EXCHANGE, GIVE, PEEK, TAKE_FROM_PILE, PICK_VILLAGE
from argentum.rules.residents import BOXES, CARDS_IN_DECK, LETTERS, RESIDENTS_PER_BOX, Cast, copies_of
from argentum.rules.table import NO_CARD, NO_SEAT, Table


def write_mask(moves: list[int], seat: int, players: int, out: BytesWriter) -> None:
    """Write a 1 for each action that is one of a seat's legal moves, and a 0 for each other."""
    first = len(out)
    out.write(_NONE)
    table = ACTION_TABLE[players][seat]
    for move in moves:
        out[first + table[move]] = 1


_NONE: Final = bytes(ACTIONS)
_PICKED: Final = WIDTH - 5
_GUARDS: Final = WIDTH - 4
_GUARDED: Final = WIDTH - 3
_REACHED: Final = WIDTH - 2
_LEGAL: Final = WIDTH - 1
_CARD_FLAGS: Final = NAMELESS - _KIND_OF[PICK_CARD]

_NO_SEATS: Final = [bytes(MAX_PLAYERS - players) for players in range(MAX_PLAYERS + 1)]
_NO_POINTS: Final = [bytes(3 * (MAX_PLAYERS - players)) for players in range(MAX_PLAYERS + 1)]
_NO_TOKENS: Final = [bytes(WIDTH * count) for count in range(CARDS_IN_DECK + 1)]
_NO_PICKS: Final = [bytes(1 + 3 * PICKS), *[bytes(3 * (PICKS - count)) for count in range(1, PICKS + 1)]]
_NO_FLAGS: Final = bytes(NAMELESS + CARD_KINDS)
_NO_RESIDENTS: Final = [bytes(count) for count in range(CARDS_IN_DECK + 1)]
_NO_MARKS: Final[list[int]] = []
_IN_ORDER: Final = list(range(1, CARDS_IN_DECK + 1))
_COPIES: Final = bytes([copies_of(number) for number in range(RESIDENTS_PER_BOX)])
_BITS: Final = [bytes([bits >> seat & 1 for seat in range(MAX_PLAYERS)]) for bits in range(1 << MAX_PLAYERS)]
_ASKER: Final[dict[str, bytes]] = {}  # what asks, by its label


def _asker(label: str) -> bytes:
    """What asks, as a box and a number; made once for each label."""
    box = LETTERS.find(label[0].lower()) + 1
    found = _ASKER[label] = bytes([box or A_RULE, min(int(label[1:]) + 1, ASKED_NUMBER - 1)])
    return found


def _seen_from(players: int, seat: int) -> list[int]:
    """Seats as bits from the observer's own: for each such set of bits from seat A."""
    return [
        sum([1 << (one - seat) % players for one in range(players) if bits >> one & 1])
        for bits in range(1 << MAX_PLAYERS)
    ]


# By the number of seats, and by the observing seat: sets of seats; all seats from it on; and each seat from 1, with
# none (-1) last.
_FROM: Final = [
    [_seen_from(players, seat) for seat in range(players)] if players >= MIN_PLAYERS else []
    for players in range(MAX_PLAYERS + 1)
]
_ORDER: Final = [
    [[(seat + step) % players for step in range(players)] for seat in range(players)]
    for players in range(MAX_PLAYERS + 1)
]
_SEAT: Final = [
    [[*[(one - seat) % players + 1 for one in range(players)], 0] for seat in range(players)]
    for players in range(MAX_PLAYERS + 1)
]

# A card as it is seen is a number: who has seen it, its marks, and its resident from 1 (0: unknown).
_SEEN_BITS: Final = 4
_FACE: Final = _SEEN_BITS + len(MARKS)
_COVERED: Final = 1 << _SEEN_BITS + 2
_MUTED: Final = 1 << _SEEN_BITS + 3
_USED: Final = 1 << _SEEN_BITS + 5
_RESTING: Final = 1 << _SEEN_BITS + 6
_NAMED: Final = 1 << _SEEN_BITS + 7
_UP: Final = 1 << _SEEN_BITS
_PASSED_BIT: Final = _SEEN_BITS + 4
# The columns from `resident` on of each such card, empty until it is first met. (Not `[b""] * _LOOKS`, which mypyc
# would write out item by item.)
_LOOKS: Final = RESIDENTS + 1 << _FACE
_ROWS: Final = [b"" for _ in range(_LOOKS)]


def _note(look: int) -> bytes:
    """The columns of a card as it is seen, made when it is first met."""
    resident = look >> _FACE
    number = (resident - 1) % RESIDENTS_PER_BOX + 1 if resident else 0
    marks = [look >> _SEEN_BITS + nth & 1 for nth in range(len(MARKS))]
    row = _ROWS[look] = bytes([resident, number, *marks, *_BITS[look & 15], 0, 0, 0, 0, 0])
    return row


class Deck:
    """What an observation says of a cast, made once for each."""

    def __init__(self, cast: Cast) -> None:
        code = cast.code
        self.residents: Final = [
            LETTERS.index(code[number]) * RESIDENTS_PER_BOX + number + 1 for number in range(RESIDENTS_PER_BOX)
        ]
        self.told: Final = bytes([*[LETTERS.index(letter) + 1 for letter in code], BOXES.index(cast.token) + 1])
        self.cover: Final = _COVERED | (_MUTED if cast.token_mutes_card else 0)
        self.packed: Final = bytes(
            [*self.residents, *self.told, 1 if cast.token_mutes_card else 0]
        )  # for the encoder in C


_DECKS: Final[dict[tuple[str, str], Deck]] = {}


def deck_of(cast: Cast) -> Deck:
    """What an observation says of a cast."""
    key = (cast.code, cast.token)
    found = _DECKS.get(key)
    if found is None:
        found = _DECKS[key] = Deck(cast)
    return found


class Observer:
    """One seat looking at a table, while it is written down; with the truth, if that is wanted, written beside it."""

    def __init__(self, table: Table, seat: int, legal: list[int], out: BytesWriter, truth: BytesWriter | None) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.legal: Final = legal  # its moves, if it must choose
        self.out: Final = out
        self.truth: Final = truth
        self.deck: Final = deck_of(table.cast)
        self.seats: Final = _SEAT[table.players][seat]
        self.sets: Final = _FROM[table.players][seat]
        self.order: Final = _ORDER[table.players][seat]
        self.picks: tuple[int, ...] = ()  # the moves made so far in answer to what is asked
        self.starts: Final = [0] * table.players  # by seat: where the tokens of its village begin
        self.tokens = 0  # written so far
        self.unseen = 0  # where that part is

    def write(self, chooser: int, over: bool) -> None:
        """Write the observation, and the truth."""
        self.course(chooser, over)
        self.sizes()
        self.points(self.table.totals)
        self.points(self.table.scores)
        self.unseen = len(self.out)
        self.out.write(_COPIES)
        self.villages()
        self.piles()
        self.out.write(_NO_TOKENS[CARDS_IN_DECK - self.tokens])
        if self.truth is not None:
            self.write_deck(self.truth)

    def course(self, chooser: int, over: bool) -> None:
        """Whose turn it is, what is asked, and how things stand."""
        table, out, seats = self.table, self.out, self.seats
        out.append(table.players)
        out.write(self.deck.told)
        out.append(table.token_state)
        out.append(seats[table.token_seat])
        out.append(seats[table.scored_token_seat] if table.round_over else 0)
        out.append(table.round)
        out.append(seats[table.turn])
        out.append(seats[chooser])
        self.question(self.seat if table.first_look_pending >> self.seat & 1 and chooser != NO_SEAT else chooser)
        first = len(out)
        out.write(_NO_FLAGS)
        actions = ACTION_TABLE[table.players][self.seat]
        for move in self.legal:
            out[first + (actions[move] if move < PICK_CARD else _KIND_OF[move] + _CARD_FLAGS)] = 1
        out.append(seats[table.turn] if table.hand != NO_CARD else 0)
        out.append(seats[table.caller])
        out.append(seats[table.previous_seat(table.turn)])
        out.write(_BITS[self.sets[table.first_look_pending]])
        out.append(1 if table.direction > 0 else 0)
        out.append(1 if table.deck_up else 0)
        out.append(1 if table.round_over else 0)
        out.append(1 if over else 0)
        out.append(table.end_reason + 1)
        out.append(table.turns)
        out.append(table.extra_turns)

    def question(self, asked: int) -> None:
        """What a seat is asked, and what was picked so far."""
        table, out = self.table, self.out
        out.append(self.seats[asked])
        if asked == NO_SEAT:
            out.write(_NO_SEATS[1])
            out.write(_NO_PICKS[0])
            return
        asker = _ASKER.get(table.asker)
        out.write(asker if asker is not None else _asker(table.asker))
        out.append(_STEP[table.step])
        picked = self.picks = self.picked(asked)
        if not picked:
            out.write(_NO_PICKS[0])
            return
        out.append(len(picked))
        listed = picked[:PICKS]
        for move in listed:
            self.pick(move)
        out.write(_NO_PICKS[len(listed)])

    def picked(self, asked: int) -> tuple[int, ...]:
        """The moves made so far in answer to what a seat is asked."""
        table = self.table
        if table.named_places:
            first, named = EXCHANGE + (table.turn << 6), table.named_places
            return tuple([first + place for place in range(len(table.villages[table.turn])) if named >> place & 1])
        if table.first_look_pending and table.first_peeks[asked] >= 0:
            return (PEEK + (asked << 6) + table.first_peeks[asked],)
        return table.picked

    def pick(self, move: int) -> None:
        """A move that was picked: its kind, a village, and a place or number."""
        out = self.out
        kind = _KIND_OF[move]
        out.append(kind + 1)
        if move >= PICK_CARD:
            out.append(self.seats[(move - GIVE) >> 8 if move >= GIVE else move >> 6 & 3])
            out.append((move & 63) + 1)
        elif PICK_VILLAGE <= move < TAKE_FROM_PILE:
            out.append(self.seats[move - PICK_VILLAGE])
            out.append(0)
        else:
            out.append(0)
            out.append(move - _BASE_OF[kind] if kind >= _PLAIN else 0)

    def sizes(self) -> None:
        """How many cards there are in each village, each private deck, the deck and the discard pile."""
        table, out = self.table, self.out
        for seat in self.order:
            out.append(len(table.villages[seat]))
        out.write(_NO_SEATS[table.players])
        for seat in self.order:
            out.append(len(table.private[seat]))
        out.write(_NO_SEATS[table.players])
        out.append(len(table.deck))
        out.append(len(table.discard))
        out.append(len(table.shown))

    def points(self, points: list[int]) -> None:
        """Points by seat, from the observer's own."""
        out = self.out
        if not points:
            out.write(_NO_POINTS[0])
            return
        for seat in self.order:
            amount = points[seat]
            size = abs(amount)
            out.append(size & 255)
            out.append(size >> 8)
            out.append(1 if amount < 0 else 0)
        out.write(_NO_POINTS[len(points)])

    def look_along(self, cards: list[int], where: int, places: list[int], marks: list[int]) -> None:
        """Write a token for each card at a place of the table; marks are those that hang on where cards lie.

        Those that the seat knows are not unseen.
        """
        table, sets, residents = self.table, self.sets, self.deck.residents
        faces, seen, up, sideways, passed = table.faces, table.seen_by, table.faceup, table.sideways, table.passed_over
        out, truth, unseen, bit = self.out, self.truth, self.unseen, 1 << self.seat
        nth = 0
        for card in cards:
            who = seen[card]
            look = sets[who & 15] | (up >> card & 1) << _SEEN_BITS | (sideways >> card & 1) << _SEEN_BITS + 1
            if passed:
                look |= (passed >> card & 1) << _PASSED_BIT
            if marks:
                look |= marks[nth]
            number = faces[card]
            if look & _UP or who & bit:
                look |= residents[number] << _FACE
                out[unseen + number] = out[unseen + number] - 1
            row = _ROWS[look]
            if not row:
                row = _note(look)
            out.append(where)
            out.append(places[nth])
            out.write(row)
            if truth is not None:
                truth.append(residents[number])
            nth += 1
        self.tokens += nth

    def villages(self) -> None:
        """The villages, one's own first; then who is picked, guarded and to be chosen from in them."""
        table = self.table
        starts = self.starts
        marked = (
            table.used_cards != 0
            or table.covered_card != NO_CARD
            or len(table.cooldowns) > 0
            or table.named_places != 0
        )
        where = IN_VILLAGE
        for owner in self.order:
            starts[owner] = len(self.out)
            marks = self.marks(owner) if marked else _NO_MARKS
            self.look_along(table.villages[owner], where, _IN_ORDER, marks)
            where += 1
        if self.picks:
            self.mark_picked()
        if table.guards:
            self.mark_guards()
        for move in self.legal:
            if move >= PICK_CARD:
                self.out[self.token_at(move) + _LEGAL] = 1

    def marks(self, owner: int) -> list[int]:
        """The marks of a village's cards that hang on spots; those of shuffled cards nobody can place (B8)."""
        table = self.table
        named = table.named_places if owner == table.turn else 0
        used = table.used_cards & ~table.untraceable
        resting = [card for one, card, _ in table.cooldowns if one == owner and not table.untraceable >> card & 1]
        cover = self.deck.cover
        marks: list[int] = []
        for place, card in enumerate(table.villages[owner]):
            mark = cover if card == table.covered_card else 0
            if used >> card & 1:
                mark |= _USED
            if named >> place & 1:
                mark |= _NAMED
            if card in resting:
                mark |= _RESTING
            marks.append(mark)
        return marks

    def token_at(self, where: int) -> int:
        """The offset of the token of the card at a spot."""
        return self.starts[where >> 6 & 3] + WIDTH * (where & 63)

    def mark_picked(self) -> None:
        """Say of each card that was picked as which one, from 1."""
        table = self.table
        for nth, move in enumerate(self.picks, start=1):
            if move >= PICK_CARD and move & 63 < len(table.villages[move >> 6 & 3]):
                self.out[self.token_at(move) + _PICKED] = nth

    def mark_guards(self) -> None:
        """Say of each guarding card the place of the one that it guards, and of that one that it is guarded (A3)."""
        table, out = self.table, self.out
        for _, guard, guarded in table.guards:
            spot = table.spot_of_card(guarded)
            out[self.token_at(table.spot_of_card(guard)) + _GUARDS] = (spot & 63) + 1
            out[self.token_at(spot) + _GUARDED] = 1

    def piles(self) -> None:
        """The card in hand, the discard pile and the deck from their tops, those beside it, and the private decks."""
        table = self.table
        if table.hand != NO_CARD:
            self.look_along([table.hand], IN_HAND, _IN_ORDER, _NO_MARKS)
        first = len(self.out)
        self.look_along(table.discard[::-1], IN_DISCARD, _IN_ORDER, _NO_MARKS)
        for nth, place in enumerate(table.pile_choices, start=1):
            self.out[first + WIDTH * (len(table.discard) - 1 - place) + _REACHED] = nth
        self.look_at_deck()
        if table.shown:
            self.look_along(list(table.shown), IN_SHOWN, _IN_ORDER, _NO_MARKS)
        where = IN_PRIVATE
        for owner in self.order:
            private = table.private[owner]
            if private:
                self.look_along(list(private[::-1]), where, _IN_ORDER, _NO_MARKS)
            where += 1

    def look_at_deck(self) -> None:
        """Those cards of the deck that somebody has seen; the top of a faceup deck lies open (B5)."""
        table = self.table
        deck, seen, passed = table.deck, table.seen_by, table.passed_over
        cards: list[int] = []
        depths: list[int] = []
        marks: list[int] = []
        size = len(deck)
        for depth in range(1, size + 1):
            card = deck[size - depth]
            if seen[card] or passed >> card & 1:
                cards.append(card)
                depths.append(depth)
                marks.append(_UP if depth == 1 and table.deck_up else 0)
        if cards:
            self.look_along(cards, IN_DECK, depths, marks)

    def write_deck(self, truth: BytesWriter) -> None:
        """Fill up the truth about the tokens, and write the deck from the top."""
        table, residents = self.table, self.deck.residents
        truth.write(_NO_RESIDENTS[CARDS_IN_DECK - self.tokens])
        for card in reversed(table.deck):
            truth.append(residents[table.faces[card]])
        truth.write(_NO_RESIDENTS[CARDS_IN_DECK - len(table.deck)])


def write_observation(
    table: Table, seat: int, chooser: int, over: bool, legal: list[int], out: BytesWriter, truth: BytesWriter | None
) -> None:
    """Write what a seat observes, whose `legal` moves are given if it is the chooser; and the truth, if it is wanted.

    The truth goes somewhere else: the resident of each token of the observation, then of the deck from the top.
    """
    Observer(table, seat, legal if seat == chooser else [], out, truth).write(chooser, over)
