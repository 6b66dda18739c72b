"""`argentum scenario`: positions with expectations."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import click

from argentum.commands._params import BAD_INPUT, FAILED, BadInput, examples, progress


class Outcome(NamedTuple):
    """How a scenario went: what was wrong in it, or why it could not be read."""

    path: str
    title: str
    wrong: list[str]
    unreadable: str


@click.command(
    "scenario",
    epilog=examples(
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
        raise BadInput(f"no scenario (*.toml) in {', '.join(str(path) for path in paths)}")
    with progress(map(played, found), len(found), "Playing") as steps:
        outcomes = list(steps)
    failed = [one for one in outcomes if one.wrong]
    unreadable = [one for one in outcomes if one.unreadable]
    if as_json:
        click.echo(json.dumps([one._asdict() for one in outcomes], ensure_ascii=False))
    else:
        show(outcomes, quiet)
        passed = len(outcomes) - len(failed) - len(unreadable)
        left = f", {len(unreadable)} unreadable" if unreadable else ""
        click.echo(f"{passed} passed, {len(failed)} failed{left}")
    if failed or unreadable:
        sys.exit(BAD_INPUT if unreadable else FAILED)


def played(path: Path) -> Outcome:
    """Read and play one scenario."""
    from argentum.records import scenario

    try:
        one = scenario.read_scenario(path)
        return Outcome(str(path), one.title, one.play(), "")
    except ValueError as error:
        return Outcome(str(path), "", [], str(error))


def show(outcomes: list[Outcome], quiet: bool) -> None:
    """Say how each went, for people."""
    for one in outcomes:
        if one.unreadable:
            click.echo(f"unreadable  {one.unreadable}", err=True)
        elif one.wrong:
            click.echo(f"FAILED  {one.path}  {one.title}")
            click.echo("\n".join(f"        {line}" for line in one.wrong))
        elif not quiet:
            click.echo(f"ok      {one.path}  {one.title}")
