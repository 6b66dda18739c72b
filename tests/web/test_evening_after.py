"""After a game: your tables and results on the first page, the replay, and the review; and a quick seat before one."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import time
from types import SimpleNamespace
from typing import cast

import pytest
from playwright.sync_api import Browser

from argentum import records
from argentum.display.errors import Refused
from argentum.display.replay import Replay, branch, film
from argentum.display.session import WATCH
from argentum.rooms.arrangement import first_arrangement
from argentum.rooms.clock import Pace
from argentum.rooms.entries import course, redone, started
from argentum.rooms.limits import Limits
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import Log
from argentum.rooms.post_game import rows_of, set_branch
from argentum.rooms.registry import Hall
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.web.pages.review import timeline
from tests.web.browsing import PHONE, Visitor, visiting
from tests.web.serving import Server, finish, shared_server
from tests.web.showing import PAINTER, board, show, sitters

__all__ = ["board", "shared_server"]


@pytest.fixture(scope="module")
def finished(server: Server) -> tuple[str, str]:
    """A finished game: its table, and the host's key."""
    table, key = server.new_table(boxes="coin", bots="1")
    finish(server, table, key)
    return table, key


def asyncio_run(what: Coroutine[None, None, None]) -> None:
    """Run something in a thread: the browser's loop runs in this one."""
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, what).result()


@asynccontextmanager
async def open_hall(folder: Path, pace: Pace, limits: Limits | None = None) -> AsyncIterator[tuple[Log, Hall]]:
    """A hall with a log of its own, closed in the end."""
    log = Log.open(str(folder / "tables.db"))
    hall = Hall(log, pace, limits)
    yield log, hall
    await hall.close()
    await log.close()


def to_the_end(visitor: Visitor) -> None:
    """Leave the last reveal, if nobody has done so yet."""
    visitor.page.wait_for_selector(
        "#stage:is([data-kind=reveal], [data-kind=over], [data-kind=replay], [data-kind=review])"
    )
    if visitor.kind == "reveal":
        visitor.page.click("[data-send*=seen]")


def test_your_tables_and_games_are_on_the_first_page(
    chromium: Browser, server: Server, finished: tuple[str, str]
) -> None:
    done, done_key = finished
    with visiting(chromium, server, (1366, 768)) as ann:
        to_the_end(ann.open(f"/table/{done}#{done_key}"))
        ann.wait_for("over")
        ann.open("/")
        ann.page.fill("[name=name]", "Ann")
        ann.page.click("text=Set a table")
        ann.wait_for("gathering")
        ann.open("/").page.click("text=Play now")
        ann.wait_for("table")
        ann.open("/")
        rows = ann.page.locator("#own-tables li")
        rows.first.wait_for()
        assert rows.count() == 3
        assert [rows.nth(nth).locator(".state").inner_text() for nth in (0, 1)] == [
            "your turn",
            "waiting for 3 friends",
        ]
        assert "finished, you came" in rows.nth(2).inner_text()
        games = ann.page.locator("#own-games tbody tr")
        assert games.count() == 1
        assert games.first.inner_text().split()[:2] == ["Coin", "1"]
        assert ann.violations() == []
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.click(f"[aria-label='Forget {done}']")
        assert rows.count() == 2
        ann.page.click("text=Take your seat")
        ann.wait_for("table")


def test_tables_that_are_gone_or_not_yours_are_not_told(server: Server) -> None:
    name, key = server.new_table()
    answer = server.ask("/mine", {"tables": f"{name} {key} {name} wrong no-such {key} odd"})
    assert [one["name"] for one in json.loads(answer.text)] == [name]
    assert server.ask("/mine", {"tables": ""}).text == "[]"


def test_a_quick_seat_waits_and_then_is_found_by_the_next(chromium: Browser, server: Server) -> None:
    with visiting(chromium, server) as ann, visiting(chromium, server) as bo:
        ann.page.clock.install()
        ann.open("/").page.click("text=Quick seat")
        ann.wait_for("gathering")
        ann.page.wait_for_selector("#toast:has-text('Waiting for somebody')")
        so_far = ann.page.evaluate("waited")
        ann.page.reload()
        ann.wait_for("gathering")
        assert ann.page.evaluate("waited") > so_far, "a reload does not begin the wait anew"
        again = "clearTimeout(beginSoon.timer); beginSoon.timer = 0; waited = so_far; beginSoon();"
        said = ann.page.evaluate(
            f"[4000, 40.2].map((so_far) => {{ {again} return document.getElementById('toast').innerText; }})"
        )
        assert [words.partition("plays along ")[2] for words in said] == ["in 1 second.", "in 5 seconds."]
        ann.page.clock.run_for(6_000)
        ann.wait_for("table")  # nobody came: a bot keeps the seat
        bo.open("/").page.click("text=Quick seat")
        bo.wait_for("table")
        assert bo.page.url.partition("#")[0] == ann.page.url.partition("#")[0].partition("?")[0]
        assert ann.page.evaluate("JSON.parse(localStorage.tables).length") == 1


def test_a_replay_plays_by_itself_and_has_links_to_moves(
    chromium: Browser, server: Server, finished: tuple[str, str]
) -> None:
    table, key = finished
    with visiting(chromium, server) as ann:
        to_the_end(ann.open(f"/table/{table}?at=7#{key}"))
        ann.page.wait_for_selector("#replay[data-at='7']")
        known = ann.page.locator(".village .spot.known").count()
        ann.page.select_option("#replay-eyes", "A")
        fewer = "known => document.querySelectorAll('.village .spot.known').length < known"
        ann.page.wait_for_function(fewer, arg=known)
        assert ann.page.locator("#replay[data-at='7']").count() == 1
        assert ann.offers().count() == 0
        ann.page.select_option("#replay-speed", "400")
        ann.page.click("[aria-label=Play]")
        ann.page.wait_for_function("() => Number(document.querySelector('#replay').dataset.at) >= 10")
        ann.page.click("[aria-label=Pause]")
        ann.page.wait_for_selector("[aria-label=Play]")
        assert ann.page.input_value("#replay-speed") == "400", "the speed stays from move to move"
        ann.page.reload()
        ann.page.wait_for_selector("#replay")
        assert ann.page.input_value("#replay-speed") == "400", "and for the next replay"
        assert ann.violations() == []
        assert int(ann.page.url.partition("?at=")[2].partition("#")[0]) >= 10
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        assert ann.page.text_content(".until") == "This game is kept for good."
        move = str(ann.page.get_attribute("[data-copy-move]", "data-copy-move"))
        ann.page.click("text=Result")
        ann.wait_for("over")
        assert "at=" not in ann.page.url
        with visiting(chromium, server) as eve:  # the link of a move is for anybody, and opens no seat
            eve.open(move.replace("#", "&at=3&eyes=B#")).page.wait_for_selector("#replay[data-at='3']")
            assert eve.page.input_value("#replay-eyes") == "B"
            eve.open("/")
            assert eve.page.evaluate("localStorage.tables") is None, "it is not one of Eve's tables"


def test_a_link_to_a_game_lasts_through_rematches_and_restarts_and_opens_nothing_else(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        await room.start("A")
        random = Random(1)
        while room.playing:
            legal = room.game.legal("A") if room.game else []
            if legal:
                move = next((str(one) for one in legal if str(one) == "call"), str(random.choice(legal)))
                await room.move("A", room.choice("A"), "peek A1 A2" if move.startswith("peek") else move)
            else:
                await room.beat()

    async def evening() -> None:
        async with open_hall(tmp_path, Pace(bot_pause=0.0), Limits(start_grace_minutes=0.0, keep_days=1.0)) as (
            log,
            hall,
        ):
            room, host = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            key = room.play.share_key(1)
            with pytest.raises(Refused, match="not over"):
                await hall.past(room, 1, key)
            await play(room)
            scores = room.game.scores if room.game else []
            await room.rematch("A")
            await room.start("A")
            again = Hall(log, Pace(bot_pause=0.0))  # after a restart
            there = await again.find(room.name)
            assert there is not None
            past = await again.past(there, 1, key)
            assert past.game is not None
            assert past.game.scores == scores
            assert past.doors.role_of(key) == WATCH
            assert past.doors.role_of(host) == "", "it is no door to the table"
            of = room.play.share_key
            for game, other in ((1, host), (1, "\ud800"), (2, key), (0, of(0)), (2, of(2)), (3, of(3))):
                with pytest.raises(Refused):
                    await again.past(there, game, other)
            assert room.doors.role_of(key) == "", "nor is the table's own"

    asyncio_run(evening())


def test_who_opens_a_link_to_a_game_writes_nothing_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.rooms.room.A_DAY", 0.0)

    async def look_back() -> None:
        async with open_hall(tmp_path, Pace(bot_pause=0.0, grace=0.0), Limits(keep_days=1.0)) as (log, hall):
            room, _ = await hall.set_table(first_arrangement(opponents=1))  # a bot plays the free seat
            await room.start("A")
            while room.playing:
                await room.beat()
            past = await hall.past(room, 1, room.play.share_key(1))
            with pytest.raises(Refused, match="but you may watch"):
                await past.take_seat("a key", "Eve", "B")
            await hall.visited(past)
            assert len(log.entries(room.name)) == room.play.seq, "the table knows of all that is in its log"
            await hall.visited(room)
            again = await hall.past(room, 1, room.play.share_key(1))
            await hall.visited(again)  # though the log has gone on since
            assert again.play.written == room.play.written, "so long it is kept"

    asyncio_run(look_back())


def test_who_plays_on_has_the_table_of_that_game_whatever_is_arranged_for_a_rematch(tmp_path: Path) -> None:
    async def play_on() -> None:
        async with open_hall(tmp_path, Pace(bot_pause=0.0, grace=0.0)) as (_, hall):
            room, host = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            await room.start("A")
            while room.playing:
                await room.beat()
            await room.rematch("A")
            await room.arrange("A", {"seats": 3, "memory": True}, host)
            name, _ = await set_branch(hall, room, "A", 5)
            table = hall.rooms[name]
            assert table.playing
            assert table.game is not None
            assert len(table.arrangement.places) == table.game.players == 2
            assert not table.arrangement.memory

    asyncio_run(play_on())


def test_a_game_that_somebody_keeps_outlives_the_others(tmp_path: Path) -> None:
    async def sweep() -> None:
        log = Log.open(str(tmp_path / "tables.db"))
        for name in ("amber-oak", "amber-ash"):
            await log.append(name, 0, "table", {})
        await log.append("amber-oak", 1, "keep", {})
        assert log.outdated(time() + 1) == ["amber-ash"]
        await log.close()

    asyncio_run(sweep())


def test_only_players_keep_a_game_and_only_when_it_is_over(tmp_path: Path) -> None:
    async def keep() -> None:
        async with open_hall(tmp_path, Pace()) as (_, hall):
            room, _ = await hall.set_table(first_arrangement(opponents=1, bot="random"))
            for role in ("A", WATCH):
                with pytest.raises(Refused):
                    await room.keep(role)

    asyncio_run(keep())


def test_rows_lie_where_the_replay_has_them_and_stop_with_the_budget() -> None:
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        seat = game.to_move
        game.play(int(random.choice(game.legal(seat))), seat)
    [row] = rows_of(records.write(game), "A", budget=0.0)
    there = film(game)[row["at"]]
    assert there.to_move == "A"
    assert there.round == row["round"]
    assert row["played"]


def test_a_finished_game_is_reviewed_in_the_browser(
    chromium: Browser, server: Server, finished: tuple[str, str]
) -> None:
    table, key = finished
    with visiting(chromium, server) as ann:
        to_the_end(ann.open(f"/table/{table}#{key}"))
        ann.wait_for("over")
        ann.page.click("[data-review]")
        ann.wait_for("review")
        marks = ann.page.locator("[data-mark]")
        assert marks.count() > 3
        assert ann.page.locator(".review-costly li").count() > 0, "whoever plays at random misses something"
        assert ann.violations() == []
        assert re.search(
            r"Chance to win: (from \d+ to \d+|\d+ % either)", ann.page.inner_text(".review-position header")
        )
        courses = ann.page.locator(".review-chart .course").evaluate_all("all => all.map((one) => one.lastChild.data)")
        assert courses, "some round has room for it"
        assert all([re.fullmatch(r"\d+ → \d+ %", course) for course in courses])
        title = ann.page.inner_text("#position-title")
        ann.page.evaluate("document.activeElement.blur()")
        assert ann.page.evaluate("document.activeElement.closest('[data-mark]')") is None
        ann.page.keyboard.press("ArrowLeft" if not title.endswith("decision 1") else "ArrowRight")
        other = "old => document.getElementById('position-title').innerText !== old"
        ann.page.wait_for_function(other, arg=title)
        on_line = "() => document.activeElement === document.querySelector('[data-mark][aria-current]')"
        ann.page.wait_for_function(on_line)
        title = ann.page.inner_text("#position-title")
        ann.page.click("[data-turn=forward]:not([disabled]), [data-turn=back]:not([disabled])")
        ann.page.wait_for_function(other, arg=title)
        ann.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert not ann.scrolls_sideways()
        ann.page.click("text=See it in the replay")
        ann.page.wait_for_selector("#replay")
        assert ann.page.input_value("#replay-eyes") == "A"
        ann.page.click("text=Result")
        ann.wait_for("review")
        ann.page.click("text=Back to the scores")
        ann.wait_for("over")


def reviewed(yours: list[str], better: list[str]) -> str:
    """The page of a review, at a decision about a card that A has drawn."""
    game, random = Game.new("dagger", 2, 5), Random(2)
    while not game.over:
        game.play(int(random.choice(game.legal())))
    drawn = [nth for nth, there in enumerate(film(game)) if there.to_move == there.view().holder == "A"]
    row = {
        "at": drawn[0], "round": 1, "agreed": False, "sure": True, "chance": 0.1, "error": 0.02, "standing": 0.2,
        "played": "Exchange", "better": "Exchange", "yours_at": yours, "better_at": better, "left_out": 0,
    }  # fmt: skip
    replay = Replay.of(film(game), drawn[0], "A")
    room = cast(Room, SimpleNamespace(game=game, name="amber-oak", players=lambda: sitters(["Ann", "Bo"])))
    return str(PAINTER._draw("review.html", "stage", timeline(room, "A", [row], 0, ("steady", 60), replay)))


def test_arrows_go_from_the_hand_to_the_cards_of_both_moves(board: Visitor) -> None:
    page = show(board, reviewed(["A1"], ["A2", "A4"]), "review")
    page.wait_for_selector(".arrows .better >> nth=1", state="attached")
    assert page.locator(".arrows .yours").count() == 1
    tips = page.locator(".arrows .head").evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
    for spot, tip in zip(("A1", "A2", "A4"), tips, strict=True):
        box = page.locator(f".own-village [data-place={spot}] .card").bounding_box()
        assert box is not None
        assert box["x"] < tip["left"] < box["x"] + box["width"]
        assert tip["bottom"] <= box["y"]
    assert page.locator(".review-chart .course").inner_html().count("50 → ") == 1, "two players begin alike"
    assert page.inner_text(".review-costly li .deed").startswith("Exchange")
    assert "from 30 to 20 %" in page.inner_text(".review-position header")
    show(board, reviewed(["A1"], ["A2", "A4"]), "review", PHONE)
    assert "Better: Exchange" in page.inner_text(".review-costly li .deed")
    page.wait_for_selector(".arrows .better", state="detached")
    show(board, reviewed(["pile"], ["A3"]), "review")
    page.wait_for_selector(".arrows .better", state="attached")
    assert page.locator(".arrows .head").count() == 2
    assert page.locator(".review-piles .by-yours [data-place=pile]").count() == 1


def test_whoever_types_when_the_review_comes_goes_on_typing(board: Visitor) -> None:
    page = show(board, reviewed(["A1"], ["A2"]), "review")
    page.evaluate("document.getElementById('talk-sheet').showPopover()")
    page.focus("#talk-text")
    for key in ("n", "w", "ArrowLeft", "o"):
        page.keyboard.press(key)
    assert page.input_value("#talk-text") == "now"
    page.evaluate("document.getElementById('talk-sheet').hidePopover()")


def test_somebody_plays_on_from_a_position_against_bots(
    chromium: Browser, server: Server, finished: tuple[str, str]
) -> None:
    table, key = finished
    with visiting(chromium, server) as ann:
        to_the_end(ann.open(f"/table/{table}?review#{key}"))
        ann.wait_for("review")
        assert "review" not in ann.page.url
        spots = "[...document.querySelectorAll('%s [data-face]')].map((card) => card.dataset.face)"
        before = ann.page.evaluate(spots % ".own-village")
        ann.page.click("text=Play on from here")
        ann.page.wait_for_url(lambda url: table not in url)
        ann.page.wait_for_function("() => stage.dataset.kind === 'table' && choice !== null")
        assert ann.page.evaluate(spots % ".village.yours .row") == before
        new, _, its_key = ann.page.url.rpartition("/")[2].partition("#")
        ann.page.goto("about:blank")
        finish(server, new, its_key)
        to_the_end(ann.open(f"/table/{new}#{its_key}"))
        ann.wait_for("over")
        assert ann.page.locator(".standings thead th").count() == 7, "all four rounds are told"


def test_playing_on_keeps_what_was_known_and_deals_the_rest_anew() -> None:
    random = Random(5)
    game = Game.new("bullet", 3, 5)
    for look in ("peek C1 C2", "peek A1 A2", "peek B3 B4"):  # at a table, in any order
        game.play(look, look[5])
    while not game.over:
        seat = game.to_move
        legal = game.legal(seat)
        game.play(int(next((move for move in legal if str(move) == "call"), random.choice(legal))), seat)
    scenes = film(game)
    places = [nth for nth, there in enumerate(scenes) if there.to_move == "B"][::9]
    for at in places:
        new = branch(game, at, "B", seed=at)
        assert new.view("B") == scenes[at].view("B")
        assert new.events("B") == scenes[at].events("B")
        assert new.scores == scenes[at].scores
        assert new.snapshot().faces != scenes[at].snapshot().faces
    entries = [Entry(nth, kind, body, 0.0) for nth, (kind, body) in enumerate(course(new, 7))]
    again = started(entries)
    for entry in entries[1:]:
        redone(again, json.loads(json.dumps(entry.body)))
    assert again.view_open() == new.view_open()
