"""Check the terminal, run an app."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from argentum.commands._params import InvalidInput
from argentum.rooms.log.file import SavedGame
from argentum.terminal.app import TableApp
from argentum.terminal.screens.page import LEAVE
from argentum.terminal.screens.resume import ARRANGE, GIVE_UP, GO_ON, NEW, OpeningScreen
from argentum.terminal.sources.local import LocalTable


class HomeApp(TableApp):
    """A table on this machine."""

    def __init__(
        self, table: LocalTable, kept: Sequence[SavedGame] = (), coached: bool = False, pace: str = "even"
    ) -> None:
        super().__init__(table, coached, pace)
        self.home = table
        self.kept = list(kept)
        table.pace = pace

    def begin(self) -> None:
        """Offer to go on with a game, if there is one."""
        if self.kept:
            self.push_screen(OpeningScreen(self.kept), self._chosen)
        else:
            self.listen()

    def _chosen(self, what: str | None) -> None:
        """What to begin with."""
        if what == GIVE_UP:
            self.kept.pop(0).abandon()
            if self.kept:
                self.push_screen(OpeningScreen(self.kept), self._chosen)
                return
            what = NEW
        if what == LEAVE:
            self.exit("")
            return
        if what == ARRANGE:
            self.home.gathering = True
        elif what is not None and what.startswith(GO_ON):
            self.home.resume(self.kept[int(what.removeprefix(GO_ON)) - 1])
        self.listen()


COLOURLESS: Final = ("dumb", "unknown", "vt52", "vt100", "vt102", "vt220")  # what TERM says of terminals without colour


def run_app(app: Callable[[], TableApp]) -> None:
    """Run an app full-screen until one leaves it; what goes wrong is said in words."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidInput("the table needs a terminal: it cannot be shown through a pipe")
    if os.environ.get("TERM", "dumb") in COLOURLESS:
        os.environ["NO_COLOR"] = "1"
    why = app().run()
    if why:
        raise InvalidInput(why)
