"""Decides whether a key can answer the current choice: only if the player can have seen that choice."""

from typing import Final

from textual.message import Message

MIN_VISIBLE_SECONDS: Final = 0.3  # a choice counts as seen after this long on the screen
KEY_REPEAT_SECONDS: Final = 0.7  # presses of one key closer than this are taken for repeats


def terminal_time() -> float:
    """The current time on the clock of terminal events."""
    return Message().time


class KeyFilter:
    """Ignore keys meant for the previous choice: pressed too early, or still held down.

    A key pressed before the choice is drawn, or just after, was meant for the choice before. A key that answered the
    choice before and is still held down repeats, and answers nothing.
    """

    def __init__(self) -> None:
        self.min_visible, self.repeat_gap = MIN_VISIBLE_SECONDS, KEY_REPEAT_SECONDS
        self.drawn_at: float | None = 0.0  # when the choice was drawn; None if it is not yet
        self.last_press = ("", 0.0)  # the last key and its time
        self.previous_key = ""  # the last key, if it came before the choice

    def new_choice(self) -> None:
        """Note that there is a new choice, which is not drawn yet."""
        self.drawn_at = None
        self.previous_key = self.last_press[0]

    def choice_drawn(self, time: float) -> None:
        """Note when the current choice was drawn. Later calls for the same choice have no effect."""
        if self.drawn_at is None:
            self.drawn_at = time

    def was_visible(self, time: float) -> bool:
        """Whether the player had seen the choice at this time."""
        return self.drawn_at is not None and time >= self.drawn_at + self.min_visible

    def accepts(self, key: str, time: float) -> bool:
        """Whether a key pressed at this time can answer the choice. Call it once for each key."""
        (last_key, last_time), self.last_press = self.last_press, (key, time)
        is_repeat = key == last_key == self.previous_key and time < last_time + self.repeat_gap
        if not is_repeat:
            self.previous_key = ""
        return self.was_visible(time) and not is_repeat
