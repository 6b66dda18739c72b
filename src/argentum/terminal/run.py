"""The app for local games, and a function that runs an app full-screen."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from argentum.rooms.clock import DEFAULT_PACE
from argentum.rooms.log.file import SavedGame
from argentum.terminal.app import TableApp
from argentum.terminal.screens.page import LEAVE
from argentum.terminal.screens.resume import ABANDON, ARRANGE, NEW, RESUME, ResumeScreen
from argentum.terminal.sources.local import LocalSource


class LocalGameApp(TableApp):
    """App for a game against bots on this machine. If there are saved games, it first offers to resume one."""

    def __init__(
        self, source: LocalSource, saved_games: Sequence[SavedGame] = (), guided: bool = False, pace: str = DEFAULT_PACE
    ) -> None:
        super().__init__(source, guided, pace)
        self.local_source = source
        self.saved_games = list(saved_games)

    def start(self) -> None:
        if self.saved_games:
            self.push_screen(ResumeScreen(self.saved_games), self._handle_resume_choice)
        else:
            self.listen()

    def _handle_resume_choice(self, action: str | None) -> None:
        """Run the action chosen on the resume screen.

        After the first saved game is abandoned, offer the remaining ones, or start a new game if there are none.
        """
        if action == ABANDON:
            try:
                self.saved_games.pop(0).abandon()
            except OSError as error:  # for example if another terminal has given it up
                self.notify(f"The game cannot be given up: {error.strerror}.", severity="error")
            if self.saved_games:
                self.push_screen(ResumeScreen(self.saved_games), self._handle_resume_choice)
                return
            action = NEW
        if action == LEAVE:
            self.exit("")
            return
        if action == ARRANGE:
            self.local_source.begins_in_lobby = True
        elif action is not None and action.startswith(RESUME):
            self.local_source.saved_game = self.saved_games[int(action.removeprefix(RESUME)) - 1]
        self.listen()


TERMS_WITHOUT_COLOUR: Final = ("dumb", "unknown", "vt52", "vt100", "vt102", "vt220")  # values of TERM


class TerminalError(Exception):
    """Raised if the app cannot start or loses its table. The message is shown to the player."""


def run_app(app: Callable[[], TableApp]) -> None:
    """Run an app full-screen until the player leaves; raise `TerminalError` if it cannot start or loses its table.

    Set the environment variable `NO_COLOR` if the terminal has no colours.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TerminalError("The table needs a terminal: it cannot be shown through a pipe.")
    if os.environ.get("TERM", "dumb") in TERMS_WITHOUT_COLOUR:
        os.environ["NO_COLOR"] = "1"
    reason = app().run()
    if reason:
        raise TerminalError(reason)
