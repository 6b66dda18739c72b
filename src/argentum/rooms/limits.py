"""How fast messages may come, and how many new tables may be asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from argentum.display.errors import Refused
from argentum.rooms.addresses import address_prefix, subscriber_of
from argentum.words import errors as why


@dataclass(frozen=True)
class Limits:
    """How much a server takes on. Each can be set: `max_tables = 200` in a file, or `ARGENTUM_MAX_TABLES=200`."""

    # Tables.
    max_tables: int = 5_000
    # An address is an IPv4 address, or a /64 network of IPv6.
    new_tables_burst: int = 60  # new tables and seats that one address may ask for at once
    new_tables_rate: float = 1.0  # and a second, in the long run
    new_tables_prefix_burst: int = 300  # the same for all addresses of a prefix (/24, or /48 of IPv6) together
    new_tables_prefix_rate: float = 4.0
    new_tables_total_burst: int = 2_000  # the same for everybody together
    new_tables_total_rate: float = 10.0
    empty_table_minutes: float = (
        10.0  # a table with nobody but its host, and no game, is deleted if nobody was there so long
    )
    lobby_hours: float = 24.0  # the same for a table without a game at which somebody else has a seat
    idle_table_hours: float = (
        24.0  # a table with a game at which nobody was for so long waits in the log, not in memory
    )
    grace_minutes: float = 2.0  # both the same, if all tables are taken
    keep_days: float = 0.0  # how long the log keeps finished games; 0: for ever
    startup_grace_minutes: float = 60.0  # after a start or a jump of the clock nothing is deleted for so long

    # Connections.
    max_connections_per_seat: int = 40  # at one table for each seat and for all onlookers, who keep nobody from a seat
    max_spectators_per_address: int = 10  # at one table, without a key
    max_connections: int = 20_000  # connections in all
    max_connections_per_address: int = 200
    reserved_connections: int = 1_000  # of all, for those who have sat at a table before
    header_timeout: float = 10.0  # for a request's headers
    body_timeout: float = 10.0  # and for its body
    write_timeout: float = 20.0  # that something may wait for a client that does not read

    # Messages.
    message_burst: int = 60  # messages that a connection may send at once
    message_rate: float = 20.0  # and a second, in the long run
    frame_burst: int = 400  # the same for frames of any kind: pings, pongs, pieces of a message
    frame_rate: float = 50.0
    max_fragments: int = 64  # of which a message may consist
    record_burst: int = 5  # records of a game that one address may ask for at once
    record_rate: float = 0.2  # and a second, in the long run
    review_burst: int = 8  # reviews of a game that one address may ask for at once
    review_rate: float = 0.05  # and a second, in the long run
    replay_burst: int = 60  # positions of replays that are built for one address at once
    replay_rate: float = 10.0  # and a second, in the long run; more of them wait


MAX_BUCKETS = 10_000


class TokenBucket:
    """A limit on how fast messages come: so many at once, so many a second in the long run."""

    def __init__(self, burst: int, rate: float) -> None:
        self.burst = float(burst)
        self.rate = rate
        self.tokens = self.burst
        self.updated_at = monotonic()

    @property
    def is_full(self) -> bool:
        """Whether nothing has come for so long that it is as good as new."""
        return self.tokens + (monotonic() - self.updated_at) * self.rate >= self.burst

    def try_take(self) -> bool:
        """Whether one more may pass now."""
        self._refill()
        if self.tokens < 1.0:
            return False
        self.tokens -= 1.0
        return True

    def reserve(self) -> float:
        """Take the next turn, and return in how many seconds it comes."""
        self._refill()
        self.tokens -= 1.0
        if self.tokens >= 0.0:
            return 0.0
        return -self.tokens / self.rate if self.rate else inf

    def put_back(self) -> None:
        """What passed here was stopped elsewhere, or a reserved turn is not used."""
        self.tokens += 1.0

    def _refill(self) -> None:
        now = monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.updated_at) * self.rate)
        self.updated_at = now


class AddressGates:
    """A gate for each address, or for each network that addresses belong to."""

    def __init__(self, burst: int, rate: float, name_of: Callable[[str], str] = subscriber_of) -> None:
        self.burst = burst
        self.rate = rate
        self.name_of = name_of
        self.gates: dict[str, TokenBucket] = {}

    def of(self, address: str) -> TokenBucket:
        """The gate of an address."""
        if len(self.gates) > MAX_BUCKETS:
            self.gates = {name: gate for name, gate in self.gates.items() if not gate.is_full}
        return self.gates.setdefault(self.name_of(address), TokenBucket(self.burst, self.rate))


class CreationLimiter:
    """Limits on what costs as much as a new table: for an address, for a prefix together, and for everybody."""

    def __init__(self, limits: Limits) -> None:
        self.addresses = AddressGates(limits.new_tables_burst, limits.new_tables_rate)
        self.prefixes = AddressGates(limits.new_tables_prefix_burst, limits.new_tables_prefix_rate, address_prefix)
        self.global_bucket = TokenBucket(limits.new_tables_total_burst, limits.new_tables_total_rate)

    def check(self, address: str, what: str = why.NEW_TABLES) -> None:
        """Let one more request of an address pass, or refuse it; one that is refused counts for nobody."""
        mine, ours = self.addresses.of(address), self.prefixes.of(address)
        passed: list[TokenBucket] = []
        for gate, whose in ((mine, why.OF_ADDRESS), (ours, why.OF_NETWORK), (self.global_bucket, why.OF_ALL)):
            if not gate.try_take():
                for other in passed:
                    other.put_back()
                raise Refused(why.TOO_MANY.format(what=what, whose=whose))
            passed.append(gate)
