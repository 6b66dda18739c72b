"""The messages that clients send: their fields, the handler of each, and the handlers of moves and clocks."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from argentum.display.session import SPECTATOR
from argentum.rooms import chat, hints, lobby, post_game
from argentum.rooms.protocol import Malformed
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection, Visitor

# A handler returns a reply to the client as JSON, or None; it raises `Refused` if it cannot do what the message asks.
Handler: TypeAlias = Callable[[ClientConnection, Room, dict[str, Any]], Awaitable[str | None]]

MAX_MESSAGE_LENGTH = 4096
# By type of message: the fields that are allowed besides `type`, and those that are required.
REGISTRY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "join": (
        frozenset(
            {
                "table",
                "key",
                "protocol",
                "format",
                "name",
                "device",
                "take_over",
                "talk",
                "local_keys",
                "game",
                "build",
                "reloaded",
            }
        ),
        frozenset({"table"}),
    ),
    "claim_seat": (frozenset({"seat", "name"}), frozenset({"seat"})),
    "watch_only": (frozenset(), frozenset()),
    "add_local_seat": (frozenset({"seat", "name"}), frozenset({"seat"})),
    "show_seat": (frozenset({"seat"}), frozenset({"seat"})),
    "transfer_host": (frozenset({"seat"}), frozenset({"seat"})),
    "move": (frozenset({"choice", "move", "hold", "id"}), frozenset({"choice", "move"})),
    "undo": (frozenset(), frozenset()),
    "arrange": (
        frozenset({"boxes", "number", "box", "token", "seats", "seat", "bot", "memory", "seconds", "listed", "name"}),
        frozenset(),
    ),
    "swap": (frozenset({"number", "box", "seat"}), frozenset({"number"})),
    "shuffle_value": (frozenset({"value"}), frozenset({"value"})),
    "start": (frozenset(), frozenset()),
    "rematch": (frozenset(), frozenset()),
    "return_to_result": (frozenset(), frozenset()),
    "resume_seat": (frozenset(), frozenset()),
    "pace": (frozenset({"pace"}), frozenset({"pace"})),
    "skip_bot_delays": (frozenset(), frozenset()),
    "end_look": (frozenset(), frozenset()),
    "round_seen": (frozenset({"round"}), frozenset({"round"})),
    "show_replay": (frozenset({"at", "eyes"}), frozenset()),
    "say": (frozenset({"text"}), frozenset({"text"})),
    "emote": (frozenset({"text"}), frozenset({"text"})),
    "nudge": (frozenset({"seat"}), frozenset({"seat"})),
    "disable_chat": (frozenset({"off"}), frozenset({"off"})),
    "allow_hints": (frozenset({"on"}), frozenset({"on"})),
    "review": (frozenset(), frozenset()),
    "show_decision": (frozenset({"at"}), frozenset({"at"})),
    "keep_game": (frozenset(), frozenset()),
    "branch": (frozenset({"at"}), frozenset({"at"})),
    "hint": (frozenset(), frozenset()),
    "preview_exchange": (frozenset({"spots"}), frozenset({"spots"})),
    "record": (frozenset(), frozenset()),
}
# Earlier names of message types, accepted from programs in version 2 of the protocol.
ALIASES = {
    "sit": "join",
    "back": "resume_seat",
    "ahead": "skip_bot_delays",
    "looked": "end_look",
    "host": "transfer_host",
    "value": "shuffle_value",
    "take": "claim_seat",
    "quiet": "disable_chat",
    "agree": "allow_hints",
    "picks": "preview_exchange",
    "play_on": "branch",
    "keep": "keep_game",
    "seen": "round_seen",
    "replay": "show_replay",
}
# Fields of `join` that pages of version 1.0.0rc1 send. Such a page is reloaded, with its keys.
OLD_JOIN_FIELDS = {"beside": "local_keys", "move": "take_over"}


def read_message(text: str | bytes) -> dict[str, Any]:
    """Parse a message and check its fields; raise `Malformed` with the reason."""
    if isinstance(text, bytes):
        raise Malformed("messages are text, not bytes")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Malformed(f"a message has at most {MAX_MESSAGE_LENGTH} characters; this one has {len(text)}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("a message is one JSON object") from None
    if not isinstance(message, dict):
        raise Malformed("a message is one JSON object")
    kind = message.get("type")
    kind = ALIASES.get(kind, kind) if isinstance(kind, str) else ""
    if kind not in REGISTRY:
        raise Malformed(f"the type of a message is one of {', '.join(REGISTRY)}")
    message["type"] = kind
    if kind == "join":
        message = {OLD_JOIN_FIELDS.get(name, name): value for name, value in message.items()}
    allowed, needed = REGISTRY[kind]
    unknown = message.keys() - allowed - {"type"}
    if unknown:
        raise Malformed(f"{kind} does not have {', '.join(sorted(unknown))[:60]}")
    missing = needed - message.keys()
    if missing:
        raise Malformed(f"{kind} needs {', '.join(sorted(missing))}")
    return message


async def handle_move(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    await room.play_move(client.visitor.role, message["choice"], message["move"], message.get("hold") is True)


async def handle_undo(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    await room.take_back(client.visitor.role)


async def handle_resume_seat(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    for role in _seated_roles(client.visitor):
        room.resume_seat(role)


async def handle_set_pace(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    for role in _seated_roles(client.visitor):
        room.set_pace(role, message["pace"])


async def handle_skip_bot_delays(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    for role in _seated_roles(client.visitor):
        room.skip_bot_delays(role)


async def handle_end_look(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    if client.visitor.role != SPECTATOR:
        # Not for other seats on the device, because their cards are not shown.
        room.end_look(client.visitor.role)


def _seated_roles(visitor: Visitor) -> tuple[str, ...]:
    """Return the seats on a visitor's device; none for a spectator."""
    return visitor.roles if visitor.role != SPECTATOR else ()


HANDLERS: Mapping[str, Handler] = {
    "move": handle_move,
    "undo": handle_undo,
    "resume_seat": handle_resume_seat,
    "pace": handle_set_pace,
    "skip_bot_delays": handle_skip_bot_delays,
    "end_look": handle_end_look,
    "arrange": lobby.handle_arrange,
    "transfer_host": lobby.handle_transfer_host,
    "shuffle_value": lobby.handle_add_shuffle_value,
    "start": lobby.handle_start,
    "swap": lobby.handle_swap,
    "rematch": lobby.handle_rematch,
    "claim_seat": lobby.handle_claim_seat,
    "add_local_seat": lobby.handle_add_local_seat,
    "say": chat.handle_say,
    "emote": chat.handle_emote,
    "nudge": chat.handle_nudge,
    "disable_chat": chat.handle_disable_chat,
    "allow_hints": hints.handle_allow_hints,
    "hint": hints.handle_hint,
    "preview_exchange": hints.handle_preview_exchange,
    "record": post_game.handle_record,
    "review": post_game.handle_review,
    "branch": post_game.handle_branch,
    "keep_game": post_game.handle_keep_game,
}


async def dispatch(
    client: ClientConnection, room: Room, message: dict[str, Any], page_handlers: Mapping[str, Handler]
) -> str | None:
    """Call the handler of a message's type; return its reply. `page_handlers` are for messages that only pages send."""
    kind = message.pop("type")
    handler = HANDLERS.get(kind) or page_handlers.get(kind)
    if handler is None:
        raise Malformed("you are already at a table")
    return await handler(client, room, message)
