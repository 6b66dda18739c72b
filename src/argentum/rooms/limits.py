"""The limits of a server, and rate limits: a token bucket, buckets per address, the limiter for new tables."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from argentum.display.errors import Refused
from argentum.rooms.addresses import address_prefix, subscriber_network
from argentum.words import errors


@dataclass(frozen=True)
class Limits:
    """Limits of a server. Each is a setting: `max_tables = 200` in a file, or `ARGENTUM_MAX_TABLES=200`."""

    # Tables.
    max_tables: int = 5_000
    # An address is an IPv4 address, or a /64 network of IPv6.
    new_tables_burst: int = 60  # new tables and seats that one address may request at once
    new_tables_rate: float = 1.0  # and per second on average
    new_tables_prefix_burst: int = 300  # at once for all addresses of a prefix (/24, or /48 of IPv6) together
    new_tables_prefix_rate: float = 4.0
    new_tables_total_burst: int = 2_000  # at once for all addresses together
    new_tables_total_rate: float = 10.0
    empty_table_minutes: float = 10.0  # until a table without a game is deleted, if only its host has a seat
    lobby_hours: float = 24.0  # until it is deleted, if another player has a seat, or people may take days
    idle_table_hours: float = 24.0  # until a table with a game is unloaded
    grace_minutes: float = 2.0  # until any table may be unloaded or deleted, if the server is full
    keep_days: float = 0.0  # how long the log keeps games; 0: for ever
    keep_slow_days: float = 90.0  # at least, where people may take days for a turn
    startup_grace_minutes: float = 60.0  # after a start or a clock jump, during which nothing is deleted

    # Connections.
    max_connections_per_seat: int = 40  # at one table: for each seat, and for all spectators together
    max_spectators_per_address: int = 10  # at one table, without a key
    max_connections: int = 20_000  # in total
    max_connections_per_address: int = 200
    reserved_connections: int = 1_000  # of these, for addresses that have had a seat before
    header_timeout: float = 10.0  # seconds for a request's headers
    body_timeout: float = 10.0  # and for its body
    write_timeout: float = 20.0  # seconds to wait for a client that does not read

    # Messages.
    message_burst: int = 60  # messages that a connection may send at once
    message_rate: float = 20.0  # and per second on average
    frame_burst: int = 400  # frames of any kind (pings, pongs, fragments of a message) at once
    frame_rate: float = 50.0  # and per second on average
    max_fragments: int = 64  # of one message
    record_burst: int = 5  # records of a game that one address may request at once
    record_rate: float = 0.2  # and per second on average
    review_burst: int = 8  # reviews of a game that one address may request at once
    review_rate: float = 0.05  # and per second on average
    replay_burst: int = 60  # positions of replays that are built for one address at once
    replay_rate: float = 10.0  # and per second on average; further requests wait

    def days_kept(self, is_slow: bool) -> float:
        """Return the days after the last entry for which a table with a game is kept; 0 for ever."""
        return max(self.keep_days, self.keep_slow_days) if self.keep_days and is_slow else self.keep_days


MAX_BUCKETS = 10_000  # above this number, or twice the number that was left the last time, full buckets are dropped


class TokenBucket:
    """Allow bursts of `burst` operations and `rate` operations per second on average."""

    def __init__(self, burst: int, rate: float) -> None:
        self.burst = float(burst)
        self.rate = rate
        self.tokens = self.burst
        self.updated_at = monotonic()

    @property
    def is_full(self) -> bool:
        """Whether the bucket holds as many tokens as a new one."""
        return self.tokens + (monotonic() - self.updated_at) * self.rate >= self.burst

    def try_take(self) -> bool:
        """Take a token if there is one; return whether there was."""
        self._refill()
        if self.tokens < 1.0:
            return False
        self.tokens -= 1.0
        return True

    def reserve(self) -> float:
        """Take a token, even if none is left; return the seconds to wait before using it."""
        self._refill()
        self.tokens -= 1.0
        if self.tokens >= 0.0:
            return 0.0
        return -self.tokens / self.rate if self.rate else inf

    def put_back(self) -> None:
        """Put back a token that was not used."""
        self.tokens += 1.0

    def _refill(self) -> None:
        now = monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.updated_at) * self.rate)
        self.updated_at = now


class AddressBuckets:
    """Token buckets for addresses. Addresses for which `key_function` returns the same key share a bucket."""

    def __init__(self, burst: int, rate: float, key_function: Callable[[str], str] = subscriber_network) -> None:
        self.burst = burst
        self.rate = rate
        self.key_function = key_function
        self.buckets: dict[str, TokenBucket] = {}
        self.max_buckets = MAX_BUCKETS

    def bucket_for(self, address: str) -> TokenBucket:
        if len(self.buckets) > self.max_buckets:
            self.buckets = {name: bucket for name, bucket in self.buckets.items() if not bucket.is_full}
            # With a fixed limit, every call would check all buckets while more than that are not full.
            self.max_buckets = max(MAX_BUCKETS, 2 * len(self.buckets))
        return self.buckets.setdefault(self.key_function(address), TokenBucket(self.burst, self.rate))


class CreationLimiter:
    """Limits new tables and equally expensive operations: per address, per network, and in total."""

    def __init__(self, limits: Limits) -> None:
        self.addresses = AddressBuckets(limits.new_tables_burst, limits.new_tables_rate)
        self.prefixes = AddressBuckets(limits.new_tables_prefix_burst, limits.new_tables_prefix_rate, address_prefix)
        self.global_bucket = TokenBucket(limits.new_tables_total_burst, limits.new_tables_total_rate)

    def check(self, address: str, operation: str = errors.NEW_TABLES) -> None:
        """Count an operation by an address; raise `Refused`, without counting it, if it exceeds a limit."""
        own_bucket, prefix_bucket = self.addresses.bucket_for(address), self.prefixes.bucket_for(address)
        taken: list[TokenBucket] = []
        for bucket, scope in (
            (own_bucket, errors.OF_ADDRESS),
            (prefix_bucket, errors.OF_NETWORK),
            (self.global_bucket, errors.OF_ALL),
        ):
            if not bucket.try_take():
                for other in taken:
                    other.put_back()
                raise Refused(errors.TOO_MANY.format(what=operation, whose=scope))
            taken.append(bucket)
