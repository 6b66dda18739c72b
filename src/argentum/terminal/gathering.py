"""Before a game on a server: who is there, and the deck; the host starts."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from argentum.rules.notation import SEATS
from argentum.terminal.moments import Moment
from argentum.terminal.reveal import LEAVE, Page
from argentum.terminal.sheets import lines
from argentum.words.decks import deck_words


class GatheringScreen(Page):
    """Waiting for the game to begin."""

    def __init__(self, moment: Moment, seat: str) -> None:
        host = seat == SEATS[0]
        self.moment = moment
        start = [("Start the game", "start", "s")] if host else []
        why = "Start when everybody is here." if host else "The host starts the game."
        super().__init__("The table is being set.", why, "", [*start, ("Leave", LEAVE, "q")])

    def body(self) -> ComposeResult:
        """Who sits where, and what is played."""
        yield Static(self.told(self.moment), id="told")

    def told(self, moment: Moment) -> Content:
        """The table in words."""
        rows = []
        for seat in moment.seats:
            who = f"the bot {seat.bot}" if seat.bot else "here" if seat.here else "not here yet"
            rows.append(f"{seat.letter}  {seat.name:20}  {who}")
        given = moment.arrangement
        notes = "from memory" if moment.memory else "with open notes"
        return lines(*rows, "", f"{deck_words(given['boxes'])}, the silver {given['token']}, {notes}.")

    def show(self, moment: Moment) -> None:
        """Somebody came or went, or the host changed something."""
        self.moment = moment
        self.query_one("#told", Static).update(self.told(moment))
