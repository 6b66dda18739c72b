"""The messages that clients send: their fields, the handler of each, and the handlers of moves and clocks."""

import json
from collections.abc import Awaitable, Callable, Mapping, Set
from typing import Any, NamedTuple, TypeAlias

from argentum.display.session import SPECTATOR
from argentum.rooms import chat, hints, lobby, post_game
from argentum.rooms.protocol import Malformed
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection, Visitor

# A handler returns a reply to the client as JSON, or None; it raises `Refused` if it cannot do what the message asks.
Handler: TypeAlias = Callable[[ClientConnection, Room, dict[str, Any]], Awaitable[str | None]]

MAX_MESSAGE_LENGTH = 4096


class MessageSpec(NamedTuple):
    """The handler of a type of message, and its fields besides `type`."""

    handler: Handler
    required: Set[str] = frozenset()
    optional: Set[str] = frozenset()


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


def read_message(text: str | bytes, registry: Mapping[str, MessageSpec]) -> dict[str, Any]:
    """Parse a message and check its fields against a registry; raise `Malformed` with the reason."""
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
    if kind not in registry:
        raise Malformed(f"the type of a message is one of {', '.join(registry)}")
    message["type"] = kind
    if kind == "join":
        message = {OLD_JOIN_FIELDS.get(name, name): value for name, value in message.items()}
    spec = registry[kind]
    unknown = message.keys() - spec.required - spec.optional - {"type"}
    if unknown:
        raise Malformed(f"{kind} does not have {', '.join(sorted(unknown))[:60]}")
    missing = spec.required - message.keys()
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


async def handle_join(_client: ClientConnection, _room: Room, _message: dict[str, Any]) -> None:
    """Refuse a second `join`; `web/sockets/entrance.py` handles the first message of a connection."""
    raise Malformed("you are already at a table")


# By type: all messages, except those that only pages send (`web/sockets/readers.py`).
REGISTRY: Mapping[str, MessageSpec] = {
    "join": MessageSpec(
        handle_join,
        required={"table"},
        optional={
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
        },
    ),
    "claim_seat": MessageSpec(lobby.handle_claim_seat, required={"seat"}, optional={"name"}),
    "add_local_seat": MessageSpec(lobby.handle_add_local_seat, required={"seat"}, optional={"name"}),
    "transfer_host": MessageSpec(lobby.handle_transfer_host, required={"seat"}),
    "move": MessageSpec(handle_move, required={"choice", "move"}, optional={"hold", "id"}),
    "undo": MessageSpec(handle_undo),
    "arrange": MessageSpec(
        lobby.handle_arrange,
        optional={
            "boxes",
            "number",
            "box",
            "token",
            "seats",
            "seat",
            "bot",
            "memory",
            "seconds",
            "away",
            "listed",
            "name",
        },
    ),
    "swap": MessageSpec(lobby.handle_swap, required={"number"}, optional={"box", "seat"}),
    "shuffle_value": MessageSpec(lobby.handle_add_shuffle_value, required={"value"}),
    "start": MessageSpec(lobby.handle_start),
    "rematch": MessageSpec(lobby.handle_rematch),
    "resume_seat": MessageSpec(handle_resume_seat),
    "pace": MessageSpec(handle_set_pace, required={"pace"}),
    "skip_bot_delays": MessageSpec(handle_skip_bot_delays),
    "end_look": MessageSpec(handle_end_look),
    "say": MessageSpec(chat.handle_say, required={"text"}),
    "emote": MessageSpec(chat.handle_emote, required={"text"}),
    "nudge": MessageSpec(chat.handle_nudge, required={"seat"}),
    "disable_chat": MessageSpec(chat.handle_disable_chat, required={"off"}),
    "allow_hints": MessageSpec(hints.handle_allow_hints, required={"on"}),
    "review": MessageSpec(post_game.handle_review),
    "keep_game": MessageSpec(post_game.handle_keep_game),
    "branch": MessageSpec(post_game.handle_branch, required={"at"}),
    "hint": MessageSpec(hints.handle_hint),
    "preview_exchange": MessageSpec(hints.handle_preview_exchange, required={"spots"}),
    "record": MessageSpec(post_game.handle_record),
}


async def dispatch(
    client: ClientConnection, room: Room, message: dict[str, Any], registry: Mapping[str, MessageSpec]
) -> str | None:
    """Call the handler of a message's type; return its reply."""
    return await registry[message.pop("type")].handler(client, room, message)
