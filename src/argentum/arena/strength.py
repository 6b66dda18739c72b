"""How strong the bots are: all that is measured for it, and the part of a page that tells it."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.ability_values import Abilities, ability_rows
from argentum.arena.contest import Cell, Results, Table, lead, table_of, whole_deals
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job
from argentum.arena.match import Match, facts_of, in_turn
from argentum.arena.players.oracle import ORACLE
from argentum.arena.ratings import interval
from argentum.arena.report import HEADING, Rows, decks, ladder_rows, markdown, named, percent, standing_row
from argentum.rules.boxes import RANDOM_DECK
from argentum.rules.residents import BOXES

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


DECKS: Final = (*BOXES, RANDOM_DECK)
SEATS: Final = (2, 3, 4)
WORDS: Final = {2: "two", 3: "three", 4: "four"}
FEWEST_DEALS: Final = 10  # in a cell of the page: with fewer, its intervals say nothing
BOTH_SEATS: Final = 2  # games of a deal between two
BEGIN: Final = "<!-- argentum arena writes from here -->"
END: Final = "<!-- argentum arena writes to here -->"


class Strength:
    """A pool of bots, named from the weakest, in all numbers of seats and decks; the oracle; and the abilities."""

    def __init__(self, names: Sequence[str], games: int, seed: int) -> None:
        self.pool = Match(names, DECKS, SEATS, games, seed, rated=True)
        self.bound = Match([REFERENCE, ORACLE], DECKS, [2], games, seed)
        self.abilities = Abilities(games, seed)
        self.parts = (self.pool, self.bound, self.abilities)

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return in_turn([job for part in self.parts for job in part.jobs])

    def text(self, results: Results, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        return "\n\n".join([part.text(results, width) for part in self.parts])

    def facts(self, results: Results) -> dict[str, Any]:
        """What came of it, for a program."""
        return {
            **self.pool.facts(results),
            "oracle": self.bound.facts(results)["tables"],
            "gaps": facts_of(self.gaps(results)),
            **self.abilities.facts(results),
        }

    def page(self, results: Results, command: str, day: str) -> str:
        """The measured part of the page, from the deals that were played as a whole; `command` writes it, on a day.

        Cells and parts of which too little was played are left out.
        """
        bound = self.bound_rows(results)
        measured = [table.cell.boxes for table in self.bound.tables(results) if enough(table)]
        gaps = [one for one in self.gaps(results) if one.boxes in measured]
        abilities = [one for one in self.abilities.found(results) if one.games >= BOTH_SEATS * FEWEST_DEALS]
        played, planned = len(results), len(self.jobs)
        return (
            "\n\n".join(
                [
                    INTRODUCTION.format(command=command, day=day),
                    *([STOPPED.format(played=played, planned=planned)] if played < planned else []),
                    LADDER,
                    markdown(ladder_rows(self.pool.ladder(results))),
                    PAIRS,
                    markdown(self.pair_rows(results)),
                    *[part for players in SEATS for part in self.seats(players, results)],
                    *([BOUND, markdown(bound)] if len(bound) > 1 else []),
                    *([GAP, markdown(gap_rows(gaps))] if gaps else []),
                    *([ABILITIES, markdown(ability_rows(abilities))] if abilities else []),
                ]
            )
            + "\n"
        )

    def pair_rows(self, results: Results) -> Rows:
        """For every two bots, in how many games between two the one that is named later wins, deck by deck."""
        rows: list[list[str]] = [["", *[decks(boxes) for boxes in DECKS]]]
        for weaker, stronger in combinations(self.pool.names, 2):
            tables = [self.pair(stronger, weaker, boxes, results) for boxes in DECKS]
            won = [percent(table.standings[0].wins) if enough(table) else "" for table in tables]
            rows += [[f"{named(stronger)} beats {named(weaker)}", *won]] if any(won) else []
        return rows

    def pair(self, one: str, other: str, boxes: str, results: Results) -> Table:
        """How two bots of the pool do between two."""
        jobs = self.pool.cells[Cell(tuple(self.pool.names), boxes, 2)]
        return table_of(
            Cell((one, other), boxes, 2), [job for job in jobs if set(job.seating) == {one, other}], results
        )

    def seats(self, players: int, results: Results) -> list[str]:
        """The part on games of so many."""
        tables = [table for table in self.pool.tables(results) if table.cell.players == players and enough(table)]
        if not tables:
            return []
        rows: list[tuple[str, ...]] = [("bot", "decks", *HEADING)]
        for table in tables:
            rows += [(named(one.bot), decks(table.cell.boxes), *standing_row(one)) for one in table.best_first()]
        games = ", ".join([f"{decks(table.cell.boxes)} {table.games} ({table.deals})" for table in tables])
        return [SEATED.format(players=WORDS[players], games=games, even=100 / players), markdown(rows)]

    def bound_rows(self, results: Results) -> Rows:
        """How the oracle does against steady."""
        rows: list[tuple[str, ...]] = [("", "decks", *HEADING)]
        for table in self.bound.tables(results):
            if not enough(table):
                continue
            oracle = table.standings[-1]
            rows.append((named(oracle.bot), decks(table.cell.boxes), *standing_row(oracle)))
        return rows

    def gaps(self, results: Results) -> list[Gap]:
        """How much of the gap to the oracle those bots close that are named after steady."""
        names = self.pool.names
        better = names[names.index(REFERENCE) + 1 :] if REFERENCE in names else []
        jobs = [*self.pool.jobs, *self.bound.jobs]
        found = [gap(bot, boxes, jobs, results) for bot in better for boxes in DECKS]
        return [one for one in found if one is not None]


def enough(table: Table) -> bool:
    """Whether a cell has enough deals to be told."""
    return table.deals >= FEWEST_DEALS


def put_into(page: str, part: str) -> str:
    """A page with what was measured between its two marks, and all else as it was; a new page if there is none."""
    if not page:
        return f"{TITLE}\n\n{BEGIN}\n\n{part}\n{END}\n"
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"it is not marked where to write: put the lines {BEGIN!r} and {END!r} into it")
    return f"{before}{BEGIN}\n\n{part}\n{END}{after}"


TITLE: Final = "# How strong the bots are"

INTRODUCTION: Final = """\
The arena wrote this part, with

    {command}

[The arena](arena.md) says how it is measured. In brackets: 95 % confidence intervals, over deals. Measured on {day}."""

STOPPED: Final = """\
It was stopped after {played} of {planned} games; what rests on fewer than ten deals is left out."""

LADDER: Final = """\
## The ladder

Over all games of this page that the bots play among themselves, whatever the decks and the number of seats. 400
points more are ten times the strength; the mean is 1500. A bot that wins or loses almost everything has no good
upper or lower bound."""

PAIRS: Final = """\
## Between two

In how many games of two the first beats the second."""

SEATED: Final = """\
## Games of {players}

Everybody against everybody. Games, and in brackets deals: {games}. For one seat, {even:.0f} % of games won
would be even."""

BOUND: Final = """\
## The oracle

The oracle sees all cards: it tries every move on the true game and plays the round out. It is not a bot and can be
seated nowhere but in the arena. It shows how far knowledge could carry a player. Between two, against steady:"""

GAP: Final = """\
How much of the gap between steady and the oracle a bot closes, on the same deals: 0 % is as good as steady, 100 % as
good as the oracle."""

ABILITIES: Final = """\
## What each ability is worth to steady

Steady against itself with one ability switched off: it never uses it and treats the card as a plain number.
Between two, in random mixes that have the resident or token, each deal from both seats. *Uses* are by the one that
has it, in a game of four rounds; where an ability works by itself, how often its card lies there at the end of a
round. *Winning chance* is in percentage points, and plus is what the ability gains."""
