"""Lobby screen: the host sets seats, deck and options; before a rematch, losers may swap a resident."""

from collections.abc import Mapping, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from argentum import bots
from argentum.display.scene import SeatInfo, resident_summary
from argentum.rooms.arrangement import AWAY_CHOICES, TURN_SECONDS
from argentum.rules.boxes import BOX_BY_LETTER, BOX_NAMES, RANDOM_DECK, TOKEN_NAMES, deck_code, own_residents
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.screens.page import COPY_LINK, KEEP_DECK, LEAVE, SHOW_LINKS, ButtonScreen
from argentum.terminal.screens.sheets import resident_sheet
from argentum.terminal.sources import ProtocolMessage
from argentum.terminal.state import TableState
from argentum.terminal.widgets.buttons import KeyButton
from argentum.terminal.widgets.cards import TIMING_SIGNS, number_badge
from argentum.terminal.widgets.options import Option, OptionRow, OptionRows
from argentum.words.site_texts import FORMER_PLAYER, deck_name

LABEL_COLUMNS: Final = 8
AWAY_TEXTS: Final = {
    "minute": "a bot fills in after a minute",
    "day": "a bot plays after a day, but never calls",
    "never": "no bot fills in",
}


def arrange_message(**changes: object) -> ProtocolMessage:
    return {"type": "arrange", **changes}


class LobbyOptions:
    """Texts and options of the lobby as one seat sees them. Options that the seat may not change are read-only."""

    def __init__(self, state: TableState, seat: str, is_local: bool) -> None:
        self.state = state
        self.seat = seat
        self.is_local = is_local  # whether the game is played without a server
        self.arrangement = state.arrangement
        self.is_host = seat == self.arrangement.get("host", SEAT_LETTERS[0])
        self.rematch: Mapping[str, object] | None = self.arrangement.get("rematch")
        self.swaps: Mapping[str, Sequence[object]] = self.arrangement.get("rematch", {}).get("swaps", {})
        self.may_swap = self.rematch is not None and seat not in ("", self.rematch["winner"])

    @property
    def headline(self) -> str:
        if self.rematch is None:
            return "The table is being set."
        names = {seat.letter: seat.name for seat in self.state.seats}
        winner_name = (
            "You" if self.rematch["winner"] == self.seat else names.get(str(self.rematch["winner"]), FORMER_PLAYER)
        )
        return f"Another game. {winner_name} won the last one."

    @property
    def instruction(self) -> str:
        """Sentences that tell the player what to do."""
        if self.may_swap:
            swap = "You may swap one resident for another box's: go to its number."
            return f"{swap} Then start." if self.is_host else f"{swap} The host starts."
        if not self.is_host:
            return "The host starts the game."
        return "Arrows choose and change. Start when you like." if self.is_local else "Start when everybody is here."

    def table_options(self) -> list[Option]:
        """Return the options of the table: deck, token, seats and notes; on a server also the clock and the listing."""
        arrangement, host = self.arrangement, self.is_host
        can_change_deck = host and self.rematch is None
        code, token = arrangement["boxes"], arrangement["token"]
        deck_index = next((index for index, box in enumerate(BOX_NAMES) if code == deck_code(box)), len(BOX_NAMES))
        deck_messages = [arrange_message(boxes=box) for box in (*BOX_NAMES, RANDOM_DECK)]
        count_messages = [arrange_message(seats=count) for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
        seats = self.state.seats
        options = [
            self._option("deck", "Deck", deck_name(code), deck_messages if can_change_deck else (), deck_index),
            self._option(
                "token",
                "Token",
                f"silver {token}",
                [arrange_message(token=box) for box in TOKEN_NAMES] * host,
                TOKEN_NAMES.index(token),
            ),
            self._option("seats", "Seats", str(len(seats)), count_messages * host, len(seats) - MIN_PLAYERS),
            *[self._seat_option(seat) for seat in seats],
            self._option(
                "memory",
                "Notes",
                "none: play from memory" if arrangement["memory"] else "open: all you saw stays",
                [arrange_message(memory=False), arrange_message(memory=True)] * host,
                int(arrangement["memory"]),
            ),
        ]
        return options if self.is_local else [*options, *self._server_options()]

    def _server_options(self) -> list[Option]:
        seconds, listed = self.arrangement["seconds"], self.arrangement["listed"]
        clock_messages = [arrange_message(seconds=seconds_per_turn) for seconds_per_turn in TURN_SECONDS] * self.is_host
        listing_messages = [arrange_message(listed=False), arrange_message(listed=True)] * self.is_host
        away = self.arrangement.get("away", "")  # Servers of earlier versions have no such setting.
        away_messages = [arrange_message(away=choice) for choice in AWAY_CHOICES] * self.is_host
        clock_text = f"{seconds} seconds per turn" if seconds else "none"
        return [
            self._option(
                "clock",
                "Clock",
                clock_text,
                clock_messages,
                TURN_SECONDS.index(seconds) if seconds in TURN_SECONDS else -1,
            ),
            *[
                self._option("away", "Away", text, away_messages, AWAY_CHOICES.index(choice))
                for choice, text in AWAY_TEXTS.items()
                if choice == away
            ],
            self._option(
                "listed", "Open to", "anybody" if listed else "people with the link", listing_messages, int(listed)
            ),
        ]

    def _option(self, name: str, label: str, value: str, messages: Sequence[ProtocolMessage], index: int) -> Option:
        return Option(name, f"{label:{LABEL_COLUMNS}}", value, messages, index)

    def _seat_option(self, seat: SeatInfo) -> Option:
        """Return the option that assigns a seat to a person or a bot."""
        is_own = seat.letter == self.seat
        player_text = seat.bot or ("you" if is_own else "here" if seat.here else "free" if seat.free else "not here")
        bot_names = [*[""] * (not self.is_local), *bots.names()]
        messages = (
            [arrange_message(seat=seat.letter, bot=bot) for bot in bot_names] if self.is_host and not is_own else ()
        )
        index = bot_names.index(seat.bot) if seat.bot in bot_names else -1
        kind = "bot " if seat.bot else ""
        return self._option(
            f"seat {seat.letter}", f"Seat {seat.letter}", f"{seat.name}, {kind}{player_text}", messages, index
        )

    def number_options(self) -> list[Option]:
        """Return an option for each number of the deck: the box from which its resident is taken."""
        return [self._number_option(number, letter) for number, letter in enumerate(self.arrangement["boxes"])]

    def _number_option(self, number: int, letter: str) -> Option:
        resident = resident_summary(BOX_BY_LETTER[letter].residents[number])
        boxes = [owned.box for owned in own_residents(number)]
        swapper = next((seat for seat, swap in self.swaps.items() if swap[0] == number), "")
        if self.rematch is None:
            messages = [arrange_message(number=number, box=box) for box in boxes] if self.is_host else []
        else:
            messages = (
                self._swap_messages(number, str(self.rematch["base"])[number])
                if self.may_swap and swapper in ("", self.seat)
                else []
            )
        names = {seat.letter: seat.name for seat in self.state.seats}
        swap_text = (
            f" ({'your swap' if swapper == self.seat else names.get(swapper, '') + ', swapped'})" if swapper else ""
        )
        value = (
            f"{number_badge(resident):>3} {resident.name}{swap_text} {TIMING_SIGNS[resident.timing]} {resident.effect}"
        )
        return Option(f"number {number}", "", value, messages, boxes.index(resident.box), resident)

    def _swap_messages(self, number: int, base: str) -> list[ProtocolMessage]:
        """Return, for each box, the message that takes the resident of a number from that box.

        `base` is the letter of the number's box before any swap; the message for that box undoes the swap.
        """
        undo = {"type": "swap", "number": None}
        return [
            undo if resident.letter == base else {"type": "swap", "number": number, "box": resident.box}
            for resident in own_residents(number)
        ]


class LobbyScreen(ButtonScreen):
    DEFAULT_CSS = """
    LobbyScreen #detail { padding: 0 2; }
    LobbyScreen #lists { height: auto; }
    """
    BINDINGS = [
        ("up", "app.focus_previous", ""),
        ("down", "app.focus_next", ""),
        ("i,question_mark", "help", "Help"),
    ]

    def __init__(self, state: TableState, seat: str, is_local: bool = False, invitation: str = "") -> None:
        self.lobby = LobbyOptions(state, seat, is_local)
        self.invitation = invitation
        start = [("Start the game", "start", "s")] if self.lobby.is_host else []
        links = [("Copy the invitation", COPY_LINK, "c"), ("All links", SHOW_LINKS, "j")] if invitation else []
        # A host who keeps the deck just starts the game.
        keep_deck = [("Keep the deck", KEEP_DECK, "k")] if self.lobby.may_swap and not self.lobby.is_host else []
        super().__init__(
            self.lobby.headline, self.lobby.instruction, "", [*start, *keep_deck, *links, ("Leave", LEAVE, "q")]
        )

    def body(self) -> ComposeResult:
        with Horizontal(id="lists"):
            yield OptionRows(id="table")
            yield OptionRows(id="numbers")

    async def after_mount(self) -> None:
        """Show the options, and focus the start button if the player is the host."""
        self.query_one("#content").can_focus = False
        await self._refresh_options()
        if self.lobby.is_host:
            self.query(KeyButton).first().focus()

    async def show(self, state: TableState) -> None:
        """Show a new state of the table."""
        self.lobby = LobbyOptions(state, self.lobby.seat, self.lobby.is_local)
        await self._refresh_options()

    async def _refresh_options(self) -> None:
        lobby = self.lobby
        self.query_one("#headline", Static).update(Content(lobby.headline))
        self.query_one("#detail", Static).update(Content(lobby.instruction))
        await self.query_one("#table", OptionRows).show(lobby.table_options())
        await self.query_one("#numbers", OptionRows).show(lobby.number_options())
        if self.invitation:
            self.set_footer(f"Invite friends with this link: {self.invitation}")

    def action_help(self) -> None:
        """Show the rules of the resident at the focused number."""
        resident = self.focused.option.resident if isinstance(self.focused, OptionRow) else None
        if resident is not None:
            self.app.push_screen(resident_sheet(resident, ""))
