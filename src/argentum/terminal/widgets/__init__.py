"""Widgets of the terminal."""

from textual.widget import Widget


class FocusFrame(Widget):
    """Base of widgets whose `render` depends on whether they have the focus."""

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
