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
from argentum.terminal.screens.end import ResultScreen, RevealScreen
from argentum.terminal.screens.invitation import LOOK_ON, TAKE, InvitationScreen
from argentum.terminal.screens.lobby import GatheringScreen
from argentum.terminal.screens.page import COPY, KEEP, LEAVE, RECORD, Page
from argentum.terminal.screens.sheets import LeaveSheet
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.screens.too_small import SmallScreen, enough
from argentum.terminal.sources import Lost, Message, Source
from argentum.terminal.sources.deal_verifier import Promise
from argentum.terminal.state import Moment, Reader
from argentum.terminal.theme import THEMES
from argentum.terminal.widgets.options import Setting
from argentum.words.english import capitalize_first
from argentum.words.site_texts import NUDGE_TEXT

FEW_COLOURS: Final = (None, "standard")  # what Rich says of terminals with sixteen colours or fewer
DRAWN: Final = ("update", "show")  # messages after which the table is drawn
UNSAFE: Final = re.compile(r"[^\w.-]")  # in a file's name that somebody else thought of
PACE_WORDS: Final = {"slow": "slowly", "even": "at a normal speed", "fast": "fast", "instant": "at once"}


class TableApp(App[str]):
    """The table of one source; it returns what is to be said after leaving."""

    TITLE = "Argentum"
    plays = True  # and does not only look on
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
        Binding("v", "light", "Night or dawn"),
    ]

    def __init__(self, source: Source, coached: bool = False, pace: str = "even") -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for theme in THEMES:
            self.register_theme(theme)
        few = self.no_color or self.console.color_system in FEW_COLOURS
        self.theme = "sixteen" if few else "night"
        self.source = source
        self.coached = coached
        self.reader = Reader()
        self.table = TableScreen(self.play)
        self.moment: Moment | None = None
        self.update: Message = {}
        self.reveals: list[RoundScoring] = []  # rounds' ends that are yet to be looked at
        self.answered: int | None = None
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.waiting = 0  # messages among them after which the table is to be drawn
        self.left_result = False
        self.looks_on = False  # though a seat is free
        self.pace = pace
        self.promise = Promise()
        self.saving = False  # the next record that comes
        self.line: asyncio.Task[None] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles of colours, for a moment before a theme is chosen."""
        return dict(THEMES[0].variables)

    def get_default_screen(self) -> Screen[None]:
        """The table lies below everything else."""
        return self.table

    def on_ready(self) -> None:
        """Begin. (Apps of other kinds begin in other ways: of `on_ready` itself, Textual calls everybody's.)"""
        self.begin()
        if not enough(self.size):
            self.push_screen(SmallScreen())

    def begin(self) -> None:
        """Listen."""
        self.listen()

    def listen(self) -> None:
        """Sit down at the table."""
        self.line = asyncio.create_task(self.source.run(self.tell))
        self._attend(self.line)
        self._listen()

    async def on_unmount(self) -> None:
        """Let the line to the table be closed before we go."""
        if self.line is not None:
            self.line.cancel()
            await asyncio.wait([self.line])

    @work(name="source", exit_on_error=False)
    async def _attend(self, line: "asyncio.Task[None]") -> None:
        """Go on for as long as the line does.

        Textual cancels its workers when it stops, and we when we go: a line that is cancelled twice would be left half
        closed. So it is a task of ours, and only what waits for it is a worker.
        """
        await asyncio.shield(line)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A table that is lost ends the app, with the reason."""
        if event.worker.name == "source" and event.state == WorkerState.ERROR:
            error = event.worker.error
            if not isinstance(error, Lost):
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

    def tell(self, message: Message) -> None:
        """Let the app hear something, after all that it has yet to hear."""
        self.waiting += message["type"] in DRAWN
        self.messages.put_nowait(message)

    @work(name="listen")
    async def _listen(self) -> None:
        while True:
            message = await self.messages.get()
            self.waiting -= message["type"] in DRAWN
            try:
                await self.hear(message)
            except (ScreenStackError, NoMatches):  # the last message may come while the app is closing
                if self.is_running and self.return_code is None:
                    raise
                return

    async def hear(self, message: Message) -> None:
        """Listen to one message."""
        match message["type"]:
            case "update":
                await self._update(message)
            case "error":
                self.answered = None
                self.notify(f"{capitalize_first(message['message']).rstrip('.')}.", severity="error")
                if self.moment is not None:
                    await self._turn_page()
            case "line":
                self.table.line, self.promise.sent = message["message"], False
                if self.table.moment is not None:
                    await self.table.redraw(False)
                if message["up"] and self.pace != "even":  # which it is unless somebody says otherwise
                    await self.source.send({"type": "pace", "pace": self.pace})
            case "hint":
                self.table.advice = message["words"]
                await self.table.redraw(False)
            case "talk":
                await self._hear_talk(message["lines"])
            case "record":
                self._keep(message)

    async def _hear_talk(self, lines: list[Message]) -> None:
        """What people say stands in the log, and is shown for a moment."""
        self.reader.hear_talk(lines)
        for line in lines:
            self.notify(f"{line['name']}: {line['text']}" if line["text"] else NUDGE_TEXT.format(name=line["name"]))
        await self._read_again()

    def _keep(self, record: Message) -> None:
        """A record has come: check the deals if they were promised, and save it if somebody wants that."""
        assert self.moment is not None
        if self.moment.stage == "over" and self.promise.commitment:
            words = self.promise.judge(record["text"], self.update["seat"])
            if isinstance(self.page, ResultScreen):
                self.page.say_last(words)
        if self.saving:
            self.saving = False
            path = unused_path(Path(UNSAFE.sub("", record["name"]).lstrip(".") or "game.silver"))
            try:
                path.write_text(record["text"], encoding="utf-8")
                self.notify(f"The record is saved as {path}.")
            except OSError as error:
                self.notify(f"The record cannot be saved as {path}: {error.strerror}.", severity="error")

    async def _update(self, update: Message) -> None:
        self.update = update
        self.moment, reckoning = self.reader.read(update, self.coached)
        if reckoning is not None:
            self.reveals.append(reckoning)
        if self.moment.stage == "playing":
            self.left_result = False
        share = self.promise.hear(update)
        if share is not None:
            await self.source.send(share)
        if self.waiting:
            return  # if we are slow, the latest is enough
        if self.moment.scene is not None:
            await self.table.show(self.moment)
        await self._turn_page()

    @property
    def local(self) -> bool:
        """Whether the game is played here, without a server."""
        return not self.update["table"]

    async def _turn_page(self) -> None:
        """Show what is due: a round's end, an invitation, the gathering, the result, or the table."""
        assert self.moment is not None
        moment, page = self.moment, self.page
        if isinstance(page, RevealScreen) or isinstance(self.screen, SmallScreen):
            return
        invited = not self.update["seat"] and moment.invites and not self.looks_on and self.plays
        if self.reveals:
            self.push_screen(RevealScreen(self.reveals[0], moment.seats), self._seen)
        elif invited:
            if not isinstance(page, InvitationScreen):
                self.push_screen(InvitationScreen(moment), self._do)
        elif moment.stage == "gathering":
            await self._gather()
        elif moment.stage == "over" and not self.left_result:
            await self._end()
        elif moment.stage == "playing":
            self._put_away()

    @property
    def page(self) -> Page | None:
        """The page that lies on the table, if any; a sheet may lie on it in turn."""
        pages = [screen for screen in self.screen_stack if isinstance(screen, Page)]
        return pages[-1] if pages else None

    def _put_away(self) -> None:
        """Take the page off the table, with what lies on it."""
        while self.page is not None:
            self.pop_screen()

    async def _gather(self) -> None:
        """Show the table being set."""
        assert self.moment is not None
        host = self.update["seat"] == self.moment.arrangement.get("host", SEAT_LETTERS[0])
        if isinstance(self.page, GatheringScreen) and self.page.lobby.host == host:  # else it has other buttons
            await self.page.show(self.moment)
            return
        self._put_away()
        invitation = self.links().get("invite", "")
        self.push_screen(GatheringScreen(self.moment, self.update["seat"], self.local, invitation), self._do)

    async def _end(self) -> None:
        """Show the result."""
        assert self.moment is not None
        if isinstance(self.page, ResultScreen):
            return
        self._put_away()
        self.push_screen(ResultScreen(self.moment, bool(self.update["seat"]), self.local), self._do)
        if self.promise.commitment:
            await self.source.send({"type": "record"})  # to check the deals

    def links(self) -> dict[str, str]:
        """The links that a host hands out; and that of a seat that was taken here."""
        given = self.update.get("links", {})
        own = {"own": self.source.taken} if self.source.taken else {}
        known = (*sheets.LINK_TITLES, *SEAT_LETTERS)  # a name becomes part of what a click does
        return {name: self.source.address(path) for name, path in given.items() if name in known} | own

    async def _seen(self, _: str | None) -> None:
        """A round's end has been looked at."""
        gone = self.reveals.pop(0)
        await self.source.send({"type": "seen", "round": gone.view.round})
        await self._turn_page()

    async def _do(self, what: str | None) -> None:
        """What the button of a page does."""
        if what == LEAVE:
            self.exit("")
        elif what == LOOK_ON:
            self.looks_on = True
            await self._turn_page()
        elif what is not None and what.startswith(TAKE):
            await self.source.send({"type": "take", "seat": what.removeprefix(TAKE)})
        elif what is not None:
            self.left_result = what == "rematch"
            await self.source.send({"type": what})

    async def on_page_wanted(self, event: Page.Wanted) -> None:
        """What the button of a page does that stays there."""
        if event.what == RECORD:
            await self.run_action("record")
        elif event.what == COPY:
            self.action_copy_link("invite")
        elif event.what == KEEP:
            self.notify("You keep the deck as it is.")
            await self.source.send({"type": "swap", "number": None})
        else:
            self.action_links()

    async def on_setting_changed(self, event: Setting.Changed) -> None:
        """The table is to be arranged otherwise."""
        await self.source.send(event.wanted)

    def action_copy_link(self, which: str) -> None:
        """Copy a link, as far as the terminal lets us."""
        link = self.links().get(which, "")
        if link:
            self.copy_to_clipboard(link)
            self.notify("Copied, if your terminal allows it. If not, select the link: hold Shift and drag.")

    # The window.

    async def on_resize(self, event: Resize) -> None:
        """The table needs room; if there is too little, say so."""
        if isinstance(self.top, SmallScreen):
            if not enough(event.size):
                self.top.tell(event.size)
                return
            self.pop_screen()
            if self.moment is not None:
                await self._turn_page()
        elif self.top is not None and not enough(event.size):
            self.push_screen(SmallScreen())

    @property
    def top(self) -> Screen[Any] | None:
        """The screen that is seen; None before there is one, and while the app is closing."""
        return self.screen if self.is_running and self.screen_stack else None

    async def on_event(self, event: Event) -> None:
        """A key that cannot be meant for what is asked is not heard."""
        if isinstance(event, Key) and not event.is_forwarded and self.top is self.table:
            heard = self.table.admits(event)
        else:
            heard = True
        if heard:
            await super().on_event(event)

    # What is done.

    def play(self, move: str) -> None:
        """Answer what is asked, once."""
        if self.moment is None or self.moment.choice is None or self.moment.choice == self.answered:
            return
        self.answered = self.moment.choice
        self._answer({"type": "move", "choice": self.answered, "move": move})

    @work
    async def _answer(self, message: Message) -> None:
        await self.source.send(message)

    async def action_hints(self) -> None:
        """Hints for a first game, or none."""
        self.coached = not self.coached
        await self._read_again()

    async def _read_again(self) -> None:
        """Show the last update once more, in other words."""
        if "view" in self.update:
            self.moment, _ = self.reader.read({**self.update, "events": [], "reckoning": None}, self.coached)
            await self.table.show(self.moment)

    async def action_advice(self) -> None:
        """Ask what a strong bot would do."""
        if self.moment is not None and self.moment.choice is not None:
            self._answer({"type": "hint"})

    async def action_pace(self) -> None:
        """Bots move slower or faster."""
        paces = list(PACES)
        self.pace = paces[(paces.index(self.pace) + 1) % len(paces)]
        self.notify(f"Bots move {PACE_WORDS[self.pace]}.", timeout=2)
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
            self.push_screen(sheets.SaySheet(), self._say)

    async def _say(self, text: str | None) -> None:
        if text and text.strip():
            await self.source.send({"type": "say", "text": text})

    def action_light(self) -> None:
        """Night or dawn, where there are colours for both."""
        if self.theme != "sixteen":
            self.theme = "dawn" if self.theme == "night" else "night"

    def action_leave(self) -> None:
        """Leave the table, after a question if a game goes on."""
        if self.moment is None or self.moment.stage != "playing" or isinstance(self.screen, SmallScreen):
            self.exit("")
        else:
            self.push_screen(LeaveSheet(self.source.after_leaving if self.plays and self.update["seat"] else ""))
