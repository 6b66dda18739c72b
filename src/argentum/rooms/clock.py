"""Clocks of a room: turn deadlines, pauses before bot moves, disconnect grace, the rematch timer."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Final

from argentum.display.errors import Refused
from argentum.display.scene import SeatInfo
from argentum.display.session import LOOK_SECONDS, PendingChoice
from argentum.rooms.arrangement import Rematch
from argentum.rooms.bot_players import BOT_TIME_LIMIT
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors
from argentum.words.english import join_list

BOT_PAUSE: Final = 1.1  # seconds before a bot's move, so that people can follow
PACES: Final = {"slow": 2.2, "normal": 1.0, "fast": 0.4, "instant": 0.0}  # multiples of the pause
DEFAULT_PACE: Final = "normal"
OLD_PACE_NAMES: Final = {"even": "normal"}  # still stored by browsers and sent by programs

NO_TURN = (0, 0, False)


def parse_pace(value: object) -> str:
    """Return the current name of a pace; raise `Refused` if there is none."""
    pace = OLD_PACE_NAMES.get(value, value) if isinstance(value, str) else ""
    if pace not in PACES:
        raise Refused(errors.INVALID_PACE.format(paces=", ".join(PACES)))
    return pace


@dataclass(frozen=True)
class Timing:
    """Durations of a room, in seconds."""

    bot_pause: float = BOT_PAUSE  # before a bot's move, so that people can follow
    disconnect_grace: float = 60.0  # after a disconnect, before a bot fills in
    min_first_look: float = 60.0  # at least, for the first look, with a clock
    bot_time_limit: float = BOT_TIME_LIMIT  # for a bot's thinking, before the stand-in moves instead
    look_seconds: float = LOOK_SECONDS  # how long a card that was looked at is shown, with memory


@dataclass
class SeatClock:
    turn: tuple[int, int, bool] = NO_TURN  # that it is for: the round, its turns so far, whether it is the first look
    deadline: float = 0.0
    timed_out: bool = False  # it ran out, and a bot fills in
    slow_since: float = 0.0
    pace: str = DEFAULT_PACE  # of bots
    skips_pauses: bool = False  # without pauses, until it is asked something


class RoomClock:
    """Deadlines and pauses of a room; none survive a restart of the server."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.seats = [SeatClock() for _ in SEAT_LETTERS]
        self.last_move_at = 0.0  # when the game last went on

    def start_game(self) -> None:
        self.last_move_at = monotonic()
        for clock in self.seats:
            clock.timed_out = False

    def reset(self) -> None:
        """Give every seat its full time again."""
        for clock in self.seats:
            clock.turn = NO_TURN

    def start_turn(self, game: Game, choices: Iterable[PendingChoice], seconds: int) -> None:
        """Set the deadlines of seats that must choose, once per turn. In the first look all choose at once (G4)."""
        turn = (game.round, game.turns, game.in_first_look)
        minimum = self.timing.min_first_look if game.in_first_look else 0.0
        for clock, choice in zip(self.seats, choices, strict=False):
            clock.skips_pauses = clock.skips_pauses and not choice.legal
            if choice.legal and clock.turn != turn:
                clock.turn = turn
                clock.deadline = monotonic() + max(seconds, minimum)

    def resume(self, seat: int, seconds: int) -> None:
        """Give a seat that timed out its time again."""
        clock = self.seats[seat]
        if clock.timed_out:
            clock.timed_out = False
            clock.deadline = monotonic() + seconds

    def seconds_left(self, choices: Iterable[PendingChoice], seconds: int) -> float | None:
        """Return the seconds until the next deadline; None without a clock."""
        clocks = zip(self.seats, choices, strict=False)
        waiting = [clock.deadline for clock, choice in clocks if choice.legal and not clock.timed_out]
        return round(max(0.0, min(waiting) - monotonic()), 1) if seconds and waiting else None

    def bot_delay(self, game: Game, now: float, people: Iterable[int]) -> float:
        """Return the seconds until a bot may move: the slowest pace of the players counts."""
        clocks = [self.seats[seat] for seat in people]
        times = max([0.0 if clock.skips_pauses else PACES[clock.pace] for clock in clocks], default=1.0)
        return 0.0 if game.in_first_look else self.last_move_at + times * self.timing.bot_pause - now

    def expire(self, seat: int, seconds: int, now: float) -> bool:
        """Whether a seat has just timed out."""
        clock = self.seats[seat]
        if seconds and not clock.timed_out and now >= clock.deadline:
            clock.timed_out, clock.slow_since = True, now
            return True
        return False

    def grace_over(self, left_at: float, now: float) -> bool:
        """Whether somebody who disconnected at a time has been away for too long."""
        return now >= left_at + self.timing.disconnect_grace


REMATCH_SECONDS = 30.0  # seconds


class RematchTimer:
    """The time for swaps before a rematch; a restart of the server ends it."""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.kept_by: set[str] = set()  # seats that keep the deck as it is

    def start(self) -> None:
        self.deadline, self.kept_by = monotonic() + REMATCH_SECONDS, set()

    def record(self, seat: str, keeps: bool) -> None:
        """Record whether a seat keeps the deck."""
        self.kept_by = self.kept_by | {seat} if keeps else self.kept_by - {seat}

    def seconds_left(self) -> float:
        return max(0.0, self.deadline - monotonic())

    def undecided(
        self, seats: Sequence[SeatInfo], rematch: Rematch | None, starters: Collection[str]
    ) -> list[SeatInfo]:
        """Return the connected losers who may still swap, except those who decide by starting the game."""
        if rematch is None or not self.seconds_left():
            return []
        done = {rematch.winner, *starters, *rematch.swaps, *self.kept_by}
        return [seat for seat in seats if not seat.bot and seat.here and seat.letter not in done]

    def require_done(self, seats: Sequence[SeatInfo], rematch: Rematch | None, starters: Collection[str]) -> None:
        """Raise `Refused` while somebody may still swap."""
        waiting = [seat.name for seat in self.undecided(seats, rematch, starters)]
        if waiting:
            raise Refused(errors.SWAPS_PENDING.format(names=join_list(waiting), left=ceil(self.seconds_left())))
