"""Several people on one device: a curtain between their turns, behind which nobody sees another's cards."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import Browser, Page

from argentum.rooms.access import derive_key
from tests.support.browser import PHONE, BrowserPlayer, open_player
from tests.support.server import ProtocolClient, Server, connected, hasty, join_table, play_game_to_end

__all__ = ["hasty"]

CARDS = "#stage .card, #stage [data-face], #stage [data-help], #log"


def listen(page: Page) -> list[str]:
    """Everything that the page is sent."""
    heard: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: heard.append(str(text))))
    return heard


def lift(visitor: BrowserPlayer, name: str) -> None:
    """Take the device."""
    visitor.wait_for("curtain")
    assert visitor.page.inner_text("#curtain-title") == f"{name} is next"
    assert visitor.page.locator(CARDS).count() == 0, "nothing of the table is on the page"
    visitor.page.wait_for_function("() => performance.now() - curtainSince > CURTAIN_HANGS")
    visitor.page.keyboard.press("Enter")  # the button has the focus
    visitor.wait_for("table")
    assert visitor.page.inner_text(".village.yours h2").startswith(name)


def first_look(visitor: BrowserPlayer) -> None:
    """Look at two cards, by keys."""
    for nth in "12":
        visitor.page.keyboard.press(nth)
        visitor.page.keyboard.press("Enter")
    visitor.page.keyboard.press("k")


def test_two_share_a_device_with_a_curtain_between_their_turns(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server, PHONE) as both:
        heard = listen(both.page)
        both.open("/")
        both.page.fill("[name=name]", "Ann")
        both.page.check("input[name=boxes][value=coin]", force=True)
        both.page.click("text=Share this device")
        both.wait_for("gathering")
        assert "14 of 14" in both.page.inner_text(".box-head.coin"), "what was chosen on the first page"
        assert both.accessibility_violations() == []
        assert not both.scrolls_sideways()
        both.page.fill("#name-beside-B", "Bo")
        both.page.keyboard.press("Tab")
        both.page.wait_for_selector("#name-beside-B[value=Bo]")
        both.page.click("text=Start the game")
        both.wait_for("curtain")
        assert both.accessibility_violations() == []
        assert not both.scrolls_sideways()
        lift(both, "Ann")
        heard.clear()
        first_look(both)
        both.wait_for("curtain")
        seen = "".join(heard)
        assert "you know" not in seen.partition("curtain")[2], "not even behind the curtain"
        both.page.reload()  # which does not lift it
        lift(both, "Bo")
        assert both.page.locator(".village .spot.known").count() == 0, "what Ann looked at is Ann's"
        first_look(both)
        both.page.wait_for_selector("#stage[data-kind=curtain], #stage[data-kind=table] #prompt.yours [data-move=draw]")
        if both.kind == "table":  # whoever starts plays on
            both.page.keyboard.press("d")
            both.page.wait_for_selector("#prompt .hand")


def test_the_reveal_is_open_to_all_and_the_curtain_falls_after_it(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as both:
        both.open("/")
        both.page.fill("[name=name]", "Ann")
        both.page.check("input[name=boxes][value=dagger]", force=True)
        both.page.click("text=Share this device")
        both.wait_for("gathering")
        both.page.fill("#name-beside-B", "Bo")
        both.page.keyboard.press("Tab")
        both.page.wait_for_selector("#name-beside-B[value=Bo]")
        both.page.click("text=Start the game")
        both.wait_for("curtain")
        link = both.page.url
        both.page.goto("about:blank")
        table, _, keys = link.rpartition("/")[2].partition("#")
        play_game_to_end(server, table, *keys.split("."), rounds=1)
        both.page.goto(link)
        both.wait_for("reveal")
        assert both.page.locator(".column").count() == 2
        assert both.page.locator(".column.yours").count() == 0, "it is told by names"
        both.page.click("[data-send*=seen]")
        both.wait_for("curtain")
        assert both.page.locator(CARDS).count() == 0
        both.page.goto("about:blank")
        play_game_to_end(server, table, *keys.split("."))
        both.page.goto(link)
        both.wait_for("reveal")
        both.page.click("[data-send*=seen]")
        both.wait_for("over")
        assert both.page.locator("[data-review]").count() == 0, "whose would it be?"
        both.page.click("text=Rematch")
        both.page.wait_for_selector("text=Start the game")  # whoever played last
        replaces_a_number(both)
        both.page.click("text=Start the game")
        both.wait_for("curtain")


def replaces_a_number(both: BrowserPlayer) -> None:
    """Who lost does so, whichever of the two the device shows."""
    page = both.page
    loser = page.locator(".swaps bdi").nth(1).inner_text()
    assert {loser, page.locator(".swaps bdi").first.inner_text()} == {"Ann", "Bo"}
    page.check("#number-7-c", force=True)
    page.wait_for_selector(f".swaps >> text={loser}: Nostro for Elusive Seer, the 7")
    assert both.accessibility_violations() == []
    page.check("#number-7-d", force=True)  # who was there before
    page.wait_for_selector(".swaps li", state="detached")
    page.check("#number-9-c", force=True)
    page.wait_for_selector(f".swaps >> text={loser}: Psychic for Mystic Seer, the 9")
    page.click("text=Take it back")
    page.wait_for_selector(".swaps li", state="detached")
    page.check("#number-7-c", force=True)
    page.wait_for_selector(".swaps li")


def test_a_friend_sits_down_beside_the_host_in_the_lobby(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("gathering")
        ann.page.click("#seat-B [data-send*=beside]")
        ann.page.wait_for_selector("#name-beside-B")
        ann.page.wait_for_function("() => location.hash.includes('.')")
        ann.page.reload()
        ann.page.wait_for_selector("#name-beside-B")
        ann.page.click("#seat-B [aria-label^=Free]")
        ann.page.wait_for_selector("#seat-B:has-text('Open seat')")


def test_a_device_returns_though_the_seat_of_its_first_key_was_claimed_by_another(hasty: Server) -> None:
    server = hasty
    table, key = server.new_table("/tables")

    async def shared(both: ProtocolClient) -> str:
        """Three seats, of which the device has two; the key of the second."""
        await both.send(type="arrange", seats=3)
        await both.send(type="beside", seat="B", name="Bo")
        while (message := await both.receive())["type"] != "seat":
            pass
        return str(message["key"])

    async def until(client: ProtocolClient, holds: Callable[[dict[str, Any]], bool]) -> None:
        while not client.state or not holds(client.state):
            await client.next_update()

    async def pages() -> str:
        async with join_table(server, table, key, format="html", device="phone") as both:
            beside = await shared(both)
            async with join_table(server, table, derive_key(key, "C")) as cem:
                await both.send(type="host", seat="C")
                await until(cem, lambda told: told["arrangement"]["host"] == "C")
                await cem.send(type="start")
                await until(cem, lambda told: told["stage"] == "playing")
                await both.socket.close()
                await until(cem, lambda told: told["seats"][0]["stand_in"])  # Ann has been away for long enough
                await cem.send(type="arrange", seat="A", bot="")
                await until(cem, lambda told: told["seats"][0]["free"])
                async with connected(server, local_addr=("127.7.0.4", 0)) as line:
                    dee = ProtocolClient(line)
                    await dee.send(type="sit", table=table, key=derive_key(key, "watch"), protocol=2)
                    await dee.send(type="take", seat="A")
                    await until(cem, lambda told: not told["seats"][0]["free"])
                async with connected(server) as socket:
                    again = ProtocolClient(socket)
                    device = {"format": "html", "device": "phone", "beside": [beside]}
                    await again.send(type="sit", table=table, key=key, protocol=2, **device)
                    assert (await again.receive()).get("kind") == "curtain"
                    await again.send(type="lift", seat="B")
                    while (page := await again.receive())["type"] != "page":
                        pass
                    return str(page["kind"])

    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(asyncio.run, pages()).result() == "table"
