"""A contest: which bots play which deals, and how they stand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from argentum.arena.estimates import Estimate, mean_of, share_of
from argentum.arena.jobs import Deal, Job, Played, Result, deals, deals_for, line_ups, orders

Results: TypeAlias = Mapping[Job, tuple[Result, ...]]  # of the games that are over


class Cell(NamedTuple):
    """A part of a contest that is reported by itself: bots at one number of seats, with one kind of deck."""

    names: tuple[str, ...]
    boxes: str
    players: int


class Standing(NamedTuple):
    """How a bot did in a cell. Shares and ranks are those of one of its seats."""

    bot: str
    wins: Estimate  # share of games
    alone: Estimate | None  # the same where it had one of three or four seats, and another bot all the others
    lead: Estimate  # points that the others have more
    rank: Estimate
    calls: float  # in a game
    calls_won: float  # share of calls
    seconds: float  # a choice


class Table(NamedTuple):
    """How the bots of a cell stand, after so many deals that were played in every seating."""

    cell: Cell
    deals: int
    games: int
    standings: list[Standing]

    def best_first(self) -> list[Standing]:
        """The same, by games won."""
        return sorted(self.standings, key=lambda one: -one.wins.mean)


def jobs_of(cell: Cell, dealt: Sequence[Deal]) -> list[Job]:
    """Every deal in every order of every line-up."""
    seatings = [order for line_up in line_ups(cell.names, cell.players) for order in orders(line_up)]
    return [Job(deal, seating) for deal in dealt for seating in seatings]


def contest(
    names: Sequence[str], boxes: Sequence[str], players: Sequence[int], games: int, seed: int
) -> dict[Cell, list[Job]]:
    """The games of a contest, cell by cell; at least so many of each line-up."""
    cells = [Cell(tuple(names), one, number) for number in players for one in boxes]
    return {
        cell: jobs_of(cell, deals(cell.boxes, cell.players, deals_for(names, cell.players, games), seed))
        for cell in cells
    }


def whole_deals(jobs: Sequence[Job], results: Results) -> list[list[Played]]:
    """The games of a cell deal by deal, as far as a deal was played in every seating."""
    by_deal: dict[Deal, list[Job]] = defaultdict(list)
    for job in jobs:
        by_deal[job.deal].append(job)
    return [
        [(job, results[job]) for job in group] for group in by_deal.values() if all([job in results for job in group])
    ]


def table_of(cell: Cell, jobs: Sequence[Job], results: Results) -> Table:
    """How the bots of a cell stand; without standings before the first deal is played."""
    by_deal = [[seats for _, seats in games] for games in whole_deals(jobs, results)]
    standings = [standing(name, by_deal) for name in cell.names] if by_deal else []
    return Table(cell, len(by_deal), sum([len(games) for games in by_deal]), standings)


def standing(name: str, by_deal: Sequence[Sequence[Sequence[Result]]]) -> Standing:
    """How a bot did in games that are sorted by deals."""
    own = [[seat for seats in games for seat in seats if seat.bot == name] for games in by_deal]
    every = [seat for seats in own for seat in seats]
    calls = sum([seat.calls for seat in every])
    return Standing(
        name,
        share_of([fmean([seat.rank == 1 for seat in seats]) for seats in own]),
        alone(name, by_deal),
        mean_of([fmean([lead(name, seats) for seats in games if sits(name, seats)]) for games in by_deal]),
        mean_of([fmean([seat.rank for seat in seats]) for seats in own]),
        calls / len(every),
        sum([seat.calls_won for seat in every]) / calls if calls else 0.0,
        sum([seat.seconds for seat in every]) / sum([seat.choices for seat in every]),
    )


def alone(name: str, by_deal: Sequence[Sequence[Sequence[Result]]]) -> Estimate | None:
    """In how many games a bot beat two or three of another; None if there was no such game."""
    won: list[float] = []
    for games in by_deal:
        own = [seat.rank == 1 for seats in games if is_lone(name, seats) for seat in seats if seat.bot == name]
        if own:
            won.append(fmean(own))
    return share_of(won) if won else None


def is_lone(name: str, seats: Sequence[Result]) -> bool:
    """Whether a bot had one seat, and another bot all the others, which were more than one."""
    others = [seat.bot for seat in seats if seat.bot != name]
    return len(others) == len(seats) - 1 > 1 and len(set(others)) == 1


def sits(name: str, seats: Sequence[Result]) -> bool:
    """Whether a bot played in a game."""
    return any([seat.bot == name for seat in seats])


def lead(name: str, seats: Sequence[Result]) -> float:
    """By how many points a bot's seats are below those of the others, on average."""
    mine = [seat.points for seat in seats if seat.bot == name]
    return fmean([seat.points for seat in seats if seat.bot != name]) - fmean(mine)
