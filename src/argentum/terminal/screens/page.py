"""Base class of the pages that cover the table: text with buttons below it."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from argentum.terminal.widgets.buttons import ButtonRows, KeyButton

LEAVE, SAVE_RECORD, COPY_LINK, SHOW_LINKS, KEEP_DECK = "leave", "record", "copy", "links", "keep"
STAYS_OPEN = (SAVE_RECORD, COPY_LINK, SHOW_LINKS, KEEP_DECK)  # actions that leave the page open


class ButtonScreen(Screen[str]):
    """Page that covers the table. A pressed button closes it, with the button's action as the page's result.

    `buttons` are tuples of text, action and key. Enter and Space press the first one. Buttons with an action in
    `STAYS_OPEN` post an `Action` message instead of closing the page.
    """

    DEFAULT_CSS = """
    ButtonScreen { background: $sky; color: $ink; align-horizontal: center; }
    ButtonScreen #headline { text-style: bold; padding: 0 2; }
    ButtonScreen #detail { color: $ink2; padding: 0 2 1 2; }
    ButtonScreen #content { height: 1fr; padding: 0 1; }
    ButtonScreen #footer { padding: 0 2; color: $ink2; height: auto; }
    ButtonScreen ButtonRows { padding: 0 2; }
    ButtonScreen Horizontal.columns { height: auto; }
    ButtonScreen #text { padding: 0 1; }
    ButtonScreen .column { width: 1fr; height: auto; padding: 0 1; background: $ground; margin: 0 1 0 0; }
    ButtonScreen .lowest { background: $paper; color: $paper-ink; }
    """
    BINDINGS = [("enter,space", "press_first_button", "Go on")]

    class Action(Message):
        """Posted when a button with an action in `STAYS_OPEN` is pressed."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, headline: str, detail: str, footer: str, buttons: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.headline, self.detail, self.footer, self.buttons = headline, detail, footer, buttons

    def compose(self) -> ComposeResult:
        yield Static(Content(self.headline), id="headline")
        yield Static(Content(self.detail), id="detail")
        with VerticalScroll(id="content"):
            yield from self.body()
        yield Static(Content(self.footer), id="footer")
        yield ButtonRows()

    def body(self) -> ComposeResult:
        """Yield the widgets between the headline and the buttons."""
        yield from ()

    async def on_mount(self) -> None:
        widgets = [KeyButton(text, action, key, index == 0) for index, (text, action, key) in enumerate(self.buttons)]
        await self.query_one(ButtonRows).show(widgets, self.app.size.width - 4)
        await self.after_mount()

    async def after_mount(self) -> None:
        """Set the initial focus after the buttons are shown: by default on the body, so that arrow keys scroll."""
        self.query_one("#content").focus()

    def set_footer(self, text: str) -> None:
        self.query_one("#footer", Static).update(Content(text))

    def on_key(self, event: Key) -> None:
        """Press the button whose key was pressed."""
        for _, action, key in self.buttons:
            if event.key == key:
                event.stop()
                self.run_button_action(action)

    def on_key_button_pressed(self, event: KeyButton.Pressed) -> None:
        self.run_button_action(event.button.move)

    def action_press_first_button(self) -> None:
        """Press the first button, unless it leaves the table."""
        if self.buttons[0][1] != LEAVE:
            self.run_button_action(self.buttons[0][1])

    def run_button_action(self, action: str) -> None:
        """Post an action in `STAYS_OPEN` as a message; close the page with any other action as its result."""
        if action in STAYS_OPEN:
            self.post_message(self.Action(action))
        elif self.is_current:  # False if an earlier press has closed the page.
            self.dismiss(action)
