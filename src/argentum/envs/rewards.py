# mypyc: compile
"""The kinds of rewards. Each seat gets its own.

- `rank`: at the end of the game, from 1 for the winner (G19) to -1 for the last rank; tied seats get the mean of the
  rewards of the ranks that they share. The rewards of all seats sum to 0.
- `difference`: at the end of the game, the mean points of the other seats minus the seat's own points, because the
  fewest points win. The rewards of all seats sum to 0.
- `round`: at the end of each round, the negative of the seat's points in that round.

>>> seat_rewards("round", [[3, 20], [0, 7]], None, 2)
[-3.0, -27.0]
>>> point_differences([88, 192])
[104.0, -104.0]
"""

from typing import Final, NamedTuple

from argentum.rules.scoring import winner_seat
from argentum.rules.table import Table

RANK: Final = "rank"
DIFFERENCE: Final = "difference"
ROUND: Final = "round"
REWARD_KINDS: Final = (RANK, DIFFERENCE, ROUND)


class Outcome(NamedTuple):
    """Result of a finished game, by seat."""

    points: list[int]  # of all rounds
    ranks: list[int]  # 1 for the winner (G19); tied seats share a rank
    reason: int  # why the last round ended: an index of `events.END_REASONS`


def check_reward(kind: str) -> str:
    """Return `kind`; raise ValueError if it is not one of `REWARD_KINDS`."""
    if kind not in REWARD_KINDS:
        raise ValueError(f"{kind!r} is not a reward: choose one of {', '.join(REWARD_KINDS)}")
    return kind


def seat_rewards(kind: str, scores: list[list[int]], final_table: Table | None, players: int) -> list[float]:
    """Return the reward of each seat for a step.

    `scores` has the points by seat of each round that the step ended; `final_table` is the table if the step ended the
    game, otherwise None.
    """
    if kind == ROUND:
        points = [0.0] * players
        for score in scores:
            for seat in range(players):
                points[seat] -= score[seat]
        return points
    if final_table is None:
        return [0.0] * players
    return rank_rewards(final_table) if kind == RANK else point_differences(final_table.totals)


def game_outcome(table: Table) -> Outcome:
    return Outcome(table.totals[:], [1 + better for better, _ in _count_better_and_worse(table)], table.end_reason)


def rank_rewards(table: Table) -> list[float]:
    """Return rewards by seat from 1 for the winner to -1 for the last rank; tied seats get the mean."""
    return [(worse - better) / (table.players - 1) for better, worse in _count_better_and_worse(table)]


def _count_better_and_worse(table: Table) -> list[tuple[int, int]]:
    """Return for each seat the number of seats with a better and with a worse result."""
    winner = winner_seat(table)
    totals = table.totals
    counts: list[tuple[int, int]] = []
    for seat in range(len(totals)):
        worse = len([total for total in totals if total > totals[seat]])
        better = len([total for total in totals if total < totals[seat]])
        if seat == winner:  # only the winner has the first rank (G19)
            worse, better = len(totals) - 1, 0
        elif totals[seat] == totals[winner]:
            better += 1
        counts.append((better, worse))
    return counts


def point_differences(totals: list[int]) -> list[float]:
    """Return for each seat the mean points of the other seats minus its own points."""
    return [(sum(totals) - own) / (len(totals) - 1) - own for own in totals]
