"""What a strong bot would do in a seat's place, from what that seat knows."""

import asyncio
from collections.abc import Sequence
from typing import Final

from argentum import bots, words
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.tableside.refusals import Refused
from argentum.tableside.seating import BENCHES
from argentum.tableside.sitting import Sitting
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


def labelled(game: Game, seat: str, steps: Sequence[Move]) -> str:
    """A move in the words of its buttons and cards, one after another."""
    there = game.copy()
    labels: list[str] = []
    for step in steps:
        view = there.view(seat)
        if step in view.legal and step.verb != "done":
            label = words.label(step, view)
            labels.append(words.in_sentence(label, view) if labels else label)
        there.play(int(step), seat)
    return ", ".join(labels or [str(steps[0])])
