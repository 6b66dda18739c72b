"""Before a game: who sits where, the deck, and how it is played. The host arranges it; losers swap a resident."""

from collections.abc import Mapping, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from argentum import bots
from argentum.display.scene import SeatInfo, resident_summary
from argentum.rooms.arrangement import TURN_SECONDS
from argentum.rules.boxes import RANDOM_DECK, resident_of
from argentum.rules.game import MIN_PLAYERS, MAX_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import BOXES
from argentum.terminal.screens.page import COPY, KEEP, LEAVE, LINKS, Page
from argentum.terminal.screens.sheets import resident_sheet
from argentum.terminal.sources import Message
from argentum.terminal.state import Moment
from argentum.terminal.widgets.buttons import Choice
from argentum.terminal.widgets.cards import WHEN, badge
from argentum.terminal.widgets.options import Option, Setting, SettingList
from argentum.words.site_texts import FORMER_PLAYER, deck_name

BOX_OF_LETTER: Final = {box[0]: box for box in BOXES}
LABEL: Final = 8  # columns


def arrange(**change: object) -> Message:
    """A message that changes the table."""
    return {"type": "arrange", **change}


class Lobby:
    """What can be set before a game, and by whom."""

    def __init__(self, moment: Moment, seat: str, local: bool) -> None:
        self.moment = moment
        self.seat = seat
        self.local = local  # without a server: no other people
        self.given = moment.arrangement
        self.host = seat == self.given.get("host", SEAT_LETTERS[0])
        self.again: Mapping[str, object] | None = self.given.get("rematch")
        self.swaps: Mapping[str, Sequence[object]] = self.given.get("rematch", {}).get("swaps", {})
        self.loser = self.again is not None and seat not in ("", self.again["winner"])

    @property
    def headline(self) -> str:
        """What is going on."""
        if self.again is None:
            return "The table is being set."
        names = {seat.letter: seat.name for seat in self.moment.seats}
        won = "You" if self.again["winner"] == self.seat else names.get(str(self.again["winner"]), FORMER_PLAYER)
        return f"Another game. {won} won the last one."

    @property
    def why(self) -> str:
        """What can be done."""
        if self.loser:
            swap = "You may swap one resident for another box's: go to its number."
            return f"{swap} Then start." if self.host else f"{swap} The host starts."
        if not self.host:
            return "The host starts the game."
        return "Arrows choose and change. Start when you like." if self.local else "Start when everybody is here."

    def table(self) -> list[Option]:
        """The deck as a whole, the seats, and the ways to play."""
        given, host = self.given, self.host
        free = host and self.again is None
        code, token = given["boxes"], given["token"]
        kind = BOXES.index(BOX_OF_LETTER[code[0]]) if len(set(code)) == 1 else len(BOXES)
        decks = [arrange(boxes=box) for box in (*BOXES, RANDOM_DECK)]
        counts = [arrange(seats=count) for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
        seats = self.moment.seats
        options = [
            self._option("deck", "Deck", deck_name(code), decks if free else (), kind),
            self._option(
                "token", "Token", f"silver {token}", [arrange(token=box) for box in BOXES] * host, BOXES.index(token)
            ),
            self._option("seats", "Seats", str(len(seats)), counts * host, len(seats) - MIN_PLAYERS),
            *[self._seat(seat) for seat in seats],
            self._option(
                "memory",
                "Notes",
                "none: play from memory" if given["memory"] else "open: all you saw stays",
                [arrange(memory=False), arrange(memory=True)] * host,
                int(given["memory"]),
            ),
        ]
        return options if self.local else [*options, *self._of_server()]

    def _of_server(self) -> list[Option]:
        """What only a table on a server has."""
        seconds, listed = self.given["seconds"], self.given["listed"]
        clocks = [arrange(seconds=one) for one in TURN_SECONDS] * self.host
        lists = [arrange(listed=False), arrange(listed=True)] * self.host
        clock = f"{seconds} seconds per turn" if seconds else "none"
        return [
            self._option(
                "clock", "Clock", clock, clocks, TURN_SECONDS.index(seconds) if seconds in TURN_SECONDS else -1
            ),
            self._option("listed", "Open to", "anybody" if listed else "people with the link", lists, int(listed)),
        ]

    def _option(self, name: str, label: str, value: str, ways: Sequence[Message], at: int) -> Option:
        return Option(name, f"{label:{LABEL}}", value, ways, at)

    def _seat(self, seat: SeatInfo) -> Option:
        """Who sits there: a person, or a bot."""
        you = seat.letter == self.seat
        who = seat.bot or ("you" if you else "here" if seat.here else "free" if seat.free else "not here")
        players = [*[""] * (not self.local), *bots.names()]
        ways = [arrange(seat=seat.letter, bot=bot) for bot in players] if self.host and not you else ()
        at = players.index(seat.bot) if seat.bot in players else -1
        kind = "bot " if seat.bot else ""
        return self._option(f"seat {seat.letter}", f"Seat {seat.letter}", f"{seat.name}, {kind}{who}", ways, at)

    def numbers(self) -> list[Option]:
        """The deck, number by number."""
        return [self._number(number, letter) for number, letter in enumerate(self.given["boxes"])]

    def _number(self, number: int, letter: str) -> Option:
        one = resident_summary(resident_of(BOX_OF_LETTER[letter], number))
        by = next((seat for seat, swap in self.swaps.items() if swap[0] == number), "")
        if self.again is None:
            ways = [arrange(number=number, box=box) for box in BOXES] if self.host else []
        else:
            ways = self._swaps(number, str(self.again["base"])[number]) if self.loser and by in ("", self.seat) else []
        names = {seat.letter: seat.name for seat in self.moment.seats}
        who = f" ({'your swap' if by == self.seat else names.get(by, '') + ', swapped'})" if by else ""
        value = f"{badge(one):>3} {one.name}{who} {WHEN[one.timing]} {one.effect}"
        return Option(f"number {number}", "", value, ways, BOXES.index(one.box), one)

    def _swaps(self, number: int, base: str) -> list[Message]:
        """A loser's ways with a number: a box's resident for it, or the one who lived there."""
        back = {"type": "swap", "number": None}
        return [back if box[0] == base else {"type": "swap", "number": number, "box": box} for box in BOXES]


class GatheringScreen(Page):
    """Waiting for the game to begin."""

    DEFAULT_CSS = """
    GatheringScreen #why { padding: 0 2; }
    GatheringScreen #lists { height: auto; }
    """
    BINDINGS = [
        ("up", "app.focus_previous", ""),
        ("down", "app.focus_next", ""),
        ("i,question_mark", "help", "Help"),
    ]

    def __init__(self, moment: Moment, seat: str, local: bool = False, invitation: str = "") -> None:
        self.lobby = Lobby(moment, seat, local)
        self.invitation = invitation
        start = [("Start the game", "start", "s")] if self.lobby.host else []
        links = [("Copy the invitation", COPY, "c"), ("All links", LINKS, "j")] if invitation else []
        keep = [("Keep the deck", KEEP, "k")] if self.lobby.loser and not self.lobby.host else []  # the host starts
        super().__init__(self.lobby.headline, self.lobby.why, "", [*start, *keep, *links, ("Leave", LEAVE, "q")])

    def body(self) -> ComposeResult:
        """Settings to the left, the deck to the right."""
        with Horizontal(id="lists"):
            yield SettingList(id="table")
            yield SettingList(id="numbers")

    async def arrived(self) -> None:
        """Show what is set; whoever starts needs one key."""
        self.query_one("#what").can_focus = False
        await self._tell()
        if self.lobby.host:
            self.query(Choice).first().focus()

    async def show(self, moment: Moment) -> None:
        """Somebody came or went, or something was changed."""
        self.lobby = Lobby(moment, self.lobby.seat, self.lobby.local)
        await self._tell()

    async def _tell(self) -> None:
        lobby = self.lobby
        self.query_one("#headline", Static).update(Content(lobby.headline))
        self.query_one("#why", Static).update(Content(lobby.why))
        await self.query_one("#table", SettingList).show(lobby.table())
        await self.query_one("#numbers", SettingList).show(lobby.numbers())
        if self.invitation:
            self.say_last(f"Invite friends with this link: {self.invitation}")

    def action_help(self) -> None:
        """The rules of the resident whose number one is at."""
        one = self.focused.option.resident if isinstance(self.focused, Setting) else None
        if one is not None:
            self.app.push_screen(resident_sheet(one, ""))
