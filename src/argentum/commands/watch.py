"""`argentum watch`: look on at a table, or go through a recorded game, in the terminal."""

from pathlib import Path

import click

from argentum.commands._params import InvalidInput, examples_epilog


@click.command(
    "watch",
    epilog=examples_epilog(
        "argentum watch game.silver",
        "argentum watch 'http://192.168.1.7:8420/table/proud-nettle#SECRET'",
    ),
)
@click.argument("what", metavar="LINK|RECORD")
def command(what: str) -> None:
    """Go through a recorded game, or look on at a table on a server.

    Arrows step back and forth and from round to round; 1 to 4 jump to a round; p plays on by itself. A running game
    is followed until you step back; End follows it again.
    """
    from argentum.terminal import check_installed

    check_installed()
    from argentum import records
    from argentum.terminal.run import run_app
    from argentum.terminal.sources import Source
    from argentum.terminal.sources.server import ServerSource, TableLink
    from argentum.terminal.watching.app import NullSource, WatchApp
    from argentum.terminal.watching.recordings import LiveGame, Recording, ReplayedGame

    source: Source = NullSource()
    try:
        if "://" in what:
            game_positions: Recording = LiveGame()
            source = ServerSource(TableLink.parse(what))
        else:
            game_positions = ReplayedGame(records.read_file(Path(what)))
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    run_app(lambda: WatchApp(game_positions, source))
