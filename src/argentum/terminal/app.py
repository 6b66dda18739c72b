"""Textual app: messages in, screens out."""

import asyncio
import os
import re
from pathlib import Path
from typing import Any, Final

from textual import work
from textual.app import App, ScreenStackError
from textual.binding import Binding
from textual.css.query import NoMatches
from textual.events import Event, Key, Resize
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from argentum.display.results import RoundScoring
from argentum.rooms.clock import PACES
from argentum.rooms.log.file import unused_path
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.screens import sheets
from argentum.terminal.screens.end import GameEndScreen, RoundEndScreen
from argentum.terminal.screens.invitation import CLAIM, WATCH, InvitationScreen
from argentum.terminal.screens.lobby import LobbyScreen
from argentum.terminal.screens.page import COPY_LINK, KEEP_DECK, LEAVE, SAVE_RECORD, ButtonScreen
from argentum.terminal.screens.sheets import LeaveSheet
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.screens.too_small import TooSmallScreen, fits
from argentum.terminal.sources import Message, Source, TableLost
from argentum.terminal.sources.deal_verifier import DealVerifier
from argentum.terminal.state import TableState, UpdateReader
from argentum.terminal.theme import THEMES
from argentum.terminal.widgets.options import OptionRow
from argentum.words.english import capitalize_first
from argentum.words.site_texts import NUDGE_TEXT

LIMITED_COLOURS: Final = (None, "standard")  # what Rich says of terminals with sixteen colours or fewer
REDRAW_TYPES: Final = ("update", "show")  # messages after which the table is drawn
UNSAFE_FILE_CHARACTERS: Final = re.compile(r"[^\w.-]")  # in a file's name that somebody else thought of
PACE_TEXTS: Final = {"slow": "slowly", "even": "at a normal speed", "fast": "fast", "instant": "at once"}


class TableApp(App[str]):
    """The table of one source; it returns what is to be said after leaving."""

    TITLE = "Argentum"
    is_player = True  # and does not only look on
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    ToastRack { dock: top; align-horizontal: center; }
    Toast { background: $rail; color: $ink; width: auto; max-width: 76; padding: 0 1; }
    """
    BINDINGS = [
        Binding("q", "leave", "Leave"),
        Binding("ctrl+c", "quit", "Quit", priority=True),
        Binding("h", "hints", "Hints"),
        Binding("a", "advice", "Ask a bot"),
        Binding("b", "pace", "Bots' speed"),
        Binding("f", "ahead", "No pauses"),
        Binding("r", "record", "Save the record"),
        Binding("j", "links", "Links"),
        Binding("w", "say", "Say something"),
        Binding("v", "theme", "Dark or light theme"),
    ]

    def __init__(self, source: Source, guided: bool = False, pace: str = "even") -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for theme in THEMES:
            self.register_theme(theme)
        few = self.no_color or self.console.color_system in LIMITED_COLOURS
        self.theme = "ansi16" if few else "dark"
        self.source = source
        self.guided = guided
        self.update_reader = UpdateReader()
        self.table = TableScreen(self.play)
        self.table_state: TableState | None = None
        self.update: Message = {}
        self.reveals: list[RoundScoring] = []  # rounds' ends that are yet to be looked at
        self.answered: int | None = None
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.waiting = 0  # messages among them after which the table is to be drawn
        self.left_game_end = False
        self.watching = False  # though a seat is free
        self.pace = pace
        self.deal_verifier = DealVerifier()
        self.saving = False  # the next record that comes
        self.source_task: asyncio.Task[None] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles of colours, for a moment before a theme is chosen."""
        return dict(THEMES[0].variables)

    def get_default_screen(self) -> Screen[None]:
        """The table lies below everything else."""
        return self.table

    def on_ready(self) -> None:
        """Begin. (Apps of other kinds begin in other ways: of `on_ready` itself, Textual calls everybody's.)"""
        self.begin()
        if not fits(self.size):
            self.push_screen(TooSmallScreen())

    def begin(self) -> None:
        """Listen."""
        self.listen()

    def listen(self) -> None:
        """Sit down at the table."""
        self.source_task = asyncio.create_task(self.source.run(self.enqueue))
        self._watch_source(self.source_task)
        self._run_messages()

    async def on_unmount(self) -> None:
        """Let the line to the table be closed before we go."""
        if self.source_task is not None:
            self.source_task.cancel()
            await asyncio.wait([self.source_task])

    @work(name="source", exit_on_error=False)
    async def _watch_source(self, line: "asyncio.Task[None]") -> None:
        """Go on for as long as the line does.

        Textual cancels its workers when it stops, and we when we go: a line that is cancelled twice would be left half
        closed. So it is a task of ours, and only what waits for it is a worker.
        """
        await asyncio.shield(line)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A table that is lost ends the app, with the reason."""
        if event.worker.name == "source" and event.state == WorkerState.ERROR:
            error = event.worker.error
            if not isinstance(error, TableLost):
                raise error or RuntimeError("the source failed")
            self.exit(str(error), return_code=1)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a line for a moment: as it is, since others may have thought of its words, with brackets and all."""
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # What is told.

    def enqueue(self, message: Message) -> None:
        """Let the app hear something, after all that it has yet to hear."""
        self.waiting += message["type"] in REDRAW_TYPES
        self.messages.put_nowait(message)

    @work(name="listen")
    async def _run_messages(self) -> None:
        while True:
            message = await self.messages.get()
            self.waiting -= message["type"] in REDRAW_TYPES
            try:
                await self.handle_message(message)
            except (ScreenStackError, NoMatches):  # the last message may come while the app is closing
                if self.is_running and self.return_code is None:
                    raise
                return

    async def handle_message(self, message: Message) -> None:
        """Listen to one message."""
        match message["type"]:
            case "update":
                await self._update(message)
            case "error":
                self.answered = None
                self.notify(f"{capitalize_first(message['message']).rstrip('.')}.", severity="error")
                if self.table_state is not None:
                    await self._show_due_screen()
            case "connection":
                self.table.connection_text, self.deal_verifier.value_sent = message["message"], False
                if self.table.table_state is not None:
                    await self.table.redraw(False)
                if message["up"] and self.pace != "even":  # which it is unless somebody says otherwise
                    await self.source.send({"type": "pace", "pace": self.pace})
            case "hint":
                self.table.bot_hint = message["words"]
                await self.table.redraw(False)
            case "talk":
                await self._hear_talk(message["lines"])
            case "record":
                self._save_record(message)

    async def _hear_talk(self, lines: list[Message]) -> None:
        """What people say stands in the log, and is shown for a moment."""
        self.update_reader.add_chat(lines)
        for line in lines:
            self.notify(f"{line['name']}: {line['text']}" if line["text"] else NUDGE_TEXT.format(name=line["name"]))
        await self._redraw()

    def _save_record(self, record: Message) -> None:
        """A record has come: check the deals if they were promised, and save it if somebody wants that."""
        assert self.table_state is not None
        if self.table_state.stage == "over" and self.deal_verifier.commitment:
            words = self.deal_verifier.verdict(record["text"], self.update["seat"])
            if isinstance(self.page, GameEndScreen):
                self.page.set_footer(words)
        if self.saving:
            self.saving = False
            path = unused_path(Path(UNSAFE_FILE_CHARACTERS.sub("", record["name"]).lstrip(".") or "game.silver"))
            try:
                path.write_text(record["text"], encoding="utf-8")
                self.notify(f"The record is saved as {path}.")
            except OSError as error:
                self.notify(f"The record cannot be saved as {path}: {error.strerror}.", severity="error")

    async def _update(self, update: Message) -> None:
        self.update = update
        self.table_state, reckoning = self.update_reader.read(update, self.guided)
        if reckoning is not None:
            self.reveals.append(reckoning)
        if self.table_state.stage == "playing":
            self.left_game_end = False
        share = self.deal_verifier.observe(update)
        if share is not None:
            await self.source.send(share)
        if self.waiting:
            return  # if we are slow, the latest is enough
        if self.table_state.scene is not None:
            await self.table.show(self.table_state)
        await self._show_due_screen()

    @property
    def local(self) -> bool:
        """Whether the game is played here, without a server."""
        return not self.update["table"]

    async def _show_due_screen(self) -> None:
        """Show what is due: a round's end, an invitation, the gathering, the result, or the table."""
        assert self.table_state is not None
        moment, page = self.table_state, self.page
        if isinstance(page, RoundEndScreen) or isinstance(self.screen, TooSmallScreen):
            return
        invited = not self.update["seat"] and moment.has_free_seat and not self.watching and self.is_player
        if self.reveals:
            self.push_screen(RoundEndScreen(self.reveals[0], moment.seats), self._leave_round_end)
        elif invited:
            if not isinstance(page, InvitationScreen):
                self.push_screen(InvitationScreen(moment), self._page_action)
        elif moment.stage == "gathering":
            await self._show_lobby()
        elif moment.stage == "over" and not self.left_game_end:
            await self._show_game_end()
        elif moment.stage == "playing":
            self._close_pages()

    @property
    def page(self) -> ButtonScreen | None:
        """The page that lies on the table, if any; a sheet may lie on it in turn."""
        pages = [screen for screen in self.screen_stack if isinstance(screen, ButtonScreen)]
        return pages[-1] if pages else None

    def _close_pages(self) -> None:
        """Take the page off the table, with what lies on it."""
        while self.page is not None:
            self.pop_screen()

    async def _show_lobby(self) -> None:
        """Show the table being set."""
        assert self.table_state is not None
        host = self.update["seat"] == self.table_state.arrangement.get("host", SEAT_LETTERS[0])
        if isinstance(self.page, LobbyScreen) and self.page.lobby.host == host:  # else it has other buttons
            await self.page.show(self.table_state)
            return
        self._close_pages()
        invitation = self.links().get("invite", "")
        self.push_screen(LobbyScreen(self.table_state, self.update["seat"], self.local, invitation), self._page_action)

    async def _show_game_end(self) -> None:
        """Show the result."""
        assert self.table_state is not None
        if isinstance(self.page, GameEndScreen):
            return
        self._close_pages()
        self.push_screen(GameEndScreen(self.table_state, bool(self.update["seat"]), self.local), self._page_action)
        if self.deal_verifier.commitment:
            await self.source.send({"type": "record"})  # to check the deals

    def links(self) -> dict[str, str]:
        """The links that a host hands out; and that of a seat that was taken here."""
        given = self.update.get("links", {})
        own = {"own": self.source.seat_url} if self.source.seat_url else {}
        known = (*sheets.LINK_TITLES, *SEAT_LETTERS)  # a name becomes part of what a click does
        return {name: self.source.url(path) for name, path in given.items() if name in known} | own

    async def _leave_round_end(self, _: str | None) -> None:
        """A round's end has been looked at."""
        gone = self.reveals.pop(0)
        await self.source.send({"type": "seen", "round": gone.view.round})
        await self._show_due_screen()

    async def _page_action(self, what: str | None) -> None:
        """What the button of a page does."""
        if what == LEAVE:
            self.exit("")
        elif what == WATCH:
            self.watching = True
            await self._show_due_screen()
        elif what is not None and what.startswith(CLAIM):
            await self.source.send({"type": "take", "seat": what.removeprefix(CLAIM)})
        elif what is not None:
            self.left_game_end = what == "rematch"
            await self.source.send({"type": what})

    async def on_button_screen_action(self, event: ButtonScreen.Action) -> None:
        """What the button of a page does that stays there."""
        if event.what == SAVE_RECORD:
            await self.run_action("record")
        elif event.what == COPY_LINK:
            self.action_copy_link("invite")
        elif event.what == KEEP_DECK:
            self.notify("You keep the deck as it is.")
            await self.source.send({"type": "swap", "number": None})
        else:
            self.action_links()

    async def on_option_row_changed(self, event: OptionRow.Changed) -> None:
        """The table is to be arranged otherwise."""
        await self.source.send(event.message)

    def action_copy_link(self, which: str) -> None:
        """Copy a link, as far as the terminal lets us."""
        link = self.links().get(which, "")
        if link:
            self.copy_to_clipboard(link)
            self.notify("Copied, if your terminal allows it. If not, select the link: hold Shift and drag.")

    # The window.

    async def on_resize(self, event: Resize) -> None:
        """The table needs room; if there is too little, say so."""
        if isinstance(self.top, TooSmallScreen):
            if not fits(event.size):
                self.top.tell(event.size)
                return
            self.pop_screen()
            if self.table_state is not None:
                await self._show_due_screen()
        elif self.top is not None and not fits(event.size):
            self.push_screen(TooSmallScreen())

    @property
    def top(self) -> Screen[Any] | None:
        """The screen that is seen; None before there is one, and while the app is closing."""
        return self.screen if self.is_running and self.screen_stack else None

    async def on_event(self, event: Event) -> None:
        """A key that cannot be meant for what is asked is not heard."""
        if isinstance(event, Key) and not event.is_forwarded and self.top is self.table:
            heard = self.table.accepts_key(event)
        else:
            heard = True
        if heard:
            await super().on_event(event)

    # What is done.

    def play(self, move: str) -> None:
        """Answer what is asked, once."""
        if self.table_state is None or self.table_state.choice is None or self.table_state.choice == self.answered:
            return
        self.answered = self.table_state.choice
        self._answer({"type": "move", "choice": self.answered, "move": move})

    @work
    async def _answer(self, message: Message) -> None:
        await self.source.send(message)

    async def action_hints(self) -> None:
        """Hints for a first game, or none."""
        self.guided = not self.guided
        await self._redraw()

    async def _redraw(self) -> None:
        """Show the last update once more, in other words."""
        if "view" in self.update:
            self.table_state, _ = self.update_reader.read({**self.update, "events": [], "reckoning": None}, self.guided)
            await self.table.show(self.table_state)

    async def action_advice(self) -> None:
        """Ask what a strong bot would do."""
        if self.table_state is not None and self.table_state.choice is not None:
            self._answer({"type": "hint"})

    async def action_pace(self) -> None:
        """Bots move slower or faster."""
        paces = list(PACES)
        self.pace = paces[(paces.index(self.pace) + 1) % len(paces)]
        self.notify(f"Bots move {PACE_TEXTS[self.pace]}.", timeout=2)
        await self.source.send({"type": "pace", "pace": self.pace})

    async def action_ahead(self) -> None:
        """No pauses until one is asked something."""
        await self.source.send({"type": "ahead"})

    async def action_record(self) -> None:
        """Save the record in the folder that one is in."""
        if "view" in self.update:
            self.saving = True
            await self.source.send({"type": "record"})

    def action_links(self) -> None:
        """The links of a table on a server."""
        if self.update and not self.local:
            self.push_screen(sheets.LinksSheet(self.links()))

    def action_say(self) -> None:
        """Say something to those at the table."""
        if self.update and not self.local:
            self.push_screen(sheets.ChatSheet(), self._say)

    async def _say(self, text: str | None) -> None:
        if text and text.strip():
            await self.source.send({"type": "say", "text": text})

    def action_theme(self) -> None:
        if self.theme != "ansi16":
            self.theme = "light" if self.theme == "dark" else "dark"

    def action_leave(self) -> None:
        """Leave the table, after a question if a game goes on."""
        if self.table_state is None or self.table_state.stage != "playing" or isinstance(self.screen, TooSmallScreen):
            self.exit("")
        else:
            self.push_screen(LeaveSheet(self.source.leave_text if self.is_player and self.update["seat"] else ""))
