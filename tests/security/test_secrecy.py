"""Nothing leaks: what a seat is sent does not change when what it cannot know is dealt anew.

Games of two rounds are played while the traffic of every seat and of an onlooker is made, both as HTML and as JSON.
Again and again, and always after a shuffle or within a pick of several cards, the faces that a reader does not know are
dealt anew, and the same news are made from that table: they must be the same to the last byte, so element ids, order,
class names and sizes too.
"""

import asyncio
from random import Random

import pytest

from argentum import bots
from argentum.display.seat_memory import SeatMemory
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.display.updates import update_json
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.sockets.readers import PageState
from tests.support.scenes import page_updates

ENOUGH = 20  # hard cases in a game


def a_table(log: SqlJournal, boxes: str, players: int, memory: bool, seed: int) -> Room:
    names = ["Ann", "Bo", "Cy", "Dee"][:players]
    arrangement = Arrangement(tuple([SeatConfig(name, "random") for name in names]), memory=memory, guided=True)
    room = Room("quiet-owl", log, {}, arrangement, Timing(look_seconds=1e9))
    room.play._begin_game(Game.new(boxes, players, seed, names=names, rounds=2), memory)
    return room


def sitting_at(room: Room) -> GameSession:
    assert room.session is not None
    return room.session


def redealt(room: Room, role: str, random: Random) -> Room:
    """The same table, but for the faces that a role cannot know."""
    here = sitting_at(room)
    other = Room(room.name, room.play.log, {}, room.arrangement, room.clock.timing)
    other.play._begin_game(here.game.redeal(None if role == SPECTATOR else role, random), here.memory_mode)
    there = sitting_at(other)
    other.play.rounds_seen, other.play.seq, there.revision = room.play.rounds_seen, room.play.seq, here.revision
    for seat, question in there.pending.items():
        question.number = here.pending[seat].number
    if role != SPECTATOR:  # what the reader saw a moment ago
        there.memories[role] = SeatMemory(role, there.game, there.public_events, dict(here.memory_of(role).seen_at))
    return other


def news(room: Room, role: str, reading: PageState) -> list[str]:
    """What is sent to a browser that has this page, to one that comes now, and to a program."""
    key = "key" if role == SEAT_LETTERS[0] else ""
    fresh = PageState(rounds_seen=reading.rounds_seen)
    return [
        *page_updates(room, role, key, reading),
        *page_updates(room, role, key, fresh),
        update_json(role, room.update_fields(), room.session, None)[0],
        update_json(role, room.update_fields(), room.session, 0)[0],
    ]


def go_on(room: Room, seat: str, steps: list[Move]) -> None:
    """The game was played on; the table knows now."""
    room.play.seq += 1
    sitting_at(room).commit(PlayedMove(sitting_at(room).game, seat, steps), room.play.seq)


def hard_cases(game: Game, since: int) -> bool:
    """Whether something has just happened that hides or half shows cards: a shuffle (B8), a look, a pick of several."""
    asking = game.view().asking
    shuffled = any([event.kind == "shuffled" for event in game.events(None, since)])
    return shuffled or (asking is not None and bool(asking.picked) and not game.in_first_look)


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
def test_traffic_does_not_change_with_what_its_reader_cannot_know(boxes: str, memory: bool, tmp_path: object) -> None:
    random = Random(f"{boxes} {memory} 3")
    players = random.choice([2, 3, 4])
    code = random_deck_code(random) if boxes == "random" else boxes
    log = SqlJournal.open(f"sqlite:///{tmp_path}/log.db")
    room = a_table(log, code, players, memory, random.getrandbits(32))
    game = sitting_at(room).game
    roles = [*SEAT_LETTERS[:players], SPECTATOR]
    readings = {role: PageState() for role in roles}
    player = bots.make("novice", 1)
    compared, hard = 0, 0
    while not game.over:
        finished, told = game.rounds_finished, len(game.events(None))
        seat = game.to_move
        using = [move for move in game.legal(seat) if str(move) == "use"]  # so that every ability is seen
        go_on(room, seat, game.play(int(using[0] if using else player.choose(game.view(seat))), seat))
        room.play.rounds_seen = [finished] * 4  # so that each round's reveal is shown once
        readings[SPECTATOR].rounds_seen = finished
        special = hard < ENOUGH and hard_cases(game, told)
        if (special or random.random() < 0.08) and not game.over:
            hard += special
            for role in roles if special else random.sample(roles, 1):
                twin = readings[role].copy()
                other = redealt(room, role, random)
                assert news(room, role, readings[role]) == news(other, role, twin)
                compared += 1
    assert compared > 10
    assert hard > 3
    assert boxes != "bullet" or game.shuffles(1) + game.shuffles(2)
    asyncio.run(log.close())


def test_the_test_can_fail(tmp_path: object) -> None:
    """A page made from another seat's view is found out."""
    log = SqlJournal.open(f"sqlite:///{tmp_path}/log.db")
    room = a_table(log, "dagger", 2, False, 1)
    sitting = sitting_at(room)
    go_on(room, "A", sitting.game.play("peek A1 A2"))
    own = news(room, "A", PageState())
    dealt = [news(redealt(room, "B", Random(seed)), "A", PageState()) for seed in range(5)]
    assert any(other != own for other in dealt)
    asyncio.run(log.close())
