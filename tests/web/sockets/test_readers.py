"""Updates of pages: browsers are sent every part that has changed, and no other."""

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
from argentum.rooms import lobby
from argentum.rooms.arrangement import Arrangement, Rematch, SeatConfig, set_seat_count
from argentum.rooms.replays import ReplayStep
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import PARTS, FragmentDecoder, SentFragments, ShownTable
from argentum.web.pages.renderer import PageRenderer
from argentum.web.pages.table import TablePage
from argentum.web.sockets.readers import HtmlReader, PageState
from tests.random_games import random_move
from tests.support.pages import seat_infos, table_html
from tests.support.room import (
    begin_game,
    disconnect,
    make_room,
    room_of_three,
    seat_clock,
    session_of,
    set_rounds_seen,
    state_of,
)
from tests.support.scenes import NAMES, RENDERER, page_updates


@pytest.fixture
def room() -> Room:
    game = Game.new("dddcdbdadcdadb", len(NAMES), 7, names=NAMES)
    return make_room(Arrangement(tuple([SeatConfig(name, "random") for name in NAMES])), game)


def parts_sent(room: Room, role: str, page_state: PageState) -> dict[str, str]:
    """Return the parts that a browser with this state is sent next, as HTML keyed by id."""
    fragments = page_state.fragments.copy()
    messages = page_updates(room, role, "", page_state)
    if not messages:
        return {}
    parts = decoder_after(fragments).decode_parts(json.loads(messages[0]))
    assert len(messages) == 1
    return parts


def decoder_after(sent: SentFragments) -> FragmentDecoder:
    """Return a decoder with the fragments that a browser has been sent."""
    browser = FragmentDecoder()
    browser.fragments[:] = sent.numbers
    return browser


def all_parts(room: Room, role: str, page_state: PageState) -> dict[str, str]:
    """Return all parts of the page, by sending them to a browser whose parts all have wrong values."""
    assert page_state.shown_table.page is not None
    shown: list[Any]
    *shown, villages = page_state.shown_table.page
    wrong = [part._make([-1] * len(part)) for part in [*shown, *villages]]
    shown_table = ShownTable()
    shown_table.page = TablePage._make([*wrong[: len(shown)], tuple(wrong[len(shown) :])])
    return parts_sent(
        room, role, PageState(frame=page_state.frame, game_number=page_state.game_number, shown_table=shown_table)
    )


def test_a_page_updated_by_parts_equals_a_newly_rendered_page(room: Room) -> None:
    session, random = session_of(room), Random(3)
    game = session.game
    page_states = {role: PageState() for role in [*SEAT_LETTERS[: len(NAMES)], SPECTATOR]}
    pages: dict[str, dict[str, str]] = {}
    while not game.rounds_finished:
        for role, page_state in page_states.items():
            updated = parts_sent(room, role, page_state)
            page = all_parts(room, role, page_state)
            assert len(page) == len(PARTS) + len(NAMES)
            if "stage" not in updated:
                assert [part for part in updated if updated[part] == pages[role][part]] == []
                assert {**pages[role], **updated} == page
            pages[role] = page
        seat = game.to_move
        state_of(room).seq += 1
        session.commit(PlayedMove(game, seat, game.play(random_move(game, random))), room.seq)


def test_nothing_is_sent_if_nothing_changed(room: Room) -> None:
    page_state = PageState()
    assert list(parts_sent(room, "A", page_state)) == ["stage"]
    assert page_updates(room, "A", "", page_state) == []


def test_the_whole_page_is_sent_when_a_bot_fills_in(room: Room) -> None:
    page_state = PageState()
    parts_sent(room, "A", page_state)
    seat_clock(room, "A").timed_out = True
    page = parts_sent(room, "A", page_state)["stage"]
    assert "A bot fills in for you" in page
    assert 'id="prompt"' in page


def test_a_looked_at_card_is_sent_to_its_viewer_only(room: Room) -> None:
    page_states = {role: PageState() for role in ("A", "B", SPECTATOR)}
    for role, page_state in page_states.items():
        page_updates(room, role, "", page_state)
    session = session_of(room)
    session.commit(session.try_move("A", room.choice_number("A"), "peek A1 A3"), 2)
    sent = {role: json.loads(page_updates(room, role, "", page_state)[0]) for role, page_state in page_states.items()}
    look = sent["A"]["looks"]
    assert look["fade"] is None
    titles = [(place, title) for place, _, title in look["cards"]]
    assert titles == [("A1", "Your first card, 1 of 2"), ("A3", "Your third card, 2 of 2")]
    assert "looks" not in sent["B"]
    assert "looks" not in sent[SPECTATOR]


def test_a_spectator_who_claims_a_seat_is_sent_its_whole_page(room: Room) -> None:
    reader, browser = HtmlReader(RENDERER, room), FragmentDecoder()
    reader.watch_only()
    watched = browser.decode_parts(json.loads(reader.updates(room, SPECTATOR, "")[0]))
    reader.begin_seat(room)
    page, talk, people = [json.loads(text) for text in reader.updates(room, "A", "key")]
    new_page = json.loads(HtmlReader(RENDERER, room).updates(room, "A", "key")[0])
    assert browser.decode_parts(page) == FragmentDecoder().decode_parts(new_page) != watched
    assert page["title"] == new_page["title"]
    assert (talk["you"], talk["old"], people["seats"][0]["yours"]) == ("A", True, True)


def test_a_review_is_not_shown_after_another_game_has_started(room: Room) -> None:
    reader = HtmlReader(RENDERER, room)
    reader.updates(room, "A", "")
    reader.show_review([{"sure": False}], room.game_count)
    assert reader.page.decision_index == 0
    begin_game(room, Game.new("dagger", len(NAMES), 8, names=NAMES))
    reader.updates(room, "A", "")
    reader.show_review([{"sure": False}], room.game_count - 1)
    reader.show_decision(0)
    assert reader.page.decision_index is None


def test_the_device_is_passed_on_only_after_a_look_ends_in_memory_mode(room: Room) -> None:
    begin_game(room, Game.new("dagger", len(NAMES), 7, names=NAMES), memory=True)
    page_state = PageState(local_seats=("B",))
    assert json.loads(page_updates(room, "A", "", page_state)[0])["page"] == "pass_device"
    page_state.device_passed = True
    assert json.loads(page_updates(room, "A", "", page_state)[0])["page"] == "table"
    session = session_of(room)
    session.commit(session.try_move("A", room.choice_number("A"), "peek A1 A3"), session.revision + 1)
    sent = json.loads(page_updates(room, "A", "", page_state)[0])
    assert (sent["page"], len(sent["looks"]["cards"])) == ("table", 2), "the player could not see them on another page"
    room.end_look("A")
    assert json.loads(page_updates(room, "A", "", page_state)[0])["page"] == "pass_device"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_finished_game_stays_visible_while_others_are_in_the_lobby_of_the_rematch(room: Room, seats: int) -> None:
    assert room.game is not None
    random = Random(4)
    while not room.game.over:
        room.game.play(random_move(room.game, random))
    set_rounds_seen(room, room.game.rounds_finished)
    state_of(room).arrangement = replace(
        room.arrangement, rematch=Rematch(room.arrangement.deck_code, room.game.winner)
    )
    state_of(room).arrangement = set_seat_count(room.arrangement, seats)
    assert room.game.names[2] in parts_sent(room, "A", PageState())["stage"]
    assert 'id="village-C"' in parts_sent(room, "A", replay_page_state(room, 3))["stage"]


def replay_page_state(room: Room, at: int) -> PageState:
    """Return the state of a page that shows a position of the finished game."""
    assert room.game is not None
    step = ReplayStep(room.game_count, at, "")
    return PageState(game_number=step.game, replay_index=at, built=(step, Replay.build(game_positions(room.game), at)))


def finish_game(room: Room) -> None:
    assert room.game is not None
    random = Random(4)
    while not room.game.over:
        room.game.play(random_move(room.game, random))


def test_a_replay_shows_no_present_absences_and_no_turn_of_the_viewer(room: Room) -> None:
    state_of(room).arrangement = replace(
        room.arrangement, seats=(SeatConfig("Ann"), SeatConfig("Bo", "random"), SeatConfig("Cy"))
    )
    finish_game(room)
    assert room.game is not None
    turns = [index for index, position in enumerate(game_positions(room.game)) if position.to_move == "A"]
    for turn in turns[:12]:
        page = parts_sent(room, "A", replay_page_state(room, turn))["stage"]
        assert 'class="playing"' in page, "the page says whose turn it was"
        assert 'class="to-act"' not in page
        assert "<li>away</li>" not in page
        assert "fills in" not in page
        assert 'class="since"' not in page


def test_a_link_to_a_replay_works_before_the_last_summary_is_left_and_during_a_rematch(room: Room) -> None:
    finish_game(room)
    page_state = replay_page_state(room, 3)
    assert 'id="replay"' in parts_sent(room, "A", page_state)["stage"], (
        "the summary of the last round has not been left"
    )
    set_rounds_seen(room, 4)
    state_of(room).arrangement = replace(room.arrangement, rematch=Rematch(room.arrangement.deck_code, "A"))
    page_state = replace(replay_page_state(room, 3), left_result_of=room.game_count)
    assert 'id="replay"' in parts_sent(room, "A", page_state)["stage"]
    page_state.replay_index = None
    assert 'id="replay"' not in parts_sent(room, "A", page_state)["stage"]


def test_right_to_left_names_are_isolated_in_html_but_not_in_plain_text() -> None:
    names = ["עדן & co", "عبد الرحمن", "<נועה>"]
    game = Game.new("dagger", 3, 7, names=names)
    for look in ("peek A1 A2", "peek B1 B2", "peek C1 C2"):
        game.play(look, look[5])
    mover, reader = game.to_move, next(seat for seat in game.seats if seat != game.to_move)
    page = table_html(game, reader, names=tuple(names))
    escaped = {seat: str(escape(name)) for seat, name in zip(game.seats, names, strict=True)}
    assert f"It is <bdi>{escaped[mover]}</bdi>&#39;s turn." in page
    for seat in game.seats:
        assert f'<bdi class="score-name">{escaped[seat]}</bdi>' in page
        assert seat == reader or f"<b><bdi>{escaped[seat]}</bdi></b> looked at" in page
    assert "<נועה>" not in page
    log = GameSession(game).build_scene(reader, seat_infos(names), 30).log
    plain = [entry.text(tuple(game.cast.residents)) for entry in log]
    assert any([names[SEAT_LETTERS.index(mover)] in line for line in plain])
    assert not any(["bdi" in line for line in [*plain, records.write(game)]])


def test_freeing_the_visible_seat_of_a_device_switches_to_the_other_with_cards_hidden(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            for seat in "BC":
                disconnect(room, seat)
            device = Visitor()
            device.role, device.key, device.local_seats = "B", keys["B"], [LocalSeat("C", keys["C"])]
            device.reader = HtmlReader(PageRenderer(), room)
            await device.enter(room)
            await lobby.start(room)

            def shown_page() -> str:
                """Return the kind of the page that the device shows, and its seat."""
                device.revalidate(room)
                page, *_ = device.reader.updates(room, device.role, device.key, device.roles[1:])
                return f"{json.loads(page)['page']} {device.role}"

            device.reader.show_seat()
            assert shown_page() == "table B"
            seat_clock(room, "B").timed_out = True
            await lobby.arrange(room, "A", {"seat": "B", "bot": ""}, keys["A"])
            assert shown_page() == "pass_device C", "Bo may still look at it"
            assert device.roles == ("C",)
            assert not room.is_connected("B")
            assert room.is_connected("C")
            device.reader.show_seat()
            assert shown_page() == "table C"
            seat_clock(room, "C").timed_out = True
            await lobby.arrange(room, "A", {"seat": "C", "bot": ""}, keys["A"])
            with pytest.raises(Refused, match="does not open a seat"):
                device.revalidate(room)

    asyncio.run(main())


def test_cards_stay_hidden_until_confirmed_even_if_the_other_local_seat_is_freed(tmp_path: Path) -> None:
    async def main() -> None:
        async with room_of_three(tmp_path) as (room, keys):
            await lobby.start(room)
            browser = HtmlReader(PageRenderer(), room)
            kinds = [json.loads(browser.updates(room, "B", keys["B"], ("C",))[0])["page"]]
            assert kinds == ["pass_device"]
            assert not [text for text in browser.updates(room, "B", keys["B"]) if '"page":' in text], "nothing changes"
            browser.show_seat()
            assert json.loads(browser.updates(room, "B", keys["B"])[0])["page"] == "table"

    asyncio.run(main())
