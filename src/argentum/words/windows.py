"""What may be used in a window of a turn (G5, G24)."""

from argentum.rules.residents import MAIN_ACTION
from argentum.words.moment import Moment
from argentum.words.seating import listed


def usable(now: Moment, main: bool = False) -> list[str]:
    """What may be used now, by name: what replaces the draw, or the rest."""
    found: list[str] = []
    for move in now.view.legal:
        if move.verb == "ability":
            number = now.card(move.spot).number
            assert number is not None  # it is faceup
            resident = now.view.residents[number]
            if (resident.window == MAIN_ACTION) == main and f"your {resident.name}" not in found:
                found.append(f"your {resident.name}")
    if "token" in now.verbs and not main:
        found.append(now.token)
    return found


def uses(now: Moment, main: bool = False) -> list[str]:
    """One way to go on: to use one of these; none if there are none."""
    found = usable(now, main)
    return [f"use {listed(found, ' or ')}"] if found else []


def also(now: Moment) -> str:
    """What may be used besides, as a sentence of its own."""
    return "".join([f" You may also {way}." for way in uses(now)])
