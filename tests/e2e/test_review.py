"""The review page in a real Chromium."""

import re
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from playwright.sync_api import Browser

from argentum.display.replay import Replay, game_positions
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.web.pages.review import review_page
from tests.support.browser import PHONE, BrowserPlayer, leave_last_round_end, open_player
from tests.support.pages import board, seat_infos, show
from tests.support.scenes import RENDERER
from tests.support.server import Server, play_game_to_end, shared_server

__all__ = ["board", "shared_server"]


@pytest.fixture(scope="module")
def finished_game(server: Server) -> tuple[str, str]:
    """Play a game to the end; return its table and the host's key."""
    table, key = server.new_table(boxes="coin", bots="1")
    play_game_to_end(server, table, key)
    return table, key


def test_a_finished_game_is_reviewed_in_the_browser(
    chromium: Browser, server: Server, finished_game: tuple[str, str]
) -> None:
    table, key = finished_game
    with open_player(chromium, server) as ann:
        leave_last_round_end(ann.open(f"/table/{table}#{key}"))
        ann.wait_for("game_end")
        ann.page.click("[data-review]")
        ann.wait_for("review")
        marks = ann.page.locator("[data-mark]")
        assert marks.count() > 3
        assert ann.page.locator(".review-costly li").count() > 0, "random play misses better moves"
        assert ann.accessibility_violations() == []
        assert re.search(
            r"Chance to win: (from \d+ to \d+|\d+ % either)", ann.page.inner_text(".review-position header")
        )
        probabilities = ann.page.locator(".review-chart .win-chance").evaluate_all(
            "all => all.map((text) => text.lastChild.data)"
        )
        assert probabilities, "some round is wide enough for its probabilities"
        assert all([re.fullmatch(r"\d+ → \d+ %", text) for text in probabilities])
        title = ann.page.inner_text("#position-title")
        ann.page.evaluate("document.activeElement.blur()")
        assert ann.page.evaluate("document.activeElement.closest('[data-mark]')") is None
        ann.page.keyboard.press("ArrowLeft" if not title.endswith("decision 1") else "ArrowRight")
        title_changed = "old => document.getElementById('position-title').innerText !== old"
        ann.page.wait_for_function(title_changed, arg=title)
        mark_has_focus = "() => document.activeElement === document.querySelector('[data-mark][aria-current]')"
        ann.page.wait_for_function(mark_has_focus)
        title = ann.page.inner_text("#position-title")
        ann.page.click("[data-turn=forward]:not([disabled]), [data-turn=back]:not([disabled])")
        ann.page.wait_for_function(title_changed, arg=title)
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.click("text=See it in the replay")
        ann.page.wait_for_selector("#replay")
        assert ann.page.input_value("#replay-eyes") == "A"
        ann.page.click("text=Result")
        ann.wait_for("review")
        ann.page.click("text=Back to the scores")
        ann.wait_for("game_end")


def review_html(yours: list[str], better: list[str]) -> str:
    """Return the review page of A at a decision about the card in hand, with the slots of both moves."""
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        game.play(int(random.choice(game.legal())))
    indices = [
        index
        for index, position in enumerate(game_positions(game))
        if position.to_move == position.view().holder == "A"
    ]
    row = {
        "at": indices[0], "round": 1, "agreed": False, "sure": True, "chance": 0.1, "error": 0.02, "standing": 0.2,
        "played": "Exchange", "better": "Exchange", "yours_at": yours, "better_at": better, "left_out": 0,
    }  # fmt: skip
    replay = Replay.build(game_positions(game), indices[0], "A")
    room = cast(Room, SimpleNamespace(game=game, name="amber-oak", players=lambda: seat_infos(["Ann", "Bo"])))
    return str(RENDERER.render("review.html", "page", review_page(room, "A", [row], 0, ("steady", 60), replay)))


def test_arrows_go_from_the_hand_to_the_cards_of_both_moves(board: BrowserPlayer) -> None:
    page = show(board, review_html(["A1"], ["A2", "A4"]), "review")
    page.wait_for_selector(".arrows .better >> nth=1", state="attached")
    assert page.locator(".arrows .yours").count() == 1
    tips = page.locator(".arrows .head").evaluate_all("all => all.map((head) => head.getBoundingClientRect())")
    for spot, tip in zip(("A1", "A2", "A4"), tips, strict=True):
        box = page.locator(f".own-village [data-slot={spot}] .card").bounding_box()
        assert box is not None
        assert box["x"] < tip["left"] < box["x"] + box["width"]
        assert tip["bottom"] <= box["y"]
    assert page.locator(".review-chart .win-chance").inner_html().count("50 → ") == 1, (
        "two players start with equal chances"
    )
    assert page.inner_text(".review-costly li .missed-move").startswith("Exchange")
    assert "from 30 to 20 %" in page.inner_text(".review-position header")
    show(board, review_html(["A1"], ["A2", "A4"]), "review", PHONE)
    assert "Better: Exchange" in page.inner_text(".review-costly li .missed-move")
    page.wait_for_selector(".arrows .better", state="detached")
    show(board, review_html(["pile"], ["A3"]), "review")
    page.wait_for_selector(".arrows .better", state="attached")
    assert page.locator(".arrows .head").count() == 2
    assert page.locator(".review-piles .by-yours [data-slot=pile]").count() == 1


def test_a_review_does_not_take_the_focus_from_the_chat(board: BrowserPlayer) -> None:
    page = show(board, review_html(["A1"], ["A2"]), "review")
    page.evaluate("document.getElementById('chat-sheet').showPopover()")
    page.focus("#chat-text")
    for key in ("n", "w", "ArrowLeft", "o"):
        page.keyboard.press(key)
    assert page.input_value("#chat-text") == "now"
    page.evaluate("document.getElementById('chat-sheet').hidePopover()")


def test_a_reviewed_position_is_played_on_against_bots(
    chromium: Browser, server: Server, finished_game: tuple[str, str]
) -> None:
    table, key = finished_game
    with open_player(chromium, server) as ann:
        leave_last_round_end(ann.open(f"/table/{table}?review#{key}"))
        ann.wait_for("review")
        assert "review" not in ann.page.url
        spots = "[...document.querySelectorAll('%s [data-face]')].map((card) => card.dataset.face)"
        before = ann.page.evaluate(spots % ".own-village")
        ann.page.click("text=Play on from here")
        ann.page.wait_for_url(lambda url: table not in url)
        ann.wait_for("table")
        ann.wait_for_choice()
        assert ann.page.evaluate(spots % ".village.yours .row") == before
        branch, _, branch_key = ann.page.url.rpartition("/")[2].partition("#")
        ann.page.goto("about:blank")
        play_game_to_end(server, branch, branch_key)
        leave_last_round_end(ann.open(f"/table/{branch}#{branch_key}"))
        ann.wait_for("game_end")
        assert ann.page.locator(".standings thead th").count() == 7, "all four rounds have a column"
