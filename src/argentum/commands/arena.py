"""`argentum arena`: bots against bots."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from argentum.commands._params import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    BotNameParam,
    CommaSeparated,
    DeckParam,
    InvalidInput,
    did_you_mean,
    examples_epilog,
    progress_bar,
    terminal_width,
)

if TYPE_CHECKING:
    from argentum.arena.ability_values import AbilityValues
    from argentum.arena.jobs import Job, SeatResult
    from argentum.arena.leaderboard import LeaderboardEntry
    from argentum.arena.match import Match
    from argentum.arena.strength import StrengthReport

FILE_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command(
    "arena",
    epilog=examples_epilog(
        "argentum arena steady novice",
        "argentum arena steady novice --boxes dagger,random --players 2,3,4 --games 200",
        "argentum arena oracle steady --games 20 --json",
        "argentum arena --ladder --boxes random --games 20",
        "argentum arena --ladder --games 200 --keep games.jsonl --write docs/strength.md",
        "argentum arena moon steady --players 2,3,4 --plot moon.svg",
        "argentum arena --residents --games 100",
        "argentum arena quick steady --games 400 --leaderboard docs/leaderboard.json",
        "argentum arena --leaderboard docs/leaderboard.json --check 10",
    ),
)
@click.argument("bots", nargs=-1, shell_complete=BotNameParam().shell_complete)
@click.option(
    "--boxes", type=CommaSeparated(DeckParam()), help="Boxes, deck codes, or 'random' for new mixes.  [default: dagger]"
)
@click.option(
    "--players", type=CommaSeparated(click.IntRange(2, 4)), metavar="2,3,4", help="Players per game.  [default: 2]"
)
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Games per line-up.")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same deals.")
@click.option("--ladder", is_flag=True, help="Rate the bots: those named, or all.")
@click.option("--residents", is_flag=True, help="Measure what each ability is worth to `steady`.")
@click.option("--write", type=FILE_PATH, help="With --ladder: measure everything and write it into this page.")
@click.option("--keep", type=FILE_PATH, help="Save the games to this file, and skip games already in it.")
@click.option("--plot", type=FILE_PATH, help="Draw the results into this SVG file.")
@click.option("--leaderboard", type=FILE_PATH, help="Add the results to this file; without bots, show it.")
@click.option(
    "--check", "sample", type=click.IntRange(1), metavar="N", help="Replay N games of each entry of the file."
)
@click.option("--processes", default=0, type=click.IntRange(0), help="Games at once.  [default: one per core]")
@click.option("--ray", default="", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    bots: tuple[str, ...],
    boxes: tuple[str, ...] | None,
    players: tuple[int, ...] | None,
    games: int,
    seed: int,
    ladder: bool,
    residents: bool,
    write: Path | None,
    keep: Path | None,
    plot: Path | None,
    leaderboard: Path | None,
    sample: int | None,
    processes: int,
    ray: str,
    as_json: bool,
) -> None:
    """Let bots play against each other to see how strong they are.

    Every deal is played in every order of the seats, so that luck evens out; figures come with 95 % confidence
    intervals. Besides the bots there is `oracle`, which sees all cards.
    """
    from argentum.arena.ability_values import AbilityValues
    from argentum.arena.match import Match
    from argentum.arena.strength import StrengthReport
    from argentum.arena.win_rate_plot import win_rate_svg

    if leaderboard is not None and not (bots or ladder or residents):
        ctx.exit(show_leaderboard(leaderboard, sample, seed, processes, as_json))
    if sample is not None:
        raise click.UsageError("--check goes with --leaderboard, which names the file, and without bots.")
    check_options(bots, boxes, players, ladder, residents, write)
    check_match_files(leaderboard, plot, match=not (residents or write))
    names = resolve_players(bots, ladder)
    if leaderboard is not None:
        check_entries(leaderboard, names)
    plan: Match | StrengthReport | AbilityValues
    if write is not None:
        page_with_report(write, "")  # it is said at once if nothing can be written there
        plan = StrengthReport(names, games, seed)
    elif residents:
        plan = AbilityValues(games, seed)
    else:
        plan = Match(names, boxes or ("dagger",), players or (2,), games, seed, ladder)
    save(plot, "", "a")  # it is said at once if nothing can be written there
    results, stopped = run_plan(plan, keep, processes, ray)
    if as_json:
        summary = {"seed": seed, "games": games, "played": len(results), "stopped": stopped}
        click.echo(json.dumps(summary | plan.to_json(results)))
    else:
        click.echo(plan.text(results, terminal_width()) or "No deal has been played in every seating yet.")
    if isinstance(plan, StrengthReport) and write is not None:
        again = f"argentum arena {' '.join(names)} --ladder --games {games} --seed {seed} --write docs/strength.md"
        save(write, page_with_report(write, plan.page(results, again, date.today().isoformat())))
    if isinstance(plan, Match):
        save(plot, win_rate_svg(plan.results(results)))
    if leaderboard is not None and isinstance(plan, Match) and not stopped:
        add_to_leaderboard(leaderboard, plan, seed, results)
    if stopped:
        click.echo(f"Stopped after {len(results)} of {len(plan.jobs)} games.", err=True)
        ctx.exit(EXIT_INTERRUPTED)


def check_options(
    bots: tuple[str, ...],
    boxes: tuple[str, ...] | None,
    players: tuple[int, ...] | None,
    ladder: bool,
    residents: bool,
    write: Path | None,
) -> None:
    """Say which options do not go together."""
    if residents and (bots or boxes or players or ladder):
        raise click.UsageError("--residents goes with --games and --seed only: it is steady against itself, in mixes.")
    if write is not None and not ladder:
        raise click.UsageError("--write goes with --ladder.")
    if write is not None and (boxes or players):
        raise click.UsageError("--write measures all boxes and numbers of players: leave out --boxes and --players.")
    if len(bots) == 1 or not (bots or ladder or residents):
        raise click.UsageError("Name two bots or more, such as 'argentum arena steady novice'; or see --ladder.")


def check_match_files(leaderboard: Path | None, plot: Path | None, match: bool) -> None:
    """Say that a leaderboard and a plot are of a match or a ladder, and what a plot's file is called."""
    for option, file in (("--leaderboard", leaderboard), ("--plot", plot)):
        if file is not None and not match:
            raise click.UsageError(f"{option} goes with a match or a ladder: leave out --residents and --write.")
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InvalidInput(f"{plot}: the plot is an SVG file; name it {plot.with_suffix('.svg')}")


def resolve_players(bots: tuple[str, ...], ladder: bool) -> list[str]:
    """The players that are named, or all bots."""
    from argentum import bots as known
    from argentum.arena.players import make_player
    from argentum.arena.players.oracle import ORACLE_NAME

    names = list(bots) or (known.names() if ladder else [])
    if len(set(names)) < len(names):
        raise InvalidInput("name each bot once: seats beyond the number of bots are filled with all of them in turn")
    for name in names:
        try:
            make_player(name, 0)
        except ValueError as error:
            hint = "" if name.partition(":")[0] in known.names() else did_you_mean(name, [*known.names(), ORACLE_NAME])
            raise InvalidInput(f"{error}.{hint}") from None
    return names


def run_plan(
    plan: "Match | StrengthReport | AbilityValues", keep: Path | None, processes: int, ray: str
) -> "tuple[dict[Job, tuple[SeatResult, ...]], bool]":
    """Play what is planned; what there is so far if that is stopped, and whether it was."""
    from concurrent.futures.process import BrokenProcessPool

    from argentum.arena.runner import run_jobs_cached

    results: dict[Job, tuple[SeatResult, ...]] = {}
    jobs = plan.jobs
    games = run_jobs_cached(jobs, keep, processes, ray)
    try:
        with progress_bar(games, len(jobs), "Playing") as played:
            results.update(played)
    except KeyboardInterrupt:
        return results, True
    except BrokenProcessPool:
        raise click.ClickException("A worker process was killed; with --keep, finished games are saved.") from None
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    except OSError as error:
        raise InvalidInput(f"{keep}: {error.strerror}") from None
    finally:
        games.close()
    return results, False


def check_entries(file: Path, names: list[str]) -> None:
    """Say before anything is played that it cannot be entered."""
    from argentum.arena import leaderboard

    try:
        leaderboard.read_leaderboard(file)
        leaderboard.require_reproducible(names)
    except ValueError as error:
        raise InvalidInput(f"{error}.") from None
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None


def add_to_leaderboard(file: Path, match: "Match", seed: int, results: "dict[Job, tuple[SeatResult, ...]]") -> None:
    """Add what was played to a leaderboard."""
    from argentum.arena import leaderboard

    entries = leaderboard.make_entries(match, seed, results)
    try:
        leaderboard.write_leaderboard(file, [*leaderboard.read_leaderboard(file), *entries])
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
    click.echo(f"Added to {file}: {len(entries)} entr{'y' if len(entries) == 1 else 'ies'}.", err=True)


def show_leaderboard(file: Path, sample: int | None, seed: int, processes: int, as_json: bool) -> int:
    """Print a leaderboard, and replay a sample of each entry where that is wanted; the exit code."""
    from argentum.arena import leaderboard
    from argentum.arena.report import text_table

    if not file.exists():
        raise InvalidInput(f"there is no file {file}.")
    check_entries(file, [])
    entries = leaderboard.read_leaderboard(file)
    if not as_json:
        click.echo(text_table(leaderboard.leaderboard_rows(entries), terminal_width()))
    checked = [] if sample is None else list(replay_entries(entries, sample, seed, processes, say=not as_json))
    if as_json:
        summary = [leaderboard.entry_summary(entry) for entry in entries]
        for entry, wrong in zip(summary, checked, strict=False):
            entry["wrong"] = wrong
        click.echo(json.dumps({"entries": summary}))
    return EXIT_FAILED if any(checked) else 0


def replay_entries(
    entries: "list[LeaderboardEntry]", sample: int, seed: int, processes: int, say: bool
) -> Iterator[list[str]]:
    """Replay a sample of each entry, and give what is wrong with each."""
    from random import Random

    from argentum.arena import leaderboard
    from argentum.arena.runner import run_jobs

    random = Random(seed)
    for entry in entries:
        try:
            wrong = leaderboard.verify_entry(entry, sample, random, lambda jobs: run_jobs(jobs, processes, ""))
        except ValueError as error:
            wrong = [str(error)]
        if say:
            click.echo("\n  ".join([f"{'refused' if wrong else 'reproduced'}: {entry.title}", *wrong]))
        yield wrong


def page_with_report(file: Path, part: str) -> str:
    """A page with what was measured in it, between its marks; a page that has none is an error."""
    from argentum.arena.strength import insert_into_page

    try:
        return insert_into_page(file.read_text(encoding="utf-8") if file.exists() else "", part)
    except ValueError as error:
        raise InvalidInput(f"{file}: {error}.") from None
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None


def save(file: Path | None, page: str, mode: str = "w") -> None:
    """Write a page or a picture, if there is to be one."""
    try:
        if file is not None:
            with file.open(mode, encoding="utf-8") as written:
                written.write(page)
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
