"""Settings of a table, a line each: what it is, what it is set to, and what else it could be."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message as TextualMessage

from argentum.display.scene import ResidentSummary
from argentum.terminal.sources import Message
from argentum.terminal.widgets import FocusFrame


@dataclass(frozen=True)
class Option:
    """What something is set to, and what it could be: the messages that set it so, in the order of the arrow keys."""

    name: str
    label: str
    value: str
    messages: Sequence[Message] = ()  # none: it can only be read
    index: int = -1  # which of them it is; -1: none of them
    resident: ResidentSummary | None = None  # what it is about


class OptionRow(FocusFrame):
    """One line; arrows, Enter or a click change it."""

    DEFAULT_CSS = """
    OptionRow { height: 1; width: 1fr; }
    """
    BINDINGS = [
        ("right,enter,space", "turn(1)", "Next"),
        ("left", "turn(-1)", "Previous"),
    ]

    class Changed(TextualMessage):
        """Somebody wants it otherwise."""

        def __init__(self, message: Message) -> None:
            super().__init__()
            self.message = message

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.option = option
        self.can_focus = bool(option.messages)

    def update_text(self, option: Option) -> None:
        """Say what it is set to now."""
        if option != self.option:
            self.option = option
            self.can_focus = bool(option.messages)
            self.refresh()

    def render(self) -> Content:
        """The line; between arrows if it can be changed."""
        one, style = self.option, "$ink2"
        left, right = "  ", ""
        if one.messages:
            left, right = ("▶ ", " ◀") if self.has_focus else ("◂ ", " ▸")
            style = "bold $lamp-ink on $lamp" if self.has_focus else "$ink"
        value = f"{left}{one.value}{right}"
        return Content.assemble((one.label, "$ink2"), (value, style)).truncate(self.size.width, ellipsis=True)

    def on_click(self) -> None:
        """A click is the next one."""
        self.focus()
        self.action_turn(1)

    def action_turn(self, step: int) -> None:
        """To the next way, or the one before."""
        one = self.option
        if one.messages:
            at = one.index + step if one.index >= 0 else min(step, 0)
            self.post_message(self.Changed(one.messages[at % len(one.messages)]))


class OptionRows(Vertical):
    """Settings one below another."""

    DEFAULT_CSS = """
    OptionRows { width: 1fr; height: auto; padding: 0 1; }
    """

    async def show(self, options: Sequence[Option]) -> None:
        """Show these; whoever is at one of them stays there."""
        there = list(self.query(OptionRow))
        if [one.option.name for one in there] == [option.name for option in options]:
            for setting, option in zip(there, options, strict=True):
                setting.update_text(option)
            return
        at = next((one.option.name for one in there if one.has_focus), "")
        async with self.batch():
            await self.remove_children()
            await self.mount(*[OptionRow(option) for option in options])
        for setting in self.query(OptionRow):
            if setting.option.name == at:
                setting.focus()
