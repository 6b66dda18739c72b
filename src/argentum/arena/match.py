"""A match: bots at one or more numbers of seats and decks, with tables and a ladder."""

from collections.abc import Iterable, Sequence
from typing import Any

from argentum.arena.contest import Results, Table, contest, table_of, whole_deals
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job
from argentum.arena.ratings import Rating, ladder
from argentum.arena.report import columns, ladder_rows, table_rows, title


def in_turn(jobs: Iterable[Job]) -> list[Job]:
    """Games in an order in which all parts of a measurement grow together, so that it may be stopped at any time."""
    return sorted(jobs, key=lambda job: job.deal.nth)


def facts_of(value: Any) -> Any:
    """Named tuples as plain values for JSON; the ends of an interval that nobody knows are null."""
    if isinstance(value, Estimate) and value.low == float("-inf"):
        return {"mean": value.mean, "low": None, "high": None}
    if hasattr(value, "_asdict"):
        return {key.replace("_", " "): facts_of(one) for key, one in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [facts_of(one) for one in value]
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
        self.cells = contest(names, boxes, players, games, seed)
        self.rated = rated

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return in_turn([job for jobs in self.cells.values() for job in jobs])

    def tables(self, results: Results) -> list[Table]:
        """How the bots stand, as far as deals were played in every seating."""
        found = [table_of(cell, jobs, results) for cell, jobs in self.cells.items()]
        return [table for table in found if table.deals]

    def ladder(self, results: Results) -> list[Rating]:
        """The ladder over all games; empty before a deal is played."""
        by_deal = [
            [seats for _, seats in games] for jobs in self.cells.values() for games in whole_deals(jobs, results)
        ]
        return ladder(self.names, by_deal) if by_deal else []

    def text(self, results: Results, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        parts = [f"{title(table)}\n{columns(table_rows(table), width)}" for table in self.tables(results)]
        if self.rated and parts:
            parts.append(f"ladder\n{columns(ladder_rows(self.ladder(results)), width)}")
        return "\n\n".join(parts)

    def facts(self, results: Results) -> dict[str, Any]:
        """What came of it, for a program."""
        ratings = {"ladder": facts_of(self.ladder(results))} if self.rated else {}
        return {"tables": facts_of(self.tables(results)), **ratings}
