"""Observations: a seat's view as a row of bytes of fixed layout, the same for every box and number of seats.

Seats are told as the observing seat sees them: itself, then the others clockwise. The layout is :data:`PARTS`. It says
what the seat's :class:`argentum.rules.views.View` says, except for the names and for the legal moves, which are in the
mask (:func:`argentum.envs.actions.mask`). It is written straight from the table: most of it are blocks that stand
for a card as it is seen, made once and looked up.

>>> from argentum import Game
>>> game = Game.new("dagger", players=3, seed=1)
>>> buffer = bytearray(SIZE)
>>> encode(game, 0, buffer)
>>> part = PART["residents"]
>>> list(buffer[part.offset : part.offset + part.size]) == [0] * 28 + [1] * 14
True
"""

from typing import Final, NamedTuple

from librt.strings import BytesWriter

from argentum.rules.game import FEWEST, MOST, Game
from argentum.rules.residents import BOXES, CARDS, LETTERS, NUMBERS, Cast, copies
from argentum.rules.scoring import ROUNDS
from argentum.rules.table import NO_CARD, NO_SEAT, Table

VERSION: Final = 0  # of the layout; it is the version of the environments that use it
RESIDENTS: Final = len(BOXES) * NUMBERS
SPOTS: Final = 8  # of a village that have a block; cards further on stand in `cards` alone
PILE_BLOCKS: Final = 4  # of the discard pile: a used Nosferatu and the three that it may reach (C10)
MARKS: Final = ("up", "sideways", "covered", "passed", "used", "resting", "named")

# The fields of a block: a card for a network that has an input for each thing that may be so.
NUMBER: Final = 2
RESIDENT: Final = 3
MARK: Final = RESIDENT + RESIDENTS
KNOWN_BY: Final = MARK + len(MARKS)
BLOCK: Final = KNOWN_BY + MOST
# Where a card is in `places`: 1 to 4 are villages, 5 to 8 private decks, each from one's own; 0 is nowhere.
IN_VILLAGE: Final = 1
IN_PRIVATE: Final = 5
IN_PILE: Final = 9
IN_DECK: Final = 10
IN_HAND: Final = 11
PLACES: Final = 12


class Part(NamedTuple):
    """A part of the layout: values in a row, of a shape, from an offset."""

    name: str
    offset: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many values it has."""
        size = 1
        for length in self.shape:
            size *= length
        return size


_LAYOUT: Final[tuple[tuple[str, tuple[int, ...], str], ...]] = (
    ("seats", (3,), "one-hot: two, three or four seats"),
    ("residents", (3, NUMBERS), "the deck: by box (bullet, coin, dagger) and number, 1 for each resident in it (G1)"),
    ("token", (3,), "one-hot: the token in play, bullet, coin or dagger"),
    ("token_state", (3,), "one-hot: idle, active or used (G17, G18)"),
    ("token_seat", (MOST,), "one-hot: whose it is"),
    ("round", (ROUNDS,), "one-hot: the round"),
    ("turn", (MOST,), "one-hot: whose turn it is"),
    ("to_move", (MOST,), "one-hot: who must choose now; all 0 when the game is over"),
    ("holder", (MOST,), "one-hot: who has a card in hand; all 0 if nobody has"),
    ("caller", (MOST,), "one-hot: who has called; all 0 if nobody has"),
    ("previous", (MOST,), "one-hot: the other seat that last finished a turn (D4); all 0 if none has"),
    ("looking", (MOST,), "1 for each seat that has yet to take its first look (G4)"),
    ("clockwise", (1,), "1 while play goes clockwise"),
    ("deck_up", (1,), "1 while the deck lies faceup (B5)"),
    ("round_over", (1,), "1 when the round is over"),
    ("over", (1,), "1 when the game is over"),
    ("turns", (1,), "turns finished in this round, 0 to 200 (G14)"),
    ("extra_turns", (1,), "extra turns that the seat to play will take (C1, D11)"),
    ("village_sizes", (MOST,), "cards in each village"),
    ("private_sizes", (MOST,), "cards in each private deck"),
    ("deck_size", (1,), "cards in the deck"),
    ("discard_size", (1,), "cards in the discard pile"),
    (
        "totals",
        (MOST, 3),
        "points of finished rounds by seat: above 0, below 0, and how many times 255 more",
    ),
    ("scores", (MOST, 3), "the same for this round, once it is over"),
    ("unseen", (NUMBERS,), "by number: how many of its cards lie where the seat does not know them"),
    ("villages", (MOST, SPOTS, BLOCK), "a block for each of the first eight cards of each village"),
    ("hand", (1, BLOCK), "a block for the card in hand"),
    ("discard", (PILE_BLOCKS, BLOCK), "a block for each of the top four cards of the discard pile"),
    ("deck", (1, BLOCK), "a block for the top card of the deck"),
    ("private", (1, BLOCK), "a block for the top card of one's own private deck"),
    (
        "places",
        (CARDS, 2),
        "for each card in a village, hand, private deck or the discard pile, and for those of the deck that somebody"
        " has seen: where it is, and its place there from 1",
    ),
    ("cards", (CARDS, 3), "what is seen of these cards: resident from 1 (0: unknown), marks as bits, seen by as bits"),
)


def _parts() -> tuple[Part, ...]:
    """The parts with their offsets."""
    parts: list[Part] = []
    offset = 0
    for name, shape, meaning in _LAYOUT:
        part = Part(name, offset, shape, meaning)
        parts.append(part)
        offset += part.size
    return tuple(parts)


PARTS: Final = _parts()
PART: Final = {part.name: part for part in PARTS}
SIZE: Final = PARTS[-1].offset + PARTS[-1].size

_ONE_HOT: Final = [[bytes([one == place for one in range(size)]) for place in range(size)] for size in range(MOST + 1)]
_BITS: Final = [bytes([bits >> seat & 1 for seat in range(MOST)]) for bits in range(1 << MOST)]
_BLANK: Final = [bytes(BLOCK * count) for count in range(MOST * SPOTS + 1)]
_NO_SEATS: Final = [bytes(MOST - players) for players in range(MOST + 1)]
_NO_POINTS: Final = [bytes(3 * (MOST - players)) for players in range(MOST + 1)]
_NO_PLACES: Final = [bytes(2 * count) for count in range(CARDS + 1)]
_NO_CARDS: Final = [bytes(3 * count) for count in range(CARDS + 1)]
_PLACE: Final = [[bytes([where, place + 1]) for place in range(CARDS)] for where in range(PLACES)]
_IN_ORDER: Final = [[b"".join(places[:count]) for count in range(CARDS + 1)] for places in _PLACE]
_NO_MARKS: Final[list[int]] = []
_TOP_UP: Final = [1 << 4] + [0] * (CARDS - 1)  # the first of some cards is faceup
_COPIES: Final = bytes([copies(number) for number in range(NUMBERS)])


def _seen_by_others(players: int, seat: int) -> list[int]:
    """Seats as bits from the observer's own: for each such set of bits from seat A."""
    return [
        sum([1 << (one - seat) % players for one in range(players) if bits >> one & 1]) for bits in range(1 << MOST)
    ]


_FROM: Final = [
    [_seen_by_others(players, seat) for seat in range(players)] if players >= FEWEST else []
    for players in range(MOST + 1)
]


# By the number of seats, and by the observing seat: all seats from it on; and each seat one-hot, with none (-1) last.
_ORDER: Final = [
    [[(seat + step) % players for step in range(players)] for seat in range(players)] for players in range(MOST + 1)
]
_ONE_SEAT: Final = [
    [[*[_ONE_HOT[MOST][(one - seat) % players] for one in range(players)], bytes(MOST)] for seat in range(players)]
    for players in range(MOST + 1)
]


class Deck:
    """What an observation says of a cast, made once for each."""

    def __init__(self, cast: Cast) -> None:
        code = cast.code
        self.residents: Final = [LETTERS.index(code[number]) * NUMBERS + number + 1 << 11 for number in range(NUMBERS)]
        composition = bytes([code[number] == letter for letter in LETTERS for number in range(NUMBERS)])
        self.told: Final = composition + _ONE_HOT[3][BOXES.index(cast.token)]


_DECKS: Final[dict[tuple[str, str], Deck]] = {}
# Each card as it is seen (see `_note`), as its block and as it stands in `cards`; empty until it is first met.
# (Not `[b""] * _LOOKS`, which mypyc would write out item by item.)
_LOOKS: Final = RESIDENTS + 1 << 11
_BLOCKS: Final = [b"" for _ in range(_LOOKS)]
_ROWS: Final = [b"" for _ in range(_LOOKS)]


def _deck(cast: Cast) -> Deck:
    key = (cast.code, cast.token)
    found = _DECKS.get(key)
    if found is None:
        found = _DECKS[key] = Deck(cast)
    return found


def _note(look: int) -> bytes:
    """Make a card as it is seen for the first time; the block is returned.

    The number has the resident from 1 (0: unknown), then seven bits of marks, then one for each seat that has seen it.
    """
    resident, marks, seen = look >> 11, look >> 4 & 127, look & 15
    block = bytearray(BLOCK)
    block[0] = 1
    if resident:
        block[1] = 1
        block[NUMBER] = (resident - 1) % NUMBERS
        block[RESIDENT + resident - 1] = 1
    for nth in range(len(MARKS)):
        block[MARK + nth] = marks >> nth & 1
    block[KNOWN_BY:] = _BITS[seen]
    _BLOCKS[look] = bytes(block)
    _ROWS[look] = bytes([resident, marks, seen])
    return _BLOCKS[look]


_SOME_CARD: Final = _note(0)


class Observer:
    """One seat looking at a table, while it is written down."""

    def __init__(self, table: Table, seat: int, out: BytesWriter) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.out: Final = out
        self.deck: Final = _deck(table.cast)
        self.seats: Final = _FROM[table.players][seat]
        self.order: Final = _ORDER[table.players][seat]
        self.places: Final = BytesWriter()
        self.cards: Final = BytesWriter()

    def write(self, chooser: int, over: bool) -> None:
        """Write the observation."""
        out = self.out
        self.course(chooser, over)
        self.sizes()
        self.points(self.table.totals)
        self.points(self.table.scores)
        unseen = len(out)
        out.write(_COPIES)
        self.villages(unseen)
        self.piles(unseen)
        count = len(self.places) // 2
        out.write(self.places.getvalue())
        out.write(_NO_PLACES[CARDS - count])
        out.write(self.cards.getvalue())
        out.write(_NO_CARDS[CARDS - count])

    def course(self, chooser: int, over: bool) -> None:
        """Everything but the cards and the points."""
        table, out = self.table, self.out
        seats = _ONE_SEAT[table.players][self.seat]
        out.write(_ONE_HOT[3][table.players - FEWEST])
        out.write(self.deck.told)
        out.write(_ONE_HOT[3][table.token_state])
        out.write(seats[table.token_seat])
        out.write(_ONE_HOT[ROUNDS][table.round - 1])
        out.write(seats[table.turn])
        out.write(seats[chooser])
        out.write(seats[table.turn if table.hand != NO_CARD else NO_SEAT])
        out.write(seats[table.caller])
        out.write(seats[table.predecessor(table.turn)])
        out.write(_BITS[self.seats[table.looking]])
        out.append(1 if table.direction > 0 else 0)
        out.append(1 if table.deck_up else 0)
        out.append(1 if table.over else 0)
        out.append(1 if over else 0)
        out.append(table.finished)
        out.append(table.extra)

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
        out.append(len(table.pile))

    def points(self, points: list[int]) -> None:
        """Points by seat, from the observer's own."""
        out = self.out
        if not points:
            out.write(_NO_POINTS[0])
            return
        for seat in self.order:
            amount = points[seat]
            size = abs(amount)
            out.append(size % 255 if amount > 0 else 0)
            out.append(size % 255 if amount < 0 else 0)
            out.append(size // 255)
        out.write(_NO_POINTS[len(points)])

    def look_along(self, cards: list[int], where: int, most: int, marks: list[int], unseen: int) -> None:
        """Write down all the cards at a place."""
        self.places.write(_IN_ORDER[where][len(cards)])
        self.look_at(cards, most, marks, unseen)

    def look_at(self, cards: list[int], most: int, marks: list[int], unseen: int) -> None:
        """Write down what is seen of cards, with a block for so many of them, and marks that hang on where they lie.

        Those that the seat knows are not `unseen`, which is the offset of that part.
        """
        table, seats, residents = self.table, self.seats, self.deck.residents
        faces, seen, up, side, passed = table.faces, table.seen, table.up, table.side, table.passed
        out, rows, bit = self.out, self.cards, 1 << self.seat
        place = 0
        for card in cards:
            who, faceup = seen[card], up[card]
            look = seats[who & 15] | faceup << 4 | side[card] << 5
            if passed:
                look |= (passed >> card & 1) << 7
            if faceup or who & bit:
                number = faces[card]
                look |= residents[number]
                out[unseen + number] = out[unseen + number] - 1
            if marks:
                look |= marks[place]
            block = _BLOCKS[look]
            if not block:
                block = _note(look)
            rows.write(_ROWS[look])
            if place < most:
                out.write(block)
            place += 1
        if place < most:
            out.write(_BLANK[most - place])

    def villages(self, unseen: int) -> None:
        """The villages, one's own first."""
        table = self.table
        marked = table.used != 0 or table.bullet != NO_CARD or len(table.resting) > 0
        where = IN_VILLAGE
        for owner in self.order:
            named = table.named != 0 and owner == table.turn
            marks = self.marks(owner) if marked or named else _NO_MARKS
            self.look_along(table.villages[owner], where, SPOTS, marks, unseen)
            where += 1
        self.out.write(_BLANK[(MOST - table.players) * SPOTS])

    def marks(self, owner: int) -> list[int]:
        """The marks of a village's cards that hang on spots: covered, used, resting, named."""
        table = self.table
        named = table.named if owner == table.turn else 0
        resting = [card for one, card, _ in table.resting if one == owner]
        marks: list[int] = []
        for place, card in enumerate(table.villages[owner]):
            mark = (card == table.bullet) << 2 | (table.used >> card & 1) << 4 | (named >> place & 1) << 6
            if card in resting:
                mark |= 1 << 5
            marks.append(mark << 4)
        return marks

    def piles(self, unseen: int) -> None:
        """The card in hand, the discard pile and the deck from their tops, and the private decks."""
        table = self.table
        self.look_along([table.hand] if table.hand != NO_CARD else [], IN_HAND, 1, _NO_MARKS, unseen)
        self.look_along(table.pile[::-1], IN_PILE, PILE_BLOCKS, _NO_MARKS, unseen)
        self.look_at_deck(unseen)
        where = IN_PRIVATE
        for owner in self.order:
            private = table.private[owner]
            if private or owner == self.seat:
                self.look_along(private[::-1], where, 1 if owner == self.seat else 0, _NO_MARKS, unseen)
            where += 1

    def look_at_deck(self, unseen: int) -> None:
        """The deck: a block for its top card, and those of its cards that somebody has seen."""
        table = self.table
        deck, seen, passed = table.deck, table.seen, table.passed
        known: list[int] = []
        for place in range(len(deck) - 1, -1, -1):
            card = deck[place]
            if seen[card] or passed >> card & 1:
                known.append(card)
                self.places.write(_PLACE[IN_DECK][len(deck) - 1 - place])
        top = len(known) > 0 and known[0] == deck[-1]
        if not top:
            self.out.write(_SOME_CARD if deck else _BLANK[1])
        self.look_at(known, 1 if top else 0, _TOP_UP if top and table.deck_up else _NO_MARKS, unseen)


def write_observation(game: Game, seat: int, out: BytesWriter) -> None:
    """Write what a seat observes."""
    Observer(game.table, seat, out).write(game.chooser, game.over)


def encode(game: Game, seat: int, buffer: bytearray | memoryview, offset: int = 0) -> None:
    """Write what a seat observes into a buffer, from an offset."""
    out = BytesWriter()
    write_observation(game, seat, out)
    buffer[offset : offset + SIZE] = out.getvalue()
