"""`argentum serve`: tables for friends over a network."""

import socket
from errno import EADDRINUSE

import click

from argentum.commands._arguments import BadInput, examples


@click.command(
    "serve",
    epilog=examples(
        "argentum serve",
        "argentum serve --host 127.0.0.1 --port 9000",
        "argentum serve --database postgresql://user@host/name",
    ),
)
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option("--port", default=8420, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--database",
    help="A file, sqlite:///file.db or postgresql://user@host/name. [default: your user data directory]",
)
@click.option(
    "--bot-pause", default=1.1, show_default=True, type=click.FloatRange(0), help="Seconds before a bot moves."
)
@click.option("--tables", default=5000, show_default=True, type=click.IntRange(1), help="The most tables at once.")
def command(host: str, port: int, database: str | None, bot_pause: float, tables: int) -> None:
    """Serve tables to friends over a network."""
    run_server(host, port, database, False, bot_pause=bot_pause, tables=tables)


def check_address(host: str, port: int) -> None:
    """Say before anything begins that an address is no good, or taken."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        if error.errno == EADDRINUSE:
            raise OSError(f"Port {port} is in use; try --port.") from None
        why = str(error.strerror).partition(" (")[0]
        raise OSError(f"The server cannot listen on {host}, port {port}: {why}.") from None


def run_server(
    host: str,
    port: int,
    database: str | None,
    browser: bool,
    any_port: bool = False,
    bot_pause: float = 1.1,
    tables: int = 5000,
) -> None:
    """Run the server until it is stopped; what keeps it from starting is said in words."""
    try:
        from argentum.web import server
    except ImportError as error:
        raise BadInput(
            f"the browser table needs more than is installed ({error.name}): pip install 'argentum[web]'"
        ) from None
    try:
        if any_port:
            port = server.free_port(host, port)
        else:
            check_address(host, port)
        server.serve(
            host,
            port,
            database or server.default_database(),
            lambda words: click.echo(words),
            browser,
            server.Pace(bot_pause=bot_pause),
            server.Limits(tables=tables),
        )
    except (OSError, server.LogError) as error:
        raise BadInput(str(error)) from None
    except KeyboardInterrupt:  # it is how a server is stopped
        click.echo()
