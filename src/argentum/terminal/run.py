"""Check the terminal, run an app."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from argentum.commands._params import InvalidInput
from argentum.rooms.log.file import SavedGame
from argentum.terminal.app import TableApp
from argentum.terminal.screens.page import LEAVE
from argentum.terminal.screens.resume import ABANDON, ARRANGE, NEW, RESUME, ResumeScreen
from argentum.terminal.sources.local import LocalSource


class LocalGameApp(TableApp):
    """A table on this machine."""

    def __init__(
        self, table: LocalSource, kept: Sequence[SavedGame] = (), coached: bool = False, pace: str = "even"
    ) -> None:
        super().__init__(table, coached, pace)
        self.local_source = table
        self.saved_games = list(kept)
        table.pace = pace

    def begin(self) -> None:
        """Offer to go on with a game, if there is one."""
        if self.saved_games:
            self.push_screen(ResumeScreen(self.saved_games), self._resume_choice)
        else:
            self.listen()

    def _resume_choice(self, what: str | None) -> None:
        """What to begin with."""
        if what == ABANDON:
            self.saved_games.pop(0).abandon()
            if self.saved_games:
                self.push_screen(ResumeScreen(self.saved_games), self._resume_choice)
                return
            what = NEW
        if what == LEAVE:
            self.exit("")
            return
        if what == ARRANGE:
            self.local_source.in_lobby = True
        elif what is not None and what.startswith(RESUME):
            self.local_source.resume(self.saved_games[int(what.removeprefix(RESUME)) - 1])
        self.listen()


TERMS_WITHOUT_COLOUR: Final = (
    "dumb",
    "unknown",
    "vt52",
    "vt100",
    "vt102",
    "vt220",
)  # what TERM says of terminals without colour


def run_app(app: Callable[[], TableApp]) -> None:
    """Run an app full-screen until one leaves it; what goes wrong is said in words."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidInput("the table needs a terminal: it cannot be shown through a pipe")
    if os.environ.get("TERM", "dumb") in TERMS_WITHOUT_COLOUR:
        os.environ["NO_COLOR"] = "1"
    why = app().run()
    if why:
        raise InvalidInput(why)
