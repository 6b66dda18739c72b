"""`argentum terminal`: a game against bots, in the terminal."""

from pathlib import Path

import click

from argentum.commands._arguments import BadInput, BotName, Deck, examples


class BotNames(BotName):
    """Bots one after another, with commas between them."""

    name = "bots"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The names, if there are such bots, and a seat for each."""
        names = [super(BotNames, self).convert(word, param, ctx) for word in value.split(",")]
        if len(names) > 3:
            raise BadInput(f"{len(names)} bots: Silver is for two to four, so you play against one to three")
        return ",".join(names)


@click.command(
    "terminal",
    epilog=examples(
        "argentum terminal",
        "argentum terminal --boxes coin --bots steady",
        "argentum terminal --boxes random --bots novice,steady,steady --memory --name Ann",
    ),
)
@click.option(
    "--bots", default="novice,novice", show_default=True, type=BotNames(), help="One to three, with commas between."
)
@click.option("--boxes", default="dagger", show_default=True, type=Deck(), help="A box, a deck code, or 'random'.")
@click.option("--memory/--open", default=False, help="Remember what you saw, or keep it in sight. [default: open]")
@click.option("--name", default="Ann", show_default=True, help="Your name.")
@click.option("--seed", type=int, help="Play the same deals again.")
@click.option("--record", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write the game's record here.")
def command(bots: str, boxes: str, memory: bool, name: str, seed: int | None, file: Path | None) -> None:
    """Play against bots on a full-screen table, by keys or with the mouse.

    Press ? at the table for its keys, h for hints. Colours are as your terminal has them; NO_COLOR turns them off.
    """
    from argentum.terminal import check_installed

    check_installed()
    from argentum.rules.game import check_name
    from argentum.terminal.app import TableApp
    from argentum.terminal.local import LocalTable
    from argentum.terminal.running import run_app

    try:
        check_name(name)
        if file is not None:
            file.touch()
    except ValueError as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    table = LocalTable(name, bots.split(","), boxes, seed, memory)
    run_app(lambda: TableApp(table))
    if file is not None:
        table.write_record(file)
        click.echo(f"The record is in {file}.")
