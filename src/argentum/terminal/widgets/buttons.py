"""Buttons of one line, each with a key, and a row of them that breaks where the screen ends."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message

from argentum.terminal.widgets import FocusFrame

RESERVED_KEYS: Final = frozenset("?abfhijklqrsvw")  # keys of the table itself


def assign_keys(offers: Iterable[tuple[str, str]], reserved: Collection[str] = RESERVED_KEYS) -> list[str]:
    """A key for each button, given its usual key and its text: that key, or the first letter that is free.

    >>> assign_keys([("d", "Draw from the deck"), ("t", "Take the Spy"), ("", "Use your Sentinel")])
    ['d', 't', 'u']
    >>> assign_keys([("x", "Discard"), ("u", "Discard and use"), ("", "Left end"), ("", "Bo's village")])
    ['x', 'u', 'e', 'o']
    """
    keys: list[str] = []
    for usual, text in offers:
        letters = [usual, *text.lower(), *"cdegmnoptuxyz"]
        free = [one for one in letters if one.isascii() and one.isalpha() and one not in reserved and one not in keys]
        keys.append(free[0] if free else "")
    return keys


class KeyButton(FocusFrame, can_focus=True):
    """A button; not ready where cards are to be chosen first."""

    DEFAULT_CSS = """
    KeyButton { width: auto; height: 1; margin: 0 1 0 0; }
    """
    BINDINGS = [("enter,space", "press", "Choose")]

    class Pressed(Message):
        """Somebody presses a button."""

        def __init__(self, button: "KeyButton") -> None:
            super().__init__()
            self.button = button

    def __init__(self, text: str, move: str, key: str, main: bool = False, ready: bool = True) -> None:
        super().__init__()
        self.text, self.move, self.key, self.primary, self.ready = text, move, key, main, ready

    def update_text(self, text: str, move: str, ready: bool) -> None:
        """Say something else, as cards are chosen."""
        longer = len(text) != len(self.text)
        self.text, self.move, self.ready = text, move, ready
        self.refresh(layout=longer)

    def render(self) -> Content:
        """The words between brackets; a button that is not ready has none, one in focus has arrows."""
        left, right = ("▶", "◀") if self.has_focus else ("[", "]") if self.ready else (" ", " ")
        style = "bold $lamp-ink on $lamp" if self.ready and (self.primary or self.has_focus) else "bold $lamp-line"
        style = style if self.ready else "$ink2"
        key = f" ({self.key})" if self.key else ""
        return Content.styled(f"{left}{self.text}{key}{right}", style)

    def on_click(self) -> None:
        """A click presses it."""
        self.action_press()

    def action_press(self) -> None:
        """Press it, if it is ready."""
        if self.ready:
            self.post_message(self.Pressed(self))


class ButtonRows(Vertical):
    """Buttons in as many lines as they need."""

    DEFAULT_CSS = """
    ButtonRows { height: auto; }
    ButtonRows Horizontal { height: 1; }
    """

    async def show(self, buttons: Sequence[KeyButton], width: int) -> None:
        """Show these buttons instead of those that are there."""
        rows: list[list[KeyButton]] = [[]]
        left = width
        for button in buttons:
            length = button.render().cell_length + 1
            if length > left and rows[-1]:
                rows.append([])
                left = width
            rows[-1].append(button)
            left -= length
        async with self.batch():
            await self.remove_children()
            await self.mount(*[Horizontal(*row) for row in rows])
