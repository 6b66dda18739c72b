"""How strong the bots are: all that is measured for it, and the part of a page that tells it."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.ability_values import AbilityValues, ability_value_rows
from argentum.arena.contest import Cell, CellResult, JobResults, cell_result, complete_deals, points_ahead
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
from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK

REFERENCE_BOT: Final = "steady"
GAP_BOOTSTRAP_SAMPLES: Final = 1000


class OracleGap(NamedTuple):
    """A bot and the oracle, each against steady between two: games won, points ahead, and the part that is closed."""

    bot: str
    boxes: str
    bot_wins: Estimate
    oracle_wins: Estimate
    closed: Estimate  # of the winning chance above one half
    closed_points: Estimate


def oracle_gap(bot: str, boxes: str, jobs: Sequence[Job], results: JobResults) -> OracleGap | None:
    """How a bot compares with the oracle on the same deals; None before a deal is played."""
    cells = [Cell((gap, REFERENCE_BOT), boxes, 2) for gap in (bot, ORACLE_NAME)]
    groups = [
        [job for job in jobs if job.deal[:2] == cell[1:] and set(job.seating) == set(cell.names)] for cell in cells
    ]
    tables = [cell_result(cell, group, results) for cell, group in zip(cells, groups, strict=True)]
    if not all([table.standings for table in tables]):
        return None
    figures = [deal_figures(cell.names[0], group, results) for cell, group in zip(cells, groups, strict=True)]
    wins, points = [
        closed_fraction([gap[nth] for gap in figures[0]], [gap[nth] for gap in figures[1]]) for nth in (0, 1)
    ]
    return OracleGap(bot, boxes, tables[0].standings[0].wins, tables[1].standings[0].wins, wins, points)


def deal_figures(name: str, jobs: Sequence[Job], results: JobResults) -> list[tuple[float, float]]:
    """For each deal, the winning chance above one half and the points ahead."""
    return [
        (
            fmean([seat.rank == 1 for _, seats in games for seat in seats if seat.bot == name]) - 0.5,
            fmean([points_ahead(name, seats) for _, seats in games]),
        )
        for games in complete_deals(jobs, results)
    ]


def closed_fraction(ours: Sequence[float], bound: Sequence[float]) -> Estimate:
    """The ratio of two means, with an interval from drawing the deals anew."""
    random = Random("gap")
    samples = [
        mean_ratio(random.choices(ours, k=len(ours)), random.choices(bound, k=len(bound)))
        for _ in range(GAP_BOOTSTRAP_SAMPLES)
    ]
    return bootstrap_interval(mean_ratio(ours, bound), samples)


def mean_ratio(ours: Sequence[float], bound: Sequence[float]) -> float:
    """The ratio of two means; 0 where there is no gap to close."""
    whole = fmean(bound)
    return fmean(ours) / whole if whole > 0 else 0.0


def oracle_gap_rows(gaps: Sequence[OracleGap]) -> TableRows:
    """Gaps as rows of a table."""
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


MEASURED_DECKS: Final = (*BOX_NAMES, RANDOM_DECK)
PLAYER_COUNTS: Final = (2, 3, 4)
PLAYER_COUNT_WORDS: Final = {2: "two", 3: "three", 4: "four"}
MIN_DEALS: Final = 10  # in a cell of the page: with fewer, its intervals say nothing
GAMES_PER_DEAL: Final = 2  # games of a deal between two
PAGE_BEGIN_MARK: Final = "<!-- argentum arena writes from here -->"
PAGE_END_MARK: Final = "<!-- argentum arena writes to here -->"


class StrengthReport:
    """A pool of bots, named from the weakest, in all numbers of seats and decks; the oracle; and the abilities."""

    def __init__(self, names: Sequence[str], games: int, seed: int) -> None:
        self.pool = Match(names, MEASURED_DECKS, PLAYER_COUNTS, games, seed, rated=True)
        self.oracle_match = Match([REFERENCE_BOT, ORACLE_NAME], MEASURED_DECKS, [2], games, seed)
        self.abilities = AbilityValues(games, seed)
        self.parts = (self.pool, self.oracle_match, self.abilities)

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return interleave_deals([job for part in self.parts for job in part.jobs])

    def text(self, results: JobResults, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        return "\n\n".join([part.text(results, width) for part in self.parts])

    def to_json(self, results: JobResults) -> dict[str, Any]:
        """What came of it, for a program."""
        return {
            **self.pool.to_json(results),
            "oracle": self.oracle_match.to_json(results)["tables"],
            "gaps": to_json(self.gaps(results)),
            **self.abilities.to_json(results),
        }

    def page(self, results: JobResults, command: str, day: str) -> str:
        """The measured part of the page, from the deals that were played as a whole; `command` writes it, on a day.

        Cells and parts of which too little was played are left out.
        """
        bound = self.oracle_rows(results)
        measured = [table.cell.boxes for table in self.oracle_match.results(results) if has_enough_deals(table)]
        gaps = [gap for gap in self.gaps(results) if gap.boxes in measured]
        abilities = [gap for gap in self.abilities.values(results) if gap.games >= GAMES_PER_DEAL * MIN_DEALS]
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
                    *([PAGE_ORACLE, markdown_table(bound)] if len(bound) > 1 else []),
                    *([PAGE_GAP, markdown_table(oracle_gap_rows(gaps))] if gaps else []),
                    *([PAGE_ABILITIES, markdown_table(ability_value_rows(abilities))] if abilities else []),
                ]
            )
            + "\n"
        )

    def pair_rows(self, results: JobResults) -> TableRows:
        """For every two bots, in how many games between two the one that is named later wins, deck by deck."""
        rows: list[list[str]] = [["", *[deck_label(boxes) for boxes in MEASURED_DECKS]]]
        for weaker, stronger in combinations(self.pool.names, 2):
            tables = [self.pair(stronger, weaker, boxes, results) for boxes in MEASURED_DECKS]
            won = [
                percent_with_interval(table.standings[0].wins) if has_enough_deals(table) else "" for table in tables
            ]
            rows += [[f"{player_label(stronger)} beats {player_label(weaker)}", *won]] if any(won) else []
        return rows

    def pair(self, gap: str, other: str, boxes: str, results: JobResults) -> CellResult:
        """How two bots of the pool do between two."""
        jobs = self.pool.cells[Cell(tuple(self.pool.names), boxes, 2)]
        return cell_result(
            Cell((gap, other), boxes, 2), [job for job in jobs if set(job.seating) == {gap, other}], results
        )

    def players_section(self, players: int, results: JobResults) -> list[str]:
        """The part on games of so many."""
        tables = [
            table for table in self.pool.results(results) if table.cell.players == players and has_enough_deals(table)
        ]
        if not tables:
            return []
        rows: list[tuple[str, ...]] = [("bot", "decks", *STANDING_COLUMNS)]
        for table in tables:
            rows += [
                (player_label(gap.bot), deck_label(table.cell.boxes), *standing_row(gap)) for gap in table.best_first()
            ]
        games = ", ".join([f"{deck_label(table.cell.boxes)} {table.games} ({table.deals})" for table in tables])
        return [
            PAGE_PLAYERS.format(players=PLAYER_COUNT_WORDS[players], games=games, even=100 / players),
            markdown_table(rows),
        ]

    def oracle_rows(self, results: JobResults) -> TableRows:
        """How the oracle does against steady."""
        rows: list[tuple[str, ...]] = [("", "decks", *STANDING_COLUMNS)]
        for table in self.oracle_match.results(results):
            if not has_enough_deals(table):
                continue
            oracle = table.standings[-1]
            rows.append((player_label(oracle.bot), deck_label(table.cell.boxes), *standing_row(oracle)))
        return rows

    def gaps(self, results: JobResults) -> list[OracleGap]:
        """How much of the gap to the oracle those bots close that are named after steady."""
        names = self.pool.names
        better = names[names.index(REFERENCE_BOT) + 1 :] if REFERENCE_BOT in names else []
        jobs = [*self.pool.jobs, *self.oracle_match.jobs]
        found = [oracle_gap(bot, boxes, jobs, results) for bot in better for boxes in MEASURED_DECKS]
        return [gap for gap in found if gap is not None]


def has_enough_deals(table: CellResult) -> bool:
    """Whether a cell has enough deals to be told."""
    return table.deals >= MIN_DEALS


def insert_into_page(page: str, part: str) -> str:
    """A page with what was measured between its two marks, and all else as it was; a new page if there is none."""
    if not page:
        return f"{PAGE_TITLE}\n\n{PAGE_BEGIN_MARK}\n\n{part}\n{PAGE_END_MARK}\n"
    before, begin, rest = page.partition(PAGE_BEGIN_MARK)
    _, end, after = rest.partition(PAGE_END_MARK)
    if not begin or not end:
        raise ValueError(
            f"it is not marked where to write: put the lines {PAGE_BEGIN_MARK!r} and {PAGE_END_MARK!r} into it"
        )
    return f"{before}{PAGE_BEGIN_MARK}\n\n{part}\n{PAGE_END_MARK}{after}"


PAGE_TITLE: Final = "# How strong the bots are"

PAGE_INTRODUCTION: Final = """\
The arena wrote this part, with

    {command}

[The arena](arena.md) says how it is measured. In brackets: 95 % confidence intervals, over deals. Measured on {day}."""

PAGE_STOPPED: Final = """\
It was stopped after {played} of {planned} games; what rests on fewer than ten deals is left out."""

PAGE_RATINGS: Final = """\
## The ladder

Over all games of this page that the bots play among themselves, whatever the decks and the number of seats. 400
points more are ten times the strength; the mean is 1500. A bot that wins or loses almost everything has no good
upper or lower bound."""

PAGE_PAIRS: Final = """\
## Between two

In how many games of two the first beats the second."""

PAGE_PLAYERS: Final = """\
## Games of {players}

Everybody against everybody. Games, and in brackets deals: {games}. For one seat, {even:.0f} % of games won
would be even."""

PAGE_ORACLE: Final = """\
## The oracle

The oracle sees all cards: it tries every move on the true game and plays the round out. It is not a bot and can be
seated nowhere but in the arena. It shows how far knowledge could carry a player. Between two, against steady:"""

PAGE_GAP: Final = """\
How much of the gap between steady and the oracle a bot closes, on the same deals: 0 % is as good as steady, 100 % as
good as the oracle."""

PAGE_ABILITIES: Final = """\
## What each ability is worth to steady

Steady against itself with one ability switched off: it never uses it and treats the card as a plain number.
Between two, in random mixes that have the resident or token, each deal from both seats. *Uses* are by the one that
has it, in a game of four rounds; where an ability works by itself, how often its card lies there at the end of a
round. *Winning chance* is in percentage points, and plus is what the ability gains."""
