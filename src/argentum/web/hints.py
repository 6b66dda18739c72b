"""Hints: what a strong bot would do in a reader's place; only where nobody else plays."""

import json

from argentum.tableside.advice import advice
from argentum.tableside.refusals import Refused
from argentum.web.room import Room


async def hint(room: Room, role: str) -> str:
    """A hint."""
    people = [place for place in room.arrangement.places if not place.bot]
    if len(people) > 1:
        raise Refused("there are hints only where no other people play")
    return json.dumps({"type": "hint", "words": await advice(room.sitting, role)})
