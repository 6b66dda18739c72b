"""How long a rematch waits for those who lost, who may each replace a number of the deck."""

from collections.abc import Collection, Sequence
from math import ceil
from time import monotonic

from argentum.display.errors import Refused
from argentum.display.scene import Seat
from argentum.rooms.arrangement import Rematch
from argentum.words import errors as why
from argentum.words.english import listed

WAIT = 30.0  # seconds


class SwapTime:
    """The time for replacing numbers; after a restart of the server it is over."""

    def __init__(self) -> None:
        self.until = 0.0
        self.content: set[str] = set()  # seats that keep the deck as it is

    def begin(self) -> None:
        """A rematch was asked for."""
        self.until, self.content = monotonic() + WAIT, set()

    def chosen(self, seat: str, keeps: bool) -> None:
        """A seat replaces a number or takes that back; or it keeps the deck."""
        self.content = self.content | {seat} if keeps else self.content - {seat}

    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.until - monotonic())

    def undecided(self, seats: Sequence[Seat], again: Rematch | None, starters: Collection[str]) -> list[Seat]:
        """Who may still choose: people at the table who lost, but for those who choose by starting."""
        if again is None or not self.left():
            return []
        done = {again.winner, *starters, *again.swaps, *self.content}
        return [seat for seat in seats if not seat.bot and seat.here and seat.letter not in done]

    def check(self, seats: Sequence[Seat], again: Rematch | None, starters: Collection[str]) -> None:
        """Refuse to start while somebody may still choose."""
        waiting = [seat.name for seat in self.undecided(seats, again, starters)]
        if waiting:
            raise Refused(why.SWAPS_PENDING.format(names=listed(waiting), left=ceil(self.left())))
