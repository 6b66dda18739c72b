"""IP addresses and the networks that rate limits and bans apply to."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parse_address(address: str) -> IPv4Address | IPv6Address | None:
    """Parse an address; None if it is invalid. IPv4-mapped IPv6 addresses become IPv4.

    >>> parse_address("192.0.2.1"), parse_address("::ffff:192.0.2.1"), parse_address("browser")
    (IPv4Address('192.0.2.1'), IPv4Address('192.0.2.1'), None)
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def subscriber_network(address: str) -> str:
    """Return the network of one subscriber: an IPv4 address, or the /64 network of an IPv6 address.

    Text that is not an address is returned unchanged.

    >>> subscriber_network("192.0.2.1"), subscriber_network("2001:db8::1"), subscriber_network("browser")
    ('192.0.2.1', '2001:db8::/64', 'browser')
    """
    ip = parse_address(address)
    if ip is None:
        return address
    return str(ip) if ip.version == 4 else str(_network(ip, 64))


def address_prefix(address: str) -> str:
    """Return the /24 (IPv4) or /48 (IPv6) network of an address, which often has one owner.

    Text that is not an address belongs to the network `elsewhere`.
    """
    ip = parse_address(address)
    return "elsewhere" if ip is None else str(_network(ip, 24 if ip.version == 4 else 48))


def in_any_network(address: str, networks: Iterable[Network]) -> bool:
    ip = parse_address(address)
    return ip is not None and any([ip in network for network in networks])


def _network(address: IPv4Address | IPv6Address, bits: int) -> Network:
    return ip_network((int(address), bits), strict=False)
