"""Who sits at a table, and how long it waits for them; nothing of this needs to outlive the server."""

from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from argentum import bots

NO_TURN = (0, 0, False)


@dataclass(frozen=True)
class Pace:
    """How a table keeps time, in seconds."""

    bot_pause: float = 1.1  # before a bot's move, so that people can follow
    grace: float = 60.0  # for whoever lost the connection, before a bot sits in
    first_look: float = 60.0  # at least, for the first look, with a clock
    bot_budget: float = 20.0  # for a bot's thinking, before the stand-in moves instead
    fade: float = 7.0  # how long a card that was looked at is shown, with memory


class Reader(Protocol):
    """A connection to a table, in a role: a seat's letter, or `watch`."""

    role: str

    def touch(self) -> None:
        """Something changed: show it when there is time."""


@dataclass
class Chair:
    """What is going on in a seat; nothing of it needs to outlive the server."""

    here: int = 0  # connections
    left: float = field(default_factory=monotonic)  # when the last one went, or the chair was put there
    slow: bool = False  # the clock ran out
    choice: int = 0  # the number of what it is asked: that of the next log entry when it was first asked
    legal: tuple[int, ...] = ()
    turn: tuple[int, int, bool] = (
        NO_TURN  # that its clock is for: the round, its turns so far, whether it is the first look
    )
    deadline: float = 0.0
    bot: bots.Bot | None = None
    rounds_seen: int = 0  # of whose ends the reveal has been left
