"""Games and standings of a contest between bots."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from argentum.arena.estimates import Estimate, mean_estimate, share_estimate
from argentum.arena.jobs import ArenaDeal, Job, PlayedJob, SeatResult, deals_needed, line_ups, make_deals, seat_orders

JobResults: TypeAlias = Mapping[Job, tuple[SeatResult, ...]]  # finished games only


class Cell(NamedTuple):
    """A part of a contest that is reported separately: one number of players and one kind of deck."""

    names: tuple[str, ...]
    boxes: str
    players: int


class BotStanding(NamedTuple):
    """Results of a bot in a cell. Shares and ranks are per seat."""

    bot: str
    wins: Estimate  # share of games
    alone_wins: Estimate | None  # share of games where it had one of three or four seats, and another bot all others
    points_ahead: Estimate  # mean points of the others minus its own
    rank: Estimate
    calls_per_game: float
    calls_won: float  # share of calls
    seconds_per_decision: float


class CellResult(NamedTuple):
    """Standings of the bots in a cell, over its complete deals (those played in every seating)."""

    cell: Cell
    deals: int
    games: int
    standings: list[BotStanding]

    def best_first(self) -> list[BotStanding]:
        return sorted(self.standings, key=lambda standing: -standing.wins.mean)


def make_jobs(cell: Cell, deals: Sequence[ArenaDeal]) -> list[Job]:
    """Return a job for every deal in every seat order of every line-up."""
    seatings = [order for line_up in line_ups(cell.names, cell.players) for order in seat_orders(line_up)]
    return [Job(deal, seating) for deal in deals for seating in seatings]


def contest_jobs(
    names: Sequence[str], boxes: Sequence[str], players: Sequence[int], games: int, seed: int
) -> dict[Cell, list[Job]]:
    """Map each cell to its jobs, which have at least `games` games for each line-up."""
    cells = [Cell(tuple(names), deck, player_count) for player_count in players for deck in boxes]
    return {
        cell: make_jobs(cell, make_deals(cell.boxes, cell.players, deals_needed(names, cell.players, games), seed))
        for cell in cells
    }


def group_by_complete_deal(jobs: Sequence[Job], results: JobResults) -> list[list[PlayedJob]]:
    """Group the finished games of a cell by deal; omit deals that were not yet played in every seating."""
    by_deal: dict[ArenaDeal, list[Job]] = defaultdict(list)
    for job in jobs:
        by_deal[job.deal].append(job)
    return [
        [(job, results[job]) for job in group] for group in by_deal.values() if all([job in results for job in group])
    ]


def cell_result(cell: Cell, jobs: Sequence[Job], results: JobResults) -> CellResult:
    """Return the result of a cell, without standings if no deal is complete."""
    by_deal = [[seats for _, seats in games] for games in group_by_complete_deal(jobs, results)]
    standings = [bot_standing(name, by_deal) for name in cell.names] if by_deal else []
    return CellResult(cell, len(by_deal), sum([len(games) for games in by_deal]), standings)


def bot_standing(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> BotStanding:
    """Return the standing of a bot from games grouped by deal."""
    own_results_by_deal = [[seat for seats in games for seat in seats if seat.bot == name] for games in by_deal]
    results = [seat for seats in own_results_by_deal for seat in seats]
    calls = sum([seat.calls for seat in results])
    return BotStanding(
        name,
        share_estimate([fmean([seat.rank == 1 for seat in seats]) for seats in own_results_by_deal]),
        alone_win_rate(name, by_deal),
        mean_estimate(
            [fmean([points_ahead(name, seats) for seats in games if is_seated(name, seats)]) for games in by_deal]
        ),
        mean_estimate([fmean([seat.rank for seat in seats]) for seats in own_results_by_deal]),
        calls / len(results),
        sum([seat.calls_won for seat in results]) / calls if calls else 0.0,
        sum([seat.seconds for seat in results]) / sum([seat.decisions for seat in results]),
    )


def alone_win_rate(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> Estimate | None:
    """Return a bot's win rate in the games in which `is_alone` holds for it; None if there are none."""
    win_rates: list[float] = []
    for games in by_deal:
        own_wins = [seat.rank == 1 for seats in games if is_alone(name, seats) for seat in seats if seat.bot == name]
        if own_wins:
            win_rates.append(fmean(own_wins))
    return share_estimate(win_rates) if win_rates else None


def is_alone(name: str, seats: Sequence[SeatResult]) -> bool:
    """Return whether a bot has one seat and a single other bot has all the others, of which there are at least two."""
    others = [seat.bot for seat in seats if seat.bot != name]
    return len(others) == len(seats) - 1 > 1 and len(set(others)) == 1


def is_seated(name: str, seats: Sequence[SeatResult]) -> bool:
    return any([seat.bot == name for seat in seats])


def points_ahead(name: str, seats: Sequence[SeatResult]) -> float:
    """Return the mean points of the other seats minus those of the bot's seats."""
    own_points = [seat.points for seat in seats if seat.bot == name]
    return fmean([seat.points for seat in seats if seat.bot != name]) - fmean(own_points)
