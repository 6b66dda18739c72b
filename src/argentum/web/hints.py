"""Hints: what a strong bot would do in a reader's place; only where nobody else plays."""

import json

from argentum.tableside.advice import advice
from argentum.tableside.refusals import Refused
from argentum.tableside.sitting import WATCH
from argentum.web.room import Room


async def hint(room: Room, role: str) -> str:
    """A hint. Memory is a game of its own: there is none at a table with memory."""
    if role == WATCH or room.game is None or not room.playing or room.choice(role) is None:
        raise Refused("there is a hint when it is your turn")
    people = [place for place in room.arrangement.places if not place.bot]
    if len(people) > 1:
        raise Refused("there are hints only where no other people play")
    if room.arrangement.memory:
        raise Refused("at a table with memory there are no hints; remember")
    return json.dumps({"type": "hint", "words": await advice(room.game, role)})
