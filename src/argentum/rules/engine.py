"""A game at full speed, for search, batch play and learning: whose choice, which moves, and the next one.

An engine plays on its own table and keeps nothing: no history, no way back, and no events if its table is quiet. A
:class:`argentum.Game` is an engine with a memory. Whoever is given one sees every face; players are given views.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from argentum.rules.deal import Deal, deal_next
from argentum.rules.fast_lists import listed
from argentum.rules.notation import DONE, names_seat
from argentum.rules.residents import Ask
from argentum.rules.scoring import ROUNDS
from argentum.rules.table import NO_SEAT, RoundEnds, Table
from argentum.rules.turns import course, cut_short


class Engine:
    """A table being played on, up to the end of a round or of several."""

    def __init__(self, table: Table, last_round: int = ROUNDS, deals: Sequence[Deal] = ()) -> None:
        self.table = table
        self.last_round: Final = last_round
        self.deals: Final = deals  # for as many rounds as are given; the others are shuffled
        self.options: list[int] = []  # the moves that are legal now
        self.over = False
        self._run: Ask | None = None
        self._send: Callable[[int], list[int]] | None = None  # of the run; to look it up for each move takes longer

    def start(self) -> None:
        """Find the first choice. At a table at rest, this can also wait until the first move."""
        if self._run is None:
            self.options = next(self._follow(course(self.table)))

    def _follow(self, run: Ask) -> Ask:
        """Let these rules be at work from now on."""
        self._run = run
        self._send = run.send
        return run

    @property
    def rules(self) -> Ask | None:
        """The rules at work, once they are."""
        return self._run

    @property
    def chooser(self) -> int:
        """The seat that must choose now, -1 when all is over. (In the first look it is one of several.)"""
        if self.over:
            return NO_SEAT
        looking = self.table.looking
        if looking:
            seat = self.table.turn
            while not looking >> seat & 1:
                seat = (seat + 1) % self.table.players
            return seat
        return self.table.chooser

    def choices(self) -> list[int]:
        """The legal moves of the seat that must choose, to be looked at only."""
        return self.choices_of(self.chooser) if self.table.looking else self.options

    def choices_of(self, seat: int) -> list[int]:
        """The legal moves of one seat; in the first look nobody waits for another (G4)."""
        if self.table.looking:
            return [move for move in self.options if names_seat(move) == seat]
        return self.options[:] if seat == self.chooser else []

    def offers(self, move: int) -> bool:
        """Whether a move is one of `options`."""
        return listed(self.options, move)

    def step(self, move: int) -> None:
        """Make a move, which must be one of `options`, and go on to where somebody must choose."""
        self.send(move)
        while not self.options and not self.over:
            self.go_on()

    def send(self, move: int) -> None:
        """Make a move. At the end of a turn, the first look or a round, `options` is then empty: see :meth:`go_on`."""
        send = self._send
        if send is None:
            self.start()
            send = self._send
            assert send is not None
        try:
            self.options = send(move)
        except RoundEnds:
            self._cut_short()

    def _cut_short(self) -> None:
        """The round ends at once (X13)."""
        self.options = next(self._follow(cut_short(self.table)))

    def go_on(self) -> None:
        """Go on from such an end: to a choice, or to the next end."""
        if self.table.over:
            if self.table.round >= self.last_round:
                self.over = True
                return
            self.next_round()
        if self._run is not None:
            try:
                self.options = next(self._run)
            except RoundEnds:
                self._cut_short()

    def next_round(self) -> None:
        """Deal the next round (G3)."""
        nth = self.table.round
        self.table = deal_next(self.table, self.deals[nth] if nth < len(self.deals) else None)
        self._follow(course(self.table))

    def roll_out(self, random: Random, uniform: bool = False) -> list[int]:
        """Play on to the end of the round with random legal moves; the moves are returned.

        They are chosen by :func:`random_move`, or with equal chances for each legal move, which makes for poor play:
        most exchanges are then of many cards that do not match.
        """
        chance = random.random
        self.start()
        moves: list[int] = []
        table, options = self.table, self.options
        send = self._send
        assert send is not None
        while not table.over:
            if not options:
                self.go_on()
                options = self.options
                continue
            move = options[int(chance() * float(len(options)))] if uniform else random_move(options, random)
            moves.append(move)
            try:
                options = send(move)
            except RoundEnds:
                self._cut_short()
                return moves + self.roll_out(random, uniform)
        self.options = options
        return moves


def random_move(options: list[int], random: Random) -> int:
    """One of the legal moves at random; but a card named for an exchange is the last of it nine times in ten."""
    if options[-1] == DONE and random.random() < 0.9:
        return DONE
    return options[int(random.random() * float(len(options)))]
