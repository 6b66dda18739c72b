"""Win-rate plot as SVG: for each bot the share of games won, with its interval.

The SVG is written without a plotting library and follows the reader's dark or light colour scheme.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from argentum.arena.contest import CellResult
from argentum.arena.estimates import Estimate
from argentum.arena.report import ALONE_COLUMN, cell_title, player_label

PLOT_WIDTH: Final = 720
AXIS_LEFT: Final = 190  # x of 0 %
AXIS_RIGHT: Final = 610  # x of 100 %
ROW_HEIGHT: Final = 24
HEAD_HEIGHT: Final = 40
FOOT_HEIGHT: Final = 34
MAX_NAME_LENGTH: Final = 24  # characters
AXIS_TICKS: Final = (0, 25, 50, 75, 100)  # percent

STYLE: Final = """\
text { font: 13px system-ui, sans-serif; fill: #22304a; }
.title { font-weight: 600; }
.axis { fill: #66748c; font-size: 11px; }
.right { text-anchor: end; }
.middle { text-anchor: middle; }
.paper { fill: #f7f8fb; }
.grid { stroke: #d7dce6; }
.even { stroke: #8a94a8; stroke-dasharray: 4 3; }
.range { stroke: #3f6fb5; stroke-width: 3; stroke-linecap: round; }
.dot { fill: #22304a; stroke: #f7f8fb; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  text { fill: #dfe6f2; }
  .axis { fill: #93a1b8; }
  .paper { fill: #121a2a; }
  .grid { stroke: #283449; }
  .even { stroke: #7c8aa3; }
  .range { stroke: #7fa7e0; }
  .dot { fill: #f2f5fa; stroke: #121a2a; }
}"""


class PlotRow(NamedTuple):
    name: str
    win_rate: Estimate


def win_rate_svg(results: Sequence[CellResult]) -> str:
    """Return an SVG document with a panel for each result, one below the other."""
    elements: list[str] = []
    top = 0
    for result in results:
        rows = list(make_plot_rows(result))
        elements += draw_panel(result, rows, top)
        top += HEAD_HEIGHT + ROW_HEIGHT * len(rows) + FOOT_HEIGHT
    body = "\n".join(elements)
    size = f'viewBox="0 0 {PLOT_WIDTH} {top}" width="{PLOT_WIDTH}" height="{top}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n'
        f"<title>Share of games won, with 95 % intervals</title>\n<style>\n{STYLE}\n</style>\n"
        f'<rect class="paper" width="{PLOT_WIDTH}" height="{top}"/>\n{body}\n</svg>\n'
    )


def make_plot_rows(result: CellResult) -> Iterator[PlotRow]:
    """Yield a row for each bot, the best first, followed by a row for its games alone against another bot, if any."""
    for standing in result.best_first():
        yield PlotRow(player_label(standing.bot), standing.wins)
        if standing.alone_wins:
            yield PlotRow(f"{player_label(standing.bot)}, {ALONE_COLUMN}", standing.alone_wins)


def draw_panel(result: CellResult, rows: Sequence[PlotRow], top: int) -> Iterator[str]:
    """Yield the SVG elements of a panel: title, axis, a line at an equal share, and the rows."""
    first, last = top + HEAD_HEIGHT, top + HEAD_HEIGHT + ROW_HEIGHT * len(rows)
    yield f'<text class="title" x="16" y="{top + 25}">{escape(cell_title(result))}</text>'
    for tick in AXIS_TICKS:
        x = x_position(tick / 100)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{first}" y2="{last}"/>'
        yield f'<text class="axis middle" x="{x}" y="{last + 16}">{tick} %</text>'
    even_x = x_position(1 / result.cell.players)
    yield f'<line class="even" x1="{even_x}" x2="{even_x}" y1="{first - 6}" y2="{last}"><title>even</title></line>'
    for index, (name, (mean, low, high)) in enumerate(rows):
        y = first + ROW_HEIGHT * index + ROW_HEIGHT // 2
        yield f'<text class="right" x="{AXIS_LEFT - 14}" y="{y + 4}">{escape(shorten_name(name))}</text>'
        yield f'<line class="range" x1="{x_position(low)}" x2="{x_position(high)}" y1="{y}" y2="{y}"/>'
        yield f'<circle class="dot" cx="{x_position(mean)}" cy="{y}" r="5"/>'
        yield f'<text x="{AXIS_RIGHT + 18}" y="{y + 4}">{100 * mean:.1f} %</text>'


def shorten_name(name: str) -> str:
    """Shorten a name that is too long, such as a file name, to its last characters.

    >>> shorten_name("steady"), shorten_name("mine@/home/somebody/networks/first.npz:1s")
    ('steady', '…y/networks/first.npz:1s')
    """
    return name if len(name) <= MAX_NAME_LENGTH else f"…{name[1 - MAX_NAME_LENGTH :]}"


def x_position(fraction: float) -> float:
    """Return the x coordinate of a fraction on the axis.

    >>> x_position(0.0), x_position(0.5), x_position(1.0)
    (190.0, 400.0, 610.0)
    """
    return round(AXIS_LEFT + (AXIS_RIGHT - AXIS_LEFT) * fraction, 1)
