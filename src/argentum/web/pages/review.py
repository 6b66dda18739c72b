"""Values of the review page: a chart of all decisions, and the position of one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argentum.bots.search.win_probability import win_share
from argentum.display.replay import Replay, build_replay_scene
from argentum.display.scene import MOONS, Scene
from argentum.rooms.post_game import Row
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.words import site_texts

CHART_WIDTH, CHART_HEIGHT, CHART_LEFT, CHART_TOP, CHART_BOTTOM = 1328, 232, 56, 40, 8  # SVG units
MIN_Y_LIMIT, MAX_Y_LIMIT = 0.1, 0.6  # of the y-axis, as changes in win probability
RANKED = 3  # costliest decisions with a rank on the chart


class DecisionMark(NamedTuple):
    decision: int
    x: float
    y: float
    high: float  # y coordinates of the ends of the error bar
    low: float
    kind: str  # better: another move was better; yours: the played one was best; close: too close to tell
    rank: int  # 1 for the costliest; 0 for decisions without a rank
    label: str


class RoundSpan(NamedTuple):
    round: int
    points: int
    chance: str  # win probability before and after the round
    moon: str
    x: float
    wide: float


class CostlyDecision(NamedTuple):
    """A decision for which another move was better."""

    decision: int
    rank: int
    round: int
    cost: str
    doubt: str
    yours: str
    better: str


@dataclass(frozen=True)
class ReviewPage:
    table: str
    seat: str
    others: tuple[str, ...]
    headline: str
    counts: tuple[int, int, int]  # decisions, best moves, missed better moves
    ticks: tuple[tuple[str, float], ...]
    rounds: tuple[RoundSpan, ...]
    marks: tuple[DecisionMark, ...]
    costly: tuple[CostlyDecision, ...]
    index: int
    last: int
    title: str
    verdict: str
    decided: str  # effect of the decision on the win probability
    row: Row
    scene: Scene
    how: str


def worst_first(rows: Sequence[Row]) -> list[int]:
    """Return the indices of decisions for which another move was significantly better, costliest first."""
    missed = [index for index, row in enumerate(rows) if row["sure"] and row["chance"] > 0]
    return sorted(missed, key=lambda index: -rows[index]["chance"])


def review_page(
    room: Room, role: str, rows: Sequence[Row], index: int, method: tuple[str, int], replay: Replay
) -> ReviewPage:
    """Build the review page at decision `index`, whose position is in `replay`.

    `method` has the name of the reviewing bot and its number of playouts.
    """
    game = room.game
    assert game is not None
    order = worst_first(rows)
    index = min(max(index, 0), len(rows) - 1)
    row = rows[index]
    missed_count = len(order)
    return ReviewPage(
        table=room.name,
        seat=role,
        others=tuple([seat.name for seat in room.players() if seat.letter != role]),
        headline=site_texts.review_headline(missed_count),
        counts=(len(rows), len(rows) - missed_count, missed_count),
        ticks=_chart_ticks(_y_limit(rows)),
        rounds=_round_spans(rows, game, role),
        marks=tuple([_decision_mark(rows, decision, order) for decision in range(len(rows))]),
        costly=tuple([_costly_decision(rows, decision, rank) for rank, decision in enumerate(order, 1)]),
        index=index,
        last=len(rows) - 1,
        title=f"Round {row['round']}, decision {index + 1}",
        verdict=site_texts.decision_verdict(row["agreed"], row["sure"], row["chance"]),
        decided=site_texts.decision_effect(row["standing"], row["chance"]),
        row=row,
        scene=build_replay_scene(replay, role, room.players(), 1),
        how=site_texts.review_method(*method, rows[-1]["left_out"]),
    )


def _y_limit(rows: Sequence[Row]) -> float:
    """Return the y-axis limit of the chart, which fits all error bars unless it is clamped."""
    largest: float = max([abs(row["chance"]) + 2 * row["error"] for row in rows])
    return min(max(largest, MIN_Y_LIMIT), MAX_Y_LIMIT)


def _x(rows: Sequence[Row], index: float) -> float:
    return round(CHART_LEFT + (CHART_WIDTH - CHART_LEFT) * (index + 0.5) / len(rows), 1)


def _y(gain: float, limit: float) -> float:
    """Return the y coordinate of a change in win probability: 0 is in the middle, gains are above it."""
    middle, half = (CHART_TOP + CHART_HEIGHT - CHART_BOTTOM) / 2, (CHART_HEIGHT - CHART_BOTTOM - CHART_TOP) / 2
    return round(middle - half * min(max(gain / limit, -1.0), 1.0), 1)


def _chart_ticks(limit: float) -> tuple[tuple[str, float], ...]:
    step = 0.05 if limit < 0.15 else 0.1 if limit < 0.35 else 0.2
    gains = [step * index for index in range(-int(limit / step), int(limit / step) + 1)]
    return tuple([(site_texts.signed_percent(gain), _y(gain, limit)) for gain in gains])


def _round_spans(rows: Sequence[Row], game: Game, seat: str) -> tuple[RoundSpan, ...]:
    first_indices = [index for index, row in enumerate(rows) if not index or row["round"] != rows[index - 1]["round"]]
    edges = [_x(rows, index - 0.5) for index in (*first_indices, len(rows))]
    return tuple(
        [
            RoundSpan(
                round_,
                game.scores[round_ - 1][seat],
                site_texts.format_win_probability_change(
                    _win_chance(game, round_ - 1, seat), _win_chance(game, round_, seat)
                ),
                MOONS[round_ - 1],
                edges[index],
                round(edges[index + 1] - edges[index], 1),
            )
            for index, round_ in enumerate([rows[first]["round"] for first in first_indices])
        ]
    )


def _win_chance(game: Game, rounds: int, seat: str) -> float:
    """Return the win probability of a seat after `rounds` rounds."""
    if rounds == len(game.scores):
        return float(game.winner == seat)
    totals = [float(sum([points[other] for points in game.scores[:rounds]])) for other in game.seats]
    return win_share(totals, ROUNDS_PER_GAME - rounds, game.seats.index(seat))


def _decision_mark(rows: Sequence[Row], index: int, order: Sequence[int]) -> DecisionMark:
    row, limit = rows[index], _y_limit(rows)
    kind = "close" if not row["sure"] else "better" if row["chance"] > 0 else "yours"
    rank = order.index(index) + 1 if index in order[:RANKED] else 0
    verdict = site_texts.decision_verdict(row["agreed"], row["sure"], row["chance"])
    label = f"Decision {index + 1}, round {row['round']}: {verdict}"
    high, low = (_y(-row["chance"] + sign * 2 * row["error"], limit) for sign in (1, -1))
    return DecisionMark(index, _x(rows, index), _y(-row["chance"], limit), high, low, kind, rank, label)


def _costly_decision(rows: Sequence[Row], index: int, rank: int) -> CostlyDecision:
    row = rows[index]
    doubt = f"± {round(200 * row['error'])}"
    return CostlyDecision(
        index, rank, row["round"], site_texts.signed_percent(-row["chance"]), doubt, row["played"], row["better"]
    )
