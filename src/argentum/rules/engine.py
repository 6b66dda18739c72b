# mypyc: compile, optimize
"""Play a table at full speed, for search, batches and learning.

An engine has no history, cannot undo moves, and records no events if `Table.events_off` is set; use
:class:`argentum.Game` for these. An engine exposes every face: give players views instead.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from argentum.rules.asking import STEP_MORE_CARDS
from argentum.rules.deal import Deal, deal_next_round
from argentum.rules.fast_lists import contains
from argentum.rules.notation import DONE, seat_of
from argentum.rules.residents import Rule
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import NO_SEAT, RoundEnded, Table
from argentum.rules.turns import end_round_early, play_round


class Engine:
    """Applies the rules to a table: lists the legal moves, makes the chosen ones and deals the next rounds."""

    def __init__(self, table: Table, last_round: int = ROUNDS_PER_GAME, deals: Sequence[Deal] = ()) -> None:
        self.table = table
        self.last_round: Final = last_round
        self.deals: Final = deals  # for the first rounds; the other rounds are shuffled
        self.options: list[int] = []  # the legal moves; in the first look, of several seats
        self.over = False
        self._rule: Rule | None = None
        self._send_to_rule: Callable[[int], list[int]] | None = None  # cached: looking it up for each move is slower

    def start(self) -> None:
        """Start the rules and compute the first `options`. :meth:`play` does this if necessary."""
        if self._rule is None:
            self.options = next(self._set_running_rule(play_round(self.table)))

    def _set_running_rule(self, rule: Rule) -> Rule:
        self._rule = rule
        self._send_to_rule = rule.send
        return rule

    @property
    def chooser(self) -> int:
        """The seat that must choose now; -1 when the game is over. In the first look, one of several such seats."""
        return NO_SEAT if self.over else seat_to_choose(self.table)

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the chooser. The list may be shared: do not change it."""
        return self.legal_moves_of(self.chooser) if self.table.first_look_pending else self.options

    def legal_moves_of(self, seat: int) -> list[int]:
        """Return the legal moves of a seat, if any. In the first look, several seats have legal moves (G4)."""
        if self.table.first_look_pending:
            return [move for move in self.options if seat_of(move) == seat]
        return self.options[:] if seat == self.chooser else []

    def is_option(self, move: int) -> bool:
        return contains(self.options, move)

    def step(self, move: int) -> None:
        """Make a move, which must be one of `options`, and continue to the next choice or the end."""
        self.play(move)
        while not self.options and not self.over:
            self.advance()

    def play(self, move: int) -> None:
        """Make a move, which must be one of `options`.

        If it ends a turn, the first look or a round, `options` is empty: call :meth:`advance` to continue.
        """
        send = self._send_to_rule
        if send is None:
            self.start()
            send = self._send_to_rule
            assert send is not None
        try:
            self.options = send(move)
        except RoundEnded:
            self._end_round_early()

    def _end_round_early(self) -> None:
        """End the round at once (X13)."""
        self.options = next(self._set_running_rule(end_round_early(self.table)))

    def advance(self) -> None:
        """Continue after the end of a turn, the first look or a round.

        Compute the next `options`, which are empty if another turn or round ends first.
        After the last round, set `over`.
        """
        if self.table.round_over:
            if self.table.round >= self.last_round:
                self.over = True
                return
            self.next_round()
        if self._rule is not None:
            try:
                self.options = next(self._rule)
            except RoundEnded:
                self._end_round_early()

    def next_round(self) -> None:
        """Deal the next round (G3)."""
        round_index = self.table.round
        self.table = deal_next_round(self.table, self.deals[round_index] if round_index < len(self.deals) else None)
        self._set_running_rule(play_round(self.table))

    def rollout(self, random: Random, uniform: bool = False) -> int:
        """Play random legal moves to the end of `last_round`; return how many were played.

        They are chosen by :func:`random_move` or, if `uniform` is true, with equal probabilities. Uniform play is weak:
        most of its exchanges name many cards that do not match.
        """
        uniform_random = random.random
        self.start()
        move_count = 0
        while not self.over:
            options = self.options
            if not options:
                self.advance()
                continue
            if uniform:
                move = options[int(uniform_random() * float(len(options)))]
            else:
                move = random_move(options, self.table.step == STEP_MORE_CARDS, random)
            self.play(move)
            move_count += 1
        return move_count


def seat_to_choose(table: Table) -> int:
    """Return the seat that must choose now; in the first look, the first of several such seats."""
    if table.first_look_pending:
        seat = table.turn
        while not table.is_first_look_pending(seat):
            seat = (seat + 1) % table.players
        return seat
    return table.chooser


def random_move(options: list[int], is_choosing_cards: bool, random: Random) -> int:
    """Choose a random move. If `is_choosing_cards`, complete the exchange with a probability of at least 0.9."""
    if is_choosing_cards and random.random() < 0.9:
        return DONE
    return options[int(random.random() * float(len(options)))]
