"""Game API; finished turns and undo; re-dealing hidden faces."""

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Any, Final

from argentum.rules import events as ev
from argentum.rules.boxes import cast_of
from argentum.rules.deal import Deal, deal, deal_of
from argentum.rules.engine import Engine
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, parse, parse_several
from argentum.rules.notation import text as text_of
from argentum.rules.position_dict import PositionError, position, read_position, shuffle_text, village_seen
from argentum.rules.position_text import Snapshot, read_snapshot, write_snapshot
from argentum.rules.redeal import _shuffle_faces, _unseen, surely_alike
from argentum.rules.residents import Cast
from argentum.rules.scoring import ROUNDS, Line, explain, winner
from argentum.rules.table import EVERYBODY, FIRST_RULINGS, NO_SEAT, RULINGS, WATCHERS, Table
from argentum.rules.turn_history import Dealt, Past, Setup, Shuffle, _drop_last
from argentum.rules.views import View, view_of

FEWEST: Final = 2
MOST: Final = 4
KNOWN: Final = MOVES  # by number; compiled, a name of an interpreted module would be looked up each time
REDEALS: Final = 60  # tries at a re-deal that agrees with the turn so far
KEEPING: Final = 8  # turns after which a table is kept again


class IllegalMove(ValueError):
    """A move that is not legal now; the message says which are."""


def check_name(name: str) -> None:
    """A name must be one line, so that a record can hold it."""
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise ValueError(f"{name!r} is not a name: a name is one line of printable characters")


class Game:
    """A game in progress: play it, copy it, and see it as a seat may.

    >>> game = Game.new(boxes="dagger", players=2, seed=0)
    >>> game.to_move
    'A'
    >>> game.legal()
    [Move('peek A1'), Move('peek A2'), Move('peek A3'), Move('peek A4'), Move('peek A5')]
    >>> game.play("peek A1 A4")
    [Move('peek A1'), Move('and A4')]
    >>> game.play("peek B1 B2")
    [Move('peek B1'), Move('and B2')]
    >>> game.legal()
    [Move('draw'), Move('take')]
    """

    def __init__(self, setup: Setup, table: Table) -> None:
        self._setup: Final = setup
        self._engine = Engine(table, setup.last_round, setup.deals)
        self._past = setup.past
        self._finished = setup.finished  # the rounds that are over
        self._dealt = setup.dealt  # how the rounds so far were dealt
        self._kept = table  # the last table that was kept: between turns, or where a re-deal was made
        self._since = 0  # turns that were finished since then
        self._moves: list[int] = []  # in this turn; or since the re-deal, if that was made in it
        self._rest = 0  # how many of them were made when the table was last at rest
        self._resting: Table | None = None  # the table as it was then, kept by the first copy for the next

    @staticmethod
    def new(
        boxes: str = "dagger",
        players: int = 2,
        seed: int | None = None,
        token: str = "",
        names: Sequence[str] = (),
        deals: Sequence[Deal] = (),
        rounds: int = ROUNDS,
        rulings: int = RULINGS,
    ) -> "Game":
        """A new game: a box or a deck code (G1), two to four seats; everything random follows from the seed.

        `deals` are used for the first rounds, instead of shuffling. A game of fewer `rounds` ends after them.
        `rulings` is the version that the game goes by: a game is played to its end by those that it was begun under.
        """
        if not FEWEST <= players <= MOST:
            raise ValueError(f"{players} players: Silver is for two to four")
        if not 1 <= rounds <= ROUNDS:
            raise ValueError(f"{rounds} rounds: a game has one to four")
        if not FIRST_RULINGS <= rulings <= RULINGS:
            raise ValueError(f"rulings {rulings}: this Argentum knows versions {FIRST_RULINGS} to {RULINGS}")
        if names and len(names) != players:
            raise ValueError(f"{len(names)} names for {players} players")
        for name in names:
            check_name(name)
        if seed is None:
            seed = SystemRandom().getrandbits(64)
        table = deal(cast_of(boxes, token), players, seed, deals[0] if deals else None, rulings)
        return _begun(
            Setup(table, list(names or SEATS[:players]), rounds, deals, dealt=((table.turn, table.faces[:]),))
        )

    @staticmethod
    def at(source: Mapping[str, Any], names: Sequence[str] = ()) -> "Game":
        """Start from a position, given in a scenario's keys. The game lasts for the rest of that round."""
        table = read_position(source)
        return _begun(Setup(table, list(names or SEATS[: table.players]), table.round))

    @staticmethod
    def resume(text: str, names: Sequence[str] = ()) -> "Game":
        """Continue from a position that :meth:`text` wrote, even in the middle of a turn.

        A text that does not state its rulings goes by the present ones, or, if its moves need them, by the first.

        >>> game = Game.new(seed=3)
        >>> Game.resume(game.text()).text() == game.text()
        True
        """
        snapshot = read_snapshot(text)
        try:
            return _resumed(snapshot, names)
        except PositionError:
            if snapshot.states_rulings:
                raise
            snapshot.table.rulings = FIRST_RULINGS
            return _resumed(snapshot, names)

    def text(self) -> str:
        """The whole position as one line, with every face; :meth:`resume` continues from it."""
        table = self._engine.table
        if table.at_rest or self.over:
            return write_snapshot(table, (), self._setup.last_round)
        fixed = self._start().copy()
        fixed.given = _given(table)
        return write_snapshot(fixed, self._moves, self._setup.last_round)

    # Whose move, and which.

    @property
    def names(self) -> list[str]:
        """The players' names, by seat."""
        return self._setup.names

    @property
    def cast(self) -> Cast:
        """The residents and the token in play."""
        return self._engine.table.cast

    @property
    def rulings(self) -> int:
        """The version of the rulings that the game goes by: the one that it was begun under."""
        return self._engine.table.rulings

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self._engine.table.players

    @property
    def seats(self) -> list[str]:
        """The seats' letters, clockwise."""
        return list(SEATS[: self.players])

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._engine.table.round

    @property
    def turns(self) -> int:
        """The turns finished in this round."""
        return self._engine.table.turns

    @property
    def looking(self) -> bool:
        """Whether somebody has yet to take the first look (G4)."""
        return self._engine.table.looking != 0

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._engine.over

    @property
    def whole(self) -> bool:
        """Whether the game is known from its first deal on, so that it can be recorded."""
        return bool(self._dealt) and self._setup.past is None

    @property
    def to_move(self) -> str:
        """The seat that must choose now; empty when the game is over. (In the first look it is one of several.)"""
        return "" if self.over else SEATS[self.chooser]

    @property
    def chooser(self) -> int:
        """The seat that must choose now, as a number; -1 when the game is over."""
        return self._engine.chooser

    def choices(self) -> list[int]:
        """The legal moves of the seat to move, as plain numbers."""
        return self.choices_of(self.chooser)

    def choices_of(self, seat: int) -> list[int]:
        """The legal moves of one seat, as plain numbers; in the first look nobody waits for another (G4)."""
        return self._engine.choices_of(seat)

    def legal(self, seat: str = "") -> list[Move]:
        """The legal moves: of the seat to move, or of a given seat.

        `peek` and `exchange` are listed, and played by value, card by card (`exchange A1`, then `and A3` or `done`);
        by text they may be played whole: `exchange A1 A3`.
        """
        moves = self.choices_of(self._seat(seat)) if seat else self._engine.choices()
        return [KNOWN[move] for move in moves]

    # Play.

    def play(self, move: int | str, seat: str = "") -> list[Move]:
        """Make a move, given by value or by its text; with a seat, only if that seat may make it.

        A value is one of :meth:`legal`: `exchange A1` is then followed by `and A3` or `done`. A text is a whole move,
        as people write it: `exchange A1` exchanges that card alone, `exchange A1 A3` both. The one-card moves that were
        made are returned.
        """
        if isinstance(move, str):
            steps = self._steps(move, self._seat(seat) if seat else NO_SEAT)
            for step in steps:
                self.step(step)
            if steps[0] & ~255 == EXCHANGE and DONE in self._engine.options:
                self.step(DONE)
                steps.append(DONE)
            return [KNOWN[step] for step in steps]
        if not self._engine.offers(move) or (seat and move not in self.choices_of(self._seat(seat))):
            raise self._refusal(text_of(move), self._seat(seat) if seat else NO_SEAT)
        self.step(move)
        return [KNOWN[move]]

    @property
    def naming(self) -> bool:
        """Whether the cards of an exchange are being named, so that the move is not complete yet."""
        return DONE in self._engine.options

    def step(self, move: int) -> None:
        """Make a legal one-card move, unchecked: for programs that took it from :meth:`choices`."""
        engine = self._engine
        if engine.table.at_rest:
            self._rest = len(self._moves)
            self._resting = None
        self._moves.append(move)
        engine.send(move)
        if not engine.options:
            self._turn_over()

    def roll_out(self, random: Random, uniform: bool = False) -> int:
        """Play to the end with random legal moves, as fast as possible and without events.

        Moves are chosen as in :meth:`Engine.roll_out`. Return the number of moves made.
        """
        made = 0
        engine = self._engine
        engine.table.quiet = True
        while not self.over:
            moves = engine.roll_out(random, uniform)
            made += len(moves)
            self._moves += moves
            self._turn_over(keep=False)
        return made

    def fix_shuffles(self, villages: Sequence[Sequence[int]]) -> None:
        """Fix how the next Things' shuffles come out: for each, the village's numbers from its owner's left."""
        table = self._engine.table
        table.given = [*_given(table)[: len(table.outcomes)], *villages]
        self._kept = _copied(self._start())
        self._kept.given = table.given
        self._rest, self._resting = 0, None

    def _steps(self, written: str, seat: int) -> list[int]:
        """The one-card moves that a text stands for, if they are legal; else an error, before anything is done."""
        options = self._engine.options
        several = parse_several(written)
        if len(several) > 1:
            whole = [several[0], *[AND + (move & 255) for move in several[1:]]]
            one_village = len({names_seat(move) for move in several}) == 1
            distinct = len(set(several)) == len(several)
            two = several[0] & ~255 != PEEK or len(several) == 2
            if not (one_village and distinct and two and all([move in options for move in several])):
                raise self._refusal(written, seat)
        else:
            whole = [parse(written)]
            if whole[0] not in options:
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
            return IllegalMove(
                f"'{what}' is refused: the {'game' if self._setup.last_round == ROUNDS else 'round'} is over"
            )
        if seat != NO_SEAT and not self.choices_of(seat):
            return IllegalMove(
                f"'{what}' is refused: it is not seat {SEATS[seat]}'s turn, seat {self.to_move} is to move"
            )
        moves = self.choices_of(seat) if seat != NO_SEAT else self.choices()
        who = SEATS[seat] if seat != NO_SEAT else self.to_move
        why = "is not legal now" if parse(what) >= 0 or parse_several(what) else "is not a move"
        return IllegalMove(f"'{what}' {why}; seat {who} may play: {', '.join([text_of(move) for move in moves])}")

    def _seat(self, letter: str) -> int:
        seat = SEATS.find(letter.upper()) if len(letter) == 1 else -1
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {letter!r}: the seats are {', '.join(self.seats)}")
        return seat

    def _turn_over(self, keep: bool = True) -> None:
        """A turn, a first look or a round is over: go on to where somebody must choose, and keep the table there."""
        engine = self._engine
        while not engine.options:
            table = engine.table
            self._past = Past(self._past, self._moves, table.events, EVERYBODY)
            self._moves = []
            self._rest, self._resting = 0, None
            table.events = []
            self._since += 1
            if table.over:
                self._finished = (*self._finished, table)
                if table.round >= self._setup.last_round:
                    engine.table = self._kept = table.copy()
                    self._since = 0
                    engine.over = True
                    return
                engine.next_round()
                table = engine.table
                self._dealt = (*self._dealt, (table.turn, table.faces[:])) if self._dealt else ()
                self._since = KEEPING
            if keep and self._since >= KEEPING:
                self._kept, self._since = _copied(table), 0
            engine.go_on()

    def _start(self) -> Table:
        """The table at the start of this turn. Only abilities ask for it: made again, it is kept from then on."""
        if self._since:
            turns: list[list[int]] = []
            past = self._past
            while len(turns) < self._since:
                assert past is not None
                turns.append(past.moves)
                past = past.before
            engine = Engine(self._kept.copy(), self._setup.last_round)
            engine.table.quiet = True
            engine.start()
            while turns:
                for move in turns.pop():
                    engine.send(move)
                if turns:
                    engine.go_on()
            engine.table.quiet = self._kept.quiet
            self._kept, self._since = engine.table, 0
        return self._kept

    # Copies.

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as the position that it began from and the moves since, without what happened before a re-deal."""
        begun = write_snapshot(self._setup.table, (), self._setup.last_round)
        told = self._setup.table.events
        return _again, (begun, told, self.names, list(self._setup.deals), self.history(), self._dealt)

    def __repr__(self) -> str:
        return f"<Game {self.cast.code} for {self.players}: round {self.round}, {self.to_move or 'nobody'} to move>"

    def copy(self) -> "Game":
        """An independent copy of the game.

        A table at rest is all there is to a position, and the rules start from it when the copy is first played on.
        """
        engine = self._engine
        if engine.table.at_rest or engine.over:
            new = Game(self._setup, _copied(engine.table))
            new._engine.options = engine.options[:]
            new._engine.over = engine.over
        else:
            resting = self._resting
            new = Game(self._setup, (self._start() if resting is None else resting).copy())
            table = new._engine.table
            table.quiet = True  # what would be told was told before
            new._engine.start()
            for nth in range(0 if resting is None else self._rest, len(self._moves)):
                if nth == self._rest > 0 and resting is None:
                    self._resting = table.copy()
                new._engine.send(self._moves[nth])
            table.quiet, table.events = engine.table.quiet, engine.table.events[:]
            new._rest, new._resting = self._rest, self._resting
        new._past, new._finished, new._dealt = self._past, self._finished, self._dealt
        new._kept, new._since, new._moves = self._kept, self._since, self._moves[:]
        return new

    def engine(self) -> Engine:
        """The rest of this round as an engine of its own, with every face: for search on imagined games."""
        copy = self.copy()._engine
        engine = Engine(copy.table, copy.table.round)
        engine.table.quiet = True
        engine.table.events = []
        if engine.table.at_rest:
            engine.options = copy.options
            return engine
        engine = Engine(_copied(self._start()), copy.table.round)
        engine.table.quiet = True
        engine.start()
        for move in self._moves:
            engine.send(move)
        return engine

    def snapshot(self) -> Table:
        """A copy of the table, with every face: for programs that look at cards by their number."""
        return self._engine.table.copy()

    def resting(self) -> tuple[Table, list[int]]:
        """Copies of the last table at rest and of the moves since, from which an engine can come back here."""
        table = self._engine.table
        return (table.copy(), []) if table.at_rest else (self._start().copy(), self._moves[:])

    def with_faces(self, faces: Mapping[int, int], shuffles: Sequence[Sequence[int]] = ()) -> "Game":
        """The same game, but these cards have these faces, and the next shuffles come out as given.

        For solvers that let chance deal one card after another; what was told so far stays told.
        """
        new = self.copy()
        start = _copied(self._start())
        _change(start, faces, [*_given(self._engine.table), *shuffles])
        new._kept, new._since = start, 0
        new._rest, new._resting = 0, None
        new = new.copy()  # where the table is not at rest, the moves since that one are made again
        _change(new._engine.table, faces, [*_given(new._engine.table), *shuffles])
        return new

    def from_start(self) -> "Game":
        """The same game before its first move; a re-dealt game begins where it was dealt."""
        return _begun(self._setup)

    def history(self) -> list[int]:
        """All moves of the game so far, card by card, as plain numbers."""
        turns = self._turns()
        first = turns.index(self._setup.past) + 1 if self._setup.past is not None else 0
        return [int(move) for turn in turns[first:] for move in turn.moves]  # not compiled, some are of class Move

    def _turns(self) -> list[Past]:
        """The turns so far, the running one last."""
        turns = [Past(None, self._moves, self._engine.table.events, EVERYBODY)]
        past = self._past
        while past is not None:
            turns.append(past)
            past = past.before
        turns.reverse()
        return turns

    def take_back(self, count: int = 1) -> None:
        """Take back the last moves, by replay. An exchange of several cards is one move."""
        steps = self.history()
        for _ in range(count):
            if not steps:
                raise ValueError("there is no move to take back")
            _drop_last(steps)
        again = self.from_start()
        for step in steps:
            again.step(step)
        self._engine, self._past = again._engine, again._past
        self._kept, self._since = again._kept, again._since
        self._finished, self._dealt, self._moves = again._finished, again._dealt, again._moves
        self._rest, self._resting = again._rest, again._resting

    # What a seat may know.

    def view(self, seat: str | None = None) -> View:
        """What a seat may see; without a seat, what a watcher sees."""
        number = NO_SEAT if seat is None else self._seat(seat)
        moves = self.choices_of(number) if seat else []
        return view_of(self._engine.table, self.names, number, self.chooser, moves, self.over)

    def view_open(self, seat: str = "A") -> View:
        """The table with every face open, from a seat's place: for games that are over."""
        table = self._engine.table.copy()
        table.seen = [EVERYBODY] * len(table.seen)
        return view_of(table, self.names, self._seat(seat), self.chooser, [], self.over)

    def view_end(self, round: int, seat: str = "") -> View:
        """The last table of a finished round as all saw it: every village is open (G15), and nothing else."""
        return view_of(self._end(round), self.names, NO_SEAT, NO_SEAT, [], False)._replace(seat=seat)

    def events(self, seat: str | None = None, since: int = 0) -> list[ev.Event]:
        """What happened so far, as a seat (or, without one, a watcher) was told it, without the first `since`."""
        viewer = self._viewer(seat)
        past, events, known_to = self._past, self._engine.table.events, EVERYBODY
        left = len(events) + (past.told if past is not None else 0) - since
        told: list[ev.Event] = []
        while left > len(told):
            for raw in reversed(events):
                if len(told) == left:
                    break
                knows = raw[4] & viewer != 0 and raw[4] & known_to != 0
                told.append(ev.told(raw, knows, self.cast.token))
            if past is None:
                break
            events, known_to, past = past.events, known_to & past.known_to, past.before
        told.reverse()
        return told

    def redeal(self, seat: str | None, random: Random) -> "Game":
        """A copy in which every face that a seat cannot know is dealt again, consistent with what it does know.

        Later shuffles are new too. The past is known in the copy as that seat knows it, and cannot be taken back.
        """
        dealt = self.imagine(seat, random)
        if dealt is None:  # keep the faces that the running turn rests on
            viewer = self._viewer(seat)
            dealt = self._redealt(self._past_for(viewer), viewer, random, True)
        assert dealt is not None
        return dealt

    def imagine(self, seat: str | None, random: Random) -> "Game | None":
        """Re-deal from nothing but what the seat knows and `random`, whatever the true cards are; None if that fails.

        It can fail when much was shuffled and seen in the running turn: then no possible deal may be found by chance.
        """
        number = NO_SEAT if seat is None else self._seat(seat)
        viewer = WATCHERS if seat is None else 1 << number
        past, table = self._past_for(viewer), self._engine.table
        if self.over:
            game = Game(Setup(table, self.names, self._setup.last_round, (), past, self._finished), table.copy())
            game._engine.over = True
            return game
        resting = table.at_rest  # else the moves of this turn are made again
        for _ in range(REDEALS):
            dealt = self._redealt(past, viewer, random, False)
            if dealt is None:
                continue
            if resting:  # only faces changed; unless something happened by itself, the seat sees the same
                if not dealt._engine.table.events and dealt.choices_of(number) == self.choices_of(number):
                    return dealt
            elif self._is_told_like(dealt, number):
                return dealt
        return None

    def _viewer(self, seat: str | None) -> int:
        """The bit of a seat, or of those who only watch."""
        return WATCHERS if seat is None else 1 << self._seat(seat)

    def _past_for(self, viewer: int) -> Past:
        """What is past for a re-deal, as a viewer knows it."""
        table = self._engine.table
        kept = table.at_rest and not self.over
        return Past(self._past, self._moves if kept else [], table.events if kept else [], viewer)

    def _redealt(self, past: Past, viewer: int, random: Random, careful: bool) -> "Game | None":
        """A game dealt anew for a viewer, if the turn's moves can be made with those faces.

        If careful, what anybody has seen in this turn, and its shuffles, stay: then the moves can be made.
        """
        here = self._engine.table
        resting = here.at_rest
        table = here.copy() if resting else _copied(self._start())
        outcomes = here.outcomes if careful else table.outcomes
        table.seed = random.getrandbits(62)
        table.given = [[card & 15 for card in outcome[1:]] for outcome in outcomes]
        seen, now = table.seen, here.seen
        cards = _unseen(seen, now, viewer)
        if careful:
            shuffled = [one >> 7 for outcome in outcomes[len(self._start().outcomes) :] for one in outcome[1:]]
            stay = [here.hand, *shuffled]
            cards = [card for card in cards if seen[card] == now[card] and card not in stay]
        _shuffle_faces(table, cards, here.passed, random)
        game = Game(Setup(_copied(table), self.names, self._setup.last_round, (), past, self._finished), table)
        game._kept = game._setup.table
        engine = game._engine
        if resting and not here.looking and viewer == 1 << here.chooser:
            engine.options = self._engine.options[:]  # they do not depend on what the chooser cannot know (G25)
            return game
        engine.start()
        for move in [] if resting else self._moves:
            if not engine.offers(move):
                return None
            engine.send(move)
            game._moves.append(move)
        return game if engine.options else None

    def _is_told_like(self, other: "Game", seat: int) -> bool:
        """Whether a seat sees and may do the same now as in another game, and was told the same in this turn."""
        mine = self.choices_of(seat) if seat != NO_SEAT else []
        theirs = other.choices_of(seat) if seat != NO_SEAT else []
        if mine != theirs or self._told_now(seat) != other._told_now(seat):
            return False
        table, compared = self._engine.table, other._engine.table
        if surely_alike(table, compared, seat):
            return True
        view = view_of(table, self.names, seat, self.chooser, mine, self.over)
        return view == view_of(compared, other.names, seat, other.chooser, theirs, other.over)

    def _told_now(self, seat: int) -> list[ev.Raw]:
        """What a seat was told in this turn: numbers only where it knows them."""
        viewer = WATCHERS if seat == NO_SEAT else 1 << seat
        return [raw if raw[4] & viewer else (*raw[:3], -1, 0, raw[5]) for raw in self._engine.table.events]

    # How it stands, and how it was dealt.

    def position(self) -> dict[str, Any]:
        """The true position of the cards, in a scenario's keys."""
        return position(self._engine.table)

    def sees(self, viewer: str, village: str) -> str:
        """A village as a seat may see it, as positions are written."""
        return village_seen(self._engine.table, self._seat(village), self._seat(viewer))

    @property
    def dealt(self) -> tuple[Deal, ...]:
        """How each round so far was dealt, and how its shuffles came out."""
        return tuple(
            [
                deal_of(start, order, self.players, [one.numbers for one in self.shuffles(nth)])
                for nth, (start, order) in enumerate(self._dealt, 1)
            ]
        )

    def shuffles(self, round: int = 0) -> list[Shuffle]:
        """How each Thing left a village, in the running round or in one that is over."""
        table = self._end(round) if round and round <= len(self._finished) else self._engine.table
        return [Shuffle(SEATS[outcome[0]], shuffle_text(outcome)) for outcome in table.outcomes]

    @property
    def rounds_over(self) -> int:
        """How many rounds are over."""
        return len(self._finished)

    @property
    def totals(self) -> dict[str, int]:
        """Each seat's points in the rounds that are over."""
        return dict(zip(self.seats, self._engine.table.totals, strict=True))

    @property
    def scores(self) -> list[dict[str, int]]:
        """Each seat's points, round by round."""
        return [dict(zip(self.seats, table.scores, strict=True)) for table in self._finished]

    def explain(self, round: int) -> list[Line]:
        """How a finished round was scored, line by line: which card added, halved or cancelled what, and why."""
        return explain(self._end(round))

    def _end(self, round: int) -> Table:
        """The last table of a round that is over."""
        for table in self._finished:
            if table.round == round:
                return table
        raise ValueError(f"round {round} is not over; finished rounds: {[table.round for table in self._finished]}")

    @property
    def winner(self) -> str:
        """The seat that has won; empty while the game goes on (G19)."""
        return SEATS[winner(self._engine.table)] if self.over else ""


def _change(table: Table, faces: Mapping[int, int], given: Sequence[Sequence[int]]) -> None:
    for card, number in faces.items():
        table.faces[card] = number
    table.given = given


def _given(table: Table) -> list[Sequence[int]]:
    """How the shuffles of a round came out, and come out from here on where that is given."""
    return [*[[card & 15 for card in outcome[1:]] for outcome in table.outcomes], *table.given[len(table.outcomes) :]]


def _begun(setup: Setup) -> Game:
    """A game before its first move."""
    game = Game(setup, _copied(setup.table))
    game._kept = setup.table
    if setup.table.over:
        game._engine.over = True
        return game
    game._engine.start()
    if not game._engine.options:
        game._turn_over()
    return game


def _resumed(snapshot: Snapshot, names: Sequence[str]) -> Game:
    """The game of a snapshot after its moves."""
    table = snapshot.table
    game = _begun(Setup(table, list(names or SEATS[: table.players]), snapshot.last_round))
    for move in snapshot.moves:
        if move not in game._engine.options:
            raise PositionError(f"moves: {text_of(move)!r} cannot be made there")
        game.step(move)
    return game


def _again(
    begun: str,
    told: list[ev.Raw],
    names: list[str],
    deals: list[Deal],
    moves: list[int],
    dealt: tuple[Dealt, ...],
) -> Game:
    """A game that has travelled."""
    snapshot = read_snapshot(begun)
    snapshot.table.events = told
    game = _begun(Setup(snapshot.table, names, snapshot.last_round, deals, dealt=dealt[:1]))
    for move in moves:
        game.step(move)
    return game


def _copied(table: Table) -> Table:
    """A copy of a table with what was just told of it."""
    new = table.copy()
    new.events = table.events[:]
    return new
