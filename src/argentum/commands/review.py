"""`argentum review`: compare the decisions of a recorded game with a bot's."""

import json
from dataclasses import asdict
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING

import click

from argentum.commands._params import BotNameParam, InvalidInput, did_you_mean, examples_epilog, progress_bar

if TYPE_CHECKING:
    from argentum.review.analysis import ReviewedDecision
    from argentum.rules.game import Game


@click.command(
    "review",
    epilog=examples_epilog(
        "argentum review game.silver --seat A",
        "argentum review game.silver --seat Ann --plot ann.svg",
        "argentum review game.silver --bot steady --playouts 1000 --json",
    ),
)
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--seat", default="A", show_default=True, help="Whose decisions to review: a seat's letter or a player's name."
)
@click.option("--bot", type=BotNameParam(), help="Bot to compare with.  [default: the strongest]")
@click.option(
    "--playouts",
    default=20,
    show_default=True,
    type=click.IntRange(2),
    help="Playouts per move where you and the bot differ.",
)
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same re-deals.")
@click.option(
    "--plot", "plot_file", type=click.Path(path_type=Path, dir_okay=False), help="Draw the review: a PNG or SVG file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
def command(
    record: Path, seat: str, bot: str | None, playouts: int, seed: int, plot_file: Path | None, as_json: bool
) -> None:
    """Review a game with a bot: what it would have played, and what that would gain.

    The bot knows what the seat knew. Where it would have moved differently, both moves are played to the end of the
    round, on new deals of everything the seat could not know. What the bot's move gains is shown in points of the
    round, compared with the average of the other players, and as the chance to win the game, in percent. Each comes
    with its standard error; a * marks points of more than two standard errors.
    """
    from argentum import bots, records
    from argentum.review.analysis import find_open_decisions, review_decisions

    _check_plot_file(plot_file)
    try:
        game = records.read_file(record)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    letter = _resolve_seat(seat, game)
    bot = bot or bots.strongest(game.players)
    decisions = find_open_decisions(game, letter)
    with progress_bar(review_decisions(decisions, bot, playouts, seed), len(decisions), "Reviewing") as steps:
        reviewed = list(steps)
    title = f"{game.names[game.seats.index(letter)]} (seat {letter}), seen by {bot.partition(':')[0]}"
    if as_json:
        options = {"record": str(record), "seat": letter, "bot": bot, "playouts": playouts, "seed": seed}
        click.echo(
            json.dumps(options | {"decisions": [_decision_json(decision) for decision in reviewed]}, ensure_ascii=False)
        )
    else:
        for line in _review_lines(reviewed, title):
            click.echo(line)
    if plot_file is not None:
        _write_plot(reviewed, title, plot_file)


def _resolve_seat(word: str, game: "Game") -> str:
    """Return the seat with this letter or player's name; raise `InvalidInput` if there is not exactly one."""
    if word.upper() in game.seats:
        return word.upper()
    named = [seat for seat, name in zip(game.seats, game.names, strict=True) if name.lower() == word.lower()]
    if len(named) != 1:
        pairs = zip(game.seats, game.names, strict=True)
        seats = ", ".join(seat if seat == name else f"{seat} {name}" for seat, name in pairs)
        raise InvalidInput(f"{word!r} is not a seat of this game: there are {seats}.{did_you_mean(word, game.names)}")
    return named[0]


def _check_plot_file(plot_file: Path | None) -> None:
    """Raise `InvalidInput` if the plot's library or folder does not exist, or if its format is not supported."""
    if plot_file is None:
        return
    try:
        from argentum.review.plot import FORMATS
    except ImportError as error:
        raise InvalidInput(
            f"A plot needs {error.name}, which is not installed: run `pip install 'argentum[plot]'`."
        ) from None
    if plot_file.suffix.lower() not in FORMATS:
        raise InvalidInput(f"{plot_file}: the name of a plot ends in {' or '.join(FORMATS)}.")
    if not plot_file.absolute().parent.is_dir():
        raise InvalidInput(f"{plot_file}: there is no folder {plot_file.parent}.")


def _write_plot(reviewed: "list[ReviewedDecision]", title: str, plot_file: Path) -> None:
    from argentum.review.plot import plot_review

    try:
        plot_review(reviewed, title, plot_file)
    except OSError as error:
        raise InvalidInput(f"{plot_file}: {error.strerror}") from None
    click.echo(f"The plot is in {plot_file}.", err=True)


def _decision_json(decision: "ReviewedDecision") -> dict[str, object]:
    gains = {name: getattr(decision, name)._asdict() for name in ("points_gain", "win_probability_gain")}
    return asdict(decision) | gains


def _review_lines(reviewed: "list[ReviewedDecision]", title: str) -> list[str]:
    """Format a review as text: one line per decision, then the sum of the gains."""
    rows = [("", "village", "in hand", "pile", "played", "the bot", "points", "chance"), *map(_decision_row, reviewed)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    output, round = [title, "", lines[0]], 0
    for decision, line in zip(reviewed, lines[1:], strict=True):
        if decision.round != round:
            round = decision.round
            output += ["", f"Round {round}"]
        output.append(line)
    agreed = sum(decision.agreed for decision in reviewed)
    points = sum(decision.points_gain.mean for decision in reviewed)
    error = hypot(*[decision.points_gain.error for decision in reviewed])
    summary = f"{len(reviewed)} decisions, {agreed} as the bot would have played; the others come to"
    return [*output, "", f"{summary} {points:+.1f} ±{error:.1f} points."]


def _decision_row(decision: "ReviewedDecision") -> tuple[str, ...]:
    position = (str(decision.number), decision.village, decision.hand, decision.discard_top, decision.played)
    if decision.agreed:
        return (*position, "", "", "")
    points = (
        f"{decision.points_gain.mean:+5.1f} ±{decision.points_gain.error:.1f}"
        + "*" * decision.points_gain.is_significant
    )
    probability = f"{100 * decision.win_probability_gain.mean:+3.0f} ±{100 * decision.win_probability_gain.error:.0f} %"
    return (*position, decision.bot_move, points, probability)
