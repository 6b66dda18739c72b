"""The command line."""

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import click

from argentum import records, scenario
from argentum.hotseat import HotSeat
from argentum.lab.simulate import ANY_DECK, simulate, write_record
from argentum.lookup import look_up, overview
from argentum.rules.boxes import random_code
from argentum.rules.game import Game
from argentum.rules.positions import hand_text, pile_text, shuffle_text, village_text
from argentum.rules.residents import BOXES
from argentum.rules.table import NO_CARD

BAD_INPUT = 2


class BadInput(click.ClickException):
    """What was given cannot be used."""

    exit_code = BAD_INPUT


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="argentum")
def main() -> None:
    """Argentum: the Silver card games, with enforced rules.

    Begin with `argentum play` for a game in the browser, or `argentum rules` to look something up.
    """


@main.command("scenario")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--quiet", "-q", is_flag=True, help="Print only what failed, and the count.")
def play_scenarios(paths: tuple[Path, ...], quiet: bool) -> None:
    """Play scenario files, or folders of them, and say which hold.

    Exits with 1 if any failed, with 2 if any could not be read.
    """
    passed = failed = unreadable = 0
    for path in scenario.find(list(paths)):
        try:
            one = scenario.read(path)
            wrong = one.play()
        except ValueError as error:
            click.echo(f"unreadable  {error}", err=True)
            unreadable += 1
            continue
        if wrong:
            failed += 1
            click.echo(f"FAILED  {path}  {one.title}")
            click.echo("\n".join(f"        {line}" for line in wrong))
        else:
            passed += 1
            if not quiet:
                click.echo(f"ok      {path}  {one.title}")
    click.echo(f"{passed} passed, {failed} failed" + (f", {unreadable} unreadable" if unreadable else ""))
    if passed + failed + unreadable == 0:
        raise BadInput(f"no scenario (*.toml) in {', '.join(str(path) for path in paths)}")
    if failed or unreadable:
        sys.exit(BAD_INPUT if unreadable else 1)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: the game, deals, decisions, scores.")
def replay(file: Path, as_json: bool) -> None:
    """Show a recorded game move by move."""
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


def replay_lines(game: Game) -> list[str]:
    """A game for people to read: each move with the village of the seat that made it."""
    cast = game.table.cast
    lines = [f"Deck {cast.code}, silver {cast.token}: {', '.join(game.names)}"]
    for step in records.walk(game):
        match step:
            case records.Dealt(table):
                lines += ["", f"Round {table.round}"]
            case records.Decision(before, seat, move):
                table = before.table
                hand = f"   in hand {hand_text(table)}" * (table.hand != NO_CARD)
                pile = f"   pile {pile_text(table, table.pile[-1:]) or 'empty'}"
                lines.append(f"  {seat}  {move:24} {village_text(table, before.seats.index(seat))}{hand}{pile}")
            case records.Shuffled(outcome):
                lines.append(f"     the village is shuffled: {shuffle_text(outcome)}")
            case records.RoundOver(table, scores, totals, token):
                lines += [f"      {line}" for line in game.explain(table.round)]
                lines.append(f"  scores {scores}, totals {totals}, token {token}")
    return [*lines, "", f"Winner: {game.winner}" if game.over else "(the game goes on)"]


@main.command("simulate")
@click.option(
    "--boxes", default="dagger", show_default=True, help="A box, a deck code, or 'random' for a new one each game."
)
@click.option("--players", default=2, show_default=True, type=click.IntRange(2, 4))
@click.option("--games", default=100, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--token", default="", help="bullet, coin or dagger; the deck's own unless chosen.")
@click.option(
    "--records", "folder", type=click.Path(path_type=Path, file_okay=False), help="Write each game's record here."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def simulate_games(
    boxes: str, players: int, games: int, seed: int, token: str, folder: Path | None, as_json: bool
) -> None:
    """Play games between random players."""
    summary: dict[str, Any] = {"games": games, "boxes": boxes, "players": players, "seed": seed}
    decisions, wins, points = 0, dict.fromkeys("ABCD"[:players], 0), dict.fromkeys("ABCD"[:players], 0)
    began = time.perf_counter()
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        played = simulate(boxes.lower(), players, games, seed, token)
        with click.progressbar(
            played, length=games, label="Playing", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as progress:
            for nth, one in enumerate(progress, 1):
                decisions += one.decisions
                wins[one.game.winner] += 1
                for seat, total in one.game.totals.items():
                    points[seat] += total
                if folder is not None:
                    write_record(folder, nth, one)
    except ValueError as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{folder}: {error.strerror}") from None
    seconds = time.perf_counter() - began
    means = {seat: round(total / games, 2) for seat, total in points.items()}
    summary |= {"decisions": decisions, "seconds": round(seconds, 3), "wins": wins, "mean points": means}
    if as_json:
        click.echo(json.dumps(summary))
    else:
        click.echo(f"{games} games, {decisions} decisions in {seconds:.1f} s ({decisions / seconds:,.0f} a second)")
        click.echo("wins " + ", ".join(f"{seat} {won}" for seat, won in wins.items()))
        click.echo("mean points " + ", ".join(f"{seat} {mean}" for seat, mean in means.items()))


@main.command()
@click.argument("words", nargs=-1)
def rules(words: tuple[str, ...]) -> None:
    """Look up a resident, a ruling's label or a box: argentum rules magician."""
    try:
        click.echo(look_up(" ".join(words)) if words else overview())
    except ValueError as error:
        raise BadInput(str(error)) from None


@main.command("play")
@click.option(
    "--port", default=8420, show_default=True, type=click.IntRange(1, 65000), help="The next free one is used."
)
@click.option("--database", help="Where tables are kept: a file or a URL; a file among your own data unless given.")
@click.option("--browser/--no-browser", default=True, help="Open the browser.")
def play_here(port: int, database: str | None, browser: bool) -> None:
    """Open the table in your browser, on this machine."""
    run_server("127.0.0.1", port, database, browser, any_port=True)


@main.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")
@click.option("--port", default=8420, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--database",
    help="A file, sqlite:///file.db or postgresql://user@host/name; a file among your own data unless given.",
)
@click.option(
    "--bot-pause", default=1.1, show_default=True, type=click.FloatRange(0), help="Seconds before a bot moves."
)
@click.option("--tables", default=5000, show_default=True, type=click.IntRange(1), help="How many tables there may be.")
def serve(host: str, port: int, database: str | None, bot_pause: float, tables: int) -> None:
    """Serve tables to friends over a network."""
    run_server(host, port, database, False, bot_pause=bot_pause, tables=tables)


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
    except KeyboardInterrupt:
        click.echo()


@main.command()
@click.option("--boxes", default="dagger", show_default=True, help=f"{', '.join(BOXES)}, a deck code, or 'random'.")
@click.option("--players", default=3, show_default=True, type=click.IntRange(2, 4))
@click.option("--seed", type=int, help="Play the same deals again.")
@click.option("--name", default="Ann", show_default=True, help="Your name.")
@click.option("--record", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the game's record here.")
def terminal(boxes: str, players: int, seed: int | None, name: str, file: Path | None) -> None:
    """Play in the terminal against players who play at random."""
    random = Random(seed)
    names = [name, "Bo", "Cleo", "Dov"][:players]
    try:
        game = Game.new(random_code(random) if boxes.lower() == ANY_DECK else boxes, players, seed, names=names)
        if file is not None:
            file.touch()
    except ValueError as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    try:
        HotSeat(game, random, input, click.echo).run()
    except KeyboardInterrupt:
        click.echo()
    if file is not None:
        file.write_text(records.write(game) if game.over else records.write_for(game, "A"), encoding="utf-8")
        click.echo(f"The record is in {file}.")
