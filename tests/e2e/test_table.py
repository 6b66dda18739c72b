"""The table page in a real Chromium: layout, calls, help, keys, and the guide."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from argentum.display.scene import resident_summary
from argentum.display.session import GameSession
from argentum.rooms.hints import picks_message
from argentum.rules.boxes import resident_of
from argentum.rules.game import Game
from tests.support.browser import PHONE, BrowserPlayer, open_player
from tests.support.pages import (
    INFO,
    LONG_NAMES,
    board,
    finished_round,
    receive,
    round_end_html,
    show,
    table_html,
    update,
)
from tests.support.scenes import RENDERER
from tests.support.server import Server, shared_server

__all__ = ["board", "shared_server"]

POSITION = {
    "boxes": "dddddddcdcddcd", "players": 4, "deck": "12 7 9 2 5 3 1 10 10 11 6 9", "discard": "3 6 7", "turn": "D",
    "villages": {"A": "7 0 9 4 8^", "B": "2^ 1 3 8 13^", "C": "11 3 0^ 5", "D": "12 1^ 8 2 6"},
}  # fmt: skip
SMALL_SIZES = [(390, 844), (360, 740), (375, 667), (844, 390), (667, 375)]
ELEMENTS_OVERLAP = """([first, second]) => {
    const [a, b] = [first, second].map((selector) => document.querySelector(selector).getBoundingClientRect());
    return Math.min(a.right, b.right) > Math.max(a.left, b.left)
        && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
}"""

ACTIONS_OVER_NAMES = """() => [...document.querySelectorAll(".spot.up > .recent-action")].filter((action) => {
    const name = action.parentElement.querySelector(".plate b");
    const [a, b] = [action, name].map((element) => element.getBoundingClientRect());
    return Math.min(a.right, b.right) > Math.max(a.left, b.left)
        && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
}).map((action) => action.parentElement.dataset.slot)"""
PATH_CROSSES_PROMPT = """() => {
    const texts = [...document.querySelectorAll("#prompt-title, #prompt .detail, #prompt button")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    return [...document.querySelectorAll(".path .line")].some((path) =>
        [...Array(200).keys()].some((step) => {
            const at = path.getPointAtLength(path.getTotalLength() * step / 199).matrixTransform(path.getScreenCTM());
            return boxes.some((box) => at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom);
        }));
}"""
COVERED_TEXTS = """() => [...document.querySelectorAll("#piles .token, #piles .lantern")].flatMap((disc) => {
    const a = disc.getBoundingClientRect();
    return [...document.querySelectorAll("#piles .count b, #prompt-title, #prompt .detail")].filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const b = range.getBoundingClientRect();
        return a.width && b.width && Math.min(a.right, b.right) > Math.max(a.left, b.left)
            && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
    }).map((element) => `${disc.className}: ${element.textContent}`);
})"""


def game_after_look(**changes: object) -> Game:
    """Return a game in A's turn, after D has looked at one of A's cards with a Psychic."""
    game = Game.at({**POSITION, "deck": "9 7 12 2 5 3 1 10 10 11 6", **changes}, list(LONG_NAMES))
    game.play("draw", "D")
    game.play("use", "D")
    game.play("A3", "D")
    while game.to_move == "D":
        game.play(next(str(move) for move in game.legal("D") if move.verb in ("end", "pass", "stop")), "D")
    return game


def game_in_second_turn(call: bool = False) -> Game:
    """Return a game in A's second turn, after D has looked at one of A's cards and, with `call`, B has called."""
    villages = {**POSITION["villages"], **({"B": "2^ 1 3"} if call else {})}  # type: ignore[dict-item]
    deck = f"11 {'7 ' * (not call)}5 9 12 2 5 3 1 10"
    game = Game.at({**POSITION, "turn": "A", "deck": deck, "villages": villages}, list(LONG_NAMES))
    usual_moves = ("use", "A3", "draw", "discard", "end", "pass", "stop")
    for seat in ("A", "B", "C", "D"):
        while game.to_move == seat:
            legal = [str(move) for move in game.legal(seat)]
            first = ("call",) if call and seat == "B" else ()
            game.play(
                next(text for text in (*first, *usual_moves) if text in legal and (text != "use" or seat == "D")), seat
            )
    return game


@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)])
def test_actions_since_the_last_turn_have_a_panel_on_large_pages(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, table_html(game_in_second_turn()), "table", size)
    lines = page.locator("#since-turn li").all_inner_texts()
    assert len(lines) == 3, "a line per seat, in playing order"
    assert all(name[:8] in line for name, line in zip(LONG_NAMES[1:], lines, strict=True))
    assert "looked at" in lines[2]
    assert not page.is_visible("#log .since"), "it is shown once"
    for other in (".side-top .block", ".side-left .block", ".piles"):
        assert not page.evaluate(ELEMENTS_OVERLAP, ["#since-turn", other])
    assert page.locator(".recent-action.lit").count() == 0
    page.hover("#since-turn li:last-child button")
    page.locator(".village.yours .recent-action.lit").wait_for()  # the cards of that seat's actions are highlighted
    page.mouse.move(700, 5)
    assert page.locator(".recent-action.lit").count() == 0
    page.click("[data-cycle-actions]")
    page.wait_for_selector(".village.yours .recent-action.lit")
    assert board.accessibility_violations() == []


@pytest.mark.parametrize("size", [(1180, 820), (1366, 768), (1536, 864), (1920, 1080)])
@pytest.mark.parametrize("call", [False, True])
def test_the_banner_of_a_call_has_priority_over_the_panel_of_actions(
    board: BrowserPlayer, size: tuple[int, int], call: bool
) -> None:
    page = show(board, table_html(game_in_second_turn(call)), "table", size)
    fits = not call or size[1] > 860
    assert (page.is_visible("#since-turn"), page.is_visible("#log .since")) == (fits, not fits), "it is shown once"
    assert page.is_visible("#banner") == call
    shown = [selector for selector, visible in (("#since-turn", fits), ("#banner", call)) if visible]
    for selector in shown:
        for other in (".side-top .houses", ".side-top .block", ".side-left .houses", ".side-left .block", ".piles"):
            assert not page.evaluate(ELEMENTS_OVERLAP, [selector, other])
    assert len(shown) == 1 or not page.evaluate(ELEMENTS_OVERLAP, shown)


@pytest.mark.parametrize("size", [(390, 844), (1024, 768), (1366, 768), (1440, 900)])
def test_marks_of_recent_actions_cover_no_names(board: BrowserPlayer, size: tuple[int, int]) -> None:
    game = Game.at({**POSITION, "deck": "8 7 12 2 5 3 1 10", "turn": "C"}, list(LONG_NAMES))
    for seat, move in (("C", "take"), ("C", "exchange C1"), ("C", "end"), ("D", "draw"), ("D", "use"), ("D", "A2")):
        if move != "end" or game.to_move == seat:
            game.play(move, seat)
    page = show(board, table_html(game), "table", size)
    assert page.locator(".side-top .spot.up > .recent-action, .yours .spot.up > .recent-action").count() == 2
    assert page.evaluate(ACTIONS_OVER_NAMES) == []


DETACHED_BADGES = """() => [...Array(160).keys()].flatMap((wider) => {
    document.getElementById("log").style.width = `${90 + wider}px`;
    const box = (node, at) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
    };
    return [...document.querySelectorAll("#log li .chip")].filter((chip) => {
        const badge = chip.getBoundingClientRect(), [name, rest] = [chip.previousSibling, chip.nextSibling];
        return box(name, name.data.trimEnd().length - 1).left > badge.left
            || /^[.,;:]/.test(rest?.data ?? "") && box(rest, 0).left < badge.left;
    }).map((chip) => chip.parentElement.innerText);
})"""


def test_log_lines_do_not_break_before_a_badge(board: BrowserPlayer) -> None:
    page = show(board, table_html(game_in_second_turn()), "table", (1366, 768))
    lines = page.locator("#log li").all_inner_texts()
    assert any("," in line for line in lines), "a badge with a comma is among them"
    assert page.locator("#log li .chip").count() >= 3
    assert page.evaluate(DETACHED_BADGES) == []
    page.evaluate("() => document.getElementById('log').removeAttribute('style')")


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
def test_the_path_of_a_switch_does_not_cross_the_prompt(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, table_html(game_in_second_turn()), "table", size)
    for spot in ("B3", "C2", "D4"):
        update(page, motions=[["A2", spot], [spot, "A2"]])
    assert page.locator(".path .heads").count() == 3
    assert not page.evaluate(PATH_CROSSES_PROMPT)


@pytest.mark.parametrize("size", SMALL_SIZES)
def test_a_phone_shows_recent_lines_without_scrolling(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, table_html(game_after_look()), "table", size)
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert not board.scrolls_sideways()
    assert "looked at" in page.inner_text("#recent-lines")
    assert page.locator(".village.yours .recent-action:visible").count() == 1, "the look is marked on the card"
    assert page.locator("#recent-lines .since").count() == 0
    badge, line = (
        page.locator(f"#recent-lines > {selector}").first.bounding_box() for selector in ("span .badge", "span")
    )
    assert badge is not None
    assert line is not None
    assert badge["x"] + badge["width"] <= line["x"] + line["width"], "text may be cut off, but not the badge"
    for part in ("#prompt", "#piles", ".village.yours"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1] + 1
    for control in page.locator("#recent-lines, #prompt button:visible, .top-bar .tool:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.click("#recent-lines")
    assert page.is_visible("#log-sheet #log")
    page.keyboard.press("Escape")
    if size in (SMALL_SIZES[0], SMALL_SIZES[-1]):
        assert board.accessibility_violations() == []


def game_after_draw() -> Game:
    """Return a game where A has drawn a card that can also be used, so the prompt has three buttons."""
    game = game_after_look(deck="9 7 12 2 5 3 1 10 10 11 6")
    game.play("draw", "A")
    return game


@cache
def html_after_draw(seat: str) -> str:
    return table_html(game_after_draw(), seat)


def game_during_switch() -> Game:
    """Return a game where A uses a Magician, has chosen one of B's cards and must choose one of their own."""
    game = game_after_look(deck="9 8 12 2 5 3 1 10 10 11 6")
    for move in ("draw", "use", "B2"):
        game.play(move, "A")
    return game


@cache
def turn_pages() -> tuple[str, ...]:
    return tuple(
        [table_html(game) for game in (game_after_draw(), game_during_switch(), callable_game(), called_game())]
    )


@pytest.mark.parametrize("size", SMALL_SIZES)
def test_a_phone_does_not_scroll_at_any_point_of_a_turn(board: BrowserPlayer, size: tuple[int, int]) -> None:
    for html in turn_pages():
        page = show(board, html, "table", size)
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        assert not board.scrolls_sideways()
        round_ = page.locator(".round > span").last
        assert size[0] > size[1] or round_.evaluate("element => element.getClientRects().length") == 1, "on one line"
        village, prompt = page.locator(".village.yours").bounding_box(), page.locator("#prompt").bounding_box()
        assert village is not None
        assert prompt is not None
        assert size[0] > size[1] or village["y"] + village["height"] <= prompt["y"] + 1, "every card can be tapped"


@pytest.mark.parametrize("size", [(390, 844), (1024, 768), (1366, 768)])
def test_villages_of_nine_cards_fit_the_page(board: BrowserPlayer, size: tuple[int, int]) -> None:
    cards = {"A": "7 0 9 4 8^ 5 5 6 6", "B": "2^ 1 3 8 13^ 12 11 11 10", "C": "11 3 0^ 5", "D": "12 1^ 8 2 4"}
    game = game_after_look(villages=cards, deck="9 7 2 5 3 1 10", discard="3 6 7")
    page = show(board, table_html(game), "table", size)
    assert not board.scrolls_sideways()
    for card in page.locator(".village .card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]


@pytest.mark.parametrize(
    ("size", "min_width"),
    [((768, 1024), 57), ((820, 1180), 57), ((1180, 820), 57), ((1099, 900), 57), ((1100, 900), 44), ((600, 800), 44)],
)
def test_cards_on_a_tablet_are_legible(board: BrowserPlayer, size: tuple[int, int], min_width: int) -> None:
    page = show(board, table_html(game_after_look()), "table", size)
    for card in page.locator(".village .card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["width"] >= min_width, "cards of 57 pixels or more show their names"
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert not board.scrolls_sideways()


@pytest.mark.parametrize("size", [*SMALL_SIZES, (820, 1180), (1024, 768), (1366, 768), (1440, 900), (1920, 1080)])
def test_the_token_covers_neither_counts_nor_the_prompt(board: BrowserPlayer, size: tuple[int, int]) -> None:
    for seat in "ABCD":  # each seat sees the token at another side of the piles
        page = show(board, html_after_draw(seat), "table", size)
        assert page.evaluate(COVERED_TEXTS) == []


def callable_game() -> Game:
    return Game.at(
        {**POSITION, "turn": "A", "villages": {**POSITION["villages"], "A": "7 0 9 4"}},  # type: ignore[dict-item]
        list(LONG_NAMES),
    )


def called_game() -> Game:
    """Return a game where D has called and A holds a card."""
    villages = {**POSITION["villages"], "D": "12 1^ 8 2"}  # type: ignore[dict-item]
    game = Game.at({**POSITION, "deck": "7 9 2 5 3 1 10", "villages": villages}, list(LONG_NAMES))
    game.play("call", "D")
    game.play("draw", "A")
    return game


def test_a_call_is_confirmed_unless_confirmation_is_off(board: BrowserPlayer) -> None:
    page = show(board, table_html(callable_game()), "table", (390, 844))
    page.dblclick("[data-call]")
    assert page.evaluate("sent") == [], "a double tap sends nothing"
    if page.is_visible(".confirm"):
        page.click("[data-cancel-call]")
    assert page.is_visible("[data-call]")
    page.click("[data-call]")
    assert "one more turn" in page.inner_text(".confirm")
    page.click(".confirm [data-move=call]")
    assert page.evaluate("sent") == ["call"]
    show(board, table_html(callable_game()), "table", (390, 844))
    board.tab_to("#prompt [data-call]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".confirm [data-move=call]:focus")
    page.keyboard.press("Enter")
    assert page.evaluate("sent") == ["call"], "by keys too"
    board.store("confirm_call", "no")
    show(board, table_html(callable_game()), "table", (390, 844))
    page.click("[data-call]")
    assert page.evaluate("sent") == ["call"]
    board.store("confirm_call", "yes")


SHEETS = {
    "chat-sheet": ".top-bar [data-open=chat-sheet]",
    "score-sheet": ".top-bar [data-open=score-sheet]",
    "log-sheet": "#recent-lines",
    "cast-sheet": ".top-bar [data-open=cast-sheet]",
    "settings": ".top-bar [data-open=settings]",
    "pile-sheet": "[data-open=pile-sheet]",
}


HAS_FOCUS = "(sheet) => document.getElementById(sheet).contains(document.activeElement)"


@pytest.mark.parametrize("sheet", [*SHEETS, "rules-sheet"])
def test_a_sheet_takes_and_keeps_the_focus(board: BrowserPlayer, sheet: str) -> None:
    page = show(board, table_html(callable_game()), "table", PHONE)
    if sheet == "rules-sheet":
        page.evaluate("document.querySelector('#stage a[href^=\"/rules\"]').click()")
        page.wait_for_selector("#rules-sheet h1")
    else:
        page.locator(SHEETS[sheet]).focus()
        page.keyboard.press("Enter")
    assert page.evaluate(HAS_FOCUS, sheet)
    for key in ("Tab", "Shift+Tab", "Shift+Tab", *["Tab"] * 25):
        page.keyboard.press(key)
        assert page.evaluate(HAS_FOCUS, sheet), key
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Shift")
    update(page)
    assert page.evaluate(HAS_FOCUS, sheet), "an update of the table does not take the focus"
    page.keyboard.press("Escape")
    assert not page.evaluate(HAS_FOCUS, sheet)


def test_sheets_on_a_phone_are_accessible(board: BrowserPlayer) -> None:
    """Run axe-core on every sheet, the help, the confirmation of a call, and the notice that a bot fills in."""
    page = show(board, table_html(callable_game(), info=INFO._replace(stand_in_plays=True)), "table", PHONE)
    assert board.accessibility_violations() == []
    for sheet, opener in SHEETS.items():
        # The notice that a bot fills in covers the buttons, so Playwright could not click them.
        page.evaluate("selector => document.querySelector(selector).click()", opener)
        page.wait_for_selector(f"#{sheet}:is([open], :popover-open)")
        assert board.accessibility_violations(f"#{sheet}") == []
        assert not board.scrolls_sideways()
        page.keyboard.press("Escape")
    show(board, table_html(callable_game()), "table", PHONE)
    page.locator("[data-slot=B1] .card").focus()
    page.keyboard.press("?")
    page.wait_for_selector("#help .help-text")
    assert board.accessibility_violations("#help") == []
    page.keyboard.press("Escape")
    page.click("[data-call]")
    page.wait_for_selector(".confirm [data-move=call]:not([disabled])")
    assert board.accessibility_violations("#prompt") == []
    page.click("[data-cancel-call]")


@pytest.mark.parametrize("size", [(360, 780), (844, 390), (1440, 900)])
def test_help_does_not_cover_its_card_and_rules_open_on_the_page(board: BrowserPlayer, size: tuple[int, int]) -> None:
    page = show(board, table_html(game_after_look()), "table", size)
    for slot in ("A5", "B1", "D2", "pile"):
        page.locator(f"[data-slot={slot}] .card").focus()
        page.keyboard.press("?")
        page.wait_for_selector("#help .help-text")
        assert not page.evaluate(ELEMENTS_OVERLAP, ["#help", f"[data-slot={slot}] .card"])
        assert page.evaluate("help.scrollHeight <= help.clientHeight || getComputedStyle(help).overflowY === 'auto'")
        page.keyboard.press("Escape")
    page.keyboard.press("r")
    assert page.locator("#cast-sheet .residents button:visible").count() == 14
    page.click("#cast-sheet [data-help=D4]")
    page.wait_for_selector("#help >> text=Zombie")
    page.click("#help .help-foot a")
    page.wait_for_selector("#rules-sheet [id=D4]")
    assert len(page.context.pages) == 1, "the rules open on the page, not in a new tab"
    entry = page.locator("#rules-sheet [id=D4]")
    assert entry.evaluate("element => getComputedStyle(element).display") == "grid", "entries look as on the rules page"
    card = entry.locator(".card").bounding_box()
    assert card is not None
    assert card["width"] >= 96
    assert page.evaluate(
        "document.querySelector('.rules-body').scrollWidth <= document.querySelector('.rules-body').clientWidth"
    )
    address = page.url
    page.click("#rules-sheet .short .cite >> nth=0")
    assert page.url == address, "a link within the rules keeps the seat's key in the URL"
    assert page.is_visible("#rules-sheet")
    page.click("#rules-sheet .sheet-close")


def test_help_opens_under_a_resting_mouse_and_covers_no_buttons(board: BrowserPlayer) -> None:
    page = show(board, table_html(game_after_look()), "table", (1366, 768))
    for slot in ("A5", "B1", "D2"):
        page.hover(f"[data-slot={slot}] .card")
        page.wait_for_selector("#help .help-text")
        for button in ("draw", "take"):
            assert not page.evaluate(ELEMENTS_OVERLAP, ["#help", f"#prompt [data-move={button}]"])
        page.mouse.move(700, 5)
        page.wait_for_selector("#help", state="hidden")
    smaller_village = game_after_look(villages={**POSITION["villages"], "A": "7 0 9 4"})  # type: ignore[dict-item]
    show(board, table_html(smaller_village), "table", (1366, 768))
    last_card = page.locator("[data-slot=A4] .card").bounding_box()
    assert last_card is not None
    page.mouse.move(last_card["x"] + last_card["width"] + 20, last_card["y"] + 60)
    show(board, table_html(game_after_look()), "table", (1366, 768))
    page.wait_for_timeout(700)  # longer than the delay of help
    assert not page.is_visible("#help"), "no help opens for a card that an update puts under the mouse"


def test_keys_press_buttons_and_prompts_are_announced(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        table, key = server.new_table(boxes="dagger", bots="1")
        ann.open(f"/table/{table}#{key}").wait_for("table")
        page = ann.page
        page.keyboard.press("1")
        page.keyboard.press("Space")
        page.keyboard.press("2")
        page.keyboard.press("Space")
        answered = ann.choice_number()
        page.keyboard.press("k")
        ann.wait_for_choice(other_than=answered)
        assert page.inner_text("#announcements").startswith(page.inner_text("#prompt-title"))
        assert page.evaluate("document.activeElement.matches('.legal *, #prompt button')"), (
            "the focus is on a control of the prompt"
        )
        assert page.is_visible("#prompt [data-move=draw] kbd")
        page.keyboard.press("d")
        page.wait_for_selector("#prompt .hand.mine")


def test_a_move_that_revealed_nothing_can_be_undone(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server, (390, 844)) as ann:
        table, key = server.new_table(boxes="dagger", bots="1")
        page = ann.open(f"/table/{table}#{key}").page
        ann.wait_for("table")
        ann.choose_cards(Random(1))
        page.wait_for_selector(".look-popup .face")  # closes by itself and uncovers the buttons
        page.wait_for_selector("#prompt [data-move=take]")
        answered, pile = ann.choice_number(), page.get_attribute("[data-slot=pile] .card", "data-face")
        page.click("#prompt [data-move=take]")
        page.wait_for_selector("#prompt .hand.mine")
        assert ann.accessibility_violations() == []
        page.reload()
        page.click("#prompt .take-back")
        page.wait_for_selector("#prompt [data-move=draw]")
        assert ann.choice_number() == answered
        assert page.get_attribute("[data-slot=pile] .card", "data-face") == pile
        page.keyboard.press("t")
        page.wait_for_selector("#prompt .hand.mine")
        page.keyboard.press("z")
        page.wait_for_selector("#prompt [data-move=take]")
        page.click("#prompt [data-move=draw]")
        page.wait_for_selector("#prompt .hand.mine")
        assert page.locator(".take-back").count() == 0, "a move that reveals a card cannot be undone"


def guided_game() -> Game:
    """Return a game where A knows two cards of one number and can draw a low card."""
    villages = {"A": "7^ 7^ 9^ 4 8^", "B": "2^ 1 3 8"}
    return Game.at(
        {"boxes": "dagger", "players": 2, "deck": "2 9 2", "discard": "13 6", "villages": villages}, ["Ann", "Bo"]
    )


def select_cards(board: BrowserPlayer, game: Game, *spots: str) -> None:
    """Select cards, and answer the page's request for a preview as the server does."""
    for spot in spots:
        board.page.click(f"[data-select={spot}]")
    requested = board.page.evaluate("sent.pop().spots")
    preview = GameSession(game).preview_exchange("A", requested)
    receive(board.page, **picks_message(requested, preview))


@pytest.mark.parametrize("size", [*SMALL_SIZES, (1366, 768)])
def test_pages_with_the_guide_do_not_scroll(board: BrowserPlayer, size: tuple[int, int]) -> None:
    game = guided_game()
    for spots in ((), ("A1", "A3"), ("A1", "A2")):
        page = show(board, table_html(game, coached=True, names=("Ann", "Bo")), "table", size)
        if spots:
            select_cards(board, game, *spots)
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        assert not board.scrolls_sideways()
        for control in page.locator("#guide button:visible").all():
            box = control.bounding_box()
            assert box is not None
            assert size[0] > 900 or min(box["width"], box["height"]) >= 43
        if not spots:
            game.play("draw", "A")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1366, 768)])
def test_the_guide_previews_an_exchange(board: BrowserPlayer, size: tuple[int, int]) -> None:
    game = guided_game()
    game.play("draw", "A")
    page = show(board, table_html(game, coached=True, names=("Ann", "Bo")), "table", size)
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert not page.is_visible("[data-clear-selection]")
    select_cards(board, game, "A1", "A3")
    assert page.inner_text("#guide .tip b") == "These don't match."
    assert "everybody has seen them" in page.inner_text("#guide")
    assert page.inner_text(".preview-points").split("\n") == ["7 ≠ 9", "5 cards would be 6"]
    assert page.locator("#prompt .choices button:visible").all_inner_texts()[0].startswith("Play it anyway")
    page.click("[data-example]")
    assert page.locator(".card.advised").evaluate_all("all => all.map((card) => card.dataset.select)") == ["A1", "A2"]
    assert board.accessibility_violations() == []
    page.click("[data-clear-selection]")
    assert page.locator("[aria-pressed=true]").count() == 0
    assert page.is_visible("#guide [data-tip]")
    select_cards(board, game, "A1", "A2")
    assert page.inner_text(".preview-points").split("\n") == ["7 = 7", "5 cards would be 4"]
    page.click("[data-select=A2]")
    assert page.is_visible("#guide [data-tip]"), "one card has no preview"
    select_cards(board, game, "A4")
    assert page.inner_text("#guide .tip b") == "You can't be sure that these match."
    assert not page.is_visible(".preview-points")
    select_cards(board, game, "A3")
    assert "because you try three or more" in page.inner_text("#guide")


def test_the_server_previews_the_selected_cards(chromium: Browser, server: Server) -> None:
    with open_player(chromium, server) as ann:
        table, key = server.new_table("/guide", boxes="dagger")
        page = ann.page
        with page.expect_websocket() as opened:
            ann.open(f"/table/{table}#{key}").wait_for("table")
        while not page.locator("[data-template^=exchange]").count():
            ann.wait_for_choice()
            answered, draw = ann.choice_number(), page.locator("#prompt [data-move=draw]")
            if draw.count():
                draw.click()
                ann.wait_until_answered(answered)
            else:
                ann.play_random_move(Random(3))
        page.click("[data-select=A1]")
        page.click("[data-select=A2]")
        page.wait_for_selector("#guide [data-exchange-preview]:not([hidden])")
        assert page.inner_text("#guide .tip b") != page.get_attribute("#guide .tip b", "data-title")
        with opened.value.expect_event("framereceived", lambda text: '"spots": ["A1", "A2", "A3"]' in str(text)):
            page.click("[data-select=A3]")


def test_the_guide_highlights_its_advice_and_can_be_switched_off(board: BrowserPlayer) -> None:
    game = guided_game()
    page = show(board, table_html(game, coached=True, names=("Ann", "Bo")), "table", (390, 844))
    assert "You hold a set: your spots 1 and 2 are two 7s." in page.inner_text("#guide")
    page.click("[data-show-me=draw]")
    assert page.locator("#prompt .advised").inner_text().startswith("Draw from the deck")
    game.play("draw", "A")
    page = show(board, table_html(game, coached=True, names=("Ann", "Bo")), "table", (390, 844))
    assert page.locator(".advised").count() == 0
    page.click("[data-show-me='exchange A1 A2']")
    assert page.locator(".card.advised").count() == 2
    assert page.locator("[data-template='exchange {}'].advised").count() == 1
    page.click("[data-leave-guide]")
    assert not page.is_visible("#guide")
    page.click("[data-open=settings]")
    page.check("[data-preference=guide]")
    page.keyboard.press("Escape")
    assert page.is_visible("#guide")


def test_looks_are_shown_one_after_another_and_end_with_the_round(board: BrowserPlayer) -> None:
    page = show(board, table_html(game_after_look()), "table", (390, 844))
    face = str(RENDERER.render("card.html", "face", resident_summary(resident_of("dagger", 9))))
    cards = [[slot, face, f"{slot}, {number} of 2"] for number, slot in enumerate(("A1", "D2"), 1)]
    update(page, looks={"cards": cards, "fade": 600})
    assert board.accessibility_violations() == []
    assert (page.inner_text("#look-title"), page.locator("#look .look-row > *").count()) == ("A1, 1 of 2", 5)
    page.keyboard.press("Escape")
    assert (page.inner_text("#look-title"), page.locator("#look .look-row > *").count()) == ("D2, 2 of 2", 5)
    assert page.evaluate("sent") == []
    page.keyboard.press("Escape")
    assert not page.is_visible("#look")
    assert page.evaluate("sent") == [{"type": "end_look"}]
    update(page, looks={"cards": cards, "fade": 600})
    show(board, round_end_html(finished_round()), "round_end")
    assert not page.is_visible("#look"), "the end of the round is not covered"
    show(board, table_html(game_after_look()), "table", (390, 844))
    update(page, looks={"cards": cards, "fade": None})
    assert page.locator(".look-popup").count() == 1, "with open notes, too, one card is shown at a time"
    show(board, round_end_html(finished_round()), "round_end")
    assert page.locator(".look-popup").count() == 0


def test_players_choose_the_pace_of_bots_and_skip_pauses(chromium: Browser, tmp_path: Path) -> None:
    """The server's bots pause for ten minutes, unless the player's pace is faster."""
    server = Server(str(tmp_path / "slow.db"), ("--bot-pause", "600"))
    server.start()
    try:
        with open_player(chromium, server) as ann:
            table, key = server.new_table(boxes="dagger", bots="1")
            ann.open(f"/table/{table}#{key}").wait_for("table")
            page = ann.page
            ann.choose_cards(Random(1))
            for control in ("key", "setting"):
                page.wait_for_selector("#prompt [data-move=draw], #prompt [data-send*=skip_bot_delays]")
                while not page.locator("#prompt [data-send*=skip_bot_delays]").count():
                    ann.play_random_move(Random(2))
                    page.wait_for_selector("#prompt button:not([disabled]), [data-select], .legal, .village[data-move]")
                if control == "key":
                    page.keyboard.press("s")
                else:
                    page.click("[data-open=settings]")
                    page.check("[data-pace][value=instant]")
                page.wait_for_selector("body[data-choice-number], #stage[data-page=round_end]", state="attached")
                if ann.kind == "round_end":
                    break
                page.keyboard.press("Escape")
    finally:
        server.stop()
