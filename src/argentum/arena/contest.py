"""A contest: which bots play which deals, and how they stand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from argentum.arena.estimates import Estimate, mean_estimate, share_estimate
from argentum.arena.jobs import ArenaDeal, Job, PlayedJob, SeatResult, deals_needed, line_ups, make_deals, seat_orders

JobResults: TypeAlias = Mapping[Job, tuple[SeatResult, ...]]  # of the games that are over


class Cell(NamedTuple):
    """A part of a contest that is reported by itself: bots at one number of seats, with one kind of deck."""

    names: tuple[str, ...]
    boxes: str
    players: int


class BotStanding(NamedTuple):
    """How a bot did in a cell. Shares and ranks are those of one of its seats."""

    bot: str
    wins: Estimate  # share of games
    alone_wins: Estimate | None  # the same where it had one of three or four seats, and another bot all the others
    points_ahead: Estimate  # points that the others have more
    rank: Estimate
    calls_per_game: float  # in a game
    calls_won: float  # share of calls
    seconds_per_decision: float  # a choice


class CellResult(NamedTuple):
    """How the bots of a cell stand, after so many deals that were played in every seating."""

    cell: Cell
    deals: int
    games: int
    standings: list[BotStanding]

    def best_first(self) -> list[BotStanding]:
        """The same, by games won."""
        return sorted(self.standings, key=lambda standing: -standing.wins.mean)


def jobs_of(cell: Cell, dealt: Sequence[ArenaDeal]) -> list[Job]:
    """Every deal in every order of every line-up."""
    seatings = [order for line_up in line_ups(cell.names, cell.players) for order in seat_orders(line_up)]
    return [Job(deal, seating) for deal in dealt for seating in seatings]


def contest_jobs(
    names: Sequence[str], boxes: Sequence[str], players: Sequence[int], games: int, seed: int
) -> dict[Cell, list[Job]]:
    """The games of a contest, cell by cell; at least so many of each line-up."""
    cells = [Cell(tuple(names), standing, number) for number in players for standing in boxes]
    return {
        cell: jobs_of(cell, make_deals(cell.boxes, cell.players, deals_needed(names, cell.players, games), seed))
        for cell in cells
    }


def complete_deals(jobs: Sequence[Job], results: JobResults) -> list[list[PlayedJob]]:
    """The games of a cell deal by deal, as far as a deal was played in every seating."""
    by_deal: dict[ArenaDeal, list[Job]] = defaultdict(list)
    for job in jobs:
        by_deal[job.deal].append(job)
    return [
        [(job, results[job]) for job in group] for group in by_deal.values() if all([job in results for job in group])
    ]


def cell_result(cell: Cell, jobs: Sequence[Job], results: JobResults) -> CellResult:
    """How the bots of a cell stand; without standings before the first deal is played."""
    by_deal = [[seats for _, seats in games] for games in complete_deals(jobs, results)]
    standings = [bot_standing(name, by_deal) for name in cell.names] if by_deal else []
    return CellResult(cell, len(by_deal), sum([len(games) for games in by_deal]), standings)


def bot_standing(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> BotStanding:
    """How a bot did in games that are sorted by deals."""
    own = [[seat for seats in games for seat in seats if seat.bot == name] for games in by_deal]
    results = [seat for seats in own for seat in seats]
    calls = sum([seat.calls for seat in results])
    return BotStanding(
        name,
        share_estimate([fmean([seat.rank == 1 for seat in seats]) for seats in own]),
        alone_win_rate(name, by_deal),
        mean_estimate(
            [fmean([points_ahead(name, seats) for seats in games if is_seated(name, seats)]) for games in by_deal]
        ),
        mean_estimate([fmean([seat.rank for seat in seats]) for seats in own]),
        calls / len(results),
        sum([seat.calls_won for seat in results]) / calls if calls else 0.0,
        sum([seat.seconds for seat in results]) / sum([seat.decisions for seat in results]),
    )


def alone_win_rate(name: str, by_deal: Sequence[Sequence[Sequence[SeatResult]]]) -> Estimate | None:
    """In how many games a bot beat two or three of another; None if there was no such game."""
    won: list[float] = []
    for games in by_deal:
        own = [seat.rank == 1 for seats in games if is_alone(name, seats) for seat in seats if seat.bot == name]
        if own:
            won.append(fmean(own))
    return share_estimate(won) if won else None


def is_alone(name: str, seats: Sequence[SeatResult]) -> bool:
    """Whether a bot had one seat, and another bot all the others, which were more than one."""
    others = [seat.bot for seat in seats if seat.bot != name]
    return len(others) == len(seats) - 1 > 1 and len(set(others)) == 1


def is_seated(name: str, seats: Sequence[SeatResult]) -> bool:
    """Whether a bot played in a game."""
    return any([seat.bot == name for seat in seats])


def points_ahead(name: str, seats: Sequence[SeatResult]) -> float:
    """By how many points a bot's seats are below those of the others, on average."""
    mine = [seat.points for seat in seats if seat.bot == name]
    return fmean([seat.points for seat in seats if seat.bot != name]) - fmean(mine)
