"""The app: it listens to a table and shows the screen that is due."""

import asyncio
import os
from typing import Final

from textual import work
from textual.app import App
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from argentum.tableside.reveal import Reckoning
from argentum.terminal.gathering import GatheringScreen
from argentum.terminal.moments import Moment, Reader
from argentum.terminal.palette import THEMES
from argentum.terminal.reveal import LEAVE, ResultScreen, RevealScreen
from argentum.terminal.sheets import Sheet
from argentum.terminal.sources import Lost, Message, Source
from argentum.terminal.table import TableScreen

FEW_COLOURS: Final = (None, "standard")  # what Rich says of terminals with sixteen colours or fewer


class TableApp(App[str]):
    """The table of one source; it returns what is to be said after leaving."""

    TITLE = "Argentum"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Toast { background: $rail; color: $ink; }
    """
    BINDINGS = [
        Binding("q", "leave", "Leave"),
        Binding("ctrl+c", "quit", "Quit", priority=True),
        Binding("h", "hints", "Hints"),
        Binding("v", "light", "Night or dawn"),
    ]

    def __init__(self, source: Source, coached: bool = False) -> None:
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
        self.reveals: list[Reckoning] = []  # rounds' ends that are yet to be looked at
        self.answered: int | None = None
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.left_result = False
        self.line: asyncio.Task[None] | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles of colours, for a moment before a theme is chosen."""
        return dict(THEMES[0].variables)

    def get_default_screen(self) -> Screen[None]:
        """The table lies below everything else."""
        return self.table

    def on_ready(self) -> None:
        """Listen."""
        self.line = asyncio.create_task(self.source.run(self.messages.put_nowait))
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

    # What is told.

    @work(name="listen")
    async def _listen(self) -> None:
        while True:
            await self.hear(await self.messages.get())

    async def hear(self, message: Message) -> None:
        """Listen to one message."""
        match message["type"]:
            case "update":
                await self._update(message)
            case "error":
                self.answered = None
                self.notify(message["message"], severity="error")
            case "line":
                self.table.line = message["message"]
                if self.table.moment is not None:
                    await self.table.redraw(False)

    async def _update(self, update: Message) -> None:
        self.update = update
        self.moment, reckoning = self.reader.read(update, self.coached)
        if reckoning is not None:
            self.reveals.append(reckoning)
        if self.moment.stage == "playing":
            self.left_result = False
        if not self.messages.empty():
            return  # if we are slow, the latest is enough
        if self.moment.scene is not None:
            await self.table.show(self.moment)
        await self._turn_page()

    async def _turn_page(self) -> None:
        """Show what is due: a round's end, the result, the gathering, or the table."""
        assert self.moment is not None
        top = self.screen
        if isinstance(top, RevealScreen):
            return
        if self.reveals:
            self.push_screen(RevealScreen(self.reveals[0], self.moment.seats), self._seen)
        elif self.moment.stage == "gathering":
            if isinstance(top, GatheringScreen):
                top.show(self.moment)
            else:
                self.push_screen(GatheringScreen(self.moment, self.update["seat"]), self._do)
        elif self.moment.stage == "over" and not self.left_result and not isinstance(top, ResultScreen):
            self.push_screen(ResultScreen(self.moment, bool(self.update["seat"])), self._do)
        elif self.moment.stage == "playing" and isinstance(top, GatheringScreen | ResultScreen):
            self.pop_screen()

    async def _seen(self, _: str | None) -> None:
        """A round's end has been looked at."""
        gone = self.reveals.pop(0)
        await self.source.send({"type": "seen", "round": gone.view.round})
        await self._turn_page()

    async def _do(self, what: str | None) -> None:
        """What the button of a page does."""
        if what == LEAVE:
            self.exit("")
        elif what is not None:
            self.left_result = what == "rematch"
            await self.source.send({"type": what})

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
        if self.update and "view" in self.update:
            self.moment, _ = self.reader.read({**self.update, "events": [], "reckoning": None}, self.coached)
            await self.table.show(self.moment)

    def action_light(self) -> None:
        """Night or dawn, where there are colours for both."""
        if self.theme != "sixteen":
            self.theme = "dawn" if self.theme == "night" else "night"

    def action_leave(self) -> None:
        """Leave the table, after a question if a game goes on."""
        if self.moment is None or self.moment.stage != "playing":
            self.exit("")
        else:
            self.push_screen(LeaveSheet())


class LeaveSheet(Sheet):
    """Whether to leave a game that goes on."""

    BINDINGS = [("y,q", "go", "Leave"), ("n,escape,enter,space", "close", "Stay")]

    def __init__(self) -> None:
        super().__init__("Leave the table?", Content("y leaves the table, n stays."))

    def action_go(self) -> None:
        """Leave."""
        self.app.exit("")
