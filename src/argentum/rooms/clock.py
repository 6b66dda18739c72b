"""A table's clock: how long it waits for a person, and before a bot moves."""

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
from argentum.words import errors as why
from argentum.words.english import join_list

BOT_PAUSE: Final = 1.1  # seconds before a bot's move, so that people can follow
PACES: Final = {"slow": 2.2, "even": 1.0, "fast": 0.4, "instant": 0.0}  # as people wish it: times that pause

NO_TURN = (0, 0, False)


@dataclass(frozen=True)
class Timing:
    """How a table keeps time, in seconds."""

    bot_pause: float = BOT_PAUSE  # before a bot's move, so that people can follow
    disconnect_grace: float = 60.0  # for whoever lost the connection, before a bot fills in
    min_first_look: float = 60.0  # at least, for the first look, with a clock
    bot_time_limit: float = BOT_TIME_LIMIT  # for a bot's thinking, before the stand-in moves instead
    look_seconds: float = LOOK_SECONDS  # how long a card that was looked at is shown, with memory


@dataclass
class SeatClock:
    """The clock of one seat."""

    turn: tuple[int, int, bool] = NO_TURN  # that it is for: the round, its turns so far, whether it is the first look
    deadline: float = 0.0
    timed_out: bool = False  # it ran out, and a bot fills in
    slow_since: float = 0.0
    pace: str = "even"  # the pace of bots
    skips_pauses: bool = False  # without pauses, until it is asked something


class RoomClock:
    """Deadlines and pauses; nothing of this needs to outlive the server."""

    def __init__(self, pace: Timing) -> None:
        self.timing = pace
        self.seats = [SeatClock() for _ in SEAT_LETTERS]
        self.last_move_at = 0.0  # when the game last went on

    def start_game(self) -> None:
        """A game begins."""
        self.last_move_at = monotonic()
        for hand in self.seats:
            hand.timed_out = False

    def reset(self) -> None:
        """Everybody has the whole time again."""
        for hand in self.seats:
            hand.turn = NO_TURN

    def start_turn(self, game: Game, questions: Iterable[PendingChoice], seconds: int) -> None:
        """Set the clock of whoever is asked, once for a turn. In the first look nobody waits for others (G4)."""
        turn = (game.round, game.turns, game.in_first_look)
        least = self.timing.min_first_look if game.in_first_look else 0.0
        for hand, question in zip(self.seats, questions, strict=False):
            hand.skips_pauses = hand.skips_pauses and not question.legal
            if question.legal and hand.turn != turn:
                hand.turn = turn
                hand.deadline = monotonic() + max(seconds, least)

    def resume(self, seat: int, seconds: int) -> None:
        """Somebody who was late is back, and has time again."""
        hand = self.seats[seat]
        if hand.timed_out:
            hand.timed_out = False
            hand.deadline = monotonic() + seconds

    def seconds_left(self, questions: Iterable[PendingChoice], seconds: int) -> float | None:
        """The seconds that are left to whoever is asked; None without a clock."""
        hands = zip(self.seats, questions, strict=False)
        waiting = [hand.deadline for hand, question in hands if question.legal and not hand.timed_out]
        return round(max(0.0, min(waiting) - monotonic()), 1) if seconds and waiting else None

    def bot_delay(self, game: Game, now: float, people: Iterable[int]) -> float:
        """How long until a bot may move; in the first look at once. Of people, the slowest wish counts."""
        hands = [self.seats[seat] for seat in people]
        times = max([0.0 if hand.skips_pauses else PACES[hand.pace] for hand in hands], default=1.0)
        return 0.0 if game.in_first_look else self.last_move_at + times * self.timing.bot_pause - now

    def expire(self, seat: int, seconds: int, now: float) -> bool:
        """Whether the time of a seat that is asked has just run out; then a bot fills in."""
        hand = self.seats[seat]
        if seconds and not hand.timed_out and now >= hand.deadline:
            hand.timed_out, hand.slow_since = True, now
            return True
        return False

    def grace_over(self, left: float, now: float) -> bool:
        """Whether somebody who left then has been gone for too long."""
        return now >= left + self.timing.disconnect_grace


REMATCH_SECONDS = 30.0  # seconds


class RematchTimer:
    """The time for replacing numbers; after a restart of the server it is over."""

    def __init__(self) -> None:
        self.deadline = 0.0
        self.kept_by: set[str] = set()  # seats that keep the deck as it is

    def start(self) -> None:
        """A rematch was asked for."""
        self.deadline, self.kept_by = monotonic() + REMATCH_SECONDS, set()

    def record(self, seat: str, keeps: bool) -> None:
        """A seat replaces a number or takes that back; or it keeps the deck."""
        self.kept_by = self.kept_by | {seat} if keeps else self.kept_by - {seat}

    def seconds_left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.deadline - monotonic())

    def undecided(self, seats: Sequence[SeatInfo], again: Rematch | None, starters: Collection[str]) -> list[SeatInfo]:
        """Who may still choose: people at the table who lost, but for those who choose by starting."""
        if again is None or not self.seconds_left():
            return []
        done = {again.winner, *starters, *again.swaps, *self.kept_by}
        return [seat for seat in seats if not seat.bot and seat.here and seat.letter not in done]

    def require_done(self, seats: Sequence[SeatInfo], again: Rematch | None, starters: Collection[str]) -> None:
        """Refuse to start while somebody may still choose."""
        waiting = [seat.name for seat in self.undecided(seats, again, starters)]
        if waiting:
            raise Refused(why.SWAPS_PENDING.format(names=join_list(waiting), left=ceil(self.seconds_left())))
