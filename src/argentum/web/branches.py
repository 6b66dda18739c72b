"""New tables from positions of finished games: one person plays on, against bots."""

from random import SystemRandom

from argentum.rules.notation import SEATS
from argentum.tableside.arrangement import Arrangement, Place
from argentum.tableside.branch import branch
from argentum.tableside.replay import film
from argentum.tableside.seating import STAND_IN
from argentum.web.hall import Hall
from argentum.web.room import Room


async def set_branch(hall: Hall, room: Room, role: str, at: int) -> tuple[str, str]:
    """A table where a seat plays on from a position of a finished game: its name, and the key of that seat."""
    game = room.game
    assert game is not None
    seed = SystemRandom().getrandbits(62)
    there = branch(game, min(max(at, 0), len(film(game)) - 2), role, seed)
    old = zip(SEATS, room.arrangement.places, strict=False)
    places = [
        Place(place.name, "", True) if letter == role else Place(place.name, place.bot or STAND_IN)
        for letter, place in old
    ]
    one = room.arrangement
    table, key = await hall.set_table(Arrangement(tuple(places), one.code, one.token, one.memory, host=role))
    await table.play_on(there, seed)
    return table.name, key
