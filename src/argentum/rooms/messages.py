"""The messages that clients send: who may send each, its fields and its handler; and the handlers of moves and clocks.

The protocol page of the documentation is made from `REGISTRY`, `ALIASES` and the messages of `web/sockets/readers.py`.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms import chat, hints, lobby, post_game
from argentum.rooms.protocol import Malformed
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection, Visitor
from argentum.words import errors

# A handler returns a reply as JSON, `HELD`, or None; it raises `Refused` if it cannot do what the message asks.
Handler: TypeAlias = Callable[[ClientConnection, Room, dict[str, Any]], Awaitable[str | None]]

MAX_MESSAGE_LENGTH = 4096
HELD: Final = "held"  # a handler's reply for a move that is held, and the type of the answer
HELD_SINCE = 3  # version of the protocol


class Sender(Enum):
    """Who may send a type of message, in the words of the protocol page."""

    ANYONE = "anyone"
    SPECTATOR = "spectators"
    SEATED = "players"
    HOST = "the host"  # the device that has the host's seat
    LOCAL = "players, for a seat on their device"


class MessageSpec(NamedTuple):
    """The handler of a type of message, who may send it, and its fields besides `type` and `id`.

    Handlers check rules that are finer than `sender`, such as that every player may change their own name.
    """

    handler: Handler
    sender: Sender
    description: str  # for the protocol page, in Markdown
    required: Sequence[str] = ()
    optional: Sequence[str] = ()


# Earlier names of message types, accepted from programs until version 2 of the protocol ends.
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
    unknown = message.keys() - {"type", "id", *spec.required, *spec.optional}
    if unknown:
        raise Malformed(f"{kind} does not have {', '.join(sorted(unknown))[:60]}")
    missing = set(spec.required) - message.keys()
    if missing:
        raise Malformed(f"{kind} needs {', '.join(sorted(missing))}")
    return message


async def handle_move(client: ClientConnection, room: Room, message: dict[str, Any]) -> str | None:
    """Play a move; return `HELD` if it is held."""
    role = client.visitor.role
    is_held = await room.play_move(role, message["choice"], message["move"], message.get("hold") is True)
    return HELD if is_held else None


async def handle_undo(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    await room.take_back(client.visitor.role)


async def handle_resume_seat(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    for role in client.visitor.roles:
        room.resume_seat(role)


async def handle_set_pace(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    """Set the pace of bots for all seats on the device. Pages send their pace before they know whether they watch."""
    if client.visitor.role != SPECTATOR:
        for role in client.visitor.roles:
            room.set_pace(role, message["pace"])


async def handle_skip_bot_delays(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    for role in client.visitor.roles:
        room.skip_bot_delays(role)


async def handle_end_look(client: ClientConnection, room: Room, _message: dict[str, Any]) -> None:
    """Hide the cards of the shown seat. The cards of other seats on the device are not shown."""
    room.end_look(client.visitor.role)


async def handle_join(_client: ClientConnection, _room: Room, _message: dict[str, Any]) -> None:
    """Refuse a second `join`; `web/sockets/entrance.py` handles the first message of a connection."""
    raise Malformed("you are already at a table")


# By type: all messages, except those that only pages send (`web/sockets/readers.py`).
REGISTRY: Mapping[str, MessageSpec] = {
    "join": MessageSpec(
        handle_join,
        Sender.ANYONE,
        "connect to a seat; the first client in a seat may give a `name`. Without a key, watch a listed table. With"
        " `talk` true, you also get the chat. With `game` and the key of its link, see a finished game",
        required=("table",),
        optional=(
            "key",
            "protocol",
            "name",
            "talk",
            "format",
            "device",
            "take_over",
            "local_keys",
            "game",
            "build",
            "reloaded",
        ),
    ),
    "move": MessageSpec(
        handle_move,
        Sender.SEATED,
        'make a move. With `"hold": true`, a move that reveals no card (a take, an ability that asks for a card first)'
        " is held until your next one",
        required=("choice", "move"),
        optional=("hold",),
    ),
    "undo": MessageSpec(handle_undo, Sender.SEATED, "take back held moves"),
    "arrange": MessageSpec(
        lobby.handle_arrange,
        Sender.SEATED,
        "before a game, the host: change the table; in a game, the host: `seat` with an empty `bot` frees the seat of"
        " a player who has been [away for too long](#absent-players); at any time, all: your own `name`",
        optional=(
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
        ),
    ),
    "transfer_host": MessageSpec(
        lobby.handle_transfer_host,
        Sender.SEATED,
        "the host: make another player the host; others, when the host has been [away for too long](#absent-players):"
        " become the host",
        required=("seat",),
    ),
    "shuffle_value": MessageSpec(
        lobby.handle_add_shuffle_value,
        Sender.SEATED,
        "add your random value to the shuffles of the next game, see [fair deals](fairness.md)",
        required=("value",),
    ),
    "start": MessageSpec(lobby.handle_start, Sender.HOST, "start the game"),
    "resume_seat": MessageSpec(
        handle_resume_seat,
        Sender.SEATED,
        "take your seat back from the bot that fills in for you, without a move",
    ),
    "pace": MessageSpec(
        handle_set_pace,
        Sender.ANYONE,
        "how long bots wait before they move: `slow`, `normal` (also read as `even`, its earlier name), `fast` or"
        " `instant`. With several people at a table, the slowest pace counts; that of a spectator does not",
        required=("pace",),
    ),
    "end_look": MessageSpec(
        handle_end_look, Sender.SEATED, "at a table with memory: hide the cards that you have just looked at"
    ),
    "skip_bot_delays": MessageSpec(
        handle_skip_bot_delays, Sender.SEATED, "let bots move without delay until your next choice"
    ),
    "record": MessageSpec(post_game.handle_record, Sender.ANYONE, "ask for the game's record"),
    "rematch": MessageSpec(
        lobby.handle_rematch,
        Sender.ANYONE,
        "after a game, a player: open the lobby of another with the same players",
    ),
    "swap": MessageSpec(
        lobby.handle_swap,
        Sender.LOCAL,
        "before a rematch: a loser replaces a number of the deck; our pages: also for another `seat` on the same"
        " device",
        required=("number",),
        optional=("box", "seat"),
    ),
    "claim_seat": MessageSpec(
        lobby.handle_claim_seat,
        Sender.SPECTATOR,
        "with the key of the invitation: claim a free seat, unless you have held another seat in the running game;"
        " the answer `seat` has its `key`. This connection is the seat's from then on; the key is for `join`, when you"
        " connect again",
        required=("seat",),
        optional=("name",),
    ),
    "add_local_seat": MessageSpec(
        lobby.handle_add_local_seat,
        Sender.HOST,
        "our pages: add a player on the same device, before a game; the answer `seat` has its key",
        required=("seat",),
        optional=("name",),
    ),
    "say": MessageSpec(chat.handle_say, Sender.ANYONE, "send a chat line", required=("text",)),
    "emote": MessageSpec(chat.handle_emote, Sender.ANYONE, "our pages: send an emote", required=("text",)),
    "nudge": MessageSpec(
        chat.handle_nudge, Sender.SEATED, "our pages: remind a player that it is their turn", required=("seat",)
    ),
    "disable_chat": MessageSpec(
        chat.handle_disable_chat, Sender.HOST, "our pages: turn the chat off or on", required=("off",)
    ),
    "allow_hints": MessageSpec(
        hints.handle_allow_hints, Sender.SEATED, "agree to hints at this table, or withdraw that", required=("on",)
    ),
    "hint": MessageSpec(
        hints.handle_hint,
        Sender.SEATED,
        "ask what a strong bot would do; if other people play at the table, only if all agree",
    ),
    "preview_exchange": MessageSpec(
        hints.handle_preview_exchange,
        Sender.SEATED,
        "preview an exchange of these cards of yours, from what you know",
        required=("spots",),
    ),
    "review": MessageSpec(post_game.handle_review, Sender.SEATED, "after a game: ask for a review"),
    "branch": MessageSpec(
        post_game.handle_branch,
        Sender.SEATED,
        "after a game: create a table that continues it against bots, after its first `at` moves",
        required=("at",),
    ),
    "keep_game": MessageSpec(
        post_game.handle_keep_game,
        Sender.SEATED,
        "after a game: keep it forever, even if the server deletes others",
    ),
}


async def dispatch(
    client: ClientConnection, room: Room, message: dict[str, Any], registry: Mapping[str, MessageSpec]
) -> list[str]:
    """Call the handler of a message's type; return its reply, if it has one, and the answer to a message with an id.

    The answer is `done`, or `held` to a held move, except in version 2 of the protocol. Raise `Refused` if the client
    may not send the message.
    """
    spec, message_id = registry[message.pop("type")], message.pop("id", None)
    _require_sender(spec.sender, client.visitor, room, message)
    reply = await spec.handler(client, room, message)
    replies = [reply] if reply not in (None, HELD) else []
    if isinstance(message_id, str | int):
        answer = HELD if reply == HELD and client.visitor.protocol >= HELD_SINCE else "done"
        replies.append(json.dumps({"type": answer, "id": message_id, "seq": room.seq}))
    return replies


def _require_sender(sender: Sender, visitor: Visitor, room: Room, message: Mapping[str, Any]) -> None:
    if sender is Sender.SPECTATOR and visitor.role != SPECTATOR:
        raise Refused(errors.HAS_SEAT)
    if sender is Sender.HOST and room.arrangement.host not in visitor.roles:
        raise Refused(errors.ONLY_HOST)
    if sender in (Sender.SEATED, Sender.LOCAL) and visitor.role == SPECTATOR:
        raise Refused(errors.ONLY_WATCH)
    if sender is Sender.LOCAL and message.get("seat", visitor.role) not in visitor.roles:
        raise Refused(errors.NOT_ON_DEVICE)
