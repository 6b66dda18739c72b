"""A game of four rounds: who is to move, what is legal, play.

A position is the table at the start of the turn plus the moves made since: the rules are generators, which cannot be
copied, so a copy copies that table and makes those few moves again.
"""

import secrets
from collections.abc import Sequence
from random import Random
from typing import Final

from argentum.rules import events as ev
from argentum.rules.boxes import cast_of
from argentum.rules.deal import Deal, deal, deal_next
from argentum.rules.move import MOVES, Move
from argentum.rules.moves import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, parse, parse_several, text
from argentum.rules.residents import Ask
from argentum.rules.scoring import ROUNDS, Line, explain, winner
from argentum.rules.table import EVERYBODY, NO_SEAT, WATCHERS, Table, shuffle
from argentum.rules.turns import course
from argentum.rules.views import View, view_of

NAMES: Final = SEATS
FEWEST: Final = 2
MOST: Final = 4
REDEALS: Final = 40  # tries at a re-deal that agrees with the turn so far


class IllegalMove(ValueError):
    """A move that is not legal now; the message says which are."""


class Past:
    """A finished turn (or first look) of a game, with those before it."""

    def __init__(self, before: "Past | None", moves: list[int], events: list[ev.Raw]) -> None:
        self.before: Final = before
        self.moves: Final = moves
        self.events: Final = events


class Game:
    """A game in progress.

    >>> game = Game.new(boxes="dagger", players=2, seed=1)
    >>> game.to_move
    'A'
    >>> game.legal()
    [Move('peek A1'), Move('peek A2'), Move('peek A3'), Move('peek A4'), Move('peek A5')]
    >>> game.play("peek A1 A4")
    >>> game.play("peek B1 B2")
    >>> game.legal()
    [Move('draw'), Move('take')]
    """

    def __init__(self, table: Table, root: Table, names: list[str], deals: Sequence[Deal], one_round: bool) -> None:
        self.names: Final = names
        self.deals: Final = deals  # for as many rounds as are given
        self.one_round: Final = one_round  # stop when this round is over
        self.root = root  # the first position, from which everything can be played again
        self.table = table
        self.finished: tuple[Table, ...] = ()  # the rounds that are over
        self.start = table
        self.past: Past | None = None
        self.moves: list[int] = []  # of this turn
        self.options: list[int] = []
        self.over = False
        self.watched = True  # the start of each turn is kept, for copies
        self.veil: Past | None = None  # a re-deal: what happened up to here is known as one seat knows it
        self.veiled_for = EVERYBODY
        self.run: Ask = course(table)

    @staticmethod
    def new(
        boxes: str = "dagger",
        players: int = 2,
        seed: int | None = None,
        token: str = "",
        names: Sequence[str] = (),
        deals: Sequence[Deal] = (),
    ) -> "Game":
        """A new game: a box or a deck code (G1), two to four seats; everything random follows from the seed.

        `deals` are used for the first rounds, instead of shuffling.
        """
        if not FEWEST <= players <= MOST:
            raise ValueError(f"{players} players: Silver is for two to four")
        if names and len(names) != players:
            raise ValueError(f"{len(names)} names for {players} players")
        if seed is None:
            seed = secrets.randbits(64)
        table = deal(cast_of(boxes, token), players, seed, deals[0] if deals else None)
        game = Game(table, _kept(table), list(names or NAMES[:players]), deals, False)
        game._begin()
        return game

    @staticmethod
    def at(table: Table, names: Sequence[str] = ()) -> "Game":
        """A game from a given position: the rest of that one round."""
        game = Game(table, _kept(table), list(names or NAMES[: table.players]), (), True)
        game._begin()
        return game

    # Whose move, and which.

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.table.players

    @property
    def seats(self) -> list[str]:
        """The seats' letters, clockwise."""
        return list(SEATS[: self.table.players])

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self.table.round

    @property
    def to_move(self) -> str:
        """The seat that must choose now; empty when the game is over. (In the first look it is one of several.)"""
        return "" if self.over else SEATS[self.chooser]

    @property
    def chooser(self) -> int:
        """The same as a number, -1 when the game is over."""
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
        """The legal moves of the seat to move, as plain numbers."""
        return self.choices_of(self.chooser) if self.table.looking else self.options

    def choices_of(self, seat: int) -> list[int]:
        """The legal moves of one seat, as plain numbers; in the first look the seats do not wait for each other (G4)."""
        if self.table.looking:
            return [move for move in self.options if names_seat(move) == seat]
        return self.options if seat == self.chooser else []

    def legal(self, seat: str = "") -> list[Move]:
        """The legal moves: of the seat to move, or of a given seat.

        `peek` and `exchange` are listed, and played by value, card by card (`exchange A1`, then `and A3` or `done`);
        by text they may be played whole: `exchange A1 A3`.
        """
        moves = self.choices_of(self._seat(seat)) if seat else self.choices()
        return [MOVES[move] for move in moves]

    # Play.

    def play(self, move: int | str, seat: str = "") -> None:
        """Make a move, given by value or by its text; with a seat, only if that seat may make it."""
        if isinstance(move, str):
            steps = self._steps(move, self._seat(seat) if seat else NO_SEAT)
            for step in steps:
                self._step(step)
            if steps[0] & ~255 == EXCHANGE and DONE in self.options:
                self._step(DONE)
        else:
            if move not in self.options or (seat and move not in self.choices_of(self._seat(seat))):
                known = isinstance(move, Move)
                raise self._refusal(str(move) if known else f"move {move!r}", self._seat(seat) if seat else NO_SEAT)
            self._step(move)

    def roll_out(self, random: Random) -> int:
        """Play on to the end with random legal moves, as fast as it goes: no events are noted on the way.

        The number of moves made is returned. (One turn cannot be told from another afterwards, but for the record.)
        """
        made = 0
        chance = random.random
        self.watched = False
        self.table.quiet = True
        while not self.over:
            options = self.options
            move = options[int(chance() * len(options))]
            made += 1
            self.moves.append(move)
            self.options = self.run.send(move)
            if not self.options:
                self._turn_over()
        self.watched = True
        return made

    def _steps(self, written: str, seat: int) -> list[int]:
        """The one-card moves that a text stands for, if they are legal; else an error, before anything is done."""
        several = parse_several(written)
        if len(several) > 1:
            whole = [several[0], *[AND + (move & 255) for move in several[1:]]]
            distinct = len(set(several)) == len(several)
            two = several[0] & ~255 != PEEK or len(several) == 2
            if not (distinct and two and all([move in self.options for move in several])):
                raise self._refusal(written, seat)
            if len({names_seat(move) for move in several}) > 1:
                raise self._refusal(written, seat)
        else:
            whole = [parse(written)]
            if whole[0] not in self.options:
                raise self._refusal(written, seat)
        if seat != NO_SEAT and whole[0] not in self.choices_of(seat):
            raise self._refusal(written, seat)
        return whole

    def _refusal(self, what: str, seat: int) -> IllegalMove:
        """Why a move is refused: what is wrong, and what would be right."""
        what = " ".join(what.split())
        if len(what) > 60:
            what = what[:57] + "..."
        if self.over:
            return IllegalMove(f"'{what}' is refused: the {'round' if self.one_round else 'game'} is over")
        if seat != NO_SEAT and not self.choices_of(seat):
            return IllegalMove(
                f"'{what}' is refused: it is not seat {SEATS[seat]}'s turn, seat {self.to_move} is to move"
            )
        moves = self.choices_of(seat) if seat != NO_SEAT else self.choices()
        who = SEATS[seat] if seat != NO_SEAT else self.to_move
        why = "is not legal now" if parse(what) >= 0 or parse_several(what) else "is not a move"
        return IllegalMove(f"'{what}' {why}; seat {who} may play: {', '.join([text(move) for move in moves])}")

    def _seat(self, letter: str) -> int:
        seat = SEATS.find(letter.upper()) if len(letter) == 1 else -1
        if not 0 <= seat < self.table.players:
            raise ValueError(f"there is no seat {letter!r}: the seats are {', '.join(self.seats)}")
        return seat

    def _step(self, move: int) -> None:
        self.moves.append(move)
        self.options = self.run.send(move)
        if not self.options:
            self._turn_over()

    def _turn_over(self) -> None:
        """A turn, a first look or a round is over: go on to where somebody must choose."""
        while not self.options:
            table = self.table
            if self.watched or table.over:
                self.past = Past(self.past, self.moves, table.events)
                self.moves = []
                table.events = []
            if not table.over:
                if self.watched:
                    self.start = table.copy()
                self.options = self.run.send(0)
                continue
            self.finished = (*self.finished, table)
            if self.one_round or table.round == ROUNDS:
                self.over = True
                self.start = self.table = table.copy()
                return
            given = self.deals[table.round] if table.round < len(self.deals) else None
            self.table = deal_next(table, given)
            self._begin()

    def _begin(self) -> None:
        """Begin a round, and note where it began."""
        self.start = _kept(self.table)
        self.run = course(self.table)
        self.options = next(self.run)
        self._turn_over()

    # Copies.

    def copy(self) -> "Game":
        """The same game, to be played on by itself."""
        return self._copy_from(self.start, self.deals)

    def _copy_from(self, start: Table, deals: Sequence[Deal]) -> "Game":
        table = _kept(start)
        new = Game(table, self.root, self.names, deals, self.one_round)
        new.finished = self.finished
        new.start = start
        new.past = self.past
        new.veil, new.veiled_for = self.veil, self.veiled_for
        new.over = self.over
        if not self.over:
            new.moves = self.moves[:]
            new.run = course(table)
            options = next(new.run)
            for move in self.moves:
                options = new.run.send(move)
            new.options = options
        return new

    def history(self) -> list[int]:
        """All moves of the game so far, card by card, as plain numbers."""
        return [move for turn in self._turns() for move in turn.moves]

    def _turns(self) -> list[Past]:
        """The turns so far, the running one last."""
        turns = [Past(None, self.moves, self.table.events)]
        past = self.past
        while past is not None:
            turns.append(past)
            past = past.before
        turns.reverse()
        return turns

    def take_back(self, count: int = 1) -> None:
        """Take back the last moves, as they are written: an exchange of several cards is one. By replay."""
        again = self.from_start()
        steps = self.history()
        for _ in range(count):
            if not steps:
                raise ValueError("there is no move to take back")
            last = steps.pop()
            while steps and (last == DONE or AND <= last < EXCHANGE):
                last = steps.pop()
        for step in steps:
            again._step(step)
        self._become(again)

    def from_start(self) -> "Game":
        """The same game before its first move."""
        if self.veil is not None:
            raise ValueError("a re-dealt game has no beginning: its past is not its own")
        game = Game(_kept(self.root), self.root, self.names, self.deals, self.one_round)
        game._begin()
        return game

    def _become(self, other: "Game") -> None:
        self.table, self.start, self.past, self.finished = other.table, other.start, other.past, other.finished
        self.moves, self.options, self.over, self.run = other.moves, other.options, other.over, other.run

    # What a seat may know.

    def view(self, seat: str | None = None) -> View:
        """What one seat may see, or somebody who only watches (no seat)."""
        number = NO_SEAT if seat is None else self._seat(seat)
        return view_of(self.table, self.names, number, self.chooser, self.choices_of(number) if seat else [], self.over)

    def events(self, seat: str | None = None) -> list[ev.Event]:
        """What happened so far, as one seat, or somebody who only watches, was told it."""
        viewer = WATCHERS if seat is None else 1 << self._seat(seat)
        told: list[ev.Event] = []
        veiled = self.veiled_for
        hidden = self.veil is not None
        for turn in self._turns():
            for raw in turn.events:
                knows = raw[4] & viewer and (not hidden or raw[4] & veiled)
                told.append(ev.told(raw, bool(knows), self.table.cast, self.names))
            if turn is self.veil:
                hidden = False
        return told

    def redeal(self, seat: str | None, random: Random) -> "Game":
        """A copy in which every face that a seat cannot know is dealt anew, in agreement with what it does know.

        What is random from here on is random anew. What happened in earlier turns is known in the copy as that seat
        knows it, and cannot be taken back.
        """
        number = NO_SEAT if seat is None else self._seat(seat)
        viewer = WATCHERS if seat is None else 1 << number
        # The seat to move has seen all that its own turn so far rests on; somebody else's turn must be tried.
        certain = number == self.chooser and len(self.table.outcomes) == len(self.start.outcomes)
        wanted = [] if certain else self._told(number, viewer)
        game: Game | None = None
        for _ in range(REDEALS):
            start = self._start_anew(random, self.start.outcomes)
            self._shuffle_unknown(start, viewer, random)
            game = self._replayed(start)
            if game is not None and (certain or game._told(number, viewer) == wanted):
                break
            game = None
        if game is None:  # nothing else was found that agrees with this turn: keep it as it is
            game = self._copy_from(self._start_anew(random, self.table.outcomes), ())
        game.root = game.start
        game.veil, game.veiled_for = self.past, viewer & self.veiled_for
        return game

    def _start_anew(self, random: Random, outcomes: tuple[tuple[int, ...], ...]) -> Table:
        """The start of the turn with a random stream of its own, after shuffles that come out like these."""
        start = self.start.copy()
        start.events = self.start.events
        start.seed = random.getrandbits(62)
        start.given = [[card & 15 for card in outcome[1:]] for outcome in outcomes]
        return start

    def _shuffle_unknown(self, start: Table, viewer: int, random: Random) -> None:
        """Deal the faces that somebody knows neither at the start of the turn nor now anew among their cards."""
        seen, now = start.seen, self.table.seen
        cards = [card for card in range(len(seen)) if not (seen[card] | now[card]) & viewer]
        faces = [start.faces[card] for card in cards]
        shuffle(faces, random)
        for card, face in zip(cards, faces, strict=True):
            start.faces[card] = face

    def _replayed(self, start: Table) -> "Game | None":
        """The game with this turn's moves made from another start; none if they cannot be made there."""
        trial = start.copy()
        run = course(trial)
        options = next(run)
        for move in self.moves:
            if move not in options:
                return None
            options = run.send(move)
        return self._copy_from(start, ()) if options else None

    def _told(self, seat: int, viewer: int) -> list[object]:
        """All of the running turn that somebody has been told."""
        moves = self.choices_of(seat) if seat != NO_SEAT else []
        view = view_of(self.table, self.names, seat, self.chooser, moves, self.over)
        return [view, [raw if raw[4] & viewer else (*raw[:3], -1, 0, raw[5]) for raw in self.table.events]]

    # How it stands.

    @property
    def totals(self) -> dict[str, int]:
        """Each seat's points in the rounds that are over."""
        return dict(zip(self.seats, self.table.totals, strict=True))

    @property
    def scores(self) -> list[dict[str, int]]:
        """Each seat's points, round by round."""
        return [dict(zip(self.seats, table.scores, strict=True)) for table in self.finished]

    def explain(self, round: int) -> list[Line]:
        """How a finished round was scored, line by line: which card added, halved or cancelled what, and why."""
        for table in self.finished:
            if table.round == round:
                return explain(table)
        raise ValueError(f"round {round} is not over; finished rounds: {[table.round for table in self.finished]}")

    @property
    def winner(self) -> str:
        """The seat that has won; empty while the game goes on (G19)."""
        return SEATS[winner(self.table)] if self.over and self.table.round == ROUNDS else ""


def _kept(table: Table) -> Table:
    """A copy of a table with what was just told of it."""
    new = table.copy()
    new.events = table.events[:]
    return new
