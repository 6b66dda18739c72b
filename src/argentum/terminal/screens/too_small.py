"""When the window is too small for the table."""

from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

MIN_SIZE: Final = Size(80, 24)


def fits(size: Size) -> bool:
    """Whether the table fits."""
    return size.width >= MIN_SIZE.width and size.height >= MIN_SIZE.height


class TooSmallScreen(ModalScreen[None]):
    """Says how much larger the window must be; it goes by itself."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $sky; color: $ink; }
    TooSmallScreen Static { width: auto; max-width: 100%; text-align: center; }
    """

    BINDINGS = [("q", "app.leave", "Leave")]

    def compose(self) -> ComposeResult:
        """The message."""
        yield Static()

    def on_mount(self) -> None:
        """Say how large it is."""
        self.tell(self.app.size)

    def tell(self, size: Size) -> None:
        """Say how large it is now."""
        needs = f"The table needs {MIN_SIZE.width} columns and {MIN_SIZE.height} rows."
        has = f"This window has {size.width} and {size.height}."
        self.query_one(Static).update(Content(f"{needs}\n{has}\nMake it larger, or its letters smaller.\n(q leaves)"))
