"""Screens at the end of a round and of a game."""

from collections.abc import Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from argentum.display.results import GameResult, RoundScoring, RoundSummary, SeatSummary, game_result, summarize_round
from argentum.display.scene import SeatInfo
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.screens.page import LEAVE, SAVE_RECORD, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.terminal.state import TableState
from argentum.terminal.widgets.cards import number_badge
from argentum.words.player_names import format_points

SUM_KINDS = ("sum", "score")  # kinds of ledger lines in bold; the first is below a horizontal line
AMOUNT_COLUMNS = 4


class RoundEndScreen(ButtonScreen):
    """Scoring of a finished round, one column per seat."""

    def __init__(self, scoring: RoundScoring, seats: Sequence[SeatInfo]) -> None:
        self.summary = summarize_round(scoring, seats)
        headline = f"Round {self.summary.round}: {self.summary.headline}"
        buttons = [(self.summary.next_button, "round_seen", "o")]
        super().__init__(headline, self.summary.explanation, self.summary.token_words, buttons)

    def body(self) -> ComposeResult:
        width = self.app.size.width // len(self.summary.columns) - 4
        with Horizontal(classes="columns"):
            for seat in self.summary.columns:
                with Vertical(classes="column lowest" if seat.is_lowest else "column"):
                    yield Static(render_seat_column(seat, self.summary, width))


def render_seat_column(seat: SeatSummary, summary: RoundSummary, width: int) -> Content:
    """Render a seat's scoring: text on the left, amounts on the right."""
    text_columns = width - AMOUNT_COLUMNS
    heading = "★ " * seat.is_lowest + seat.seat.name
    notes = [*[seat.call] * bool(seat.call), *[f"✦{summary.token}"] * seat.token]
    rows = [Content.styled(" ".join([heading, *notes]), "bold")]
    for line in [line for line in seat.ledger if line.amount]:
        badge = "" if line.number is None else f"{number_badge(summary.cast[line.number])} "
        *wrapped, last = wrap(badge + line.words, text_columns)
        style = "bold" if line.kind in SUM_KINDS else ""
        if line.kind == SUM_KINDS[0]:
            rows.append(Content("─" * width))
        rows += [Content.styled(text, style) for text in wrapped]
        rows.append(Content.styled(f"{last:{text_columns}}{line.amount:>{AMOUNT_COLUMNS}}", style))
    return join_lines(
        *rows, Content.styled(f"{'Total':{text_columns}}{format_points(seat.total):>{AMOUNT_COLUMNS}}", "bold")
    )


class GameEndScreen(ButtonScreen):
    """Final standings. `can_rematch` adds a button for another game, `is_local` one for another table."""

    def __init__(self, state: TableState, can_rematch: bool, is_local: bool = False) -> None:
        assert state.scene is not None
        self.result = game_result(state.seats, state.scores, state.winner, state.scene.viewer)
        buttons = [("Play again", "rematch", "p")] * can_rematch + [
            ("Arrange another table", "new_table", "a")
        ] * is_local
        buttons += [("Save the record", SAVE_RECORD, "r"), ("Leave", LEAVE, "q")]
        super().__init__(self.result.headline, "The fewest points win.", "", buttons)

    def body(self) -> ComposeResult:
        yield Static(render_standings(self.result), id="text")


def render_standings(result: GameResult) -> Content:
    """Render the points of each round in one row per seat, with the winner first (G19)."""
    width = max(len(row.name) for row in result.rows) + 6
    header = "".join([f"{number:>4}" for number in range(1, ROUNDS_PER_GAME + 1)])
    rows = [Content.styled(f"  {'':{width}}{header}  total", "$ink2")]
    for row in result.rows:
        you = " (you)" if row.yours else ""
        points = "".join([f"{format_points(round_points):>4}" for round_points in row.rounds])
        star, style = ("★", "bold") if row.winner else (" ", "")
        rows.append(Content.styled(f"{star} {row.name + you:{width}}{points}{format_points(row.total):>7}", style))
    return join_lines(*rows)
