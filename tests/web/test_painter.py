"""A browser is sent only what has changed, and nothing that has changed is left out."""

import asyncio
import json
from random import Random

import pytest

from argentum.rules.game import Game, random_move
from argentum.rules.notation import SEATS
from argentum.web.arrangement import Arrangement, Place
from argentum.web.chairs import Pace
from argentum.web.log import Log
from argentum.web.painter import PARTS, Painter, Reading
from argentum.web.room import WATCH, Room

PAINTER = Painter()
NAMES = ["Ann", "Bo", "Cy"]


@pytest.fixture
def room(tmp_path: object) -> Room:
    log = Log.open(f"sqlite:///{tmp_path}/log.db")
    one = Room("quiet-owl", log, {}, Arrangement(tuple([Place(name, "random") for name in NAMES])), Pace())
    one.game = Game.new("dddcdbdddcdddb", len(NAMES), 7, names=NAMES)
    one.games = 1
    one._asked(None)
    asyncio.run(log.close())
    return one


def parts_sent(room: Room, role: str, reading: Reading) -> dict[str, str]:
    return {part: html for text in PAINTER.news(room, role, "", reading) for part, html in json.loads(text)["parts"]}


def every_part(room: Room, role: str, reading: Reading) -> dict[str, str]:
    """All parts of the page as they are now: for a browser that shows such a page, but nothing on it is right."""
    wrong = Reading(frame=reading.frame, game=reading.game, parts=dict.fromkeys(PARTS, -1))
    return parts_sent(room, role, wrong)


def test_a_page_kept_up_by_its_parts_is_the_page_drawn_anew(room: Room) -> None:
    game, random = room.game, Random(3)
    assert game is not None
    readings = {role: Reading() for role in [*SEATS[: len(NAMES)], WATCH]}
    pages: dict[str, dict[str, str]] = {}
    while not game.finished:
        for role, reading in readings.items():
            news = parts_sent(room, role, reading)
            now = every_part(room, role, reading)
            assert len(now) == len(PARTS) + len(NAMES)
            if "stage" not in news:
                assert [part for part in news if news[part] == pages[role][part]] == []
                assert {**pages[role], **news} == now
            pages[role] = now
        game.play(random_move(game.choices(), random))
        room.seq += 1


def test_nothing_is_sent_if_nothing_has_changed(room: Room) -> None:
    reading = Reading()
    assert list(parts_sent(room, "A", reading)) == ["stage"]
    assert PAINTER.news(room, "A", "", reading) == []


def test_the_page_is_whole_when_a_bot_sits_in(room: Room) -> None:
    reading = Reading()
    parts_sent(room, "A", reading)
    room.chairs[0].slow = True
    page = parts_sent(room, "A", reading)["stage"]
    assert "A bot sits in for you" in page
    assert 'id="prompt"' in page
