"""Screen on which an invited player chooses a free seat or to watch."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.screens.page import LEAVE, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.terminal.state import TableState
from argentum.words.site_texts import deck_name

CLAIM, WATCH = "take ", "watch"  # actions of buttons; the seat's letter is appended to CLAIM


class InvitationScreen(ButtonScreen):
    def __init__(self, state: TableState) -> None:
        self.state = state
        free = [seat.letter for seat in state.seats if seat.free]
        buttons = [(f"Sit down in seat {letter}", f"{CLAIM}{letter}", letter.lower()) for letter in free]
        buttons += [("Only watch", WATCH, "w"), ("Leave", LEAVE, "q")]
        host = state.seats[SEAT_LETTERS.index(state.arrangement.get("host", SEAT_LETTERS[0]))]
        super().__init__(f"{host.name} invites you.", "Choose a seat, or watch.", "", buttons)

    def body(self) -> ComposeResult:
        rows = []
        for seat in self.state.seats:
            seat_text = "free" if seat.free else f"{seat.name}, bot {seat.bot}" if seat.bot else seat.name
            rows.append(f"Seat {seat.letter}   {seat_text}")
        notes = "from memory" if self.state.memory_mode else "with open notes"
        yield Static(Content(""))
        yield Static(join_lines(*rows, "", f"{deck_name(self.state.arrangement['boxes'])}, {notes}."), id="text")
