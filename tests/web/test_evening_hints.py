"""Hints: from a bot that knows what you know, and only where nobody else plays."""

import asyncio

from playwright.sync_api import Browser

from tests.web.browsing import chromium, visiting
from tests.web.serving import Server, seated, server

__all__ = ["chromium", "server"]


def test_no_hints_against_people(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def ask() -> str:
        async with seated(server, table, key) as host:
            await host.say(type="start")
            while host.state.get("choice") is None:
                await host.update()
            await host.say(type="hint")
            return str((await host.error())["message"])

    assert "no other people" in asyncio.run(ask())


def test_a_hint_names_what_can_be_done(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.wait_for_function("choice !== null")
        asked = ann.choice()
        ann.page.click("[data-open=talk-sheet]")
        ann.page.click("#ask-hint")
        ann.page.wait_for_selector("#toast:has-text('A strong bot would choose')")
        assert ann.choice() == asked, "nothing was played"
