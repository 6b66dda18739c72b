"""Several people on one device, where the cards are hidden between their turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import Browser, Page

from argentum.rooms.access import derive_key
from tests.support.browser import PHONE, BrowserPlayer, is_same_document, mark_document, open_player
from tests.support.server import ProtocolClient, Server, join_table, open_socket, play_game_to_end, short_grace_server

__all__ = ["short_grace_server"]

CARD_ELEMENTS = "#stage .card, #stage [data-face], #stage [data-help], #log"


def record_messages(page: Page) -> list[str]:
    """Return a list to which all WebSocket messages to the page will be appended."""
    messages: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: messages.append(str(text))))
    return messages


def confirm_device(visitor: BrowserPlayer, name: str) -> None:
    """Check that the page has no cards, then confirm that the player `name` has the device."""
    visitor.wait_for("pass_device")
    assert visitor.page.inner_text("#pass-device-title") == f"{name} is next"
    assert visitor.page.locator(CARD_ELEMENTS).count() == 0, "no card is on the page"
    visitor.page.wait_for_selector("body[data-may-show-seat]")
    visitor.page.keyboard.press("Enter")  # the button has the focus
    visitor.wait_for("table")
    assert visitor.page.inner_text(".village.yours h2").startswith(name)


def look_at_two_cards(visitor: BrowserPlayer) -> None:
    for key in "12":
        visitor.page.keyboard.press(key)
        visitor.page.keyboard.press("Enter")
    visitor.page.keyboard.press("k")


def test_cards_are_hidden_between_the_turns_of_a_shared_device(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server, PHONE) as both:
        messages = record_messages(both.page)
        both.open("/")
        both.page.fill("[name=name]", "Ann")
        both.page.check("input[name=boxes][value=coin]", force=True)
        both.page.click("text=Share this device")
        both.wait_for("lobby")
        assert "14 of 14" in both.page.inner_text(".box-head.of-coin"), "the deck chosen on the landing page"
        assert both.accessibility_violations() == []
        assert not both.scrolls_sideways()
        both.page.fill("#local-name-B", "Bo")
        both.page.keyboard.press("Tab")
        both.page.wait_for_selector("#local-name-B[value=Bo]")
        both.page.click("text=Start the game")
        both.wait_for("pass_device")
        assert both.accessibility_violations() == []
        assert not both.scrolls_sideways()
        confirm_device(both, "Ann")
        messages.clear()
        look_at_two_cards(both)
        both.wait_for("pass_device")
        seen = "".join(messages)
        assert "you know" not in seen.partition("pass_device")[2], "no message has a card after the page was hidden"
        both.page.reload()  # the cards stay hidden
        confirm_device(both, "Bo")
        assert both.page.locator(".village .spot.known").count() == 0, "Bo does not see what Ann looked at"
        look_at_two_cards(both)
        both.page.wait_for_selector(
            "#stage[data-page=pass_device], #stage[data-page=table] #prompt.yours [data-move=draw]"
        )
        if both.kind == "table":  # Bo has the first turn
            both.page.keyboard.press("d")
            both.page.wait_for_selector("#prompt .hand")


def test_the_end_of_a_round_is_shown_to_all_and_cards_are_hidden_after_it(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as both:
        both.open("/")
        both.page.fill("[name=name]", "Ann")
        both.page.check("input[name=boxes][value=dagger]", force=True)
        both.page.click("text=Share this device")
        both.wait_for("lobby")
        both.page.fill("#local-name-B", "Bo")
        both.page.keyboard.press("Tab")
        both.page.wait_for_selector("#local-name-B[value=Bo]")
        both.page.click("text=Start the game")
        both.wait_for("pass_device")
        link = both.page.url
        both.page.goto("about:blank")
        table, _, keys = link.rpartition("/")[2].partition("#")
        play_game_to_end(server, table, *keys.split("."), rounds=1)
        both.page.goto(link)
        both.wait_for("round_end")
        assert both.page.locator(".column").count() == 2
        assert both.page.locator(".column.yours").count() == 0, "the page addresses nobody"
        both.page.click("[data-send*=seen]")
        both.wait_for("pass_device")
        assert both.page.locator(CARD_ELEMENTS).count() == 0
        both.page.goto("about:blank")
        play_game_to_end(server, table, *keys.split("."))
        both.page.goto(link)
        both.wait_for("round_end")
        both.page.click("[data-send*=seen]")
        both.wait_for("game_end")
        assert both.page.locator("[data-review]").count() == 0, "a shared device has no review"
        both.page.click("text=Rematch")
        both.page.wait_for_selector("text=Start the game")  # for whichever seat the page shows
        replace_residents(both)
        both.page.click("text=Start the game")
        both.wait_for("pass_device")


def replace_residents(both: BrowserPlayer) -> None:
    """Swap residents as the loser of the last game, and undo swaps."""
    page = both.page
    loser = page.locator(".swaps bdi").nth(1).inner_text()
    assert {loser, page.locator(".swaps bdi").first.inner_text()} == {"Ann", "Bo"}
    page.check("#number-7-c", force=True)
    page.wait_for_selector(f".swaps >> text={loser}: Nostro for Elusive Seer, the 7")
    assert both.accessibility_violations() == []
    page.check("#number-7-d", force=True)  # the resident of the deck
    page.wait_for_selector(".swaps li", state="detached")
    page.check("#number-9-c", force=True)
    page.wait_for_selector(f".swaps >> text={loser}: Psychic for Mystic Seer, the 9")
    page.click("text=Take it back")
    page.wait_for_selector(".swaps li", state="detached")
    page.check("#number-7-c", force=True)
    page.wait_for_selector(".swaps li")


def test_a_second_player_joins_on_the_hosts_device(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        ann.open("/").page.click("text=Set a table")
        ann.wait_for("lobby")
        mark_document(ann)
        ann.page.click("#seat-B [data-send*=add_local_seat]")
        ann.page.wait_for_selector("#local-name-B")
        ann.page.wait_for_function("() => location.hash.includes('.')")
        assert is_same_document(ann), "the page is not loaded again"
        ann.page.reload()
        ann.page.wait_for_selector("#local-name-B")
        ann.page.click("#seat-B [aria-label^=Free]")
        ann.page.wait_for_selector("#seat-B:has-text('Open seat')")


def test_a_device_keeps_its_second_seat_when_its_first_was_claimed_by_another_player(
    short_grace_server: Server,
) -> None:
    server = short_grace_server
    table, key = server.new_table("/tables")

    async def add_second_player(both: ProtocolClient) -> str:
        """Arrange three seats, and let Bo play on the same device; return the key of Bo's seat."""
        await both.send(type="arrange", seats=3)
        await both.send(type="add_local_seat", seat="B", name="Bo")
        while (message := await both.receive())["type"] != "seat":
            pass
        return str(message["key"])

    async def wait_until(client: ProtocolClient, holds: Callable[[dict[str, Any]], bool]) -> None:
        while not client.state or not holds(client.state):
            await client.next_update()

    async def page_of_returning_device() -> str:
        async with join_table(server, table, key, format="html", device="phone") as both:
            local_key = await add_second_player(both)
            async with join_table(server, table, derive_key(key, "C")) as cem:
                await both.send(type="transfer_host", seat="C")
                await wait_until(cem, lambda update: update["arrangement"]["host"] == "C")
                await cem.send(type="start")
                await wait_until(cem, lambda update: update["stage"] == "playing")
                await both.socket.close()
                # Once the grace period of Ann's seat is over, a bot fills in, and the host may free the seat.
                await wait_until(cem, lambda update: update["seats"][0]["stand_in"])
                await cem.send(type="arrange", seat="A", bot="")
                await wait_until(cem, lambda update: update["seats"][0]["free"])
                async with open_socket(server, local_addr=("127.7.0.4", 0)) as socket:
                    dee = ProtocolClient(socket)
                    await dee.send(type="join", table=table, key=derive_key(key, "watch"), protocol=2)
                    await dee.send(type="claim_seat", seat="A")
                    await wait_until(cem, lambda update: not update["seats"][0]["free"])
                async with open_socket(server) as socket:
                    returning = ProtocolClient(socket)
                    device = {"format": "html", "device": "phone", "local_keys": [local_key]}
                    await returning.send(type="join", table=table, key=key, protocol=2, **device)
                    assert (await returning.receive()).get("page") == "pass_device"
                    await returning.send(type="show_seat", seat="B")
                    while (page := await returning.receive())["type"] != "page":
                        pass
                    return str(page["page"])

    with ThreadPoolExecutor(1) as executor:  # This thread already runs Playwright's event loop.
        assert executor.submit(asyncio.run, page_of_returning_device()).result() == "table"
