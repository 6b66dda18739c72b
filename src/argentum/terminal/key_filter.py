"""Whether a key can be meant for a question: only if whoever pressed it can have seen that question."""

from typing import Final

from textual.message import Message

MIN_VISIBLE_SECONDS: Final = 0.3  # seconds that a question is on the screen before anybody has seen it
KEY_REPEAT_SECONDS: Final = 0.7  # seconds between presses of one key below which it may just be held down


def now() -> float:
    """The time, on the clock that events of the terminal have theirs from."""
    return Message().time


class KeyFilter:
    """Knows since when a question has been on the screen, and which key came last.

    A key that comes before the question is drawn, or a moment after, is no answer to it: it was meant for the one
    before. Nor is the key that answered that one, if it is still being held down.
    """

    def __init__(self) -> None:
        self.min_visible, self.repeat_gap = MIN_VISIBLE_SECONDS, KEY_REPEAT_SECONDS
        self.since: float | None = 0.0  # when the question was drawn; None: not yet
        self.last = ("", 0.0)  # the key that came last, and when
        self.answered = ""  # the last key, if it came before the question

    def new_choice(self) -> None:
        """There is another question, which is yet to be drawn."""
        self.since = None
        self.answered = self.last[0]

    def choice_drawn(self, at: float) -> None:
        """The question is on the screen."""
        if self.since is None:
            self.since = at

    def was_visible(self, at: float) -> bool:
        """Whether somebody who acts at this time has seen what is asked."""
        return self.since is not None and at >= self.since + self.min_visible

    def accepts(self, key: str, at: float) -> bool:
        """Whether a key pressed at this time can be an answer."""
        (last, before), self.last = self.last, (key, at)
        held = key == last == self.answered and at < before + self.repeat_gap
        if not held:
            self.answered = ""
        return self.was_visible(at) and not held
