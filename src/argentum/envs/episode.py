"""One game of an environment, with bots."""

from random import Random
from typing import Final, NamedTuple

from librt.strings import BytesWriter

from argentum.bots import Bot, ask, make
from argentum.bots.quick import QuickBot
from argentum.bots.random import RandomBot
from argentum.bots.search.playout_policy import policy_for
from argentum.envs.rewards import Outcome, outcome, rewards
from argentum.envs.settings import Settings, line_up
from argentum.observations.actions import ACTION_OF_MOVE
from argentum.observations.history import SeatHistory
from argentum.observations.table_writer import encoded_cast, write_action_mask, write_table_observation
from argentum.rules import events as ev
from argentum.rules.boxes import cast_of, resolve_deck_code
from argentum.rules.deal import first_table
from argentum.rules.engine import Engine
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import NO_SEAT, Table


class Dealt(NamedTuple):
    """What a game follows from, but for its moves."""

    code: str
    players: int
    token: str
    rounds: int
    seed: int
    history: int  # how many things each seat's memory holds


class Play:
    """A game on an engine."""

    def __init__(self, dealt: Dealt) -> None:
        self.dealt: Final = dealt
        self.players: Final = dealt.players
        self.written: Final = BytesWriter()  # the moves so far, in two bytes each: a list takes ten times as much
        self.scores: list[list[int]] = []  # of the rounds that are over
        self.memories: Final = [
            SeatHistory(seat, dealt.players, dealt.history) for seat in range(dealt.players) if dealt.history
        ]
        self.heard = 0  # events that the memories have
        self.packed: Final = encoded_cast(
            cast_of(dealt.code, dealt.token)
        ).encoder_bytes  # of the deck, for the encoder in C
        self.begin()

    def __reduce__(self) -> tuple[object, ...]:
        return _played_again, (self.dealt, self.moves, self.kept)

    @property
    def moves(self) -> list[int]:
        """The moves so far."""
        written = self.written.getvalue()
        return [written[place] | written[place + 1] << 8 for place in range(0, len(written), 2)]

    @property
    def kept(self) -> bool:
        """Whether it is played in a `Game`."""
        return False

    def begin(self) -> None:
        """Deal, and go on to the first choice."""
        dealt = self.dealt
        table = first_table(cast_of(dealt.code, dealt.token), dealt.players, dealt.seed, None)
        table.events_off = dealt.history == 0
        self.engine = Engine(table, dealt.rounds)
        self.engine.start()
        self.hear_events(table)

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

    def choices(self) -> list[int]:
        """The legal moves of the seat that must choose."""
        return self.engine.legal_moves()

    def step(self, move: int) -> None:
        """The seat that must choose makes a legal move."""
        self.written.append(move & 255)
        self.written.append(move >> 8)
        if self.memories:
            seat = self.chooser
            self.memories[seat].add_action(ACTION_OF_MOVE[self.players][seat][move])
        self.go_on(move)

    def go_on(self, move: int) -> None:
        """Make a move, and notice what it brought."""
        engine = self.engine
        table = engine.table
        engine.step(move)
        self.hear_events(table)
        if table.round_over:
            self.scores.append(table.scores)
            if engine.table is not table:
                self.heard = 0
                self.hear_events(engine.table)

    def hear_events(self, table: Table) -> None:
        """Let the seats remember what they were told at a table since the last time."""
        if not self.memories:
            return
        fresh = table.events[self.heard :]
        self.heard += len(fresh)
        for raw in fresh:
            for memory in self.memories:
                memory.add_event(ev.event_for_viewer(raw, raw[4] >> memory.seat & 1 == 1, table.cast.token))

    def write(self, seat: int, out: BytesWriter, truth: BytesWriter | None) -> None:
        """Write what a seat observes and remembers; and the truth, if that is wanted, somewhere else."""
        chooser = self.chooser
        legal = self.choices() if seat == chooser else []
        write_table_observation(self.table, seat, chooser, self.over, legal, out, truth)
        if self.memories:
            out.write(self.memories[seat].to_bytes())

    def write_mask(self, seat: int, out: BytesWriter) -> None:
        """Write which actions are legal for a seat: none, while another is asked."""
        write_action_mask(self.choices() if seat == self.chooser else [], seat, self.players, out)

    def rewards(self, kind: str, rounds: int) -> list[float]:
        """What came to each seat since so many rounds were over."""
        return rewards(kind, self.scores[rounds:], self.table if self.over else None, self.players)

    def outcome(self) -> Outcome | None:
        """How the game came out; None while it goes on."""
        return outcome(self.table) if self.over else None


class GamePlay(Play):
    """A game in a `Game`."""

    def begin(self) -> None:
        """Deal, and go on to the first choice."""
        dealt = self.dealt
        self.game = Game.new(dealt.code, dealt.players, dealt.seed, dealt.token, rounds=dealt.rounds)
        self.now: Table | None = None  # a copy of the table as it is
        self.listen()

    @property
    def kept(self) -> bool:
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
        now = self.now
        if now is None:
            now = self.now = self.game.copy_table()
        return now

    def choices(self) -> list[int]:
        """The legal moves of the seat that must choose."""
        return self.game.legal_moves()

    def go_on(self, move: int) -> None:
        """Make a move, and notice what it brought."""
        self.game.step(move)
        self.now = None
        self.listen()
        if self.game.rounds_finished > len(self.scores):
            self.scores = [list(points.values()) for points in self.game.scores]

    def listen(self) -> None:
        """Let the seats remember what they were told since the last time."""
        heard = self.heard
        for memory in self.memories:
            events = self.game.events(SEAT_LETTERS[memory.seat], heard)
            self.heard = heard + len(events)
            for event in events:
                memory.add_event(event)


def _played_again(dealt: Dealt, moves: list[int], kept: bool) -> Play:
    """A play that has travelled."""
    play = GamePlay(dealt) if kept else Play(dealt)
    for move in moves:
        play.step(move)
    return play


def new_play(settings: Settings, random: Random, kept: bool) -> Play:
    """A game that follows from a random stream."""
    code = resolve_deck_code(settings.boxes, random)
    seed = random.getrandbits(62)
    dealt = Dealt(code, settings.players, settings.token, settings.rounds, seed, settings.history)
    return GamePlay(dealt) if kept else Play(dealt)


class Match:
    """A game with bots at some of the seats, at a choice of somebody else."""

    def __init__(self, play: Play, bots: list[Bot | None], learner: int) -> None:
        self.play: Final = play
        self.bots: Final = bots  # by seat
        self.learner: Final = learner  # NO_SEAT if every seat is asked

    def __reduce__(self) -> tuple[object, ...]:
        return Match, (self.play, self.bots, self.learner)

    def step(self, move: int) -> None:
        """Whoever is asked makes a legal move, and then the bots until somebody else is asked."""
        self.play.step(move)
        if self.learner != NO_SEAT:
            self.let_bots_play()

    def let_bots_play(self) -> None:
        """Let bots choose until the learner is asked."""
        play = self.play
        while not play.over:
            seat = play.chooser
            bot = self.bots[seat]
            if bot is None:
                return
            if isinstance(bot, RandomBot):  # it needs no view, which takes far longer than its choice
                play.step(bot.random.choice(play.choices()))
            elif isinstance(bot, QuickBot):  # it looks at a table, and only at what its seat knows of it
                play.step(policy_for(play.table.cast).choose_for(play.table, seat, play.choices()))
            else:
                assert isinstance(play, GamePlay)
                play.step(int(ask(bot, play.game, SEAT_LETTERS[seat])))


def new_match(settings: Settings, seed: int, kept: bool, place: int = 0) -> Match:
    """A game that follows from one number; it is kept in a `Game` where that is wanted, or a bot must see it."""
    random = Random(seed)
    players = settings.players
    opponents = settings.opponents
    if not isinstance(opponents, tuple):
        opponents = line_up(opponents(place, Random(f"opponents {seed}")), players)
    looks = [name for name in opponents if name not in (RandomBot.name, QuickBot.name)]
    play = new_play(settings, random, kept or len(looks) > 0)
    seated: list[Bot | None] = [None] * players
    if not opponents:
        return Match(play, seated, NO_SEAT)
    learner = random.randrange(players) if settings.learner == NO_SEAT else settings.learner
    for nth, name in enumerate(opponents, start=1):
        seated[(learner + nth) % players] = make(name, random.getrandbits(62))
    match = Match(play, seated, learner)
    match.let_bots_play()
    return match
