"""The table of one round: where every card lies, which way up, who has looked at it; and the faces.

A card is a number from 0 to 51, its place in the round's shuffled order. Everything about it is public but
`faces`, the number printed on it: so hiding is a matter of one list, and a re-deal is a permutation of it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from argentum.rules import events as ev
from argentum.rules.fast_lists import drop, listed
from argentum.rules.notation import ALL_MOVES, CARD
from argentum.rules.residents import CARDS, Cast

if TYPE_CHECKING:
    from mypy_extensions import i64

EVERYBODY: Final = 31  # a bit for each of four seats, and one for those who only watch
WATCHERS: Final = 16

IDLE: Final = 0
ACTIVE: Final = 1
USED: Final = 2

NOTHING: Final = 0  # how the card in hand came there
DRAWN: Final = 1
TAKEN: Final = 2
LIFTED: Final = 3  # from the deck, but not drawn: it has no ability (A11)

BETWEEN_TURNS: Final = 0  # where in a turn the round stands
BEFORE_ACTION: Final = 1
CARD_IN_HAND: Final = 2
AFTER_ACTION: Final = 3

UP: Final = 16  # marks in the note of a shuffle
SIDEWAYS: Final = 32
COVERED: Final = 64

LOW: Final = 4  # cards that are passed over are higher (D7)

NO_CARD: Final = -1
NO_REASON: Final = -1
NO_SEAT: Final = -1

FIRST_RULINGS: Final = 1  # of games that were begun before rulings had a version
RULINGS: Final = 2  # of new games: D10 leaves a whole turn, C1 needs a turn to come


class RoundEnds(Exception):
    """The round ends at once, in the middle of whatever is going on (A0, X13)."""


class Table:
    """All there is to know of a round."""

    __slots__ = (
        "acted",
        "asker",
        "at_rest",
        "blurred",
        "caller",
        "cast",
        "chooser",
        "covered",
        "deck",
        "deck_up",
        "direction",
        "discard",
        "events",
        "extra",
        "faces",
        "given",
        "guards",
        "hand",
        "held",
        "last",
        "looking",
        "muted",
        "named",
        "outcomes",
        "over",
        "passed",
        "peeked",
        "phase",
        "picked",
        "players",
        "private",
        "put",
        "quiet",
        "reach",
        "ready",
        "reason",
        "resting",
        "round",
        "rulings",
        "scores",
        "seed",
        "seen",
        "shown",
        "sideways",
        "skipped",
        "step",
        "stirred",
        "token_seat",
        "token_state",
        "token_was",
        "totals",
        "turn",
        "turns",
        "up",
        "used",
        "villages",
    )

    def __init__(self, cast: Cast, players: int, seed: int, source: "Table | None" = None) -> None:
        """An empty table, or a twin of another. (Compiled, any other way to make a twin would run this too.)"""
        self.cast = cast
        self.players = players
        self.seed = seed
        if source is None:
            self.round = 1
            self.rulings = RULINGS  # the version of the rulings that the game was begun under
            self.totals = [0] * players
            self.scores: list[int] = []  # this round's points, once it is over
            self.over = False  # the round is
            # The cards.
            self.faces = [0] * CARDS
            self.up = 0  # a bit for each card that lies faceup
            self.seen = [0] * CARDS  # a bit for each seat that knows the face
            self.sideways = 0  # a bit for each card that lies sideways (C2)
            self.passed = 0  # a bit for each card that was passed over: all know that it is above LOW (D7)
            self.blurred = 0  # a bit for each card that was shuffled: nobody is told which marks it has (B8)
            self.villages: list[list[int]] = [[] for _ in range(players)]
            self.private: tuple[tuple[int, ...], ...] = ((),) * players  # by seat (D10)
            self.deck: list[int] = []  # the top is the end of the list; so it is of the discard pile
            self.discard: list[int] = []
            self.shown: tuple[int, ...] = ()  # beside the deck, in the order they came (A1)
            self.guards: tuple[tuple[int, int, int], ...] = ()  # owner, guarding card, guarded card (A3)
            self.deck_up = False
            self.hand = NO_CARD
            self.held = NOTHING
            self.named = 0  # a bit for each place of the village that is named for an exchange
            # The token.
            self.token_seat = 0
            self.token_was = 0  # its seat when the round was scored
            self.token_state = IDLE
            self.covered = NO_CARD  # the card under it, which nobody touches (G23)
            self.muted = NO_CARD  # the same, if it also has no ability and counts 0 (B14)
            # The course of the round.
            self.looking = 0  # a bit for each seat that has yet to take its first look (G4)
            self.peeked = (NO_CARD,) * players  # by seat: the place of the first card that it chose for that
            self.turn = 0
            self.chooser = 0
            self.direction = 1
            self.caller = NO_SEAT
            self.turns = 0  # finished in this round
            self.reason = NO_REASON  # why the round ended
            self.last = [0] * players  # by seat: the number of its last finished turn, from 1 (D4, X8)
            self.extra = 0  # turns that the seat to play takes before the next seat does (C1, D11)
            self.resting: tuple[tuple[int, int, int], ...] = ()  # Con Artists: owner, card, seats awaited (C1)
            self.outcomes: tuple[tuple[int, ...], ...] = ()  # how each Thing left a village (note_shuffle)
            self.given: Sequence[Sequence[int]] = ()  # how the first of them come out, where that is given
            # This turn.
            self.phase = BETWEEN_TURNS
            self.asker = ""  # the label of the resident or rule that asks now
            self.step = ""  # which of its questions (asking.STEPS)
            self.picked: tuple[int, ...] = ()  # the moves that were made in answer to it so far
            self.reach: tuple[int, ...] = ()  # places in the discard pile that `take 1`, `use 2` ... mean now
            self.at_rest = False  # the choice that is asked for now follows from the table alone
            self.used = 0  # a bit for each card whose village ability was used (G6)
            self.acted = False  # an ability or the token was used (G9)
            self.skipped = False  # a turn of the other was skipped (D11)
            self.put = 0  # a bit for each card that came to the discard pile (X5)
            self.ready = False  # the last window found something that is used in one
            self.stirred = False  # a card of a village was turned, moved or added since the table was last settled
            self.events: list[ev.Raw] = []
            self.quiet = False  # nobody listens to the events
        else:
            self.round = source.round
            self.rulings = source.rulings
            self.totals = source.totals
            self.scores = source.scores
            self.over = source.over
            self.faces = source.faces[:]
            self.up = source.up
            self.seen = source.seen[:]
            self.sideways = source.sideways
            self.passed = source.passed
            self.blurred = source.blurred
            self.villages = [village[:] for village in source.villages]
            self.private = source.private
            self.deck = source.deck[:]
            self.discard = source.discard[:]
            self.shown = source.shown
            self.guards = source.guards
            self.deck_up = source.deck_up
            self.hand = source.hand
            self.held = source.held
            self.named = source.named
            self.token_seat = source.token_seat
            self.token_was = source.token_was
            self.token_state = source.token_state
            self.covered = source.covered
            self.muted = source.muted
            self.looking = source.looking
            self.peeked = source.peeked
            self.turn = source.turn
            self.chooser = source.chooser
            self.direction = source.direction
            self.caller = source.caller
            self.turns = source.turns
            self.reason = source.reason
            self.last = source.last[:]
            self.extra = source.extra
            self.resting = source.resting
            self.outcomes = source.outcomes
            self.given = source.given
            self.phase = source.phase
            self.asker = source.asker
            self.step = source.step
            self.picked = source.picked
            self.reach = source.reach
            self.at_rest = source.at_rest
            self.used = source.used
            self.acted = source.acted
            self.skipped = source.skipped
            self.put = source.put
            self.ready = source.ready
            self.stirred = source.stirred
            self.events = []
            self.quiet = source.quiet

    def copy(self) -> "Table":
        """A table of its own, with the same cards in the same places, which has told nothing yet."""
        return Table(self.cast, self.players, self.seed, self)

    # Telling what happened.

    def tell(self, kind: int, seat: int, where: int = -1, card: int = NO_CARD, other: int = -1) -> None:
        """Note an event: its card's face is for those who know it now."""
        if self.quiet:
            return
        if card < 0:
            self.events.append((kind, seat, where, -1, EVERYBODY, other))
        else:
            self.events.append((kind, seat, where, self.faces[card], self.seen[card], other))

    # Finding cards.

    def at(self, move: int) -> int:
        """The card at the spot that a move names."""
        spot: i64 = move
        return self.villages[spot >> 6 & 3][spot & 63]

    def owner(self, card: int) -> int:
        """The seat in whose village a card lies, or -1."""
        for seat in range(self.players):
            if listed(self.villages[seat], card):
                return seat
        return NO_SEAT

    def spot(self, card: int) -> int:
        """The spot of a card that lies in a village."""
        seat = self.owner(card)
        return seat << 6 | self.villages[seat].index(card)

    # What is faceup and at work, and what may be touched.

    def works(self, card: int, hook: int) -> bool:
        """Whether a card of a village is faceup, at work, and one of those that a hook of the cast names."""
        return hook >> self.faces[card] & 1 == 1 and self.up >> card & 1 == 1 and card != self.muted

    def shows(self, seat: int, hook: int) -> bool:
        """Whether a seat has a faceup card at work that a hook of the cast names."""
        if hook:
            faces, up = self.faces, self.up
            for card in self.villages[seat]:
                if hook >> faces[card] & 1 and up >> card & 1 and card != self.muted:
                    return True
        return False

    def count(self, seat: int, hook: int) -> int:
        """How many such cards a seat has."""
        found = 0
        faces, up = self.faces, self.up
        for card in self.villages[seat]:
            if hook >> faces[card] & 1 and up >> card & 1 and card != self.muted:
                found += 1
        return found

    def closed(self, seat: int, me: int) -> bool:
        """Whether a village is closed: `me` may neither take a card from it nor put one there (D3)."""
        return seat != me and self.shows(seat, self.cast.closes)

    def touches(self, me: int, seat: int, card: int) -> bool:
        """Whether `me` may touch a card of a seat's village, whatever the reason why not (G23)."""
        if card == self.covered:
            return False
        return seat == me or not self.cast.protects or not self._protected(seat, card)

    def _protected(self, seat: int, card: int) -> bool:
        """Whether a card protects itself from the other seats, or is guarded (A3)."""
        if self.works(card, self.cast.protects):
            return True
        for owner, guard, guarded in self.guards:
            if guarded == card and owner == seat and self.works(guard, self.cast.protects):
                return True
        return False

    def touchable(self, seat: int) -> int:
        """How many of its own cards a seat may touch."""
        village = self.villages[seat]
        return len(village) - 1 if self.covered >= 0 and self.covered in village else len(village)

    def own(self, me: int, base: int = CARD) -> list[int]:
        """A move for each of a seat's touchable cards."""
        first = base + (me << 6)
        village = self.villages[me]
        moves = ALL_MOVES[first : first + len(village)]
        if self.covered >= 0 and self.covered in village:
            del moves[village.index(self.covered)]
        return moves

    def clings(self, card: int) -> bool:
        """Whether a card never becomes the top of the discard pile by a discard (D4)."""
        return self.cast.clings >> self.faces[card] & 1 == 1

    def unsettle(self, card: int) -> None:
        """A card was turned, moved or added: something may follow from it if it is faceup, or anything is guarded."""
        if self.up >> card & 1 or self.guards:
            self.stirred = True

    def settle(self) -> None:
        """See to what follows at once from a step that turned, moved or added cards: guards that end, and the round.

        Called wherever something is asked, and between the steps of an ability that asks nothing in between.
        """
        if not self.stirred:
            return
        self.stirred = False
        if self.guards:
            self._end_guards()
        if self.cast.ends and self.reason == NO_REASON:
            there = 0
            for seat in range(self.players):
                there += self.count(seat, self.cast.ends)
            if there >= self.cast.enders:
                raise RoundEnds

    def _end_guards(self) -> None:
        """A guard ends when either card leaves the village or the guarding one stops working (A3)."""
        held: list[tuple[int, int, int]] = []
        for guard in self.guards:
            owner, one, other = guard
            village = self.villages[owner]
            if one in village and other in village and self.works(one, self.cast.protects):
                held.append(guard)
            else:
                self.tell(ev.GUARD_ENDED, owner)
        if len(held) < len(self.guards):
            self.guards = tuple(held)

    def cover(self, me: int, where: int) -> None:
        """Put the token on a card (B14, A14)."""
        self.stirred = True
        self.covered = self.at(where)
        if self.cast.mutes:
            self.muted = self.covered
        self.tell(ev.COVERED, me, where & 255)

    # Faces.

    def lay(self, card: int, up: bool) -> None:
        """A card lies faceup or facedown from now on."""
        self.up = self.up | 1 << card if up else self.up & ~(1 << card)

    def look(self, me: int, where: int) -> int:
        """A seat looks at the card at a spot."""
        card = self.at(where)
        self.seen[card] |= 1 << me
        self.tell(ev.LOOKED, me, where & 255, card)
        return card

    def turn_up(self, me: int, where: int) -> int:
        """Turn the facedown card at a spot faceup."""
        card = self.at(where)
        self.up |= 1 << card
        self.stirred = True
        self.seen[card] = EVERYBODY
        self.blurred &= ~(1 << card)
        self.tell(ev.TURNED_UP, me, where & 255, card)
        return card

    def turn_down(self, me: int, where: int) -> int:
        """Turn the faceup card at a spot facedown; everybody still knows it (G12)."""
        card = self.at(where)
        self.up &= ~(1 << card)
        self.unsettle(card)
        self.tell(ev.TURNED_DOWN, me, where & 255, card)
        return card

    def flip(self, me: int, where: int) -> int:
        """Turn the card at a spot over."""
        return self.turn_down(me, where) if self.up >> self.at(where) & 1 else self.turn_up(me, where)

    # Moving cards.

    def switch(self, me: int, one: int, other: int) -> None:
        """Two cards of villages change places; each keeps its face (G12)."""
        here, there = self.villages[one >> 6 & 3], self.villages[other >> 6 & 3]
        place, further = one & 63, other & 63
        here[place], there[further] = there[further], here[place]
        self.stirred = True
        self.tell(ev.SWITCHED, me, one & 255, NO_CARD, other & 255)

    def draw(self, me: int, depth: int = 1) -> None:
        """Take a card of the deck in hand, the top one or one so deep; it faces as the deck does (B5)."""
        card = self.deck.pop(-depth)
        self.lay(card, self.deck_up)
        self.seen[card] |= EVERYBODY if self.deck_up else 1 << me
        self.hand, self.held = card, DRAWN
        self.tell(ev.DREW, me, -1, card, ev.FROM_DECK)
        self.show_deck()

    def draw_private(self, me: int) -> None:
        """Take the top card of one's private deck in hand (D10)."""
        self.hand, self.held = self.private[me][-1], DRAWN
        self.private = (*self.private[:me], self.private[me][:-1], *self.private[me + 1 :])
        self.tell(ev.DREW, me, -1, self.hand, ev.FROM_PRIVATE)

    def draw_shown(self, me: int, nth: int) -> None:
        """Take a card that is shown beside the deck in hand, the first or a later one; it stays faceup (A1)."""
        self.hand, self.held = self.shown[nth - 1], DRAWN
        self.shown = self.shown[: nth - 1] + self.shown[nth:]
        self.tell(ev.DREW, me, -1, self.hand, nth)

    def take(self, me: int, place: int, depth: int) -> None:
        """Take a card of the discard pile in hand, as it lies (G8, C10, A10)."""
        card = self.discard.pop(place)
        self.hand, self.held = card, TAKEN
        self.tell(ev.TOOK, me, -1, card, depth)

    def look_at_deck(self, me: int, depth: int) -> int:
        """A seat looks at a card of the deck, the top one or one so deep; a faceup deck's is seen by all (A4, A11)."""
        card = self.deck[-depth]
        self.seen[card] |= EVERYBODY if self.deck_up else 1 << me
        self.tell(ev.LOOKED, me, -1, card, depth)
        return card

    def show_deck(self) -> None:
        """The top of a faceup deck is seen by all (B5)."""
        if self.deck_up and self.deck:
            self.seen[self.deck[-1]] = EVERYBODY

    def display(self) -> None:
        """Turn up cards beside the deck until there is one for each faceup card that shows one (A1)."""
        wanted = 0
        for seat in range(self.players):
            wanted += self.count(seat, self.cast.shows)
        while len(self.shown) < wanted and self.deck:
            card = self.deck.pop()
            self.up |= 1 << card
            self.seen[card] = EVERYBODY
            self.shown = (*self.shown, card)
            self.tell(ev.DISPLAYED, self.turn, -1, card, len(self.shown))
            self.show_deck()

    def to_discard(self, card: int) -> None:
        """Put a card faceup on the discard pile."""
        self.discard.append(card)
        self.up |= 1 << card
        self.sideways &= ~(1 << card)
        self.seen[card] = EVERYBODY
        self.put |= 1 << card

    def to_discard_bottom(self, card: int) -> None:
        """Put a card under the discard pile, with the face that it has (C8, C11)."""
        self.discard.insert(0, card)
        self.sideways &= ~(1 << card)
        self.put |= 1 << card

    def to_deck_bottom(self, me: int, cards: list[int]) -> None:
        """Put cards, the highest first, under the deck, where they face as it does (B3)."""
        for card in cards:
            self.up &= ~(1 << card)
            self.sideways &= ~(1 << card)
            self.seen[card] |= EVERYBODY if self.deck_up else 1 << me
        self.deck[:0] = cards

    def to_private(self, me: int, card: int) -> None:
        """Put a card facedown on a seat's private deck, where it may look at it (D10)."""
        self.private = (*self.private[:me], (*self.private[me], card), *self.private[me + 1 :])
        self.up &= ~(1 << card)
        self.seen[card] |= 1 << me

    def lift(self, card: int) -> None:
        """Take a card away from where it lies, wherever that is (X3)."""
        if card == self.hand:
            self.hand, self.held = NO_CARD, NOTHING
        elif listed(self.discard, card):
            drop(self.discard, card)
        elif listed(self.deck, card):
            drop(self.deck, card)
        else:
            drop(self.villages[self.owner(card)], card)
            self.unsettle(card)

    def put_at(self, where: int, card: int) -> None:
        """Put a card in the place of another."""
        self.villages[where >> 6 & 3][where & 63] = card
        self.unsettle(card)

    def add(self, me: int, seat: int, card: int, left: bool) -> None:
        """Put a card at an end of a village."""
        village = self.villages[seat]
        self.unsettle(card)
        if left:
            village.insert(0, card)
        else:
            village.append(card)
        self.tell(ev.ADDED, me, seat << 6 | (0 if left else len(village) - 1), card)

    def note_shuffle(self, seat: int) -> None:
        """Note how a village lies after a shuffle: the seat, then each card's number, marks, and which it is."""
        cards = [
            self.faces[card]
            | (self.up >> card & 1) << 4
            | (self.sideways >> card & 1) << 5
            | (card == self.covered) << 6
            | card << 7
            for card in self.villages[seat]
        ]
        self.outcomes = (*self.outcomes, (seat, *cards))

    # The course of the round.

    def begin_turn(self) -> None:
        """A turn begins: nothing has been used in it."""
        self.phase = BEFORE_ACTION
        self.chooser = self.turn
        self.used = self.put = 0
        self.acted = self.skipped = False
        self.tell(ev.TURN, self.turn)
        if self.cast.shows:
            self.display()

    def end_turn(self) -> None:
        """A turn is finished; whose is the next? (D11, C1, X8)"""
        me = self.turn
        self.phase = BETWEEN_TURNS
        self.turns += 1
        self.last[me] = self.turns
        if self.resting:
            waits = [(seat, card, left if seat == me else left & ~(1 << me)) for seat, card, left in self.resting]
            self.resting = tuple([wait for wait in waits if wait[2]])
        if self.extra:
            self.extra -= 1
        else:
            self.turn = (me + self.direction) % self.players

    def reverse(self, me: int) -> None:
        """The direction of play turns round; two players skip a turn instead (D11, D14)."""
        if self.players > 2:
            self.direction = -self.direction
            self.tell(ev.REVERSED, me, -1, NO_CARD, self.direction)
        elif not self.skipped and self.caller == NO_SEAT:
            self.skipped = True
            self.extra += 1
            self.tell(ev.SKIPPED, me)

    def predecessor(self, me: int) -> int:
        """The other seat that most recently finished a turn this round, or -1 (D4, X8)."""
        latest, found = 0, NO_SEAT
        for seat, turn in enumerate(self.last):
            if turn > latest and seat != me:
                latest, found = turn, seat
        return found

    def clockwise_from(self, first: int) -> list[int]:
        """All seats, clockwise from one."""
        return [(first + step) % self.players for step in range(self.players)]
