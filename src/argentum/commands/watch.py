"""`argentum watch`: watch a table or step through a recorded game, in the terminal."""

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
@click.argument("link_or_record", metavar="LINK|RECORD")
def command(link_or_record: str) -> None:
    """Step through a recorded game, or watch a table on a server.

    Arrows step back and forth and from round to round; 1 to 4 jump to a round; p plays automatically. A running game
    is followed until you step back; End follows it again.
    """
    from argentum import records
    from argentum.client import TableLink
    from argentum.terminal.run import TerminalError, run_app
    from argentum.terminal.sources import Source
    from argentum.terminal.sources.server import ServerSource
    from argentum.terminal.watching.app import NullSource, WatchApp
    from argentum.terminal.watching.recordings import LiveGame, Recording, ReplayedGame

    source: Source = NullSource()
    try:
        if "://" in link_or_record:
            recording: Recording = LiveGame()
            source = ServerSource(TableLink.parse(link_or_record))
        else:
            recording = ReplayedGame(records.read_file(Path(link_or_record)))
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    try:
        run_app(lambda: WatchApp(recording, source))
    except TerminalError as error:
        raise InvalidInput(str(error)) from None
