"""Hints: their consent, their preview, their texts."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final

from argentum import bots
from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR, GameSession, describe_steps
from argentum.rooms.bot_players import BOT_EXECUTOR
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors as why
from argentum.words.advice import ExchangeWarning, strong_move_text

HINT_TIMEOUT: Final = 8.0  # seconds


async def hint_text(sitting: GameSession | None, seat: str) -> str:
    """What a strong bot would do, in a sentence. Memory is a game of its own: there is no advice with it."""
    if sitting is None or sitting.choice_number(seat) is None:
        raise Refused(why.HINT_TURN)
    if sitting.memory_mode:
        raise Refused(why.HINT_MEMORY)
    held = sitting.held.get(seat)
    game = (held.move.game if held is not None else sitting.game).copy()
    adviser = bots.make(bots.strongest(game.players))
    try:
        async with asyncio.timeout(HINT_TIMEOUT):
            made = await BOT_EXECUTOR.play(game, seat, adviser)
    except TimeoutError:
        raise Refused(why.HINT_BUSY) from None
    finally:
        adviser.close()
    return strong_move_text(describe_steps(game, seat, made.steps))


def consent_status(room: Room, role: str) -> dict[str, int]:
    """Whether the people at a table agree to hints: for one alone there is nothing to agree on."""
    seats = people(room)
    agreed = [seat for seat in seats if room.access.digests.get(seat, "") in room.chat.hint_consents]
    asked = len(seats) > 1 and role in seats and not room.arrangement.memory
    return {"asked": asked, "yours": role in agreed, "agreed": len(agreed), "people": len(seats)}


def people(room: Room) -> list[str]:
    """The seats in which people have sat down."""
    places = zip(SEAT_LETTERS, room.arrangement.seats, strict=False)
    return [seat for seat, place in places if place.claimed and not place.bot]


def agree(room: Room, roles: Sequence[str], on: bool) -> None:
    """Somebody agrees to hints, or no longer does. It holds as long as they have the seat."""
    mine = {room.access.digests[role] for role in roles if role != SPECTATOR}
    room.chat.hint_consents = room.chat.hint_consents | mine if on else room.chat.hint_consents - mine


async def hint(room: Room, role: str) -> str:
    """A hint."""
    agreed = consent_status(room, role)
    if agreed["people"] > 1 and agreed["agreed"] < agreed["people"]:
        raise Refused(why.HINT_AGREED)
    return json.dumps({"type": "hint", "words": await hint_text(room.session, role)})


def of_picks(room: Room, seat: str, spots: object) -> str:
    """What the guide says of cards that are picked for an exchange, from what their owner knows."""
    if room.session is None or room.session.choice_number(seat) is None:
        raise Stale(why.NOTHING_ASKED)
    warning = room.session.preview_exchange(seat, spots)
    return json.dumps(picks_message(spots, warning), ensure_ascii=False)


def picks_message(spots: object, warning: ExchangeWarning) -> dict[str, object]:
    """The message `picks`, whose fields are those of the protocol."""
    texts = {"title": warning.title, "words": warning.text, "numbers": warning.numbers, "change": warning.change}
    return {"type": "picks", "spots": spots, "fits": warning.match_state, **texts}
