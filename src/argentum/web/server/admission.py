"""In front of the door: who may connect, in all and from one address, with room kept for players who return."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network

from argentum.rooms.addresses import Network, in_any_network, parse_address, subscriber_network
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Journal
from argentum.web.settings import BadSetting, Settings

MAX_REMEMBERED = 100_000  # subscribers
PEER = "sender"  # in the state of a socket's scope


class ConnectionLimiter:
    """The connections of a server, counted by subscriber: an IPv4 address, or an IPv6 network of 64 bits.

    A proxy that is trusted counts by the addresses that it names.
    """

    def __init__(self, limits: Limits, settings: Settings | None = None) -> None:
        self.limits = limits
        self.open_count = 0
        self.closed_total = 0  # that have ended
        self.refused_total = 0
        self.by_subscriber: Counter[str] = Counter()
        self.returning: OrderedDict[str, None] = OrderedDict()  # subscribers that have sat at a table, the latest last
        self.banned: tuple[Network, ...] = ()
        proxies = (settings or Settings()).trusted_proxies.split(",")
        try:
            self.proxies = [ip_network(text.strip(), strict=False) for text in proxies if text.strip()]
        except ValueError as error:
            raise BadSetting(f"trusted_proxies are addresses or networks: {error}.") from None

    def is_proxy(self, address: str) -> bool:
        """Whether connections from there are somebody else's."""
        return in_any_network(address, self.proxies)

    def is_banned(self, address: str) -> bool:
        """Whether the operator has banned an address, or a network that it is in."""
        return bool(self.banned) and in_any_network(address, self.banned)

    def set_bans(self, addresses: Iterable[str]) -> bool:
        """Ban these and nobody else; whether that is anything new."""
        old, self.banned = self.banned, tuple([parse_network(address) for address in sorted(addresses)])
        return self.banned != old

    def try_acquire(self, address: str) -> bool:
        """Let a connection in, if there is room; whoever was let in leaves some time."""
        proxy = self.is_proxy(address)
        returns = proxy or subscriber_network(address) in self.returning
        most = self.limits.max_connections - (0 if returns else self.limits.reserved_connections)
        if self.open_count >= most or not (proxy or self.has_room(address)):
            self.refused_total += 1
            return False
        self.open_count += 1
        if not proxy:
            self.by_subscriber[subscriber_network(address)] += 1
        return True

    def release(self, address: str) -> None:
        """A connection that was let in is gone."""
        self.open_count -= 1
        self.closed_total += 1
        if not self.is_proxy(address):
            self._decrement(address)

    def has_room(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        room = self.by_subscriber[subscriber_network(address)] < self.limits.max_connections_per_address
        return room and not self.is_banned(address)

    @contextmanager
    def websocket(self, address: str, sender: str) -> Iterator[bool]:
        """Context manager: count a WebSocket against its address; yield whether it is admitted."""
        if address == sender or self.is_proxy(address):
            yield not self.is_banned(address)
        elif not self.has_room(address):
            self.refused_total += 1
            yield False
        else:
            self.by_subscriber[subscriber_network(address)] += 1
            try:
                yield True
            finally:
                self._decrement(address)

    def _decrement(self, address: str) -> None:
        subscriber = subscriber_network(address)
        self.by_subscriber[subscriber] -= 1
        if self.by_subscriber[subscriber] <= 0:
            del self.by_subscriber[subscriber]

    def remember(self, address: str) -> None:
        """Somebody from there sits at a table, and finds room again after their line breaks."""
        subscriber = subscriber_network(address)
        self.returning[subscriber] = None
        self.returning.move_to_end(subscriber)
        if len(self.returning) > MAX_REMEMBERED:
            self.returning.popitem(last=False)


class BanList:
    """Keep a limiter's bans as the database has them, where every server of a cluster reads them."""

    def __init__(self, journal: Journal, limiter: ConnectionLimiter, on_change: Callable[[], None]) -> None:
        self.journal = journal
        self.limiter = limiter
        self.on_change = on_change

    async def set(self, address: str, banned: bool) -> None:
        """Add or remove the ban of an address or a network; other servers read it within seconds."""
        await self.journal.set_ban(address, banned)
        await self.refresh()

    async def refresh(self) -> None:
        """Read the bans, and call `on_change` if they differ."""
        if self.limiter.set_bans(await asyncio.to_thread(self.journal.bans)):
            self.on_change()

    async def run(self, interval: float = 5.0) -> None:
        """Refresh at intervals until cancelled; while the database is away, the last bans hold."""
        while True:
            await asyncio.sleep(interval)
            with suppress(LogError):
                await self.refresh()


def parse_network(text: str) -> Network:
    """The network that is meant; an address is one of its own. ValueError if it is neither."""
    return ip_network(parse_address(text.strip()) or text.strip(), strict=False)
