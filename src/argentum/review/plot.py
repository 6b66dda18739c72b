"""A review as a picture: what each decision gave away, and what that comes to over the game."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from argentum.review.analysis import Reviewed

FORMATS: Final = (".png", ".svg")
INK: Final = "#2b2d42"
GIVEN_AWAY: Final = "#b3422f"
BETTER: Final = "#2f7d6d"
STRIPE: Final = "#f1eee6"


def plot(reviewed: Sequence[Reviewed], title: str, path: Path) -> None:
    """Draw a review into a file, PNG or SVG by its name."""
    figure = Figure(figsize=(10, 5.6), layout="constrained")
    single, whole = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    figure.suptitle(title, color=INK, fontsize=13, x=0.01, ha="left")
    numbers = [one.number for one in reviewed]
    gains = [one.points.mean for one in reviewed]
    differ = [one for one in reviewed if not one.agreed]
    single.bar(numbers, gains, width=0.8, color=[GIVEN_AWAY if gain > 0 else BETTER for gain in gains])
    single.errorbar(
        [one.number for one in differ],
        [one.points.mean for one in differ],
        yerr=[one.points.error for one in differ],
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
        _dress(axes, reviewed)
    _name_rounds(single, reviewed)
    with matplotlib.rc_context({"svg.hashsalt": "argentum", "svg.fonttype": "none"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _dress(axes: Axes, reviewed: Sequence[Reviewed]) -> None:
    """Plain axes, with every other round on a stripe."""
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_xlim(0.3, len(reviewed) + 0.7)
    for round, (first, last) in _rounds(reviewed).items():
        if round % 2 == 0:
            axes.axvspan(first - 0.5, last + 0.5, color=STRIPE, zorder=0)


def _name_rounds(axes: Axes, reviewed: Sequence[Reviewed]) -> None:
    for round, (first, last) in _rounds(reviewed).items():
        axes.annotate(
            f"round {round}",
            ((first + last) / 2, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color=INK,
        )


def _rounds(reviewed: Sequence[Reviewed]) -> dict[int, tuple[int, int]]:
    """The first and the last decision of each round."""
    numbers: dict[int, list[int]] = {}
    for one in reviewed:
        numbers.setdefault(one.round, []).append(one.number)
    return {round: (those[0], those[-1]) for round, those in numbers.items()}
