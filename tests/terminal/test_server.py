"""A table on a server, sat down at from a terminal: play, a broken line, and what cannot be."""

import asyncio
from random import Random
from typing import Any

import pytest

from argentum.rooms.access import derived
from argentum.terminal.app import TableApp
from argentum.terminal.screens.lobby import GatheringScreen
from argentum.terminal.sources.server import Link, ServerTable
from argentum.terminal.watching.app import WatchApp
from argentum.terminal.watching.recordings import LiveFilm
from tests.terminal.playing import PATIENCE, SMALL, press_some, settled, shown, until
from tests.web.serving import Server, seated, shared_server

__all__ = ["shared_server"]


def link(server: Server, table: str, key: str) -> Link:
    return Link.of(f"{server.origin}/table/{table}#{key}")


def test_the_host_starts_and_plays_and_comes_back_after_the_server_was_gone(server: Server) -> None:
    table, key = server.new_table("/tables", name="Ann", boxes="coin")

    async def play() -> None:
        app = TableApp(ServerTable(link(server, table, key)))
        async with app.run_test(size=SMALL) as pilot:
            await until(app, pilot, "The table is being set")
            assert isinstance(app.screen, GatheringScreen)
            await app.source.send({"type": "arrange", "seat": "B", "bot": "novice"})
            await until(app, pilot, "bot novice")
            await pilot.press("enter")
            await until(app, pilot, "Look at two of your cards.")
            await pilot.press("2", "4", "o")
            await settled(app, pilot)
            assert app.moment is not None
            assert app.moment.view is not None
            assert any(card.number is not None for card in app.moment.view.villages["A"]), "one was looked at"
            server.kill()
            await until(app, pilot, "Connection lost. Reconnecting.")
            server.start()
            await until(app, pilot, "Round 1 of 4")
            for _ in range(6):
                await settled(app, pilot)
                await press_some(app, pilot, Random(1))
            await settled(app, pilot)

    asyncio.run(play())


def test_an_onlooker_follows_a_game_and_goes_back_in_it(server: Server) -> None:
    table, key = server.new_table(boxes="dagger", bots="1")

    async def watch() -> None:
        film = LiveFilm()
        app = WatchApp(film, ServerTable(link(server, table, derived(key, "watch"))))
        async with app.run_test(size=SMALL) as pilot:
            await until(app, pilot, "Live.")
            async with seated(server, table, key) as client, asyncio.timeout(PATIENCE):
                for _ in range(5):
                    while not client.asked:
                        await client.update()
                    await client.play_random(Random(1))
            async with asyncio.timeout(PATIENCE):
                while len(film) < 5:
                    await pilot.pause(0.02)
                while f"Step {len(film) - 1} of {len(film) - 1}. Live." not in shown(app):
                    await pilot.pause(0.02)
            await pilot.press("home")
            await until(app, pilot, "Step 0 of")
            assert "The game goes on." in shown(app)
            await pilot.press("end")
            await until(app, pilot, "Live.")

    asyncio.run(watch())


def lost(source: ServerTable) -> str:
    """What is said when a table cannot be sat down at."""

    async def go() -> Any:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            async with asyncio.timeout(PATIENCE):
                while app.return_value is None:
                    await pilot.pause(0.02)
        return app.return_value

    return str(asyncio.run(go()))


def test_a_wrong_secret_is_said_in_words(server: Server) -> None:
    table, _ = server.new_table()
    assert lost(ServerTable(link(server, table, "wrong"))).startswith("this link does not open a seat at this table")
    assert lost(ServerTable(link(server, "no-table", "wrong"))).startswith("there is no such table")


def test_a_server_that_is_not_there_is_said_in_words() -> None:
    why = lost(ServerTable(Link.of("http://127.0.0.1:9/table/a#b")))
    assert why == "cannot reach ws://127.0.0.1:9/socket: the server does not answer"


@pytest.mark.parametrize(
    "text",
    ["", "proud-nettle", "http://host/", "http://host/table/", "ftp://host/table/a#b", "http:///table/a", "http://[/"],
)
def test_what_is_no_link(text: str) -> None:
    with pytest.raises(ValueError, match="is not a table link"):
        Link.of(text)
