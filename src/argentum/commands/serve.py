"""`argentum serve`: serve tables over a network."""

import os
import socket
from collections.abc import Mapping
from errno import EADDRINUSE
from typing import Any

import click

from argentum.commands._params import (
    DATABASE_VARIABLE,
    DEFAULT_PORT,
    InvalidInput,
    database_error,
    examples_epilog,
)


@click.command(
    "serve",
    epilog=examples_epilog(
        "argentum serve",
        "argentum serve --host 127.0.0.1 --port 9000",
        "argentum serve --settings site.toml --database postgresql://user@host/name",
    ),
)
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535), help="The port to listen on."
)
@click.option(
    "--database",
    envvar=DATABASE_VARIABLE,
    help="A file, sqlite:///file.db or postgresql://user@host/name. [default: your user data directory]",
)
@click.option(
    "--bot-pause", default=1.1, show_default=True, type=click.FloatRange(0), help="Seconds before a bot moves."
)
@click.option(
    "--tables", "--max-tables", "max_tables", type=click.IntRange(1), help="Maximum number of tables. [default: 5000]"
)
@click.option("--workers", hidden=True, type=click.IntRange(1))  # refused by `read_settings`, like the next option
@click.option("--internal-address", "--inner-address", "internal_address", hidden=True)
@click.option("--settings", type=click.Path(dir_okay=False), help="A TOML file with limits and settings.")
@click.option("--public-url", help="Your site's address, such as https://silver.example; other hosts are refused.")
@click.option("--trusted-proxies", help="Proxies whose X-Forwarded-For is used. [default: 127.0.0.1]")
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), help="A certificate, to serve HTTPS.")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), help="The certificate's key.")
@click.option(
    "--keep-days",
    type=click.FloatRange(0),
    help="Delete games after this many days without a move or a visit. [default: never]",
)
def command(host: str, port: int, database: str | None, bot_pause: float, settings: str | None, **options: Any) -> None:
    """Serve tables to friends over a network, or to the public.

    Each limit can be set in the settings file, or as an environment variable such as ARGENTUM_MAX_TABLES; an option
    takes precedence over both. The hosting page lists all of them.
    """
    run_server(host, port, database, False, bot_pause=bot_pause, settings=settings, options=options)


def check_address(host: str, port: int) -> None:
    """Raise `OSError` with a message for the user if the server cannot listen on an address."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        if error.errno == EADDRINUSE:
            raise OSError(f"Port {port} is in use; try --port.") from None
        reason = str(error.strerror).partition(" (")[0]
        raise OSError(f"The server cannot listen on {host}, port {port}: {reason}.") from None


def run_server(
    host: str,
    port: int,
    database: str | None,
    browser: bool,
    any_port: bool = False,
    bot_pause: float = 1.1,
    settings: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Run the server until it is stopped; raise `InvalidInput` if it cannot start.

    With `any_port`, the server uses the first free port from `port` on. `options` override the settings.
    """
    from argentum.bots.search.search_bot import PROCESSES_VARIABLE
    from argentum.rooms import clock
    from argentum.rooms.log import databases
    from argentum.rooms.log.databases import server_lock
    from argentum.web import settings as settings_module
    from argentum.web.server import run

    try:
        if any_port:
            port = run.free_port(host, port)
        else:
            check_address(host, port)
        limits, chosen = settings_module.read_settings(
            settings, overrides={name: value for name, value in (options or {}).items() if value is not None}
        )
        os.environ[PROCESSES_VARIABLE] = str(chosen.search_processes)
        database, timing = database or run.default_database(), clock.Timing(bot_delay=bot_pause)
        with server_lock(database):
            run.serve(host, port, database, click.echo, browser, timing, limits, chosen)
    except databases.LogError as error:
        raise database_error(error) from None
    except (OSError, settings_module.BadSetting) as error:
        raise InvalidInput(str(error)) from None
    except KeyboardInterrupt:  # the usual way to stop a server
        click.echo()
