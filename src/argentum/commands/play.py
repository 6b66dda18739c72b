"""`argentum play`: play in the browser, on this machine."""

import click

from argentum.commands._params import DEFAULT_PORT, examples_epilog


@click.command(
    "play",
    epilog=examples_epilog(
        "argentum play", "argentum play --port 9000", "argentum play --no-browser --database games.db"
    ),
)
@click.option(
    "--port",
    default=DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(1, 65000),
    help="Port to use; if it is taken, the next free one.",
)
@click.option("--database", help="Where to save tables: a file or a URL. [default: your user data directory]")
@click.option("--browser/--no-browser", default=True, help="Open the browser.")
def command(port: int, database: str | None, browser: bool) -> None:
    """Open the table in your browser, on this machine."""
    from argentum.commands.serve import run_server

    run_server("127.0.0.1", port, database, browser, any_port=True)
