"""New tables from positions of finished games: one person plays on, against bots."""

from random import SystemRandom
from typing import Any

from argentum.display.replay import branch
from argentum.records.steps import written_moves
from argentum.rooms.arrangement import Arrangement, Place
from argentum.rooms.bot_players import STAND_IN
from argentum.rules.boxes import own_token
from argentum.rules.game import Game
from argentum.web.hall import Hall
from argentum.web.room import Room
from argentum.web.story import course


async def set_branch(hall: Hall, room: Room, role: str, at: int, address: str = "") -> tuple[str, str]:
    """A table where a seat plays on from a position of a finished game: its name, and the key of that seat.

    It counts as a new table of the address.
    """
    game = room.game
    assert game is not None
    hall.gates.check(address)
    seed = SystemRandom().getrandbits(62)
    there, entries = await hall.replays.run(_branched, game, at, role, seed)
    places = [
        Place(seat.name, "", True) if seat.letter == role else Place(seat.name, seat.bot or STAND_IN)
        for seat in room.players()
    ]
    code, token = game.cast.code, game.cast.token  # what the host has arranged since is for a rematch
    memory = room.play.sitting.memory if room.play.sitting is not None else False
    one = Arrangement(tuple(places), code, "" if token == own_token(code) else token, memory, host=role)
    table, key = await hall.set_table(one, address=address)
    await table.play_on(there, entries)
    return table.name, key


def _branched(game: Game, at: int, role: str, seed: int) -> tuple[Game, list[tuple[str, dict[str, Any]]]]:
    """The game to be played on, and its entries so far."""
    last = len(written_moves(game)) - 1
    there = branch(game, min(max(at, 0), last), role, seed)
    return there, course(there, seed)
