"""A match between bots: its games, result tables and ratings."""

from collections.abc import Iterable, Sequence
from typing import Any

from argentum.arena.contest import CellResult, JobResults, cell_result, contest_jobs, group_by_complete_deal
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job
from argentum.arena.ratings import BotRating, rate_bots
from argentum.arena.report import cell_rows, cell_title, rating_rows, text_table


def interleave_deals(jobs: Iterable[Job]) -> list[Job]:
    """Sort jobs by deal number, so that all cells have complete deals if a match is stopped early."""
    return sorted(jobs, key=lambda job: job.deal.number)


def to_json(value: Any) -> Any:
    """Convert named tuples to dictionaries for JSON. The ends of an infinite interval become null."""
    if isinstance(value, Estimate) and value.low == float("-inf"):
        return {"mean": value.mean, "low": None, "high": None}
    if hasattr(value, "_asdict"):
        return {key: to_json(field) for key, field in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


class Match:
    """A plan for games between bots, and the evaluation of their results."""

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
        return interleave_deals([job for jobs in self.cells.values() for job in jobs])

    def results(self, results: JobResults) -> list[CellResult]:
        """Return the result of each cell with at least one complete deal."""
        cell_results = [cell_result(cell, jobs, results) for cell, jobs in self.cells.items()]
        return [result for result in cell_results if result.deals]

    def ratings(self, results: JobResults) -> list[BotRating]:
        """Rate the bots over all complete deals; return an empty list if there are none."""
        by_deal = [
            [seats for _, seats in games]
            for jobs in self.cells.values()
            for games in group_by_complete_deal(jobs, results)
        ]
        return rate_bots(self.names, by_deal) if by_deal else []

    def text(self, results: JobResults, width: int | None = None) -> str:
        """Format the results for a terminal with `width` columns."""
        sections = [f"{cell_title(result)}\n{text_table(cell_rows(result), width)}" for result in self.results(results)]
        if self.rated and sections:
            sections.append(f"ratings\n{text_table(rating_rows(self.ratings(results)), width)}")
        return "\n\n".join(sections)

    def to_json(self, results: JobResults) -> dict[str, Any]:
        ratings = {"ratings": to_json(self.ratings(results))} if self.rated else {}
        return {"tables": to_json(self.results(results)), **ratings}
