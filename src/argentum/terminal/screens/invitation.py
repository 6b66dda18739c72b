"""For somebody who came by an invitation: which seat to take."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.screens.page import LEAVE, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.terminal.state import TableState
from argentum.words.site_texts import deck_name

CLAIM, WATCH = "take ", "look on"


class InvitationScreen(ButtonScreen):
    """A table with free seats."""

    def __init__(self, moment: TableState) -> None:
        self.moment = moment
        free = [seat.letter for seat in moment.seats if seat.free]
        choices = [(f"Sit down in seat {letter}", f"{CLAIM}{letter}", letter.lower()) for letter in free]
        choices += [("Only watch", WATCH, "w"), ("Leave", LEAVE, "q")]
        host = moment.seats[SEAT_LETTERS.index(moment.arrangement.get("host", SEAT_LETTERS[0]))]
        super().__init__(f"{host.name} invites you.", "Choose a seat, or watch.", "", choices)

    def body(self) -> ComposeResult:
        """Who sits where, and what is played."""
        rows = []
        for seat in self.moment.seats:
            who = "free" if seat.free else f"{seat.name}, bot {seat.bot}" if seat.bot else seat.name
            rows.append(f"Seat {seat.letter}   {who}")
        notes = "from memory" if self.moment.memory else "with open notes"
        yield Static(Content(""))
        yield Static(join_lines(*rows, "", f"{deck_name(self.moment.arrangement['boxes'])}, {notes}."), id="text")
