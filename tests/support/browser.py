"""A real Chromium, and a player in it who clicks what is offered."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Request, sync_playwright

from tests.support.server import Server, finish

MISSING = "Chromium is not installed, and the table is tested in it: `make test` installs the Debian package chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Chromium's own pages for the address bar cost more than ours, even if they are hidden. Only the last
    # --disable-features counts, so the list repeats those that Playwright disables.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
]
DESKTOP, PHONE = (1440, 900), (360, 740)
# Milliseconds. `wait_for_function` needs a function: an expression is evaluated repeatedly, which the content policy
# forbids after the first time.
WAIT = 60_000
# Anything that a player could do now.
OFFERS = "#prompt button:not([disabled]), [data-select], .legal [data-move], .village[data-move], #stage [data-send]"
AT_REST = """() => document.getAnimations().every(
  (animation) => animation.playState !== "running" || animation.effect.getComputedTiming().endTime === Infinity)"""


@pytest.fixture(
    scope="module"
)  # not longer: while it is open, its event loop runs, and no test can begin one of its own
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail(MISSING)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """A person with a browser."""

    page: Page
    server: Server
    troubles: list[str] = field(default_factory=list)  # errors on the page, and requests to other origins

    def open(self, path: str) -> "Visitor":
        self.page.goto(self.server.origin + path)
        return self

    @property
    def kind(self) -> str:
        return self.page.get_attribute("#stage", "data-page") or ""

    def wait_for(self, kind: str) -> None:
        self.page.wait_for_selector(f"#stage[data-page={kind}]", timeout=WAIT)

    def offers(self) -> Locator:
        return self.page.locator("[data-move]:not([disabled]):visible")

    def wait_for_offer(self) -> None:
        self.page.wait_for_selector(OFFERS, timeout=WAIT)

    def choice(self) -> Any:
        """The number of the page's current choice."""
        return self.page.evaluate("choiceNumber")

    def scrolls_sideways(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def violations(self, within: str = "", without: str = "") -> list[str]:
        """Return axe-core's findings on the page or a part, after animations: contrast of a turning card is wrong."""
        self.page.wait_for_function(AT_REST, timeout=WAIT)
        parts = {"include": [[within or "html"]], **({"exclude": [[without]]} if without else {})}
        violations = Axe().run(self.page, context=parts).response["violations"]
        return [f"{violation['id']}: {node['html'][:200]}" for violation in violations for node in violation["nodes"]]

    # Playing.

    def play_some(self, random: Random) -> None:
        """Make a random move by clicking; prefer a call, so that games are short."""
        asked = self.choice()
        self.page.mouse.move(1, 1)  # help under the pointer could cover what is clicked
        call = self.page.locator("#prompt [data-call]")
        button = self.page.locator("[data-template]").first
        moves = self.offers()
        if call.count() and random.random() < 0.7:
            call.click()
            self.page.click("#prompt [data-move=call]")  # the confirmation
        elif button.count() and (moves.count() == 0 or random.random() < 0.5):
            self.choose_cards(random)
        elif moves.count():
            moves.nth(random.randrange(moves.count())).click(position={"x": 6, "y": 6})
        else:
            return  # another player has just ended the round
        self.page.wait_for_function("asked => choiceNumber !== asked", arg=asked, timeout=WAIT)

    def choose_cards(self, random: Random) -> None:
        """Select cards and confirm."""
        cards = self.page.locator("[data-select]:visible")
        least = int(self.page.locator("[data-template]").first.get_attribute("data-least") or 1)
        for index in random.sample(range(cards.count()), least):
            cards.nth(index).click()
        ready = self.page.locator("[data-template]:not([disabled])")
        assert ready.count(), self.page.locator("#prompt").inner_html() + str(self.page.evaluate("[...selection]"))
        ready.nth(random.randrange(ready.count())).click()

    def play_on(self, random: Random) -> None:
        """Play until the game is over."""
        while self.kind != "game_end":
            self.wait_for_offer()
            if self.kind == "round_end":
                self.leave_reveal()
            elif self.kind == "table" and self.choice() is not None:
                self.play_some(random)

    def play_moves(self, random: Random, most: int, each: Callable[["Visitor"], None] = lambda _: None) -> None:
        """Make up to `most` moves in the round; call `each` on every page."""
        for _ in range(most):
            self.wait_for_offer()
            each(self)
            if self.kind != "table":
                break
            if self.choice() is not None:
                self.play_some(random)

    def tab_to(self, selector: str) -> None:
        """Press Tab until an element that matches has the focus, and check that the focus is visible."""
        for _ in range(120):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", "the focus cannot be seen"
                return
        pytest.fail(f"{selector} cannot be reached by Tab")

    def leave_reveal(self) -> None:
        old = self.page.locator(".verdict").inner_text()
        self.page.click("[data-send*=seen]")
        gone = "old => document.querySelector('.verdict')?.innerText !== old"
        self.page.wait_for_function(gone, arg=old, timeout=WAIT)


def let_a_program_play(server: Server, people: list[Visitor], rounds: int = 4) -> None:
    """Let a program play until `rounds` are over. Meanwhile the pages are closed, because rendering is slow."""
    links = [visitor.page.url for visitor in people]
    for visitor in people:
        visitor.page.goto("about:blank")
    table = links[0].partition("/table/")[2].partition("#")[0]
    finish(server, table, *[link.partition("#")[2] for link in links], rounds=rounds)
    for visitor, link in zip(people, links, strict=True):
        visitor.page.goto(link)
        visitor.wait_for("round_end")


@contextmanager
def visiting(
    chromium: Browser, server: Server, size: tuple[int, int] = DESKTOP, light: str = "dark", motion: str = "reduce"
) -> Iterator[Visitor]:
    """A new visitor. At the end, check that the page had no errors and no requests to other origins."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if light == "dark" else "light",
        reduced_motion="reduce" if motion == "reduce" else "no-preference",
        has_touch=size == PHONE,
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    visitor = Visitor(page, server)

    def asked_for(request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(server.origin).netloc and not request.url.startswith("blob:"):
            visitor.troubles.append(f"asked for {request.url}")

    page.on("request", asked_for)
    page.on("pageerror", lambda error: visitor.troubles.append(f"error: {error}"))
    page.on("console", lambda message: visitor.troubles.append(message.text) if message.type == "error" else None)
    yield visitor
    context.close()
    assert visitor.troubles == []
