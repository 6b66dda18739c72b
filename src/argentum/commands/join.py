"""`argentum join`: take a seat at a table on a server, in the terminal."""

import sys
from typing import TYPE_CHECKING, TextIO

import click

from argentum.commands._params import InvalidInput, examples_epilog
from argentum.commands.terminal import pace_option

if TYPE_CHECKING:
    from argentum.client import TableLink


@click.command(
    "join",
    epilog=examples_epilog(
        "argentum join 'http://192.168.1.7:8420/table/proud-nettle#SECRET'",
        "argentum join --name Bo 'https://silver.example/table/proud-nettle#SECRET'",
        "argentum join --link-file -",
    ),
)
@click.argument("link", required=False, envvar="ARGENTUM_LINK")
@click.option("--link-file", type=click.File(), help="Read the link from this file; - is standard input.")
@click.option("--name", default="", help="Your name at the table, if you are the first in that seat.")
@pace_option
def command(link: str | None, link_file: TextIO | None, name: str, pace: str) -> None:
    """Sit down at a table on a server, next to people in browsers.

    Use the invitation that the host gave you, or the link of a seat. A seat's link brings you back after a break, here
    or in a browser. Quote it, so that your shell leaves the # alone. Others on your machine can see a command's
    arguments, so the link can also come from a file, from the environment variable ARGENTUM_LINK, or from a prompt.
    """
    if link_file is not None:
        link = link_file.read().strip()
    elif not link:
        link = prompt_for_link()
    from argentum.client import TableLink

    try:
        join_table(TableLink.parse(link), name, pace)
    except ValueError as error:
        raise InvalidInput(str(error)) from None


def join_table(link: "TableLink", name: str, pace: str) -> None:
    """Take a seat in the terminal; raise `InvalidInput` if that fails."""
    from argentum.terminal.app import TableApp
    from argentum.terminal.run import TerminalError, run_app
    from argentum.terminal.sources.server import ServerSource

    table = ServerSource(link, name)
    try:
        run_app(lambda: TableApp(table, pace=pace))
    except TerminalError as error:
        raise InvalidInput(str(error)) from None
    if table.seat_url:
        click.echo(f"To come back to your seat: {table.seat_url}")


def prompt_for_link() -> str:
    """Ask for the link without echoing it, or read it from a pipe; raise `InvalidInput` if there is none."""
    if sys.stdin.isatty():
        return str(click.prompt("The link", hide_input=True))
    try:
        return str(click.prompt("The link"))
    except click.Abort:
        raise InvalidInput("There is no link: give it after `join`, with --link-file, or in ARGENTUM_LINK.") from None
