"""The games of a batch, or one process's share of them, played side by side. Compiled in the fast build."""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from librt.strings import BytesWriter

from argentum.bots import Bot, ask, make
from argentum.bots.chance import RandomBot
from argentum.envs.actions import MOVE_TABLE, NO_ACTION, write_mask
from argentum.envs.observation import SIZE, encode, write_observation
from argentum.envs.rewards import rewards
from argentum.rules.boxes import random_code
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.rules.table import NO_SEAT

ANY_DECK: Final = "random"


class Settings(NamedTuple):
    """What is played in a batch, by whom, and for what."""

    boxes: str
    players: int
    token: str
    opponents: tuple[str, ...]  # bots, clockwise from the learner; none if every seat is asked
    learner: int  # its seat, or NO_SEAT for any, in each game anew
    reward: str


class Ending:
    """What the end of a round brought: where, each seat's reward, whether the game is over, and what is seen then."""

    def __init__(self, place: int, rewards: list[float], over: bool, last: bytearray) -> None:
        self.place: Final = place
        self.rewards: Final = rewards
        self.over: Final = over
        self.last: Final = last


class Play:
    """A game of a batch, with the bots in it."""

    def __init__(self, settings: Settings, watched: bool, seed: int) -> None:
        random = Random(seed)
        players = settings.players
        code = random_code(random) if settings.boxes == ANY_DECK else settings.boxes
        self.game: Final = Game.new(code, players, random.getrandbits(62), settings.token)
        self.game.watched = watched  # else nobody copies it, and it need not keep what that takes
        self.game.table.quiet = True
        self.bots: Final[list[Bot | None]] = [None] * players
        self.learner = NO_SEAT
        if settings.opponents:
            self.learner = random.randrange(players) if settings.learner == NO_SEAT else settings.learner
            for nth, name in enumerate(settings.opponents, start=1):
                self.bots[(self.learner + nth) % players] = make(name, random.getrandbits(62))
            self.let_bots_play()

    def let_bots_play(self) -> None:
        """Let bots choose until the learner is asked."""
        game = self.game
        while not game.over:
            seat = game.chooser
            bot = self.bots[seat]
            if bot is None:
                return
            if isinstance(bot, RandomBot):  # it needs no view, which takes far longer than its choice
                game._step(bot.random.choice(game.choices()))
            else:
                game._step(int(ask(bot, game, SEATS[seat])))


class Games:
    """Games side by side, each at somebody's choice: an action for each, and each is at the next choice.

    What is random in a game follows from one number, `seeds(place)`: so it does not matter which process plays it.
    """

    def __init__(
        self,
        settings: Settings,
        seeds: Callable[[int], int],
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
    ) -> None:
        self.settings: Final = settings
        self.seeds: Final = seeds
        self.observations: Final = observations
        self.masks: Final = masks
        self.seats: Final = seats
        self.moves: Final = MOVE_TABLE[settings.players]
        self.watched: Final = any([make(name, 0).looks_ahead for name in settings.opponents])
        self.plays: list[Play] = []
        self.observed: Final = BytesWriter()  # kept, so that they need not grow each time
        self.masked: Final = BytesWriter()
        self.seated: Final = BytesWriter()

    def reset(self) -> None:
        """New games at all places."""
        self.plays = [self._new(place) for place in range(len(self.seats))]
        for play in self.plays:
            self._show(play.game)
        self._hand_over()

    def step(self, actions: list[int]) -> list[Ending]:
        """An action in each game, or none; they must be legal. What the ends of rounds brought is returned."""
        endings: list[Ending] = []
        for place in range(len(actions)):
            action = actions[place]
            if action != NO_ACTION:
                self._act(place, action, endings)
            self._show(self.plays[place].game)  # at once, while all of it is in the cache
        self._hand_over()
        return endings

    def _act(self, place: int, action: int, endings: list[Ending]) -> None:
        """An action in one game."""
        play = self.plays[place]
        game = play.game
        seat = game.chooser
        finished = len(game.finished)
        game._step(self.moves[seat][action])
        if play.learner != NO_SEAT:
            play.let_bots_play()
        if len(game.finished) > finished:
            endings.append(self._ending(place, game, seat, finished))

    def _ending(self, place: int, game: Game, seat: int, finished: int) -> Ending:
        """What the end of a round brought; a game that is over is followed by the next."""
        last = bytearray(SIZE)
        if game.over:
            encode(game, seat, last)
            self.plays[place] = self._new(place)
        return Ending(place, rewards(game, self.settings.reward, finished), game.over, last)

    def _show(self, game: Game) -> None:
        """Write down how a game stands, for the seat that is to choose."""
        seat = game.chooser
        self.seated.append(seat)
        write_observation(game, seat, self.observed)
        write_mask(game, seat, self.masked)

    def _hand_over(self) -> None:
        """Put what was written into the arrays."""
        self.observations[:] = self.observed.getvalue()
        self.masks[:] = self.masked.getvalue()
        self.seats[:] = self.seated.getvalue()
        self.observed.truncate(0)
        self.masked.truncate(0)
        self.seated.truncate(0)

    def _new(self, place: int) -> Play:
        """The next game at a place."""
        return Play(self.settings, self.watched, self.seeds(place))
