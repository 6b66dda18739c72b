"""Changed parts and fragments of a table page."""

import asyncio
import json
from random import Random

import pytest

from argentum.display.session import PlayedMove
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from argentum.rules.engine import random_move
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import FragmentDecoder, SentFragments
from argentum.web.sockets.readers import PageState
from tests.support.rendering import NAMES, RENDERER


@pytest.fixture
def room(tmp_path: object) -> Room:
    log = SqlJournal.open(f"sqlite:///{tmp_path}/log.db")
    one = Room("quiet-owl", log, {}, Arrangement(tuple([SeatConfig(name, "random") for name in NAMES])), Timing())
    one.play._begin_game(Game.new("dddcdbdadcdadb", len(NAMES), 7, names=NAMES), memory=False)
    asyncio.run(log.close())
    return one


def test_a_round_is_small_for_a_browser(room: Room) -> None:
    """A round of a game sent 1.9 MB to each browser, most of it again and again."""
    sitting, random = room.session, Random(5)
    assert sitting is not None
    game = sitting.game
    readings = {role: PageState() for role in SEAT_LETTERS[: len(NAMES)]}
    octets, moves = 0, 0
    while not game.rounds_finished:
        octets += sum(
            [
                len(text.encode())
                for role, one in readings.items()
                for text in RENDERER.page_updates(room, role, "", one)
            ]
        )
        seat = game.to_move
        room.play.seq += 1
        moves += 1
        sitting.commit(PlayedMove(game, seat, game.play(random_move(game.legal_moves(), random))), room.play.seq)
    assert moves > 30
    assert octets / len(readings) / moves < 1_400  # 100 moves are a long round


def test_pieces_come_together_again_when_both_sides_begin_anew() -> None:
    sent, received, random = SentFragments(), FragmentDecoder(), Random(2)
    anew = 0
    for _ in range(300):
        items = [f'<li class="spot"><button>{random.randrange(2000)}</button></li>' for _ in range(8)]
        fragments = ["<ol>", *items, "</ol>"]
        begins = sent.starts_over()
        anew += begins
        message = {"reset": begins, "parts": [("log", json.loads(sent.encode(fragments)))]}
        assert received.parts(message) == {"log": "".join(fragments)}
    assert anew > 2


def test_readers_share_the_texts_that_they_were_sent() -> None:
    readers = [SentFragments(), SentFragments()]
    for reader in readers:
        reader.encode(["<ol>", "".join(['<li class="spot"><button>Ann</button>', "</li>"]), "</ol>"])
    assert [id(text) for text in readers[0].numbers] == [id(text) for text in readers[1].numbers]
