"""`argentum train`: train a network."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from argentum.commands._params import InvalidInput, examples_epilog

if TYPE_CHECKING:
    from argentum.learn.config import TrainingConfig

FILE_PATH = click.Path(path_type=Path, dir_okay=False)
MISSING_TORCH_MESSAGE = "Training needs PyTorch, which is not installed: run `pip install 'argentum[learn]'`."


@click.command(
    "train",
    epilog=examples_epilog(
        "argentum train --config small --out runs/first",
        "argentum train --config gpu --out runs/gpu --minutes 8 --set imitation.dataset=steady.npz",
        "argentum train --config gpu --out runs/gpu --resume runs/gpu/checkpoint.pt --minutes 8",
        "argentum train --resume runs/gpu/checkpoint.pt --export moon.npz",
    ),
)
@click.option("--config", "file", default="", help="A TOML file, or a preset: small, gpu.  [default: the checkpoint's]")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("run"), show_default=True,
              help="Folder for checkpoints and logs.")  # fmt: skip
@click.option("--resume", type=FILE_PATH, help="Continue training from this checkpoint.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after this long, with a checkpoint.")
@click.option("--finish", is_flag=True, help="Let the learning rate reach its final value by then; needs --minutes.")
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a setting, such as ppo.learning_rate=1e-4."
)
@click.option("--fresh-games", is_flag=True, help="Begin new games instead of the checkpoint's; needs --resume.")
@click.option(
    "--export", "target", type=FILE_PATH, help="Write the network to this .npz or .onnx file; needs --resume."
)
def command(
    file: str,
    out: Path,
    resume: Path | None,
    minutes: float | None,
    finish: bool,
    changes: tuple[str, ...],
    fresh_games: bool,
    target: Path | None,
) -> None:
    """Train a network by imitation and self-play.

    Ctrl-C stops after the current update and saves a checkpoint; a second one stops at once. The log is written to
    OUT/log.jsonl, one line per update.
    """
    try:
        from argentum.learn import trainer
        from argentum.learn.export import export
    except ModuleNotFoundError:
        raise InvalidInput(MISSING_TORCH_MESSAGE) from None
    if target is not None:
        if resume is None:
            raise click.UsageError("--export needs --resume with the checkpoint.")
        try:
            export(resume, target)
        except ValueError as error:
            raise InvalidInput(str(error)) from None
        click.echo(f"Wrote {target}. Try it: argentum arena {target} steady")
        return
    if fresh_games and resume is None:
        raise click.UsageError("--fresh-games needs --resume with the checkpoint.")
    if finish and minutes is None:
        raise click.UsageError("--finish needs --minutes.")
    config = load_or_resume_config(file, changes, resume)
    try:
        run = trainer.Trainer(config, out, click.echo)
    except OSError as error:
        raise InvalidInput(f"{out}: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    click.echo(run.summary())
    if resume is not None:
        try:
            run.resume(resume, not fresh_games)
        except (ValueError, RuntimeError) as error:
            raise InvalidInput(f"{resume} does not fit this configuration: {error}") from None
    try:
        run.run(math.inf if minutes is None else minutes, finish)
    except FileNotFoundError as error:
        raise InvalidInput(f"{error.filename}: {error.strerror}") from None


def load_or_resume_config(file: str, changes: tuple[str, ...], resume: Path | None) -> "TrainingConfig":
    """Load the configuration from a file or preset, else from the checkpoint, and apply the changes of `--set`.

    Raise `UsageError` if there is neither, and `InvalidInput` if the configuration is invalid or cannot be read.
    """
    from argentum.learn import config, trainer

    try:
        if file:
            return config.load_config(file, changes)
        if resume is None:
            raise click.UsageError("Name a configuration: --config small, --config gpu, or a TOML file.")
        return config.config_from_dict_with_overrides(trainer.read_checkpoint(resume)["config"], changes)
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}; the presets are {', '.join(config.PRESETS)}") from None
    except ValueError as error:
        raise InvalidInput(str(error)) from None
