"""Pages of the gallery in Chromium, without animations, a running clock, or a server's tables.

The pages come from a real server. A table's page gets its content from a WebSocket of this module.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute

from tests.support.browser import BrowserPlayer
from tests.support.gallery_states import GalleryState
from tests.support.server import Server

SIZES = ((1920, 1080), (1440, 900), (1366, 768), (820, 1180), (390, 844), (844, 390))
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
START_SECONDS = 1_760_000_000  # of the pages' clock
SETTLE_MS = 1000  # longer than the scripts' delays, shorter than their messages stay
LOAD_FONTS = "() => Promise.all([...document.fonts].map((font) => font.load()))"
READY = """() => document.fonts.status === "loaded"
  && [...document.querySelectorAll("[data-deal-check]")].every((check) => check.dataset.outcome)"""


def page_messages(state: GalleryState) -> list[dict[str, Any]]:
    """Return the messages of a server that bring a table's page into a state."""
    assert state.build_html is not None
    page = {"type": "page", "choice": 1, "page": state.kind, "title": "Argentum", "reset": True}
    shown = {**page, "parts": [["stage", [state.build_html()]]]}
    # The second message is an update of the shown page. Motions and looks only begin there.
    update = [{**page, "parts": [], **state.fields()}] if state.fields is not dict else []
    return [shown, *update, *state.messages]


def answer_json(body: str, route: Route) -> None:
    route.fulfill(content_type="application/json", body=body)


OPEN_SHEET = "() => [...document.querySelectorAll('dialog[open], [popover]:popover-open')].at(-1)?.id"
MAX_PICTURES = 20  # until two in a row are the same
CHECKS = Path(__file__).with_name("gallery_checks.js").read_text(encoding="utf-8")


def layout_faults(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what overlaps, is cut off, leaves the page or is too small to hit on a page, or in its open sheet."""
    is_phone = min(size) < 600
    faults: list[str] = page.evaluate(CHECKS, {"minTarget": 44 if is_phone else 24})
    return faults


def answer_join(page: Page, socket: WebSocketRoute, state: GalleryState) -> None:
    """Send a state to a table's page when it joins, and its fonts are loaded, because scripts measure texts."""

    def answer(text: str | bytes) -> None:
        if json.loads(text)["type"] == "join":
            page.evaluate(LOAD_FONTS)
            for message in page_messages(state):
                socket.send(json.dumps(message))

    socket.on_message(answer)


class GalleryBrowser:
    """A browser context whose pages show states of the gallery."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context = context
        self.server = server
        self.table = server.new_table("/tables")[0]
        context.add_init_script("localStorage.clear()")
        context.clock.install(time=START_SECONDS)
        context.clock.pause_at(START_SECONDS + 1)

    def accessibility_faults(self, page: Page) -> list[str]:
        """Return the violations that axe-core finds on a page, or in its open sheet."""
        sheet = page.evaluate(OPEN_SHEET)
        self.context.clock.resume()  # axe-core waits with timers.
        violations = BrowserPlayer(page, self.server).accessibility_violations(f"#{sheet}" if sheet else "")
        self.context.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        return violations

    @contextmanager
    def open(self, state: GalleryState, size: tuple[int, int]) -> Iterator[Page]:
        """Open a page in a state, and close it afterwards."""
        page = self.context.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for name, value in state.storage:
            page.add_init_script(f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)})")
        for path, body in state.answers:
            page.route(self.server.origin + path, partial(answer_json, body))
        if state.build_html is not None:
            page.route_web_socket(re.compile("/socket"), lambda socket: answer_join(page, socket, state))
        page.goto(self.server.origin + (state.path or f"/table/{self.table}#key"))
        page.wait_for_selector(f"#stage[data-page={state.kind}]")
        for selector in state.clicks:
            self.context.clock.run_for(SETTLE_MS)
            page.evaluate("(selector) => document.querySelector(selector).click()", selector)
        page.wait_for_selector(state.shows)
        self.context.clock.run_for(SETTLE_MS)
        page.wait_for_function(READY)
        yield page
        page.close()


def take_picture(page: Page) -> bytes:
    """Return a picture of a page as soon as two in a row are the same: on a busy machine Chromium may still paint."""
    picture = page.screenshot(animations="disabled", caret="hide")
    for _ in range(MAX_PICTURES):
        previous, picture = picture, page.screenshot(animations="disabled", caret="hide")
        if picture == previous:
            return picture
    raise AssertionError("the page does not come to rest")


@contextmanager
def open_gallery(chromium: Browser, server: Server) -> Iterator[GalleryBrowser]:
    context = chromium.new_context(reduced_motion="reduce", service_workers="block", color_scheme="dark")
    yield GalleryBrowser(context, server)
    context.close()
