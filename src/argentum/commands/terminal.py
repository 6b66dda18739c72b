"""`argentum terminal`: play against bots in the terminal."""

from pathlib import Path

import click

from argentum.commands._params import BotNameParam, DeckParam, InvalidInput, examples_epilog
from argentum.rules.boxes import DEFAULT_BOX

PACE_NAMES = ("slow", "normal", "fast", "instant")  # as in argentum.rooms.clock, whose import would slow down --help
FILE_PATH = click.Path(path_type=Path, dir_okay=False)
FOLDER_PATH = click.Path(path_type=Path, file_okay=False)
pace_option = click.option(
    "--pace",
    default="normal",
    show_default=True,
    envvar="ARGENTUM_PACE",
    type=click.Choice(PACE_NAMES),
    help="How fast bots move.",
)


class BotNamesParam(BotNameParam):
    """One to three bots, separated by commas. Each is checked and normalized."""

    name = "bots"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = [super(BotNamesParam, self).convert(word, param, ctx) for word in value.split(",")]
        if len(names) > 3:
            raise InvalidInput(f"{len(names)} bots are too many: you play against one to three.")
        return ",".join(names)


@click.command(
    "terminal",
    epilog=examples_epilog(
        "argentum terminal",
        "argentum terminal --boxes coin --bots steady",
        "argentum terminal --boxes random --bots novice,steady,steady --memory --name Ann",
        "argentum terminal --arrange --pace fast",
    ),
)
@click.option(
    "--bots",
    default="novice,novice",
    show_default=True,
    type=BotNamesParam(),
    help="One to three bots, separated by commas.",
)
@click.option(
    "--boxes", default=DEFAULT_BOX, show_default=True, type=DeckParam(), help="A box, a deck code, or 'random'."
)
@click.option(
    "--memory/--open", default=False, help="Play from memory, or keep the cards that you saw in sight. [default: open]"
)
@click.option("--name", default="Ann", show_default=True, help="Your name.")
@click.option("--seed", type=int, help="Play the same deals again.")
@click.option("--arrange", is_flag=True, help="Arrange the table first: deck, seats, bots and options.")
@click.option(
    "--resume/--new", default=None, help="Continue the last game, or start a new one. [default: ask if there is one]"
)
@pace_option
@click.option("--record", "file", type=FILE_PATH, help="Also write the game's record to this file while you play.")
@click.option(
    "--games",
    envvar="ARGENTUM_GAMES",
    type=FOLDER_PATH,
    help="Folder for saved games. [default: your user data directory]",
)
def command(
    bots: str,
    boxes: str,
    memory: bool,
    name: str,
    seed: int | None,
    arrange: bool,
    resume: bool | None,
    pace: str,
    file: Path | None,
    games: Path | None,
) -> None:
    """Play against bots on a full-screen table, by keys or with the mouse.

    Every move is saved, however you leave; the next `argentum terminal` offers to continue. Press ? at the table for
    help, h for hints. It uses your terminal's colours; NO_COLOR turns them off.
    """
    from argentum.rooms.log.file import GameFiles, default_directory, unfinished_games
    from argentum.rules.game import check_name
    from argentum.terminal.run import LocalGameApp, TerminalError, run_app
    from argentum.terminal.sources.local import LocalSource

    try:
        check_name(name)
        if file is not None:
            check_writable(file)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
    game_files = GameFiles(games or default_directory(), file)
    saved_games = unfinished_games(games or default_directory()) if resume is not False else []
    table = LocalSource(name, bots.split(","), boxes, seed, memory, game_files=game_files)
    table.begins_in_lobby = arrange
    if resume:
        if not saved_games:
            raise InvalidInput("There is no unfinished game; leave out --resume.")
        table.saved_game = saved_games[0]
    try:
        run_app(lambda: LocalGameApp(table, () if resume or arrange else saved_games, pace=pace))
    except TerminalError as error:
        raise InvalidInput(str(error)) from None
    if table.is_resumable:
        click.echo("The game is saved; run `argentum terminal` to continue.")
    for path in game_files.written_copies:
        click.echo(f"The record is in {path}.")


def check_writable(file: Path) -> None:
    """Raise `OSError` if a file cannot be written; leave no new file behind."""
    existed = file.exists()
    file.touch()
    if not existed:
        file.unlink()
