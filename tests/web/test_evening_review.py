"""The review of a finished game, as a page."""

from random import Random

from playwright.sync_api import Browser

from argentum import records
from argentum.rules.game import Game
from argentum.tableside.replay import film
from argentum.web.reviewing import rows_of
from tests.web.browsing import PHONE, chromium, visiting
from tests.web.serving import Server, finish, server

__all__ = ["chromium", "server"]


def test_rows_lie_where_the_replay_has_them_and_stop_with_the_budget() -> None:
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        seat = game.to_move
        game.play(int(random.choice(game.legal(seat))), seat)
    [row] = rows_of(records.write(game), "A", budget=0.0)
    there = film(game)[row["at"]]
    assert there.to_move == "A"
    assert there.round == row["round"]
    assert row["played"]


def test_a_finished_game_is_reviewed_in_the_browser(chromium: Browser, server: Server) -> None:
    table, key = server.new_table(boxes="coin", bots="1")
    finish(server, table, key)
    with visiting(chromium, server) as ann:
        ann.open(f"/table/{table}#{key}").wait_for("reveal")
        ann.page.click("[data-send*=seen]")
        ann.wait_for("over")
        ann.page.click("[data-review]")
        ann.page.wait_for_selector("#review[open]", timeout=60_000)
        assert ann.page.locator("#review-chart circle").count() > 3
        assert ann.page.locator("#review-worst li").count() > 0, "whoever plays at random misses something"
        assert ann.violations() == []
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.locator("#review-worst button").first.click()
        ann.page.wait_for_selector("#replay")
