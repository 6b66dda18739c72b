"""Rewards of a step, by seat.

- `rank`: at the end of the game, from 1 for the winner (G19) to -1 for the last seat; ties get the mean. The sum is 0.
- `difference`: at the end of the game, the others' mean points minus the own, as few points win. The sum is 0.
- `round`: at the end of each round, minus its points.

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
    ranks: list[int]  # 1 for the winner (G19); tied seats share theirs
    reason: int  # why the last round ended, index of `events.END_REASONS`


def check_reward(kind: str) -> str:
    """Return the kind; raise ValueError if it is unknown."""
    if kind not in REWARD_KINDS:
        raise ValueError(f"{kind!r} is not a reward: choose one of {', '.join(REWARD_KINDS)}")
    return kind


def seat_rewards(kind: str, scores: list[list[int]], last: Table | None, players: int) -> list[float]:
    """Return the rewards of a step.

    `scores` are those of the rounds that the step ended, by seat; `last` is the final table if it ended the game.
    """
    if kind == ROUND:
        points = [0.0] * players
        for score in scores:
            for seat in range(players):
                points[seat] -= score[seat]
        return points
    if last is None:
        return [0.0] * players
    return rank_rewards(last) if kind == RANK else point_differences(last.totals)


def outcome(last: Table) -> Outcome:
    return Outcome(last.totals[:], [1 + better for better, _ in _better_and_worse(last)], last.end_reason)


def rank_rewards(table: Table) -> list[float]:
    """Return 1 for the winner to -1 for the last; tied seats share the mean."""
    return [(worse - better) / (table.players - 1) for better, worse in _better_and_worse(table)]


def _better_and_worse(table: Table) -> list[tuple[int, int]]:
    """Count for each seat those with a better and those with a worse result."""
    winner = winner_seat(table)
    totals = table.totals
    counts: list[tuple[int, int]] = []
    for seat in range(len(totals)):
        worse = len([total for total in totals if total > totals[seat]])
        better = len([total for total in totals if total < totals[seat]])
        if seat == winner:  # the first place is never shared
            worse, better = len(totals) - 1, 0
        elif totals[seat] == totals[winner]:
            better += 1
        counts.append((better, worse))
    return counts


def point_differences(totals: list[int]) -> list[float]:
    """Return the others' mean points minus the own, by seat."""
    return [(sum(totals) - own) / (len(totals) - 1) - own for own in totals]
