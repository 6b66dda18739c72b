"""The end of a round, every village open and reckoned line by line; and the end of a game."""

from collections.abc import Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

from argentum import words
from argentum.rules.scoring import ROUNDS
from argentum.rules.views import View
from argentum.tableside.scene import Scene, Seat, portrait
from argentum.tableside.updates import Reckoning
from argentum.terminal.buttons import ButtonRows, Choice
from argentum.terminal.cards import badge
from argentum.terminal.moments import Moment
from argentum.terminal.sheets import lines
from argentum.words.ledger import MINUS

SUMS = ("sum", "score")  # lines that are ruled off
AMOUNT = 4  # columns
LEAVE = "leave"


class Page(Screen[str]):
    """A page that is read and then left by a button; it returns what the button says to do."""

    DEFAULT_CSS = """
    Page { background: $sky; color: $ink; align-horizontal: center; }
    Page #headline { text-style: bold; padding: 0 2; }
    Page #why { color: $ink2; padding: 0 2 1 2; }
    Page #what { height: 1fr; padding: 0 1; }
    Page #last { padding: 0 2; color: $ink2; height: auto; }
    Page ButtonRows { padding: 0 2; }
    Page Horizontal.columns { height: auto; }
    Page #told { padding: 0 1; }
    Page .column { width: 1fr; height: auto; padding: 0 1; background: $ground; margin: 0 1 0 0; }
    Page .lowest { background: $paper; color: $paper-ink; }
    """
    BINDINGS = [("enter,space", "main", "Go on")]

    def __init__(self, headline: str, why: str, last: str, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.headline, self.why, self.last, self.choices = headline, why, last, choices

    def compose(self) -> ComposeResult:
        """Headline, what there is to read, and buttons."""
        yield Static(Content(self.headline), id="headline")
        yield Static(Content(self.why), id="why")
        with VerticalScroll(id="what"):
            yield from self.body()
        yield Static(Content(self.last), id="last")
        yield ButtonRows()

    def body(self) -> ComposeResult:
        """What there is to read."""
        yield from ()

    async def on_mount(self) -> None:
        """Show the buttons."""
        choices = [Choice(text, does, key, nth == 0) for nth, (text, does, key) in enumerate(self.choices)]
        await self.query_one(ButtonRows).show(choices, self.app.size.width - 4)
        self.query_one("#what").focus()

    def on_key(self, event: Key) -> None:
        """A letter presses its button."""
        for _, does, key in self.choices:
            if event.key == key:
                event.stop()
                self.dismiss(does)

    def on_choice_pressed(self, event: Choice.Pressed) -> None:
        """A button."""
        self.dismiss(event.button.move)

    def action_main(self) -> None:
        """The first button, unless it would lead away from the table."""
        if self.choices[0][1] != LEAVE:
            self.dismiss(self.choices[0][1])


class RevealScreen(Page):
    """How a round was scored."""

    def __init__(self, reckoning: Reckoning, seats: Sequence[Seat]) -> None:
        self.end, self.seats = reckoning.view, seats
        self.ledgers = words.ledger(reckoning.lines, self.end)
        headline, why = words.verdict(reckoning.lines, self.end)
        on = "See the result" if self.end.round == ROUNDS else f"On to round {self.end.round + 1}"
        super().__init__(f"Round {self.end.round}: {headline}", why, words.inheritance(self.end), [(on, "seen", "o")])

    def body(self) -> ComposeResult:
        """A column a seat."""
        width = self.app.size.width // len(self.seats) - 4
        with Horizontal(classes="columns"):
            for seat in self.seats:
                lowest = self.end.scores[seat.letter] == min(self.end.scores.values())
                with Vertical(classes="column lowest" if lowest else "column"):
                    yield Static(column(self.end, seat, self.ledgers[seat.letter], width))


def column(end: View, seat: Seat, ledger: Sequence[words.LedgerLine], width: int) -> Content:
    """One seat's reckoning: words to the left, amounts to the right."""
    room = width - AMOUNT
    lowest = end.scores[seat.letter] == min(end.scores.values())
    marks = ["★ " * lowest + seat.name, *["called"] * (seat.letter == end.caller)]
    marks += [f"✦{end.token}"] * (seat.letter == end.token_seat)
    rows = [Content.styled(" ".join(marks), "bold")]
    for line in [line for line in ledger if line.amount]:
        face = "" if line.number is None else f"{badge(portrait(end.residents[line.number]))} "
        *before, last = wrap(face + line.words, room)
        style = "bold" if line.kind in SUMS else ""
        if line.kind == SUMS[0]:
            rows.append(Content("─" * width))
        rows += [Content.styled(part, style) for part in before]
        rows.append(Content.styled(f"{last:{room}}{line.amount:>{AMOUNT}}", style))
    total = str(end.totals[seat.letter]).replace("-", MINUS)
    return lines(*rows, Content.styled(f"{'Total':{room}}{total:>{AMOUNT}}", "bold"))


class ResultScreen(Page):
    """The end of a game."""

    def __init__(self, moment: Moment, again: bool) -> None:
        assert moment.scene is not None
        self.scene, self.winner = moment.scene, moment.winner
        name = next(seat.name for seat in moment.seats if seat.letter == moment.winner)
        won = "You win." if moment.scene.you == moment.winner else f"{name} wins."
        choices = [("Play again", "rematch", "p")] * again
        super().__init__(won, "The fewest points win.", "", [*choices, ("Leave", LEAVE, "q")])

    def body(self) -> ComposeResult:
        """The final standing."""
        yield Static(standing(self.scene, self.winner), id="told")


def standing(scene: Scene, winner: str) -> Content:
    """Everybody's points, the winner first (G19)."""
    order = sorted(scene.scores, key=lambda score: (score.total, score.seat.letter != winner))
    width = max(len(score.seat.name) for score in order) + 6
    rows = [Content.styled(f"  {'':{width}}   1   2   3   4  total", "$ink2")]
    for score in order:
        you = " (you)" if score.yours else ""
        points = "".join([f"{one:>4}" for one in score.rounds])
        star, style = ("★", "bold") if score.seat.letter == winner else (" ", "")
        rows.append(Content.styled(f"{star} {score.seat.name + you:{width}}{points}{score.total:>7}", style))
    return lines(*rows)
