"""Clocks of a room: turn deadlines, delays before bot moves, grace periods after disconnects, the rematch timer."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Final

from argentum.display.errors import Refused
from argentum.display.scene import SeatInfo
from argentum.display.session import LOOK_SECONDS, PendingChoice
from argentum.rooms.arrangement import SECONDS_PER_DAY, Rematch
from argentum.rooms.bot_players import BOT_TIME_LIMIT
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors
from argentum.words.english import join_list

BOT_DELAY: Final = 1.1  # seconds before a bot's move, so that people can follow
PACES: Final = {"slow": 2.2, "normal": 1.0, "fast": 0.4, "instant": 0.0}  # factors of the bot delay
DEFAULT_PACE: Final = "normal"
OLD_PACE_NAMES: Final = {"even": "normal"}  # still stored by browsers and sent by programs

NO_TURN = (0, 0, False)


def parse_pace(value: object) -> str:
    """Return the name of a pace, with old names replaced; raise `Refused` if it is unknown."""
    pace = OLD_PACE_NAMES.get(value, value) if isinstance(value, str) else ""
    if pace not in PACES:
        raise Refused(errors.INVALID_PACE.format(paces=", ".join(PACES)))
    return pace


@dataclass(frozen=True)
class Timing:
    """Durations of a room, in seconds."""

    bot_delay: float = BOT_DELAY  # before a bot's move, so that people can follow
    disconnect_grace: float = 60.0  # after a disconnect, before a bot fills in
    min_first_look: float = 60.0  # minimum time for the first look, with a clock
    bot_time_limit: float = BOT_TIME_LIMIT  # for a bot's move; then the stand-in moves instead
    look_seconds: float = LOOK_SECONDS  # how long a card that was looked at is shown, in memory mode


@dataclass
class SeatClock:
    # The turn of the deadline: its round, the number of turns before it, and whether it is the first look.
    turn: tuple[int, int, bool] = NO_TURN
    deadline: float = 0.0
    timed_out: bool = False  # the deadline has passed, and a bot fills in
    timed_out_at: float = 0.0  # monotonic time
    pace: str = DEFAULT_PACE  # the pace of bots that the player prefers
    skips_bot_delays: bool = False  # until the player's next choice, bots do not wait for this player


class RoomClock:
    """The deadlines and bot delays of a room, which are lost when the server restarts."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.seats = [SeatClock() for _ in SEAT_LETTERS]
        self.last_move_at = 0.0

    def start_game(self) -> None:
        self.record_move()
        for clock in self.seats:
            clock.timed_out = False

    def record_move(self) -> None:
        """Store the time of the last move, after which the delay of the next bot begins."""
        self.last_move_at = monotonic()

    def restart(self, move_age: float) -> None:
        """Forget the deadlines, because the room was loaded from its log; the last move was `move_age` seconds ago."""
        moved_at = monotonic() - move_age
        self.last_move_at = moved_at
        for clock in self.seats:
            clock.turn = NO_TURN

    def start_turn(self, game: Game, choices: Iterable[PendingChoice], turn_limit: int) -> None:
        """Set the deadlines of the seats that must choose, once per turn; they stop skipping bot delays.

        In the first look, all seats choose (G4).
        """
        turn = (game.round, game.turns, game.in_first_look)
        minimum = self.timing.min_first_look if game.in_first_look else 0.0
        for clock, choice in zip(self.seats, choices, strict=False):
            clock.skips_bot_delays = clock.skips_bot_delays and not choice.legal
            if choice.legal and clock.turn != turn:
                clock.turn = turn
                clock.deadline = self._deadline(turn_limit, minimum)

    def _deadline(self, turn_limit: int, minimum: float) -> float:
        """Return the deadline of a turn that begins now, or that began before a room was loaded.

        Loading a room gives the full seconds again, but not a full day.
        """
        now = monotonic()
        if turn_limit < SECONDS_PER_DAY:
            return now + max(turn_limit, minimum)
        return max(self.last_move_at + turn_limit, now + self.timing.disconnect_grace)

    def resume(self, seat: int, turn_limit: int, is_connecting: bool = False) -> None:
        """Let the player of a timed-out seat play again, with the full time of a turn; ignore other seats.

        While nobody is connected, a deadline can pass without a time-out. So a player who connects after it also gets
        the full time.
        """
        clock, now = self.seats[seat], monotonic()
        if clock.timed_out or (is_connecting and clock.deadline < now):
            clock.timed_out = False
            clock.deadline = now + turn_limit

    def seconds_left(self, choices: Iterable[PendingChoice], turn_seconds: int) -> float | None:
        """Return the seconds until the next deadline; None if there is none."""
        clocks = zip(self.seats, choices, strict=False)
        waiting = [clock.deadline for clock, choice in clocks if choice.legal and not clock.timed_out]
        return round(max(0.0, min(waiting) - monotonic()), 1) if turn_seconds and waiting else None

    def remaining_bot_delay(self, game: Game, now: float, present_seats: Iterable[int]) -> float:
        """Return the seconds until a bot may move, 0 or less if it may move now.

        The slowest pace among the present players applies. In the first look, bots do not wait.
        """
        clocks = [self.seats[seat] for seat in present_seats]
        factor = max([0.0 if clock.skips_bot_delays else PACES[clock.pace] for clock in clocks], default=1.0)
        return 0.0 if game.in_first_look else self.last_move_at + factor * self.timing.bot_delay - now

    def expire(self, seat: int, turn_limit: int, now: float) -> bool:
        """Mark a seat as timed out if its deadline has passed; return whether it was marked now."""
        clock = self.seats[seat]
        if turn_limit and not clock.timed_out and now >= clock.deadline:
            clock.timed_out, clock.timed_out_at = True, now
            return True
        return False

    def is_grace_over(self, left_at: float, now: float) -> bool:
        """Whether the grace period after a disconnect at `left_at` is over."""
        return now >= left_at + self.timing.disconnect_grace

    def absent_from(self, left_at: float, away_before: float, may_take_a_day: bool) -> float:
        """Return when a player who left at `left_at` is away for so long that others may act for them.

        Where people may take days for a turn, that is a day, of which `away_before` seconds had passed before the room
        was loaded; but after loading, everybody has the grace period to come back.
        """
        grace_end = left_at + self.timing.disconnect_grace
        return max(grace_end, left_at - away_before + SECONDS_PER_DAY) if may_take_a_day else grace_end


REMATCH_SECONDS = 30.0


class RematchTimer:
    """The time limit for swaps before a rematch. A restart of the server ends it."""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.kept_by: set[str] = set()  # seats that keep the deck unchanged

    def start(self) -> None:
        self.deadline, self.kept_by = monotonic() + REMATCH_SECONDS, set()

    def record(self, seat: str, keeps: bool) -> None:
        """Record whether a seat keeps the deck unchanged."""
        self.kept_by = self.kept_by | {seat} if keeps else self.kept_by - {seat}

    def seconds_left(self) -> float:
        return max(0.0, self.deadline - monotonic())

    def undecided(
        self, seats: Sequence[SeatInfo], rematch: Rematch | None, starters: Collection[str]
    ) -> list[SeatInfo]:
        """Return the connected losers who may still swap, except `starters`, who decide by starting the game."""
        if rematch is None or not self.seconds_left():
            return []
        decided = {rematch.winner, *starters, *rematch.swaps, *self.kept_by}
        return [seat for seat in seats if not seat.bot and seat.here and seat.letter not in decided]

    def require_done(self, seats: Sequence[SeatInfo], rematch: Rematch | None, starters: Collection[str]) -> None:
        """Raise `Refused` while a player is undecided."""
        waiting = [seat.name for seat in self.undecided(seats, rematch, starters)]
        if waiting:
            raise Refused(errors.SWAPS_PENDING.format(names=join_list(waiting), left=ceil(self.seconds_left())))
