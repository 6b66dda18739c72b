"""Screen shown while the window is too small for the table."""

from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

MIN_SIZE: Final = Size(80, 24)


def fits(size: Size) -> bool:
    return size.width >= MIN_SIZE.width and size.height >= MIN_SIZE.height


class TooSmallScreen(ModalScreen[None]):
    """Shows the required and the actual size of the window. The app closes it once the table fits."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $sky; color: $ink; }
    TooSmallScreen Static { width: auto; max-width: 100%; text-align: center; }
    """

    BINDINGS = [("q", "app.leave", "Leave")]

    def compose(self) -> ComposeResult:
        yield Static()

    def on_mount(self) -> None:
        self.show_size(self.app.size)

    def show_size(self, size: Size) -> None:
        required = f"The table needs {MIN_SIZE.width} columns and {MIN_SIZE.height} rows."
        actual = f"This window has {size.width} and {size.height}."
        self.query_one(Static).update(
            Content(f"{required}\n{actual}\nMake it larger, or its letters smaller.\n(q leaves)")
        )
