"""A match: bots at one or more numbers of seats and decks, with tables and a ladder."""

from collections.abc import Iterable, Sequence
from typing import Any

from argentum.arena.contest import CellResult, JobResults, cell_result, complete_deals, contest_jobs
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job
from argentum.arena.ratings import BotRating, rate_bots
from argentum.arena.report import cell_title, rating_rows, table_rows, text_table


def interleave_deals(jobs: Iterable[Job]) -> list[Job]:
    """Games in an order in which all parts of a measurement grow together, so that it may be stopped at any time."""
    return sorted(jobs, key=lambda job: job.deal.number)


def to_json(value: Any) -> Any:
    """Named tuples as plain values for JSON; the ends of an interval that nobody knows are null."""
    if isinstance(value, Estimate) and value.low == float("-inf"):
        return {"mean": value.mean, "low": None, "high": None}
    if hasattr(value, "_asdict"):
        return {key: to_json(field) for key, field in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


class Match:
    """Bots against each other: what is to be played, and what came of it."""

    def __init__(
        self,
        names: Sequence[str],
        boxes: Sequence[str],
        players: Sequence[int],
        games: int,
        seed: int,
        rated: bool = False,
    ) -> None:
        self.names = list(names)
        self.cells = contest_jobs(names, boxes, players, games, seed)
        self.rated = rated

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return interleave_deals([job for jobs in self.cells.values() for job in jobs])

    def results(self, results: JobResults) -> list[CellResult]:
        """How the bots stand, as far as deals were played in every seating."""
        found = [cell_result(cell, jobs, results) for cell, jobs in self.cells.items()]
        return [table for table in found if table.deals]

    def ratings(self, results: JobResults) -> list[BotRating]:
        """The ladder over all games; empty before a deal is played."""
        by_deal = [
            [seats for _, seats in games] for jobs in self.cells.values() for games in complete_deals(jobs, results)
        ]
        return rate_bots(self.names, by_deal) if by_deal else []

    def text(self, results: JobResults, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        parts = [f"{cell_title(table)}\n{text_table(table_rows(table), width)}" for table in self.results(results)]
        if self.rated and parts:
            parts.append(f"ladder\n{text_table(rating_rows(self.ratings(results)), width)}")
        return "\n\n".join(parts)

    def to_json(self, results: JobResults) -> dict[str, Any]:
        """What came of it, for a program."""
        ratings = {"ratings": to_json(self.ratings(results))} if self.rated else {}
        return {"tables": to_json(self.results(results)), **ratings}
