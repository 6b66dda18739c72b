"""Watching a game: step by step, by itself, or from round to round."""

from dataclasses import replace
from typing import Final

from textual.events import Key
from textual.timer import Timer

from argentum.display.scene import Button
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import RoundEndScreen
from argentum.terminal.screens.lobby import LobbyScreen
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.sources import Message, OnMessage, Source
from argentum.terminal.watching.recordings import LiveGame, Recording
from argentum.words import Prompt

STEP_SECONDS: Final = 1.3  # seconds between steps
END: Final = 10**9
REDRAW: Final[Message] = {"type": "show"}  # from the app to itself: draw where one has gone


class WatchScreen(TableScreen):
    """A table at which nothing can be played, with buttons to go through the game."""

    BINDINGS = [
        ("left", "steer('back')", "Back"),
        ("right", "steer('forward')", "Forward"),
        ("up", "steer('previous')", "Previous round"),
        ("down", "steer('next')", "Next round"),
        ("home", "steer('first')", "Beginning"),
        ("end", "steer('last')", "End"),
        *[(str(nth), f"steer('round {nth}')", "") for nth in range(1, 5)],
    ]
    KEYS_LINE = "←→ steps  ↑↓ rounds  [@click=screen.help]? help[/]  [@click=app.leave]q leave[/]"
    RESERVED = "?hiklqrsvw"

    def accepts_key(self, event: Key) -> bool:  # noqa: ARG002
        """Every key: nobody is asked anything."""
        return True

    def action_navigate(self, where: str) -> None:
        """Go somewhere."""
        self.play(where)


class NullSource(Source):
    """Nothing more is told of a game whose record one has."""

    async def run(self, tell: OnMessage) -> None:
        """Nothing."""

    async def send(self, message: Message) -> None:
        """Nobody listens."""


class WatchApp(TableApp):
    """Goes through a game_positions; one that goes on is followed to its end until somebody steps back."""

    is_player = False

    def __init__(self, game_positions: Recording, source: Source) -> None:
        super().__init__(source)
        self.table = WatchScreen(self.navigate)
        self.recording = game_positions
        self.index = 0
        self.following = isinstance(game_positions, LiveGame)
        self.timer: Timer | None = None

    def begin(self) -> None:
        """Show the beginning, and listen."""
        self.listen()
        if len(self.recording):
            self.navigate("first")

    async def receive(self, message: Message) -> None:
        """Listen to one message; where one has gone meanwhile is drawn when nothing else is to be heard."""
        if message is not REDRAW:
            await super().handle_message(message)
        elif not self.waiting:
            await self._show()

    async def _update(self, update: Message) -> None:
        """A game that goes on has gone on."""
        moment, reckoning = self.update_reader.read(update)
        self.table_state = moment
        assert isinstance(self.recording, LiveGame)
        if moment.scene is None:
            self.update = update
            await self._show_due_screen()
            return
        if isinstance(self.page, LobbyScreen):
            self._close_pages()
        new = self.recording.add(moment, reckoning)
        if self.following:
            self.index = len(self.recording) - 1
            if reckoning is not None and new:
                self._reveal()
        self.enqueue(REDRAW)

    def navigate(self, where: str) -> None:
        """Go where a button or key says."""
        if where == "play":
            self._toggle()
            return
        rounds = self.recording.rounds()
        here = max([nth for nth, start in rounds.items() if start <= self.index], default=1)
        places = {
            "back": self.index - 1,
            "forward": self.index + 1,
            "first": 0,
            "last": END,
            "previous": rounds.get(here - 1, 0) if rounds.get(here) == self.index else rounds.get(here, 0),
            "next": rounds.get(here + 1, END),
            **{f"round {nth}": start for nth, start in rounds.items()},
        }
        at = min(max(places.get(where, self.index), 0), len(self.recording) - 1)
        moved, self.index = at != self.index, at
        self.following = isinstance(self.recording, LiveGame) and at == len(self.recording) - 1
        if where == "forward" and moved:
            self._reveal()
        self.enqueue(REDRAW)

    def _reveal(self) -> None:
        """The end of a round, where it has just come."""
        reckoning = self.recording.round_scoring(self.index)
        if reckoning is not None and not isinstance(self.screen, RoundEndScreen):
            self.push_screen(RoundEndScreen(reckoning, self.recording.state(self.index).seats))

    def _toggle(self) -> None:
        """Go on by itself, or stop."""
        if self.timer is None:
            self.timer = self.set_interval(STEP_SECONDS, self._tick)
        else:
            self.timer.stop()
            self.timer = None
        self.enqueue(REDRAW)

    def _tick(self) -> None:
        if not self.is_running or self.screen is not self.table:  # the last tick may come while the app is closing
            return
        self.navigate("forward")
        if self.index == len(self.recording) - 1 and not isinstance(self.recording, LiveGame):
            self._toggle()

    async def _show(self) -> None:
        """The moment one is at, with buttons to go on."""
        moment = self.recording.state(self.index)
        assert moment.scene is not None
        last = len(self.recording) - 1
        live = "" if not isinstance(self.recording, LiveGame) else " Live." if self.following else " The game goes on."
        prompt = Prompt(moment.scene.prompt.title, f"Step {self.index} of {last}.{live}", None)
        ways = [
            ("Pause" if self.timer else "Play", "play"),
            ("Back", "back"),
            ("Forward", "forward"),
            ("Next round", "next"),
        ]
        buttons = tuple([Button(text, move, primary=move == "play") for text, move in ways])
        drawn = moment.scene._replace(prompt=prompt, buttons=buttons, ability_buttons=())
        await self.table.show(replace(moment, scene=drawn, choice=int(self.timer is not None)))
