"""Notifications and sounds in a real Chromium."""

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server

# Update the page as if another player had moved and it were the viewer's turn again.
START_TURN = """() => {
    const number = choiceNumber;
    applyPage({ page: "table", parts: [] });
    applyPage({ page: "table", choice: number, parts: [] });
}"""


def test_sounds_and_notifications_are_off_by_default(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.page.add_init_script(
            "window.notes = []; window.Notification = class { static permission = 'granted';"
            " static requestPermission = async () => 'granted'; constructor(_, {body}) { notes.push(body) } }"
        )
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.wait_for_function("() => document.title.startsWith('Your turn')")
        assert ann.page.get_attribute("body", "data-sounded") is None
        ann.page.evaluate("document.getElementById('settings').showPopover()")
        ann.page.check("[data-enable=sounds]")
        assert ann.page.get_attribute("body", "data-sounded") == "turn"
        ann.page.reload()
        ann.wait_for("table")
        ann.page.click("[data-open=settings]")
        assert ann.page.is_checked("[data-enable=sounds]")
        ann.page.evaluate(START_TURN)
        ann.page.wait_for_selector("body[data-sounded=turn]")
        ann.page.check("[data-enable=notifications]")
        ann.page.evaluate(START_TURN)
        assert ann.page.evaluate("notes") == [], "the page is visible"
        ann.page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
        ann.page.evaluate("applyPage({ page: 'table', choice: choiceNumber, parts: [] })")
        assert ann.page.evaluate("notes") == [], "it is the same turn"
        ann.page.evaluate(START_TURN)
        assert ann.page.evaluate("notes") == ["It is your turn."]
