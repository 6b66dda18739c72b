"""Chat and the list of people in a real Chromium."""

from playwright.sync_api import Browser

from tests.support.browser import PHONE, create_table, invitation_link, open_player
from tests.support.server import Server, short_grace_server

__all__ = ["short_grace_server"]

# Once the last bubble contains the text: the number of bubbles, and the last one's distance below the name of player B.
# Both are read in one call, because bubbles disappear after a few seconds.
BUBBLES = """(text) => {
    const all = [...document.querySelectorAll(".bubble")], last = all.at(-1), name = document.getElementById("name-B");
    const top = (element) => element.getBoundingClientRect().top;
    return last?.textContent.includes(text) && [all.length, top(last) - top(name)];
}"""


def test_players_chat_emote_mute_and_nudge(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann, open_player(chromium, server, PHONE) as bo:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("lobby")
        bo.open(str(ann.page.get_attribute("[data-copy-link]", "data-copy-link"))).page.click("[data-claim-seat=B]")
        bo.wait_for("lobby")
        bo.page.click("[data-open=chat-sheet]")
        assert bo.accessibility_violations() == []
        bo.page.click("#chat-sheet [aria-label=Close]")
        ann.page.click("text=Start the game")
        ann.wait_for("table")
        bo.wait_for("table")
        bo.page.click("[data-open=chat-sheet]")
        bo.page.fill("#chat-text", "<img src=x onerror=alert(1)> hello")
        bo.page.press("#chat-text", "Enter")
        ann.page.wait_for_selector(".bubble:has-text('onerror')")
        assert ann.page.locator(".bubble img").count() == 0
        bo.page.click("[aria-label='Well played']")
        count, offset = ann.page.wait_for_function(BUBBLES, arg="👏").json_value()
        assert count == 1, "the new bubble replaces the one before"
        assert abs(offset) < 2, "the bubble is at the speaker's name"
        assert not bo.scrolls_sideways()
        bo.page.click("#people [aria-label^=Nudge]")
        ann.page.wait_for_selector("#toast:has-text('asks you to play on')")
        ann.page.click("[data-open=chat-sheet]")
        assert ann.page.locator("#chat-lines p").count() == 2
        ann.page.click("#people [aria-label^=Mute]")
        assert ann.page.locator("#chat-lines p:visible").count() == 0
        bo.page.click("[aria-label='Well played']")
        ann.page.wait_for_function("() => document.querySelectorAll('#chat-lines p').length === 3")
        assert ann.page.locator("#chat-lines p:visible").count() == 0
        ann.page.check("#chat-off")
        bo.page.wait_for_selector("#chat-note:has-text('switched talking off')")
        assert bo.page.is_disabled("#chat-text")


def test_the_host_sees_all_seats_transfers_hosting_and_frees_idle_seats(
    chromium: Browser, short_grace_server: Server
) -> None:
    server = short_grace_server
    with (
        open_player(chromium, server) as ann,
        open_player(chromium, server, PHONE) as bo,
        open_player(chromium, server) as cem,
    ):
        create_table(ann)
        ann.page.check("#seats-3", force=True)
        ann.page.wait_for_selector("#seat-C")
        link = invitation_link(ann)
        for guest, name, seat in ((bo, "Bo", "B"), (cem, "Cem", "C")):
            guest.open(link).wait_for("invitation")
            guest.page.fill("[data-guest-name]", name)
            guest.page.click(f"[data-claim-seat={seat}]")
            guest.wait_for("lobby")
        ann.page.click(".players-head [data-open=chat-sheet]")
        ann.page.wait_for_selector("#people li:has-text('Cem') >> text=here")
        assert [row.split()[0] for row in ann.page.locator("#people li").all_inner_texts()] == ["Ann", "Bo", "Cem"]
        assert bo.page.locator("text=Start the game").count() == 0
        ann.page.click("[aria-label='Make host: Bo']")
        bo.page.wait_for_selector("text=Start the game")
        ann.page.wait_for_selector("text=Waiting for Bo to start")
        assert ann.accessibility_violations() == []
        assert ann.page.locator("#invitation").count() == 0
        assert invitation_link(bo) != link, "the new host has a link of their own"
        for invitation in (link, invitation_link(bo)):
            with open_player(chromium, server) as dora:
                dora.open(invitation).wait_for("lobby")
        bo.page.click("text=Start the game")
        cem.wait_for("table")
        seat = cem.page.url.removeprefix(server.origin)
        cem.page.goto("about:blank")
        bo.page.click(".top-bar [data-open=chat-sheet]")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=away")
        assert bo.page.locator("#people li:has-text('Ann') [aria-label^=Free]").count() == 0, "Ann is here and plays"
        bo.page.click("[aria-label='Free the seat: Cem']")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=keeps it")
        assert not bo.scrolls_sideways()
        cem.open(link).wait_for("invitation")
        assert cem.page.locator("[data-claim-seat=C]").count() == 1
        cem.open(seat).wait_for("table")
        bo.page.wait_for_selector("#people li:has-text('Cem') >> text=here")
