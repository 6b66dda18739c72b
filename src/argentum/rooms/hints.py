"""Hints from a strong bot, the players' consent to hints, and exchange previews."""

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from argentum import bots
from argentum.display.errors import Refused, Stale
from argentum.display.session import GameSession, describe_steps
from argentum.rooms.bot_players import BOT_EXECUTOR
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors
from argentum.words.advice import ExchangeWarning, strong_move_text

if TYPE_CHECKING:
    from argentum.rooms.visitor import ClientConnection

HINT_BURST: Final = 3
HINT_RATE: Final = 0.2  # per second
HINT_TIMEOUT: Final = 8.0  # seconds


async def hint_text(session: GameSession | None, seat: str) -> str:
    """Return a description of the move that a strong bot would play.

    Raise `Refused` if the seat has no choice, if the bot takes too long, and in memory mode, where players must
    remember cards by themselves.
    """
    if session is None or session.choice_number(seat) is None:
        raise Refused(errors.HINT_TURN)
    if session.memory_mode:
        raise Refused(errors.HINT_MEMORY)
    held_move = session.held.get(seat)
    game = (held_move.move.game if held_move is not None else session.game).copy()
    adviser = bots.make(bots.strongest(game.players, cast=game.cast))
    try:
        async with asyncio.timeout(HINT_TIMEOUT):
            move = await BOT_EXECUTOR.play(game, seat, adviser)
    except TimeoutError:
        raise Refused(errors.HINT_BUSY) from None
    finally:
        adviser.close()
    return strong_move_text(describe_steps(game, seat, move.steps))


def consent_status(room: Room, role: str) -> dict[str, int]:
    """Return the state of the players' consent to hints, for a role's page.

    `asked` is whether the page asks for consent: not in memory mode, nor from spectators or a single player. `yours` is
    whether this role consents. `agreed` is how many of the `people` at the table consent.
    """
    seats = human_seats(room)
    agreed = [seat for seat in seats if room.access.digests.get(seat, "") in room.hint_consents]
    asked = len(seats) > 1 and role in seats and not room.arrangement.memory
    return {"asked": asked, "yours": role in agreed, "agreed": len(agreed), "people": len(seats)}


def human_seats(room: Room) -> list[str]:
    """Return the seats that players have claimed, in order."""
    configs = zip(SEAT_LETTERS, room.arrangement.seats, strict=False)
    return [seat for seat, seat_config in configs if seat_config.claimed and not seat_config.bot]


def allow_hints(room: Room, roles: Sequence[str], allowed: bool) -> None:
    """Give or withdraw the consent of seats to hints. A seat that gets a new key no longer consents."""
    digests = {room.access.digests[role] for role in roles}
    room.hint_consents = room.hint_consents | digests if allowed else room.hint_consents - digests


async def hint_json(room: Room, role: str) -> str:
    """Return a hint as a message; raise `Refused` unless all players consent."""
    consent = consent_status(room, role)
    if consent["people"] > 1 and consent["agreed"] < consent["people"]:
        raise Refused(errors.HINT_AGREED)
    return json.dumps({"type": "hint", "words": await hint_text(room.session, role)})


def preview_json(room: Room, seat: str, spots: object) -> str:
    """Return a message that previews an exchange of cards, from what the seat knows; raise `Refused` if illegal."""
    if room.session is None or room.session.choice_number(seat) is None:
        raise Stale(errors.NOTHING_ASKED)
    preview = room.session.preview_exchange(seat, spots)
    return json.dumps(picks_message(spots, preview), ensure_ascii=False)


def picks_message(spots: object, warning: ExchangeWarning) -> dict[str, object]:
    """Return the message `picks`, the preview of an exchange."""
    texts = {"title": warning.title, "words": warning.text, "numbers": warning.numbers, "change": warning.change}
    return {"type": "picks", "spots": spots, "fits": warning.match_state, **texts}


# Message handlers.


async def handle_allow_hints(client: "ClientConnection", room: Room, message: dict[str, Any]) -> None:
    allow_hints(room, client.visitor.roles, message["on"] is True)
    room.access.notify()


async def handle_hint(client: "ClientConnection", room: Room, _message: dict[str, Any]) -> str:
    if not client.visitor.hint_bucket.try_take():
        raise Refused(errors.HINTS_TOO_FAST)
    return await hint_json(room, client.visitor.role)


async def handle_preview_exchange(client: "ClientConnection", room: Room, message: dict[str, Any]) -> str:
    return preview_json(room, client.visitor.role, message["spots"])
