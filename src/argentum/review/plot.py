"""A review as a picture: what each decision gave away, and what that comes to over the game."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from argentum.review.analysis import ReviewedDecision

FORMATS: Final = (".png", ".svg")
INK: Final = "#2b2d42"
LOSS_COLOUR: Final = "#b3422f"
GAIN_COLOUR: Final = "#2f7d6d"
STRIPE_COLOUR: Final = "#f1eee6"


def plot_review(reviewed: Sequence[ReviewedDecision], title: str, path: Path) -> None:
    """Draw a review into a file, PNG or SVG by its name."""
    figure = Figure(figsize=(10, 5.6), layout="constrained")
    single, whole = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    figure.suptitle(title, color=INK, fontsize=13, x=0.01, ha="left")
    numbers = [decision.number for decision in reviewed]
    gains = [decision.points.mean for decision in reviewed]
    differ = [decision for decision in reviewed if not decision.agreed]
    single.bar(numbers, gains, width=0.8, color=[LOSS_COLOUR if gain > 0 else GAIN_COLOUR for gain in gains])
    single.errorbar(
        [decision.number for decision in differ],
        [decision.points.mean for decision in differ],
        yerr=[decision.points.error for decision in differ],
        fmt="none",
        ecolor=INK,
        elinewidth=0.8,
        alpha=0.6,
    )
    single.set_ylabel("points that the bot\nwould have gained", color=INK)
    whole.step([0, *numbers], [0, *accumulate(gains)], where="post", color=INK, linewidth=1.6)
    whole.set_ylabel("in all", color=INK)
    whole.set_xlabel("decision", color=INK)
    for axes in (single, whole):
        _style_axes(axes, reviewed)
    _label_rounds(single, reviewed)
    with matplotlib.rc_context({"svg.hashsalt": "argentum", "svg.fonttype": "none"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _style_axes(axes: Axes, reviewed: Sequence[ReviewedDecision]) -> None:
    """Plain axes, with every other round on a stripe."""
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
    """The first and the last decision of each round."""
    numbers: dict[int, list[int]] = {}
    for decision in reviewed:
        numbers.setdefault(decision.round, []).append(decision.number)
    return {round: (those[0], those[-1]) for round, those in numbers.items()}
