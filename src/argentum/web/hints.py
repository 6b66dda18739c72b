"""Hints: what a strong bot would do in a reader's place; with other people at the table only if all agree."""

import json

from argentum.tableside.hints import hint_words
from argentum.tableside.refusals import Refused
from argentum.web.people import agreement
from argentum.web.room import Room


async def hint(room: Room, role: str) -> str:
    """A hint."""
    agreed = agreement(room, role)
    if agreed["people"] > 1 and agreed["agreed"] < agreed["people"]:
        raise Refused("with other people at the table there are hints only if all agree")
    return json.dumps({"type": "hint", "words": await hint_words(room.sitting, role)})
