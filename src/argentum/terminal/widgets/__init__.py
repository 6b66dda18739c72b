"""What is drawn otherwise while it has the focus."""

from textual.widget import Widget


class FocusFrame(Widget):
    """A widget that shows whether it has the focus."""

    def on_focus(self) -> None:
        """Show it."""
        self.refresh()

    def on_blur(self) -> None:
        """Show it no more."""
        self.refresh()
