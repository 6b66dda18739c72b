"""Nothing leaks: what a seat is sent does not change when what it cannot know is dealt anew.

Whole games are played while the traffic of every seat and of an onlooker is made, both as HTML and as JSON. Again and
again the faces that a reader does not know are dealt anew, and the same news are made from that table: they must be the
same to the last byte, so element ids, order, class names and sizes too.
"""

import asyncio
from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest

from argentum import bots
from argentum.rules.boxes import random_code
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.rules.residents import BOXES
from argentum.tableside.recall import Recall
from argentum.web.arrangement import Arrangement, Place
from argentum.web.chairs import Pace
from argentum.web.log import Log
from argentum.web.painter import Painter, Reading
from argentum.web.protocol import update_json
from argentum.web.room import WATCH, Room

PAINTER = Painter()


def a_table(log: Log, boxes: str, players: int, memory: bool, seed: int) -> Room:
    names = ["Ann", "Bo", "Cy", "Dee"][:players]
    arrangement = Arrangement(tuple([Place(name, "random") for name in names]), memory=memory, guide=True)
    room = Room("quiet-owl", log, {}, arrangement, Pace(fade=1e9))
    room.game = Game.new(boxes, players, seed, names=names)
    room.games = 1
    room._asked(None)
    return room


def redealt(room: Room, role: str, random: Random) -> Room:
    """The same table, but for the faces that a role cannot know."""
    assert room.game is not None
    other = Room(room.name, room.log, {}, room.arrangement, room.pace)
    other.game = room.game.redeal(None if role == WATCH else role, random)
    other.seq, other.games, other.chairs = room.seq, room.games, deepcopy(room.chairs)
    for nth, chair in enumerate(other.chairs[: other.game.players]):
        chair.legal = tuple(other.game.choices_of(nth))
    if role != WATCH:  # what the reader saw a moment ago
        other.recalls[role] = Recall(role, other.game, dict(room.recall(role).looks))
    return other


def news(room: Room, role: str, reading: Reading) -> list[str]:
    """What is sent to a browser that has this page, to one that comes now, and to a program."""
    token = "token" if role == SEATS[0] else ""
    fresh = Reading(rounds_seen=reading.rounds_seen)
    return [
        *PAINTER.news(room, role, token, reading),
        *PAINTER.news(room, role, token, fresh),
        update_json(room, role, None)[0],
        update_json(room, role, 0)[0],
    ]


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("boxes", [*BOXES, "random"])
def test_traffic_does_not_change_with_what_its_reader_cannot_know(boxes: str, memory: bool, tmp_path: object) -> None:
    random = Random(f"{boxes} {memory}")
    players = random.choice([2, 3, 4])
    code = random_code(random) if boxes == "random" else boxes
    log = Log.open(f"sqlite:///{tmp_path}/log.db")
    room = a_table(log, code, players, memory, random.getrandbits(32))
    game = room.game
    assert game is not None
    roles = [*SEATS[:players], WATCH]
    readings = {role: Reading() for role in roles}
    player = bots.make("novice", 1)
    compared = 0
    while not game.over:
        finished = len(game.finished)
        seat = game.to_move
        game.play(int(player.choose(game.view(seat))), seat)
        room.seq += 1
        room._asked(seat)
        for chair in room.chairs:
            chair.rounds_seen = finished  # so that each round's reveal is shown once
        readings[WATCH].rounds_seen = finished
        if random.random() < 0.12 and not game.over:
            role = random.choice(roles)
            twin = replace(readings[role], parts=dict(readings[role].parts))
            other = redealt(room, role, random)
            assert news(room, role, readings[role]) == news(other, role, twin)
            compared += 1
    assert compared > 10
    asyncio.run(log.close())


def test_the_test_can_fail(tmp_path: object) -> None:
    """A page made from another seat's view is found out."""
    log = Log.open(f"sqlite:///{tmp_path}/log.db")
    room = a_table(log, "dagger", 2, False, 1)
    assert room.game is not None
    room.game.play("peek A1 A2")
    room.seq += 1
    own = news(room, "A", Reading())
    dealt = [news(redealt(room, "B", Random(seed)), "A", Reading()) for seed in range(5)]
    assert any(other != own for other in dealt)
    asyncio.run(log.close())
