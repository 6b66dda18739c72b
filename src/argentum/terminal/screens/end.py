"""Round and game end screens."""

from collections.abc import Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from argentum.display.results import GameResult, RoundScoring, RoundSummary, SeatSummary, game_result, summarize_round
from argentum.display.scene import SeatInfo
from argentum.terminal.screens.page import LEAVE, SAVE_RECORD, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.terminal.state import TableState
from argentum.terminal.widgets.cards import number_badge
from argentum.words.player_names import signed

SUM_KINDS = ("sum", "score")  # lines that are ruled off
AMOUNT_COLUMNS = 4  # columns


class RoundEndScreen(ButtonScreen):
    """How a round was scored."""

    def __init__(self, reckoning: RoundScoring, seats: Sequence[SeatInfo]) -> None:
        self.reveal = summarize_round(reckoning, seats)
        headline = f"Round {self.reveal.round}: {self.reveal.headline}"
        choices = [(self.reveal.next_button, "seen", "o")]
        super().__init__(headline, self.reveal.explanation, self.reveal.token_words, choices)

    def body(self) -> ComposeResult:
        """A column a seat."""
        width = self.app.size.width // len(self.reveal.columns) - 4
        with Horizontal(classes="columns"):
            for one in self.reveal.columns:
                with Vertical(classes="column lowest" if one.is_lowest else "column"):
                    yield Static(seat_column(one, self.reveal, width))


def seat_column(one: SeatSummary, reveal: RoundSummary, width: int) -> Content:
    """One seat's reckoning: words to the left, amounts to the right."""
    room = width - AMOUNT_COLUMNS
    marks = ["★ " * one.is_lowest + one.seat.name, *[one.call] * bool(one.call), *[f"✦{reveal.token}"] * one.token]
    rows = [Content.styled(" ".join(marks), "bold")]
    for line in [line for line in one.ledger if line.amount]:
        face = "" if line.number is None else f"{number_badge(reveal.cast[line.number])} "
        *before, last = wrap(face + line.words, room)
        style = "bold" if line.kind in SUM_KINDS else ""
        if line.kind == SUM_KINDS[0]:
            rows.append(Content("─" * width))
        rows += [Content.styled(part, style) for part in before]
        rows.append(Content.styled(f"{last:{room}}{line.amount:>{AMOUNT_COLUMNS}}", style))
    return join_lines(*rows, Content.styled(f"{'Total':{room}}{signed(one.total):>{AMOUNT_COLUMNS}}", "bold"))


class GameEndScreen(ButtonScreen):
    """The end of a game."""

    def __init__(self, moment: TableState, again: bool, local: bool = False) -> None:
        assert moment.scene is not None
        self.result = game_result(moment.seats, moment.scores, moment.winner, moment.scene.viewer)
        choices = [("Play again", "rematch", "p")] * again + [("Arrange another table", "new_table", "a")] * local
        choices += [("Save the record", SAVE_RECORD, "r"), ("Leave", LEAVE, "q")]
        super().__init__(self.result.headline, "The fewest points win.", "", choices)

    def body(self) -> ComposeResult:
        """The final standing."""
        yield Static(standings(self.result), id="text")


def standings(result: GameResult) -> Content:
    """Everybody's points, the winner first (G19)."""
    width = max(len(row.name) for row in result.rows) + 6
    rows = [Content.styled(f"  {'':{width}}   1   2   3   4  total", "$ink2")]
    for row in result.rows:
        you = " (you)" if row.yours else ""
        points = "".join([f"{signed(one):>4}" for one in row.rounds])
        star, style = ("★", "bold") if row.winner else (" ", "")
        rows.append(Content.styled(f"{star} {row.name + you:{width}}{points}{signed(row.total):>7}", style))
    return join_lines(*rows)
