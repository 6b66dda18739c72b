"""What may be used in a window of a turn (G5, G24)."""

from argentum.rules.residents import MAIN_ACTION
from argentum.words.moment import Moment
from argentum.words.seating import listed


def uses(now: Moment, main: bool) -> list[str]:
    """What may be used now: what replaces the draw, or the rest."""
    found: list[str] = []
    for move in now.view.legal:
        if move.verb == "ability":
            number = now.card(move.spot).number
            assert number is not None  # it is faceup
            resident = now.view.residents[number]
            words = f"use your {resident.name}"
            if (resident.window == MAIN_ACTION) == main and words not in found:
                found.append(words)
    if "token" in now.verbs and not main:
        found.append(f"use {now.token}")
    return found


def also(now: Moment) -> str:
    """What may be used besides, as a sentence of its own."""
    found = uses(now, False)
    return f" You may also {listed(found, ' or ')}." if found else ""
