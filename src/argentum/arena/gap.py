"""How much of the gap between steady and perfect information a bot closes."""

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from argentum.arena.contest import Cell, Results, lead, table_of, whole_deals
from argentum.arena.ladder import interval
from argentum.arena.oracle import ORACLE
from argentum.arena.playing import Job
from argentum.arena.spread import Estimate
from argentum.arena.tables import Rows, decks, named, percent

REFERENCE: Final = "steady"
RESAMPLES: Final = 1000


class Gap(NamedTuple):
    """A bot and the oracle, each against steady between two: games won, points ahead, and the part that is closed."""

    bot: str
    boxes: str
    bot_wins: Estimate
    oracle_wins: Estimate
    closed: Estimate  # of the winning chance above one half
    closed_points: Estimate


def gap(bot: str, boxes: str, jobs: Sequence[Job], results: Results) -> Gap | None:
    """How a bot compares with the oracle on the same deals; None before a deal is played."""
    cells = [Cell((one, REFERENCE), boxes, 2) for one in (bot, ORACLE)]
    groups = [
        [job for job in jobs if job.deal[:2] == cell[1:] and set(job.seating) == set(cell.names)] for cell in cells
    ]
    tables = [table_of(cell, group, results) for cell, group in zip(cells, groups, strict=True)]
    if not all([table.standings for table in tables]):
        return None
    figures = [per_deal(cell.names[0], group, results) for cell, group in zip(cells, groups, strict=True)]
    wins, points = [closed([one[nth] for one in figures[0]], [one[nth] for one in figures[1]]) for nth in (0, 1)]
    return Gap(bot, boxes, tables[0].standings[0].wins, tables[1].standings[0].wins, wins, points)


def per_deal(name: str, jobs: Sequence[Job], results: Results) -> list[tuple[float, float]]:
    """For each deal, the winning chance above one half and the points ahead."""
    return [
        (
            fmean([seat.rank == 1 for _, seats in games for seat in seats if seat.bot == name]) - 0.5,
            fmean([lead(name, seats) for _, seats in games]),
        )
        for games in whole_deals(jobs, results)
    ]


def closed(ours: Sequence[float], bound: Sequence[float]) -> Estimate:
    """The ratio of two means, with an interval from drawing the deals anew."""
    random = Random("gap")
    samples = [ratio(random.choices(ours, k=len(ours)), random.choices(bound, k=len(bound))) for _ in range(RESAMPLES)]
    return interval(ratio(ours, bound), samples)


def ratio(ours: Sequence[float], bound: Sequence[float]) -> float:
    """The ratio of two means; 0 where there is no gap to close."""
    whole = fmean(bound)
    return fmean(ours) / whole if whole > 0 else 0.0


def gap_rows(gaps: Sequence[Gap]) -> Rows:
    """Gaps as rows of a table."""
    return [
        ("bot", "decks", "beats steady in", "the oracle does in", "gap closed", "in points"),
        *[
            (
                named(one.bot),
                decks(one.boxes),
                percent(one.bot_wins),
                percent(one.oracle_wins),
                percent(one.closed),
                percent(one.closed_points),
            )
            for one in gaps
        ],
    ]
