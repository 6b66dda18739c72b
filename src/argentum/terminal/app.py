"""Textual app of one table: handles messages of its source and shows the screen that is due."""

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
from argentum.rooms.clock import DEFAULT_PACE, PACES
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
from argentum.terminal.sources import ProtocolMessage, Source, TableLost
from argentum.terminal.sources.deal_verifier import DealVerifier
from argentum.terminal.state import TableState, UpdateReader
from argentum.terminal.theme import THEMES
from argentum.terminal.widgets.options import OptionRow
from argentum.words.english import capitalize_first
from argentum.words.site_texts import NUDGE_TEXT

LIMITED_COLOURS: Final = (None, "standard")  # Rich's colour systems with at most sixteen colours
REDRAW_TYPES: Final = ("update", "show")  # of messages after which the table is redrawn
UNSAFE_FILE_CHARACTERS: Final = re.compile(r"[^\w.-]")  # removed from file names that a server suggests
PACE_TEXTS: Final = {"slow": "slowly", "normal": "at a normal speed", "fast": "fast", "instant": "at once"}


class TableApp(App[str]):
    """Show the table of one source. The app returns a text to print after it has closed, or an empty one."""

    TITLE = "Argentum"
    is_player = True  # False for spectators
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
        Binding("w", "say", "Chat"),
        Binding("v", "theme", "Dark or light theme"),
    ]

    def __init__(self, source: Source, guided: bool = False, pace: str = DEFAULT_PACE) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for theme in THEMES:
            self.register_theme(theme)
        limited = self.no_color or self.console.color_system in LIMITED_COLOURS
        self.theme = "ansi16" if limited else "dark"
        self.source = source
        self.guided = guided
        self.update_reader = UpdateReader()
        self.table = TableScreen(self.play)
        self.table_state: TableState | None = None
        self.update: ProtocolMessage = {}
        self.reveals: list[RoundScoring] = []  # round ends that are not shown yet
        self.answered: int | None = None
        self.messages: asyncio.Queue[ProtocolMessage] = asyncio.Queue()
        self.waiting = 0  # queued messages after which the table is redrawn
        self.left_game_end = False
        self.watching = False  # the player declined a free seat
        self.pace = pace
        self.deal_verifier = DealVerifier()
        self.saving = False  # save the next record that arrives
        self.source_task: asyncio.Task[None] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colour roles for the first stylesheet, which Textual parses before a theme is chosen."""
        return dict(THEMES[0].variables)

    def get_default_screen(self) -> Screen[None]:
        return self.table

    def on_ready(self) -> None:
        """Start. Subclasses override `begin` instead, because Textual calls `on_ready` of every class."""
        self.begin()
        if not fits(self.size):
            self.push_screen(TooSmallScreen())

    def begin(self) -> None:
        """Connect to the source. Subclasses may ask something first."""
        self.listen()

    def listen(self) -> None:
        """Start the tasks that read from the source and handle its messages."""
        self.source_task = asyncio.create_task(self.source.run(self.enqueue))
        self._watch_source(self.source_task)
        self._run_messages()

    async def on_unmount(self) -> None:
        """Close the connection to the table before the app ends."""
        if self.source_task is not None:
            self.source_task.cancel()
            await asyncio.wait([self.source_task])

    @work(name="source", exit_on_error=False)
    async def _watch_source(self, source_task: "asyncio.Task[None]") -> None:
        """Wait for the source's task, so that its errors reach `on_worker_state_changed`.

        Both Textual and `on_unmount` cancel at the end, and a connection that is cancelled twice stays half closed. So
        the source runs in a task that Textual does not cancel, and only the waiting is a worker.
        """
        await asyncio.shield(source_task)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """End the app with the reason when the table is lost."""
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
        """Show a toast. Markup is off by default because other players' words may contain brackets."""
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # Messages from the source.

    def enqueue(self, message: ProtocolMessage) -> None:
        """Handle a message after those that are already queued."""
        self.waiting += message["type"] in REDRAW_TYPES
        self.messages.put_nowait(message)

    @work(name="listen")
    async def _run_messages(self) -> None:
        while True:
            message = await self.messages.get()
            self.waiting -= message["type"] in REDRAW_TYPES
            try:
                await self.handle_message(message)
            except (ScreenStackError, NoMatches):  # A message may arrive while the app is closing.
                if self.is_running and self.return_code is None:
                    raise
                return

    async def handle_message(self, message: ProtocolMessage) -> None:
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
                if message["up"] and self.pace != DEFAULT_PACE:
                    await self.source.send({"type": "pace", "pace": self.pace})
            case "hint":
                self.table.bot_hint = message["words"]
                await self.table.redraw(False)
            case "talk":
                await self._hear_talk(message["lines"])
            case "record":
                self._save_record(message)

    async def _hear_talk(self, lines: list[ProtocolMessage]) -> None:
        """Add chat lines to the log and show each as a toast."""
        self.update_reader.add_chat(lines)
        for line in lines:
            self.notify(f"{line['name']}: {line['text']}" if line["text"] else NUDGE_TEXT.format(name=line["name"]))
        await self._redraw()

    def _save_record(self, record: ProtocolMessage) -> None:
        """Check the deals against the server's commitment; save the record if the player asked for it."""
        assert self.table_state is not None
        if self.table_state.stage == "over" and self.deal_verifier.commitment:
            verdict = self.deal_verifier.verdict(record["text"], self.update["seat"])
            if isinstance(self.page, GameEndScreen):
                self.page.set_footer(verdict)
        if self.saving:
            self.saving = False
            path = unused_path(Path(UNSAFE_FILE_CHARACTERS.sub("", record["name"]).lstrip(".") or "game.silver"))
            try:
                path.write_text(record["text"], encoding="utf-8")
                self.notify(f"The record is saved as {path}.")
            except OSError as error:
                self.notify(f"The record cannot be saved as {path}: {error.strerror}.", severity="error")

    async def _update(self, update: ProtocolMessage) -> None:
        self.update = update
        self.table_state, scoring = self.update_reader.read(update, self.guided)
        if scoring is not None:
            self.reveals.append(scoring)
        if self.table_state.stage == "playing":
            self.left_game_end = False
        value_message = self.deal_verifier.observe(update)
        if value_message is not None:
            await self.source.send(value_message)
        if self.waiting:
            return  # A later update is queued; draw only that.
        if self.table_state.scene is not None:
            await self.table.show(self.table_state)
        await self._show_due_screen()

    @property
    def local(self) -> bool:
        """Whether the game is played without a server."""
        return not self.update["table"]

    async def _show_due_screen(self) -> None:
        """Show the screen that is due: round end, invitation, lobby, game end or the table."""
        assert self.table_state is not None
        state, page = self.table_state, self.page
        if isinstance(page, RoundEndScreen) or isinstance(self.screen, TooSmallScreen):
            return
        invited = not self.update["seat"] and state.has_free_seat and not self.watching and self.is_player
        if self.reveals:
            self.push_screen(RoundEndScreen(self.reveals[0], state.seats), self._leave_round_end)
        elif invited:
            if not isinstance(page, InvitationScreen):
                self.push_screen(InvitationScreen(state), self._page_action)
        elif state.stage == "gathering":
            await self._show_lobby()
        elif state.stage == "over" and not self.left_game_end:
            await self._show_game_end()
        elif state.stage == "playing":
            self._close_pages()

    @property
    def page(self) -> ButtonScreen | None:
        """The topmost page over the table, even if a sheet covers it."""
        pages = [screen for screen in self.screen_stack if isinstance(screen, ButtonScreen)]
        return pages[-1] if pages else None

    def _close_pages(self) -> None:
        """Close all pages and whatever covers them."""
        while self.page is not None:
            self.pop_screen()

    async def _show_lobby(self) -> None:
        assert self.table_state is not None
        host = self.update["seat"] == self.table_state.arrangement.get("host", SEAT_LETTERS[0])
        if isinstance(self.page, LobbyScreen) and self.page.lobby.host == host:  # The host has other buttons.
            await self.page.show(self.table_state)
            return
        self._close_pages()
        invitation = self.links().get("invite", "")
        self.push_screen(LobbyScreen(self.table_state, self.update["seat"], self.local, invitation), self._page_action)

    async def _show_game_end(self) -> None:
        assert self.table_state is not None
        if isinstance(self.page, GameEndScreen):
            return
        self._close_pages()
        self.push_screen(GameEndScreen(self.table_state, bool(self.update["seat"]), self.local), self._page_action)
        if self.deal_verifier.commitment:
            await self.source.send({"type": "record"})  # to verify the deals

    def links(self) -> dict[str, str]:
        """URLs by name: those the host hands out, and that of the seat claimed here."""
        paths = self.update.get("links", {})
        own = {"own": self.source.seat_url} if self.source.seat_url else {}
        known = (
            *sheets.LINK_TITLES,
            *SEAT_LETTERS,
        )  # Names become part of Textual markup, so only known ones are used.
        return {name: self.source.url(path) for name, path in paths.items() if name in known} | own

    async def _leave_round_end(self, _: str | None) -> None:
        scoring = self.reveals.pop(0)
        await self.source.send({"type": "seen", "round": scoring.view.round})
        await self._show_due_screen()

    async def _page_action(self, action: str | None) -> None:
        """Run the action that a page returned when it was closed."""
        if action == LEAVE:
            self.exit("")
        elif action == WATCH:
            self.watching = True
            await self._show_due_screen()
        elif action is not None and action.startswith(CLAIM):
            await self.source.send({"type": "take", "seat": action.removeprefix(CLAIM)})
        elif action is not None:
            self.left_game_end = action == "rematch"
            await self.source.send({"type": action})

    async def on_button_screen_action(self, event: ButtonScreen.Action) -> None:
        """Run an action that leaves its page open."""
        if event.action == SAVE_RECORD:
            await self.run_action("record")
        elif event.action == COPY_LINK:
            self.action_copy_link("invite")
        elif event.action == KEEP_DECK:
            self.notify("You keep the deck as it is.")
            await self.source.send({"type": "swap", "number": None})
        else:
            self.action_links()

    async def on_option_row_changed(self, event: OptionRow.Changed) -> None:
        await self.source.send(event.message)

    def action_copy_link(self, name: str) -> None:
        link = self.links().get(name, "")
        if link:
            self.copy_to_clipboard(link)
            self.notify("Copied, if your terminal allows it. If not, select the link: hold Shift and drag.")

    # Window and keys.

    async def on_resize(self, event: Resize) -> None:
        """Ask for a larger window while the table does not fit."""
        if isinstance(self.top, TooSmallScreen):
            if not fits(event.size):
                self.top.show_size(event.size)
                return
            self.pop_screen()
            if self.table_state is not None:
                await self._show_due_screen()
        elif self.top is not None and not fits(event.size):
            self.push_screen(TooSmallScreen())

    @property
    def top(self) -> Screen[Any] | None:
        """The visible screen; None before there is one and while the app is closing."""
        return self.screen if self.is_running and self.screen_stack else None

    async def on_event(self, event: Event) -> None:
        """Drop keys that were pressed before the player could see the current choice."""
        if isinstance(event, Key) and not event.is_forwarded and self.top is self.table:
            accepted = self.table.accepts_key(event)
        else:
            accepted = True
        if accepted:
            await super().on_event(event)

    # Actions.

    def play(self, move: str) -> None:
        """Send a move for the current choice, once."""
        if self.table_state is None or self.table_state.choice is None or self.table_state.choice == self.answered:
            return
        self.answered = self.table_state.choice
        self._answer({"type": "move", "choice": self.answered, "move": move})

    @work
    async def _answer(self, message: ProtocolMessage) -> None:
        await self.source.send(message)

    async def action_hints(self) -> None:
        """Turn the hints for a first game on or off."""
        self.guided = not self.guided
        await self._redraw()

    async def _redraw(self) -> None:
        """Show the last update again with the current settings."""
        if "view" in self.update:
            self.table_state, _ = self.update_reader.read({**self.update, "events": [], "reckoning": None}, self.guided)
            await self.table.show(self.table_state)

    async def action_advice(self) -> None:
        if self.table_state is not None and self.table_state.choice is not None:
            self._answer({"type": "hint"})

    async def action_pace(self) -> None:
        """Switch to the next speed of bots."""
        paces = list(PACES)
        self.pace = paces[(paces.index(self.pace) + 1) % len(paces)]
        self.notify(f"Bots move {PACE_TEXTS[self.pace]}.", timeout=2)
        await self.source.send({"type": "pace", "pace": self.pace})

    async def action_ahead(self) -> None:
        """Skip pauses until the player's next choice."""
        await self.source.send({"type": "ahead"})

    async def action_record(self) -> None:
        """Save the record in the current directory."""
        if "view" in self.update:
            self.saving = True
            await self.source.send({"type": "record"})

    def action_links(self) -> None:
        if self.update and not self.local:
            self.push_screen(sheets.LinksSheet(self.links()))

    def action_say(self) -> None:
        if self.update and not self.local:
            self.push_screen(sheets.ChatSheet(), self._say)

    async def _say(self, text: str | None) -> None:
        if text and text.strip():
            await self.source.send({"type": "say", "text": text})

    def action_theme(self) -> None:
        if self.theme != "ansi16":
            self.theme = "light" if self.theme == "dark" else "dark"

    def action_leave(self) -> None:
        """Leave the table; ask first during a game."""
        if self.table_state is None or self.table_state.stage != "playing" or isinstance(self.screen, TooSmallScreen):
            self.exit("")
        else:
            self.push_screen(LeaveSheet(self.source.leave_text if self.is_player and self.update["seat"] else ""))
