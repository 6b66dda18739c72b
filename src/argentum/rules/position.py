# mypyc: compile
"""A position as a value: as text, for an engine, as a seat knows it, and with the cards that it does not know re-dealt.

>>> position = Position.read("boxes dagger; token dagger A idle; turn A; A 3:A 5; B 8 12; deck 6 7; discard 8")
>>> position.text()
'boxes dddddddddddddd; token dagger A idle; round 1 of 4; turn A; A 3:A 5; B 8 12; deck 6 7; discard 8'
>>> position.known_to("A").table.faces[:4]
[3, -1, -1, -1]
>>> sampled = position.redealt("A", Random(1))
>>> sampled.engine().legal_moves() == position.engine().legal_moves()
True
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from argentum.rules import events as ev
from argentum.rules.engine import Engine, seat_to_choose
from argentum.rules.notation import SEAT_LETTERS, move_text, seat_of
from argentum.rules.position_dict import PositionError, position_dict
from argentum.rules.position_text import PositionText, read_position_text, write_position
from argentum.rules.redeal import (
    UNKNOWN_FACE,
    Weights,
    are_surely_indistinguishable,
    deal_faces,
    hide_marks,
    place_marks,
)
from argentum.rules.residents import CARDS_IN_DECK, has_number
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import ALL_CARDS, FIRST_RULINGS, NO_SEAT, WATCHERS, Table, seat_bit
from argentum.rules.views import make_view

MAX_REDEAL_ATTEMPTS: Final = 60  # to find faces for which the moves since `start` are legal and look the same


class Position:
    """A position within a round. It is a value: do not change its tables and lists.

    `table` is the table now, and `options` has the legal moves. `start` is a table from which the rules can start, and
    `moves` lead from it to `table`. A position `is_at_rest` if the rules can start from `table` itself, as outside of
    abilities. `last_round` is the round with which the game ends. In the position as a seat knows it
    (:meth:`known_to`), cards that the seat does not know have the face `UNKNOWN_FACE`.
    """

    def __init__(
        self,
        table: Table,
        start: Table,
        moves: Sequence[int],
        options: list[int],
        last_round: int = ROUNDS_PER_GAME,
        hidden_marks: dict[int, int] | None = None,
    ) -> None:
        self.table: Final = table
        self.start: Final = start
        self.moves: Final = moves
        self.options: Final = options
        self.last_round: Final = last_round
        # Of a position as a seat knows it, the numbers of the cards whose marks lie on other cards (B8); else None.
        self.hidden_marks: Final = hidden_marks
        self.is_at_rest: Final = not moves and (table.restartable or table.round_over)

    @staticmethod
    def read(text: str) -> "Position":
        """Return the position of a text that :meth:`text` returned; raise `PositionError` if it is invalid.

        If the text states no rulings, use the current version, or the first if the moves are legal only under that.
        """
        parsed = read_position_text(text)
        try:
            return _read_position(parsed)
        except PositionError:
            if parsed.states_rulings:
                raise
            parsed.table.rulings = FIRST_RULINGS
            return _read_position(parsed)

    def text(self) -> str:
        """Return the position as a line of text; raise ValueError if faces are unknown."""
        self.require_all_faces()
        if self.is_at_rest:
            return write_position(self.start, (), self.last_round)
        start = self.start.copy()
        start.fixed_shuffles = fixed_shuffles(self.table)
        return write_position(start, self.moves, self.last_round)

    def engine(self, last_round: int = 0) -> Engine:
        """Return an independent engine for the rest of the round, without events.

        With `last_round`, it deals the next rounds, too. Raise ValueError if faces are unknown.
        """
        self.require_all_faces()
        engine = Engine(self.start.copy(), last_round or self.table.round)
        engine.table.events_off = True
        if not self.table.round_over:
            replay(engine, self.moves)
        while not engine.options and not engine.over:
            engine.advance()
        return engine

    def require_all_faces(self) -> None:
        """Raise ValueError if this is a position as a seat knows it."""
        if self.hidden_marks is not None:
            raise ValueError("some faces of this position are unknown: use `redealt` to deal them")

    def as_dict(self) -> dict[str, Any]:
        """Return the table, with every face, as a dictionary with the same keys as a scenario."""
        return position_dict(self.table)

    @property
    def seat_to_choose(self) -> int:
        """The seat that must choose, as an index; in the first look, one of several."""
        return seat_to_choose(self.table)

    def legal_moves_of(self, viewer: int) -> list[int]:
        """Return the legal moves of a seat; none for `WATCHERS`."""
        if self.table.first_look_pending:
            return [move for move in self.options if seat_of(move) == viewer]
        return self.options if viewer == self.table.chooser and not self.table.round_over else []

    # What a viewer knows.

    def known_to(self, seat: str | None) -> "Position":
        """Return the position as a seat, or for None a watcher, knows it: unknown cards have the face `UNKNOWN_FACE`.

        It depends only on what the viewer knows, and contains neither the results of shuffles nor a seed.
        """
        viewer = self._parse_viewer(seat)
        unknown = self._cards_unknown_at_start_to(viewer)
        start = self._base().copy()
        hidden_marks = self.hidden_marks
        if hidden_marks is None:
            hidden_marks = hide_marks(start) if start.untraceable else {}
        _hide(start, unknown)
        table = start
        if not self.is_at_rest:
            table = self.table.copy()
            if table.untraceable and self.hidden_marks is None:
                hide_marks(table)
            _hide(table, ALL_CARDS & ~self.table.cards_known_to(viewer))
            table.events = events_known_to(self.table, viewer)
        return Position(table, start, self.moves, self.legal_moves_of(viewer), self.last_round, hidden_marks)

    def redealt(self, seat: str | None, random: Random, weights: Weights | None = None) -> "Position | None":
        """Return a position with new faces for the cards that a seat, or for None a watcher, does not know.

        The viewer's view and events stay the same, and the result depends only on what the viewer knows, `random` and
        `weights`, which map cards to the relative probabilities of their numbers. Later shuffles change as well. Return
        None if no consistent deal is found, which is possible after many shuffles and looks in one turn.
        """
        viewer = self._parse_viewer(seat)
        if self.table.round_over:
            start = self._deal_again(viewer, random, weights)
            return Position(start, start, (), [], self.last_round)
        redealt = self.redealt_engine(viewer, random, weights)
        if redealt is None:
            return None
        start, engine = redealt
        return Position(start if self.is_at_rest else engine.table, start, self.moves, engine.options, self.last_round)

    def redealt_engine(
        self, viewer: int, random: Random, weights: Weights | None = None
    ) -> tuple[Table, Engine] | None:
        """Return the start of :meth:`redealt`, and an engine that has played the moves from there, with events."""
        for _ in range(MAX_REDEAL_ATTEMPTS):
            start = self._deal_again(viewer, random, weights)
            engine = self._replay_for(viewer, start)
            if engine is not None:
                return start, engine
        return None

    def redealt_keeping_seen_cards(self, viewer: int, random: Random) -> tuple[Table, Engine]:
        """Re-deal, but keep the results of this turn's shuffles and the faces of all cards that were seen in this turn.

        This keeps the moves legal, but can reveal cards that the viewer does not know.
        """
        keep = self._cards_shuffled_since_start()
        for card in range(CARDS_IN_DECK):
            if self.table.viewers_of(card) != self.start.viewers_of(card) or card == self.table.hand:
                keep |= 1 << card
        start = self._deal_again(viewer, random, None, keep, True)
        engine = Engine(start.copy_with_events(), self.last_round)
        replay(engine, self.moves)
        return start, engine

    def _replay_for(self, viewer: int, start: Table) -> Engine | None:
        """Replay the moves from another start; return the engine, or None if the moves are illegal or look different.

        They look different if the viewer receives other events or legal moves, or, at rest, if there are any events.
        """
        engine = Engine(start.copy_with_events(), self.last_round)
        if self.is_at_rest and viewer == self.table.chooser and not self.table.first_look_pending:
            engine.options = self.options[:]  # They do not depend on what the chooser cannot know (G25).
            return engine
        if replay(engine, self.moves) < len(self.moves):
            return None
        seat = NO_SEAT if viewer == WATCHERS else viewer
        if not engine.options or engine.legal_moves_of(seat) != self.legal_moves_of(viewer):
            return None
        if self.is_at_rest:
            return None if engine.table.events else engine
        return engine if self._looks_same_to(engine, seat, viewer) else None

    def _looks_same_to(self, engine: Engine, seat: int, viewer: int) -> bool:
        """Whether a viewer received the same events in another replay of the moves, and sees the same table now."""
        table, other = self.table, engine.table
        if events_known_to(table, viewer) != events_known_to(other, viewer):
            return False
        if are_surely_indistinguishable(table, other, seat):
            return True
        return make_view(table, [], seat, self.seat_to_choose, [], False) == make_view(
            other, [], seat, engine.chooser, [], False
        )

    def _deal_again(
        self, viewer: int, random: Random, weights: Weights | None, keep: int = 0, keep_shuffles: bool = False
    ) -> Table:
        """Return a copy of `start` with new faces, apart from the cards in the bit mask `keep`."""
        start = self._base().copy()
        start.events = [] if self.is_at_rest else self.start.events[:]
        start.seed = random.getrandbits(62)
        start.fixed_shuffles = shuffle_numbers(self.table) if keep_shuffles else ()
        hidden_marks = self.hidden_marks
        if start.untraceable and hidden_marks is None:
            hidden_marks = hide_marks(start)
        deal_faces(start, self._cards_unknown_at_start_to(viewer) & ~keep, self.table.passed_over, weights, random)
        if hidden_marks:
            place_marks(start, hidden_marks)
        return start

    def _cards_unknown_at_start_to(self, viewer: int) -> int:
        """Return the cards whose faces at the start a viewer does not know, as a bit mask.

        A card that the viewer has seen since counts as known, unless it was shuffled after the start.
        """
        known = self._base().cards_known_to(viewer)
        if not self.is_at_rest:
            known |= self.table.cards_known_to(viewer) & ~self._cards_shuffled_since_start()
        unknown = ALL_CARDS & ~known
        if self.hidden_marks is not None:  # a position as a seat knows it
            for card, number in enumerate(self._base().faces):
                if number == UNKNOWN_FACE:
                    unknown |= 1 << card
        return unknown

    def _base(self) -> Table:
        """Return the table to re-deal: `table` if the rules can start from it, otherwise `start`."""
        return self.table if self.is_at_rest else self.start

    def _cards_shuffled_since_start(self) -> int:
        cards = 0
        for outcome in self.table.shuffle_log[len(self.start.shuffle_log) :]:
            for entry in outcome[1:]:
                cards |= 1 << (entry >> 7)
        return cards

    def _parse_viewer(self, seat: str | None) -> int:
        if seat is None:
            return WATCHERS
        viewer = SEAT_LETTERS[: self.table.players].find(seat)
        if viewer < 0 or len(seat) != 1:
            raise ValueError(f"there is no seat {seat!r}")
        return viewer


def replay(engine: Engine, moves: Sequence[int]) -> int:
    """Start an engine, and play moves until one is illegal; return how many were played.

    Do not start a turn after the last one.
    """
    engine.start()
    for index, move in enumerate(moves):
        while not engine.options and not engine.over:
            engine.advance()
        if not engine.is_option(move):
            return index
        engine.play(move)
    return len(moves)


def events_known_to(table: Table, viewer: int) -> list[ev.RawEvent]:
    """Return the events of a table without the numbers of cards that a viewer did not know."""
    bit = seat_bit(viewer)
    return [raw if raw[4] & bit else (*raw[:3], -1, 0, raw[5], raw[6]) for raw in table.events]


def shuffle_numbers(table: Table) -> list[Sequence[int]]:
    """Return the results of the round's shuffles, as the numbers of the shuffled villages."""
    return [[card & 15 for card in outcome[1:]] for outcome in table.shuffle_log]


def fixed_shuffles(table: Table) -> list[Sequence[int]]:
    """Return the results of the round's past shuffles, then the fixed results of later ones."""
    return [*shuffle_numbers(table), *table.fixed_shuffles[len(table.shuffle_log) :]]


def _read_position(parsed: PositionText) -> Position:
    start = parsed.table
    if start.round_over:
        return Position(start, start, (), [], parsed.last_round)
    engine = Engine(start.copy(), parsed.last_round)
    engine.table.events_off = True
    played = replay(engine, parsed.moves)
    if played < len(parsed.moves):
        raise PositionError(f"moves: {move_text(parsed.moves[played])!r} cannot be made there")
    while not engine.options and not engine.over:
        engine.advance()
    return Position(engine.table, start, parsed.moves, engine.options, parsed.last_round)


def _hide(table: Table, unknown: int) -> None:
    """Remove what a viewer does not know from a table: the faces in a bit mask, random seeds and shuffled orders."""
    for card in range(CARDS_IN_DECK):
        if has_number(unknown, card):
            table.faces[card] = UNKNOWN_FACE
    table.seed = 0
    table.window_worth_asking = True
    table.fixed_shuffles = ()
    table.shuffle_log = tuple([(outcome[0], *[entry & ~15 for entry in outcome[1:]]) for outcome in table.shuffle_log])
