"""`argentum host`: create a table on a server, without a browser."""

import click

from argentum.commands._params import DEFAULT_PORT, DeckParam, InvalidInput, examples_epilog
from argentum.commands.terminal import pace_option
from argentum.rules.boxes import DEFAULT_BOX
from argentum.rules.notation import SEAT_LETTERS


@click.command(
    "host",
    epilog=examples_epilog(
        "argentum host",
        "argentum host https://silver.example --boxes coin --seats 3 --join",
        "argentum host --bots novice,steady --memory",
    ),
)
@click.argument("server", metavar="[URL]", default=f"http://localhost:{DEFAULT_PORT}", envvar="ARGENTUM_PUBLIC_URL")
@click.option("--name", default="", help="Your name.")
@click.option(
    "--boxes", default=DEFAULT_BOX, show_default=True, type=DeckParam(), help="A box, a deck code, or 'random'."
)
@click.option(
    "--seats", type=click.IntRange(2, 4), help="Number of seats, with yours. [default: 2, or one more than bots]"
)
@click.option("--bots", default="", help="Bots for the last seats, separated by commas, such as novice,steady.")
@click.option("--memory/--open", default=False, help="Play from memory, or keep the cards that you saw in sight.")
@click.option("--clock", "seconds", default=0, metavar="SECONDS", help="Time for a turn: 30, 60 or 90. [default: none]")
@click.option(
    "--away",
    type=click.Choice(("minute", "day", "never")),
    default="minute",
    show_default=True,
    help="When a bot fills in for somebody who is away.",
)
@click.option("--listed", is_flag=True, help="Show the table on the server's home page, where anybody may join.")
@click.option("--join", "joins", is_flag=True, help="Take your seat here, in the terminal.")
@pace_option
def command(
    server: str,
    name: str,
    boxes: str,
    seats: int | None,
    bots: str,
    memory: bool,
    seconds: int,
    away: str,
    listed: bool,
    joins: bool,
    pace: str,
) -> None:
    """Create a table on a server, and print the links of its seats.

    The server is at URL, at the address in ARGENTUM_PUBLIC_URL, or on this machine. Your own link opens the lobby in a
    browser or with `argentum join`; there you start the game. Give the invitation to your friends.
    """
    from argentum.client import TableError, create_table

    bot_names = [bot.strip() for bot in bots.split(",")] if bots else []
    seat_count = seats or max(2, len(bot_names) + 1)
    if len(bot_names) >= seat_count:
        raise InvalidInput(f"{len(bot_names)} bots and you need more than {seat_count} seats.")
    bot_seats = SEAT_LETTERS[seat_count - len(bot_names) : seat_count]
    try:
        table = create_table(
            server,
            name=name,
            boxes=boxes,
            seats=seat_count,
            bots=dict(zip(bot_seats, bot_names, strict=True)),
            memory=memory,
            seconds=seconds,
            listed=listed,
            away=away,
        )
    except (ValueError, TableError) as error:
        raise InvalidInput(str(error)) from None
    click.echo(f"Your seat:  {table.own}")
    click.echo(f"Invitation: {table.invitation}")
    for seat, link in table.seats.items():
        click.echo(f"Seat {seat}:     {link}")
    if joins:
        from argentum.commands.join import join_table

        join_table(table.own, name, pace)
