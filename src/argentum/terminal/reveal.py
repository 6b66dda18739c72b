"""The end of a round, every village open and reckoned line by line; and the end of a game."""

from collections.abc import Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from argentum.display.results import Column, Reckoning, Result, Reveal, result_of, reveal_of
from argentum.display.scene import Seat
from argentum.terminal.buttons import ButtonRows, Choice
from argentum.terminal.cards import badge
from argentum.terminal.moments import Moment
from argentum.terminal.sheets import lines
from argentum.words.player_names import signed

SUMS = ("sum", "score")  # lines that are ruled off
AMOUNT = 4  # columns
LEAVE, RECORD, COPY, LINKS, KEEP = "leave", "record", "copy", "links", "keep"
STAYING = (RECORD, COPY, LINKS, KEEP)  # what is done without leaving the page


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

    class Wanted(Message):
        """Something is to be done, and the page stays."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

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
        await self.arrived()

    async def arrived(self) -> None:
        """The page is there: arrows scroll what there is to read."""
        self.query_one("#what").focus()

    def say_last(self, words: str) -> None:
        """Say something below what there is to read."""
        self.query_one("#last", Static).update(Content(words))

    def on_key(self, event: Key) -> None:
        """A letter presses its button."""
        for _, does, key in self.choices:
            if event.key == key:
                event.stop()
                self.do(does)

    def on_choice_pressed(self, event: Choice.Pressed) -> None:
        """A button."""
        self.do(event.button.move)

    def action_main(self) -> None:
        """The first button, unless it would lead away from the table."""
        if self.choices[0][1] != LEAVE:
            self.do(self.choices[0][1])

    def do(self, what: str) -> None:
        """Do what a button says: most of them leave the page."""
        if what in STAYING:
            self.post_message(self.Wanted(what))
        elif self.is_current:  # and not pressed twice
            self.dismiss(what)


class RevealScreen(Page):
    """How a round was scored."""

    def __init__(self, reckoning: Reckoning, seats: Sequence[Seat]) -> None:
        self.reveal = reveal_of(reckoning, seats)
        headline = f"Round {self.reveal.round}: {self.reveal.headline}"
        choices = [(self.reveal.next_text, "seen", "o")]
        super().__init__(headline, self.reveal.explanation, self.reveal.token_words, choices)

    def body(self) -> ComposeResult:
        """A column a seat."""
        width = self.app.size.width // len(self.reveal.columns) - 4
        with Horizontal(classes="columns"):
            for one in self.reveal.columns:
                with Vertical(classes="column lowest" if one.lowest else "column"):
                    yield Static(column(one, self.reveal, width))


def column(one: Column, reveal: Reveal, width: int) -> Content:
    """One seat's reckoning: words to the left, amounts to the right."""
    room = width - AMOUNT
    marks = ["★ " * one.lowest + one.seat.name, *[one.call] * bool(one.call), *[f"✦{reveal.token}"] * one.token]
    rows = [Content.styled(" ".join(marks), "bold")]
    for line in [line for line in one.ledger if line.amount]:
        face = "" if line.number is None else f"{badge(reveal.cast[line.number])} "
        *before, last = wrap(face + line.words, room)
        style = "bold" if line.kind in SUMS else ""
        if line.kind == SUMS[0]:
            rows.append(Content("─" * width))
        rows += [Content.styled(part, style) for part in before]
        rows.append(Content.styled(f"{last:{room}}{line.amount:>{AMOUNT}}", style))
    return lines(*rows, Content.styled(f"{'Total':{room}}{signed(one.total):>{AMOUNT}}", "bold"))


class ResultScreen(Page):
    """The end of a game."""

    def __init__(self, moment: Moment, again: bool, local: bool = False) -> None:
        assert moment.scene is not None
        self.result = result_of(moment.seats, moment.scores, moment.winner, moment.scene.you)
        choices = [("Play again", "rematch", "p")] * again + [("Arrange another table", "another", "a")] * local
        choices += [("Save the record", RECORD, "r"), ("Leave", LEAVE, "q")]
        super().__init__(self.result.headline, "The fewest points win.", "", choices)

    def body(self) -> ComposeResult:
        """The final standing."""
        yield Static(standing(self.result), id="told")


def standing(result: Result) -> Content:
    """Everybody's points, the winner first (G19)."""
    width = max(len(row.name) for row in result.rows) + 6
    rows = [Content.styled(f"  {'':{width}}   1   2   3   4  total", "$ink2")]
    for row in result.rows:
        you = " (you)" if row.yours else ""
        points = "".join([f"{signed(one):>4}" for one in row.rounds])
        star, style = ("★", "bold") if row.winner else (" ", "")
        rows.append(Content.styled(f"{star} {row.name + you:{width}}{points}{signed(row.total):>7}", style))
    return lines(*rows)
