"""Option rows of the lobby: a label and a value that can be changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from argentum.display.scene import ResidentSummary
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.widgets import FocusFrame


@dataclass(frozen=True)
class Option:
    """An option with its current value, and the protocol message that sets each possible value."""

    name: str
    label: str
    value: str
    messages: Sequence[ProtocolMessage] = ()  # in the order of the arrow keys; empty if read-only
    index: int = -1  # of the current value in `messages`; -1 if it is not one of them
    resident: ResidentSummary | None = None  # its rules are shown by the help key


class OptionRow(FocusFrame):
    """One option. Arrow keys, Enter or a click change its value."""

    DEFAULT_CSS = """
    OptionRow { height: 1; width: 1fr; }
    """
    BINDINGS = [
        ("right,enter,space", "change(1)", "Next"),
        ("left", "change(-1)", "Previous"),
    ]

    class Changed(Message):
        """Posted when the player selects another value; `message` is the protocol message that sets it."""

        def __init__(self, message: ProtocolMessage) -> None:
            super().__init__()
            self.message = message

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.option = option
        self.can_focus = bool(option.messages)

    def set_option(self, option: Option) -> None:
        if option != self.option:
            self.option = option
            self.can_focus = bool(option.messages)
            self.refresh()

    def render(self) -> Content:
        option, style = self.option, "$ink2"
        left, right = "  ", ""
        if option.messages:
            left, right = ("▶ ", " ◀") if self.has_focus else ("◂ ", " ▸")
            style = "bold $lamp-ink on $lamp" if self.has_focus else "$ink"
        value = f"{left}{option.value}{right}"
        return Content.assemble((option.label, "$ink2"), (value, style)).truncate(self.size.width, ellipsis=True)

    def on_click(self) -> None:
        self.focus()
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Change to the next (`step` 1) or previous (-1) value, or wrap around."""
        option = self.option
        if option.messages:
            index = option.index + step if option.index >= 0 else min(step, 0)
            self.post_message(self.Changed(option.messages[index % len(option.messages)]))


class OptionRows(Vertical):
    DEFAULT_CSS = """
    OptionRows { width: 1fr; height: auto; padding: 0 1; }
    """

    async def show(self, options: Sequence[Option]) -> None:
        """Replace the options; an option that had the focus keeps it."""
        rows = list(self.query(OptionRow))
        if [row.option.name for row in rows] == [option.name for option in options]:
            for row, option in zip(rows, options, strict=True):
                row.set_option(option)
            return
        focused_name = next((row.option.name for row in rows if row.has_focus), "")
        async with self.batch():
            await self.remove_children()
            await self.mount(*[OptionRow(option) for option in options])
        for row in self.query(OptionRow):
            if row.option.name == focused_name:
                row.focus()
