"""Compare the moves of one seat of a finished game with those of a bot.

The bot knows what the seat knew. Where it prefers another move, both moves are played on the same samples of the hidden
cards, and the playout policy finishes the round.
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

SIGNIFICANT_ERRORS: Final = 2.0  # standard errors from 0


class MeanGain(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    @property
    def is_significant(self) -> bool:
        return abs(self.mean) > SIGNIFICANT_ERRORS * self.error


NO_GAIN: Final = MeanGain(0.0, 0.0)


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a seat, the bot's move, and what that move gains.

    `points_gain` is relative to the mean of the other seats in the round, `win_probability_gain` to the seat's
    own move. `win_probability` is that of winning the game after that move; None where the bot agrees.
    """

    number: int
    round: int
    village: str
    hand: str
    discard_top: str
    played: str
    bot_move: str
    points_gain: MeanGain
    win_probability_gain: MeanGain
    win_probability: float | None

    @property
    def agreed(self) -> bool:
        return self.played == self.bot_move


@dataclass(frozen=True)
class OpenDecision:
    """A decision of a seat: the game before it, and the text of its move."""

    game: Game
    seat: str
    move: str


def open_decisions(game: Game, seat: str) -> list[OpenDecision]:
    """Return the decisions of a seat that matter.

    The first look is left out because all cards are alike then, and so are steps that only place a card.
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
    """Review decisions one by one. The same seed gives the same results, unless the bot is time-limited."""
    for number, choice in enumerate(choices, 1):
        with closing(bots.make(bot, seed)) as player:
            moves = bot_moves(player, choice)
        better = moves_text(moves)
        if sorted(better.split()) == sorted(choice.move.split()):  # an exchange's cards have no order
            better, points, win_gain, win_probability = choice.move, NO_GAIN, NO_GAIN, None
        else:
            points, win_gain, win_probability = compare_moves(choice, moves, playouts, seed)
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
            win_gain,
            win_probability,
        )


def played_moves(choice: OpenDecision) -> list[int]:
    """Return the seat's move as one-card moves."""
    return [int(move) for move in choice.game.copy().play(choice.move, choice.seat)]


def bot_moves(bot: bots.Bot, choice: OpenDecision) -> list[int]:
    """Return the bot's move as one-card moves, an exchange with all its cards."""
    game = choice.game.copy()
    moves: list[int] = []
    while not moves or game.is_choosing_cards:
        move = int(bots.ask(bot, game, choice.seat))
        game.play(move, choice.seat)
        moves.append(move)
    return moves


def moves_text(moves: list[int]) -> str:
    """Return one-card moves as one move text.

    >>> moves_text([Move.of("exchange A1"), Move.of("and A3"), Move.of("done")])
    'exchange A1 A3'
    """
    named = [Move(move).spot for move in moves[1:] if move != DONE]
    return " ".join([str(Move(moves[0])), *named])


def compare_moves(
    choice: OpenDecision, better: list[int], playouts: int, seed: int
) -> tuple[MeanGain, MeanGain, float]:
    """Return what better moves gain in points and in win probability, and the win probability of the played ones."""
    game, seat, played = choice.game, choice.seat, played_moves(choice)
    sampler = DealSampler(game.redeal(seat, Random(seed)), seat)
    random, me, policy = Random(seed), game.seats.index(seat), policy_for(game.cast)
    points, win_gains, win_probabilities = [], [], []
    for _ in range(playouts):
        ends = []
        table, moves = sampler.sample(random)
        for line in (better, played):
            end = table.copy()
            probability = play_out(end, [*moves, *line], policy, me)
            ends.append((_points_ahead(end.scores, me), probability))
        points.append(ends[0][0] - ends[1][0])
        win_gains.append(ends[0][1] - ends[1][1])
        win_probabilities.append(ends[1][1])
    return _mean_gain(points), _mean_gain(win_gains), round(min(max(fmean(win_probabilities), 0.0), 1.0), 3)


def _points_ahead(points: Sequence[int], me: int) -> float:
    """Return a seat's lead over the mean of the others; fewer points are better."""
    return fmean([score for seat, score in enumerate(points) if seat != me]) - points[me]


def _mean_gain(gains: list[float]) -> MeanGain:
    return MeanGain(round(fmean(gains), 3), round(stdev(gains) / sqrt(len(gains)), 3))
