"""`argentum admin`: operate a server."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit
from urllib.request import Request, urlopen

import click

from argentum.commands._params import DATABASE_VARIABLE, DEFAULT_PORT, InvalidInput, database_error, examples_epilog
from argentum.rooms.log.databases import is_postgres

if TYPE_CHECKING:
    from argentum.rooms.log.archive import Archive

DEFAULT_URL = f"http://127.0.0.1:{DEFAULT_PORT}"
URL_HINT = f"--url names the server, such as {DEFAULT_URL}."


@click.group(
    "admin",
    epilog=examples_epilog(
        "argentum admin tables",
        "argentum admin ban 192.0.2.7",
        "argentum admin backup --database tables.db tables-monday.db",
    ),
)
@click.option("--url", default=DEFAULT_URL, show_default=True, help="The server's address.")
@click.option("--token", default="", envvar="ARGENTUM_OPERATOR_TOKEN", help="The operator's token, if one is set.")
@click.pass_context
def command(ctx: click.Context, url: str, token: str) -> None:
    """Manage a server: its tables, load, bans, players' data and backups."""
    ctx.obj = (url.rstrip("/"), token)


def request_text(ctx: click.Context, path: str, body: dict[str, Any] | None = None) -> str:
    """Send a request, a POST if there is a body; return the text of the response.

    Raise `InvalidInput` if the server does not answer or refuses the request.
    """
    url, token = ctx.obj
    try:
        request = Request(url + path, json.dumps(body).encode() if body is not None else None)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urlopen(request, timeout=10) as response:
            return str(response.read().decode())
    except HTTPError as error:
        if error.headers.get_content_type() != "text/plain":  # another web server's error page
            raise InvalidInput(f"{url} is not an Argentum server: {error}.") from None
        raise InvalidInput(error.read().decode(errors="replace").strip()) from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise InvalidInput(
            f"{url} does not answer: {getattr(reason, 'strerror', None) or reason}. {URL_HINT}"
        ) from None
    except ValueError:
        raise InvalidInput(f"{url!r} is not a server's address. {URL_HINT}") from None


def request_json(ctx: click.Context, path: str) -> Any:
    try:
        return json.loads(request_text(ctx, path))
    except ValueError:
        raise InvalidInput(f"{ctx.obj[0]} is not an Argentum server.") from None


@command.command()
@click.pass_context
def tables(ctx: click.Context) -> None:
    """List the tables in use. Tables without recent activity are not listed: they are only in the database."""
    for table in request_json(ctx, "/admin/tables"):
        players = ", ".join(table["players"])
        counts = f"{table['connections']} connected  {table['entries']} entries"
        click.echo(f"{table['name']}  {table['stage']}  {counts}  {players}")


@command.command()
@click.argument("table")
@click.pass_context
def close(ctx: click.Context, table: str) -> None:
    """Close a table and delete its games."""
    click.echo(request_text(ctx, "/admin/close", {"table": table}), nl=False)


@command.command(short_help="Ban an address or a network, or lift a ban.")
@click.argument("address")
@click.option("--lift", is_flag=True, help="Lift the ban.")
@click.pass_context
def ban(ctx: click.Context, address: str, lift: bool) -> None:
    """Ban an address, or a network such as 192.0.2.0/24, until you lift the ban.

    Clients at that address are disconnected. The ban is stored in the database.
    """
    click.echo(request_text(ctx, "/admin/ban", {"address": address, "banned": not lift}), nl=False)


@command.command()
@click.pass_context
def bans(ctx: click.Context) -> None:
    """List the banned addresses and networks."""
    for address in request_json(ctx, "/admin/bans"):
        click.echo(address)


@command.command()
@click.pass_context
def load(ctx: click.Context) -> None:
    """Print the server's load: the values that it also offers to Prometheus."""
    for line in request_text(ctx, "/metrics").splitlines():
        if not line.startswith("#"):
            click.echo(line.removeprefix("argentum_"))


@command.command(short_help="Print all that is stored about a player's tables.")
@click.option("--database", required=True, envvar=DATABASE_VARIABLE, help="The server's database.")
@click.option("--table", default="", help="Only at this table. [default: at all tables]")
@click.argument("name")
def export(database: str, table: str, name: str) -> None:
    """Print everything stored about the tables of players with this name, one JSON object per line.

    Names are not unique: several people may have used the same one.
    """
    with open_archive(database) as archive:
        if table and not archive.has_table(table):
            raise InvalidInput(f"There is no table {table}.")
        for line in archive.export(archive.tables_of_player(name, table)):
            click.echo(json.dumps(line, ensure_ascii=False))


@command.command(short_help="Remove a player's name, or their games.")
@click.option(
    "--database", required=True, envvar=DATABASE_VARIABLE, help="The server's database; stop the server first."
)
@click.option("--table", default="", help="Only at this table. [default: at all tables]")
@click.option("--games", is_flag=True, help="Delete these tables with their games, not only the name.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("name")
def delete(database: str, table: str, games: bool, yes: bool, name: str) -> None:
    """Replace a player's name in the database with the default name of the seat. The games stay, unless with --games.

    Stop the server first: tables in its memory still know the name.
    """
    with open_archive(database) as archive:
        tables = archive.tables_of_player(name, table)
        if not tables:
            raise InvalidInput(f"Nobody called {name} sat at any of these tables.")
        count = "1 table" if len(tables) == 1 else f"{len(tables)} tables"
        if not yes:
            subject = "the games of" if games else f"the name {name} at"
            click.confirm(f"Delete {subject} {count}: {', '.join(tables[:5])}?", abort=True)
        if games:
            archive.delete(tables)
        else:
            archive.anonymize_player(name, tables)
        click.echo(f"Deleted {count}." if games else f"Deleted the name at {count}.")


@contextmanager
def open_archive(database: str) -> Iterator["Archive"]:
    """Open the archive of a database; raise `InvalidInput` if the database does not exist or cannot be read."""
    from argentum.rooms.log.archive import Archive
    from argentum.rooms.log.databases import LogError

    try:
        if not is_postgres(database) and not sqlite_path(database).exists():
            raise InvalidInput(f"There is no database {sqlite_path(database)}.")
        archive = Archive(database)
        try:
            yield archive
        finally:
            archive.close()
    except LogError as error:
        raise database_error(error) from None


@command.command()
@click.option("--database", required=True, envvar=DATABASE_VARIABLE, help="The server's database.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(database: str, file: Path) -> None:
    """Save a database to a new file. The server may keep running."""
    if file.exists():
        raise InvalidInput(f"{file} already exists; name a new file.")
    create_private_file(file)
    try:
        if is_postgres(database):
            run_postgres_tool("pg_dump", database, "--format=custom", f"--file={file}")
        else:
            copy_sqlite(sqlite_path(database), file)
    except BaseException:
        file.unlink()  # An incomplete file must not pass for a backup.
        raise
    click.echo(f"Saved to {file}.")


@command.command()
@click.option(
    "--database", required=True, envvar=DATABASE_VARIABLE, help="The database to restore; stop the server first."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(database: str, yes: bool, file: Path) -> None:
    """Replace the content of a database with a backup. Stop the server first."""
    if not yes:
        click.confirm("This replaces all tables in that database. Continue?", abort=True)
    if is_postgres(database):
        options = ("--clean", "--if-exists", "--no-owner", "--single-transaction")
        run_postgres_tool("pg_restore", database, *options, str(file))
    else:
        target = sqlite_path(database)
        check_sqlite(file)  # Check the backup before replacing anything.
        if not target.exists():
            create_private_file(target)
        copy_sqlite(file, target)
    click.echo(f"Restored from {file}.")


def sqlite_path(database: str) -> Path:
    return Path(database.removeprefix("sqlite:///"))


def create_private_file(file: Path) -> None:
    """Create an empty file that only its owner can read, because databases contain the keys of seats.

    Raise `InvalidInput` if the file exists or cannot be created.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None


def check_sqlite(file: Path) -> None:
    """Raise `InvalidInput` unless a file is an intact database of tables."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            [[state]] = connection.execute("PRAGMA integrity_check(1)")
            connection.execute("SELECT table_id FROM entries LIMIT 1")
    except sqlite3.Error as error:
        raise InvalidInput(f"{file} is not an intact database of tables: {error}.") from None
    if state != "ok":
        raise InvalidInput(f"{file} is not an intact database of tables: {state}.")


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database consistently, even while a server writes to it, and check the copy.

    Raise `InvalidInput` if the source does not exist, or if copying or the check fails.
    """
    if not source.exists():
        raise InvalidInput(f"There is no database {source}.")
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        raise InvalidInput(f"{source} cannot be copied to {target}: {error}.") from None
    check_sqlite(target)


def split_password(url: str) -> tuple[str, str]:
    """Return a PostgreSQL URL without its password, and the password, which must not appear on a command line.

    >>> split_password("postgresql://ann:p%40ss@host:5433/name?sslmode=require")
    ('postgresql://ann@host:5433/name?sslmode=require', 'p@ss')
    >>> split_password("postgresql:///name?host=/run&password=x")
    ('postgresql:///name?host=%2Frun', 'x')
    """
    split_url = urlsplit(url)
    login, at, host = split_url.netloc.rpartition("@")
    user, _, password = login.partition(":")
    query = dict(parse_qsl(split_url.query))
    password = query.pop("password", unquote(password))
    rest = f"?{urlencode(query, quote_via=quote)}" if query else ""
    return f"{split_url.scheme}://{user}{at}{host}{split_url.path}{rest}", password


def run_postgres_tool(name: str, database: str, *args: str) -> None:
    """Run a PostgreSQL client program on a database, with the password in the environment.

    Raise `InvalidInput` if the program is not installed or fails.
    """
    program = shutil.which(name)
    if program is None:
        raise InvalidInput(f"{name} is not installed; it comes with PostgreSQL's client.")
    url, password = split_password(database)
    env = {**os.environ, "PGPASSWORD": password} if password else None
    result = subprocess.run([program, f"--dbname={url}", *args], capture_output=True, text=True, check=False, env=env)
    if result.returncode:
        raise InvalidInput(f"{name} failed: {result.stderr.strip()}")
