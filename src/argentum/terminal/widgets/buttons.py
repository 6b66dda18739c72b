"""One-line buttons with keyboard shortcuts, and a container that wraps them into rows."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message

from argentum.terminal.widgets import FocusFrame

RESERVED_KEYS: Final = frozenset("?abfhijklqrsvw")  # shortcuts of the app and of the table screen


def assign_keys(buttons: Iterable[tuple[str, str]], reserved: Collection[str] = RESERVED_KEYS) -> list[str]:
    """Return a unique key for each button, which is given as a pair of preferred key and text.

    A button gets its preferred key, else the first free letter of its text, else any free letter, else an empty string.

    >>> assign_keys([("d", "Draw from the deck"), ("t", "Take the Spy"), ("", "Use your Sentinel")])
    ['d', 't', 'u']
    >>> assign_keys([("x", "Discard"), ("u", "Discard and use"), ("", "Left end"), ("", "Bo's village")])
    ['x', 'u', 'e', 'o']
    """
    keys: list[str] = []
    for preferred, text in buttons:
        candidates = [preferred, *text.lower(), *"cdegmnoptuxyz"]
        free = [
            letter
            for letter in candidates
            if letter.isascii() and letter.isalpha() and letter not in reserved and letter not in keys
        ]
        keys.append(free[0] if free else "")
    return keys


class KeyButton(FocusFrame, can_focus=True):
    """A button with a keyboard shortcut. It does nothing unless `is_ready`."""

    DEFAULT_CSS = """
    KeyButton { width: auto; height: 1; margin: 0 1 0 0; }
    """
    BINDINGS = [("enter,space", "press", "Choose")]

    class Pressed(Message):
        def __init__(self, button: "KeyButton") -> None:
            super().__init__()
            self.button = button

    def __init__(self, text: str, move: str, key: str, is_primary: bool = False, is_ready: bool = True) -> None:
        super().__init__()
        self.text, self.move, self.key, self.is_primary, self.is_ready = text, move, key, is_primary, is_ready

    def update_text(self, text: str, move: str, is_ready: bool) -> None:
        """Set text, move and readiness, which change while cards are selected."""
        has_resized = len(text) != len(self.text)
        self.text, self.move, self.is_ready = text, move, is_ready
        self.refresh(layout=has_resized)

    def render(self) -> Content:
        """Draw the text and key: between arrows with the focus, in brackets if ready, else plain."""
        left, right = ("▶", "◀") if self.has_focus else ("[", "]") if self.is_ready else (" ", " ")
        style = (
            "bold $lamp-ink on $lamp" if self.is_ready and (self.is_primary or self.has_focus) else "bold $lamp-line"
        )
        style = style if self.is_ready else "$ink2"
        key = f" ({self.key})" if self.key else ""
        return Content.styled(f"{left}{self.text}{key}{right}", style)

    def on_click(self) -> None:
        self.action_press()

    def action_press(self) -> None:
        if self.is_ready:
            self.post_message(self.Pressed(self))


class ButtonRows(Vertical):
    """Container of buttons that wraps them into rows."""

    DEFAULT_CSS = """
    ButtonRows { height: auto; }
    ButtonRows Horizontal { height: 1; }
    """

    async def show(self, buttons: Sequence[KeyButton], width: int) -> None:
        """Replace the buttons; `width` is the width of a row in columns."""
        rows: list[list[KeyButton]] = [[]]
        remaining = width
        for button in buttons:
            length = button.render().cell_length + 1
            if length > remaining and rows[-1]:
                rows.append([])
                remaining = width
            rows[-1].append(button)
            remaining -= length
        async with self.batch():
            await self.remove_children()
            await self.mount(*[Horizontal(*row) for row in rows])
