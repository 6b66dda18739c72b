"""Plot a review: the points that each decision lost, and their cumulative sum."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from argentum.review.analysis import ReviewedDecision

FORMATS: Final = (".png", ".svg")  # file suffixes
INK: Final = "#2b2d42"
LOSS_COLOUR: Final = "#b3422f"
GAIN_COLOUR: Final = "#2f7d6d"
STRIPE_COLOUR: Final = "#f1eee6"


def plot_review(reviewed: Sequence[ReviewedDecision], title: str, path: Path) -> None:
    """Write the plot of a review to a PNG or SVG file, depending on the suffix of `path`."""
    figure = Figure(figsize=(10, 5.6), layout="constrained")
    per_decision, cumulative = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    figure.suptitle(title, color=INK, fontsize=13, x=0.01, ha="left")
    numbers = [decision.number for decision in reviewed]
    gains = [decision.points_gain.mean for decision in reviewed]
    differing = [decision for decision in reviewed if not decision.agreed]
    per_decision.bar(numbers, gains, width=0.8, color=[LOSS_COLOUR if gain > 0 else GAIN_COLOUR for gain in gains])
    per_decision.errorbar(
        [decision.number for decision in differing],
        [decision.points_gain.mean for decision in differing],
        yerr=[decision.points_gain.error for decision in differing],
        fmt="none",
        ecolor=INK,
        elinewidth=0.8,
        alpha=0.6,
    )
    per_decision.set_ylabel("points that the bot\nwould have gained", color=INK)
    cumulative.step([0, *numbers], [0, *accumulate(gains)], where="post", color=INK, linewidth=1.6)
    cumulative.set_ylabel("in all", color=INK)
    cumulative.set_xlabel("decision", color=INK)
    for axes in (per_decision, cumulative):
        _style_axes(axes, reviewed)
    _label_rounds(per_decision, reviewed)
    with matplotlib.rc_context({"svg.hashsalt": "argentum", "svg.fonttype": "none"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _style_axes(axes: Axes, reviewed: Sequence[ReviewedDecision]) -> None:
    """Set colours and limits, hide two spines, and shade every second round."""
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_xlim(0.3, len(reviewed) + 0.7)
    for round, (first, last) in _round_bounds(reviewed).items():
        if round % 2 == 0:
            axes.axvspan(first - 0.5, last + 0.5, color=STRIPE_COLOUR, zorder=0)


def _label_rounds(axes: Axes, reviewed: Sequence[ReviewedDecision]) -> None:
    for round, (first, last) in _round_bounds(reviewed).items():
        axes.annotate(
            f"round {round}",
            ((first + last) / 2, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color=INK,
        )


def _round_bounds(reviewed: Sequence[ReviewedDecision]) -> dict[int, tuple[int, int]]:
    """Map each round to the numbers of its first and last decision."""
    by_round: dict[int, list[int]] = {}
    for decision in reviewed:
        by_round.setdefault(decision.round, []).append(decision.number)
    return {round: (numbers[0], numbers[-1]) for round, numbers in by_round.items()}
