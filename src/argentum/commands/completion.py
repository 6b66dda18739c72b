"""`argentum completion`: completion of commands, options and names in a shell."""

import click

from argentum.commands._params import examples

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog=examples(
        "argentum completion bash >> ~/.bashrc",
        "argentum completion zsh >> ~/.zshrc",
        "argentum completion fish > ~/.config/fish/completions/argentum.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a shell completion script."""
    from click.shell_completion import get_completion_class

    from argentum.cli import main

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(main, {}, "argentum", "_ARGENTUM_COMPLETE").source())
