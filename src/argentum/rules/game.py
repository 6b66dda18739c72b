"""A game of four rounds: who is to move, what is legal, play.

The rules are generators, which cannot be copied. But where a table is at rest it is all there is to a position, and the
rules can start from it. Inside an ability, a position is the table that was last kept and the moves since, and a copy
makes those few moves again.
"""

from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Final

from argentum.rules import events as ev
from argentum.rules.boxes import cast_of
from argentum.rules.deal import Deal, deal, deal_next
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, parse, parse_several, text
from argentum.rules.residents import Ask
from argentum.rules.scoring import ROUNDS, Line, explain, winner
from argentum.rules.table import EVERYBODY, LOW, NO_SEAT, WATCHERS, Table, shuffle
from argentum.rules.turns import course
from argentum.rules.views import View, view_of

FEWEST: Final = 2
MOST: Final = 4
REDEALS: Final = 60  # tries at a re-deal that agrees with the turn so far


class IllegalMove(ValueError):
    """A move that is not legal now; the message says which are."""


class Past:
    """A finished turn (or first look) of a game, with those before it.

    `known_to` has a bit for each seat that may be told the faces in it, and in those before it: after a re-deal, one.
    """

    def __init__(self, before: "Past | None", moves: list[int], events: list[ev.Raw], known_to: int) -> None:
        self.before: Final = before
        self.moves: Final = moves
        self.events: Final = events
        self.known_to: Final = known_to
        self.told: Final[int] = len(events) + (before.told if before is not None else 0)  # events up to its end


class Setup:
    """Where a game began: from here it can be played again."""

    def __init__(
        self,
        table: Table,
        names: list[str],
        deals: Sequence[Deal] = (),
        one_round: bool = False,
        past: Past | None = None,
        finished: tuple[Table, ...] = (),
    ) -> None:
        self.table: Final = table
        self.names: Final = names
        self.deals: Final = deals  # for as many rounds as are given
        self.one_round: Final = one_round  # stop when this round is over
        self.past: Final = past  # of a re-dealt game
        self.finished: Final = finished  # its rounds that are over


def check_name(name: str) -> None:
    """A name must be one line, so that a record can hold it."""
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise ValueError(f"{name!r} is no name: a name is one line of printable characters")


class Game:
    """A game in progress.

    >>> game = Game.new(boxes="dagger", players=2, seed=0)
    >>> game.to_move
    'A'
    >>> game.legal()
    [Move('peek A1'), Move('peek A2'), Move('peek A3'), Move('peek A4'), Move('peek A5')]
    >>> game.play("peek A1 A4")
    >>> game.play("peek B1 B2")
    >>> game.legal()
    [Move('draw'), Move('take')]
    """

    def __init__(self, setup: Setup, table: Table) -> None:
        self.setup: Final = setup
        self.table = table
        self.past = setup.past
        self.finished = setup.finished  # the rounds that are over
        self.start = table  # the last table that was kept: between turns, or where a re-deal was made
        self.moves: list[int] = []  # since then
        self.options: list[int] = []
        self.over = False
        self.watched = True  # tables are kept, for copies
        self.run: Ask | None = None

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
        for name in names:
            check_name(name)
        if seed is None:
            seed = SystemRandom().getrandbits(64)
        table = deal(cast_of(boxes, token), players, seed, deals[0] if deals else None)
        return _begun(Setup(table, list(names or SEATS[:players]), deals))

    @staticmethod
    def at(table: Table, names: Sequence[str] = ()) -> "Game":
        """A game from a given position: the rest of that one round."""
        return _begun(Setup(_kept(table), list(names or SEATS[: table.players]), one_round=True))

    # Whose move, and which.

    @property
    def names(self) -> list[str]:
        """The players' names, by seat."""
        return self.setup.names

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
        return self.choices_of(self.chooser)

    def choices_of(self, seat: int) -> list[int]:
        """The legal moves of one seat, as plain numbers; in the first look nobody waits for another (G4)."""
        if self.table.looking:
            return [move for move in self.options if names_seat(move) == seat]
        return self.options[:] if seat == self.chooser else []

    def legal(self, seat: str = "") -> list[Move]:
        """The legal moves: of the seat to move, or of a given seat.

        `peek` and `exchange` are listed, and played by value, card by card (`exchange A1`, then `and A3` or `done`);
        by text they may be played whole: `exchange A1 A3`.
        """
        moves = self.choices_of(self._seat(seat)) if seat else self.choices()
        return [MOVES[move] for move in moves]

    # Play.

    def play(self, move: int | str, seat: str = "") -> None:
        """Make a move, given by value or by its text; with a seat, only if that seat may make it.

        A value is one of :meth:`legal`: `exchange A1` is then followed by `and A3` or `done`. A text is a whole move,
        as people write it: `exchange A1` exchanges that card alone, `exchange A1 A3` both.
        """
        if isinstance(move, str):
            steps = self._steps(move, self._seat(seat) if seat else NO_SEAT)
            for step in steps:
                self._step(step)
            if steps[0] & ~255 == EXCHANGE and DONE in self.options:
                self._step(DONE)
        else:
            if move not in self.options or (seat and move not in self.choices_of(self._seat(seat))):
                raise self._refusal(text(move), self._seat(seat) if seat else NO_SEAT)
            self._step(move)

    def roll_out(self, random: Random, uniform: bool = False) -> int:
        """Play on to the end with random legal moves, as fast as it goes: no events are noted on the way.

        Moves are chosen by :func:`random_move`, or with equal chances for each legal move, which makes for poor play:
        most exchanges are then of many cards that do not match. The number of moves made is returned.
        """
        made = 0
        chance = random.random
        self.watched = False
        self.table.quiet = True
        while not self.over:
            send = self._running().send
            round = self.table.round
            while self.table.round == round and not self.over:
                options = self.options
                move = options[int(chance() * float(len(options)))] if uniform else random_move(options, random)
                made += 1
                self.moves.append(move)
                self.options = send(move)
                if not self.options:
                    self._turn_over()
        self.watched = True
        return made

    def _steps(self, written: str, seat: int) -> list[int]:
        """The one-card moves that a text stands for, if they are legal; else an error, before anything is done."""
        several = parse_several(written)
        if len(several) > 1:
            whole = [several[0], *[AND + (move & 255) for move in several[1:]]]
            one_village = len({names_seat(move) for move in several}) == 1
            distinct = len(set(several)) == len(several)
            two = several[0] & ~255 != PEEK or len(several) == 2
            if not (one_village and distinct and two and all([move in self.options for move in several])):
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
            return IllegalMove(f"'{what}' is refused: the {'round' if self.setup.one_round else 'game'} is over")
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
        run = self._running()
        self.moves.append(move)
        self.options = run.send(move)
        if not self.options:
            self._turn_over()

    def _turn_over(self) -> None:
        """A turn, a first look or a round is over: go on to where somebody must choose."""
        while not self.options:
            table = self.table
            if self.watched or table.over:
                self.past = Past(self.past, self.moves, table.events, EVERYBODY)
                self.moves = []
                table.events = []
            if table.over:
                self.finished = (*self.finished, table)
                if self.setup.one_round or table.round == ROUNDS:
                    self.over = True
                    self.start = self.table = table.copy()
                    return
                deals = self.setup.deals
                table = self.table = deal_next(table, deals[table.round] if table.round < len(deals) else None)
                self.run = course(table)
            if self.watched:
                self.start = _kept(table)
            if self.run is not None:
                self.options = next(self.run)

    def _running(self) -> Ask:
        """The rules at the choice that is asked for now; they are started where that was put off."""
        run = self.run
        if run is None:
            run = self.run = course(self.table)
            self.options = next(run)
        return run

    # Copies.

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __repr__(self) -> str:
        return (
            f"<Game {self.table.cast.code} for {self.players}: round {self.round}, {self.to_move or 'nobody'} to move>"
        )

    def copy(self) -> "Game":
        """The same game, to be played on by itself.

        A table at rest is all there is to a position, and the rules start from it when the copy is first played on.
        """
        if self.table.at_rest or self.over:
            new = Game(self.setup, _kept(self.table))
            new.options = self.options[:]
        else:
            new = Game(self.setup, _kept(self.start))
            run = new._running()
            for move in self.moves:
                new.options = run.send(move)
        new.past, new.finished, new.over = self.past, self.finished, self.over
        new.start, new.moves = self.start, self.moves[:]
        return new

    def from_start(self) -> "Game":
        """The same game before its first move; a re-dealt game begins where it was dealt."""
        return _begun(self.setup)

    def history(self) -> list[int]:
        """All moves of the game so far, card by card, as plain numbers."""
        turns = self._turns()
        first = turns.index(self.setup.past) + 1 if self.setup.past is not None else 0
        return [move for turn in turns[first:] for move in turn.moves]

    def _turns(self) -> list[Past]:
        """The turns so far, the running one last."""
        turns = [Past(None, self.moves, self.table.events, EVERYBODY)]
        past = self.past
        while past is not None:
            turns.append(past)
            past = past.before
        turns.reverse()
        return turns

    def take_back(self, count: int = 1) -> None:
        """Take back the last moves, as they are written: an exchange of several cards is one. By replay."""
        steps = self.history()
        for _ in range(count):
            if not steps:
                raise ValueError("there is no move to take back")
            _drop_last(steps)
        again = self.from_start()
        for step in steps:
            again._step(step)
        self.table, self.start, self.past, self.finished = again.table, again.start, again.past, again.finished
        self.moves, self.options, self.over, self.run = again.moves, again.options, again.over, again.run

    # What a seat may know.

    def view(self, seat: str | None = None) -> View:
        """What one seat may see, or somebody who only watches (no seat)."""
        number = NO_SEAT if seat is None else self._seat(seat)
        return view_of(self.table, self.names, number, self.chooser, self.choices_of(number) if seat else [], self.over)

    def events(self, seat: str | None = None, since: int = 0) -> list[ev.Event]:
        """What happened so far, as one seat, or somebody who only watches, was told it; all but the first `since`."""
        viewer = WATCHERS if seat is None else 1 << self._seat(seat)
        past, events, known_to = self.past, self.table.events, EVERYBODY
        left = len(events) + (past.told if past is not None else 0) - since
        told: list[ev.Event] = []
        while left > len(told):
            for raw in reversed(events):
                if len(told) == left:
                    break
                knows = raw[4] & viewer != 0 and raw[4] & known_to != 0
                told.append(ev.told(raw, knows, self.table.cast, self.names))
            if past is None:
                break
            events, known_to, past = past.events, known_to & past.known_to, past.before
        told.reverse()
        return told

    def redeal(self, seat: str | None, random: Random) -> "Game":
        """A copy in which every face that a seat cannot know is dealt anew, in agreement with what it does know.

        What is random from here on is random anew. What happened before is known in the copy as that seat knows it, and
        cannot be taken back.
        """
        dealt = self.imagine(seat, random)
        if dealt is None:  # keep the faces that the running turn rests on
            dealt = self._redealt(self._past_for(seat), self._viewer(seat), random, True)
        assert dealt is not None
        return dealt

    def imagine(self, seat: str | None, random: Random) -> "Game | None":
        """The same from what the seat knows and `random` alone, whatever the truth is; None if nothing is found.

        That is so where much was shuffled and seen in the running turn, and luck does not find how it may have been.
        """
        number = NO_SEAT if seat is None else self._seat(seat)
        past, viewer = self._past_for(seat), self._viewer(seat)
        if self.over:
            game = Game(Setup(self.table, self.names, (), self.setup.one_round, past, self.finished), self.table.copy())
            game.over = True
            return game
        resting = self.table.at_rest  # else the moves of this turn are made again
        wanted = [] if resting else self._told_now(number)
        for _ in range(REDEALS):
            dealt = self._redealt(past, viewer, random, False)
            if dealt is None:
                continue
            if resting:  # only faces changed; unless something happened by itself, the seat sees the same
                if not dealt.table.events and dealt.choices_of(number) == self.choices_of(number):
                    return dealt
            elif dealt._told_now(number) == wanted:
                return dealt
        return None

    def _viewer(self, seat: str | None) -> int:
        """The bit of a seat, or of those who only watch."""
        return WATCHERS if seat is None else 1 << self._seat(seat)

    def _past_for(self, seat: str | None) -> Past:
        """What is past for a re-deal, as a seat knows it."""
        kept = self.table.at_rest and not self.over
        return Past(self.past, self.moves if kept else [], self.table.events if kept else [], self._viewer(seat))

    def _redealt(self, past: Past, viewer: int, random: Random, careful: bool) -> "Game | None":
        """A game dealt anew for a viewer, if the turn's moves can be made with those faces.

        If careful, what anybody has seen in this turn, and its shuffles, stay: then the moves can be made.
        """
        resting = self.table.at_rest
        table = self.table.copy() if resting else _kept(self.start)
        outcomes = self.table.outcomes if careful else self.start.outcomes
        table.seed = random.getrandbits(62)
        table.given = [[card & 15 for card in outcome[1:]] for outcome in outcomes]
        seen, now = table.seen, self.table.seen
        cards = [card for card in range(len(seen)) if not (seen[card] | now[card]) & viewer]
        if careful:
            shuffled = [one >> 7 for outcome in outcomes[len(self.start.outcomes) :] for one in outcome[1:]]
            stay = [self.table.hand, *shuffled]
            cards = [card for card in cards if seen[card] == now[card] and card not in stay]
        _shuffle_faces(table, cards, self.table.passed, random)
        setup = Setup(_kept(table), self.names, (), self.setup.one_round, past, self.finished)
        game = Game(setup, table)
        game.start = setup.table
        run = game._running()
        for move in [] if resting else self.moves:
            if move not in game.options:
                return None
            game.options = run.send(move)
            game.moves.append(move)
        return game if game.options else None

    def _told_now(self, seat: int) -> list[object]:
        """What a seat sees now, with its choices, and what it was told in this turn."""
        viewer = WATCHERS if seat == NO_SEAT else 1 << seat
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


def random_move(options: list[int], random: Random) -> int:
    """One of the legal moves at random; but a card named for an exchange is the last of it nine times in ten."""
    if options[-1] == DONE and random.random() < 0.9:
        return DONE
    return options[int(random.random() * float(len(options)))]


def _shuffle_faces(table: Table, cards: list[int], above: int, random: Random) -> None:
    """Deal the faces of these cards anew among them; those in `above`, which all know to be above 4, get such faces."""
    faces = sorted([table.faces[card] for card in cards])  # so that the order does not hang on how they lie
    shuffle(faces, random)
    for card in cards:
        if above >> card & 1:
            high = next(nth for nth, face in enumerate(faces) if face > LOW)
            table.faces[card] = faces.pop(high)
    for card in cards:
        if not above >> card & 1:
            table.faces[card] = faces.pop()


def _begun(setup: Setup) -> Game:
    """A game before its first move."""
    game = Game(setup, _kept(setup.table))
    game.start = setup.table
    game._running()
    game._turn_over()
    return game


def _drop_last(steps: list[int]) -> None:
    """Drop the last move as it is written: an exchange with all its cards, a look with both of them."""
    last = steps.pop()
    named = AND <= last < EXCHANGE
    first = PEEK + (last & 192)  # the same seat's look, which others may have come between (G4)
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if named and first <= step < first + 64:
            del steps[place]
            return
        if (named or last == DONE) and EXCHANGE <= step < EXCHANGE + 256:
            del steps[place:]
            return
        if not (named or last == DONE):
            return


def _kept(table: Table) -> Table:
    """A copy of a table with what was just told of it."""
    new = table.copy()
    new.events = table.events[:]
    return new
