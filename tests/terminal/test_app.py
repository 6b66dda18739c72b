"""Leaving leaves nothing behind: no line half closed, no answer half sent."""

import asyncio
import gc

from websockets.asyncio.server import ServerConnection, serve
from websockets.protocol import State

from argentum.terminal.app import TableApp
from argentum.terminal.sources.server import ServerSource, TableLink
from tests.support.terminal import PATIENCE, SMALL, settled
from tests.support.terminal_tables import Still, in_hand, played_until


async def deaf(line: ServerConnection) -> None:
    """A server that hears somebody sit down, and then nothing more: not even that they leave."""
    await line.recv()
    line.transport.pause_reading()
    await line.wait_closed()


def test_the_line_is_closed_before_we_go_however_slow_the_server_is() -> None:
    async def go() -> State:
        async with serve(deaf, "127.0.0.1", 0, close_timeout=0.1) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            source = ServerSource(TableLink.parse(f"http://127.0.0.1:{port}/table/a#b"))
            app = TableApp(source)
            async with app.run_test(size=SMALL) as pilot:
                async with asyncio.timeout(PATIENCE):
                    while source.connection is None:
                        await pilot.pause()
                line = source.connection
                app.workers.cancel_all()  # as Textual does when it stops: before we are told, or after
                await pilot.pause()
            return line.state

    assert asyncio.run(go()) is State.CLOSED


def test_an_answer_that_is_not_sent_before_we_go_is_dropped() -> None:
    source = Still(played_until(in_hand)[-1:])

    async def go() -> None:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            app.play("discard")
            app.workers.cancel_all()

    asyncio.run(go())
    gc.collect()  # a coroutine that was left over would be told of here
    assert source.sent == []
