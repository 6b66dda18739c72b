"""`argentum arena`: measure bots against each other."""

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
    renamed_option,
    terminal_width,
)
from argentum.rules.boxes import DEFAULT_BOX

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
        "argentum arena --ratings --boxes random --games 20",
        "argentum arena --ratings --games 200 --results games.jsonl --report docs/strength.md",
        "argentum arena moon steady --players 2,3,4 --plot moon.svg",
        "argentum arena --abilities --games 100",
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
@click.option("--ratings", is_flag=True, help="Rate the named bots, or all.")
@click.option("--abilities", is_flag=True, help="Measure what each ability is worth to `steady`.")
@click.option("--report", type=FILE_PATH, help="Measure everything and write it into this page; needs --ratings.")
@click.option(
    "--results", "results_file", type=FILE_PATH, help="Save the games to this file, and skip games already in it."
)
@click.option("--plot", type=FILE_PATH, help="Draw the results into this SVG file.")
@click.option("--leaderboard", type=FILE_PATH, help="Add the results to this file; without bots, show it.")
@click.option(
    "--check",
    "sample",
    type=click.IntRange(1),
    metavar="N",
    help="Replay N games of each entry of the leaderboard; needs --leaderboard.",
)
@click.option("--processes", default=0, type=click.IntRange(0), help="Games to play at once.  [default: one per core]")
@click.option("--ray", default="", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@renamed_option("--ladder", "--ratings", is_flag=True)
@renamed_option("--residents", "--abilities", is_flag=True)
@renamed_option("--write", "--report")
@renamed_option("--keep", "--results")
@click.pass_context
def command(
    ctx: click.Context,
    bots: tuple[str, ...],
    boxes: tuple[str, ...] | None,
    players: tuple[int, ...] | None,
    games: int,
    seed: int,
    ratings: bool,
    abilities: bool,
    report: Path | None,
    results_file: Path | None,
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

    if leaderboard is not None and not (bots or ratings or abilities):
        ctx.exit(show_leaderboard(leaderboard, sample, seed, processes, as_json))
    if sample is not None:
        raise click.UsageError("--check needs --leaderboard with the file, and no bots.")
    check_options(bots, boxes, players, ratings, abilities, report)
    check_match_files(leaderboard, plot, match=not (abilities or report))
    names = resolve_players(bots, ratings)
    if leaderboard is not None:
        check_leaderboard(leaderboard, names)
    plan: Match | StrengthReport | AbilityValues
    if report is not None:
        page_with_report(report, "")  # Fail before the games are played if the page cannot be written.
        plan = StrengthReport(names, games, seed)
    elif abilities:
        plan = AbilityValues(games, seed)
    else:
        plan = Match(names, boxes or (DEFAULT_BOX,), players or (2,), games, seed, ratings)
    write_text(plot, "", "a")  # Fail before the games are played if the plot cannot be written.
    results, stopped = run_plan(plan, results_file, processes, ray)
    if as_json:
        summary = {"seed": seed, "games": games, "played": len(results), "stopped": stopped}
        click.echo(json.dumps(summary | plan.to_json(results)))
    else:
        click.echo(plan.text(results, terminal_width()) or "No deal has been played in every order of the seats yet.")
    if isinstance(plan, StrengthReport) and report is not None:
        command_line = (
            f"argentum arena {' '.join(names)} --ratings --games {games} --seed {seed} --report docs/strength.md"
        )
        write_text(report, page_with_report(report, plan.page(results, command_line, date.today().isoformat())))
    if isinstance(plan, Match):
        write_text(plot, win_rate_svg(plan.results(results)))
    if leaderboard is not None and isinstance(plan, Match) and not stopped:
        add_to_leaderboard(leaderboard, plan, seed, results)
    if stopped:
        click.echo(f"Stopped after {len(results)} of {len(plan.jobs)} games.", err=True)
        ctx.exit(EXIT_INTERRUPTED)


def check_options(
    bots: tuple[str, ...],
    boxes: tuple[str, ...] | None,
    players: tuple[int, ...] | None,
    ratings: bool,
    abilities: bool,
    report: Path | None,
) -> None:
    """Raise `UsageError` for options that exclude or need each other, and for fewer than two bots."""
    if abilities and (bots or boxes or players or ratings):
        raise click.UsageError(
            "--abilities only takes --games and --seed: steady plays against itself, with mixed boxes."
        )
    if report is not None and not ratings:
        raise click.UsageError("--report needs --ratings.")
    if report is not None and (boxes or players):
        raise click.UsageError("--report measures all boxes and numbers of players: leave out --boxes and --players.")
    if len(bots) == 1 or not (bots or ratings or abilities):
        raise click.UsageError("Name two bots or more, such as 'argentum arena steady novice'; or see --ratings.")


def check_match_files(leaderboard: Path | None, plot: Path | None, match: bool) -> None:
    """Raise an error for a leaderboard or plot without a match, and for a plot that is not an SVG file."""
    for option, file in (("--leaderboard", leaderboard), ("--plot", plot)):
        if file is not None and not match:
            raise click.UsageError(f"{option} needs a match or --ratings: leave out --abilities and --report.")
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InvalidInput(f"{plot}: the plot is an SVG file; name it {plot.with_suffix('.svg')}")


def resolve_players(bots: tuple[str, ...], ratings: bool) -> list[str]:
    """Return the named players, or all bots for ratings without names.

    Raise `InvalidInput` for an unknown or repeated name.
    """
    from argentum import bots as bots_package
    from argentum.arena.players import make_player
    from argentum.arena.players.oracle import ORACLE_NAME

    names = list(bots) or (bots_package.names() if ratings else [])
    if len(set(names)) < len(names):
        raise InvalidInput("Name each bot once. If there are more seats than bots, they take the other seats in turn.")
    for name in names:
        try:
            make_player(name, 0)
        except ValueError as error:
            known = bots_package.names()
            hint = "" if name.partition(":")[0] in known else did_you_mean(name, [*known, ORACLE_NAME])
            raise InvalidInput(f"{error}.{hint}") from None
    return names


def run_plan(
    plan: "Match | StrengthReport | AbilityValues", results_file: Path | None, processes: int, ray: str
) -> "tuple[dict[Job, tuple[SeatResult, ...]], bool]":
    """Play the games of a plan; return the results and whether Ctrl-C stopped it early.

    Raise `InvalidInput` for an invalid results file, and `ClickException` if a worker process is killed.
    """
    from concurrent.futures.process import BrokenProcessPool

    from argentum.arena.runner import run_jobs_cached

    results: dict[Job, tuple[SeatResult, ...]] = {}
    jobs = plan.jobs
    games = run_jobs_cached(jobs, results_file, processes, ray)
    try:
        with progress_bar(games, len(jobs), "Playing") as played:
            results.update(played)
    except KeyboardInterrupt:
        return results, True
    except BrokenProcessPool:
        raise click.ClickException("A worker process was killed; with --results, finished games are saved.") from None
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    except OSError as error:
        raise InvalidInput(f"{results_file}: {error.strerror}") from None
    finally:
        games.close()
    return results, False


def check_leaderboard(file: Path, names: list[str]) -> None:
    """Raise `InvalidInput` if a leaderboard cannot be read, or if the bots' games are not reproducible."""
    from argentum.arena import leaderboard

    try:
        leaderboard.read_leaderboard(file)
        leaderboard.require_reproducible(names)
    except ValueError as error:
        raise InvalidInput(f"{error}.") from None
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None


def add_to_leaderboard(file: Path, match: "Match", seed: int, results: "dict[Job, tuple[SeatResult, ...]]") -> None:
    from argentum.arena import leaderboard

    entries = leaderboard.make_entries(match, seed, results)
    try:
        leaderboard.write_leaderboard(file, [*leaderboard.read_leaderboard(file), *entries])
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
    click.echo(f"Added to {file}: {len(entries)} entr{'y' if len(entries) == 1 else 'ies'}.", err=True)


def show_leaderboard(file: Path, sample: int | None, seed: int, processes: int, as_json: bool) -> int:
    """Print a leaderboard; if `sample` is given, replay up to that many games of each. Return the exit code."""
    from argentum.arena import leaderboard
    from argentum.arena.report import text_table

    if not file.exists():
        raise InvalidInput(f"There is no file {file}.")
    check_leaderboard(file, [])
    entries = leaderboard.read_leaderboard(file)
    if not as_json:
        click.echo(text_table(leaderboard.leaderboard_rows(entries), terminal_width()))
    errors = [] if sample is None else list(replay_entries(entries, sample, seed, processes, verbose=not as_json))
    if as_json:
        summary = [leaderboard.entry_summary(entry) for entry in entries]
        for entry, entry_errors in zip(summary, errors, strict=False):
            entry["errors"] = entry_errors
        click.echo(json.dumps({"entries": summary}))
    return EXIT_FAILED if any(errors) else 0


def replay_entries(
    entries: "list[LeaderboardEntry]", sample: int, seed: int, processes: int, verbose: bool
) -> Iterator[list[str]]:
    """Replay up to `sample` games of each entry; yield a list of errors per entry, and print it if `verbose`."""
    from random import Random

    from argentum.arena import leaderboard
    from argentum.arena.runner import run_jobs

    random = Random(seed)
    for entry in entries:
        try:
            errors = leaderboard.verify_entry(entry, sample, random, lambda jobs: run_jobs(jobs, processes, ""))
        except ValueError as error:
            errors = [str(error)]
        if verbose:
            click.echo("\n  ".join([f"{'refused' if errors else 'reproduced'}: {entry.title}", *errors]))
        yield errors


def page_with_report(file: Path, report: str) -> str:
    """Return the text of a page with the report between its marks, or of a new page if the file does not exist.

    Raise `InvalidInput` if the page has no marks or cannot be read.
    """
    from argentum.arena.strength import insert_into_page

    try:
        return insert_into_page(file.read_text(encoding="utf-8") if file.exists() else "", report)
    except ValueError as error:
        raise InvalidInput(f"{file}: {error}.") from None
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None


def write_text(file: Path | None, text: str, mode: str = "w") -> None:
    """Write a text file, unless `file` is None; raise `InvalidInput` if it cannot be written."""
    try:
        if file is not None:
            with file.open(mode, encoding="utf-8") as output:
                output.write(text)
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
