"""What a strong bot would do in a reader's place, from what the reader knows; with other people only if all agree."""

import asyncio
import json
import sys
from collections.abc import Sequence

from argentum import bots, words
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.tableside.refusals import Refused
from argentum.tableside.seating import BENCHES
from argentum.tableside.sitting import WATCH
from argentum.web.people import agreement
from argentum.web.room import Room

# The strongest, with a budget that keeps a table waiting for a moment only; in a browser, the strongest there.
ADVISER = "steady" if sys.platform == "emscripten" else "seer:150"
PATIENCE = 8.0  # seconds


async def hint(room: Room, role: str) -> str:
    """A hint for a browser. Memory is a game of its own: there is none at a table with memory."""
    if role == WATCH or room.game is None or not room.playing or room.choice(role) is None:
        raise Refused("there is a hint when it is your turn")
    agreed = agreement(room, role)["hints"]
    if agreed["people"] > 1 and agreed["agreed"] < agreed["people"]:
        raise Refused("with other people at the table there are hints only if all agree")
    if room.arrangement.memory:
        raise Refused("at a table with memory there are no hints; remember")
    game = room.game.copy()
    adviser = bots.make(ADVISER)
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
