"""The games of a batch, or one process's share of them, played side by side. Compiled in the fast build."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from argentum.envs.episode import Match, new_match
from argentum.envs.rewards import Outcome
from argentum.envs.settings import Settings
from argentum.observations.actions import ILLEGAL_ACTION, MOVE_OF_ACTION, NO_ACTION
from argentum.observations.encoder import table_fields

if TYPE_CHECKING:
    from argentum.observations._encode import Encoder

MANY: Final = 512  # games that do not stay in the processor's caches


class Ending:
    """What the end of a round or game brought: where, each seat's reward, and what is seen then.

    The game is over, or was cut short, or goes on. A game that was played to its end has an outcome.
    """

    def __init__(
        self, place: int, rewards: list[float], over: bool, cut: bool, last: bytes, outcome: Outcome | None
    ) -> None:
        self.place: Final = place
        self.rewards: Final = rewards
        self.over: Final = over
        self.cut: Final = cut
        self.last: Final = last
        self.outcome: Final = outcome


class Games:
    """Games side by side, each at somebody's choice: an action for each, and each is at the next choice.

    What is random in a game follows from one number, `seeds(place)`: so it does not matter which process plays it.
    Rows are written by the encoder, if there is one; else here, and handed over together.
    """

    def __init__(
        self,
        settings: Settings,
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
        self.matches: list[Match] = []
        self.ahead = len(seats) >= MANY  # whether the encoder is to fetch games before their turn
        self.steps: list[int] = []  # by place: the actions of its game so far
        self.observed: Final = BytesWriter()  # kept, so that they need not grow each time
        self.masked: Final = BytesWriter()
        self.seated: Final = BytesWriter()
        self.true: Final = BytesWriter()

    def reset(self) -> None:
        """New games at all places."""
        self.steps = [0 for _ in range(len(self.seats))]
        self.matches = [self._new(place) for place in range(len(self.seats))]
        self.show()

    def go_on(self, matches: list[Match]) -> None:
        """Go on with games that were kept, one for each place."""
        self.steps = [0 for _ in matches]
        self.matches = matches
        self.show()

    def step(self, actions: list[int]) -> list[Ending]:
        """An action in each game, or none; they must be legal. What the ends of rounds brought is returned."""
        endings: list[Ending] = []
        for place in range(len(actions)):
            action = actions[place]
            if action >= 0:
                self._act(place, action, endings)
            elif action == ILLEGAL_ACTION:
                endings.append(self._forfeit(place))
            else:
                assert action == NO_ACTION
            self._show(place)  # at once, while all of it is in the cache
        self._hand_over()
        return endings

    def show(self) -> None:
        """Write down how the games stand."""
        for place in range(len(self.matches)):
            self._show(place)
        self._hand_over()

    def _act(self, place: int, action: int, endings: list[Ending]) -> None:
        """An action in one game."""
        match = self.matches[place]
        play = match.play
        seat = play.chooser
        finished = len(play.scores)
        match.step(self.moves[seat][action])
        steps = self.steps[place] = self.steps[place] + 1
        cut = steps == self.settings.max_steps and not play.over
        if len(play.scores) > finished or cut:
            endings.append(self._ending(place, match, seat, finished, cut))

    def _ending(self, place: int, match: Match, seat: int, finished: int, cut: bool) -> Ending:
        """What an end brought; a game that is over or cut short is followed by the next."""
        play = match.play
        rewards = play.rewards(self.settings.reward, finished)
        last = self._next(place, seat) if play.over or cut else b""
        return Ending(place, rewards, play.over, cut, last, play.outcome())

    def _forfeit(self, place: int) -> Ending:
        """Somebody chose what is not legal: the game is over, and costs that seat."""
        seat = self.matches[place].play.chooser
        rewards = [0.0 for _ in range(self.settings.players)]
        rewards[seat] = self.settings.illegal
        return Ending(place, rewards, True, False, self._next(place, seat), None)

    def _next(self, place: int, seat: int) -> bytes:
        """Go on to the next game at a place; what a seat sees at the end of the last one is returned."""
        last = BytesWriter()
        self.matches[place].play.write(seat, last, None)
        self.matches[place] = self._new(place)
        return last.getvalue()

    def _show(self, place: int) -> None:
        """Write down how a game stands, for the seat that is to choose."""
        match = self.matches[place]
        play = match.play
        seat = play.chooser
        encoder = self.encoder
        if encoder is not None:
            memory = play.memories[seat].to_bytes() if play.memories else b""
            fields = table_fields(play.table)
            encoder.write(place, fields, seat, seat, play.over, play.choices(), play.packed, memory)
            if self.ahead and not play.kept:
                engine = play.engine
                encoder.note(place, fields, engine.running_rule, match, play, play.written, engine, engine.table)
            return
        self.seated.append(seat)
        play.write(seat, self.observed, self.true if len(self.truths) else None)
        play.write_mask(seat, self.masked)

    def _hand_over(self) -> None:
        """Put what was written here into the arrays."""
        if self.encoder is not None:
            return
        self.observations[:] = self.observed.getvalue()
        self.masks[:] = self.masked.getvalue()
        self.seats[:] = self.seated.getvalue()
        self.observed.truncate(0)
        self.masked.truncate(0)
        self.seated.truncate(0)
        if len(self.truths):
            self.truths[:] = self.true.getvalue()
            self.true.truncate(0)

    def _new(self, place: int) -> Match:
        """The next game at a place."""
        self.steps[place] = 0
        return new_match(self.settings, self.seeds(place), False, self.first + place)
