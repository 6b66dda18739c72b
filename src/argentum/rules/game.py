# mypyc: compile
"""The public class `Game`: play, copy, undo, re-deal, and see the game as a seat may."""

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Any, Final

from argentum.rules import events as ev
from argentum.rules.asking import STEP_MORE_CARDS
from argentum.rules.boxes import DEFAULT_BOX, cast_of
from argentum.rules.deal import Deal, deal_first_round, deal_from_order
from argentum.rules.engine import Engine
from argentum.rules.errors import GAME_OVER, NOT_A_MOVE, NOT_LEGAL, NOT_YOUR_TURN, ROUND_OVER, IllegalMove
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    AND_CARD,
    DONE,
    EXCHANGE,
    PEEK,
    SEAT_LETTERS,
    base_of,
    move_text,
    parse_cards_move,
    parse_move,
    seat_of,
    spot_of,
)
from argentum.rules.position import Position, fixed_shuffles, replay
from argentum.rules.position_dict import read_position
from argentum.rules.position_text import read_position_text, write_position
from argentum.rules.residents import Cast
from argentum.rules.scoring import ROUNDS_PER_GAME, ScoreLine, score_lines
from argentum.rules.standings import winner_seat
from argentum.rules.table import (
    ALL_CARDS,
    ALL_VIEWERS,
    FIRST_RULINGS,
    NO_SEAT,
    RULINGS,
    WATCHERS,
    Table,
    seat_bit,
)
from argentum.rules.turn_history import (
    DealtRound,
    FinishedTurn,
    GameStart,
    VillageShuffle,
    drop_last_move,
    read_shuffle,
)
from argentum.rules.views import View, make_view

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
_MOVES: Final = MOVES  # mypyc looks up names of interpreted modules on each use
CHECKPOINT_MOVES: Final = 32  # between saved tables


def check_name(name: str) -> None:
    """Raise `ValueError` unless a name is one line of printable characters, without surrounding spaces."""
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

    def __init__(self, setup: GameStart, table: Table) -> None:
        self._setup: Final = setup
        self._engine = Engine(table, setup.last_round, setup.deals)
        self._finished_turns = setup.history
        self._finished_rounds = setup.finished_rounds  # last tables of finished rounds
        self._dealt_rounds = setup.dealt_rounds
        self._base = table  # restartable; saved between turns or at a re-deal
        self._moves: list[int] = []  # since `_base`
        self._turn_start = 0  # the index in `_moves` of the first move of this turn, or of those since a re-deal in it
        self._rest_index = 0  # the number of `_moves` when the table was last restartable
        self._rest_table: Table | None = None  # the table then, saved by the first copy for later copies

    @staticmethod
    def new(
        boxes: str = DEFAULT_BOX,
        players: int = 2,
        seed: int | None = None,
        token: str = "",
        names: Sequence[str] = (),
        deals: Sequence[Deal] = (),
        rounds: int = ROUNDS_PER_GAME,
        rulings: int = RULINGS,
    ) -> "Game":
        """Start a game for two to four seats. The seed determines all shuffles.

        `boxes` is the name of a box or a deck code (G1). The first rounds are dealt from `deals`, the others are
        shuffled. The game ends after `rounds`. `rulings` is the version of the rulings for the whole game. Raise
        `ValueError` for impossible settings.
        """
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(f"{players} players: Silver is for two to four")
        if not 1 <= rounds <= ROUNDS_PER_GAME:
            raise ValueError(f"{rounds} rounds: a game has one to four")
        if not FIRST_RULINGS <= rulings <= RULINGS:
            raise ValueError(f"rulings {rulings}: this Argentum knows versions {FIRST_RULINGS} to {RULINGS}")
        if names and len(names) != players:
            raise ValueError(f"{len(names)} names for {players} players")
        for name in names:
            check_name(name)
        if seed is None:
            seed = SystemRandom().getrandbits(64)
        table = deal_first_round(cast_of(boxes, token), players, seed, deals[0] if deals else None, rulings)
        return _start_game(
            GameStart(
                table,
                list(names or SEAT_LETTERS[:players]),
                rounds,
                deals,
                dealt_rounds=((table.turn, table.faces[:]),),
            )
        )

    @staticmethod
    def at(source: Mapping[str, Any] | Position, names: Sequence[str] = ()) -> "Game":
        """Start at a position: a `Position`, or a dictionary with the keys of a scenario.

        From a dictionary, the game ends with that round.
        """
        if not isinstance(source, Position):
            table = read_position(source)
            return _start_game(GameStart(table, list(names or SEAT_LETTERS[: table.players]), table.round))
        source.require_all_faces()
        start = source.start.copy_with_events()
        game = _start_game(GameStart(start, list(names or SEAT_LETTERS[: start.players]), source.last_round))
        game._play_all(source.moves)
        return game

    @staticmethod
    def resume(text: str, names: Sequence[str] = ()) -> "Game":
        """Continue from a position that :meth:`text` returned; see :meth:`argentum.rules.position.Position.read`.

        >>> game = Game.new(seed=3)
        >>> Game.resume(game.text()).text() == game.text()
        True
        """
        return Game.at(Position.read(text), names)

    def text(self) -> str:
        """Return the complete position, with every face, as a line of text that :meth:`resume` reads."""
        return self._shared_position().text()

    def position(self) -> Position:
        """Return the position, with every face."""
        shared = self._shared_position()
        table = shared.table.copy_with_events()
        start = table if shared.is_at_rest else shared.start
        return Position(table, start, shared.moves, shared.options[:], shared.last_round)

    def _shared_position(self) -> Position:
        """Return the position with the table of this game itself, for use until the next move."""
        engine = self._engine
        if engine.table.restartable or engine.over:
            return Position(engine.table, engine.table, (), engine.options, self._setup.last_round)
        start = self._table_at_turn_start()
        moves = self._moves[self._turn_start :]
        return Position(engine.table, start, moves, engine.options, self._setup.last_round)

    # Players and legal moves.

    @property
    def names(self) -> list[str]:
        """The names of the players, by seat."""
        return self._setup.names

    @property
    def cast(self) -> Cast:
        """The residents and the token in play."""
        return self._engine.table.cast

    @property
    def rulings(self) -> int:
        """The version of the rulings, constant during a game."""
        return self._engine.table.rulings

    @property
    def players(self) -> int:
        return self._engine.table.players

    @property
    def seats(self) -> list[str]:
        """The letters of the seats, clockwise."""
        return list(SEAT_LETTERS[: self.players])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._engine.table.round

    @property
    def turns(self) -> int:
        """The number of turns finished in this round."""
        return self._engine.table.turns

    @property
    def in_first_look(self) -> bool:
        """Whether a seat has yet to finish its first look (G4)."""
        return self._engine.table.first_look_pending != 0

    @property
    def over(self) -> bool:
        return self._engine.over

    @property
    def to_move(self) -> str:
        """The letter of the seat that must choose, one of several in the first look; empty when the game is over."""
        return "" if self.over else SEAT_LETTERS[self._engine.chooser]

    def legal(self, seat: str = "") -> list[Move]:
        """Return the legal moves of a seat, by default the seat to move.

        `peek` and `exchange` are listed one card at a time: `exchange A1`, then `and A3` or `done`. :meth:`play` also
        accepts texts with all cards: `exchange A1 A3`.
        """
        engine = self._engine
        moves = engine.legal_moves_of(self._parse_seat(seat)) if seat else engine.legal_moves()
        return [_MOVES[move] for move in moves]

    # Play.

    def play(self, move: int | str, seat: str = "") -> list[Move]:
        """Make a move, and return it as one-card moves; raise `IllegalMove` if it is illegal, or illegal for `seat`.

        An integer is one of :meth:`legal`: `exchange A1` is followed by `and A3` or `done`. A text is a complete move:
        `exchange A1` exchanges that card alone, `exchange A1 A3` both.
        """
        if isinstance(move, str):
            steps = self._parse_play(move, self._parse_seat(seat) if seat else NO_SEAT)
            for step in steps:
                self._step(step)
            if base_of(steps[0]) == EXCHANGE and self.is_choosing_cards:
                self._step(DONE)
                steps.append(DONE)
            return [_MOVES[step] for step in steps]
        if not self._engine.is_option(move) or (
            seat and move not in self._engine.legal_moves_of(self._parse_seat(seat))
        ):
            raise self._illegal_move(move_text(move), self._parse_seat(seat) if seat else NO_SEAT)
        self._step(move)
        return [_MOVES[move]]

    @property
    def is_choosing_cards(self) -> bool:
        """Whether an exchange is incomplete: more cards can be named."""
        return not self.over and self._engine.table.step == STEP_MORE_CARDS

    def _step(self, move: int) -> None:
        """Make a legal move without checking it."""
        engine = self._engine
        if engine.table.restartable:
            self._rest_index = len(self._moves)
            self._rest_table = None
        self._moves.append(move)
        engine.play(move)
        if not engine.options:
            self._finish_turn()

    def _play_all(self, moves: Sequence[int]) -> None:
        for move in moves:
            self._step(move)

    def _parse_play(self, text: str, seat: int) -> list[int]:
        """Return the one-card moves of a text; raise IllegalMove unless all of them are legal."""
        options = self._engine.options
        cards = parse_cards_move(text)
        if len(cards) > 1:
            steps = [cards[0], *[AND_CARD + spot_of(move) for move in cards[1:]]]
            one_village = len({seat_of(move) for move in cards}) == 1
            distinct = len(set(cards)) == len(cards)
            count_fits = base_of(cards[0]) != PEEK or len(cards) == 2
            if not (one_village and distinct and count_fits and all([move in options for move in cards])):
                raise self._illegal_move(text, seat)
        else:
            steps = [parse_move(text)]
            if steps[0] not in options:
                raise self._illegal_move(text, seat)
        if seat != NO_SEAT and steps[0] not in self._engine.legal_moves_of(seat):
            raise self._illegal_move(text, seat)
        return steps

    def _illegal_move(self, text: str, seat: int) -> IllegalMove:
        """Return an error that states why a move is refused, and the legal moves."""
        if self.over:
            return IllegalMove(GAME_OVER if self._setup.last_round == ROUNDS_PER_GAME else ROUND_OVER, text)
        to_move = self.to_move
        if seat == NO_SEAT:
            letter, moves = to_move, self._engine.legal_moves()
        else:
            letter, moves = SEAT_LETTERS[seat], self._engine.legal_moves_of(seat)
        if not moves:
            return IllegalMove(NOT_YOUR_TURN, text, letter, to_move)
        kind = NOT_LEGAL if parse_move(text) >= 0 or parse_cards_move(text) else NOT_A_MOVE
        return IllegalMove(kind, text, letter, to_move, [move_text(move) for move in moves])

    def _parse_seat(self, letter: str) -> int:
        seat = SEAT_LETTERS.find(letter.upper()) if len(letter) == 1 else -1
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {letter!r}: the seats are {', '.join(self.seats)}")
        return seat

    def _finish_turn(self) -> None:
        """Continue from the end of a turn, the first look or a round to the next choice; save checkpoints."""
        engine = self._engine
        while not engine.options:
            table = engine.table
            moves = self._moves[self._turn_start :]
            self._finished_turns = FinishedTurn(self._finished_turns, moves, table.events, ALL_VIEWERS)
            self._turn_start = self._rest_index = len(self._moves)
            self._rest_table = None
            table.events = []
            is_due = self._turn_start >= CHECKPOINT_MOVES
            if table.round_over:
                self._finished_rounds = (*self._finished_rounds, table)
                if table.round >= self._setup.last_round:
                    engine.table = table.copy()
                    engine.over = True
                    self._continue_from(engine.table)
                    return
                engine.next_round()
                table = engine.table
                self._dealt_rounds = (*self._dealt_rounds, (table.turn, table.faces[:])) if self._dealt_rounds else ()
                is_due = True
            if is_due:
                self._continue_from(table.copy_with_events())
            engine.advance()

    def _continue_from(self, table: Table) -> None:
        """Save a table at the start of this turn, from which the turn's moves can be replayed."""
        self._base = table
        self._moves = self._moves[self._turn_start :]
        self._rest_index -= self._turn_start
        self._turn_start = 0

    def _table_at_turn_start(self) -> Table:
        """Return the table at the start of this turn. Replay the turns since the last checkpoint if necessary."""
        if self._turn_start:
            table = self._replay(self._base.copy(), self._moves[: self._turn_start]).table
            table.events_off = self._base.events_off
            self._continue_from(table)
        return self._base

    def _replay(self, table: Table, moves: Sequence[int]) -> Engine:
        """Return an engine that has played moves on a restartable table, without recording events."""
        engine = Engine(table, self._setup.last_round, self._setup.deals)
        table.events_off = True
        replay(engine, moves)
        return engine

    # Copies.

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the start position and the moves since; the history before a re-deal is lost."""
        start = write_position(self._setup.table, (), self._setup.last_round)
        events = self._setup.table.events
        return _unpickle_game, (start, events, self.names, list(self._setup.deals), self.history(), self._dealt_rounds)

    def __repr__(self) -> str:
        return f"<Game {self.cast.code} for {self.players}: round {self.round}, {self.to_move or 'nobody'} to move>"

    def copy(self) -> "Game":
        """Return an independent copy of the game.

        If the table is restartable, copy it. Otherwise copy the last restartable table and replay the moves since,
        because the generators of the rules cannot be copied.
        """
        engine = self._engine
        if engine.table.restartable or engine.over:
            new = Game(self._setup, engine.table.copy_with_events())
            new._engine.options = engine.options[:]
            new._engine.over = engine.over
        else:
            if self._rest_table is None:
                start = self._table_at_turn_start().copy()
                moves = self._moves[: self._rest_index]
                # Without moves, a replay would run the rules up to the next choice.
                self._rest_table = self._replay(start, moves).table if moves else start
            new = Game(self._setup, self._rest_table.copy())
            new._engine.table.events_off = True
            replay(new._engine, self._moves[self._rest_index :])
            while not new._engine.options:  # A turn without a choice has ended.
                new._engine.advance()
            new._engine.table.events_off, new._engine.table.events = engine.table.events_off, engine.table.events[:]
        new._take_history(self)
        return new

    def _take_history(self, other: "Game") -> None:
        """Take over everything but the engine from another game."""
        self._finished_turns = other._finished_turns
        self._finished_rounds = other._finished_rounds
        self._dealt_rounds = other._dealt_rounds
        self._base = other._base
        self._moves = other._moves[:]
        self._turn_start = other._turn_start
        self._rest_index = other._rest_index
        self._rest_table = other._rest_table

    def with_faces(self, faces: Mapping[int, int], shuffles: Sequence[Sequence[int]] = ()) -> "Game":
        """Return a copy with these numbers of cards, and these results of the next shuffles (B8).

        The result of a shuffle is the numbers of the village from its owner's left. Events so far do not change. This
        is for scenarios, and for solvers that sample chance one card at a time.
        """
        new = self.copy()
        start = new._table_at_turn_start().copy_with_events()
        new._continue_from(start)
        new._rest_index, new._rest_table = 0, None
        fixed = [*fixed_shuffles(self._engine.table), *shuffles]
        for table in (start, new._engine.table):
            for card, number in faces.items():
                table.faces[card] = number
            table.fixed_shuffles = fixed
        return new.copy()  # Inside an ability, this replays the moves since the table at rest.

    def restart(self) -> "Game":
        """Return this game as it was before its first move or, if it was re-dealt, at the re-deal."""
        return _start_game(self._setup)

    def history(self) -> list[int]:
        """Return all one-card moves of the game so far, as plain integers."""
        turns: list[list[int]] = [self._moves[self._turn_start :]]
        past = self._finished_turns
        while past is not None and past is not self._setup.history:
            turns.append(past.moves)
            past = past.previous
        return [int(move) for moves in reversed(turns) for move in moves]  # When not compiled, some are of class Move.

    def take_back(self, count: int = 1) -> None:
        """Undo the last `count` moves by replaying all others; raise `ValueError` if there are fewer moves.

        An exchange or look counts as one move.
        """
        steps = self.history()
        for _ in range(count):
            if not steps:
                raise ValueError("there is no move to take back")
            drop_last_move(steps)
        replayed = self.restart()
        replayed._play_all(steps)
        self._engine = replayed._engine
        self._take_history(replayed)

    # Views and events of a seat.

    def view(self, seat: str | None = None, all_faces: bool = False) -> View:
        """Return what a seat, or a watcher for None, may see of the game.

        With `all_faces`, return the view of a seat as if it had looked at every card, for replays and analysis.
        """
        number = NO_SEAT if seat is None else self._parse_seat(seat)
        moves = self._engine.legal_moves_of(number) if seat else []
        table = self._engine.table
        if all_faces:
            table = table.copy()
            table.reveal(ALL_CARDS, seat_bit(self._parse_viewer(seat)))
        return make_view(table, self.names, number, self._engine.chooser, moves, self.over)

    def round_end_view(self, round: int, seat: str = "") -> View:
        """Return the public view at the end of a round, when all villages are visible (G15).

        `seat` only sets the field of the view. Raise `ValueError` if the round is not finished.
        """
        return make_view(self._finished_round(round), self.names, NO_SEAT, NO_SEAT, [], False)._replace(seat=seat)

    def events(self, seat: str | None = None, since: int = 0) -> list[ev.Event]:
        """Return the events as a seat, or for None a watcher, received them, without the first `since` events."""
        viewer = seat_bit(self._parse_viewer(seat))
        past, raw_events, known_to = self._finished_turns, self._engine.table.events, ALL_VIEWERS
        wanted_count = len(raw_events) + (past.event_count if past is not None else 0) - since
        events: list[ev.Event] = []
        while wanted_count > len(events):
            for raw in reversed(raw_events):
                if len(events) == wanted_count:
                    break
                knows = raw[4] & viewer != 0 and raw[4] & known_to != 0
                events.append(ev.event_for_viewer(raw, knows, self.cast.token))
            if past is None:
                break
            raw_events, known_to, past = past.events, known_to & past.known_to, past.previous
        events.reverse()
        return events

    def redeal(self, seat: str | None, random: Random) -> "Game":
        """Return a copy with random faces where a seat, or a watcher for None, cannot know them.

        The new faces are consistent with what the seat knows. Later shuffles change too. Events of the copy contain
        only card numbers that the seat received. Moves before the re-deal cannot be taken back.
        """
        viewer = self._parse_viewer(seat)
        position = self._shared_position()
        past = self._history_for(viewer)
        if self.over:
            table = self._engine.table
            start = GameStart(table, self.names, self._setup.last_round, (), past, self._finished_rounds)
            game = Game(start, table.copy())
            game._engine.over = True
            return game
        redealt = position.redealt_engine(viewer, random)
        start_table, engine = position.redealt_keeping_seen_cards(viewer, random) if redealt is None else redealt
        start = GameStart(start_table, self.names, self._setup.last_round, (), past, self._finished_rounds)
        game = Game(start, start_table)
        game._engine = engine
        game._moves += position.moves
        return game

    def _parse_viewer(self, seat: str | None) -> int:
        return WATCHERS if seat is None else self._parse_seat(seat)

    def _history_for(self, viewer: int) -> FinishedTurn:
        """Return the finished turns, with the card numbers in events restricted to a viewer."""
        table = self._engine.table
        is_restartable = table.restartable and not self.over
        return FinishedTurn(
            self._finished_turns,
            self._moves[self._turn_start :] if is_restartable else [],
            table.events if is_restartable else [],
            seat_bit(viewer),
        )

    # Deals and scores.

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deal of each round so far, with the results of its shuffles."""
        return tuple(
            [
                deal_from_order(start, order, self.players, [shuffle.numbers for shuffle in self.shuffles(round_)])
                for round_, (start, order) in enumerate(self._dealt_rounds, 1)
            ]
        )

    def shuffles(self, round: int = 0) -> list[VillageShuffle]:
        """Return the results of the shuffles in a round, by default the current one."""
        table = self._finished_round(round) if round and round <= len(self._finished_rounds) else self._engine.table
        return [read_shuffle(entry) for entry in table.shuffle_log]

    @property
    def rounds_finished(self) -> int:
        return len(self._finished_rounds)

    @property
    def totals(self) -> dict[str, int]:
        """Each seat's points in the finished rounds."""
        return dict(zip(self.seats, self._engine.table.totals, strict=True))

    @property
    def scores(self) -> list[dict[str, int]]:
        """Each seat's points, round by round."""
        return [dict(zip(self.seats, table.scores, strict=True)) for table in self._finished_rounds]

    def explain(self, round: int) -> list[ScoreLine]:
        """Return the score of a round line by line, with the card and ruling behind each change.

        Raise `ValueError` if the round is not finished.
        """
        return score_lines(self._finished_round(round))

    def _finished_round(self, round: int) -> Table:
        """Return the last table of a round; raise `ValueError` if the round is not finished."""
        for table in self._finished_rounds:
            if table.round == round:
                return table
        raise ValueError(
            f"round {round} is not over; finished rounds: {[table.round for table in self._finished_rounds]}"
        )

    @property
    def winner(self) -> str:
        """The seat letter of the winner; empty until the game is over (G19)."""
        return SEAT_LETTERS[winner_seat(self._engine.table)] if self.over else ""


def _start_game(setup: GameStart) -> Game:
    """Return a game before its first move."""
    game = Game(setup, setup.table.copy_with_events())
    game._base = setup.table
    if setup.table.round_over:
        game._engine.over = True
        return game
    game._engine.start()
    if not game._engine.options:
        game._finish_turn()
    return game


def _unpickle_game(
    start: str,
    events: list[ev.RawEvent],
    names: list[str],
    deals: list[Deal],
    moves: list[int],
    dealt_rounds: tuple[DealtRound, ...],
) -> Game:
    snapshot = read_position_text(start)
    snapshot.table.events = events
    snapshot.table.action = events[-1][6] if events else 0
    game = _start_game(GameStart(snapshot.table, names, snapshot.last_round, deals, dealt_rounds=dealt_rounds[:1]))
    game._play_all(moves)
    return game
