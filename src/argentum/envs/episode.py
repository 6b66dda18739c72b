# mypyc: compile
"""Episodes of the environments: one game each, optionally with bots at some of the seats."""

from random import Random
from typing import Final, NamedTuple

from argentum.bots import Bot, ask, make
from argentum.bots.quick import QuickBot
from argentum.bots.random import RandomBot
from argentum.bots.search.playout_policy import policy_for
from argentum.envs.rewards import Outcome, game_outcome, seat_rewards
from argentum.envs.settings import EnvSettings
from argentum.observations import c_writer
from argentum.observations.actions import ACTION_OF_MOVE
from argentum.observations.history import History, PlainHistory, action_token, event_token
from argentum.observations.layout import cast_bytes
from argentum.rules.boxes import cast_of
from argentum.rules.deal import deal_first_round
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import NO_SEAT, Table
from argentum.rules.views import View, make_view

_MOVES: Final = MOVES  # mypyc: a constant of this module is read faster


class EpisodeSetup(NamedTuple):
    """Everything that determines a game except its moves."""

    code: str  # deck code
    players: int
    token: str
    rounds: int
    seed: int
    history: int  # events and actions kept for each seat; 0 for no histories


def make_history(players: int, limit: int) -> History | None:
    """Return an empty history that keeps `limit` tokens of each seat; None for a limit of 0."""
    if limit == 0:
        return None
    module = c_writer.load()
    history: History = PlainHistory(players, limit) if module is None else module.History(players, limit)
    return history


class Episode:
    """A game played directly on the rules engine, which is faster than `Game` but provides no views.

    Pickling an episode stores its setup and moves; unpickling replays them.
    """

    def __init__(self, setup: EpisodeSetup) -> None:
        self.setup: Final = setup
        self.players: Final = setup.players
        self.played: Final[list[Move]] = []  # the moves so far; shared objects, which need no memory of their own
        self.scores: list[list[int]] = []  # points by seat of each finished round
        self.history: Final = make_history(setup.players, setup.history)
        self.event_count = 0  # events already added to the history
        self.cast_bytes: Final = cast_bytes(cast_of(setup.code, setup.token))
        self._begin_game()

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle_episode, (self.setup, self.moves, self.has_game)

    @property
    def moves(self) -> list[int]:
        return [int(move) for move in self.played]

    @property
    def has_game(self) -> bool:
        """Whether the episode runs on a `Game` rather than directly on an `Engine`."""
        return False

    def _begin_game(self) -> None:
        """Deal the first round and advance to its first decision."""
        setup = self.setup
        table = deal_first_round(cast_of(setup.code, setup.token), setup.players, setup.seed, None)
        table.events_off = setup.history == 0
        self.engine = Engine(table, setup.rounds)
        self.engine.start()
        self.record_events(table)

    @property
    def chooser(self) -> int:
        """The seat to move, or -1 when the game is over."""
        return self.engine.chooser

    @property
    def over(self) -> bool:
        return self.engine.over

    @property
    def table(self) -> Table:
        """The current table. Do not modify it."""
        return self.engine.table

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the seat to move."""
        return self.engine.legal_moves()

    def step(self, move: int) -> None:
        """Play a legal move for the seat to move."""
        self.played.append(_MOVES[move])
        if self.history is not None:
            seat = self.chooser
            self.history.append_token(seat, action_token(ACTION_OF_MOVE[self.players][seat][move]))
        self.apply_move(move)

    def apply_move(self, move: int) -> None:
        """Advance the game by a move and update the scores and the history. `step` also stores the move."""
        engine = self.engine
        table = engine.table
        engine.step(move)
        self.record_events(table)
        if table.round_over:
            self.scores.append(table.scores)
            if engine.table is not table:
                self.event_count = 0
                self.record_events(engine.table)

    def record_events(self, table: Table) -> None:
        """Append the new events of a table to the history."""
        if self.history is not None:
            self.history.add_events(table.events, self.event_count)
            self.event_count = len(table.events)

    def view(self, seat: int) -> View:
        """Return the view of a seat, without the names of the players."""
        legal = self.legal_moves() if seat == self.chooser else []
        return make_view(self.table, [], seat, self.chooser, legal, self.over)

    def rewards(self, kind: str, since_round: int) -> list[float]:
        """Return rewards by seat for the play after the first `since_round` rounds; `kind` is one of `REWARD_KINDS`."""
        return seat_rewards(kind, self.scores[since_round:], self.table if self.over else None, self.players)

    def outcome(self) -> Outcome | None:
        """Return the result of the game, or None if it is not over."""
        return game_outcome(self.table) if self.over else None


class GameEpisode(Episode):
    """An episode on a `Game`, which provides views for rendering and for bots but is slower than the engine alone."""

    def _begin_game(self) -> None:
        setup = self.setup
        self.game = Game.new(setup.code, setup.players, setup.seed, setup.token, rounds=setup.rounds)
        self.table_copy: Table | None = None  # a copy of the current table, made on demand
        self._record_game_events()

    @property
    def has_game(self) -> bool:
        return True

    @property
    def chooser(self) -> int:
        """The seat to move, or -1 when the game is over."""
        return NO_SEAT if self.game.over else SEAT_LETTERS.index(self.game.to_move)

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def table(self) -> Table:
        """The current table. Do not modify it."""
        table = self.table_copy
        if table is None:
            table = self.table_copy = self.game.position().table
        return table

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the seat to move."""
        return [*self.game.legal()]

    def apply_move(self, move: int) -> None:
        """Advance the game by a move and update the scores and the history."""
        self.game.play(move)
        self.table_copy = None
        self._record_game_events()
        if self.game.rounds_finished > len(self.scores):
            self.scores = [list(points.values()) for points in self.game.scores]

    def _record_game_events(self) -> None:
        """Append the new events of the game to the history."""
        if self.history is None:
            return
        first = self.event_count
        for seat in range(self.players):
            events = self.game.events(SEAT_LETTERS[seat], first)
            self.event_count = first + len(events)
            for event in events:
                self.history.append_token(seat, event_token(event, seat, self.players))


def _unpickle_episode(setup: EpisodeSetup, moves: list[int], has_game: bool) -> Episode:
    episode = GameEpisode(setup) if has_game else Episode(setup)
    for move in moves:
        episode.step(move)
    return episode


def new_episode(settings: EnvSettings, random: Random, with_game: bool, index: int = 0) -> Episode:
    """Start a game whose seed, and deck if it is not fixed, are drawn from `random`; on a `Game` if `with_game`."""
    code = settings.draw_deck(index, random)
    seed = random.getrandbits(62)
    setup = EpisodeSetup(code, settings.players, settings.token, settings.rounds, seed, settings.history)
    return GameEpisode(setup) if with_game else Episode(setup)


class BotEpisode:
    """An episode in which bots play some of the seats.

    After each step, a seat without a bot is to move or the game is over.
    """

    def __init__(self, episode: Episode, bots: list[Bot | None], learner: int) -> None:
        self.episode: Final = episode
        self.bots: Final = bots  # by seat
        self.learner: Final = learner  # NO_SEAT if the caller plays every seat

    def __reduce__(self) -> tuple[object, ...]:
        return BotEpisode, (self.episode, self.bots, self.learner)

    def step(self, move: int) -> None:
        """Play a legal move for the seat to move, then the moves of the bots that follow."""
        self.episode.step(move)
        if self.learner != NO_SEAT:
            self.play_bots()

    def play_bots(self) -> None:
        """Play the bots' moves until a seat without a bot is to move or the game is over."""
        episode = self.episode
        while not episode.over:
            seat = episode.chooser
            bot = self.bots[seat]
            if bot is None:
                return
            # These two bots get no view, because building one takes far longer than they take to choose. The quick
            # bot gets the table, but reads only what its seat knows.
            if isinstance(bot, RandomBot):
                episode.step(bot.random.choice(episode.legal_moves()))
            elif isinstance(bot, QuickBot):
                episode.step(policy_for(episode.table.cast).choose_for_seat(episode.table, seat, episode.legal_moves()))
            else:
                assert isinstance(episode, GameEpisode)
                episode.step(int(ask(bot, episode.game, SEAT_LETTERS[seat])))


def new_bot_episode(settings: EnvSettings, seed: int, with_game: bool, index: int = 0) -> BotEpisode:
    """Start a game determined by `seed` and play the bots until the learner's first decision.

    The game runs on a `Game` if `with_game` or if a bot needs views. If `settings` has functions, they are called with
    `index`.
    """
    random = Random(seed)
    players = settings.players
    opponents = settings.draw_opponents(index, seed)
    viewing_bots = [name for name in opponents if name not in (RandomBot.name, QuickBot.name)]
    episode = new_episode(settings, random, with_game or len(viewing_bots) > 0, index)
    bots: list[Bot | None] = [None] * players
    if not opponents:
        return BotEpisode(episode, bots, NO_SEAT)
    learner = random.randrange(players) if settings.learner_seat == NO_SEAT else settings.learner_seat
    for offset, name in enumerate(opponents, start=1):
        bots[(learner + offset) % players] = make(name, random.getrandbits(62))
    bot_episode = BotEpisode(episode, bots, learner)
    bot_episode.play_bots()
    return bot_episode
