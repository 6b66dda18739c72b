"""Watching a game: step by step, by itself, or from round to round."""

from dataclasses import replace
from typing import Final

from textual.events import Key
from textual.timer import Timer

from argentum.display.scene import Button
from argentum.terminal.app import TableApp
from argentum.terminal.screens.end import RevealScreen
from argentum.terminal.screens.lobby import GatheringScreen
from argentum.terminal.screens.table import TableScreen
from argentum.terminal.sources import Message, Source, Tell
from argentum.terminal.watching.recordings import Film, LiveFilm
from argentum.words import Prompt

PACE: Final = 1.3  # seconds between steps
LAST: Final = 10**9
SHOW: Final[Message] = {"type": "show"}  # from the app to itself: draw where one has gone


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
    TAKEN = "?hiklqrsvw"

    def admits(self, event: Key) -> bool:  # noqa: ARG002
        """Every key: nobody is asked anything."""
        return True

    def action_steer(self, where: str) -> None:
        """Go somewhere."""
        self.play(where)


class NoSource(Source):
    """Nothing more is told of a game whose record one has."""

    async def run(self, tell: Tell) -> None:
        """Nothing."""

    async def send(self, message: Message) -> None:
        """Nobody listens."""


class WatchApp(TableApp):
    """Goes through a film; one that goes on is followed to its end until somebody steps back."""

    plays = False

    def __init__(self, film: Film, source: Source) -> None:
        super().__init__(source)
        self.table = WatchScreen(self.steer)
        self.film = film
        self.at = 0
        self.following = isinstance(film, LiveFilm)
        self.timer: Timer | None = None

    def begin(self) -> None:
        """Show the beginning, and listen."""
        self.listen()
        if len(self.film):
            self.steer("first")

    async def hear(self, message: Message) -> None:
        """Listen to one message; where one has gone meanwhile is drawn when nothing else is to be heard."""
        if message is not SHOW:
            await super().hear(message)
        elif not self.waiting:
            await self._show()

    async def _update(self, update: Message) -> None:
        """A game that goes on has gone on."""
        moment, reckoning = self.reader.read(update)
        self.moment = moment
        assert isinstance(self.film, LiveFilm)
        if moment.scene is None:
            self.update = update
            await self._turn_page()
            return
        if isinstance(self.page, GatheringScreen):
            self._put_away()
        new = self.film.add(moment, reckoning)
        if self.following:
            self.at = len(self.film) - 1
            if reckoning is not None and new:
                self._reveal()
        self.tell(SHOW)

    def steer(self, where: str) -> None:
        """Go where a button or key says."""
        if where == "play":
            self._toggle()
            return
        rounds = self.film.rounds()
        here = max([nth for nth, start in rounds.items() if start <= self.at], default=1)
        places = {
            "back": self.at - 1,
            "forward": self.at + 1,
            "first": 0,
            "last": LAST,
            "previous": rounds.get(here - 1, 0) if rounds.get(here) == self.at else rounds.get(here, 0),
            "next": rounds.get(here + 1, LAST),
            **{f"round {nth}": start for nth, start in rounds.items()},
        }
        at = min(max(places.get(where, self.at), 0), len(self.film) - 1)
        moved, self.at = at != self.at, at
        self.following = isinstance(self.film, LiveFilm) and at == len(self.film) - 1
        if where == "forward" and moved:
            self._reveal()
        self.tell(SHOW)

    def _reveal(self) -> None:
        """The end of a round, where it has just come."""
        reckoning = self.film.reckoning(self.at)
        if reckoning is not None and not isinstance(self.screen, RevealScreen):
            self.push_screen(RevealScreen(reckoning, self.film.moment(self.at).seats))

    def _toggle(self) -> None:
        """Go on by itself, or stop."""
        if self.timer is None:
            self.timer = self.set_interval(PACE, self._tick)
        else:
            self.timer.stop()
            self.timer = None
        self.tell(SHOW)

    def _tick(self) -> None:
        if not self.is_running or self.screen is not self.table:  # the last tick may come while the app is closing
            return
        self.steer("forward")
        if self.at == len(self.film) - 1 and not isinstance(self.film, LiveFilm):
            self._toggle()

    async def _show(self) -> None:
        """The moment one is at, with buttons to go on."""
        moment = self.film.moment(self.at)
        assert moment.scene is not None
        last = len(self.film) - 1
        live = "" if not isinstance(self.film, LiveFilm) else " Live." if self.following else " The game goes on."
        prompt = Prompt(moment.scene.prompt.title, f"Step {self.at} of {last}.{live}", None)
        ways = [
            ("Pause" if self.timer else "Play", "play"),
            ("Back", "back"),
            ("Forward", "forward"),
            ("Next round", "next"),
        ]
        buttons = tuple([Button(text, move, primary=move == "play") for text, move in ways])
        drawn = moment.scene._replace(prompt=prompt, buttons=buttons, uses=())
        await self.table.show(replace(moment, scene=drawn, choice=int(self.timer is not None)))
