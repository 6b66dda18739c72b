"""Widgets of the terminal."""

from textual.widget import Widget


class FocusFrame(Widget):
    """A widget that is drawn differently while it has the focus."""

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
