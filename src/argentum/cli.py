"""Command-line entry point: a click group that imports its sub-commands on demand."""

import os
import warnings
from errno import ENOSPC
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

import click

from argentum import commands

COMMAND_SECTIONS: Final = {
    "Play": ("play", "serve", "terminal", "host", "join", "watch"),
    "Learn": ("rules", "replay", "review", "verify"),
    "Measure": ("arena", "exploit", "simulate", "scenario", "train"),
}
OTHER_SECTION: Final = "More"
BOX_OPTION: Final = "--box"
BOX_FILES_VARIABLE: Final = "ARGENTUM_BOXES"  # read in argentum.rules.boxes.discovery

WELCOME: Final = """Argentum: the Silver card games, with enforced rules.

  argentum play       a game in your browser, against bots or with friends
  argentum terminal   a game right here
  argentum rules      look up a resident or a ruling

All commands: argentum --help. One of them: argentum rules --help."""


class CommandGroup(click.Group):
    """Click group whose sub-commands are the modules of `argentum.commands`, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(command.name for command in iter_modules(commands.__path__) if not command.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"argentum.commands.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `--box FILE` out of the arguments wherever it stands, and load these boxes before any command."""
        files, others = split_box_options(args)
        if files and not ctx.resilient_parsing:
            load_box_files(files)
        return super().parse_args(ctx, others)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the first argument to a sub-command; raise `NoSuchCommand` with suggestions if there is none."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    def sections(self, ctx: click.Context) -> dict[str, list[tuple[str, click.Command]]]:
        """Map the headings of `--help` to their sub-commands, as pairs of name and command."""
        available = self.list_commands(ctx)
        listed = [name for names in COMMAND_SECTIONS.values() for name in names]
        titles = {**COMMAND_SECTIONS, OTHER_SECTION: tuple(name for name in available if name not in listed)}
        commands = {title: [(name, self.get_command(ctx, name)) for name in names] for title, names in titles.items()}
        return {
            title: [(name, command) for name, command in pairs if command is not None]
            for title, pairs in commands.items()
        }

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in self.list_commands(ctx))
        for title, listed in self.sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), command.get_short_help_str(100)) for name, command in listed])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a sub-command; report Ctrl-C and a full disk without a traceback."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            from argentum.commands._params import EXIT_INTERRUPTED

            click.echo("\nStopped.", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from None


def split_box_options(args: list[str]) -> tuple[list[str], list[str]]:
    """Return the files that `--box` names in a command line, and the other arguments.

    >>> split_box_options(["play", "--box", "mine.py", "--port", "80", "--box=yours.py"])
    (['mine.py', 'yours.py'], ['play', '--port', '80'])
    """
    files: list[str] = []
    others: list[str] = []
    rest = iter(args)
    for word in rest:
        if word == "--":
            others += [word, *rest]
        elif word == BOX_OPTION:
            file = next(rest, None)
            if file is None:
                raise click.UsageError(f"Option '{BOX_OPTION}' requires the file of a box.")
            files.append(file)
        elif word.startswith(f"{BOX_OPTION}="):
            files.append(word.removeprefix(f"{BOX_OPTION}="))
        else:
            others.append(word)
    return files, others


def load_box_files(files: list[str]) -> None:
    """Register the boxes of these files, also for worker processes, which inherit the environment variable."""
    paths = [str(Path(file).resolve()) for file in files]
    for file, path in zip(files, paths, strict=True):
        if not Path(path).is_file():
            raise click.UsageError(f"{BOX_OPTION}: there is no file '{file}'. (--boxes chooses the deck.)")
    listed = [path for path in os.environ.get(BOX_FILES_VARIABLE, "").split(os.pathsep) if path not in (*paths, "none")]
    os.environ[BOX_FILES_VARIABLE] = os.pathsep.join([path for path in [*listed, *paths] if path])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from argentum.rules.boxes import ALL_BOXES, REJECTED_BOXES
    for source, reason in REJECTED_BOXES:
        if source in paths:
            raise click.UsageError(f"{BOX_OPTION} {source}: {reason}.")
        click.echo(f"The box of {source} was left out: {reason}.", err=True)
    if not set(paths) <= {box.source for box in ALL_BOXES}:
        raise click.UsageError(f"{BOX_OPTION} comes too late: the boxes were already loaded.")


def show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    """Print the version and exit (callback of `--version`)."""
    if value and not ctx.resilient_parsing:
        from argentum.build import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(cls=CommandGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version, the build, Python and the platform.",
)
@click.option(
    BOX_OPTION,
    multiple=True,
    metavar="FILE",
    expose_value=False,
    help="Add the box of a Python file. It may also stand after the command, and more than once.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Argentum: the Silver card games, with enforced rules.

    Start with `argentum play` for a game in the browser, or `argentum rules` to look something up.
    """
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)
