"""Replays in a real Chromium."""

import pytest
from playwright.sync_api import Browser

from tests.support.browser import PHONE, leave_last_round_end, open_player
from tests.support.server import Server, play_game_to_end, shared_server

__all__ = ["shared_server"]


@pytest.fixture(scope="module")
def finished_game(server: Server) -> tuple[str, str]:
    """Play a game to the end; return its table and the host's key."""
    table, key = server.new_table(boxes="coin", bots="1")
    play_game_to_end(server, table, key)
    return table, key


def test_a_replay_plays_by_itself_and_has_links_to_moves(
    chromium: Browser, server: Server, finished_game: tuple[str, str]
) -> None:
    table, key = finished_game
    with open_player(chromium, server) as ann:
        leave_last_round_end(ann.open(f"/table/{table}#{key}"))
        ann.wait_for("game_end")
        ann.open(f"/table/{table}?at=7#{key}")
        ann.page.wait_for_selector("#replay[data-index='7']")
        known = ann.page.locator(".village .spot.known").count()
        ann.page.select_option("#replay-eyes", "A")
        knows_fewer = "known => document.querySelectorAll('.village .spot.known').length < known"
        ann.page.wait_for_function(knows_fewer, arg=known)
        assert ann.page.locator("#replay[data-index='7']").count() == 1
        assert ann.move_elements().count() == 0
        ann.page.select_option("#replay-speed", "400")
        ann.page.click("[aria-label=Play]")
        ann.page.wait_for_function("() => Number(document.querySelector('#replay').dataset.index) >= 10")
        ann.page.click("[aria-label=Pause]")
        ann.page.wait_for_selector("[aria-label=Play]")
        assert ann.page.input_value("#replay-speed") == "400", "the speed stays from move to move"
        ann.page.reload()
        ann.page.wait_for_selector("#replay")
        assert ann.page.input_value("#replay-speed") == "400", "and for the next replay"
        assert ann.accessibility_violations() == []
        assert int(ann.page.url.partition("?at=")[2].partition("#")[0]) >= 10
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        assert ann.page.text_content(".until") == "This game is kept for good."
        move = str(ann.page.get_attribute("[data-copy-move]", "data-copy-move"))
        ann.page.click("text=Result")
        ann.wait_for("game_end")
        assert "at=" not in ann.page.url
        with open_player(chromium, server) as eve:  # the link to a move gives no seat
            eve.open(move.replace("#", "&at=3&eyes=B#")).page.wait_for_selector("#replay[data-index='3']")
            assert eve.page.input_value("#replay-eyes") == "B"
            eve.open("/")
            assert eve.stored("tables") is None, "it is not one of Eve's tables"
