"""`argentum completion`: shell completion of commands, options and names."""

import click

from argentum.commands._params import examples_epilog

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog=examples_epilog(
        "argentum completion bash >> ~/.bashrc",
        "argentum completion zsh >> ~/.zshrc",
        "argentum completion fish > ~/.config/fish/completions/argentum.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a shell completion script."""
    from click.shell_completion import get_completion_class

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    main = click.get_current_context().find_root().command
    click.echo(completion_class(main, {}, "argentum", "_ARGENTUM_COMPLETE").source())
