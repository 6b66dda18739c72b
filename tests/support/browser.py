"""Players at browser pages, in Chromium."""

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Request, WebSocketRoute, sync_playwright

from tests.support.server import Server, play_game_to_end

MISSING = "Chromium is not installed: `make test` installs the Debian package chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Do not draw the suggestions of the address bar as web pages, which cost more time than the pages under test.
    # Chromium reads only the last --disable-features, so the later lines repeat the features that Playwright disables.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
]
DESKTOP, PHONE = (1440, 900), (360, 740)
# Pass a function to `wait_for_function`: Playwright would evaluate an expression again on each poll, which our content
# security policy forbids.
TIMEOUT_MS = 60_000
# Selector of everything that the player can click to go on with the game. Outside of the prompt, this is only a page's
# main button, such as the one for the next round, and not a button in the footer.
ACTIONS = (
    "#prompt button:not([disabled]), [data-select], .legal [data-move], .village[data-move], #stage .main[data-send]"
)
ANIMATIONS_ENDED = """() => document.getAnimations().every(
  (animation) => animation.playState !== "running" || animation.effect.getComputedTiming().endTime === Infinity)"""


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail(MISSING)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")  # Not wider: while it is open, its event loop runs, and tests cannot start another.
def chromium() -> Iterator[Browser]:
    with launch_chromium() as browser:
        yield browser


@dataclass
class BrowserPlayer:
    """A player at a browser page."""

    page: Page
    server: Server
    errors: list[str] = field(default_factory=list)  # errors on the page, and requests to other sites

    def open(self, path: str) -> "BrowserPlayer":
        self.page.goto(self.server.origin + path)
        return self

    @property
    def kind(self) -> str:
        return self.page.get_attribute("#stage", "data-page") or ""

    def wait_for(self, kind: str) -> None:
        self.page.wait_for_selector(f"#stage[data-page={kind}]", timeout=TIMEOUT_MS)

    def move_elements(self) -> Locator:
        return self.page.locator("[data-move]:not([disabled]):visible")

    def wait_for_action(self) -> None:
        self.page.wait_for_selector(ACTIONS, timeout=TIMEOUT_MS)

    def choice_number(self) -> str | None:
        """Return the number of the open choice on the page, or None."""
        return self.page.get_attribute("body", "data-choice-number")

    def wait_for_choice(self, other_than: str | None = None) -> None:
        """Wait until a choice is open; optionally another one than the choice with a number."""
        other = f":not([data-choice-number='{other_than}'])" if other_than else ""
        self.page.wait_for_selector(f"body[data-choice-number]{other}", state="attached", timeout=TIMEOUT_MS)

    def wait_until_answered(self, choice: str | None) -> None:
        """Wait until the choice with a number is no longer open."""
        closed = f"body:not([data-choice-number='{choice}'])"
        self.page.wait_for_selector(closed, state="attached", timeout=TIMEOUT_MS)

    def stored(self, name: str) -> str | None:
        """Return what the scripts have stored in the browser under a name, or None."""
        value: str | None = self.page.evaluate("name => localStorage.getItem(`argentum.${name}`)", name)
        return value

    def store(self, name: str, value: str) -> None:
        self.page.evaluate("([name, value]) => localStorage.setItem(`argentum.${name}`, value)", [name, value])

    def scrolls_sideways(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def accessibility_violations(self, within: str = "", without: str = "") -> list[str]:
        """Wait until animations have ended; return the violations that axe-core finds in the page or a part of it."""
        self.page.wait_for_function(ANIMATIONS_ENDED, timeout=TIMEOUT_MS)
        parts = {"include": [[within or "html"]], **({"exclude": [[without]]} if without else {})}
        violations = Axe().run(self.page, context=parts).response["violations"]
        return [f"{violation['id']}: {node['html'][:200]}" for violation in violations for node in violation["nodes"]]

    def play_random_move(self, random: Random) -> None:
        """Make one legal move by clicking. Prefer calls, which keep games short."""
        answered = self.choice_number()
        self.page.mouse.move(1, 1)  # A tooltip under the pointer could cover what is clicked next.
        call = self.page.locator("#prompt [data-call]")
        button = self.page.locator("[data-template]").first
        moves = self.move_elements()
        if call.count() and random.random() < 0.7:
            call.click()
            self.page.click("#prompt [data-move=call]")  # The page asks for confirmation.
        elif button.count() and (moves.count() == 0 or random.random() < 0.5):
            self.choose_cards(random)
        elif moves.count():
            moves.nth(random.randrange(moves.count())).click(position={"x": 6, "y": 6})
        else:
            return  # Another player ended the round meanwhile.
        self.wait_until_answered(answered)

    def choose_cards(self, random: Random) -> None:
        """Select the minimum number of cards at random, and confirm."""
        cards = self.page.locator("[data-select]:visible")
        minimum = int(self.page.locator("[data-template]").first.get_attribute("data-min-cards") or 1)
        for index in random.sample(range(cards.count()), minimum):
            cards.nth(index).click()
        confirm = self.page.locator("[data-template]:not([disabled])")
        assert confirm.count(), self.page.locator("#stage").inner_html()
        confirm.nth(random.randrange(confirm.count())).click()

    def play_to_end(self, random: Random) -> None:
        """Play random moves until the game is over."""
        while self.kind != "game_end":
            self.wait_for_action()
            if self.kind == "round_end":
                self.leave_round_end()
            elif self.kind == "table" and self.choice_number() is not None:
                self.play_random_move(random)

    def play_moves(
        self, random: Random, count: int, on_page: Callable[["BrowserPlayer"], None] = lambda _: None
    ) -> None:
        """Make up to `count` moves, at most to the end of the round; call `on_page` before each."""
        for _ in range(count):
            self.wait_for_action()
            on_page(self)
            if self.kind != "table":
                break
            if self.choice_number() is not None:
                self.play_random_move(random)

    def tab_to(self, selector: str) -> None:
        """Press Tab until an element that matches the selector has the focus; check that the focus is visible."""
        for _ in range(120):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", "the focus cannot be seen"
                return
        pytest.fail(f"{selector} cannot be reached by Tab")

    def leave_round_end(self) -> None:
        """Continue with the next round, and wait until the result of this one is no longer shown."""
        verdict = self.page.locator(".verdict").inner_text()
        self.page.click("[data-send*=seen]")
        gone = "verdict => document.querySelector('.verdict')?.innerText !== verdict"
        self.page.wait_for_function(gone, arg=verdict, timeout=TIMEOUT_MS)


class SocketRelay:
    """Passes the messages between a page and its server. Tests can change messages, and send some of their own."""

    def __init__(self, page: Page, change: Callable[[str], str] = lambda text: text) -> None:
        """Relay the sockets that the page opens from now on; `change` returns what the page gets for a text."""
        self.change = change
        page.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        self.route = route  # the newest socket of the page
        route.connect_to_server().on_message(lambda text: route.send(self.change(str(text))))

    def send(self, **message: Any) -> None:
        """Send a message to the page, as if the server had sent it."""
        self.route.send(json.dumps(message))

    def close(self) -> None:
        """Close the page's socket, as if the connection were lost."""
        self.route.close()


def play_by_protocol(server: Server, players: list[BrowserPlayer], rounds: int = 4) -> None:
    """Play rounds over the JSON protocol. The pages are closed meanwhile, because updating them would be slow."""
    links = [player.page.url for player in players]
    for player in players:
        player.page.goto("about:blank")
    table = links[0].partition("/table/")[2].partition("#")[0]
    play_game_to_end(server, table, *[link.partition("#")[2] for link in links], rounds=rounds)
    for player, link in zip(players, links, strict=True):
        player.page.goto(link)
        player.wait_for("round_end")


@contextmanager
def open_player(
    chromium: Browser, server: Server, size: tuple[int, int] = DESKTOP, theme: str = "dark", motion: str = "reduce"
) -> Iterator[BrowserPlayer]:
    """Open a page for a new player. Afterwards, check that it had no errors and sent no requests to other sites."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce" if motion == "reduce" else "no-preference",
        has_touch=size == PHONE,
    )
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    player = BrowserPlayer(page, server)

    def check_origin(request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(server.origin).netloc and not request.url.startswith("blob:"):
            player.errors.append(f"requested {request.url}")

    page.on("request", check_origin)
    page.on("pageerror", lambda error: player.errors.append(f"error: {error}"))
    page.on("console", lambda message: player.errors.append(message.text) if message.type == "error" else None)
    yield player
    context.close()
    assert player.errors == []


def run_in_thread(main: Coroutine[None, None, None]) -> None:
    """Run a coroutine in another thread, because Playwright's event loop may be running in this one."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, main).result()


def create_table(host: BrowserPlayer) -> None:
    """Create a table with the host Ann, and wait for its lobby."""
    host.open("/")
    host.page.fill("[name=name]", "Ann")
    host.page.click("text=Set a table")
    host.wait_for("lobby")


def invitation_link(host: BrowserPlayer) -> str:
    return str(host.page.get_attribute("[data-copy-link]", "data-copy-link"))


def mark_document(player: BrowserPlayer) -> None:
    """Mark the loaded document, so that `is_same_document` notices when the page is loaded again."""
    player.page.evaluate("window.mark = true")


def is_same_document(player: BrowserPlayer) -> bool:
    return bool(player.page.evaluate("window.mark === true"))


def leave_last_round_end(player: BrowserPlayer) -> None:
    """Leave the summary of the last round, unless another player has left it for everybody."""
    player.page.wait_for_selector(
        "#stage:is([data-page=round_end], [data-page=game_end], [data-page=replay], [data-page=review])"
    )
    if player.kind == "round_end":
        player.page.click("[data-send*=seen]")
