"""Whether a key can be meant for a question: only if whoever pressed it can have seen that question."""

from typing import Final

from textual.message import Message

GLANCE: Final = 0.3  # seconds that a question is on the screen before anybody has seen it
HELD: Final = 0.7  # seconds between presses of one key below which it may just be held down


def now() -> float:
    """The time, on the clock that events of the terminal have theirs from."""
    return Message().time


class Attention:
    """Knows since when a question has been on the screen, and which key came last.

    A key that comes before the question is drawn, or a moment after, is no answer to it: it was meant for the one
    before. Nor is the key that answered that one, if it is still being held down.
    """

    def __init__(self) -> None:
        self.glance, self.held = GLANCE, HELD
        self.since: float | None = 0.0  # when the question was drawn; None: not yet
        self.last = ("", 0.0)  # the key that came last, and when
        self.answered = ""  # the last key, if it came before the question

    def ask(self) -> None:
        """There is another question, which is yet to be drawn."""
        self.since = None
        self.answered = self.last[0]

    def show(self, at: float) -> None:
        """The question is on the screen."""
        if self.since is None:
            self.since = at

    def sees(self, at: float) -> bool:
        """Whether somebody who acts at this time has seen what is asked."""
        return self.since is not None and at >= self.since + self.glance

    def hears(self, key: str, at: float) -> bool:
        """Whether a key pressed at this time can be an answer."""
        (last, before), self.last = self.last, (key, at)
        held = key == last == self.answered and at < before + self.held
        if not held:
            self.answered = ""
        return self.sees(at) and not held
