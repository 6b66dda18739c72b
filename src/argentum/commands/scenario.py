"""`argentum scenario`: run scenario files."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import click

from argentum.commands._params import EXIT_FAILED, EXIT_INVALID_INPUT, InvalidInput, examples_epilog, progress_bar


class ScenarioOutcome(NamedTuple):
    """Result of one scenario: where the game differs from what the scenario expects, or why it cannot be read."""

    path: str
    case: int  # its number in the file, from 1; 0 if the file could not be read
    title: str
    differences: list[str]
    read_error: str


@click.command(
    "scenario",
    epilog=examples_epilog(
        "argentum scenario tests/conformance/scenarios",
        "argentum scenario --quiet tests/conformance/scenarios mine/magician.toml",
        "argentum scenario --json tests/conformance/scenarios",
    ),
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--quiet", "-q", is_flag=True, help="Print only failures and the counts.")
@click.option("--json", "as_json", is_flag=True, help="Print the result of each as JSON.")
def command(paths: tuple[Path, ...], quiet: bool, as_json: bool) -> None:
    """Run scenario files, or folders of them, and report which ones pass.

    Exits with 1 if any failed, with 2 if any could not be read.
    """
    from argentum.records import scenario

    files = list(scenario.find_scenarios(list(paths)))
    if not files:
        raise InvalidInput(f"There is no scenario (*.toml) in {', '.join(str(path) for path in paths)}")
    with progress_bar(map(run_scenarios, files), len(files), "Playing") as steps:
        outcomes = [outcome for outcomes in steps for outcome in outcomes]
    failed = [outcome for outcome in outcomes if outcome.differences]
    unreadable = [outcome for outcome in outcomes if outcome.read_error]
    if as_json:
        click.echo(json.dumps([outcome._asdict() for outcome in outcomes], ensure_ascii=False))
    else:
        print_outcomes(outcomes, quiet)
        passed = len(outcomes) - len(failed) - len(unreadable)
        suffix = f", {len(unreadable)} unreadable" if unreadable else ""
        click.echo(f"{passed} passed, {len(failed)} failed{suffix}")
    if failed or unreadable:
        sys.exit(EXIT_INVALID_INPUT if unreadable else EXIT_FAILED)


def run_scenarios(path: Path) -> list[ScenarioOutcome]:
    """Run all scenarios of a file. An unreadable file gives one outcome, with a `read_error`."""
    from argentum.records import scenario

    try:
        cases = enumerate(scenario.read_scenarios(path), 1)
        return [ScenarioOutcome(str(path), number, case.title, case.play(), "") for number, case in cases]
    except ValueError as error:
        return [ScenarioOutcome(str(path), 0, "", [], str(error))]


def print_outcomes(outcomes: list[ScenarioOutcome], quiet: bool) -> None:
    for outcome in outcomes:
        if outcome.read_error:
            click.echo(f"unreadable  {outcome.read_error}", err=True)
        elif outcome.differences:
            click.echo(f"FAILED  {outcome.path}  {outcome.title or f'case {outcome.case}'}")
            click.echo("\n".join(f"        {line}" for line in outcome.differences))
        elif not quiet:
            click.echo(f"ok      {outcome.path}  {outcome.title or f'case {outcome.case}'}")
