"""Command-line entry point: a click group that imports its sub-commands on demand."""

from errno import ENOSPC
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

import click

from argentum import commands
from argentum.commands._params import EXIT_INTERRUPTED

COMMAND_SECTIONS: Final = {
    "Play": ("play", "serve", "terminal", "join", "watch"),
    "Learn": ("rules", "replay", "review", "verify"),
    "Measure": ("arena", "exploit", "simulate", "scenario", "train"),
}
OTHER_SECTION: Final = "More"

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
            click.echo("\nStopped.", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except OSError as error:
            if error.errno != ENOSPC:
                raise
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from None


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
@click.pass_context
def main(ctx: click.Context) -> None:
    """Argentum: the Silver card games, with enforced rules.

    Start with `argentum play` for a game in the browser, or `argentum rules` to look something up.
    """
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)
