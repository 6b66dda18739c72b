# mypyc: compile, optimize
"""The state of a round, and primitive operations on its cards.

A card is an integer from 0 to 51, its index in the shuffled order of the round. All of a table is public except
`faces`, the numbers printed on the cards, so a re-deal only permutes that list.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from argentum.rules import events as ev
from argentum.rules.fast_lists import contains, remove
from argentum.rules.notation import MOVE_RANGE, PICK_CARD, card_move, make_spot, place_of, seat_of, spot_of
from argentum.rules.residents import CARDS_IN_DECK, Cast, has_number

if TYPE_CHECKING:
    # mypyc: unboxed int; used in annotations only. Do not shift a literal by one: `1 << card` would have 32 bits.
    from mypy_extensions import i64

# Viewers are the four seats and, as one more viewer, the watchers.
WATCHERS: Final = 4
VIEWER_COUNT: Final = 5
ALL_CARDS: Final = (1 << CARDS_IN_DECK) - 1  # a bit mask of cards
ALL_VIEWERS: Final = (1 << VIEWER_COUNT) - 1  # a bit mask of viewers, as in events
# By viewer, a bit mask of cards. (mypyc stores a tuple of this type in the table, without objects; an index that is not
# a literal would create them. With lists of masks, `play` takes a fifth longer.)
CardsByViewer: TypeAlias = "tuple[i64, i64, i64, i64, i64]"

TOKEN_IDLE: Final = 0
TOKEN_ACTIVE: Final = 1
TOKEN_USED: Final = 2

# The source of the card in hand.
HAND_EMPTY: Final = 0
HAND_DRAWN: Final = 1
HAND_TAKEN: Final = 2
HAND_LIFTED: Final = 3  # from the deck without drawing it, so its ability cannot be used (A11)

# The phases of a turn.
PHASE_BETWEEN_TURNS: Final = 0
PHASE_BEFORE_ACTION: Final = 1
PHASE_CARD_IN_HAND: Final = 2
PHASE_AFTER_ACTION: Final = 3

# The marks of a card in an entry of `shuffle_log`.
SHUFFLE_FACEUP: Final = 16
SHUFFLE_SIDEWAYS: Final = 32
SHUFFLE_COVERED: Final = 64

HIGHEST_LOW_NUMBER: Final = 4  # cards that an Elusive Seer passed over are higher (D7)

NO_CARD: Final = -1
NO_END_REASON: Final = -1
NO_SEAT: Final = -1

# Versions of the rulings. In version 2, D10 allows a complete turn, and C1 requires that another turn can follow.
FIRST_RULINGS: Final = 1  # the version of games that state none
RULINGS: Final = 2  # the version of new games


def seat_bit(seat: int) -> int:
    """Return the bit of a seat, or of `WATCHERS`, in a bit mask of viewers."""
    return 1 << seat


class RoundEnded(Exception):
    """Raised to end the round at once, in the middle of a move (A0, X13)."""


class Table:
    """The complete state of a round.

    A table is restartable if its attributes alone determine the next question, as between turns and in the windows of
    a turn. Inside an ability, the engine's generator also holds state.
    """

    def __init__(self, cast: Cast, players: int, seed: int, original: "Table | None" = None) -> None:
        """Create an empty table, or a copy of `original` without its events.

        Each attribute is assigned once: the value copied from `original`, or the initial value. Only lists that are
        changed in place are copied. (mypyc always runs `__init__`, so copying here is fastest.)
        """
        # A literal would make mypyc convert both values of a conditional expression to objects.
        empty_mask: i64 = 0
        nothing_seen: CardsByViewer = (empty_mask, empty_mask, empty_mask, empty_mask, empty_mask)
        self.cast = cast
        self.players = players
        self.seed = seed
        self.round: int = original.round if original else 1
        self.rulings: int = original.rulings if original else RULINGS  # the version with which the game was started
        self.totals: list[int] = original.totals if original else [0] * players
        self.scores: list[int] = original.scores if original else []  # of this round, once it is over
        self.round_over: bool = original.round_over if original else False

        # The cards.
        self.faces: list[int] = original.faces[:] if original else [0] * CARDS_IN_DECK
        self.faceup: i64 = original.faceup if original else empty_mask  # bit mask of cards
        # By viewer, the cards that it has seen; those that lie faceup may be missing (`cards_known_to`).
        self.seen: CardsByViewer = original.seen if original else nothing_seen
        self.sideways: i64 = original.sideways if original else empty_mask  # bit mask of cards (C2)
        # Bit mask of cards known to be above `HIGHEST_LOW_NUMBER` (D7).
        self.passed_over: i64 = original.passed_over if original else empty_mask
        # Bit mask of shuffled cards, whose marks are hidden (B8).
        self.untraceable: i64 = original.untraceable if original else empty_mask
        villages: list[list[int]] = original.villages if original else [[]] * players
        self.villages: list[list[int]] = [village[:] for village in villages]
        self.private: tuple[tuple[int, ...], ...] = original.private if original else ((),) * players  # by seat (D10)
        # The last item is the top, here and in the discard pile.
        self.deck: list[int] = original.deck[:] if original else []
        self.discard: list[int] = original.discard[:] if original else []
        self.shown: tuple[int, ...] = original.shown if original else ()  # beside the deck, in the order they came (A1)
        # Owner, guarding card, guarded card (A3).
        self.guards: tuple[tuple[int, int, int], ...] = original.guards if original else ()
        self.deck_up: bool = original.deck_up if original else False
        self.hand: int = original.hand if original else NO_CARD
        self.hand_source: int = original.hand_source if original else HAND_EMPTY
        # Bit mask of indices in the current player's village, named for an exchange.
        self.named_places: i64 = original.named_places if original else empty_mask

        # The token.
        self.token_seat: int = original.token_seat if original else 0
        # Its seat before the round was scored.
        self.scored_token_seat: int = original.scored_token_seat if original else 0
        self.token_state: int = original.token_state if original else TOKEN_IDLE
        # The card under the token, which nobody may touch (G23).
        self.covered_card: int = original.covered_card if original else NO_CARD
        # The same, if it also has no ability and counts 0 (B14).
        self.muted_card: int = original.muted_card if original else NO_CARD

        # The round.
        self.first_look_pending: i64 = original.first_look_pending if original else empty_mask  # bit mask of seats (G4)
        # By seat, the index in its village of the first card looked at.
        self.first_peeks: tuple[int, ...] = original.first_peeks if original else (NO_CARD,) * players
        self.turn: int = original.turn if original else 0
        self.chooser: int = original.chooser if original else 0
        self.direction: int = original.direction if original else 1
        self.caller: int = original.caller if original else NO_SEAT
        self.turns: int = original.turns if original else 0  # number of finished turns
        self.end_reason: int = original.end_reason if original else NO_END_REASON  # why the round ended
        # By seat, the number of its last finished turn, from 1 (D4, X8).
        self.last_turns: list[int] = original.last_turns[:] if original else [0] * players
        # More turns of the current seat, before the next seat plays (C1, D11).
        self.extra_turns: int = original.extra_turns if original else 0
        # Con Artists: owner, card, seats awaited (C1).
        self.cooldowns: tuple[tuple[int, int, int], ...] = original.cooldowns if original else ()
        # Written by `log_shuffle`.
        self.shuffle_log: tuple[tuple[int, ...], ...] = original.shuffle_log if original else ()
        # Prescribed results of the first shuffles of the round.
        self.fixed_shuffles: Sequence[Sequence[int]] = original.fixed_shuffles if original else ()

        # This turn.
        self.phase: int = original.phase if original else PHASE_BETWEEN_TURNS
        self.asker: str = original.asker if original else ""  # label of the resident or rule that asks
        self.step: str = original.step if original else ""  # one of `asking.STEPS`
        self.picked: tuple[int, ...] = original.picked if original else ()  # moves chosen in answer so far
        # Indices of `discard` for `take 1`, `use 2` ...
        self.pile_choices: tuple[int, ...] = original.pile_choices if original else ()
        # The attributes alone determine the next question.
        self.restartable: bool = original.restartable if original else False
        # Bit mask of cards whose village ability was used (G6).
        self.used_cards: i64 = original.used_cards if original else empty_mask
        # An ability or the token was used this turn (G9).
        self.ability_used: bool = original.ability_used if original else False
        # With two players, the other player's next turn (D11).
        self.turn_skipped: bool = original.turn_skipped if original else False
        # Bit mask of cards (X5).
        self.discarded_this_turn: i64 = original.discarded_this_turn if original else empty_mask
        # The last window had a card or token with an ability for windows.
        self.window_worth_asking: bool = original.window_worth_asking if original else False
        # Cards were turned, moved or added since `resolve`.
        self.changed: bool = original.changed if original else False
        self.events: list[ev.RawEvent] = []
        self.events_off: bool = original.events_off if original else False  # record no events
        self.action: int = original.action if original else 0  # number of the current action, for events

    def copy(self) -> "Table":
        """Return an independent copy, without the events."""
        return Table(self.cast, self.players, self.seed, self)

    def copy_with_events(self) -> "Table":
        """Return an independent copy."""
        new = self.copy()
        new.events = self.events[:]
        return new

    # Events.

    def begin_action(self) -> None:
        """Number the following events as a new action, which has one entry in the log."""
        self.action += 1

    def add_event(self, kind: int, seat: int, spot: int = -1, card: int = NO_CARD, extra: int = -1) -> None:
        """Record an event, unless `events_off`. Viewers receive the card's number only if they know it now."""
        if self.events_off:
            return
        if card < 0:
            self.events.append((kind, seat, spot, -1, ALL_VIEWERS, extra, self.action))
        else:
            self.events.append((kind, seat, spot, self.faces[card], self.viewers_of(card), extra, self.action))

    # Where cards lie.

    def card_at(self, move: int) -> int:
        """Return the card at a spot, or the card that a move names."""
        return self.villages[seat_of(move)][place_of(move)]

    def owner(self, card: int) -> int:
        """Return the seat in whose village a card lies, or `NO_SEAT`."""
        for seat in range(self.players):
            if contains(self.villages[seat], card):
                return seat
        return NO_SEAT

    def spot_of_card(self, card: int) -> int:
        """Return the spot of a card that lies in a village."""
        seat = self.owner(card)
        return make_spot(seat, self.villages[seat].index(card))

    # The state of a card.

    def is_faceup(self, card: "i64") -> bool:
        return self.faceup >> card & 1 == 1

    def is_sideways(self, card: "i64") -> bool:
        return self.sideways >> card & 1 == 1

    def is_used(self, card: "i64") -> bool:
        """Whether the village ability of a card was used this turn (G6)."""
        return self.used_cards >> card & 1 == 1

    def is_passed_over(self, card: "i64") -> bool:
        """Whether everybody knows that its number is above 4 (D7)."""
        return self.passed_over >> card & 1 == 1

    def is_untraceable(self, card: "i64") -> bool:
        """Whether a card was shuffled facedown, so that its marks are hidden (B8)."""
        return self.untraceable >> card & 1 == 1

    def was_discarded_this_turn(self, card: "i64") -> bool:
        return self.discarded_this_turn >> card & 1 == 1

    def is_named(self, place: "i64") -> bool:
        """Whether the card at a place of the current player's village is named for an exchange."""
        return self.named_places >> place & 1 == 1

    def is_first_look_pending(self, seat: "i64") -> bool:
        return self.first_look_pending >> seat & 1 == 1

    def knows(self, viewer: "i64", card: "i64") -> bool:
        """Whether a seat, or `WATCHERS`, sees a card faceup or has seen it.

        For what it may see now, use :func:`argentum.rules.views.may_see_face`.
        """
        return self.cards_known_to(viewer) >> card & 1 == 1

    def cards_known_to(self, viewer: "i64") -> "i64":
        """Return the cards that :meth:`knows` holds for, as a bit mask."""
        seen_by_a, seen_by_b, seen_by_c, seen_by_d, seen_by_watchers = self.seen
        if viewer == 0:
            return self.faceup | seen_by_a
        if viewer == 1:
            return self.faceup | seen_by_b
        if viewer == 2:
            return self.faceup | seen_by_c
        return self.faceup | (seen_by_d if viewer == 3 else seen_by_watchers)

    def viewers_of(self, card: "i64") -> int:
        """Return the viewers that have seen a card, as a bit mask."""
        if self.is_faceup(card):
            return ALL_VIEWERS
        seen_by_a, seen_by_b, seen_by_c, seen_by_d, seen_by_watchers = self.seen
        return (
            (seen_by_a >> card & 1)
            | (seen_by_b >> card & 1) << 1
            | (seen_by_c >> card & 1) << 2
            | (seen_by_d >> card & 1) << 3
            | (seen_by_watchers >> card & 1) << WATCHERS
        )

    def reveal(self, cards: "i64", viewers: "i64") -> None:
        """Mark cards as seen by viewers; both are bit masks."""
        seen_by_a, seen_by_b, seen_by_c, seen_by_d, seen_by_watchers = self.seen
        self.seen = (
            seen_by_a | cards * (viewers & 1),
            seen_by_b | cards * (viewers >> 1 & 1),
            seen_by_c | cards * (viewers >> 2 & 1),
            seen_by_d | cards * (viewers >> 3 & 1),
            seen_by_watchers | cards * (viewers >> WATCHERS),
        )

    def reveal_to(self, viewer: int, card: int) -> None:
        self.reveal(1 << card, 1 << viewer)

    def reveal_to_all(self, card: int) -> None:
        if not self.is_faceup(card):
            self.reveal(1 << card, ALL_VIEWERS)

    def reveal_cards_to_all(self, cards: list[int]) -> None:
        for card in cards:
            self.reveal(1 << card, ALL_VIEWERS)

    def reveal_deck_card(self, me: int, card: int) -> None:
        """Show a card of the deck to a seat; to everybody if the deck lies faceup (B5)."""
        if self.deck_up:
            self.reveal_to_all(card)
        else:
            self.reveal_to(me, card)

    def forget(self, cards: "i64") -> None:
        """Make a bit mask of cards unknown to everybody."""
        seen_by_a, seen_by_b, seen_by_c, seen_by_d, seen_by_watchers = self.seen
        self.seen = (
            seen_by_a & ~cards,
            seen_by_b & ~cards,
            seen_by_c & ~cards,
            seen_by_d & ~cards,
            seen_by_watchers & ~cards,
        )

    # Active and touchable cards.

    def is_active(self, card: "i64", hook: "i64") -> bool:
        """Whether a card of a village is faceup, not muted, and of a number in `hook`, a bit mask of `Cast`."""
        return self.faceup >> card & 1 == 1 and hook >> self.faces[card] & 1 == 1 and card != self.muted_card

    def has_active(self, seat: int, hook: int) -> bool:
        """Whether any card in a seat's village is active for this hook (see :meth:`is_active`)."""
        if hook:
            for card in self.villages[seat]:
                if self.is_active(card, hook):
                    return True
        return False

    def count_active(self, seat: int, hook: int) -> int:
        """Return how many cards in a seat's village are active for this hook (see :meth:`is_active`)."""
        count = 0
        for card in self.villages[seat]:
            if self.is_active(card, hook):
                count += 1
        return count

    def is_closed(self, seat: int, me: int) -> bool:
        """Whether `me` may neither take cards from a village nor add any to it (D3)."""
        return seat != me and self.has_active(seat, self.cast.closes_village)

    def may_touch(self, me: int, seat: int, card: int) -> bool:
        """Whether `me` may touch a card of a seat's village (G23)."""
        if card == self.covered_card:
            return False
        return seat == me or not self.cast.protects or not self._is_protected(seat, card)

    def _is_protected(self, seat: int, card: int) -> bool:
        """Whether a card protects itself from other seats, or is guarded (A3)."""
        if self.is_active(card, self.cast.protects):
            return True
        for owner, guard, guarded in self.guards:
            if guarded == card and owner == seat and self.is_active(guard, self.cast.protects):
                return True
        return False

    def touchable_count(self, seat: int) -> int:
        """Return how many cards of its own village a seat may touch."""
        village = self.villages[seat]
        return len(village) - 1 if self.covered_card >= 0 and self.covered_card in village else len(village)

    def own_moves(self, me: int, base: int = PICK_CARD) -> list[int]:
        """Return a move with this base for each card of its own village that a seat may touch."""
        first = card_move(base, me, 0)
        village = self.villages[me]
        moves = MOVE_RANGE[first : first + len(village)]
        if self.covered_card >= 0 and self.covered_card in village:
            del moves[village.index(self.covered_card)]
        return moves

    def clings(self, card: int) -> bool:
        """Whether a card cannot become the top of the discard pile by being discarded (D4)."""
        return has_number(self.cast.clings, self.faces[card])

    def mark_changed(self, card: int) -> None:
        """Schedule :meth:`resolve` after a change to a card, if the change can have consequences."""
        if self.is_faceup(card) or self.guards:
            self.changed = True

    def resolve(self) -> None:
        """Apply the immediate consequences of changed cards: end guards, or raise `RoundEnded` (A3, A0).

        Called before each question, and between the steps of an ability without questions.
        """
        if not self.changed:
            return
        self.changed = False
        if self.guards:
            self._end_guards()
        if self.cast.ends_round and self.end_reason == NO_END_REASON:
            ending_cards = 0
            for seat in range(self.players):
                ending_cards += self.count_active(seat, self.cast.ends_round)
            if ending_cards >= self.cast.ending_card_count:
                raise RoundEnded

    def _end_guards(self) -> None:
        """Remove each guard whose two cards are not both in the village, or whose guarding card is inactive (A3)."""
        remaining: list[tuple[int, int, int]] = []
        for entry in self.guards:
            owner, guard, guarded = entry
            village = self.villages[owner]
            if guard in village and guarded in village and self.is_active(guard, self.cast.protects):
                remaining.append(entry)
            else:
                self.add_event(ev.GUARD_ENDED, owner)
        if len(remaining) < len(self.guards):
            self.guards = tuple(remaining)

    def cover_with_token(self, me: int, move: int) -> None:
        """Put the token on the card that a move names (B14, A14)."""
        self.changed = True
        self.covered_card = self.card_at(move)
        if self.cast.token_mutes_card:
            self.muted_card = self.covered_card
        self.add_event(ev.COVERED, me, spot_of(move))

    # Looking and turning.

    def lay_faceup(self, card: int) -> None:
        """Lay a card faceup, so that everybody sees it."""
        self.faceup |= 1 << card

    def lay_facedown(self, card: int) -> None:
        """Lay a card facedown. If it was faceup, everybody still knows it (G12)."""
        if self.is_faceup(card):
            self.faceup &= ~(1 << card)
            self.reveal_to_all(card)

    def set_facing(self, card: int, up: bool) -> None:
        """Set whether a card lies faceup."""
        if up:
            self.lay_faceup(card)
        else:
            self.lay_facedown(card)

    def look(self, me: int, move: int) -> int:
        """Show a seat the card that a move names; return the card."""
        card = self.card_at(move)
        self.reveal_to(me, card)
        self.add_event(ev.LOOKED, me, spot_of(move), card)
        return card

    def turn_up(self, me: int, move: int) -> int:
        """Turn a facedown card faceup; return the card."""
        card = self.card_at(move)
        self.lay_faceup(card)
        self.changed = True
        self.untraceable &= ~(1 << card)
        self.add_event(ev.TURNED_UP, me, spot_of(move), card)
        return card

    def turn_down(self, me: int, move: int) -> int:
        """Turn a faceup card facedown; return the card."""
        card = self.card_at(move)
        self.lay_facedown(card)
        self.mark_changed(card)
        self.add_event(ev.TURNED_DOWN, me, spot_of(move), card)
        return card

    def flip(self, me: int, move: int) -> int:
        return self.turn_down(me, move) if self.is_faceup(self.card_at(move)) else self.turn_up(me, move)

    # Moving cards.

    def switch(self, me: int, first: int, second: int) -> None:
        """Exchange two cards of villages; each keeps its facing (G12)."""
        first_village, second_village = self.villages[seat_of(first)], self.villages[seat_of(second)]
        place, other_place = place_of(first), place_of(second)
        first_village[place], second_village[other_place] = second_village[other_place], first_village[place]
        self.changed = True
        self.add_event(ev.SWITCHED, me, spot_of(first), NO_CARD, spot_of(second))

    def draw(self, me: int, depth: int = 1) -> None:
        """Draw the card at a depth (from 1) in the deck. It lies faceup if the deck does (B5)."""
        card = self.deck.pop(-depth)
        self.set_facing(card, self.deck_up)
        self.reveal_deck_card(me, card)
        self.hand, self.hand_source = card, HAND_DRAWN
        self.begin_action()
        self.add_event(ev.DREW, me, -1, card, ev.FROM_DECK)
        self.reveal_deck_top()

    def draw_private(self, me: int) -> None:
        """Draw the top card of a seat's private deck (D10)."""
        self.hand, self.hand_source = self.private[me][-1], HAND_DRAWN
        self.private = (*self.private[:me], self.private[me][:-1], *self.private[me + 1 :])
        self.begin_action()
        self.add_event(ev.DREW, me, -1, self.hand, ev.FROM_PRIVATE)

    def draw_shown(self, me: int, place: int) -> None:
        """Draw the shown card at a position (from 1). It stays faceup (A1)."""
        self.hand, self.hand_source = self.shown[place - 1], HAND_DRAWN
        self.shown = self.shown[: place - 1] + self.shown[place:]
        self.begin_action()
        self.add_event(ev.DREW, me, -1, self.hand, place)

    def take_from_pile(self, me: int, place: int, depth: int) -> None:
        """Take the card at an index of the discard pile, without turning it (G8, C10, A10).

        `depth` is for the event: the position of the card among the offered ones, from 1; 0 for a main action.
        """
        card = self.discard.pop(place)
        self.hand, self.hand_source = card, HAND_TAKEN
        self.begin_action()
        self.add_event(ev.TOOK, me, -1, card, depth)

    def look_at_deck(self, me: int, depth: int) -> int:
        """Show a seat the card at a depth (from 1) in the deck; return the card (A4, A11).

        If the deck is faceup, everybody sees the card.
        """
        card = self.deck[-depth]
        self.reveal_deck_card(me, card)
        self.add_event(ev.LOOKED, me, -1, card, depth)
        return card

    def reveal_deck_top(self) -> None:
        """If the deck lies faceup, show everybody its top card (B5)."""
        if self.deck_up and self.deck:
            self.reveal_to_all(self.deck[-1])

    def refill_shown(self) -> None:
        """Show cards beside the deck until there is one for each active card that shows one (A1)."""
        self.begin_action()
        limit = 0
        for seat in range(self.players):
            limit += self.count_active(seat, self.cast.shows_deck_card)
        while len(self.shown) < limit and self.deck:
            card = self.deck.pop()
            self.lay_faceup(card)
            self.shown = (*self.shown, card)
            self.add_event(ev.DISPLAYED, self.turn, -1, card, len(self.shown))
            self.reveal_deck_top()

    def put_on_discard_pile(self, card: int) -> None:
        """Put a card faceup on the discard pile."""
        self.discard.append(card)
        self.lay_faceup(card)
        self.sideways &= ~(1 << card)
        self.discarded_this_turn |= 1 << card

    def put_under_discard_pile(self, card: int) -> None:
        """Put a card under the discard pile, without turning it (C8, C11)."""
        self.discard.insert(0, card)
        self.sideways &= ~(1 << card)
        self.discarded_this_turn |= 1 << card

    def put_under_deck(self, me: int, cards: list[int]) -> None:
        """Put cards, the highest first, under the deck. They face like the deck (B3)."""
        for card in cards:
            self.lay_facedown(card)
            self.sideways &= ~(1 << card)
            self.reveal_deck_card(me, card)
        self.deck[:0] = cards

    def put_on_private(self, me: int, card: int) -> None:
        """Put a card facedown on a seat's private deck, where that seat may look at it (D10)."""
        self.private = (*self.private[:me], (*self.private[me], card), *self.private[me + 1 :])
        self.lay_facedown(card)
        self.reveal_to(me, card)

    def remove_card(self, card: int) -> None:
        """Remove a card from the hand, discard pile, deck or village (X3)."""
        if card == self.hand:
            self.hand, self.hand_source = NO_CARD, HAND_EMPTY
        elif contains(self.discard, card):
            remove(self.discard, card)
        elif contains(self.deck, card):
            remove(self.deck, card)
        else:
            remove(self.villages[self.owner(card)], card)
            self.mark_changed(card)

    def replace_at(self, move: int, card: int) -> None:
        """Put a card at the spot that a move names, replacing the card there, which the caller moves."""
        self.villages[seat_of(move)][place_of(move)] = card
        self.mark_changed(card)

    def add_to_village(self, me: int, seat: int, card: int, left: bool) -> None:
        """Add a card at an end of a village."""
        village = self.villages[seat]
        self.mark_changed(card)
        if left:
            village.insert(0, card)
        else:
            village.append(card)
        self.add_event(ev.ADDED, me, make_spot(seat, 0 if left else len(village) - 1), card)

    def log_shuffle(self, seat: int) -> None:
        """Append a village to `shuffle_log`: the seat, then number, marks and identity of each card."""
        cards = [
            self.faces[card]
            | self.is_faceup(card) * SHUFFLE_FACEUP
            | self.is_sideways(card) * SHUFFLE_SIDEWAYS
            | (card == self.covered_card) * SHUFFLE_COVERED
            | card << 7
            for card in self.villages[seat]
        ]
        self.shuffle_log = (*self.shuffle_log, (seat, *cards))

    # The round.

    def begin_turn(self) -> None:
        self.phase = PHASE_BEFORE_ACTION
        self.chooser = self.turn
        self.used_cards = self.discarded_this_turn = 0
        self.ability_used = self.turn_skipped = False
        self.begin_action()
        self.add_event(ev.TURN, self.turn)
        if self.cast.shows_deck_card:
            self.refill_shown()

    def end_turn(self) -> None:
        """Finish a turn and set who plays next (D11, C1, X8)."""
        me = self.turn
        self.phase = PHASE_BETWEEN_TURNS
        self.turns += 1
        self.last_turns[me] = self.turns
        if self.cooldowns:
            cooldowns = [
                (seat, card, awaited if seat == me else awaited & ~seat_bit(me))
                for seat, card, awaited in self.cooldowns
            ]
            self.cooldowns = tuple([cooldown for cooldown in cooldowns if cooldown[2]])
        if self.extra_turns:
            self.extra_turns -= 1
        else:
            self.turn = (me + self.direction) % self.players

    def reverse_direction(self, me: int) -> None:
        """Reverse the direction of play; with two players, skip a turn instead (D11, D14)."""
        if self.players > 2:
            self.direction = -self.direction
            self.add_event(ev.REVERSED, me, -1, NO_CARD, self.direction)
        elif not self.turn_skipped and self.caller == NO_SEAT:
            self.turn_skipped = True
            self.extra_turns += 1
            self.add_event(ev.SKIPPED, me)

    def previous_seat(self, me: int) -> int:
        """Return the other seat that most recently finished a turn this round, or `NO_SEAT` (D4, X8)."""
        latest, previous = 0, NO_SEAT
        for seat, turn in enumerate(self.last_turns):
            if turn > latest and seat != me:
                latest, previous = turn, seat
        return previous

    def seats_clockwise_from(self, first: int) -> list[int]:
        """Return all seats in clockwise order, starting with `first`."""
        return [(first + step) % self.players for step in range(self.players)]
