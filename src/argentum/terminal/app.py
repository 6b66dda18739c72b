"""Textual app for one table: handles the messages from a source and shows the screen for the current state."""

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
REDRAW_TYPES: Final = ("update", "show")  # types of messages that redraw the table
UNSAFE_FILE_CHARACTERS: Final = re.compile(r"[^\w.-]")  # removed from file names that a server suggests
PACE_TEXTS: Final = {"slow": "slowly", "normal": "at a normal speed", "fast": "fast", "instant": "at once"}


class TableApp(App[str]):
    """App that shows a source's table. `run` returns an error message to print after the app has closed, if any."""

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
        Binding("h", "toggle_hints", "Hints"),
        Binding("a", "ask_bot", "Ask a bot"),
        Binding("b", "next_pace", "Bots' speed"),
        Binding("f", "skip_bot_delays", "No pauses"),
        Binding("r", "save_record", "Save the record"),
        Binding("j", "show_links", "Links"),
        Binding("w", "chat", "Chat"),
        Binding("v", "toggle_theme", "Dark or light theme"),
    ]

    def __init__(self, source: Source, guided: bool = False, pace: str = DEFAULT_PACE) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for theme in THEMES:
            self.register_theme(theme)
        has_few_colours = self.no_color or self.console.color_system in LIMITED_COLOURS
        self.theme = "ansi16" if has_few_colours else "dark"
        self.source = source
        self.guided = guided
        self.update_reader = UpdateReader()
        self.table = TableScreen(self.send_move)
        self.table_state: TableState | None = None
        self.last_update: ProtocolMessage = {}
        self.pending_round_ends: list[RoundScoring] = []  # not yet closed by the player
        self.answered_choice: int | None = None  # number of the choice that was answered last
        self.messages: asyncio.Queue[ProtocolMessage] = asyncio.Queue()
        self.queued_redraws = 0  # number of queued messages that redraw the table
        self.left_game_end = False
        self.is_watching = False  # whether the player declined a free seat
        self.pace = pace
        self.deal_verifier = DealVerifier()
        self.save_requested = False  # whether to save the next record that arrives
        self.source_task: asyncio.Task[None] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the variables of the first theme, because Textual parses a stylesheet before a theme is set."""
        return dict(THEMES[0].variables)

    def get_default_screen(self) -> Screen[None]:
        return self.table

    def on_ready(self) -> None:
        """Start the app, and check the size of the window.

        Subclasses override `start`, because Textual calls the `on_ready` of every base class.
        """
        self.start()
        if not fits(self.size):
            self.push_screen(TooSmallScreen())

    def start(self) -> None:
        """Connect to the source. Subclasses may show another screen first."""
        self.listen()

    def listen(self) -> None:
        """Start the tasks that read from the source and handle its messages."""
        self.source_task = asyncio.create_task(self.source.run(self.enqueue))
        self._await_source(self.source_task)
        self._handle_messages()

    async def on_unmount(self) -> None:
        """Cancel the source's task, and wait until it has closed its connection."""
        if self.source_task is not None:
            self.source_task.cancel()
            await asyncio.wait([self.source_task])

    @work(name="source", exit_on_error=False)
    async def _await_source(self, source_task: "asyncio.Task[None]") -> None:
        """Await the source's task in a worker, so that its exceptions reach `on_worker_state_changed`.

        The task itself is not a worker: at shutdown Textual would cancel it in addition to `on_unmount`, and a
        connection that is cancelled twice stays half closed.
        """
        await asyncio.shield(source_task)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Exit with an error message if the table is lost; re-raise any other exception of the source."""
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
        """Show a toast. Markup is off by default, because names and chat lines may contain brackets."""
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # Messages from the source.

    def enqueue(self, message: ProtocolMessage) -> None:
        """Queue a message for `handle_message`."""
        self.queued_redraws += message["type"] in REDRAW_TYPES
        self.messages.put_nowait(message)

    @work(name="listen")
    async def _handle_messages(self) -> None:
        """Handle the queued messages in order until the app closes."""
        while True:
            message = await self.messages.get()
            self.queued_redraws -= message["type"] in REDRAW_TYPES
            try:
                await self.handle_message(message)
            except (ScreenStackError, NoMatches):  # A message may arrive while the app is closing.
                if self.is_running and self.return_code is None:
                    raise
                return

    async def handle_message(self, message: ProtocolMessage) -> None:
        match message["type"]:
            case "update":
                await self._handle_update(message)
            case "error":
                self.answered_choice = None
                self.notify(f"{capitalize_first(message['message']).rstrip('.')}.", severity="error")
                if self.table_state is not None:
                    await self._show_current_screen()
            case "connection":
                self.table.connection_text, self.deal_verifier.value_sent = message["message"], False
                if self.table.table_state is not None:
                    await self.table.redraw(False)
                if message["up"]:
                    await self._send_pace()
            case "seat":
                await self._send_pace()
            case "hint":
                self.table.bot_hint = message["words"]
                await self.table.redraw(False)
            case "talk":
                await self._show_chat(message["lines"])
            case "record":
                self._handle_record(message)

    async def _send_pace(self) -> None:
        """Send the player's bot pace to a connection or a seat that does not have it yet."""
        if self.pace != DEFAULT_PACE:
            await self.source.send({"type": "pace", "pace": self.pace})

    async def _show_chat(self, lines: list[ProtocolMessage]) -> None:
        """Add chat lines to the log, and show each as a toast."""
        self.update_reader.add_chat(lines)
        for line in lines:
            self.notify(f"{line['name']}: {line['text']}" if line["text"] else NUDGE_TEXT.format(name=line["name"]))
        await self._redraw()

    def _handle_record(self, record: ProtocolMessage) -> None:
        """Verify the deals if the game is over; if the player asked for the record, save it under an unused name."""
        assert self.table_state is not None
        if self.table_state.stage == "over" and self.deal_verifier.commitment:
            verdict = self.deal_verifier.verdict(record["text"], self.last_update["seat"])
            if isinstance(self.top_page, GameEndScreen):
                self.top_page.set_footer(verdict)
        if self.save_requested:
            self.save_requested = False
            path = unused_path(Path(UNSAFE_FILE_CHARACTERS.sub("", record["name"]).lstrip(".") or "game.silver"))
            try:
                path.write_text(record["text"], encoding="utf-8")
                self.notify(f"The record is saved as {path}.")
            except OSError as error:
                self.notify(f"The record cannot be saved as {path}: {error.strerror}.", severity="error")

    async def _handle_update(self, update: ProtocolMessage) -> None:
        """Apply an update; draw it unless a later one is queued."""
        self.last_update = update
        self.table_state, scoring = self.update_reader.read(update, self.guided)
        if scoring is not None:
            self.pending_round_ends.append(scoring)
        if self.table_state.stage == "playing":
            self.left_game_end = False
        if not self.is_local:
            await self._observe_commitment(update)
        if self.queued_redraws:
            return
        if self.table_state.scene is not None:
            await self.table.show(self.table_state)
        await self._show_current_screen()

    async def _observe_commitment(self, update: ProtocolMessage) -> None:
        """Store the commitment to the deals, and send the player's shuffle value if it is due."""
        value_message = self.deal_verifier.observe(update)
        if value_message is not None:
            await self.source.send(value_message)

    @property
    def is_local(self) -> bool:
        """Whether the game is played without a server."""
        return self.source.is_local

    async def _show_current_screen(self) -> None:
        """Show the screen for the current state: round end, invitation, lobby, game end or table.

        Do nothing while a round end is open or the window is too small.
        """
        assert self.table_state is not None
        state, page = self.table_state, self.top_page
        if isinstance(page, RoundEndScreen) or isinstance(self.screen, TooSmallScreen):
            return
        is_invited = not self.last_update["seat"] and state.has_free_seat and not self.is_watching and self.is_player
        if self.pending_round_ends:
            self.push_screen(RoundEndScreen(self.pending_round_ends[0], state.seats), self._leave_round_end)
        elif is_invited:
            if not isinstance(page, InvitationScreen):
                self.push_screen(InvitationScreen(state), self._run_page_action)
        elif state.stage == "gathering":
            await self._show_lobby()
        elif state.stage == "over" and not self.left_game_end:
            await self._show_game_end()
        elif state.stage == "playing":
            self._close_pages()

    @property
    def top_page(self) -> ButtonScreen | None:
        """The topmost page above the table, even if a sheet covers it; None if there is no page."""
        pages = [screen for screen in self.screen_stack if isinstance(screen, ButtonScreen)]
        return pages[-1] if pages else None

    def _close_pages(self) -> None:
        """Close all pages and the sheets above them."""
        while self.top_page is not None:
            self.pop_screen()

    async def _show_lobby(self) -> None:
        assert self.table_state is not None
        host = self.last_update["seat"] == self.table_state.arrangement.get("host", SEAT_LETTERS[0])
        # A new host needs a new screen, because the host has other buttons.
        if isinstance(self.top_page, LobbyScreen) and self.top_page.lobby.is_host == host:
            await self.top_page.show(self.table_state)
            return
        self._close_pages()
        invitation = self.links().get("invite", "")
        self.push_screen(
            LobbyScreen(self.table_state, self.last_update["seat"], self.is_local, invitation), self._run_page_action
        )

    async def _show_game_end(self) -> None:
        assert self.table_state is not None
        if isinstance(self.top_page, GameEndScreen):
            return
        self._close_pages()
        self.push_screen(
            GameEndScreen(self.table_state, bool(self.last_update["seat"]), self.is_local), self._run_page_action
        )
        if self.deal_verifier.commitment:
            await self.source.send({"type": "record"})  # The record is needed to verify the deals.

    def links(self) -> dict[str, str]:
        """Return the table's URLs by key.

        The host gets `invite` and the letter of each free seat. If a seat was claimed in this client, `own` is its URL.
        """
        paths = self.last_update.get("links", {})
        own_link = {"own": self.source.seat_url} if self.source.seat_url else {}
        # Keys become part of Textual markup, so unknown ones are dropped.
        allowed = (*sheets.LINK_TITLES, *SEAT_LETTERS)
        return {name: self.source.url(path) for name, path in paths.items() if name in allowed} | own_link

    async def _leave_round_end(self, _: str | None) -> None:
        """Tell the source that the player has closed the oldest round end, and show the next screen."""
        scoring = self.pending_round_ends.pop(0)
        await self.source.send({"type": "round_seen", "round": scoring.view.round})
        await self._show_current_screen()

    async def _run_page_action(self, action: str | None) -> None:
        """Run the action that is the result of a closed page; None if it was closed without one."""
        if action == LEAVE:
            self.exit("")
        elif action == WATCH:
            self.is_watching = True
            await self._show_current_screen()
        elif action is not None and action.startswith(CLAIM):
            await self.source.send({"type": "claim_seat", "seat": action.removeprefix(CLAIM)})
        elif action is not None:
            self.left_game_end = action == "rematch"
            await self.source.send({"type": action})

    async def on_button_screen_action(self, event: ButtonScreen.Action) -> None:
        """Run the action of a button that does not close its page."""
        if event.action == SAVE_RECORD:
            await self.run_action("save_record")
        elif event.action == COPY_LINK:
            self.action_copy_link("invite")
        elif event.action == KEEP_DECK:
            self.notify("You keep the deck as it is.")
            await self.source.send({"type": "swap", "number": None})
        else:
            self.action_show_links()

    async def on_option_row_changed(self, event: OptionRow.Changed) -> None:
        await self.source.send(event.message)

    def action_copy_link(self, name: str) -> None:
        """Copy the entry `name` of `links` to the clipboard; do nothing if there is none."""
        link = self.links().get(name, "")
        if link:
            self.copy_to_clipboard(link)
            self.notify("Copied, if your terminal allows it. If not, select the link: hold Shift and drag.")

    # Window and keys.

    async def on_resize(self, event: Resize) -> None:
        """Show `TooSmallScreen` while the window is too small for the table."""
        if isinstance(self.visible_screen, TooSmallScreen):
            if not fits(event.size):
                self.visible_screen.show_size(event.size)
                return
            self.pop_screen()
            if self.table_state is not None:
                await self._show_current_screen()
        elif self.visible_screen is not None and not fits(event.size):
            self.push_screen(TooSmallScreen())

    @property
    def visible_screen(self) -> Screen[Any] | None:
        """The topmost screen; None before the first one is shown and while the app is closing."""
        return self.screen if self.is_running and self.screen_stack else None

    async def on_event(self, event: Event) -> None:
        """Handle an event, except key presses at the table that `TableScreen.accepts_key` rejects."""
        if isinstance(event, Key) and not event.is_forwarded and self.visible_screen is self.table:
            accepted = self.table.accepts_key(event)
        else:
            accepted = True
        if accepted:
            await super().on_event(event)

    # Actions.

    def send_move(self, move: str) -> None:
        """Send a move for the pending choice; do nothing if there is none or a move was already sent for it."""
        if (
            self.table_state is None
            or self.table_state.choice is None
            or self.table_state.choice == self.answered_choice
        ):
            return
        self.answered_choice = self.table_state.choice
        self._send_in_background({"type": "move", "choice": self.answered_choice, "move": move})

    @work
    async def _send_in_background(self, message: ProtocolMessage) -> None:
        await self.source.send(message)

    async def action_toggle_hints(self) -> None:
        """Turn the hints of the first-game guide on or off."""
        self.guided = not self.guided
        await self._redraw()

    async def _redraw(self) -> None:
        """Draw the last update again, after a setting or the chat has changed."""
        if "view" in self.last_update:
            self.table_state, _ = self.update_reader.read(
                {**self.last_update, "events": [], "reckoning": None}, self.guided
            )
            await self.table.show(self.table_state)

    async def action_ask_bot(self) -> None:
        if self.table_state is not None and self.table_state.choice is not None:
            self._send_in_background({"type": "hint"})

    async def action_next_pace(self) -> None:
        """Switch to the next bot pace."""
        paces = list(PACES)
        self.pace = paces[(paces.index(self.pace) + 1) % len(paces)]
        self.notify(f"Bots move {PACE_TEXTS[self.pace]}.", timeout=2)
        await self.source.send({"type": "pace", "pace": self.pace})

    async def action_skip_bot_delays(self) -> None:
        """Skip the bots' delays until the player's next choice."""
        await self.source.send({"type": "skip_bot_delays"})

    async def action_save_record(self) -> None:
        """Request the record, which `_handle_record` saves in the current directory."""
        if "view" in self.last_update:
            self.save_requested = True
            await self.source.send({"type": "record"})

    def action_show_links(self) -> None:
        if self.last_update and not self.is_local:
            self.push_screen(sheets.LinksSheet(self.links()))

    def action_chat(self) -> None:
        if self.last_update and not self.is_local:
            self.push_screen(sheets.ChatSheet(), self._send_chat)

    async def _send_chat(self, text: str | None) -> None:
        if text and text.strip():
            await self.source.send({"type": "say", "text": text})

    def action_toggle_theme(self) -> None:
        if self.theme != "ansi16":
            self.theme = "light" if self.theme == "dark" else "dark"

    def action_leave(self) -> None:
        """Leave the table; ask first during a game."""
        if self.table_state is None or self.table_state.stage != "playing" or isinstance(self.screen, TooSmallScreen):
            self.exit("")
        else:
            self.push_screen(LeaveSheet(self.source.leave_text if self.is_player and self.last_update["seat"] else ""))
