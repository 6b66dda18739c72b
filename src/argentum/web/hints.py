"""What a strong bot would do in a reader's place, from what the reader knows; only where nobody else plays."""

import asyncio
import json
from collections.abc import Sequence

from argentum import bots, words
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.tableside.refusals import Refused
from argentum.tableside.seating import BENCHES
from argentum.tableside.sitting import WATCH
from argentum.web.room import Room

PATIENCE = 8.0  # seconds


async def hint(room: Room, role: str) -> str:
    """A hint for a browser. Memory is a game of its own: there is none at a table with memory."""
    if role == WATCH or room.game is None or not room.playing or room.choice(role) is None:
        raise Refused("there is a hint when it is your turn")
    people = [place for place in room.arrangement.places if not place.bot]
    if len(people) > 1:
        raise Refused("there are hints only where no other people play")
    if room.arrangement.memory:
        raise Refused("at a table with memory there are no hints; remember")
    game = room.game.copy()
    adviser = bots.make(bots.strongest())
    try:
        async with asyncio.timeout(PATIENCE):
            made = await BENCHES.think(game, role, adviser)
    except TimeoutError:
        raise Refused("the bot is thinking about something else; ask again in a moment") from None
    finally:
        adviser.close()
    return json.dumps({"type": "hint", "words": f"A strong bot would choose: {labelled(game, role, made.steps)}."})


def labelled(game: Game, seat: str, steps: Sequence[Move]) -> str:
    """A move in the words of its buttons and cards, one after another."""
    there = game.copy()
    labels: list[str] = []
    for step in steps:
        view = there.view(seat)
        if step in view.legal and step.verb != "done":
            label = words.label(step, view)
            labels.append(label[:1].lower() + label[1:] if labels else label)
        there.play(int(step), seat)
    return ", ".join(labels or [str(steps[0])])
