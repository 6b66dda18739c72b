"""Notifications and sounds in a real Chromium."""

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server

# As if somebody else had played, and it is the reader's turn again.
ANOTHER_TURN = """() => {
    const asked = choice;
    show({ kind: "table", parts: [] });
    show({ kind: "table", choice: asked, parts: [] });
}"""


def test_sounds_and_notices_are_off_until_they_are_wanted(chromium: Browser, server: Server) -> None:
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
        ann.page.check("[data-want=sounds]")
        assert ann.page.get_attribute("body", "data-sounded") == "turn"
        ann.page.reload()
        ann.wait_for("table")
        ann.page.click("[data-open=settings]")
        assert ann.page.is_checked("[data-want=sounds]")
        ann.page.evaluate(ANOTHER_TURN)
        ann.page.wait_for_selector("body[data-sounded=turn]")
        ann.page.check("[data-want=notices]")
        ann.page.evaluate(ANOTHER_TURN)
        assert ann.page.evaluate("notes") == [], "the page is seen"
        ann.page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
        ann.page.evaluate("show({ kind: 'table', choice, parts: [] })")
        assert ann.page.evaluate("notes") == [], "it is the same turn"
        ann.page.evaluate(ANOTHER_TURN)
        assert ann.page.evaluate("notes") == ["It is your turn."]
