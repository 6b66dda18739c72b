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
from argentum.rules.position_dict import (
    PositionError,
    position_dict,
    read_position,
    village_text_for_viewer,
)
from argentum.rules.position_text import PositionText, read_position_text, write_position
from argentum.rules.redeal import are_surely_indistinguishable, cards_outside, redeal_faces
from argentum.rules.residents import Cast
from argentum.rules.scoring import ROUNDS_PER_GAME, ScoreLine, score_lines, winner_seat
from argentum.rules.table import (
    ALL_CARDS,
    ALL_VIEWERS,
    FIRST_RULINGS,
    NO_SEAT,
    RULINGS,
    VIEWER_COUNT,
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
MAX_REDEAL_ATTEMPTS: Final = 60  # to find faces with which the moves of this turn are legal
CHECKPOINT_TURNS: Final = 8  # between saved tables


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
        self._checkpoint_table = table  # saved between turns or at a re-deal
        self._turns_since_checkpoint = 0
        self._turn_moves: list[int] = []  # the moves of this turn, or those since a re-deal within it
        self._restartable_move_count = 0  # the number of these when the table was last restartable
        self._restartable_table: Table | None = None  # the table at that move, saved by the first copy for later ones

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
    def at(source: Mapping[str, Any], names: Sequence[str] = ()) -> "Game":
        """Start at a position, a mapping with the same keys as a scenario; raise `PositionError` if it is invalid.

        The game ends after the current round.
        """
        table = read_position(source)
        return _start_game(GameStart(table, list(names or SEAT_LETTERS[: table.players]), table.round))

    @staticmethod
    def resume(text: str, names: Sequence[str] = ()) -> "Game":
        """Continue from a position that :meth:`text` returned; raise `PositionError` if the text is invalid.

        If the text has no field `rulings`, use version 2 of the rulings, or version 1 if its moves are illegal under
        version 2.

        >>> game = Game.new(seed=3)
        >>> Game.resume(game.text()).text() == game.text()
        True
        """
        snapshot = read_position_text(text)
        try:
            return _resume_position(snapshot, names)
        except PositionError:
            if snapshot.states_rulings:
                raise
            snapshot.table.rulings = FIRST_RULINGS
            return _resume_position(snapshot, names)

    def text(self) -> str:
        """Return the complete position, with every face, as a line of text that :meth:`resume` reads."""
        table = self._engine.table
        if table.restartable or self.over:
            return write_position(table, (), self._setup.last_round)
        fixed = self._table_at_turn_start().copy()
        fixed.fixed_shuffles = _fixed_shuffles(table)
        return write_position(fixed, self._turn_moves, self._setup.last_round)

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
    def has_full_history(self) -> bool:
        """Whether the history starts with the first deal, as records need. False after `at`, `resume` or a re-deal."""
        return bool(self._dealt_rounds) and self._setup.history is None

    @property
    def to_move(self) -> str:
        """The letter of :attr:`chooser`, or an empty string when the game is over."""
        return "" if self.over else SEAT_LETTERS[self.chooser]

    @property
    def chooser(self) -> int:
        """The seat that must choose now, as an index; -1 when the game is over. In the first look, one of several."""
        return self._engine.chooser

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the seat to move, as plain integers."""
        return self.legal_moves_of(self.chooser)

    def legal_moves_of(self, seat: int) -> list[int]:
        """Return the legal moves of one seat, as plain integers. In the first look, several seats have moves (G4)."""
        return self._engine.legal_moves_of(seat)

    def legal(self, seat: str = "") -> list[Move]:
        """Return the legal moves of a seat, by default the seat to move.

        `peek` and `exchange` are listed one card at a time: `exchange A1`, then `and A3` or `done`. :meth:`play` also
        accepts texts with all cards: `exchange A1 A3`.
        """
        moves = self.legal_moves_of(self._parse_seat(seat)) if seat else self._engine.legal_moves()
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
                self.step(step)
            if base_of(steps[0]) == EXCHANGE and self.is_choosing_cards:
                self.step(DONE)
                steps.append(DONE)
            return [_MOVES[step] for step in steps]
        if not self._engine.is_option(move) or (seat and move not in self.legal_moves_of(self._parse_seat(seat))):
            raise self._illegal_move(move_text(move), self._parse_seat(seat) if seat else NO_SEAT)
        self.step(move)
        return [_MOVES[move]]

    @property
    def is_choosing_cards(self) -> bool:
        """Whether an exchange is incomplete: more cards can be named."""
        return not self.over and self._engine.table.step == STEP_MORE_CARDS

    def step(self, move: int) -> None:
        """Make a move from :meth:`legal_moves` without checking it."""
        engine = self._engine
        if engine.table.restartable:
            self._restartable_move_count = len(self._turn_moves)
            self._restartable_table = None
        self._turn_moves.append(move)
        engine.play(move)
        if not engine.options:
            self._finish_turn()

    def rollout(self, random: Random, uniform: bool = False) -> int:
        """Play random legal moves to the end of the game, without events; return how many were played.

        Moves are chosen as in :meth:`Engine.rollout`.
        """
        move_count = 0
        engine = self._engine
        engine.table.events_off = True
        while not self.over:
            moves = engine.rollout(random, uniform)
            move_count += len(moves)
            self._turn_moves += moves
            self._finish_turn(checkpoint=False)
        return move_count

    def fix_shuffles(self, villages: Sequence[Sequence[int]]) -> None:
        """Fix the results of the next shuffles (B8): the numbers of each shuffled village, from its owner's left."""
        table = self._engine.table
        table.fixed_shuffles = [*_fixed_shuffles(table)[: len(table.shuffle_log)], *villages]
        self._checkpoint_table = _copy_with_events(self._table_at_turn_start())
        self._checkpoint_table.fixed_shuffles = table.fixed_shuffles
        self._restartable_move_count, self._restartable_table = 0, None

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
        if seat != NO_SEAT and steps[0] not in self.legal_moves_of(seat):
            raise self._illegal_move(text, seat)
        return steps

    def _illegal_move(self, text: str, seat: int) -> IllegalMove:
        """Return an error that states why a move is refused, and the legal moves."""
        if self.over:
            return IllegalMove(GAME_OVER if self._setup.last_round == ROUNDS_PER_GAME else ROUND_OVER, text)
        to_move = self.to_move
        if seat == NO_SEAT:
            letter, moves = to_move, self.legal_moves()
        else:
            letter, moves = SEAT_LETTERS[seat], self.legal_moves_of(seat)
        if not moves:
            return IllegalMove(NOT_YOUR_TURN, text, letter, to_move)
        kind = NOT_LEGAL if parse_move(text) >= 0 or parse_cards_move(text) else NOT_A_MOVE
        return IllegalMove(kind, text, letter, to_move, [move_text(move) for move in moves])

    def _parse_seat(self, letter: str) -> int:
        seat = SEAT_LETTERS.find(letter.upper()) if len(letter) == 1 else -1
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {letter!r}: the seats are {', '.join(self.seats)}")
        return seat

    def _finish_turn(self, checkpoint: bool = True) -> None:
        """Continue from the end of a turn, the first look or a round to the next choice; save checkpoints."""
        engine = self._engine
        while not engine.options:
            table = engine.table
            self._finished_turns = FinishedTurn(self._finished_turns, self._turn_moves, table.events, ALL_VIEWERS)
            self._turn_moves = []
            self._restartable_move_count, self._restartable_table = 0, None
            table.events = []
            self._turns_since_checkpoint += 1
            if table.round_over:
                self._finished_rounds = (*self._finished_rounds, table)
                if table.round >= self._setup.last_round:
                    engine.table = self._checkpoint_table = table.copy()
                    self._turns_since_checkpoint = 0
                    engine.over = True
                    return
                engine.next_round()
                table = engine.table
                self._dealt_rounds = (*self._dealt_rounds, (table.turn, table.faces[:])) if self._dealt_rounds else ()
                self._turns_since_checkpoint = CHECKPOINT_TURNS
            if checkpoint and self._turns_since_checkpoint >= CHECKPOINT_TURNS:
                self._checkpoint_table, self._turns_since_checkpoint = _copy_with_events(table), 0
            engine.advance()

    def _table_at_turn_start(self) -> Table:
        """Return the table at the start of this turn.

        If that is later than the last checkpoint, replay the turns since, and make the result the checkpoint.
        """
        if self._turns_since_checkpoint:
            turns: list[list[int]] = []
            past = self._finished_turns
            while len(turns) < self._turns_since_checkpoint:
                assert past is not None
                turns.append(past.moves)
                past = past.previous
            engine = Engine(self._checkpoint_table.copy(), self._setup.last_round)
            engine.table.events_off = True
            engine.start()
            while turns:
                for move in turns.pop():
                    engine.play(move)
                if turns:
                    engine.advance()
            engine.table.events_off = self._checkpoint_table.events_off
            self._checkpoint_table, self._turns_since_checkpoint = engine.table, 0
        return self._checkpoint_table

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
            new = Game(self._setup, _copy_with_events(engine.table))
            new._engine.options = engine.options[:]
            new._engine.over = engine.over
        else:
            restartable = self._restartable_table
            new = Game(self._setup, (self._table_at_turn_start() if restartable is None else restartable).copy())
            table = new._engine.table
            table.events_off = True  # These events were recorded before.
            new._engine.start()
            for index in range(0 if restartable is None else self._restartable_move_count, len(self._turn_moves)):
                if index == self._restartable_move_count > 0 and restartable is None:
                    self._restartable_table = table.copy()
                new._engine.play(self._turn_moves[index])
            table.events_off, table.events = engine.table.events_off, engine.table.events[:]
            new._restartable_move_count, new._restartable_table = self._restartable_move_count, self._restartable_table
        new._finished_turns, new._finished_rounds, new._dealt_rounds = (
            self._finished_turns,
            self._finished_rounds,
            self._dealt_rounds,
        )
        new._checkpoint_table, new._turns_since_checkpoint, new._turn_moves = (
            self._checkpoint_table,
            self._turns_since_checkpoint,
            self._turn_moves[:],
        )
        return new

    def engine(self) -> Engine:
        """Return an independent engine for the rest of this round, with every face, for search on re-dealt games."""
        copy = self.copy()._engine
        engine = Engine(copy.table, copy.table.round)
        engine.table.events_off = True
        engine.table.events = []
        if engine.table.restartable:
            engine.options = copy.options
            return engine
        engine = Engine(_copy_with_events(self._table_at_turn_start()), copy.table.round)
        engine.table.events_off = True
        engine.start()
        for move in self._turn_moves:
            engine.play(move)
        return engine

    def copy_table(self) -> Table:
        """Return a copy of the table, with every face."""
        return self._engine.table.copy()

    def checkpoint(self) -> tuple[Table, list[int]]:
        """Return a copy of a restartable table and the moves since.

        The table is the current one if that is restartable, otherwise that at the start of the turn.
        """
        table = self._engine.table
        return (table.copy(), []) if table.restartable else (self._table_at_turn_start().copy(), self._turn_moves[:])

    def with_faces(self, faces: Mapping[int, int], shuffles: Sequence[Sequence[int]] = ()) -> "Game":
        """Return a copy in which `faces`, by card, replace the faces of those cards, and `shuffles` fix later shuffles.

        For solvers that sample chance one card at a time. Past events do not change.
        """
        new = self.copy()
        start = _copy_with_events(self._table_at_turn_start())
        _set_faces(start, faces, [*_fixed_shuffles(self._engine.table), *shuffles])
        new._checkpoint_table, new._turns_since_checkpoint = start, 0
        new._restartable_move_count, new._restartable_table = 0, None
        new = new.copy()  # Inside an ability, this replays the moves since the restartable table.
        _set_faces(new._engine.table, faces, [*_fixed_shuffles(new._engine.table), *shuffles])
        return new

    def restart(self) -> "Game":
        """Return this game as it was before its first move or, if it was re-dealt, at the re-deal."""
        return _start_game(self._setup)

    def history(self) -> list[int]:
        """Return all one-card moves of the game so far, as plain integers."""
        turns = self._all_turns()
        first = turns.index(self._setup.history) + 1 if self._setup.history is not None else 0
        return [
            int(move) for turn in turns[first:] for move in turn.moves
        ]  # When not compiled, some are of class Move.

    def _all_turns(self) -> list[FinishedTurn]:
        """Return the turns so far, including the unfinished one."""
        turns = [FinishedTurn(None, self._turn_moves, self._engine.table.events, ALL_VIEWERS)]
        past = self._finished_turns
        while past is not None:
            turns.append(past)
            past = past.previous
        turns.reverse()
        return turns

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
        for step in steps:
            replayed.step(step)
        self._engine, self._finished_turns = replayed._engine, replayed._finished_turns
        self._checkpoint_table, self._turns_since_checkpoint = (
            replayed._checkpoint_table,
            replayed._turns_since_checkpoint,
        )
        self._finished_rounds, self._dealt_rounds, self._turn_moves = (
            replayed._finished_rounds,
            replayed._dealt_rounds,
            replayed._turn_moves,
        )
        self._restartable_move_count, self._restartable_table = (
            replayed._restartable_move_count,
            replayed._restartable_table,
        )

    # Views and events of a seat.

    def view(self, seat: str | None = None) -> View:
        """Return what a seat, or a watcher for None, may see of the game."""
        number = NO_SEAT if seat is None else self._parse_seat(seat)
        moves = self.legal_moves_of(number) if seat else []
        return make_view(self._engine.table, self.names, number, self.chooser, moves, self.over)

    def open_view(self, seat: str = "A") -> View:
        """Return a seat's view with every face visible, for games that are over."""
        table = self._engine.table.copy()
        table.seen = [ALL_CARDS] * VIEWER_COUNT
        return make_view(table, self.names, self._parse_seat(seat), self.chooser, [], self.over)

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
        redealt = self.redeal_from_knowledge(seat, random)
        if redealt is None:  # Keep the faces on which this turn depends.
            viewer = self._parse_viewer(seat)
            redealt = self._try_redeal(self._history_for(viewer), viewer, random, True)
        assert redealt is not None
        return redealt

    def redeal_from_knowledge(self, seat: str | None, random: Random) -> "Game | None":
        """Re-deal in a way that depends only on the seat's knowledge and `random`; return None if that fails.

        Deals are sampled until one is consistent with this turn. This can fail after many shuffles and looks in one
        turn.
        """
        number = NO_SEAT if seat is None else self._parse_seat(seat)
        viewer = WATCHERS if seat is None else number
        past, table = self._history_for(viewer), self._engine.table
        if self.over:
            game = Game(
                GameStart(table, self.names, self._setup.last_round, (), past, self._finished_rounds), table.copy()
            )
            game._engine.over = True
            return game
        is_restartable = table.restartable  # otherwise this turn's moves are replayed
        for _ in range(MAX_REDEAL_ATTEMPTS):
            redealt = self._try_redeal(past, viewer, random, False)
            if redealt is None:
                continue
            if is_restartable:  # Without new events, the seat sees the same.
                if not redealt._engine.table.events and redealt.legal_moves_of(number) == self.legal_moves_of(number):
                    return redealt
            elif self._looks_same_to(redealt, number):
                return redealt
        return None

    def _parse_viewer(self, seat: str | None) -> int:
        return WATCHERS if seat is None else self._parse_seat(seat)

    def _history_for(self, viewer: int) -> FinishedTurn:
        """Return the finished turns, with the card numbers in events restricted to a viewer."""
        table = self._engine.table
        is_restartable = table.restartable and not self.over
        return FinishedTurn(
            self._finished_turns,
            self._turn_moves if is_restartable else [],
            table.events if is_restartable else [],
            seat_bit(viewer),
        )

    def _try_redeal(self, past: FinishedTurn, viewer: int, random: Random, keep_seen_cards: bool) -> "Game | None":
        """Re-deal for a viewer; return None if a move of this turn is illegal with the new faces.

        With `keep_seen_cards`, keep this turn's shuffles and every card that anybody has seen in this turn, so that the
        moves are always legal.
        """
        current = self._engine.table
        is_restartable = current.restartable
        table = current.copy() if is_restartable else _copy_with_events(self._table_at_turn_start())
        outcomes = current.shuffle_log if keep_seen_cards else table.shuffle_log
        table.seed = random.getrandbits(62)
        table.fixed_shuffles = [[card & 15 for card in outcome[1:]] for outcome in outcomes]
        cards = cards_outside(table.cards_known_to(viewer) | current.cards_known_to(viewer))
        if keep_seen_cards:
            shuffled = [
                entry >> 7
                for outcome in outcomes[len(self._table_at_turn_start().shuffle_log) :]
                for entry in outcome[1:]
            ]
            fixed = [current.hand, *shuffled]
            cards = [card for card in cards if table.viewers_of(card) == current.viewers_of(card) and card not in fixed]
        redeal_faces(table, cards, current.passed_over, random)
        game = Game(
            GameStart(_copy_with_events(table), self.names, self._setup.last_round, (), past, self._finished_rounds),
            table,
        )
        game._checkpoint_table = game._setup.table
        engine = game._engine
        if is_restartable and not current.first_look_pending and viewer == current.chooser:
            engine.options = self._engine.options[:]  # The options do not depend on what the chooser cannot know (G25).
            return game
        engine.start()
        for move in [] if is_restartable else self._turn_moves:
            if not engine.is_option(move):
                return None
            engine.play(move)
            game._turn_moves.append(move)
        return game if engine.options else None

    def _looks_same_to(self, other: "Game", seat: int) -> bool:
        """Whether a seat's view, moves and events of this turn are the same in another game."""
        moves = self.legal_moves_of(seat) if seat != NO_SEAT else []
        other_moves = other.legal_moves_of(seat) if seat != NO_SEAT else []
        if moves != other_moves or self._events_this_turn(seat) != other._events_this_turn(seat):
            return False
        table, other_table = self._engine.table, other._engine.table
        if are_surely_indistinguishable(table, other_table, seat):
            return True
        view = make_view(table, self.names, seat, self.chooser, moves, self.over)
        return view == make_view(other_table, other.names, seat, other.chooser, other_moves, other.over)

    def _events_this_turn(self, seat: int) -> list[ev.RawEvent]:
        """Return this turn's events, without card numbers that the seat does not know."""
        viewer = seat_bit(WATCHERS if seat == NO_SEAT else seat)
        return [raw if raw[4] & viewer else (*raw[:3], -1, 0, raw[5], raw[6]) for raw in self._engine.table.events]

    # Position, deals and scores.

    def position(self) -> dict[str, Any]:
        """Return the position, with every face, as a dictionary with the same keys as a scenario."""
        return position_dict(self._engine.table)

    def village_text_for(self, viewer: str, village: str) -> str:
        """Return a village as the seat `viewer` may see it, in the notation of positions."""
        return village_text_for_viewer(self._engine.table, self._parse_seat(village), self._parse_seat(viewer))

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


def _set_faces(table: Table, faces: Mapping[int, int], shuffles: Sequence[Sequence[int]]) -> None:
    for card, number in faces.items():
        table.faces[card] = number
    table.fixed_shuffles = shuffles


def _fixed_shuffles(table: Table) -> list[Sequence[int]]:
    """Return the results of the round's past shuffles, then the fixed results of later ones."""
    return [
        *[[card & 15 for card in outcome[1:]] for outcome in table.shuffle_log],
        *table.fixed_shuffles[len(table.shuffle_log) :],
    ]


def _start_game(setup: GameStart) -> Game:
    """Return a game before its first move."""
    game = Game(setup, _copy_with_events(setup.table))
    game._checkpoint_table = setup.table
    if setup.table.round_over:
        game._engine.over = True
        return game
    game._engine.start()
    if not game._engine.options:
        game._finish_turn()
    return game


def _resume_position(snapshot: PositionText, names: Sequence[str]) -> Game:
    """Start a game at a position, and play its moves; raise `PositionError` if one of them is illegal."""
    table = snapshot.table
    game = _start_game(GameStart(table, list(names or SEAT_LETTERS[: table.players]), snapshot.last_round))
    for move in snapshot.moves:
        if move not in game._engine.options:
            raise PositionError(f"moves: {move_text(move)!r} cannot be made there")
        game.step(move)
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
    for move in moves:
        game.step(move)
    return game


def _copy_with_events(table: Table) -> Table:
    """Copy a table together with its events."""
    new = table.copy()
    new.events = table.events[:]
    return new
