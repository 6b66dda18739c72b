"""How fast messages may come, and how many new tables may be asked for."""

from collections.abc import Callable
from math import inf
from time import monotonic

from argentum.display.errors import Refused
from argentum.web.addresses import prefix_of, subscriber_of
from argentum.web.settings import Limits
from argentum.words import errors as why

MOST_GATES = 10_000


class Gate:
    """A limit on how fast messages come: so many at once, so many a second in the long run."""

    def __init__(self, burst: int, rate: float) -> None:
        self.burst = float(burst)
        self.rate = rate
        self.left = self.burst
        self.at = monotonic()

    @property
    def rested(self) -> bool:
        """Whether nothing has come for so long that it is as good as new."""
        return self.left + (monotonic() - self.at) * self.rate >= self.burst

    def admits(self) -> bool:
        """Whether one more may pass now."""
        self._refill()
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True

    def reserve(self) -> float:
        """Take the next turn, and return in how many seconds it comes."""
        self._refill()
        self.left -= 1.0
        if self.left >= 0.0:
            return 0.0
        return -self.left / self.rate if self.rate else inf

    def give_back(self) -> None:
        """What passed here was stopped elsewhere, or a reserved turn is not used."""
        self.left += 1.0

    def _refill(self) -> None:
        now = monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now


class AddressGates:
    """A gate for each address, or for each network that addresses belong to."""

    def __init__(self, burst: int, rate: float, name_of: Callable[[str], str] = subscriber_of) -> None:
        self.burst = burst
        self.rate = rate
        self.name_of = name_of
        self.gates: dict[str, Gate] = {}

    def of(self, address: str) -> Gate:
        """The gate of an address."""
        if len(self.gates) > MOST_GATES:
            self.gates = {name: gate for name, gate in self.gates.items() if not gate.rested}
        return self.gates.setdefault(self.name_of(address), Gate(self.burst, self.rate))


class Gates:
    """Limits on what costs as much as a new table: for an address, for a prefix together, and for everybody."""

    def __init__(self, limits: Limits) -> None:
        self.addresses = AddressGates(limits.new_tables_burst, limits.new_tables_rate)
        self.prefixes = AddressGates(limits.prefix_burst, limits.prefix_rate, prefix_of)
        self.all = Gate(limits.all_burst, limits.all_rate)

    def check(self, address: str, what: str = why.NEW_TABLES) -> None:
        """Let one more request of an address pass, or refuse it; one that is refused counts for nobody."""
        mine, ours = self.addresses.of(address), self.prefixes.of(address)
        passed: list[Gate] = []
        for gate, whose in ((mine, why.OF_ADDRESS), (ours, why.OF_NETWORK), (self.all, why.OF_ALL)):
            if not gate.admits():
                for other in passed:
                    other.give_back()
                raise Refused(why.TOO_MANY.format(what=what, whose=whose))
            passed.append(gate)
