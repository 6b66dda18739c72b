"""A browser is sent only what has changed, and nothing that has changed is left out."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from markupsafe import escape

from argentum import records
from argentum.display.errors import Refused
from argentum.display.replay import Replay, game_positions
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.rooms.arrangement import Arrangement, Rematch, SeatConfig, set_seat_count
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.replays import ReplayStep
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.rules.engine import random_move
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import PARTS, FragmentDecoder, SentFragments, ShownTable
from argentum.web.pages.renderer import PageRenderer
from argentum.web.pages.table import TablePage
from argentum.web.sockets.readers import HtmlReader, PageState
from tests.support.pages import seat_infos, table_html
from tests.support.rendering import NAMES, RENDERER
from tests.support.room import disconnect, room_of_three


@pytest.fixture
def room(tmp_path: object) -> Room:
    log = SqlJournal.open(f"sqlite:///{tmp_path}/log.db")
    one = Room("quiet-owl", log, {}, Arrangement(tuple([SeatConfig(name, "random") for name in NAMES])), Timing())
    one.play._begin_game(Game.new("dddcdbdadcdadb", len(NAMES), 7, names=NAMES), memory=False)
    asyncio.run(log.close())
    return one


def parts_sent(room: Room, role: str, reading: PageState) -> dict[str, str]:
    sent = reading.fragments.copy()
    news = RENDERER.page_updates(room, role, "", reading)
    if not news:
        return {}
    parts = received_by(sent).parts(json.loads(news[0]))
    assert len(news) == 1
    return parts


def received_by(sent: SentFragments) -> FragmentDecoder:
    """A browser that was sent these pieces."""
    browser = FragmentDecoder()
    browser.fragments[:] = sent.numbers
    return browser


def every_part(room: Room, role: str, reading: PageState) -> dict[str, str]:
    """All parts of the page as they are now: for a browser that shows such a page, but nothing on it is right."""
    assert reading.shown_table.page is not None
    shown: list[Any]
    *shown, plots = reading.shown_table.page
    wrong = [part._make([-1] * len(part)) for part in [*shown, *plots]]
    sheet = ShownTable()
    sheet.page = TablePage._make([*wrong[: len(shown)], tuple(wrong[len(shown) :])])
    return parts_sent(room, role, PageState(frame=reading.frame, game_number=reading.game_number, shown_table=sheet))


def test_a_page_kept_up_by_its_parts_is_the_page_drawn_anew(room: Room) -> None:
    sitting, random = room.session, Random(3)
    assert sitting is not None
    game = sitting.game
    readings = {role: PageState() for role in [*SEAT_LETTERS[: len(NAMES)], SPECTATOR]}
    pages: dict[str, dict[str, str]] = {}
    while not game.rounds_finished:
        for role, reading in readings.items():
            news = parts_sent(room, role, reading)
            now = every_part(room, role, reading)
            assert len(now) == len(PARTS) + len(NAMES)
            if "stage" not in news:
                assert [part for part in news if news[part] == pages[role][part]] == []
                assert {**pages[role], **news} == now
            pages[role] = now
        seat = game.to_move
        room.play.seq += 1
        sitting.commit(PlayedMove(game, seat, game.play(random_move(game.legal_moves(), random))), room.play.seq)


def test_nothing_is_sent_if_nothing_has_changed(room: Room) -> None:
    reading = PageState()
    assert list(parts_sent(room, "A", reading)) == ["stage"]
    assert RENDERER.page_updates(room, "A", "", reading) == []


def test_the_page_is_whole_when_a_bot_fills_in(room: Room) -> None:
    reading = PageState()
    parts_sent(room, "A", reading)
    room.clock.seats[0].timed_out = True
    page = parts_sent(room, "A", reading)["stage"]
    assert "A bot fills in for you" in page
    assert 'id="prompt"' in page


def test_a_looked_at_card_is_sent_to_its_viewer_only(room: Room) -> None:
    readings = {role: PageState() for role in ("A", "B", SPECTATOR)}
    for role, reading in readings.items():
        RENDERER.page_updates(room, role, "", reading)
    assert room.session is not None
    choice = room.session.choice_number("A")
    room.session.commit(room.session.try_move("A", choice, "peek A1 A3"), 2)
    sent = {role: json.loads(RENDERER.page_updates(room, role, "", reading)[0]) for role, reading in readings.items()}
    look = sent["A"]["looks"]
    assert look["fade"] is None
    titles = [(place, title) for place, _, title in look["cards"]]
    assert titles == [("A1", "Your first card, 1 of 2"), ("A3", "Your third card, 2 of 2")]
    assert "looks" not in sent["B"]
    assert "looks" not in sent[SPECTATOR]


def test_a_review_that_comes_when_another_game_has_begun_is_not_shown(room: Room) -> None:
    one = HtmlReader(RENDERER, room)
    one.updates(room, "A", "")
    one.show_review([{"sure": False}], room.play.game_count)
    assert one.page.decision_index == 0
    room.play._begin_game(Game.new("dagger", len(NAMES), 8, names=NAMES), memory=False)
    one.updates(room, "A", "")
    one.show_review([{"sure": False}], room.play.game_count - 1)
    one.show_decision(0)
    assert one.page.decision_index is None


def test_the_curtain_waits_until_a_card_that_must_be_remembered_was_seen(room: Room) -> None:
    room.play._begin_game(Game.new("dagger", len(NAMES), 7, names=NAMES), memory=True)
    reading = PageState(local_seats=("B",))
    assert json.loads(RENDERER.page_updates(room, "A", "", reading)[0])["page"] == "pass_device"
    reading.device_passed = True
    assert json.loads(RENDERER.page_updates(room, "A", "", reading)[0])["page"] == "table"
    assert room.session is not None
    room.session.commit(room.session.try_move("A", room.choice_number("A"), "peek A1 A3"), room.session.revision + 1)
    sent = json.loads(RENDERER.page_updates(room, "A", "", reading)[0])
    assert (sent["page"], len(sent["looks"]["cards"])) == ("table", 2), "else nobody would ever see them"
    room.end_look("A")
    assert json.loads(RENDERER.page_updates(room, "A", "", reading)[0])["page"] == "pass_device"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_stays_with_a_finished_game_sees_it_while_others_gather_for_the_next(room: Room, seats: int) -> None:
    assert room.game is not None
    random = Random(4)
    while not room.game.over:
        room.game.step(random_move(room.game.legal_moves(), random))
    room.play.rounds_seen = [room.game.rounds_finished for _ in SEAT_LETTERS]
    room.arrangement = replace(room.arrangement, rematch=Rematch(room.arrangement.deck_code, room.game.winner))
    room.arrangement = set_seat_count(room.arrangement, seats)
    assert room.game.names[2] in parts_sent(room, "A", PageState())["stage"]
    assert 'id="village-C"' in parts_sent(room, "A", replay_reading(room, 3))["stage"]


def replay_reading(room: Room, at: int) -> PageState:
    """What a page reads that shows a position of the finished game."""
    assert room.game is not None
    step = ReplayStep(room.play.game_count, at, "")
    return PageState(game_number=step.game, replay_index=at, built=(step, Replay.of(game_positions(room.game), at)))


def over(room: Room) -> None:
    """Play the game to its end."""
    assert room.game is not None
    random = Random(4)
    while not room.game.over:
        room.game.step(random_move(room.game.legal_moves(), random))


def test_a_replay_says_nothing_of_who_is_away_now_or_of_a_turn_of_yours(room: Room) -> None:
    room.arrangement = replace(
        room.arrangement, seats=(SeatConfig("Ann"), SeatConfig("Bo", "random"), SeatConfig("Cy"))
    )
    over(room)
    assert room.game is not None
    turns = [nth for nth, there in enumerate(game_positions(room.game)) if there.to_move == "A"]
    for at in turns[:12]:
        page = parts_sent(room, "A", replay_reading(room, at))["stage"]
        assert 'class="playing"' in page, "it says whose turn it was"
        assert 'class="to-act"' not in page
        assert "<li>away</li>" not in page
        assert "fills in" not in page
        assert 'class="since"' not in page


def test_a_link_to_a_replay_opens_it_before_the_last_reveal_and_while_others_gather(room: Room) -> None:
    over(room)
    reading = replay_reading(room, 3)
    assert 'id="replay"' in parts_sent(room, "A", reading)["stage"], "the last reveal was not left yet"
    room.play.rounds_seen = [4 for _ in SEAT_LETTERS]
    room.arrangement = replace(room.arrangement, rematch=Rematch(room.arrangement.deck_code, "A"))
    reading = replace(replay_reading(room, 3), left_result_of=room.play.game_count)
    assert 'id="replay"' in parts_sent(room, "A", reading)["stage"]
    reading.replay_index = None
    assert 'id="replay"' not in parts_sent(room, "A", reading)["stage"]


def test_names_from_right_to_left_are_isolated_in_log_scores_and_prompts_and_in_no_plain_text() -> None:
    names = ["עדן & co", "عبد الرحمن", "<נועה>"]
    game = Game.new("dagger", 3, 7, names=names)
    for look in ("peek A1 A2", "peek B1 B2", "peek C1 C2"):
        game.play(look, look[5])
    mover, reader = game.to_move, next(seat for seat in game.seats if seat != game.to_move)
    page = table_html(game, reader, names=tuple(names))
    safe = {seat: str(escape(name)) for seat, name in zip(game.seats, names, strict=True)}
    assert f"It is <bdi>{safe[mover]}</bdi>&#39;s turn." in page
    for seat in game.seats:
        assert f'<bdi class="name">{safe[seat]}</bdi>' in page
        assert seat == reader or f"<b><bdi>{safe[seat]}</bdi></b> looked at" in page
    assert "<נועה>" not in page
    log = GameSession(game).build_scene(reader, seat_infos(names), 30).log
    plain = [entry.text(tuple(game.cast.residents)) for entry in log]
    assert any([names[SEAT_LETTERS.index(mover)] in line for line in plain])
    assert not any(["bdi" in line for line in [*plain, records.write(game)]])


def test_a_device_whose_first_seat_is_freed_goes_on_with_who_is_left_behind_the_curtain(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            for seat in "BC":
                disconnect(room, seat)
            device = Visitor()
            device.role, device.key, device.local_seats = "B", keys["B"], [LocalSeat("C", keys["C"])]
            device.reader = HtmlReader(PageRenderer(), room)
            await device.enter(room)
            await room.start("A")

            def shown() -> str:
                """Which page the device is sent, and whose."""
                device.revalidate(room)
                page, *_ = device.reader.updates(room, device.role, device.key, device.roles[1:])
                return f"{json.loads(page)['page']} {device.role}"

            device.reader.show_seat()
            assert shown() == "table B"
            room.clock.seats[1].timed_out = True
            await room.arrange("A", {"seat": "B", "bot": ""}, keys["A"])
            assert shown() == "pass_device C", "Bo may still look at it"
            assert device.roles == ("C",)
            assert not room.access.is_connected(1)
            assert room.access.is_connected(2)
            device.reader.show_seat()
            assert shown() == "table C"
            room.clock.seats[2].timed_out = True
            await room.arrange("A", {"seat": "C", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="does not open a seat"):
                device.revalidate(room)

    asyncio.run(evening())


def test_cards_stay_hidden_until_confirmed_though_the_other_local_seat_was_freed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await room.start("A")
            browser = HtmlReader(PageRenderer(), room)
            kinds = [json.loads(browser.updates(room, "B", keys["B"], ("C",))[0])["page"]]
            assert kinds == ["pass_device"]
            assert not [text for text in browser.updates(room, "B", keys["B"]) if '"page":' in text], (
                "it stays as it is"
            )
            browser.show_seat()
            assert json.loads(browser.updates(room, "B", keys["B"])[0])["page"] == "table"

    asyncio.run(evening())
