"""`argentum verify`: check a recorded game against the server's commitment."""

from pathlib import Path

import click

from argentum.commands._params import EXIT_FAILED, InvalidInput, examples_epilog


@click.command(
    "verify",
    epilog=examples_epilog(
        "argentum verify game.silver", "argentum verify --commitment 9f86d081884c7d65... game.silver"
    ),
)
@click.argument("file", metavar="RECORD", type=click.Path(path_type=Path))
@click.option(
    "--commitment", default="", help="Commitment that the table showed before the game. [default: the record's own]"
)
def command(file: Path, commitment: str) -> None:
    """Check that a recorded game was dealt as its server promised.

    The record of a game played at a table, on a server or in the terminal, holds the secret behind its shuffles and
    the value that each seat added to it. If you also give the commitment that you were shown before the game, you
    know that the server did not change the secret afterwards. Who added the values is not checked.
    """
    from argentum import records
    from argentum.records import fairness

    try:
        game = records.read_file(file)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    try:
        deal_commitment = fairness.verify(file.read_text(encoding="utf-8-sig"), game, commitment.strip().lower())
    except fairness.VerificationError as error:
        click.echo(f"Not verified: {error}.")
        raise SystemExit(EXIT_FAILED) from None
    seats = ", ".join(seat for seat, _ in deal_commitment.values) or "none"
    rounds = "1 round was" if len(game.deals) == 1 else f"{len(game.deals)} rounds were"
    click.echo(f"Verified: {rounds} dealt from the promised secret. Seats that added a value: {seats}.")
