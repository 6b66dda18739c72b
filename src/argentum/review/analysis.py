"""Compare the moves of one seat of a finished game with those of a bot.

The bot sees only what the seat could see. Where it prefers another move, both moves are played on the same samples of
the hidden cards, and the playout policy finishes the round.
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
from argentum.bots.search.playouts import play_out
from argentum.bots.steady import TRIVIAL_STEPS
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import DONE
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.standings import lead_over_mean, win_probability
from argentum.rules.views import View

SIGNIFICANT_ERRORS: Final = 2.0  # standard errors by which a significant mean differs from 0


class MeanGain(NamedTuple):
    """The mean of a gain over the playouts, and its standard error."""

    mean: float
    error: float

    @property
    def is_significant(self) -> bool:
        return abs(self.mean) > SIGNIFICANT_ERRORS * self.error


NO_GAIN: Final = MeanGain(0.0, 0.0)


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a seat, and the move of the bot. Gains are the advantage of the bot's move over the played move."""

    number: int  # of the decision, from 1
    round: int
    village: str
    hand: str
    discard_top: str
    played: str
    bot_move: str
    points_gain: MeanGain  # gain in the lead over the mean of the other seats in this round
    win_probability_gain: MeanGain  # gain in the probability of winning the game
    win_probability: float | None  # after the played move; None if the bot agrees

    @property
    def agreed(self) -> bool:
        return self.played == self.bot_move


@dataclass(frozen=True)
class OpenDecision:
    """A decision of a seat between moves that may differ in value."""

    game: Game  # before the move
    seat: str
    move: str  # the text of the played move


def find_open_decisions(game: Game, seat: str) -> list[OpenDecision]:
    """Return the decisions of a seat between moves that may differ in value.

    The first look, in which all cards are equally unknown, and steps that only place a card are omitted.
    """
    return [
        OpenDecision(step.game.copy(), seat, step.move)
        for step in records.replay_steps(game)
        if isinstance(step, records.Decision) and step.seat == seat and _is_open(step.game.view(seat))
    ]


def _is_open(view: View) -> bool:
    return len(view.legal) > 1 and view.asking is not None and view.asking.step not in TRIVIAL_STEPS


def review_decisions(
    decisions: Sequence[OpenDecision], bot_name: str, playouts: int, seed: int = 0
) -> Iterator[ReviewedDecision]:
    """Compare each decision with that of a bot; if they differ, play out both moves on `playouts` samples.

    The same seed gives the same results, unless the bot is time-limited.
    """
    for number, decision in enumerate(decisions, 1):
        with closing(bots.make(bot_name, seed)) as bot:
            moves = bot_moves(bot, decision)
        bot_move = moves_text(moves)
        if sorted(bot_move.split()) == sorted(decision.move.split()):  # The cards of an exchange have no order.
            bot_move, points, win_gain, win_probability = decision.move, NO_GAIN, NO_GAIN, None
        else:
            points, win_gain, win_probability = compare_moves(decision, moves, playouts, seed)
        view = decision.game.view(decision.seat)
        yield ReviewedDecision(
            number,
            view.round,
            " ".join(map(str, view.villages[decision.seat])),
            "" if view.hand is None or view.holder != decision.seat else str(view.hand),
            str(view.discard[0]) if view.discard else "",
            decision.move,
            bot_move,
            points,
            win_gain,
            win_probability,
        )


def played_moves(decision: OpenDecision) -> list[int]:
    """Return the played move as one-card moves; only an exchange consists of several."""
    return [int(move) for move in decision.game.copy().play(decision.move, decision.seat)]


def bot_moves(bot: bots.Bot, decision: OpenDecision) -> list[int]:
    """Return the bot's choice as one-card moves; only an exchange consists of several."""
    game = decision.game.copy()
    moves: list[int] = []
    while not moves or game.is_choosing_cards:
        move = int(bots.ask(bot, game, decision.seat))
        game.play(move, decision.seat)
        moves.append(move)
    return moves


def moves_text(moves: list[int]) -> str:
    """Return the text of a complete move, given as one-card moves.

    >>> moves_text([Move.of("exchange A1"), Move.of("and A3"), Move.of("done")])
    'exchange A1 A3'
    """
    further_spots = [Move(move).spot for move in moves[1:] if move != DONE]
    return " ".join([str(Move(moves[0])), *further_spots])


def compare_moves(
    decision: OpenDecision, other_moves: list[int], playouts: int, seed: int
) -> tuple[MeanGain, MeanGain, float]:
    """Play out `other_moves` and the played moves on the same samples.

    Return the gain of `other_moves` in points and in win probability, and the win probability of the played moves.
    """
    game, seat, played = decision.game, decision.seat, played_moves(decision)
    sampler = DealSampler(game.position().known_to(seat), seat)
    random, me = Random(seed), game.seats.index(seat)
    points, win_gains, win_probabilities = [], [], []
    for _ in range(playouts):
        results = []
        sample = sampler.sample(random) or game.position()
        for moves in (other_moves, played):
            table = play_out(sample, moves)
            lead = lead_over_mean(table.scores[me], sum(table.scores), len(table.scores))
            results.append((lead, win_probability(table, me, ROUNDS_PER_GAME - table.round)))
        points.append(results[0][0] - results[1][0])
        win_gains.append(results[0][1] - results[1][1])
        win_probabilities.append(results[1][1])
    return _mean_gain(points), _mean_gain(win_gains), round(min(max(fmean(win_probabilities), 0.0), 1.0), 3)


def _mean_gain(gains: list[float]) -> MeanGain:
    return MeanGain(round(fmean(gains), 3), round(stdev(gains) / sqrt(len(gains)), 3))
