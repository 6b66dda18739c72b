"""Takes the pictures of the table for the README and the pages: `python tools/screenshots.py docs/pictures`.

It starts `argentum play`, opens it in Chromium, and shows moments of games that bots play from fixed seeds.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from argentum import bots
from argentum.display.results import round_scoring, summarize_round
from argentum.display.scene import SeatInfo
from argentum.display.session import GameSession
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.app import TableApp
from argentum.terminal.sources.local import LocalSource
from argentum.web.pages import table as table_module
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import MAX_LOG_LINES

DECK = "abcdabcdabcdab"  # something of every box
NAMES = ("Ann", "Bramble", "Cinder", "Drift")
BOT = "steady"
GAMES = 12  # to look for good moments in
DESK, PHONE = (1440, 900), (390, 800)
TERMINAL = (130, 38)  # characters
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


class Moment(NamedTuple):
    """A position worth a picture, with its score."""

    worth: int
    game: Game


def played(seed: int) -> Iterator[Game]:
    """A game of bots, before each of its moves."""
    game = Game.new(boxes=DECK, players=len(NAMES), seed=seed, names=NAMES)
    players = [bots.make(BOT, seed=seed + nth) for nth in range(len(NAMES))]
    while not game.over:
        yield game
        seat = game.to_move
        game.play(bots.ask(players[SEAT_LETTERS.index(seat)], game, seat), seat)


def worth(game: Game) -> int:
    """How much there is to see when Ann has drawn a card: faceup cards of many boxes, and a middling village."""
    view = game.view("A")
    if game.to_move != "A" or view.hand is None or game.round < 3 or not 4 <= len(view.villages["A"]) <= 6:
        return 0
    up = [card.number for village in view.villages.values() for card in village if card.up]
    known = [card for card in view.villages["A"] if card.number is not None]
    return len({DECK[number] for number in up if number is not None}) * 3 + len(set(up)) + len(known)


def best_moments() -> tuple[Game, Game]:
    """A turn of Ann's, and the end of a round that she won by a call."""
    turn, ending = Moment(0, Game.new()), Moment(0, Game.new())
    for seed in range(GAMES):
        rounds = 0
        for game in played(seed):
            if worth(game) > turn.worth:
                turn = Moment(worth(game), game.copy())
            if game.rounds_finished > rounds:
                rounds = game.rounds_finished
                lines = len(game.explain(rounds))
                if ending.worth < lines and rounds < 4:
                    ending = Moment(lines, game.copy())
    return turn.game, ending.game


def seats() -> list[SeatInfo]:
    """Ann and three bots."""
    return [
        SeatInfo(letter, name, BOT if nth else "", True, "")
        for nth, (letter, name) in enumerate(zip(SEAT_LETTERS, NAMES, strict=True))
    ]


def table(game: Game) -> str:
    """Ann's table."""
    painter = PageRenderer()
    drawn = GameSession(game).build_scene("A", seats(), MAX_LOG_LINES, False)
    return painter.table_html(drawn, table_module.TableInfo("witty-pond", False, 0, 0, False, ()))


def reveal(game: Game) -> str:
    """The end of a round."""
    return str(
        PageRenderer()._render("round_end.html", "stage", summarize_round(round_scoring(game, "A"), seats(), ()))
    )


async def terminal(game: Game, path: Path) -> None:
    """Ann's table in a terminal with all colours."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    table = LocalSource(NAMES[0], [BOT] * (len(NAMES) - 1), DECK)
    table._sit(game, 1)
    table.events_sent = None  # as somebody who comes back: no round is counted again
    app = TableApp(table)
    async with app.run_test(size=TERMINAL) as pilot:
        await pilot.pause(1.0)
        path.write_text(app.export_screenshot(title="Argentum"), encoding="utf-8")


@contextmanager
def serving() -> Iterator[str]:
    """A server of our own; its address."""
    with TemporaryDirectory() as folder:
        database = str(Path(folder) / "tables.db")
        command = [sys.executable, "-u", "-m", "argentum", "play", "--no-browser", "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            try:
                yield found[0].rstrip("/")
            finally:
                server.terminate()


def show(page: Page, html: str, kind: str) -> None:
    """Put this on a table's page, whose line to the server is cut."""
    message = {
        "type": "page",
        "choice": 1,
        "kind": kind,
        "title": "Argentum",
        "parts": [["stage", [[html]]]],
        "motions": [],
    }
    page.evaluate("() => { closed = true; socket.onmessage = null; socket.close(); say(''); }")
    page.evaluate("(message) => show(message)", message)
    page.wait_for_timeout(800)  # fonts and motions


def opened(chromium: Browser, origin: str, size: tuple[int, int], light: str, scale: int = 1) -> Page:
    """A new table's page."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light" if light == "light" else "dark",
        reduced_motion="reduce",
        device_scale_factor=scale,
    )
    page = context.new_page()
    page.goto(origin)
    page.fill("input[name=name]", NAMES[0])
    page.click("text=Set a table")
    page.wait_for_selector("#stage[data-kind=gathering]")
    return page


def mixed(page: Page) -> None:
    """Choose a deck number by number, for four."""
    page.check("#seats-4", force=True)
    for number, box in enumerate(DECK):
        page.check(f"#number-{number}-{box}", force=True)
        page.wait_for_selector(f"#number-{number}-{box}:checked", state="attached")
    page.wait_for_timeout(800)  # fonts


def main(folder: Path) -> None:
    """Take all pictures."""
    turn, ending = best_moments()
    asyncio.run(terminal(turn, folder / "terminal.svg"))
    path = next(found for name in CHROMIUM if (found := shutil.which(name)))
    with serving() as origin, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = opened(chromium, origin, DESK, "dark")
        mixed(page)
        page.screenshot(path=folder / "lobby.png")
        for name, html, kind, size, light, scale in (
            ("table", table(turn), "table", DESK, "dark", 1),
            ("dawn", table(turn), "table", DESK, "light", 1),
            ("phone", table(turn), "table", PHONE, "dark", 2),
            ("reveal", reveal(ending), "reveal", DESK, "dark", 1),
        ):
            page = opened(chromium, origin, size, light, scale)
            page.click("text=Start the game")
            page.wait_for_selector("#stage[data-kind=table]")
            show(page, html, kind)
            page.screenshot(path=folder / f"{name}.png")
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
