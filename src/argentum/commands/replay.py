"""`argentum replay`: print a recorded game move by move."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from argentum.commands._params import InvalidInput, examples_epilog

if TYPE_CHECKING:
    from argentum.rules.game import Game


@click.command(
    "replay",
    epilog=examples_epilog(
        "argentum replay game.silver", "argentum replay game.silver | less", "argentum replay --json game.silver"
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line: the game, deals, decisions, scores."
)
def command(file: Path, as_json: bool) -> None:
    """Show a recorded game move by move.

    Every table in the browser offers the record of a finished game; `argentum watch` steps through one.
    """
    from argentum import records

    try:
        game = records.read_file(file)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    if as_json:
        for step in records.steps_as_json(game):
            click.echo(json.dumps(step, ensure_ascii=False))
    else:
        for line in replay_lines(game):
            click.echo(line)


def replay_lines(game: "Game") -> Iterator[str]:
    """Format a game as text: each move with the village of the seat that played it."""
    from argentum import records

    yield f"Deck {game.cast.code}, silver {game.cast.token}: {', '.join(game.names)}"
    for step in records.replay_steps(game):
        match step:
            case records.RoundDealt(number):
                yield f"\nRound {number}"
            case records.Decision(before, seat, move):
                yield f"  {seat}  {move:24} {position_line(before, seat)}"
            case records.VillageShuffled(outcome):
                yield f"     the village is shuffled: {outcome.cards}"
            case records.RoundScored(number, scores, totals, token):
                yield from round_score_lines(game, number)
                yield f"  scores {points_text(scores)}; totals {points_text(totals)}; {token_text(token)}"
    yield f"\nWinner: {game.winner}" if game.over else "\n(the game goes on)"


def points_text(points: dict[str, int]) -> str:
    """Format the points of each seat.

    >>> points_text({"A": 12, "B": 0})
    'A 12, B 0'
    """
    return ", ".join(f"{seat} {number}" for seat, number in points.items())


def token_text(token: str) -> str:
    """Describe who holds the token after a round.

    >>> token_text("dagger B active")
    'B holds the dagger, active'
    """
    name, seat, state = token.split()
    return f"{seat} holds the {name}, {state}"


def position_line(game: "Game", seat: str) -> str:
    """Format what the seat to move sees: its village, hand, top of the pile, shown cards and guards."""
    position = game.position().as_dict()
    columns = [position["villages"][seat]]
    columns += [f"in hand {card}" for card in position["hand"].values()]
    columns.append(f"pile {(position['discard'].split() or ['empty'])[0]}")
    columns += [f"{key} {position[key]}" for key in ("shown", "guards") if position[key]]
    return "   ".join(columns)


def round_score_lines(game: "Game", number: int) -> Iterator[str]:
    """Format how a round was scored: the result, then each seat's cards and adjustments."""
    from argentum import words

    lines, end = game.explain(number), game.round_end_view(number)
    yield f"      {' '.join(words.round_result(lines, end))}"
    for seat, account in words.score_texts(lines, end).items():
        for line in account:
            card = "" if line.number is None else f"{line.number} "
            yield f"      {seat} {line.amount:>4}  {card}{line.words}"
