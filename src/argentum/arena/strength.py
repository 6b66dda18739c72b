"""The full measurement of the bots' strength, and its report as a Markdown page."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.ability_values import AbilityValues, ability_value_rows
from argentum.arena.contest import Cell, CellResult, JobResults, cell_result, group_by_complete_deal, points_ahead
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job
from argentum.arena.match import Match, interleave_deals, to_json
from argentum.arena.players.oracle import ORACLE_NAME
from argentum.arena.ratings import bootstrap_interval
from argentum.arena.report import (
    STANDING_COLUMNS,
    TableRows,
    deck_label,
    markdown_table,
    percent_with_interval,
    player_label,
    rating_rows,
    standing_row,
)
from argentum.rules.boxes import PUBLISHED_BOXES, RANDOM_DECK

REFERENCE_BOT: Final = "steady"
GAP_BOOTSTRAP_SAMPLES: Final = 1000


class OracleGap(NamedTuple):
    """The fraction of the gap between steady and the oracle that a bot closes, in two-player games against steady."""

    bot: str
    boxes: str
    bot_wins: Estimate
    oracle_wins: Estimate
    closed: Estimate  # fraction of the gap in wins above one half
    closed_points: Estimate  # fraction of the gap in points ahead


def oracle_gap(bot: str, boxes: str, jobs: Sequence[Job], results: JobResults) -> OracleGap | None:
    """Compare a bot with the oracle on the same deals; return None until both have a complete deal."""
    cells = [Cell((name, REFERENCE_BOT), boxes, 2) for name in (bot, ORACLE_NAME)]
    groups = [
        [job for job in jobs if job.deal[:2] == cell[1:] and set(job.seating) == set(cell.names)] for cell in cells
    ]
    tables = [cell_result(cell, group, results) for cell, group in zip(cells, groups, strict=True)]
    if not all([table.standings for table in tables]):
        return None
    figures = [deal_figures(cell.names[0], group, results) for cell, group in zip(cells, groups, strict=True)]
    wins, points = [
        closed_gap_fraction([deal[index] for deal in figures[0]], [deal[index] for deal in figures[1]])
        for index in (0, 1)
    ]
    return OracleGap(bot, boxes, tables[0].standings[0].wins, tables[1].standings[0].wins, wins, points)


def deal_figures(name: str, jobs: Sequence[Job], results: JobResults) -> list[tuple[float, float]]:
    """Return, for each complete deal, the bot's share of games won minus one half, and its mean points ahead."""
    return [
        (
            fmean([seat.rank == 1 for _, seats in games for seat in seats if seat.bot == name]) - 0.5,
            fmean([points_ahead(name, seats) for _, seats in games]),
        )
        for games in group_by_complete_deal(jobs, results)
    ]


def closed_gap_fraction(bot_values: Sequence[float], oracle_values: Sequence[float]) -> Estimate:
    """Return the fraction of the oracle's mean advantage that a bot reaches, with a bootstrap interval over deals."""
    random = Random("gap")
    samples = [
        mean_ratio(random.choices(bot_values, k=len(bot_values)), random.choices(oracle_values, k=len(oracle_values)))
        for _ in range(GAP_BOOTSTRAP_SAMPLES)
    ]
    return bootstrap_interval(mean_ratio(bot_values, oracle_values), samples)


def mean_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> float:
    """Return the ratio of two means, or 0 if the mean of the denominators is not positive."""
    gap = fmean(denominators)
    return fmean(numerators) / gap if gap > 0 else 0.0


def oracle_gap_rows(gaps: Sequence[OracleGap]) -> TableRows:
    return [
        ("bot", "decks", "beats steady in", "the oracle does in", "gap closed", "in points"),
        *[
            (
                player_label(gap.bot),
                deck_label(gap.boxes),
                percent_with_interval(gap.bot_wins),
                percent_with_interval(gap.oracle_wins),
                percent_with_interval(gap.closed),
                percent_with_interval(gap.closed_points),
            )
            for gap in gaps
        ],
    ]


MEASURED_DECKS: Final = (*[box.name for box in PUBLISHED_BOXES], RANDOM_DECK)
PLAYER_COUNTS: Final = (2, 3, 4)
PLAYER_COUNT_WORDS: Final = {2: "two", 3: "three", 4: "four"}
MIN_DEALS: Final = 10  # fewer deals give intervals too wide to report
GAMES_PER_DEAL: Final = 2  # of two players, in both seat orders
PAGE_BEGIN_MARK: Final = "<!-- argentum arena writes from here -->"
PAGE_END_MARK: Final = "<!-- argentum arena writes to here -->"


class StrengthReport:
    """The games of the full strength measurement, and the report on their results.

    It rates the bots `names` (weakest first) on all decks, compares a reference bot with the oracle, which sees all
    cards, and measures the value of each ability.
    """

    def __init__(self, names: Sequence[str], games: int, seed: int) -> None:
        self.pool = Match(names, MEASURED_DECKS, PLAYER_COUNTS, games, seed, rated=True)
        self.oracle_match = Match([REFERENCE_BOT, ORACLE_NAME], MEASURED_DECKS, [2], games, seed)
        self.abilities = AbilityValues(games, seed)
        self.plans = (self.pool, self.oracle_match, self.abilities)

    @property
    def jobs(self) -> list[Job]:
        return interleave_deals([job for plan in self.plans for job in plan.jobs])

    def text(self, results: JobResults, width: int | None = None) -> str:
        """Format the results for a terminal with `width` columns."""
        return "\n\n".join([plan.text(results, width) for plan in self.plans])

    def to_json(self, results: JobResults) -> dict[str, Any]:
        return {
            **self.pool.to_json(results),
            "oracle": self.oracle_match.to_json(results)["tables"],
            "gaps": to_json(self.oracle_gaps(results)),
            **self.abilities.to_json(results),
        }

    def page(self, results: JobResults, command: str, day: str) -> str:
        """Format the report in Markdown, with the command that writes it and the date.

        Cells and sections with too few complete deals are omitted.
        """
        oracle = self.oracle_rows(results)
        measured = [table.cell.boxes for table in self.oracle_match.results(results) if has_enough_deals(table)]
        gaps = [gap for gap in self.oracle_gaps(results) if gap.boxes in measured]
        abilities = [value for value in self.abilities.values(results) if value.games >= GAMES_PER_DEAL * MIN_DEALS]
        played, planned = len(results), len(self.jobs)
        return (
            "\n\n".join(
                [
                    PAGE_INTRODUCTION.format(command=command, day=day),
                    *([PAGE_STOPPED.format(played=played, planned=planned)] if played < planned else []),
                    PAGE_RATINGS,
                    markdown_table(rating_rows(self.pool.ratings(results))),
                    PAGE_PAIRS,
                    markdown_table(self.pair_rows(results)),
                    *[part for players in PLAYER_COUNTS for part in self.players_section(players, results)],
                    *([PAGE_ORACLE, markdown_table(oracle)] if len(oracle) > 1 else []),
                    *([PAGE_GAP, markdown_table(oracle_gap_rows(gaps))] if gaps else []),
                    *([PAGE_ABILITIES, markdown_table(ability_value_rows(abilities))] if abilities else []),
                ]
            )
            + "\n"
        )

    def pair_rows(self, results: JobResults) -> TableRows:
        """Return a header row, then for each pair of bots a row with the stronger one's share of games won, by deck."""
        rows: list[list[str]] = [["", *[deck_label(boxes) for boxes in MEASURED_DECKS]]]
        for weaker, stronger in combinations(self.pool.names, 2):
            tables = [self.pair_result(stronger, weaker, boxes, results) for boxes in MEASURED_DECKS]
            win_texts = [
                percent_with_interval(table.standings[0].wins) if has_enough_deals(table) else "" for table in tables
            ]
            rows += [[f"{player_label(stronger)} beats {player_label(weaker)}", *win_texts]] if any(win_texts) else []
        return rows

    def pair_result(self, bot: str, other: str, boxes: str, results: JobResults) -> CellResult:
        """Return the result of the two-player games between two bots of the pool."""
        jobs = self.pool.cells[Cell(tuple(self.pool.names), boxes, 2)]
        return cell_result(
            Cell((bot, other), boxes, 2), [job for job in jobs if set(job.seating) == {bot, other}], results
        )

    def players_section(self, players: int, results: JobResults) -> list[str]:
        """Return the paragraphs about games with `players` players; empty if no cell has enough deals."""
        tables = [
            table for table in self.pool.results(results) if table.cell.players == players and has_enough_deals(table)
        ]
        if not tables:
            return []
        rows: list[tuple[str, ...]] = [("bot", "decks", *STANDING_COLUMNS)]
        for table in tables:
            rows += [
                (player_label(standing.bot), deck_label(table.cell.boxes), *standing_row(standing))
                for standing in table.best_first()
            ]
        games = ", ".join([f"{deck_label(table.cell.boxes)} {table.games} ({table.deals})" for table in tables])
        return [
            PAGE_PLAYERS.format(players=PLAYER_COUNT_WORDS[players], games=games, even=100 / players),
            markdown_table(rows),
        ]

    def oracle_rows(self, results: JobResults) -> TableRows:
        rows: list[tuple[str, ...]] = [("", "decks", *STANDING_COLUMNS)]
        for table in self.oracle_match.results(results):
            if not has_enough_deals(table):
                continue
            oracle = table.standings[-1]
            rows.append((player_label(oracle.bot), deck_label(table.cell.boxes), *standing_row(oracle)))
        return rows

    def oracle_gaps(self, results: JobResults) -> list[OracleGap]:
        """Return the oracle gaps of the bots that come after steady in the pool."""
        names = self.pool.names
        better = names[names.index(REFERENCE_BOT) + 1 :] if REFERENCE_BOT in names else []
        jobs = [*self.pool.jobs, *self.oracle_match.jobs]
        gaps = [oracle_gap(bot, boxes, jobs, results) for bot in better for boxes in MEASURED_DECKS]
        return [gap for gap in gaps if gap is not None]


def has_enough_deals(table: CellResult) -> bool:
    return table.deals >= MIN_DEALS


def insert_into_page(page: str, report: str) -> str:
    """Put the report between the two marks of a page, or on a new page if `page` is empty.

    Raise ValueError if a page has no marks.
    """
    if not page:
        return f"{PAGE_TITLE}\n\n{PAGE_BEGIN_MARK}\n\n{report}\n{PAGE_END_MARK}\n"
    before, begin, rest = page.partition(PAGE_BEGIN_MARK)
    _, end, after = rest.partition(PAGE_END_MARK)
    if not begin or not end:
        raise ValueError(
            f"the page has no marks for the report: add the lines {PAGE_BEGIN_MARK!r} and {PAGE_END_MARK!r}"
        )
    return f"{before}{PAGE_BEGIN_MARK}\n\n{report}\n{PAGE_END_MARK}{after}"


PAGE_TITLE: Final = "# How strong the bots are"

PAGE_INTRODUCTION: Final = """\
This part was written by

    {command}

[The arena](arena.md) describes the method. In brackets: 95 % confidence intervals over deals. Measured on {day}."""

PAGE_STOPPED: Final = """\
It was stopped after {played} of {planned} games; results from fewer than ten deals are omitted."""

PAGE_RATINGS: Final = """\
## Ratings

Over all games on this page between bots, with all decks and numbers of players. 400 points are a factor of ten in
strength; the mean is 1500. A bot that wins or loses almost everything has no useful upper or lower bound."""

PAGE_PAIRS: Final = """\
## Between two

Share of games of two that the first wins against the second."""

PAGE_PLAYERS: Final = """\
## Games of {players}

All bots against each other. Games, and in brackets deals: {games}. For one seat, an equal share of games won
is {even:.0f} %."""

PAGE_ORACLE: Final = """\
## The oracle

The oracle sees all cards: it tries every move on the true game and plays the round to its end. It is not a bot and
plays in the arena only. It shows what complete knowledge is worth. In games of two against steady:"""

PAGE_GAP: Final = """\
Share of the gap between steady and the oracle that a bot closes, on the same deals: 0 % is as good as steady, 100 %
as good as the oracle."""

PAGE_ABILITIES: Final = """\
## What each ability is worth to steady

Steady against itself with one ability switched off: it never uses it and treats the card as a plain number.
Games of two, in random mixes that contain the resident or token, each deal from both seats. *Uses* are those of the
player that has the ability, in a game of four rounds; for a passive ability, the times that its card lies there at the
end of a round. *Winning chance* is the gain in percentage points."""
