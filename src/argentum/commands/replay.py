"""`argentum replay`: a recorded game, move by move."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from argentum.commands._arguments import BadInput, examples

if TYPE_CHECKING:
    from argentum.rules.game import Game


@click.command(
    "replay",
    epilog=examples(
        "argentum replay game.silver", "argentum replay game.silver | less", "argentum replay --json game.silver"
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: the game, deals, decisions, scores.")
def command(file: Path, as_json: bool) -> None:
    """Show a recorded game move by move.

    Every table in the browser offers the record of a finished game; `argentum watch` steps through one.
    """
    from argentum import records

    try:
        game = records.read_file(file)
    except ValueError as error:
        raise BadInput(str(error)) from None
    if as_json:
        for step in records.steps_as_json(game):
            click.echo(json.dumps(step, ensure_ascii=False))
    else:
        for line in replay_lines(game):
            click.echo(line)


def replay_lines(game: "Game") -> Iterator[str]:
    """A game for people to read: each move with the village of the seat that made it."""
    from argentum import records
    from argentum.rules.positions import hand_text, pile_text, shuffle_text, village_text
    from argentum.rules.table import NO_CARD

    cast = game.table.cast
    yield f"Deck {cast.code}, silver {cast.token}: {', '.join(game.names)}"
    for step in records.walk(game):
        match step:
            case records.Dealt(table):
                yield f"\nRound {table.round}"
            case records.Decision(before, seat, move):
                table = before.table
                hand = f"   in hand {hand_text(table)}" * (table.hand != NO_CARD)
                pile = f"   pile {pile_text(table, table.pile[-1:]) or 'empty'}"
                yield f"  {seat}  {move:24} {village_text(table, before.seats.index(seat))}{hand}{pile}"
            case records.Shuffled(outcome):
                yield f"     the village is shuffled: {shuffle_text(outcome)}"
            case records.RoundOver(table, scores, totals, token):
                yield from (f"      {line}" for line in game.explain(table.round))
                yield f"  scores {scores}, totals {totals}, token {token}"
    yield f"\nWinner: {game.winner}" if game.over else "\n(the game goes on)"
