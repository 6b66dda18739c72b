"""Help with a choice: hints, with other people at the table only if all agree; and what picked cards would come to."""

import json

from argentum.display.errors import Refused, Stale
from argentum.rooms.hints import hint_words
from argentum.web.people import agreement
from argentum.web.room import Room
from argentum.words import errors as why


async def hint(room: Room, role: str) -> str:
    """A hint."""
    agreed = agreement(room, role)
    if agreed["people"] > 1 and agreed["agreed"] < agreed["people"]:
        raise Refused(why.HINT_AGREED)
    return json.dumps({"type": "hint", "words": await hint_words(room.sitting, role)})


def of_picks(room: Room, seat: str, spots: object) -> str:
    """What the guide says of cards that are picked for an exchange, from what their owner knows."""
    if room.sitting is None or room.sitting.choice(seat) is None:
        raise Stale(why.NOTHING_ASKED)
    said = room.sitting.of_picks(seat, spots)
    return json.dumps({"type": "picks", "spots": spots, **said._asdict()}, ensure_ascii=False)
