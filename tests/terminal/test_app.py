import asyncio
import gc

from websockets.asyncio.server import ServerConnection, serve
from websockets.protocol import State

from argentum.client import TableLink
from argentum.terminal.app import TableApp
from argentum.terminal.sources.server import ServerSource
from tests.support.terminal import SMALL, TIMEOUT, wait_for_player
from tests.support.terminal_tables import FixedSource, has_drawn_card, updates_until


async def ignore_messages(connection: ServerConnection) -> None:
    """Handle a connection by reading only the first message, and not even the close frame."""
    await connection.recv()
    connection.transport.pause_reading()
    await connection.wait_closed()


def test_the_connection_is_closed_before_the_app_ends_even_if_the_server_is_slow() -> None:
    async def main() -> State:
        async with serve(ignore_messages, "127.0.0.1", 0, close_timeout=0.1) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            source = ServerSource(TableLink.parse(f"http://127.0.0.1:{port}/table/a#b"))
            app = TableApp(source)
            async with app.run_test(size=SMALL) as pilot:
                async with asyncio.timeout(TIMEOUT):
                    while source.client.connection is None:
                        await pilot.pause()
                connection = source.client.connection.socket
                app.workers.cancel_all()  # as Textual does when it stops
                await pilot.pause()
            return connection.state

    assert asyncio.run(main()) is State.CLOSED


def test_an_unsent_answer_is_dropped_when_the_app_ends() -> None:
    source = FixedSource(updates_until(has_drawn_card)[-1:])

    async def main() -> None:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            app.send_move("discard")
            app.workers.cancel_all()

    asyncio.run(main())
    gc.collect()  # would warn of a coroutine that was never awaited
    assert source.sent == []
