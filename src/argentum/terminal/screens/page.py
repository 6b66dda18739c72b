"""Base of screens with buttons (from reveal)."""

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
STAYS_OPEN = (SAVE_RECORD, COPY_LINK, SHOW_LINKS, KEEP_DECK)  # what is done without leaving the page


class ButtonScreen(Screen[str]):
    """A page that is read and then left by a button; it returns what the button says to do."""

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
    BINDINGS = [("enter,space", "main", "Go on")]

    class Action(Message):
        """Something is to be done, and the page stays."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, headline: str, why: str, last: str, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.headline, self.detail, self.footer, self.choices = headline, why, last, choices

    def compose(self) -> ComposeResult:
        """Headline, what there is to read, and buttons."""
        yield Static(Content(self.headline), id="headline")
        yield Static(Content(self.detail), id="detail")
        with VerticalScroll(id="content"):
            yield from self.body()
        yield Static(Content(self.footer), id="footer")
        yield ButtonRows()

    def body(self) -> ComposeResult:
        """What there is to read."""
        yield from ()

    async def on_mount(self) -> None:
        """Show the buttons."""
        choices = [KeyButton(text, does, key, nth == 0) for nth, (text, does, key) in enumerate(self.choices)]
        await self.query_one(ButtonRows).show(choices, self.app.size.width - 4)
        await self.after_mount()

    async def after_mount(self) -> None:
        """The page is there: arrows scroll what there is to read."""
        self.query_one("#content").focus()

    def set_footer(self, words: str) -> None:
        """Say something below what there is to read."""
        self.query_one("#footer", Static).update(Content(words))

    def on_key(self, event: Key) -> None:
        """A letter presses its button."""
        for _, does, key in self.choices:
            if event.key == key:
                event.stop()
                self.run_choice(does)

    def on_key_button_pressed(self, event: KeyButton.Pressed) -> None:
        """A button."""
        self.run_choice(event.button.move)

    def action_main(self) -> None:
        """The first button, unless it would lead away from the table."""
        if self.choices[0][1] != LEAVE:
            self.run_choice(self.choices[0][1])

    def run_choice(self, what: str) -> None:
        """Do what a button says: most of them leave the page."""
        if what in STAYS_OPEN:
            self.post_message(self.Action(what))
        elif self.is_current:  # and not pressed twice
            self.dismiss(what)
