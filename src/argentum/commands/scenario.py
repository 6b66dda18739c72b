"""`argentum scenario`: positions with expectations."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import click

from argentum.commands._params import EXIT_FAILED, EXIT_INVALID_INPUT, InvalidInput, examples_epilog, progress_bar


class ScenarioOutcome(NamedTuple):
    """How a scenario went: what was wrong in it, or why it could not be read."""

    path: str
    title: str
    wrong: list[str]
    unreadable: str


@click.command(
    "scenario",
    epilog=examples_epilog(
        "argentum scenario tests/conformance/scenarios",
        "argentum scenario --quiet tests/conformance/scenarios mine/magician.toml",
        "argentum scenario --json tests/conformance/scenarios",
    ),
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--quiet", "-q", is_flag=True, help="Print only what failed, and the count.")
@click.option("--json", "as_json", is_flag=True, help="Print how each went as JSON.")
def command(paths: tuple[Path, ...], quiet: bool, as_json: bool) -> None:
    """Run scenario files, or folders of them, and report which ones hold.

    Exits with 1 if any failed, with 2 if any could not be read.
    """
    from argentum.records import scenario

    found = list(scenario.find_scenarios(list(paths)))
    if not found:
        raise InvalidInput(f"no scenario (*.toml) in {', '.join(str(path) for path in paths)}")
    with progress_bar(map(run_scenario, found), len(found), "Playing") as steps:
        outcomes = list(steps)
    failed = [outcome for outcome in outcomes if outcome.wrong]
    unreadable = [outcome for outcome in outcomes if outcome.unreadable]
    if as_json:
        click.echo(json.dumps([outcome._asdict() for outcome in outcomes], ensure_ascii=False))
    else:
        print_outcomes(outcomes, quiet)
        passed = len(outcomes) - len(failed) - len(unreadable)
        left = f", {len(unreadable)} unreadable" if unreadable else ""
        click.echo(f"{passed} passed, {len(failed)} failed{left}")
    if failed or unreadable:
        sys.exit(EXIT_INVALID_INPUT if unreadable else EXIT_FAILED)


def run_scenario(path: Path) -> ScenarioOutcome:
    """Read and play one scenario."""
    from argentum.records import scenario

    try:
        outcome = scenario.read_scenario(path)
        return ScenarioOutcome(str(path), outcome.title, outcome.play(), "")
    except ValueError as error:
        return ScenarioOutcome(str(path), "", [], str(error))


def print_outcomes(outcomes: list[ScenarioOutcome], quiet: bool) -> None:
    """Say how each went, for people."""
    for outcome in outcomes:
        if outcome.unreadable:
            click.echo(f"unreadable  {outcome.unreadable}", err=True)
        elif outcome.wrong:
            click.echo(f"FAILED  {outcome.path}  {outcome.title}")
            click.echo("\n".join(f"        {line}" for line in outcome.wrong))
        elif not quiet:
            click.echo(f"ok      {outcome.path}  {outcome.title}")
