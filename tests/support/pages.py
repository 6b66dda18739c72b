"""Pages of positions that a test sets up, shown in a browser."""

import itertools
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


# A WebSocket without a server: `sent` has the moves and other messages of the page, and `receive` passes it a message.
FAKE_SOCKET = """
window.sent = [];
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    window.receive = (message) => this.onmessage({ data: JSON.stringify(message) });
    setTimeout(() => this.onopen());
  }
  send(text) {
    const message = JSON.parse(text);
    sent.push(message.move ?? message);
  }
};
"""
choice_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def board(chromium: Browser, server: Server) -> Iterator[BrowserPlayer]:
    """A table's page without a connection to the server, so that tests can show their own HTML on it."""
    with open_player(chromium, server) as player:
        player.page.add_init_script(FAKE_SOCKET)
        table, key = server.new_table(boxes="dagger", bots="1")
        player.open(f"/table/{table}#{key}")
        player.page.wait_for_function("() => sent.length")
        yield player


def receive(page: Page, /, **message: Any) -> None:
    """Pass a message to the page, as if the server had sent it."""
    page.evaluate("message => receive(message)", message)


def update(page: Page, /, **fields: Any) -> None:
    """Pass an update of the shown page, with further fields such as `motions`, and with a new choice."""
    kind = page.get_attribute("#stage", "data-page")
    receive(page, **{"type": "page", "page": kind, "choice": next(choice_numbers), "parts": [], **fields})


def show(board: BrowserPlayer, html: str, kind: str, size: tuple[int, int] = DESKTOP) -> Page:
    """Show HTML on a page as if the server had sent it, after clearing selections and recorded messages."""
    page = board.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => document.dispatchEvent(new PointerEvent('pointerdown'))")  # closes help; no key is in use
    receive(page, type="page", page="", parts=[["stage", [""]]], reset=True)
    page.evaluate("() => { sent.length = 0; }")
    update(page, page=kind, title="A table", parts=[["stage", [html]]])
    return page


__all__ = ["LONG_NAMES", "board", "finished_round", "receive", "round_end_html", "show", "table_html", "update"]
