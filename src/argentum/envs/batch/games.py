"""The games of a batch, or one process's share of them, played side by side. Compiled in the fast build."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from argentum.envs.episode import BotEpisode, new_bot_episode
from argentum.envs.rewards import Outcome
from argentum.envs.settings import EnvSettings
from argentum.observations.actions import ILLEGAL_ACTION, MOVE_OF_ACTION, NO_ACTION
from argentum.observations.encoder import table_fields

if TYPE_CHECKING:
    from argentum.observations._encode import Encoder

PREFETCH_MIN_GAMES: Final = 512  # games that do not stay in the processor's caches


class EpisodeEnd:
    """What the end of a round or game brought: where, each seat's reward, and what is seen then.

    The game is over, or was cut short, or goes on. A game that was played to its end has an outcome.
    """

    def __init__(
        self, place: int, rewards: list[float], over: bool, cut: bool, last: bytes, outcome: Outcome | None
    ) -> None:
        self.index: Final = place
        self.rewards: Final = rewards
        self.over: Final = over
        self.truncated: Final = cut
        self.final_observation: Final = last
        self.outcome: Final = outcome


class BatchGames:
    """Games side by side, each at somebody's choice: an action for each, and each is at the next choice.

    What is random in a game follows from one number, `seeds(place)`: so it does not matter which process plays it.
    Rows are written by the encoder, if there is one; else here, and handed over together.
    """

    def __init__(
        self,
        settings: EnvSettings,
        seeds: Callable[[int], int],
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        truths: memoryview,
        encoder: "Encoder | None",
        first: int = 0,
    ) -> None:
        self.settings = settings
        self.first: Final = first  # of the whole batch's places
        self.seeds: Final = seeds
        self.observations: Final = observations
        self.masks: Final = masks
        self.seats: Final = seats
        self.truths: Final = truths  # empty if nobody wants it
        self.encoder: Final = encoder
        self.moves: Final = MOVE_OF_ACTION[settings.players]
        self.episodes: list[BotEpisode] = []
        self.prefetch = len(seats) >= PREFETCH_MIN_GAMES  # whether the encoder is to fetch games before their turn
        self.steps: list[int] = []  # by place: the actions of its game so far
        self.observation_buffer: Final = BytesWriter()  # kept, so that they need not grow each time
        self.mask_buffer: Final = BytesWriter()
        self.seat_buffer: Final = BytesWriter()
        self.hidden_buffer: Final = BytesWriter()

    def reset(self) -> None:
        """New games at all places."""
        self.steps = [0 for _ in range(len(self.seats))]
        self.episodes = [self._new_game(place) for place in range(len(self.seats))]
        self.write_all()

    def restore(self, matches: list[BotEpisode]) -> None:
        """Go on with games that were kept, one for each place."""
        self.steps = [0 for _ in matches]
        self.episodes = matches
        self.write_all()

    def step(self, actions: list[int]) -> list[EpisodeEnd]:
        """An action in each game, or none; they must be legal. What the ends of rounds brought is returned."""
        endings: list[EpisodeEnd] = []
        for place in range(len(actions)):
            action = actions[place]
            if action >= 0:
                self._step_game(place, action, endings)
            elif action == ILLEGAL_ACTION:
                endings.append(self._end_illegal(place))
            else:
                assert action == NO_ACTION
            self._write_row(place)  # at once, while all of it is in the cache
        self._flush()
        return endings

    def write_all(self) -> None:
        """Write down how the games stand."""
        for place in range(len(self.episodes)):
            self._write_row(place)
        self._flush()

    def _step_game(self, place: int, action: int, endings: list[EpisodeEnd]) -> None:
        """An action in one game."""
        match = self.episodes[place]
        play = match.episode
        seat = play.chooser
        finished = len(play.scores)
        match.step(self.moves[seat][action])
        steps = self.steps[place] = self.steps[place] + 1
        cut = steps == self.settings.max_steps and not play.over
        if len(play.scores) > finished or cut:
            endings.append(self._end_of(place, match, seat, finished, cut))

    def _end_of(self, place: int, match: BotEpisode, seat: int, finished: int, cut: bool) -> EpisodeEnd:
        """What an end brought; a game that is over or cut short is followed by the next."""
        play = match.episode
        rewards = play.rewards(self.settings.reward, finished)
        last = self._replace_game(place, seat) if play.over or cut else b""
        return EpisodeEnd(place, rewards, play.over, cut, last, play.outcome())

    def _end_illegal(self, place: int) -> EpisodeEnd:
        """Somebody chose what is not legal: the game is over, and costs that seat."""
        seat = self.episodes[place].episode.chooser
        rewards = [0.0 for _ in range(self.settings.players)]
        rewards[seat] = self.settings.illegal_reward
        return EpisodeEnd(place, rewards, True, False, self._replace_game(place, seat), None)

    def _replace_game(self, place: int, seat: int) -> bytes:
        """Go on to the next game at a place; what a seat sees at the end of the last one is returned."""
        last = BytesWriter()
        self.episodes[place].episode.write_observation(seat, last, None)
        self.episodes[place] = self._new_game(place)
        return last.getvalue()

    def _write_row(self, place: int) -> None:
        """Write down how a game stands, for the seat that is to choose."""
        match = self.episodes[place]
        play = match.episode
        seat = play.chooser
        encoder = self.encoder
        if encoder is not None:
            memory = play.histories[seat].to_bytes() if play.histories else b""
            fields = table_fields(play.table)
            encoder.write(place, fields, seat, seat, play.over, play.legal_moves(), play.encoder_bytes, memory)
            if self.prefetch and not play.has_game:
                engine = play.engine
                encoder.trace(place, fields, engine.running_rule, match, play, play.move_bytes, engine, engine.table)
            return
        self.seat_buffer.append(seat)
        play.write_observation(seat, self.observation_buffer, self.hidden_buffer if len(self.truths) else None)
        play.write_mask(seat, self.mask_buffer)

    def _flush(self) -> None:
        """Put what was written here into the arrays."""
        if self.encoder is not None:
            return
        self.observations[:] = self.observation_buffer.getvalue()
        self.masks[:] = self.mask_buffer.getvalue()
        self.seats[:] = self.seat_buffer.getvalue()
        self.observation_buffer.truncate(0)
        self.mask_buffer.truncate(0)
        self.seat_buffer.truncate(0)
        if len(self.truths):
            self.truths[:] = self.hidden_buffer.getvalue()
            self.hidden_buffer.truncate(0)

    def _new_game(self, place: int) -> BotEpisode:
        """The next game at a place."""
        self.steps[place] = 0
        return new_bot_episode(self.settings, self.seeds(place), False, self.first + place)
