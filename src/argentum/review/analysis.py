"""Going through a finished game with a bot: what it would have played at a seat, and what that would have gained.

The bot has the knowledge that the seat had. Where it would have done something else, both moves are tried on the same
deals of what the seat could not know, and quick players play the round to its end from either.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from argentum import bots, records
from argentum.bots.search.deal_sampler import DealSampler
from argentum.bots.search.playout_policy import policy_for
from argentum.bots.search.racing import play_out
from argentum.bots.steady import TRIVIAL_STEPS
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import DONE
from argentum.rules.views import View

SIGNIFICANT_ERRORS: Final = 2.0  # standard errors


class MeanGain(NamedTuple):
    """A mean, and its standard error."""

    mean: float
    error: float

    @property
    def is_significant(self) -> bool:
        """Whether it is hardly chance."""
        return abs(self.mean) > SIGNIFICANT_ERRORS * self.error


NO_GAIN: Final = MeanGain(0.0, 0.0)


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a seat: what it saw, what it played, what the bot would have played, and what that gains.

    `points` are those by which the seat would come off better in the round, against the mean of the others; `chance`
    is how much likelier it would be to win the game, and `standing` how likely it is after what it played; None where
    the bot would have done the same, and nothing was tried.
    """

    number: int
    round: int
    village: str
    hand: str
    pile: str
    played: str
    better: str
    points: MeanGain
    chance: MeanGain
    win_probability: float | None

    @property
    def agreed(self) -> bool:
        """Whether the bot would have done the same."""
        return self.played == self.better


@dataclass(frozen=True)
class OpenDecision:
    """A seat's choice: the game before it, and the move as it is written."""

    game: Game
    seat: str
    move: str


def open_decisions(game: Game, seat: str) -> list[OpenDecision]:
    """A seat's choices in which there was something to decide.

    The first look is none: all cards are alike then. Nor is where a card comes to lie.
    """
    return [
        OpenDecision(step.game.copy(), seat, step.move)
        for step in records.replay_steps(game)
        if isinstance(step, records.Decision) and step.seat == seat and _is_open(step.game.view(seat))
    ]


def _is_open(view: View) -> bool:
    return len(view.legal) > 1 and view.asking is not None and view.asking.step not in TRIVIAL_STEPS


def review_decisions(
    choices: Sequence[OpenDecision], bot: str, playouts: int, seed: int = 0
) -> Iterator[ReviewedDecision]:
    """Go through decisions one by one; the same seed gives the same figures, unless the bot goes by the clock."""
    for number, choice in enumerate(choices, 1):
        with closing(bots.make(bot, seed)) as one:
            moves = bot_moves(one, choice)
        better = moves_text(moves)
        if sorted(better.split()) == sorted(choice.move.split()):  # an exchange's cards have no order
            better, points, chance, standing = choice.move, NO_GAIN, NO_GAIN, None
        else:
            points, chance, standing = compare_moves(choice, moves, playouts, seed)
        view = choice.game.view(choice.seat)
        yield ReviewedDecision(
            number,
            view.round,
            " ".join(map(str, view.villages[choice.seat])),
            "" if view.hand is None or view.holder != choice.seat else str(view.hand),
            str(view.discard[0]) if view.discard else "",
            choice.move,
            better,
            points,
            chance,
            standing,
        )


def played_moves(choice: OpenDecision) -> list[int]:
    """The one-card moves that a seat made."""
    return [int(move) for move in choice.game.copy().play(choice.move, choice.seat)]


def bot_moves(bot: bots.Bot, choice: OpenDecision) -> list[int]:
    """The one-card moves that a bot would have made: all those of an exchange."""
    game = choice.game.copy()
    moves: list[int] = []
    while not moves or game.is_choosing_cards:
        move = int(bots.ask(bot, game, choice.seat))
        game.play(move, choice.seat)
        moves.append(move)
    return moves


def moves_text(moves: list[int]) -> str:
    """Moves as people write them.

    >>> written([Move.of("exchange A1"), Move.of("and A3"), Move.of("done")])
    'exchange A1 A3'
    """
    named = [Move(move).spot for move in moves[1:] if move != DONE]
    return " ".join([str(Move(moves[0])), *named])


def compare_moves(
    choice: OpenDecision, better: list[int], playouts: int, seed: int
) -> tuple[MeanGain, MeanGain, float]:
    """What other moves gain over those that were made, in points of the round and in chances to win the game.

    With it the chance to win after those that were made.
    """
    game, seat, played = choice.game, choice.seat, played_moves(choice)
    guesses = DealSampler(game.redeal(seat, Random(seed)), seat)
    random, me, quick = Random(seed), game.seats.index(seat), policy_for(game.cast)
    points, chances, standings = [], [], []
    for _ in range(playouts):
        ends = []
        table, moves = guesses.sample(random)
        for line in (better, played):
            end = table.copy()
            chance = play_out(end, [*moves, *line], quick, me)
            ends.append((_points_ahead(end.scores, me), chance))
        points.append(ends[0][0] - ends[1][0])
        chances.append(ends[0][1] - ends[1][1])
        standings.append(ends[1][1])
    return _mean_gain(points), _mean_gain(chances), round(min(max(fmean(standings), 0.0), 1.0), 3)


def _points_ahead(points: Sequence[int], me: int) -> float:
    """By how much a seat came off better than the mean of the others."""
    return fmean([one for seat, one in enumerate(points) if seat != me]) - points[me]


def _mean_gain(gains: list[float]) -> MeanGain:
    return MeanGain(round(fmean(gains), 3), round(stdev(gains) / sqrt(len(gains)), 3))
