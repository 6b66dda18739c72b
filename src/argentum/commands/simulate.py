"""`argentum simulate`: play games between random players or bots, and write their records."""

import hashlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from argentum.commands._params import (
    BotNameParam,
    CommaSeparated,
    DeckParam,
    InvalidInput,
    examples_epilog,
    progress_bar,
)
from argentum.rules.boxes import DEFAULT_BOX, TOKEN_NAMES
from argentum.rules.notation import SEAT_LETTERS

if TYPE_CHECKING:
    from argentum.arena.simulation import SimulatedGame


@click.command(
    "simulate",
    epilog=examples_epilog(
        "argentum simulate --games 1000",
        "argentum simulate --boxes random --players 4 --records games",
        "argentum simulate --bots quick,steady --boxes random --games 200 --records games",
        "argentum simulate --boxes coin --token dagger --seed 7 --json",
    ),
)
@click.option(
    "--boxes",
    default=DEFAULT_BOX,
    show_default=True,
    type=DeckParam(),
    help="A box, a deck code, or 'random' for a new one each game.",
)
@click.option("--bots", "bot_names", type=CommaSeparated(BotNameParam()), help="Bots instead of random players.")
@click.option("--players", default=2, show_default=True, type=click.IntRange(2, 4), help="Players per game.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Games to play.")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same games.")
@click.option(
    "--token", default="", help=f"Token: {', '.join(TOKEN_NAMES[:-1])} or {TOKEN_NAMES[-1]}.  [default: the deck's own]"
)
@click.option(
    "--records",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write each game's record to this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    boxes: str,
    bot_names: tuple[str, ...] | None,
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
    from argentum.arena.simulation import simulate_games, write_record

    totals = SimulationTotals(players)
    digest = hashlib.sha256()
    started = time.perf_counter()
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        with progress_bar(
            simulate_games(boxes, players, games, seed, token, bot_names or ()), games, "Playing"
        ) as simulated_games:
            for game_number, simulated in enumerate(simulated_games, 1):
                totals.add(simulated)
                if folder is not None:
                    digest.update(write_record(folder, game_number, simulated))
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    except OSError as error:
        raise InvalidInput(f"{folder}: {error.strerror}") from None
    seconds = time.perf_counter() - started
    if as_json:
        options = {"games": games, "boxes": boxes, "players": players, "seed": seed}
        bots = {"bots": list(bot_names)} if bot_names else {}
        sha256 = {} if folder is None else {"sha256": digest.hexdigest()}
        click.echo(json.dumps(options | bots | totals.to_json(seconds) | sha256))
    else:
        click.echo(totals.text(seconds))
        if folder is not None:
            click.echo(f"records {folder}, SHA-256 {digest.hexdigest()}")


class SimulationTotals:
    """Wins and points of simulated games, by seat."""

    def __init__(self, players: int) -> None:
        self.games = self.decisions = 0
        self.wins = dict.fromkeys(SEAT_LETTERS[:players], 0)
        self.points = dict.fromkeys(SEAT_LETTERS[:players], 0)

    def add(self, simulated: "SimulatedGame") -> None:
        self.games += 1
        self.decisions += simulated.decisions
        self.wins[simulated.game.winner] += 1
        for seat, total in simulated.game.totals.items():
            self.points[seat] += total

    @property
    def mean_points(self) -> dict[str, float]:
        return {seat: round(total / self.games, 2) for seat, total in self.points.items()}

    def to_json(self, seconds: float) -> dict[str, Any]:
        return {
            "decisions": self.decisions,
            "seconds": round(seconds, 3),
            "wins": self.wins,
            "mean_points": self.mean_points,
        }

    def text(self, seconds: float) -> str:
        counts = f"{self.games:,} game{'s' if self.games > 1 else ''}, {self.decisions:,} decisions"
        wins = ", ".join([f"{seat} {won}" for seat, won in self.wins.items()])
        means = ", ".join([f"{seat} {mean}" for seat, mean in self.mean_points.items()])
        speed = f"in {seconds:.1f} s ({self.decisions / seconds:,.0f} per second)"
        return f"{counts} {speed}\nwins {wins}\nmean points {means}"
