"""`argentum simulate`: games between random players, or bots, and their records."""

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import click

from argentum.commands._arguments import BadInput, BotName, Deck, Several, examples, progress
from argentum.rules.residents import BOXES


@click.command(
    "simulate",
    epilog=examples(
        "argentum simulate --games 1000",
        "argentum simulate --boxes random --players 4 --records games",
        "argentum simulate --bots quick,steady --boxes random --games 200 --records games",
        "argentum simulate --boxes coin --token dagger --seed 7 --json",
    ),
)
@click.option(
    "--boxes",
    default="dagger",
    show_default=True,
    type=Deck(),
    help="A box, a deck code, or 'random' for a new one each game.",
)
@click.option("--bots", "named", type=Several(BotName()), help="Bots instead of random players.")
@click.option("--players", default=2, show_default=True, type=click.IntRange(2, 4), help="Players per game.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Games to play.")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same games.")
@click.option("--token", default="", help=f"{', '.join(BOXES[:-1])} or {BOXES[-1]}.  [default: the deck's own]")
@click.option(
    "--records", "folder", type=click.Path(path_type=Path, file_okay=False), help="Write each game's record here."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    boxes: str,
    named: tuple[str, ...] | None,
    players: int,
    games: int,
    seed: int,
    token: str,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Play games between random players or bots, and save their records.

    Random players are fast and reach every corner of the rules. Bots take the seats in turn and move on by one seat
    from game to game. The same options give the same records: compare their SHA-256. To see how strong bots are, use
    `argentum arena`.
    """
    from argentum.lab.simulate import simulate, write_record

    seats = "ABCD"[:players]
    decisions, wins, points = 0, dict.fromkeys(seats, 0), dict.fromkeys(seats, 0)
    digest = hashlib.sha256()
    began = time.perf_counter()
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        with progress(simulate(boxes, players, games, seed, token, named or ()), games, "Playing") as played:
            for nth, one in enumerate(played, 1):
                decisions += one.decisions
                wins[one.game.winner] += 1
                for seat, total in one.game.totals.items():
                    points[seat] += total
                if folder is not None:
                    digest.update(write_record(folder, nth, one))
    except ValueError as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{folder}: {error.strerror}") from None
    seconds = time.perf_counter() - began
    means = {seat: round(total / games, 2) for seat, total in points.items()}
    if as_json:
        asked: dict[str, Any] = {"games": games, "boxes": boxes, "players": players, "seed": seed}
        if named:
            asked["bots"] = list(named)
        found: dict[str, Any] = {
            "decisions": decisions,
            "seconds": round(seconds, 3),
            "wins": wins,
            "mean points": means,
        }
        if folder is not None:
            found["sha256"] = digest.hexdigest()
        click.echo(json.dumps(asked | found))
    else:
        counted = f"{games:,} game{'s' if games > 1 else ''}, {decisions:,} decisions in {seconds:.1f} s"
        click.echo(f"{counted} ({decisions / seconds:,.0f} per second)")
        click.echo("wins " + ", ".join(f"{seat} {won}" for seat, won in wins.items()))
        click.echo("mean points " + ", ".join(f"{seat} {mean}" for seat, mean in means.items()))
        if folder is not None:
            click.echo(f"records {folder}, SHA-256 {digest.hexdigest()}")
