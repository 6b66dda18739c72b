"""New tables from positions of finished games: one person plays on, against bots."""

from random import SystemRandom

from argentum.rules.boxes import own_token
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
    places = [
        Place(seat.name, "", True) if seat.letter == role else Place(seat.name, seat.bot or STAND_IN)
        for seat in room.players()
    ]
    code, token = game.cast.code, game.cast.token  # what the host has arranged since is for a rematch
    memory = room.play.sitting.memory if room.play.sitting is not None else False
    one = Arrangement(tuple(places), code, "" if token == own_token(code) else token, memory, host=role)
    table, key = await hall.set_table(one)
    await table.play_on(there, seed)
    return table.name, key
