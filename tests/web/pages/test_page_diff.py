"""Changed parts and fragments of a table page."""

import json
from random import Random

import pytest

from argentum.display.session import PlayedMove
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import FragmentDecoder, SentFragments
from argentum.web.sockets.readers import PageState
from tests.random_games import random_move
from tests.support.room import make_room, session_of, state_of
from tests.support.scenes import NAMES, page_updates


@pytest.fixture
def room() -> Room:
    game = Game.new("dddcdbdadcdadb", len(NAMES), 7, names=NAMES)
    return make_room(Arrangement(tuple([SeatConfig(name, "random") for name in NAMES])), game)


def test_a_round_sends_few_bytes_to_a_browser(room: Room) -> None:
    session, random = session_of(room), Random(5)
    game = session.game
    pages = {role: PageState() for role in SEAT_LETTERS[: len(NAMES)]}
    byte_count, moves = 0, 0
    while not game.rounds_finished:
        byte_count += sum(
            [len(text.encode()) for role, page in pages.items() for text in page_updates(room, role, "", page)]
        )
        seat = game.to_move
        state_of(room).seq += 1
        moves += 1
        session.commit(PlayedMove(game, seat, game.play(random_move(game, random))), room.seq)
    assert moves > 30
    assert byte_count / len(pages) / moves < 1_400


def test_fragments_are_decoded_after_both_sides_have_cleared_theirs() -> None:
    sent, received, random = SentFragments(), FragmentDecoder(), Random(2)
    resets = 0
    for _ in range(300):
        items = [f'<li class="spot"><button>{random.randrange(2000)}</button></li>' for _ in range(8)]
        fragments = ["<ol>", *items, "</ol>"]
        reset = sent.clear_if_full()
        resets += reset
        message = {"reset": reset, "parts": [("log", json.loads(sent.encode(fragments)))]}
        assert received.decode_parts(message) == {"log": "".join(fragments)}
    assert resets > 2


def test_readers_share_the_texts_of_fragments() -> None:
    readers = [SentFragments(), SentFragments()]
    for reader in readers:
        reader.encode(["<ol>", "".join(['<li class="spot"><button>Ann</button>', "</li>"]), "</ol>"])
    assert [id(text) for text in readers[0].numbers] == [id(text) for text in readers[1].numbers]
