"""Admit a connection by its first message: find the table, check the key, choose the role."""

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.status import WS_1008_POLICY_VIOLATION, WS_1013_TRY_AGAIN_LATER

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.display.updates import DEFAULT_PROTOCOL, SUPPORTED_PROTOCOLS
from argentum.rooms.access import MAX_KEY_LENGTH
from argentum.rooms.addresses import subscriber_network
from argentum.rooms.json_reader import JsonReader
from argentum.rooms.messages import read_message
from argentum.rooms.ownership import OwnedElsewhere
from argentum.rooms.protocol import Malformed, error_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import MOVED, LocalSeat, Visitor
from argentum.web.pages.assets import page_build
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import MESSAGES, HtmlReader
from argentum.words import errors
from argentum.words.english import join_list

if TYPE_CHECKING:
    from argentum.web.sockets.connection import TextSocket

MAX_DEVICE_ID = 40


class SeatInUse(Refused):
    """Raised if the seat is in use on another device."""


def clean_device_id(value: object) -> str:
    """Return the identifier that a browser has given its device, truncated; empty if it is missing or invalid."""
    return value[:MAX_DEVICE_ID] if isinstance(value, str) else ""


def reload_url(message: dict[str, Any]) -> str:
    """Return the URL that a page must load because its scripts are of another build; empty for all other clients.

    A page that has just been reloaded is accepted in any build: another server of the cluster may have sent it.
    """
    build = page_build()
    if not build or message.get("format") != "html" or message.get("reloaded") is True or message.get("build") == build:
        return ""
    local_keys = message.get("local_keys", [])
    keys = [message.get("key", ""), *(local_keys if isinstance(local_keys, list) else [])]
    game = message.get("game")
    query = f"game={game}&reload=1" if isinstance(game, int) else "reload=1"
    return f"/table/{quote(str(message['table']), safe='')}?{query}#{'.'.join([str(key) for key in keys])}"


JOIN_TIMEOUT = 20.0  # seconds
MAX_LOCAL_KEYS = 32  # also of seats that have been freed since the device claimed them


class Entrance:
    """Admits a visitor to a table, or closes the connection with a reason."""

    def __init__(self, socket: "TextSocket", registry: RoomRegistry, renderer: PageRenderer, visitor: Visitor) -> None:
        self.socket = socket
        self.registry = registry
        self.renderer = renderer
        self.visitor = visitor

    async def admit(self) -> Room | None:
        """Read the join message and set up the visitor; return its room, or None if refused."""
        try:
            text = await asyncio.wait_for(self.socket.receive(), JOIN_TIMEOUT)
        except TimeoutError:
            await self.socket.close(WS_1008_POLICY_VIOLATION, "join timeout")
            return None
        try:
            message = read_message(text, MESSAGES)
            if message["type"] != "join":
                raise Malformed("the first message is join")
            url = reload_url(message)
            if url:
                await self.socket.send(json.dumps({"type": "table", "to": url}))
                await self.socket.close(WS_1008_POLICY_VIOLATION, "page outdated")
                return None
            room = await self._find_room(message)
            if room is None:
                return None
            if "game" in message:
                room = await self._past_game(room, message)
            self._identify(room, message)
        except Refused as error:
            code = "elsewhere" if isinstance(error, SeatInUse) else "no seat"
            await self.socket.send(error_json(code, str(error)))
            await self.socket.close(WS_1008_POLICY_VIOLATION, code)
            return None
        if self._is_full(room):
            await self.socket.send(error_json("full", errors.TOO_MANY_CONNECTIONS))
            await self.socket.close(WS_1013_TRY_AGAIN_LATER, "full")
            return None
        return room

    async def _find_room(self, message: dict[str, Any]) -> Room | None:
        """Return the requested room; None, with the connection closed, if another server keeps it."""
        if message.get("protocol", DEFAULT_PROTOCOL) not in SUPPORTED_PROTOCOLS:
            raise Refused(errors.WRONG_PROTOCOL.format(versions=join_list(list(map(str, SUPPORTED_PROTOCOLS)))))
        key, table = message.get("key", ""), message["table"]
        if not isinstance(key, str) or not isinstance(table, str) or len(key) > MAX_KEY_LENGTH:
            raise Malformed("table and key are short texts")
        path_name = self.socket.socket.scope.get("path_params", {}).get("name")
        if path_name is None:
            await self._check_key(table, key)
        elif path_name != table:
            raise Malformed("the path names another table")
        try:
            room = await self.registry.find_or_move(table)
        except OwnedElsewhere:
            await self.socket.close(WS_1013_TRY_AGAIN_LATER, "try again")
            return None
        if room is None:
            raise Refused(errors.NO_SUCH_TABLE)
        return room

    async def _check_key(self, table: str, key: str) -> None:
        """Raise Refused if another server has the table and the key is invalid.

        A proxy cannot route a connection to `/socket`. Without a key, anyone could take a table away from its players.
        """
        room = await self.registry.find_or_copy(table, self.visitor.address)
        if room is not self.registry.rooms.get(table) and not (room and key and room.keys.role_for_key(key)):
            raise Refused(errors.INVALID_SEAT_KEY)

    async def _past_game(self, room: Room, message: dict[str, Any]) -> Room:
        """Return the room as it was at the end of a game; raise Refused if the key does not open that game."""
        game = message["game"]
        if not isinstance(game, int) or isinstance(game, bool):
            raise Malformed("game is a number")
        # The game is replayed for each client that asks for it.
        self.registry.creation_limiter.check(self.visitor.address, errors.NEW_GAMES)
        return await self.registry.past_game(room, game, message.get("key", ""))

    def _identify(self, room: Room, message: dict[str, Any]) -> None:
        """Set the visitor's key, role, reader and local seats from the message; raise Refused for invalid keys."""
        visitor = self.visitor
        visitor.key, visitor.name = message.get("key", ""), message.get("name")
        visitor.role = room.keys.role_for_key(visitor.key)
        visitor.protocol = message.get("protocol", DEFAULT_PROTOCOL)
        if message.get("format") != "html":
            visitor.reader = JsonReader(message.get("talk") is True, visitor.protocol)
            visitor.revalidate(room)
            return
        origin = self.socket.socket.headers.get("origin", "")
        keep_days = self.registry.limits.days_kept(room.arrangement.is_slow)
        visitor.reader = HtmlReader(self.renderer, room, origin, keep_days, "game" in message)
        visitor.device_id = clean_device_id(message.get("device"))
        visitor.local_seats = self._local_seats(room, message.get("local_keys", []))
        visitor.revalidate(room)
        self._take_over(room, message.get("take_over") is True)

    def _local_seats(self, room: Room, keys: object) -> list[LocalSeat]:
        """Return the other seats for which the device has valid keys."""
        if not isinstance(keys, list) or len(keys) > MAX_LOCAL_KEYS or not all([isinstance(key, str) for key in keys]):
            raise Malformed("local_keys is a list of keys")
        key_by_role = {room.keys.role_for_key(key): key for key in keys if key and len(key) <= MAX_KEY_LENGTH}
        return [
            LocalSeat(role, key) for role, key in key_by_role.items() if role not in ("", SPECTATOR, self.visitor.role)
        ]

    def _take_over(self, room: Room, may_take_over: bool) -> None:
        """Disconnect other devices that show the same seats; raise SeatInUse if the player has not agreed to that."""
        visitor = self.visitor
        in_use = [
            other
            for other in room.connections
            if isinstance(other, Visitor)
            and isinstance(other.reader, HtmlReader)
            and not other.disconnect_reason
            and {*other.roles} & {*visitor.roles} - {SPECTATOR}
            and (other.device_id != visitor.device_id or not visitor.device_id)
        ]
        if in_use and not may_take_over:
            raise SeatInUse(errors.OPEN_ELSEWHERE)
        for other in in_use:
            other.disconnect(MOVED)

    def _is_full(self, room: Room) -> bool:
        """Whether the room has too many connections to admit the visitor.

        Spectators without a key may together have half as many connections as a seat, and fewer from one network.
        """
        limits = self.registry.limits
        if room.connection_count(self.visitor.role) >= limits.max_connections_per_seat:
            return True
        if self.visitor.key:
            return False
        strangers = [other for other in room.connections if isinstance(other, Visitor) and not other.key]
        network = subscriber_network(self.visitor.address)
        same_network_count = sum([subscriber_network(other.address) == network for other in strangers])
        limit = limits.max_connections_per_seat // 2
        return len(strangers) >= limit or same_network_count >= limits.max_spectators_per_address
