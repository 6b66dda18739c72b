"""In front of the door: who may connect, in all and from one address, with room kept for players who return."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_network

from argentum.rooms.limits import Limits
from argentum.web.addresses import Network, parsed, subscriber_of, within
from argentum.web.settings import BadSetting, Settings

MOST_KNOWN = 100_000  # subscribers
SENDER = "sender"  # in the state of a socket's scope


class Porch:
    """The connections of a server, counted by subscriber: an IPv4 address, or an IPv6 network of 64 bits.

    A proxy that is trusted counts by the addresses that it names.
    """

    def __init__(self, limits: Limits, settings: Settings | None = None) -> None:
        self.limits = limits
        self.lines = 0
        self.gone = 0  # that have ended
        self.refused = 0
        self.by_subscriber: Counter[str] = Counter()
        self.known: OrderedDict[str, None] = OrderedDict()  # subscribers that have sat at a table, the latest last
        self.banned: tuple[Network, ...] = ()
        proxies = (settings or Settings()).trusted_proxies.split(",")
        try:
            self.proxies = [ip_network(one.strip(), strict=False) for one in proxies if one.strip()]
        except ValueError as error:
            raise BadSetting(f"trusted_proxies are addresses or networks: {error}.") from None

    def is_proxy(self, address: str) -> bool:
        """Whether connections from there are somebody else's."""
        return within(address, self.proxies)

    def is_banned(self, address: str) -> bool:
        """Whether the operator has banned an address, or a network that it is in."""
        return bool(self.banned) and within(address, self.banned)

    def ban(self, addresses: Iterable[str]) -> bool:
        """Ban these and nobody else; whether that is anything new."""
        old, self.banned = self.banned, tuple([network_of(address) for address in sorted(addresses)])
        return self.banned != old

    def admits(self, address: str) -> bool:
        """Let a connection in, if there is room; whoever was let in leaves some time."""
        proxy = self.is_proxy(address)
        returns = proxy or subscriber_of(address) in self.known
        most = self.limits.lines - (0 if returns else self.limits.lines_reserved)
        if self.lines >= most or not (proxy or self.has_room(address)):
            self.refused += 1
            return False
        self.lines += 1
        if not proxy:
            self.by_subscriber[subscriber_of(address)] += 1
        return True

    def leaves(self, address: str) -> None:
        """A connection that was let in is gone."""
        self.lines -= 1
        self.gone += 1
        if not self.is_proxy(address):
            self._drop(address)

    def has_room(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        room = self.by_subscriber[subscriber_of(address)] < self.limits.lines_per_address
        return room and not self.is_banned(address)

    @contextmanager
    def socket(self, address: str, sender: str) -> Iterator[bool]:
        """Whether there is room for a socket of an address; one that came by a proxy is only counted here."""
        if address == sender or self.is_proxy(address):
            yield not self.is_banned(address)
        elif not self.has_room(address):
            self.refused += 1
            yield False
        else:
            self.by_subscriber[subscriber_of(address)] += 1
            try:
                yield True
            finally:
                self._drop(address)

    def _drop(self, address: str) -> None:
        subscriber = subscriber_of(address)
        self.by_subscriber[subscriber] -= 1
        if self.by_subscriber[subscriber] <= 0:
            del self.by_subscriber[subscriber]

    def knows(self, address: str) -> None:
        """Somebody from there sits at a table, and finds room again after their line breaks."""
        subscriber = subscriber_of(address)
        self.known[subscriber] = None
        self.known.move_to_end(subscriber)
        if len(self.known) > MOST_KNOWN:
            self.known.popitem(last=False)


def network_of(text: str) -> Network:
    """The network that is meant; an address is one of its own. ValueError if it is neither."""
    return ip_network(parsed(text.strip()) or text.strip(), strict=False)
