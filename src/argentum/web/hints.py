"""What a strong bot would do in a reader's place, from what the reader knows; only where nobody else plays."""

import asyncio
import json
import logging

from argentum import bots, words
from argentum.rules.game import Game
from argentum.tableside.moves import Made
from argentum.tableside.refusals import Refused
from argentum.tableside.seating import BENCHES
from argentum.tableside.sitting import WATCH
from argentum.web.room import Room

ADVISER = "seer:150"  # the strongest, with a budget that keeps a table waiting for a moment only
PATIENCE = 8.0  # seconds
logger = logging.getLogger(__name__)


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
    adviser = bots.make(ADVISER)
    try:
        async with asyncio.timeout(PATIENCE):
            made = await BENCHES.think(game, role, adviser)
    except TimeoutError:
        raise Refused("the bot is thinking about something else; ask again in a moment") from None
    finally:
        adviser.close()
    return json.dumps({"type": "hint", "words": said(game, made), "moves": [str(step) for step in made.steps]})


def said(game: Game, made: Made) -> str:
    """A bot's move as advice: what its buttons and cards say, one after another."""
    there, labels = game.copy(), []
    for step in made.steps:
        view = there.view(made.seat)
        if step in view.legal and step.verb != "done":
            labels.append(words.label(step, view))
        there.play(int(step), made.seat)
    return "A strong bot would choose: " + ", then ".join(labels or [str(made.steps[0])]) + "."
