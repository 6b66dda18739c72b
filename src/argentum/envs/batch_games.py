"""The games of a batch, or one process's share of them, played side by side. Compiled in the fast build."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from argentum.envs.actions import MOVE_TABLE, NO_ACTION
from argentum.envs.observation import deck_of
from argentum.envs.playing import Match, Settings, new_match

if TYPE_CHECKING:
    from argentum.envs._encode import Encoder


class Ending:
    """What the end of a round brought: where, each seat's reward, whether the game is over, and what is seen then."""

    def __init__(self, place: int, rewards: list[float], over: bool, last: bytes) -> None:
        self.place: Final = place
        self.rewards: Final = rewards
        self.over: Final = over
        self.last: Final = last


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
    ) -> None:
        self.settings: Final = settings
        self.seeds: Final = seeds
        self.observations: Final = observations
        self.masks: Final = masks
        self.seats: Final = seats
        self.truths: Final = truths  # empty if nobody wants it
        self.encoder: Final = encoder
        self.moves: Final = MOVE_TABLE[settings.players]
        self.matches: list[Match] = []
        self.observed: Final = BytesWriter()  # kept, so that they need not grow each time
        self.masked: Final = BytesWriter()
        self.seated: Final = BytesWriter()
        self.true: Final = BytesWriter()

    def reset(self) -> None:
        """New games at all places."""
        self.matches = [self._new(place) for place in range(len(self.seats))]
        self.show()

    def step(self, actions: list[int]) -> list[Ending]:
        """An action in each game, or none; they must be legal. What the ends of rounds brought is returned."""
        endings: list[Ending] = []
        for place in range(len(actions)):
            action = actions[place]
            if action != NO_ACTION:
                self._act(place, action, endings)
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
        if len(play.scores) > finished:
            endings.append(self._ending(place, match, seat, finished))

    def _ending(self, place: int, match: Match, seat: int, finished: int) -> Ending:
        """What the end of a round brought; a game that is over is followed by the next."""
        play = match.play
        last = BytesWriter()
        if play.over:
            play.write(seat, last, None)
            self.matches[place] = self._new(place)
        return Ending(place, play.rewards(self.settings.reward, finished), play.over, last.getvalue())

    def _show(self, place: int) -> None:
        """Write down how a game stands, for the seat that is to choose."""
        play = self.matches[place].play
        seat = play.chooser
        encoder = self.encoder
        if encoder is not None:
            table = play.table
            memory = play.memories[seat].written() if play.memories else b""
            encoder.write(place, table, seat, seat, play.over, play.choices(), deck_of(table.cast).packed, memory)
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
        return new_match(self.settings, self.seeds(place), False)
