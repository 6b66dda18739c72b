"""One game of an environment, with bots."""

from random import Random
from typing import Final, NamedTuple

from librt.strings import BytesWriter

from argentum.bots import Bot, ask, make
from argentum.bots.quick import QuickBot
from argentum.bots.random import RandomBot
from argentum.bots.search.playout_policy import policy_for
from argentum.envs.rewards import Outcome, outcome, seat_rewards
from argentum.envs.settings import EnvSettings, opponent_names
from argentum.observations.actions import ACTION_OF_MOVE
from argentum.observations.history import SeatHistory
from argentum.observations.table_writer import encoded_cast, write_action_mask, write_table_observation
from argentum.rules import events as ev
from argentum.rules.boxes import cast_of, resolve_deck_code
from argentum.rules.deal import deal_first_round
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import NO_SEAT, Table


class EpisodeSetup(NamedTuple):
    """What a game follows from, but for its moves."""

    code: str
    players: int
    token: str
    rounds: int
    seed: int
    history: int  # how many things each seat's memory holds


class Episode:
    """A game on an engine."""

    def __init__(self, dealt: EpisodeSetup) -> None:
        self.setup: Final = dealt
        self.players: Final = dealt.players
        self.move_bytes: Final = BytesWriter()  # the moves so far, in two bytes each: a list takes ten times as much
        self.scores: list[list[int]] = []  # of the rounds that are over
        self.histories: Final = [
            SeatHistory(seat, dealt.players, dealt.history) for seat in range(dealt.players) if dealt.history
        ]
        self.event_count = 0  # events that the memories have
        self.encoder_bytes: Final = encoded_cast(
            cast_of(dealt.code, dealt.token)
        ).encoder_bytes  # of the deck, for the encoder in C
        self._begin_game()

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle_episode, (self.setup, self.moves, self.has_game)

    @property
    def moves(self) -> list[int]:
        written = self.move_bytes.getvalue()
        return [written[place] | written[place + 1] << 8 for place in range(0, len(written), 2)]

    @property
    def has_game(self) -> bool:
        """Whether the episode runs on a `Game` rather than directly on an `Engine`."""
        return False

    def _begin_game(self) -> None:
        """Deal, and go on to the first choice."""
        dealt = self.setup
        table = deal_first_round(cast_of(dealt.code, dealt.token), dealt.players, dealt.seed, None)
        table.events_off = dealt.history == 0
        self.engine = Engine(table, dealt.rounds)
        self.engine.start()
        self.record_events(table)

    @property
    def chooser(self) -> int:
        """The seat that must choose, or -1 when the game is over."""
        return self.engine.chooser

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.engine.over

    @property
    def table(self) -> Table:
        """The table, to be looked at only."""
        return self.engine.table

    def legal_moves(self) -> list[int]:
        """The legal moves of the seat that must choose."""
        return self.engine.legal_moves()

    def step(self, move: int) -> None:
        """The seat that must choose makes a legal move."""
        self.move_bytes.append(move & 255)
        self.move_bytes.append(move >> 8)
        if self.histories:
            seat = self.chooser
            self.histories[seat].add_action(ACTION_OF_MOVE[self.players][seat][move])
        self.apply_move(move)

    def apply_move(self, move: int) -> None:
        """Make a move, and notice what it brought."""
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
        """Let the seats remember what they were told at a table since the last time."""
        if not self.histories:
            return
        new_events = table.events[self.event_count :]
        self.event_count += len(new_events)
        for raw in new_events:
            for memory in self.histories:
                memory.add_event(ev.event_for_viewer(raw, raw[4] >> memory.seat & 1 == 1, table.cast.token))

    def write_observation(self, seat: int, out: BytesWriter, truth: BytesWriter | None) -> None:
        """Write what a seat observes and remembers; and the truth, if that is wanted, somewhere else."""
        chooser = self.chooser
        legal = self.legal_moves() if seat == chooser else []
        write_table_observation(self.table, seat, chooser, self.over, legal, out, truth)
        if self.histories:
            out.write(self.histories[seat].to_bytes())

    def write_mask(self, seat: int, out: BytesWriter) -> None:
        """Write which actions are legal for a seat: none, while another is asked."""
        write_action_mask(self.legal_moves() if seat == self.chooser else [], seat, self.players, out)

    def rewards(self, kind: str, rounds: int) -> list[float]:
        """What came to each seat since so many rounds were over."""
        return seat_rewards(kind, self.scores[rounds:], self.table if self.over else None, self.players)

    def outcome(self) -> Outcome | None:
        """How the game came out; None while it goes on."""
        return outcome(self.table) if self.over else None


class GameEpisode(Episode):
    """A game in a `Game`."""

    def _begin_game(self) -> None:
        """Deal, and go on to the first choice."""
        dealt = self.setup
        self.game = Game.new(dealt.code, dealt.players, dealt.seed, dealt.token, rounds=dealt.rounds)
        self.table_copy: Table | None = None  # a copy of the table as it is
        self._record_game_events()

    @property
    def has_game(self) -> bool:
        """Whether it is played in a `Game`."""
        return True

    @property
    def chooser(self) -> int:
        """The seat that must choose, or -1 when the game is over."""
        return self.game.chooser

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.over

    @property
    def table(self) -> Table:
        """The table, to be looked at only."""
        now = self.table_copy
        if now is None:
            now = self.table_copy = self.game.copy_table()
        return now

    def legal_moves(self) -> list[int]:
        """The legal moves of the seat that must choose."""
        return self.game.legal_moves()

    def apply_move(self, move: int) -> None:
        """Make a move, and notice what it brought."""
        self.game.step(move)
        self.table_copy = None
        self._record_game_events()
        if self.game.rounds_finished > len(self.scores):
            self.scores = [list(points.values()) for points in self.game.scores]

    def _record_game_events(self) -> None:
        """Append the events since the last call to each seat's history."""
        heard = self.event_count
        for memory in self.histories:
            events = self.game.events(SEAT_LETTERS[memory.seat], heard)
            self.event_count = heard + len(events)
            for event in events:
                memory.add_event(event)


def _unpickle_episode(dealt: EpisodeSetup, moves: list[int], has_game: bool) -> Episode:
    """A play that has travelled."""
    play = GameEpisode(dealt) if has_game else Episode(dealt)
    for move in moves:
        play.step(move)
    return play


def new_episode(settings: EnvSettings, random: Random, with_game: bool) -> Episode:
    """A game that follows from a random stream."""
    code = resolve_deck_code(settings.boxes, random)
    seed = random.getrandbits(62)
    dealt = EpisodeSetup(code, settings.players, settings.token, settings.rounds, seed, settings.history)
    return GameEpisode(dealt) if with_game else Episode(dealt)


class BotEpisode:
    """A game with bots at some of the seats, at a choice of somebody else."""

    def __init__(self, play: Episode, bots: list[Bot | None], learner: int) -> None:
        self.episode: Final = play
        self.bots: Final = bots  # by seat
        self.learner: Final = learner  # NO_SEAT if every seat is asked

    def __reduce__(self) -> tuple[object, ...]:
        return BotEpisode, (self.episode, self.bots, self.learner)

    def step(self, move: int) -> None:
        """Whoever is asked makes a legal move, and then the bots until somebody else is asked."""
        self.episode.step(move)
        if self.learner != NO_SEAT:
            self.play_bots()

    def play_bots(self) -> None:
        """Let bots choose until the learner is asked."""
        play = self.episode
        while not play.over:
            seat = play.chooser
            bot = self.bots[seat]
            if bot is None:
                return
            if isinstance(bot, RandomBot):  # it needs no view, which takes far longer than its choice
                play.step(bot.random.choice(play.legal_moves()))
            elif isinstance(bot, QuickBot):  # it looks at a table, and only at what its seat knows of it
                play.step(policy_for(play.table.cast).choose_for(play.table, seat, play.legal_moves()))
            else:
                assert isinstance(play, GameEpisode)
                play.step(int(ask(bot, play.game, SEAT_LETTERS[seat])))


def new_bot_episode(settings: EnvSettings, seed: int, with_game: bool, index: int = 0) -> BotEpisode:
    """A game that follows from one number; it is kept in a `Game` where that is wanted, or a bot must see it."""
    random = Random(seed)
    players = settings.players
    opponents = settings.opponents
    if not isinstance(opponents, tuple):
        opponents = opponent_names(opponents(index, Random(f"opponents {seed}")), players)
    viewing_bots = [name for name in opponents if name not in (RandomBot.name, QuickBot.name)]
    play = new_episode(settings, random, with_game or len(viewing_bots) > 0)
    seated: list[Bot | None] = [None] * players
    if not opponents:
        return BotEpisode(play, seated, NO_SEAT)
    learner = random.randrange(players) if settings.learner_seat == NO_SEAT else settings.learner_seat
    for offset, name in enumerate(opponents, start=1):
        seated[(learner + offset) % players] = make(name, random.getrandbits(62))
    match = BotEpisode(play, seated, learner)
    match.play_bots()
    return match
