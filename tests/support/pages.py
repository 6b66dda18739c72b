"""Pages of positions that a test sets up, shown in a browser."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from argentum.display import scene
from argentum.display.results import round_scoring, summarize_round
from argentum.display.session import GameSession
from argentum.records.fairness import DealCommitment
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages import table as table_module
from argentum.web.pages.end import OpenedDeal
from tests.support.browser import DESKTOP, BrowserPlayer, open_player
from tests.support.scenes import RENDERER
from tests.support.server import Server

LONG_NAMES = (
    "Aleksandra-Magdalena",
    "WWWWWWWWWWWWWWWWWWWW",
    "\N{GRINNING FACE} Bo \N{WOMAN}\u200d\N{MICROSCOPE}",
    "عبد الرحمن الخوارزمي",
)
INFO = table_module.TableInfo("quiet-owl", False, 0, 0, False, ())


def seat_infos(names: tuple[str, ...] | list[str], bot: str = "sharp") -> list[scene.SeatInfo]:
    """Return the seats of players with these names: two people, then bots."""
    return [
        scene.SeatInfo(letter, name, "" if index < 2 else bot, True, "")
        for index, (letter, name) in enumerate(zip(SEAT_LETTERS, names, strict=False))
    ]


def finished_round(**position: Any) -> Game:
    """Return a game of four players with long names at the end of a round; `position` overrides fields of its start."""
    fields = {
        "boxes": "dddddddcdcddcd", "players": 4, "deck": "8 9 2 5 7 3 1", "discard": "9 6 7",
        "villages": {"A": "7 0 9 4", "B": "1 1 3", "C": "11 3^ 6 5 1", "D": "12 0^ 8 2"},
        **position,
    }  # fmt: skip
    game = Game.at(fields, list(LONG_NAMES))
    for _ in range(60):
        if game.rounds_finished:
            break
        seat = game.to_move
        texts = [str(move) for move in game.legal(seat)]
        game.play(next(text for text in ("call", "draw", "discard", "end", texts[0]) if text in texts), seat)
    return game


def round_end_html(game: Game, seat: str = "A", ready: tuple[str, ...] = (LONG_NAMES[1],)) -> str:
    """Return the HTML of a seat's summary of the last round."""
    commitment = DealCommitment(bytes(32))
    text = json.dumps(commitment.verification_data(1, commitment.deals(game.players)[0]))
    opened = OpenedDeal(text, 1, game.players, "", seat)
    return str(
        RENDERER.render(
            "round_end.html", "page", summarize_round(round_scoring(game, seat), seat_infos(LONG_NAMES), ready), opened
        )
    )


def table_html(
    game: Game,
    seat: str = "A",
    coached: bool = False,
    names: tuple[str, ...] = LONG_NAMES,
    info: table_module.TableInfo = INFO,
) -> str:
    return RENDERER.table_html(GameSession(game).build_scene(seat, seat_infos(names), 30, coached), info)


@pytest.fixture(scope="module")
def board(chromium: Browser, server: Server) -> Iterator[BrowserPlayer]:
    """A table's page that is disconnected from the server, so that tests can show their own HTML on it."""
    with open_player(chromium, server) as player:
        table, key = server.new_table(boxes="dagger", bots="1")
        player.open(f"/table/{table}#{key}").wait_for("table")
        player.page.evaluate("() => { closedForGood = true; socket.onmessage = null; socket.close(); showToast(''); }")
        player.page.evaluate("() => { window.sent = []; send = (message) => sent.push(message.move ?? message); }")
        yield player


def show(board: BrowserPlayer, html: str, kind: str, size: tuple[int, int] = DESKTOP) -> Page:
    """Show HTML on a page as if the server had sent it, after clearing selections and recorded messages."""
    board.page.set_viewport_size({"width": size[0], "height": size[1]})
    message: dict[str, Any] = {"type": "page", "choice": 1, "page": kind, "title": "A table"}
    message |= {"parts": [["stage", [html]]], "reset": True}
    board.page.evaluate(
        "(message) => { sent.length = 0; selection.clear(); preview = null;"
        " usingKeyboard = false; applyPage(message); }",
        message,
    )
    return board.page


__all__ = ["LONG_NAMES", "board", "finished_round", "round_end_html", "show", "table_html"]
