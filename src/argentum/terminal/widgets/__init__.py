"""Widgets of the terminal interface."""

from textual.widget import Widget


class FocusFrame(Widget):
    """Base class of widgets that are drawn differently while they have the focus."""

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
