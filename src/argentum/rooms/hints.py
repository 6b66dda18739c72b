"""Hints: their consent, their preview, their texts."""

import asyncio
from typing import Final

from argentum import bots
from argentum.display.errors import Refused
from argentum.display.session import Sitting, labelled
from argentum.rooms.bot_players import BENCHES
from argentum.words import errors as why
from argentum.words.advice import strong_choice

PATIENCE: Final = 8.0  # seconds


async def hint_words(sitting: Sitting | None, seat: str) -> str:
    """What a strong bot would do, in a sentence. Memory is a game of its own: there is no advice with it."""
    if sitting is None or sitting.choice(seat) is None:
        raise Refused(why.HINT_TURN)
    if sitting.memory:
        raise Refused(why.HINT_MEMORY)
    held = sitting.drafts.get(seat)
    game = (held.made.game if held is not None else sitting.game).copy()
    adviser = bots.make(bots.strongest(game.players))
    try:
        async with asyncio.timeout(PATIENCE):
            made = await BENCHES.think(game, seat, adviser)
    except TimeoutError:
        raise Refused(why.HINT_BUSY) from None
    finally:
        adviser.close()
    return strong_choice(labelled(game, seat, made.steps))
