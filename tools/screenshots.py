"""Take the documentation's screenshots: `python tools/screenshots.py docs/pictures`.

Start `argentum play`, open it in Chromium, and show positions of games that bots play from fixed seeds.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Page, WebSocketRoute, sync_playwright

from argentum import bots
from argentum.display.results import round_scoring, summarize_round
from argentum.display.scene import SeatInfo
from argentum.display.session import GameSession
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.log.file import SavedGame
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.app import TableApp
from argentum.terminal.sources.local import LocalSource
from argentum.web.pages import table as table_module
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import MAX_LOG_LINES

DECK = "abcdabcdabcdab"  # residents of every box
NAMES = ("Ann", "Bramble", "Cinder", "Drift")
BOT = "steady"
GAMES = 12  # number of games searched for positions
DESK, PHONE = (1440, 900), (390, 800)
TERMINAL = (130, 38)  # characters
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


class ScoredPosition(NamedTuple):
    score: int
    game: Game


def play_positions(seed: int) -> Iterator[Game]:
    """Play a game between bots; yield the game before each move."""
    game = Game.new(boxes=DECK, players=len(NAMES), seed=seed, names=NAMES)
    players = [bots.make(BOT, seed=seed + index) for index in range(len(NAMES))]
    while not game.over:
        yield game
        seat = game.to_move
        game.play(bots.ask(players[SEAT_LETTERS.index(seat)], game, seat), seat)


def score_position(game: Game) -> int:
    """Score a position for a screenshot by the variety of its cards; 0 unless Ann holds a card late in a game."""
    view = game.view("A")
    if game.to_move != "A" or view.hand is None or game.round < 3 or not 4 <= len(view.villages["A"]) <= 6:
        return 0
    up = [card.number for village in view.villages.values() for card in village if card.up]
    known = [card for card in view.villages["A"] if card.number is not None]
    return len({DECK[number] for number in up if number is not None}) * 3 + len(set(up)) + len(known)


def best_positions() -> tuple[Game, Game]:
    """Return the position of Ann's turn with the highest score, and the round end with the most score lines."""
    turn, ending = ScoredPosition(0, Game.new()), ScoredPosition(0, Game.new())
    for seed in range(GAMES):
        rounds = 0
        for game in play_positions(seed):
            if score_position(game) > turn.score:
                turn = ScoredPosition(score_position(game), game.copy())
            if game.rounds_finished > rounds:
                rounds = game.rounds_finished
                lines = len(game.explain(rounds))
                if ending.score < lines and rounds < 4:
                    ending = ScoredPosition(lines, game.copy())
    return turn.game, ending.game


def table_seats() -> list[SeatInfo]:
    return [
        SeatInfo(letter, name, BOT if index else "", True, "")
        for index, (letter, name) in enumerate(zip(SEAT_LETTERS, NAMES, strict=True))
    ]


def table_html(game: Game) -> str:
    """Return the HTML of the table as Ann sees it."""
    renderer = PageRenderer()
    scene = GameSession(game).build_scene("A", table_seats(), MAX_LOG_LINES, False)
    return renderer.table_html(scene, table_module.TableInfo("witty-pond", False, 0, 0, False, ()))


def round_end_html(game: Game) -> str:
    return str(
        PageRenderer().render("round_end.html", "page", summarize_round(round_scoring(game, "A"), table_seats(), ()))
    )


async def save_terminal_screenshot(game: Game, path: Path) -> None:
    """Save the table, as Ann sees it in a terminal, as an SVG file."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    table = LocalSource(NAMES[0], [BOT] * (len(NAMES) - 1), DECK)
    seats = [SeatConfig(name, BOT if index else "", claimed=not index) for index, name in enumerate(game.names)]
    table.saved_game = SavedGame(Path("game.silver"), "", game, Arrangement(tuple(seats), DECK), seed=1)
    app = TableApp(table)
    async with app.run_test(size=TERMINAL) as pilot:
        await pilot.pause(1.0)
        path.write_text(app.export_screenshot(title="Argentum"), encoding="utf-8")


@contextmanager
def run_server() -> Iterator[str]:
    """Run a server on a temporary database; yield its address."""
    with TemporaryDirectory() as folder:
        database = str(Path(folder) / "tables.db")
        command = [sys.executable, "-u", "-m", "argentum", "play", "--no-browser", "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            match = re.search(r"http://\S+", server.stdout.readline())
            assert match is not None
            try:
                yield match[0].rstrip("/")
            finally:
                server.terminate()


def show_html(page: Page, socket: "SocketEnds", html: str, kind: str) -> None:
    """Show other HTML on a table's page, as if the server had sent it, and ignore what the server sends."""
    socket.server.on_message(lambda _: None)
    message = {
        "type": "page",
        "choice": 1,
        "page": kind,
        "title": "Argentum",
        "parts": [["stage", [[html]]]],
        "motions": [],
    }
    socket.page.send(json.dumps(message))
    page.wait_for_timeout(800)  # fonts and animations


class SocketEnds(NamedTuple):
    """The two ends of a page's WebSocket."""

    page: WebSocketRoute
    server: WebSocketRoute


def open_table(
    chromium: Browser, origin: str, size: tuple[int, int], color_scheme: Literal["light", "dark"], scale: int = 1
) -> tuple[Page, SocketEnds]:
    """Create a table in a new browser context; return the page with its lobby, and its socket."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme=color_scheme,
        reduced_motion="reduce",
        device_scale_factor=scale,
    )
    page = context.new_page()
    sockets: list[SocketEnds] = []
    page.route_web_socket(
        re.compile("/socket"), lambda route: sockets.append(SocketEnds(route, route.connect_to_server()))
    )
    page.goto(origin)
    page.fill("input[name=name]", NAMES[0])
    page.click("text=Set a table")
    page.wait_for_selector("#stage[data-page=lobby]")
    return page, sockets[-1]


def choose_mixed_deck(page: Page) -> None:
    """Choose four players, and the resident of each number as in `DECK`."""
    page.check("#seats-4", force=True)
    for number, box in enumerate(DECK):
        page.check(f"#number-{number}-{box}", force=True)
        page.wait_for_selector(f"#number-{number}-{box}:checked", state="attached")
    page.wait_for_timeout(800)  # fonts


def main(folder: Path) -> None:
    turn, ending = best_positions()
    asyncio.run(save_terminal_screenshot(turn, folder / "terminal.svg"))
    path = next(program for name in CHROMIUM if (program := shutil.which(name)))
    with run_server() as origin, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page, _ = open_table(chromium, origin, DESK, "dark")
        choose_mixed_deck(page)
        page.screenshot(path=folder / "lobby.png")
        shots: tuple[tuple[str, str, str, tuple[int, int], Literal["light", "dark"], int], ...] = (
            ("table", table_html(turn), "table", DESK, "dark", 1),
            ("dawn", table_html(turn), "table", DESK, "light", 1),
            ("phone", table_html(turn), "table", PHONE, "dark", 2),
            ("reveal", round_end_html(ending), "round_end", DESK, "dark", 1),
        )
        for name, html, kind, size, color_scheme, scale in shots:
            page, socket = open_table(chromium, origin, size, color_scheme, scale)
            page.click("text=Start the game")
            page.wait_for_selector("#stage[data-page=table]")
            show_html(page, socket, html, kind)
            page.screenshot(path=folder / f"{name}.png")
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
