"""Internet addresses, as limits and bans count them."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address; None if the text is none. An IPv4 address that is written as IPv6 is the IPv4 address.

    >>> parsed("192.0.2.1"), parsed("::ffff:192.0.2.1"), parsed("browser")
    (IPv4Address('192.0.2.1'), IPv4Address('192.0.2.1'), None)
    """
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def subscriber_of(address: str) -> str:
    """What limits per address count: an IPv4 address, or the /64 network of an IPv6 address, which one person has.

    >>> subscriber_of("192.0.2.1"), subscriber_of("2001:db8::1"), subscriber_of("browser")
    ('192.0.2.1', '2001:db8::/64', 'browser')
    """
    found = parsed(address)
    if found is None:
        return address
    return str(found) if found.version == 4 else str(_network(found, 64))


def address_prefix(address: str) -> str:
    """The network to which an address belongs: one owner may have all of it."""
    found = parsed(address)
    return "elsewhere" if found is None else str(_network(found, 24 if found.version == 4 else 48))


def in_any(address: str, networks: Iterable[Network]) -> bool:
    """Whether an address is in one of these networks."""
    found = parsed(address)
    return found is not None and any([found in network for network in networks])


def _network(address: IPv4Address | IPv6Address, bits: int) -> Network:
    return ip_network((int(address), bits), strict=False)
