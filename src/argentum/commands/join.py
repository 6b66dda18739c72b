"""`argentum join`: sit down at a table on a server, in the terminal."""

import click

from argentum.commands._arguments import BadInput, examples


@click.command(
    "join",
    epilog=examples(
        "argentum join 'http://192.168.1.7:8420/table/proud-nettle#SECRET'",
        "argentum join --name Bo 'https://silver.example/table/proud-nettle#SECRET'",
    ),
)
@click.argument("link")
@click.option("--name", default="", help="Your name at the table, if you are the first in that seat.")
def command(link: str, name: str) -> None:
    """Sit down at a table on a server by the link of a seat, next to people in browsers.

    The host's page shows the links. The link is the seat: it brings you back after a break, here or in a browser. Quote
    it, so that your shell leaves the # alone.
    """
    from argentum.terminal import check_installed

    check_installed()
    from argentum.terminal.app import TableApp
    from argentum.terminal.running import run_app
    from argentum.terminal.server import Link, ServerTable

    try:
        table = ServerTable(Link.of(link), name)
    except ValueError as error:
        raise BadInput(str(error)) from None
    run_app(lambda: TableApp(table))
