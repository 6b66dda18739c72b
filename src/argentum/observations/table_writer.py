# mypyc: compile
"""Write observations and action masks from a table. The optional `_encode.c` writes the same bytes faster."""

from functools import cache
from typing import Final

from librt.strings import BytesWriter

from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE, CARDLESS_ACTIONS
from argentum.observations.layout import (
    ASKER_BYTES,
    BASE_OF_KIND,
    CARD_KIND_COUNT,
    KIND_OF_MOVE,
    LOCATION_DECK,
    LOCATION_DISCARD,
    LOCATION_HAND,
    LOCATION_PRIVATE,
    LOCATION_SHOWN,
    LOCATION_VILLAGE,
    MARK_COLUMNS,
    MAX_PICKS,
    PLAIN_KIND_COUNT,
    RESIDENT_COUNT,
    STEP_NUMBERS,
    TOKEN_SIZE,
    box_code,
)
from argentum.rules.boxes import BOX_BY_LETTER, BOX_LETTERS
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import (
    EXCHANGE,
    GIVE,
    PEEK,
    PICK_CARD,
    card_move,
    names_card,
    names_village,
    place_of,
    receiver_of,
    seat_of,
    village_of,
)
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, Cast, copies_of
from argentum.rules.table import NO_CARD, NO_SEAT, Table


def write_action_mask(moves: list[int], seat: int, players: int, out: BytesWriter) -> None:
    """Write one byte per action: 1 if the action is one of the legal `moves` of the seat, else 0."""
    first = len(out)
    out.write(_EMPTY_MASK)
    actions = ACTION_OF_MOVE[players][seat]
    for move in moves:
        out[first + actions[move]] = 1


_EMPTY_MASK: Final = bytes(ACTION_COUNT)
# Offsets of the last columns of a card token.
_PICKED: Final = TOKEN_SIZE - 5
_GUARDS: Final = TOKEN_SIZE - 4
_GUARDED: Final = TOKEN_SIZE - 3
_REACHED: Final = TOKEN_SIZE - 2
_LEGAL: Final = TOKEN_SIZE - 1
_CARD_KIND_OFFSET: Final = CARDLESS_ACTIONS - KIND_OF_MOVE[PICK_CARD]  # from a kind to its flag in `may`

# Zero bytes that fill the rest of a part.
_SEAT_PADDING: Final = [bytes(MAX_PLAYERS - players) for players in range(MAX_PLAYERS + 1)]
_POINT_PADDING: Final = [bytes(3 * (MAX_PLAYERS - players)) for players in range(MAX_PLAYERS + 1)]
_TOKEN_PADDING: Final = [bytes(TOKEN_SIZE * count) for count in range(CARDS_IN_DECK + 1)]
_PICK_PADDING: Final = [
    bytes(1 + 3 * MAX_PICKS),
    *[bytes(3 * (MAX_PICKS - count)) for count in range(1, MAX_PICKS + 1)],
]
_EMPTY_FLAGS: Final = bytes(CARDLESS_ACTIONS + CARD_KIND_COUNT)
_RESIDENT_PADDING: Final = [bytes(count) for count in range(CARDS_IN_DECK + 1)]
_NO_MARKS: Final[list[int]] = []
_PLACES: Final = list(range(1, CARDS_IN_DECK + 1))
_COPIES: Final = bytes([copies_of(number) for number in range(RESIDENTS_PER_BOX)])
_BITS: Final = [bytes([bits >> seat & 1 for seat in range(MAX_PLAYERS)]) for bits in range(1 << MAX_PLAYERS)]


def _relative_masks(players: int, seat: int) -> list[int]:
    """Return for each bit mask of seats the mask relative to `seat`, in which bit 0 is `seat` itself."""
    return [
        sum([1 << (other - seat) % players for other in range(players) if bits >> other & 1])
        for bits in range(1 << MAX_PLAYERS)
    ]


# By number of players, then by observing seat: relative bit masks of seats, the seats in order from the observer, and
# relative seats from 1 (0 at index -1, for no seat).
_RELATIVE_MASKS: Final = [
    [_relative_masks(players, seat) for seat in range(players)] if players >= MIN_PLAYERS else []
    for players in range(MAX_PLAYERS + 1)
]
_SEAT_ORDER: Final = [
    [[(seat + step) % players for step in range(players)] for seat in range(players)]
    for players in range(MAX_PLAYERS + 1)
]
_RELATIVE_SEAT: Final = [
    [[*[(other - seat) % players + 1 for other in range(players)], 0] for seat in range(players)]
    for players in range(MAX_PLAYERS + 1)
]

# A card state packs which seats have seen the card, its marks, and its resident from 1 (0: unknown) into one number.
_SEEN_BITS: Final = MAX_PLAYERS
_ALL_SEATS: Final = (1 << MAX_PLAYERS) - 1  # bit mask of all seats; `Table.viewers_of` has a further bit for watchers
_FACE: Final = _SEEN_BITS + len(MARK_COLUMNS)
_COVERED: Final = 1 << _SEEN_BITS + 2
_MUTED: Final = 1 << _SEEN_BITS + 3
_USED: Final = 1 << _SEEN_BITS + 5
_RESTING: Final = 1 << _SEEN_BITS + 6
_NAMED: Final = 1 << _SEEN_BITS + 7
_UP: Final = 1 << _SEEN_BITS
_SIDEWAYS: Final = 1 << _SEEN_BITS + 1
_PASSED: Final = 1 << _SEEN_BITS + 4
# The columns of each card state from `resident` on, filled on first use. Not `[b""] * _CARD_STATES`, which mypyc would
# write out item by item.
_CARD_STATES: Final = RESIDENT_COUNT + 1 << _FACE
_CARD_ROWS: Final = [b"" for _ in range(_CARD_STATES)]


def _card_row(card_state: int) -> bytes:
    """Return the columns of a card token from `resident` on for a card state; cached."""
    resident = card_state >> _FACE
    number = (resident - 1) % RESIDENTS_PER_BOX + 1 if resident else 0
    marks = [card_state >> _SEEN_BITS + index & 1 for index in range(len(MARK_COLUMNS))]
    row = _CARD_ROWS[card_state] = bytes([resident, number, *marks, *_BITS[card_state & _ALL_SEATS], 0, 0, 0, 0, 0])
    return row


class EncodedCast:
    """The bytes of an observation that depend only on the cast."""

    def __init__(self, cast: Cast) -> None:
        code = cast.code
        self.residents: Final = [
            BOX_LETTERS.index(code[number]) * RESIDENTS_PER_BOX + number + 1 for number in range(RESIDENTS_PER_BOX)
        ]
        self.header: Final = bytes([*[box_code(BOX_BY_LETTER[letter].name) for letter in code], box_code(cast.token)])
        self.covered_marks: Final = _COVERED | (_MUTED if cast.token_mutes_card else 0)
        # What the encoder in C needs of the cast.
        self.encoder_bytes: Final = bytes([*self.residents, *self.header, 1 if cast.token_mutes_card else 0])


@cache
def encode_cast(cast: Cast) -> EncodedCast:
    return EncodedCast(cast)


class TableObservationWriter:
    """Writes the observation of one seat and, optionally, the hidden state."""

    def __init__(
        self, table: Table, seat: int, legal: list[int], out: BytesWriter, hidden_out: BytesWriter | None
    ) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.legal: Final = legal  # empty unless the seat is the chooser
        self.out: Final = out
        self.hidden_out: Final = hidden_out
        self.encoded_cast: Final = encode_cast(table.cast)
        self.relative_seats: Final = _RELATIVE_SEAT[table.players][seat]
        self.relative_masks: Final = _RELATIVE_MASKS[table.players][seat]
        self.order: Final = _SEAT_ORDER[table.players][seat]
        self.picks: tuple[int, ...] = ()  # moves made so far in answer to the question
        self.village_offsets: Final = [0] * table.players  # by seat: offset of the first token of its village
        self.token_count = 0  # tokens written so far
        self.unseen_offset = 0

    def write(self, chooser: int, over: bool) -> None:
        self.write_state(chooser, over)
        self.write_sizes()
        self.write_points(self.table.totals)
        self.write_points(self.table.scores)
        self.unseen_offset = len(self.out)
        self.out.write(_COPIES)
        self.write_villages()
        self.write_piles()
        self.out.write(_TOKEN_PADDING[CARDS_IN_DECK - self.token_count])
        if self.hidden_out is not None:
            self.write_hidden_deck(self.hidden_out)

    def write_state(self, chooser: int, over: bool) -> None:
        """Write the observation parts `seats` to `extra_turns`, in the order of the layout."""
        table, out, seats = self.table, self.out, self.relative_seats
        out.append(table.players)
        out.write(self.encoded_cast.header)
        out.append(table.token_state)
        out.append(seats[table.token_seat])
        out.append(seats[table.scored_token_seat] if table.round_over else 0)
        out.append(table.round)
        out.append(seats[table.turn])
        out.append(seats[chooser])
        self.write_question(self.seat if table.is_first_look_pending(self.seat) and chooser != NO_SEAT else chooser)
        first = len(out)
        out.write(_EMPTY_FLAGS)
        actions = ACTION_OF_MOVE[table.players][self.seat]
        for move in self.legal:
            out[first + (actions[move] if move < PICK_CARD else KIND_OF_MOVE[move] + _CARD_KIND_OFFSET)] = 1
        out.append(seats[table.turn] if table.hand != NO_CARD else 0)
        out.append(seats[table.caller])
        out.append(seats[table.previous_seat(table.turn)])
        out.write(_BITS[self.relative_masks[table.first_look_pending]])
        out.append(1 if table.direction > 0 else 0)
        out.append(1 if table.deck_up else 0)
        out.append(1 if table.round_over else 0)
        out.append(1 if over else 0)
        out.append(table.end_reason + 1)
        out.append(table.turns)
        out.append(table.extra_turns)

    def write_question(self, asked: int) -> None:
        """Write the observation parts `asked` to `picked`, in the order of the layout."""
        table, out = self.table, self.out
        out.append(self.relative_seats[asked])
        if asked == NO_SEAT:
            out.write(_SEAT_PADDING[1])
            out.write(_PICK_PADDING[0])
            return
        out.write(ASKER_BYTES[table.asker])
        out.append(STEP_NUMBERS[table.step])
        picked = self.picks = self.picked_moves(asked)
        if not picked:
            out.write(_PICK_PADDING[0])
            return
        out.append(len(picked))
        listed = picked[:MAX_PICKS]
        for move in listed:
            self.write_pick(move)
        out.write(_PICK_PADDING[len(listed)])

    def picked_moves(self, asked: int) -> tuple[int, ...]:
        """Return the moves that `asked` has made so far in answer to the question."""
        table = self.table
        if table.named_places:
            places = range(len(table.villages[table.turn]))
            return tuple([card_move(EXCHANGE, table.turn, place) for place in places if table.is_named(place)])
        if table.first_look_pending and table.first_peeks[asked] >= 0:
            return (card_move(PEEK, asked, table.first_peeks[asked]),)
        return table.picked

    def write_pick(self, move: int) -> None:
        """Write the kind of a picked move, the village, and the place or number; 0 for what it does not name."""
        out = self.out
        kind = KIND_OF_MOVE[move]
        out.append(kind + 1)
        if names_card(move):
            out.append(self.relative_seats[receiver_of(move) if move >= GIVE else seat_of(move)])
            out.append(place_of(move) + 1)
        elif names_village(move):
            out.append(self.relative_seats[village_of(move)])
            out.append(0)
        else:
            out.append(0)
            out.append(move - BASE_OF_KIND[kind] if kind >= PLAIN_KIND_COUNT else 0)

    def write_sizes(self) -> None:
        """Write the observation parts `village_sizes` to `shown_size`, in the order of the layout."""
        table, out = self.table, self.out
        for seat in self.order:
            out.append(len(table.villages[seat]))
        out.write(_SEAT_PADDING[table.players])
        for seat in self.order:
            out.append(len(table.private[seat]))
        out.write(_SEAT_PADDING[table.players])
        out.append(len(table.deck))
        out.append(len(table.discard))
        out.append(len(table.shown))

    def write_points(self, points: list[int]) -> None:
        """Write the points of each seat from the observer on, each as low byte, high byte and sign."""
        out = self.out
        if not points:
            out.write(_POINT_PADDING[0])
            return
        for seat in self.order:
            amount = points[seat]
            size = abs(amount)
            out.append(size & 255)
            out.append(size >> 8)
            out.append(1 if amount < 0 else 0)
        out.write(_POINT_PADDING[len(points)])

    def write_cards(self, cards: list[int], location: int, places: list[int], marks: list[int]) -> None:
        """Write the tokens of cards at a location, and subtract known cards from `unseen`.

        `marks` are bits of card states that depend on the spot; an empty list stands for none.
        """
        table, masks, residents = self.table, self.relative_masks, self.encoded_cast.residents
        faces, seat = table.faces, self.seat
        out, hidden_out, unseen = self.out, self.hidden_out, self.unseen_offset
        index = 0
        for card in cards:
            card_state = masks[table.viewers_of(card) & _ALL_SEATS]
            if table.is_faceup(card):
                card_state |= _UP
            if table.is_sideways(card):
                card_state |= _SIDEWAYS
            if table.is_passed_over(card):
                card_state |= _PASSED
            if marks:
                card_state |= marks[index]
            number = faces[card]
            if card_state & _UP or table.knows(seat, card):
                card_state |= residents[number] << _FACE
                out[unseen + number] = out[unseen + number] - 1
            row = _CARD_ROWS[card_state]
            if not row:
                row = _card_row(card_state)
            out.append(location)
            out.append(places[index])
            out.write(row)
            if hidden_out is not None:
                hidden_out.append(residents[number])
            index += 1
        self.token_count += index

    def write_villages(self) -> None:
        """Write the tokens of cards in villages, then mark picked, guarded and legal cards."""
        table = self.table
        marked = (
            table.used_cards != 0
            or table.covered_card != NO_CARD
            or len(table.cooldowns) > 0
            or table.named_places != 0
        )
        location = LOCATION_VILLAGE
        for owner in self.order:
            self.village_offsets[owner] = len(self.out)
            marks = self.village_marks(owner) if marked else _NO_MARKS
            self.write_cards(table.villages[owner], location, _PLACES, marks)
            location += 1
        if self.picks:
            self.mark_picked()
        if table.guards:
            self.mark_guards()
        for move in self.legal:
            if names_card(move):
                self.out[self.token_offset(move) + _LEGAL] = 1

    def village_marks(self, owner: int) -> list[int]:
        """Return for each card of a village the marks that depend on its spot. A shuffled card loses some (B8)."""
        table = self.table
        resting = [card for seat, card, _ in table.cooldowns if seat == owner and not table.is_untraceable(card)]
        cover = self.encoded_cast.covered_marks
        marks: list[int] = []
        for place, card in enumerate(table.villages[owner]):
            mark = cover if card == table.covered_card else 0
            if table.is_used(card) and not table.is_untraceable(card):
                mark |= _USED
            if owner == table.turn and table.is_named(place):
                mark |= _NAMED
            if card in resting:
                mark |= _RESTING
            marks.append(mark)
        return marks

    def token_offset(self, spot: int) -> int:
        """Return the offset of the token of the card at a spot. `spot` can also be a move that names the card."""
        return self.village_offsets[seat_of(spot)] + TOKEN_SIZE * place_of(spot)

    def mark_picked(self) -> None:
        """Write the column `picked` of picked cards: the position of the move that picked it, from 1."""
        table = self.table
        for index, move in enumerate(self.picks, start=1):
            if names_card(move) and place_of(move) < len(table.villages[seat_of(move)]):
                self.out[self.token_offset(move) + _PICKED] = index

    def mark_guards(self) -> None:
        """Write the columns `guards` (the place of the guarded card) and `guarded` (A3)."""
        table, out = self.table, self.out
        for _, guard, guarded in table.guards:
            spot = table.spot_of_card(guarded)
            out[self.token_offset(table.spot_of_card(guard)) + _GUARDS] = place_of(spot) + 1
            out[self.token_offset(spot) + _GUARDED] = 1

    def write_piles(self) -> None:
        """Write the tokens of the hand, discard pile, deck, shown cards and private decks."""
        table = self.table
        if table.hand != NO_CARD:
            self.write_cards([table.hand], LOCATION_HAND, _PLACES, _NO_MARKS)
        first = len(self.out)
        self.write_cards(table.discard[::-1], LOCATION_DISCARD, _PLACES, _NO_MARKS)
        for index, place in enumerate(table.pile_choices, start=1):
            self.out[first + TOKEN_SIZE * (len(table.discard) - 1 - place) + _REACHED] = index
        self.write_deck_cards()
        if table.shown:
            self.write_cards(list(table.shown), LOCATION_SHOWN, _PLACES, _NO_MARKS)
        location = LOCATION_PRIVATE
        for owner in self.order:
            private = table.private[owner]
            if private:
                self.write_cards(list(private[::-1]), location, _PLACES, _NO_MARKS)
            location += 1

    def write_deck_cards(self) -> None:
        """Write the tokens of deck cards that a seat has seen or that were passed over. The top may be faceup (B5)."""
        table = self.table
        deck = table.deck
        cards: list[int] = []
        depths: list[int] = []
        marks: list[int] = []
        size = len(deck)
        for depth in range(1, size + 1):
            card = deck[size - depth]
            if table.viewers_of(card) or table.is_passed_over(card):
                cards.append(card)
                depths.append(depth)
                marks.append(_UP if depth == 1 and table.deck_up else 0)
        if cards:
            self.write_cards(cards, LOCATION_DECK, depths, marks)

    def write_hidden_deck(self, hidden_out: BytesWriter) -> None:
        """Finish the hidden state: pad the residents of the card tokens, then write those of the deck."""
        table, residents = self.table, self.encoded_cast.residents
        hidden_out.write(_RESIDENT_PADDING[CARDS_IN_DECK - self.token_count])
        for card in reversed(table.deck):
            hidden_out.append(residents[table.faces[card]])
        hidden_out.write(_RESIDENT_PADDING[CARDS_IN_DECK - len(table.deck)])


def write_table_observation(
    table: Table,
    seat: int,
    chooser: int,
    over: bool,
    legal: list[int],
    out: BytesWriter,
    hidden_out: BytesWriter | None,
) -> None:
    """Write the observation of a seat. `legal` are the moves of the chooser, which is NO_SEAT when the game is over.

    If `hidden_out` is not None, write the hidden state to it: the resident of each card token, then of each card of the
    deck from the top.
    """
    TableObservationWriter(table, seat, legal if seat == chooser else [], out, hidden_out).write(chooser, over)
