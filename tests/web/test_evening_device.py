"""On the device: hints, sounds and notices when they are wanted, and a page that says when the server is away."""

import asyncio
from collections.abc import AsyncIterator

from playwright.sync_api import Browser

from argentum.rooms.access import derived
from tests.web.browsing import visiting
from tests.web.serving import Server, seated, shared_server

__all__ = ["shared_server"]


def test_hints_with_other_people_only_if_all_agree(server: Server) -> None:
    table, key = server.new_table("/tables")

    async def hints() -> AsyncIterator[str]:
        async with seated(server, table, key) as host, seated(server, table, derived(key, "B")) as guest:
            await host.say(type="start")
            while host.state.get("choice") is None:
                await host.update()
            for who in (None, host, guest):
                if who is not None:
                    await who.say(type="agree", on=True)
                    await who.say(type="record")  # whose answer says that the first message was read
                    while (await who.hear())["type"] != "record":
                        pass
                await host.say(type="hint")
                while (answer := await host.hear())["type"] not in ("hint", "error"):
                    pass
                yield str(answer.get("words") or answer["message"])

    async def all_of_them() -> list[str]:
        return [hint async for hint in hints()]

    nobody, one, all_ = asyncio.run(all_of_them())
    assert "only if all agree" in nobody
    assert "only if all agree" in one
    assert "A strong bot would choose" in all_


def test_a_hint_names_what_can_be_done(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.page.wait_for_function("() => choice !== null")
        asked = ann.choice()
        ann.page.click("[data-open=talk-sheet]")
        ann.page.click("#ask-hint")
        ann.page.wait_for_selector("#toast:has-text('A strong bot would choose')")
        assert ann.choice() == asked, "nothing was played"


# As if somebody else had played, and it is the reader's turn again.
ANOTHER_TURN = """() => {
    const asked = choice;
    show({ kind: "table", parts: [] });
    show({ kind: "table", choice: asked, parts: [] });
}"""


def test_sounds_and_notices_are_off_until_they_are_wanted(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
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


def test_an_installed_page_says_that_the_server_is_away_and_comes_back(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann:
        ann.open("/")
        manifest = ann.page.evaluate("fetch('/static/manifest.webmanifest').then((answer) => answer.json())")
        assert manifest["display"] == "standalone"
        ann.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        ann.page.wait_for_function("() => navigator.serviceWorker.controller")
        server.stop()
        ann.page.goto(server.origin + "/")
        ann.page.wait_for_selector("text=The server is away")
        assert ann.violations() == []
        server.start()
        ann.wait_for("home")
        ann.troubles = [one for one in ann.troubles if "net::ERR" not in one]  # it was away
