"""Hints in a real Chromium."""

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server


def test_a_hint_names_a_move(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.wait_for_choice()
        choice = ann.choice_number()
        ann.page.click("[data-open=chat-sheet]")
        ann.page.click("#ask-hint")
        ann.page.wait_for_selector("#toast:has-text('A strong bot would choose')")
        assert ann.choice_number() == choice, "nothing was played"
