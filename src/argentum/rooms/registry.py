"""The rooms of a server: find, create, load, unload and hand over rooms."""

import asyncio
import hmac
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from operator import itemgetter
from time import monotonic
from typing import Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.access import derive_key, key_digest, new_key
from argentum.rooms.addresses import subscriber_network
from argentum.rooms.arrangement import Arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.commitments import Commitments
from argentum.rooms.entries import RoomState, TableCreated, entries_until_game_end
from argentum.rooms.holders import Identity
from argentum.rooms.housekeeping import Housekeeper
from argentum.rooms.limits import AddressBuckets, CreationLimiter, Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import CorruptEntry, Entry, EntryConflict, Journal
from argentum.rooms.names import TABLE_NAME, new_table_names
from argentum.rooms.ownership import OwnedElsewhere, Ownership, SingleServer
from argentum.rooms.replays import Replays
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors
from argentum.words.site_texts import deck_name

MAX_OPEN_ROOMS = 20  # tables on the home page
MAX_LISTED_PER_ADDRESS = 2
MOVE_TIMEOUT = 8.0  # seconds to wait for a table of another server, which may be dead and not expired yet
RETRY_INTERVAL = 0.1  # seconds between requests for it
logger = logging.getLogger(__name__)


class RoomRegistry:
    """Finds, creates, loads, unloads and releases the rooms of one server."""

    def __init__(
        self,
        log: Journal,
        timing: Timing | None = None,
        limits: Limits | None = None,
        ownership: Ownership | None = None,
        is_proxy: Callable[[str], bool] = lambda _address: False,
        log_event: Callable[..., None] = lambda _event, **_fields: None,
    ) -> None:
        self.log = log
        self.ownership = ownership or SingleServer()
        self.timing = timing or Timing()
        self.limits = limits or Limits()
        self.is_proxy = is_proxy  # whether an address is a trusted proxy, which many clients share
        self.log_event = log_event
        self.creation_limiter = CreationLimiter(self.limits)
        self.record_buckets = AddressBuckets(self.limits.record_burst, self.limits.record_rate)
        self.review_buckets = AddressBuckets(self.limits.review_burst, self.limits.review_rate)
        self.replays = Replays(self.limits)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._restoring = asyncio.Lock()  # load one table at a time, so that the event loop serves others in between
        self._unloading: dict[str, asyncio.Task[None]] = {}  # tables that are being unloaded or deleted
        self.keys_by_claimant: dict[tuple[str, str], str] = {}  # keys of claimed seats by table and claimant
        self.commitments = Commitments(self.ownership.shared_secret, self.ownership.use_commitment)
        self.started = monotonic()
        self.housekeeper = Housekeeper(self)
        self.closing = False

    def load_all(self) -> None:
        """Load all tables of the log at once; `find` loads them on demand."""
        for name, entries in self.log.all_entries():
            room = self._restore_one(name, entries)
            if room is not None:
                self.rooms[name] = room

    def _restore_one(self, name: str, entries: list[Entry]) -> Room | None:
        try:
            return Room.from_entries(name, entries, self.log, self.timing)
        except Exception:
            logger.exception("table %s is set aside: it cannot be restored", name)
            return None

    async def _restore_in_slices(self, name: str, entries: list[Entry]) -> Room | None:
        try:
            return await Room.load(name, entries, self.log, self.timing)
        except Exception:
            logger.exception("table %s is set aside: it cannot be restored", name)
            return None

    async def find(self, name: str, moved: bool = False) -> Room | None:
        """Return a room by name, loading it if necessary; None if there is none.

        Raises `OwnedElsewhere` if another server has it. `moved`: that server has been asked for it.
        """
        await self.ownership.wait_until_confirmed()
        if name in self.rooms or not TABLE_NAME.fullmatch(name):
            return self.rooms.get(name)
        while name in self._unloading:
            await asyncio.shield(self._unloading[name])
        if name not in self._loading:  # after a restart, all players of a table reconnect at once
            self._loading[name] = asyncio.create_task(self._load(name, moved))
        return await asyncio.shield(self._loading[name])

    async def find_or_move(self, name: str) -> Room | None:
        """Return a room by name, after asking the other server for it that owns it; None if there is none.

        Raises `OwnedElsewhere` if the room has just been moved, or if that server does not release it in time.
        """
        deadline, moved = monotonic() + MOVE_TIMEOUT, False
        while True:
            try:
                return await self.find(name, moved)
            except OwnedElsewhere:
                moved = await self.ownership.request(name)
                if not moved or monotonic() > deadline:
                    raise
            await asyncio.sleep(RETRY_INTERVAL)

    async def find_or_copy(self, name: str, address: str) -> Room | None:
        """Return a room to read; if another server owns it, a copy from the log, which is limited per address."""
        try:
            return await self.find(name)
        except OwnedElsewhere:
            entries = await self._load_entries(name)
            await self.replays.wait_for_turn(address)
            return await self.replays.run_in_thread(self._restore_one, name, entries) if entries else None

    async def _load(self, name: str, moved: bool) -> Room | None:
        """Claim a table and load its room from the log; raise `OwnedElsewhere` if another server owns it."""
        try:
            number = self.ownership.server_number
            if not await self.ownership.claim(name, moved=moved):
                raise OwnedElsewhere(f"another server owns table {name}")
            entries = await self._load_entries(name)
            async with self._restoring:
                room = await self._restore_in_slices(name, entries) if entries else None
            if number != self.ownership.server_number:
                raise LogError("other servers have declared this server dead")
            if room is not None:
                self.rooms.setdefault(name, room)  # `create` may have added it meanwhile
                self.rooms[name].notify()  # where people may take days, bots also move while nobody is connected
            return self.rooms.get(name)
        finally:
            del self._loading[name]

    async def past_game(self, room: Room, game: int, key: str) -> Room:
        """Return a copy of a room as it was when game number `game` ended; `key` is from the link to that game.

        Raise `Refused` if the key is invalid or the game is not over.
        """
        if not key.isascii() or not hmac.compare_digest(room.share_key(game), key):
            raise Refused(errors.NO_SUCH_GAME)
        entries = entries_until_game_end(await self._load_entries(room.name), game)
        past_room = room
        if entries:
            past_room = await self.replays.run_in_thread(Room.from_entries, room.name, entries, self.log, self.timing)
        if past_room is room or past_room.game is None or not past_room.game.over:
            raise Refused(errors.NOT_OVER)
        past_room.make_past(key, room)
        return past_room

    async def _load_entries(self, name: str) -> list[Entry]:
        try:
            return await asyncio.to_thread(self.log.entries, name)
        except CorruptEntry as error:
            logger.error("table %s is set aside: %s", name, error)
            return []

    async def create(self, arrangement: Arrangement, promise: str = "", address: str = "") -> tuple[Room, str]:
        """Create a room; return it with the host's key.

        `promise` is the commitment that the home page has issued for the first game, if any.
        """
        if len(self.rooms) >= self.limits.max_tables:
            await self.housekeeper.evict_idle_room()
        if len(self.rooms) >= self.limits.max_tables:
            raise Refused(errors.SERVER_FULL)
        host_key = new_key()
        keys = {**{role: derive_key(host_key, role) for role in (*SEAT_LETTERS, SPECTATOR)}, arrangement.host: host_key}
        digests = {role: key_digest(key) for role, key in keys.items()}
        created = TableCreated(arrangement, digests, await self.commitments.redeem(promise))
        for name in new_table_names(self.rooms):
            room = Room(name, self.log, RoomState(created, self.timing.look_seconds), self.timing)
            room.set_host_address(address)
            self.rooms[name] = room
            try:
                if not await self.ownership.claim(name, new=True):
                    raise EntryConflict
                await room.save_creation()
            except EntryConflict:  # another server has a table of this name
                self.rooms.pop(name, None)
                continue
            except BaseException:
                self.rooms.pop(name, None)
                raise
            return room, host_key
        raise AssertionError("there is always another name")

    def open_rooms(self) -> list[dict[str, Any]]:
        """Return the listed tables with a free seat, newest first, on all servers."""
        peer_tables = [table for summary in self.ownership.peer_summaries().values() for table in summary["listed"]]
        tables: list[dict[str, Any]] = self.summary()["listed"] + peer_tables
        return sorted(tables, key=itemgetter("age"))[:MAX_OPEN_ROOMS]

    def summary(self) -> dict[str, Any]:
        """Return the room count and the open rooms of this server, for the home page and for other servers."""
        rooms = [
            room
            for room in self.rooms.values()
            if room.arrangement.listed and room.first_free_seat and room.connections
        ]
        newest = self._limit_per_address(sorted(rooms, key=lambda room: room.last_active, reverse=True))
        return {
            "tables": len(self.rooms),
            "listed": [_describe_open_room(room) for room in islice(newest, MAX_OPEN_ROOMS)],
        }

    def _limit_per_address(self, rooms: Iterable[Room]) -> Iterator[Room]:
        """Yield at most `MAX_LISTED_PER_ADDRESS` rooms per host address, or any number for trusted proxies.

        All unknown addresses count as one.
        """
        counts: Counter[str] = Counter()
        for room in rooms:
            subscriber = subscriber_network(room.host_address)
            counts[subscriber] += 1
            if counts[subscriber] <= MAX_LISTED_PER_ADDRESS or self.is_proxy(room.host_address):
                yield room

    def room_count(self) -> int:
        """Count the tables in memory, on all servers."""
        return len(self.rooms) + sum([int(summary["tables"]) for summary in self.ownership.peer_summaries().values()])

    async def join_open_room(self, name: str, player_name: str, address: str = "") -> str:
        """Claim a free seat of a listed table, one per address; return its key."""
        room = await self.find_or_move(name)
        if room is None or not room.arrangement.listed:
            raise Refused(errors.NO_OPEN_TABLE)
        identity = Identity("" if self.is_proxy(address) else subscriber_network(address))
        return await self.assign_seat(room, identity, player_name)

    async def assign_seat(self, room: Room, identity: Identity, name: object, seat: object = None) -> str:
        """Claim a free seat and return its key. Raise `Refused` for a second seat of the same person at this table.

        A person with an invitation is identified by their device, because friends may share an address; anybody else is
        identified by their address. If that identifier is unknown, the number of seats is not limited.
        """
        claimant = identity.device if identity.invited else identity.address
        key, existing = new_key(), self.keys_by_claimant.get((room.name, claimant))
        if not claimant:
            await room.claim_seat(key, name, seat, identity)
            return key
        if existing is not None and (not existing or room.keys.role_for_key(existing)):
            raise Refused(errors.SEAT_AT_ADDRESS)
        self.keys_by_claimant[room.name, claimant] = ""  # reserved until the seat is claimed
        try:
            await room.claim_seat(key, name, seat, identity)
            self.keys_by_claimant[room.name, claimant] = key
        finally:
            if not self.keys_by_claimant[room.name, claimant]:
                del self.keys_by_claimant[room.name, claimant]
        return key

    async def record_visit(self, room: Room) -> None:
        """Reset the expiry of a finished game that a player has opened or that a browser still lists."""
        if self.limits.keep_days and self.rooms.get(room.name) is room:  # not a past game
            await room.record_visit()

    async def delete_unloaded(self, name: str, before: float) -> None:
        """Delete a table whose last entry is before a Unix time, unless a server has it in memory."""
        if name not in self.rooms and name not in self._loading and name not in self._unloading:
            self._unloading[name] = asyncio.create_task(self._delete_one(name, before))
            await asyncio.shield(self._unloading[name])

    async def _delete_one(self, name: str, before: float) -> None:
        try:
            if await self.ownership.claim(name):
                await self.log.delete_older(name, before)
                await self.ownership.release(name)
        finally:
            del self._unloading[name]

    async def hand_over(self, name: str) -> bool:
        """Release a table that another server has asked for; return whether its room was here.

        Everybody there is disconnected. While the room is being loaded, nothing happens: the other server asks again.
        """
        if name in self._loading or name in self._unloading:
            return False
        room = self.rooms.get(name)
        if room is not None:
            await self.unload(room, None)
        else:  # The room could not be restored, or had not been released because the database failed.
            self._unloading[name] = asyncio.create_task(self._release(name))
            await asyncio.shield(self._unloading[name])
        return room is not None

    async def _release(self, name: str) -> None:
        try:
            await self.ownership.release(name)
        finally:
            del self._unloading[name]

    async def delete(self, name: str) -> bool:
        """Delete a table and its games, even if players are connected; return whether it existed."""
        room = await self.find_or_move(name)
        if room is None:
            return False
        room.revoke_keys()
        await self.unload(room, inf)
        return True

    async def unload(self, room: Room, delete_before: float | None) -> None:
        """Unload a room. Delete its log if `delete_before` is a Unix time after the last entry."""
        if self.rooms.get(room.name) is not room:
            return
        del self.rooms[room.name]  # before waiting, so that nobody enters the room meanwhile
        self.keys_by_claimant = {
            (name, address): key for (name, address), key in self.keys_by_claimant.items() if name != room.name
        }
        self._unloading[room.name] = asyncio.create_task(self._finish_unload(room, delete_before))
        await asyncio.shield(self._unloading[room.name])

    async def _finish_unload(self, room: Room, delete_before: float | None) -> None:
        try:
            await room.finish_and_release()
            if delete_before is not None:
                await self.log.delete_older(room.name, delete_before)
            await self.ownership.release(room.name)
        finally:
            del self._unloading[room.name]

    async def release_all(self) -> None:
        """Stop all rooms and disconnect everybody, because other servers may own the rooms."""
        rooms, self.rooms = list(self.rooms.values()), {}
        await asyncio.gather(*[room.release() for room in rooms])

    async def close(self) -> None:
        self.closing = True
        await asyncio.gather(*[room.close() for room in self.rooms.values()])
        self.replays.close()


def _describe_open_room(room: Room) -> dict[str, Any]:
    """Describe a room for the list on the home page."""
    configs = room.arrangement.seats
    return {
        "name": room.name,
        "age": round(monotonic() - room.last_active, 1),
        "link": f"/join/{room.name}",
        "deck": deck_name(room.arrangement.deck_code),
        "seats_free": sum([not seat_config.bot and not seat_config.claimed for seat_config in configs]),
        "players": [seat_config.name for seat_config in configs if seat_config.bot or seat_config.claimed],
    }
