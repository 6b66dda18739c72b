"""Convert results to rows of tables, and format tables as text and Markdown."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from argentum.arena.contest import BotStanding, CellResult
from argentum.arena.estimates import Estimate
from argentum.arena.players.oracle import ORACLE_NAME
from argentum.arena.ratings import BotRating
from argentum.rules.boxes import RANDOM_DECK

TableRows: TypeAlias = Sequence[Sequence[str]]  # the first row is the heading

ALONE_COLUMN: Final = "alone"  # only for games of three and four
STANDING_COLUMNS: Final = ("games won", "points ahead", "mean rank", "calls per game", "calls won", "ms per decision")


def text_table(rows: TableRows, width: int | None = None) -> str:
    """Format rows as text, with the first column aligned left and the others right.

    Columns that do not fit into the width follow below, with the first column repeated.

    >>> print(text_table([("bot", "won"), ("steady", "9")]))
    bot     won
    steady    9
    >>> print(text_table([("bot", "won", "rank"), ("steady", "9", "1.5")], 14))
    bot     won
    steady    9
    <BLANKLINE>
    bot     rank
    steady   1.5
    """
    widths = [max([len(row[place]) for row in rows]) for place in range(len(rows[0]))]
    blocks: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        used = widths[0] + sum([2 + widths[column] for column in (*blocks[-1], place)])
        if width is not None and used > width and blocks[-1]:
            blocks.append([])
        blocks[-1].append(place)
    block_lines = [
        [[row[0].ljust(widths[0]), *[row[place].rjust(widths[place]) for place in block]] for row in rows]
        for block in blocks
    ]
    return "\n\n".join(["\n".join(["  ".join(line).rstrip() for line in lines]) for lines in block_lines])


def markdown_table(rows: TableRows) -> str:
    rule = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "\n".join(["| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]]])


def percent_with_interval(fraction: Estimate) -> str:
    """Format a fraction in percent, with its interval.

    >>> percent_with_interval(Estimate(0.625, 0.5, 0.75))
    '62.5 % (50.0 to 75.0)'
    """
    mean, low, high = fraction.scaled(100)
    return f"{mean:.1f} % ({low:.1f} to {high:.1f})"


def points_with_interval(points: Estimate) -> str:
    """Format points with their interval, unless it is infinite because there is only one deal."""
    if points.low == float("-inf"):
        return f"{points.mean:+.1f}"
    return f"{points.mean:+.1f} ({points.low:+.1f} to {points.high:+.1f})"


def player_label(bot: str) -> str:
    """Return a player's name for tables; that of the oracle says that it sees all cards."""
    return f"{bot} (sees all cards)" if bot == ORACLE_NAME else bot


def deck_label(boxes: str) -> str:
    return "random mixes" if boxes == RANDOM_DECK else boxes


def cell_title(result: CellResult) -> str:
    games = f"{result.games} game{'s' * (result.games != 1)} on {result.deals} deal{'s' * (result.deals != 1)}"
    return f"{deck_label(result.cell.boxes)}, {result.cell.players} players, {games}"


def standing_row(standing: BotStanding) -> tuple[str, ...]:
    return (
        percent_with_interval(standing.wins),
        points_with_interval(standing.points_ahead),
        f"{standing.rank.mean:.2f}",
        f"{standing.calls_per_game:.2f}",
        f"{100 * standing.calls_won:.0f} %",
        f"{1000 * standing.seconds_per_decision:.1f}",
    )


def cell_rows(result: CellResult) -> TableRows:
    """Return a header row, then a row for each bot of a cell, the best first."""
    best = result.best_first()
    rows: list[tuple[str, ...]] = [
        ("bot", *STANDING_COLUMNS),
        *[(player_label(standing.bot), *standing_row(standing)) for standing in best],
    ]
    if any([standing.alone_wins for standing in best]):
        cells = [
            ALONE_COLUMN,
            *[percent_with_interval(standing.alone_wins) if standing.alone_wins else "" for standing in best],
        ]
        rows = [(*row[:2], cell, *row[2:]) for row, cell in zip(rows, cells, strict=True)]
    return rows


def rating_rows(ratings: Sequence[BotRating]) -> TableRows:
    return [
        ("bot", "rating", "95 %", "games"),
        *[
            (player_label(bot), f"{rating.mean:.0f}", f"{rating.low:.0f} to {rating.high:.0f}", f"{games}")
            for bot, rating, games in ratings
        ],
    ]
