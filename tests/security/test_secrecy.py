"""Secrecy: the messages to a seat do not depend on cards that the seat cannot know.

During games of two rounds, the messages to each seat and to a spectator are made as HTML and as JSON. At random
moments, and whenever a shuffle or a choice of several cards makes a leak likely, the cards that a reader does not know
are dealt again, and the messages must stay the same, byte for byte.
"""

from random import Random

import pytest

from argentum import bots
from argentum.display.seat_memory import SeatMemory
from argentum.display.session import SPECTATOR, PlayedMove
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.clock import Timing
from argentum.rooms.room import Room
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.sockets.readers import PageState
from tests.support.room import make_room, session_of, set_rounds_seen, state_of
from tests.support.scenes import page_updates

MAX_SPECIAL_CASES = 20  # of one game that are tested


def create_room(boxes: str, players: int, memory: bool, seed: int) -> Room:
    names = ["Ann", "Bo", "Cy", "Dee"][:players]
    arrangement = Arrangement(tuple([SeatConfig(name, "random") for name in names]), memory=memory, guided=True)
    return make_room(arrangement, Game.new(boxes, players, seed, names=names, rounds=2), Timing(look_seconds=1e9))


def redeal_room(room: Room, role: str, random: Random) -> Room:
    """Return a copy of a room in which the cards that a role cannot know are dealt again."""
    session = session_of(room)
    game = session.game.redeal(None if role == SPECTATOR else role, random)
    other = make_room(room.arrangement, game, room.timing)
    redealt = session_of(other)
    set_rounds_seen(other, room.rounds_seen("A"))
    state_of(other).seq, redealt.revision = room.seq, session.revision
    for seat, choice in redealt.pending.items():
        choice.number = session.pending[seat].number
    if role != SPECTATOR:
        seen_at = dict(session.memory_of(role).seen_at)
        redealt.memories[role] = SeatMemory(role, redealt.game, redealt.public_events, seen_at)
    return other


def messages_to(room: Room, role: str, page: PageState) -> list[str]:
    """Return the messages to a role in a browser with this page state, in a new browser, and in a program."""
    key = "key" if role == SEAT_LETTERS[0] else ""
    fresh = PageState(rounds_seen=page.rounds_seen)
    return [
        *page_updates(room, role, key, page),
        *page_updates(room, role, key, fresh),
        room.update_json(role, None)[0],
        room.update_json(role, 0)[0],
    ]


def commit(room: Room, seat: str, steps: list[Move]) -> None:
    """Commit a move that was played directly in the room's game."""
    state_of(room).seq += 1
    session_of(room).commit(PlayedMove(session_of(room).game, seat, steps), room.seq)


def is_special_case(game: Game, since: int) -> bool:
    """Whether cards were shuffled (B8) since event number `since`, or a choice of several cards is incomplete."""
    asking = game.view().asking
    shuffled = any([event.kind == "shuffled" for event in game.events(None, since)])
    return shuffled or (asking is not None and bool(asking.picked) and not game.in_first_look)


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "random"])
def test_messages_do_not_depend_on_cards_that_the_reader_cannot_know(boxes: str, memory: bool) -> None:
    random = Random(f"{boxes} {memory} 3")
    players = random.choice([2, 3, 4])
    code = random_deck_code(random) if boxes == "random" else boxes
    room = create_room(code, players, memory, random.getrandbits(32))
    game = session_of(room).game
    roles = [*SEAT_LETTERS[:players], SPECTATOR]
    pages = {role: PageState() for role in roles}
    player = bots.make("novice", 1)
    compared, special_count = 0, 0
    while not game.over:
        finished, event_count = game.rounds_finished, len(game.events(None))
        seat = game.to_move
        uses = [move for move in game.legal(seat) if str(move) == "use"]  # Using them makes every ability come up.
        commit(room, seat, game.play(int(uses[0] if uses else player.choose(game.view(seat))), seat))
        set_rounds_seen(room, finished)  # Show the end of each round once.
        pages[SPECTATOR].rounds_seen = finished
        special = special_count < MAX_SPECIAL_CASES and is_special_case(game, event_count)
        if (special or random.random() < 0.08) and not game.over:
            special_count += special
            for role in roles if special else random.sample(roles, 1):
                other_page = pages[role].copy()
                other = redeal_room(room, role, random)
                assert messages_to(room, role, pages[role]) == messages_to(other, role, other_page)
                compared += 1
    assert compared > 10
    assert special_count > 3
    assert boxes != "bullet" or game.shuffles(1) + game.shuffles(2)


def test_a_page_from_the_view_of_another_seat_is_detected() -> None:
    room = create_room("dagger", 2, False, 1)
    commit(room, "A", session_of(room).game.play("peek A1 A2"))
    messages = messages_to(room, "A", PageState())
    redealt = [messages_to(redeal_room(room, "B", Random(seed)), "A", PageState()) for seed in range(5)]
    assert any(other != messages for other in redealt)
