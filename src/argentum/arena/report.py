"""The arena's results as rows: for a terminal, and as Markdown."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from argentum.arena.contest import BotStanding, CellResult
from argentum.arena.estimates import Estimate
from argentum.arena.players.oracle import ORACLE_NAME
from argentum.arena.ratings import BotRating
from argentum.rules.boxes import RANDOM_DECK

TableRows: TypeAlias = Sequence[Sequence[str]]  # the first is the heading

ALONE_COLUMN: Final = "alone"  # how a column is called that only games of three and four have
STANDING_COLUMNS: Final = ("games won", "points ahead", "mean rank", "calls per game", "calls won", "ms per decision")


def text_table(rows: TableRows, width: int | None = None) -> str:
    """Rows as lines of text; the first column is words, the others figures.

    Columns beyond the width follow below, beside the first column again.

    >>> print(columns([("bot", "won"), ("steady", "9")]))
    bot     won
    steady    9
    >>> print(columns([("bot", "won", "rank"), ("steady", "9", "1.5")], 14))
    bot     won
    steady    9
    <BLANKLINE>
    bot     rank
    steady   1.5
    """
    widths = [max([len(row[place]) for row in rows]) for place in range(len(rows[0]))]
    blocks: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        taken = widths[0] + sum([2 + widths[standing] for standing in (*blocks[-1], place)])
        if width is not None and taken > width and blocks[-1]:
            blocks.append([])
        blocks[-1].append(place)
    parts = [
        [[row[0].ljust(widths[0]), *[row[place].rjust(widths[place]) for place in block]] for row in rows]
        for block in blocks
    ]
    return "\n\n".join(["\n".join(["  ".join(line).rstrip() for line in lines]) for lines in parts])


def markdown_table(rows: TableRows) -> str:
    """Rows as a Markdown table."""
    rule = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "\n".join(["| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]]])


def percent_with_interval(share: Estimate) -> str:
    """A share with its interval.

    >>> percent(Estimate(0.625, 0.5, 0.75))
    '62.5 % (50.0 to 75.0)'
    """
    mean, low, high = share.scaled(100)
    return f"{mean:.1f} % ({low:.1f} to {high:.1f})"


def points_with_interval(points: Estimate) -> str:
    """Points with their interval, which one deal alone does not have."""
    if points.low == float("-inf"):
        return f"{points.mean:+.1f}"
    return f"{points.mean:+.1f} ({points.low:+.1f} to {points.high:+.1f})"


def player_label(bot: str) -> str:
    """A player's name; the oracle is marked wherever it is named."""
    return f"{bot} (sees all cards)" if bot == ORACLE_NAME else bot


def deck_label(boxes: str) -> str:
    """What is played with."""
    return "random mixes" if boxes == RANDOM_DECK else boxes


def cell_title(table: CellResult) -> str:
    """What a table is about."""
    games = f"{table.games} game{'s' * (table.games != 1)} on {table.deals} deal{'s' * (table.deals != 1)}"
    return f"{deck_label(table.cell.boxes)}, {table.cell.players} players, {games}"


def standing_row(standing: BotStanding) -> tuple[str, ...]:
    """How a bot did."""
    return (
        percent_with_interval(standing.wins),
        points_with_interval(standing.points_ahead),
        f"{standing.rank.mean:.2f}",
        f"{standing.calls_per_game:.2f}",
        f"{100 * standing.calls_won:.0f} %",
        f"{1000 * standing.seconds_per_decision:.1f}",
    )


def table_rows(table: CellResult) -> TableRows:
    """How the bots of a cell stand, the best first."""
    best = table.best_first()
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
    """The ladder."""
    return [
        ("bot", "rating", "95 %", "games"),
        *[
            (player_label(bot), f"{rating.mean:.0f}", f"{rating.low:.0f} to {rating.high:.0f}", f"{games}")
            for bot, rating, games in ratings
        ],
    ]
