"""Hints from a strong bot, the players' consent to hints, and exchange previews."""

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from argentum import bots
from argentum.display.errors import Refused
from argentum.display.session import describe_steps
from argentum.rooms.bot_players import BOT_EXECUTOR
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.words import errors
from argentum.words.advice import ExchangeWarning, strong_move_text

if TYPE_CHECKING:
    from argentum.rooms.visitor import ClientConnection

HINT_BURST: Final = 3
HINT_RATE: Final = 0.2  # per second
HINT_TIMEOUT: Final = 8.0  # seconds


async def hint_text(game: Game | None, seat: str, memory_mode: bool) -> str:
    """Return a description of the move that a strong bot would play; `game` is None if the seat has no choice.

    Raise `Refused` without a choice, if the bot takes too long, and in memory mode, where players must remember cards
    by themselves.
    """
    if game is None:
        raise Refused(errors.HINT_TURN)
    if memory_mode:
        raise Refused(errors.HINT_MEMORY)
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
    seats, agreed = room.claimed_seats(), room.seats_allowing_hints()
    asked = len(seats) > 1 and role in seats and not room.arrangement.memory
    return {"asked": asked, "yours": role in agreed, "agreed": len(agreed), "people": len(seats)}


async def hint_json(room: Room, role: str) -> str:
    """Return a hint as a message; raise `Refused` unless all players consent."""
    consent = consent_status(room, role)
    if consent["people"] > 1 and consent["agreed"] < consent["people"]:
        raise Refused(errors.HINT_AGREED)
    game = room.game_of(role) if room.choice_number(role) is not None else None
    return json.dumps({"type": "hint", "words": await hint_text(game, role, room.memory_mode)})


def preview_json(room: Room, seat: str, spots: object) -> str:
    """Return a message that previews an exchange of cards, from what the seat knows; raise `Refused` if illegal."""
    return json.dumps(picks_message(spots, room.preview_exchange(seat, spots)), ensure_ascii=False)


def picks_message(spots: object, warning: ExchangeWarning) -> dict[str, object]:
    """Return the message `picks`, the preview of an exchange."""
    texts = {"title": warning.title, "words": warning.text, "numbers": warning.numbers, "change": warning.change}
    return {"type": "picks", "spots": spots, "fits": warning.match_state, **texts}


# Message handlers.


async def handle_allow_hints(client: "ClientConnection", room: Room, message: dict[str, Any]) -> None:
    room.allow_hints(client.visitor.roles, message["on"] is True)


async def handle_hint(client: "ClientConnection", room: Room, _message: dict[str, Any]) -> str:
    if not client.visitor.hint_bucket.try_take():
        raise Refused(errors.HINTS_TOO_FAST)
    return await hint_json(room, client.visitor.role)


async def handle_preview_exchange(client: "ClientConnection", room: Room, message: dict[str, Any]) -> str:
    return preview_json(room, client.visitor.role, message["spots"])
