"""Limits on connections, in total and per address, with a reserve for returning players; and bans."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network

from argentum.rooms.addresses import Network, in_any_network, parse_address, subscriber_network
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Journal
from argentum.rooms.visitor import BANNED, Visitor
from argentum.web.settings import BadSetting, Settings

MAX_REMEMBERED = 100_000  # subscribers that may use the reserve
PEER = "sender"  # key in the state of an ASGI scope: the address of the other end, which may be a proxy


class ConnectionLimiter:
    """Counts a server's connections, and limits them in total and per subscriber.

    A subscriber is an IPv4 address or an IPv6 /64 network. Connections from a trusted proxy are not limited per
    subscriber, but each WebSocket that it relays counts against the subscriber of the client behind it.
    """

    def __init__(self, limits: Limits, settings: Settings | None = None) -> None:
        self.limits = limits
        self.open_count = 0
        self.refused_total = 0
        self.by_subscriber: Counter[str] = Counter()
        self.returning: OrderedDict[str, None] = OrderedDict()  # subscribers that have had a seat, the latest last
        self.banned: tuple[Network, ...] = ()
        self.visitors: set[Visitor] = set()  # whose WebSockets are open
        proxies = (settings or Settings()).trusted_proxies.split(",")
        try:
            self.proxies = [ip_network(text.strip(), strict=False) for text in proxies if text.strip()]
        except ValueError as error:
            raise BadSetting(f"trusted_proxies are addresses or networks: {error}.") from None

    def is_proxy(self, address: str) -> bool:
        """Whether the address is a trusted proxy, which connects on behalf of others."""
        return in_any_network(address, self.proxies)

    def is_banned(self, address: str) -> bool:
        """Whether the address or a network that contains it is banned."""
        return bool(self.banned) and in_any_network(address, self.banned)

    def set_bans(self, addresses: Iterable[str]) -> None:
        """Replace the banned addresses and networks; disconnect the visitors there."""
        self.banned = tuple([parse_network(address) for address in addresses])
        for visitor in self.visitors:
            if self.is_banned(visitor.address):
                visitor.disconnect(BANNED)

    def try_acquire(self, address: str) -> bool:
        """Count a connection if the limits allow it; return whether they do. Call `release` when it closes."""
        proxy = self.is_proxy(address)
        is_returning = proxy or subscriber_network(address) in self.returning
        limit = self.limits.max_connections - (0 if is_returning else self.limits.reserved_connections)
        if self.open_count >= limit or not (proxy or self.has_room(address)):
            self.refused_total += 1
            return False
        self.open_count += 1
        if not proxy:
            self.by_subscriber[subscriber_network(address)] += 1
        return True

    def release(self, address: str) -> None:
        """Stop counting a connection that `try_acquire` admitted, because it has closed."""
        self.open_count -= 1
        if not self.is_proxy(address):
            self._decrement(address)

    def has_room(self, address: str) -> bool:
        """Whether the address is not banned, and its subscriber is below the connection limit."""
        below_limit = self.by_subscriber[subscriber_network(address)] < self.limits.max_connections_per_address
        return below_limit and not self.is_banned(address)

    @contextmanager
    def count_websocket(self, address: str, peer: str) -> Iterator[bool]:
        """Count a WebSocket for the client at `address` while it is open; yield whether it is admitted.

        `peer` is the address of the other end of the connection. If it is the client's own, the connection is counted
        already; if it is a proxy's, only here.
        """
        if address == peer or self.is_proxy(address):
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

    def allow_reserved(self, address: str) -> None:
        """Allow the subscriber at an address to use reserved connections from now on."""
        subscriber = subscriber_network(address)
        self.returning[subscriber] = None
        self.returning.move_to_end(subscriber)
        if len(self.returning) > MAX_REMEMBERED:
            self.returning.popitem(last=False)


class BanList:
    """Keeps a limiter's bans in sync with those in the database, which all servers of a cluster share."""

    def __init__(self, journal: Journal, limiter: ConnectionLimiter) -> None:
        self.journal = journal
        self.limiter = limiter

    async def set(self, address: str, banned: bool) -> None:
        """Ban an address or a network, or lift the ban; other servers read it at their next refresh."""
        await self.journal.set_ban(address, banned)
        await self.refresh()

    async def refresh(self) -> None:
        """Read the bans from the database."""
        self.limiter.set_bans(await asyncio.to_thread(self.journal.bans))

    async def run(self, interval: float = 5.0) -> None:
        """Refresh every `interval` seconds until cancelled; keep the last bans while the database fails."""
        while True:
            await asyncio.sleep(interval)
            with suppress(LogError):
                await self.refresh()


def parse_network(text: str) -> Network:
    """Parse a network, or an address as a network of one address; raise ValueError for other text."""
    return ip_network(parse_address(text.strip()) or text.strip(), strict=False)
