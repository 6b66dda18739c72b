"""Filter for keys that the player pressed before seeing the current choice."""

from typing import Final

from textual.message import Message

MIN_VISIBLE_SECONDS: Final = 0.3  # a choice counts as seen after this long on the screen
KEY_REPEAT_SECONDS: Final = 0.7  # presses of one key at shorter intervals count as a held key


def terminal_time() -> float:
    """Return the current time on the clock that `Message.time` uses."""
    return Message().time


class KeyFilter:
    """Filter for key presses that were meant for the previous choice.

    It rejects keys pressed before the current choice has been visible for `min_visible` seconds, and repeats of the
    key that answered the previous choice while that key is held down.
    """

    def __init__(self) -> None:
        self.min_visible, self.repeat_gap = MIN_VISIBLE_SECONDS, KEY_REPEAT_SECONDS
        self.drawn_at: float | None = 0.0  # when the current choice was drawn; None before that
        self.last_press = ("", 0.0)  # key and time of the latest press
        self.previous_key = ""  # the last key before the current choice while it is held down, else empty

    def start_choice(self) -> None:
        """Start a new choice: reject keys until `min_visible` seconds after :meth:`mark_choice_drawn`."""
        self.drawn_at = None
        self.previous_key = self.last_press[0]

    def mark_choice_drawn(self, time: float) -> None:
        """Record when the current choice appeared on the screen. Later calls for the same choice have no effect."""
        if self.drawn_at is None:
            self.drawn_at = time

    def was_visible(self, time: float) -> bool:
        """Return whether the choice had been on the screen for `min_visible` seconds at `time`."""
        return self.drawn_at is not None and time >= self.drawn_at + self.min_visible

    def accepts(self, key: str, time: float) -> bool:
        """Return whether a key pressed at `time` may answer the choice. Call it for every key press, in order."""
        (last_key, last_time), self.last_press = self.last_press, (key, time)
        is_repeat = key == last_key == self.previous_key and time < last_time + self.repeat_gap
        if not is_repeat:
            self.previous_key = ""
        return self.was_visible(time) and not is_repeat
