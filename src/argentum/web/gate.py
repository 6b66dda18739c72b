"""How fast messages may come, and how many new tables may be asked for."""

from ipaddress import ip_address, ip_network
from time import monotonic

from argentum.tableside.refusals import Refused
from argentum.web.settings import Limits
from argentum.words import refusals as why

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
        now = monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True

    def give_back(self) -> None:
        """What passed here was stopped elsewhere."""
        self.left += 1.0


class Gates:
    """Limits on what costs as much as a new table: for an address, for a prefix together, and for everybody."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.gates: dict[str, Gate] = {}
        self.all = Gate(limits.all_burst, limits.all_rate)

    def check(self, address: str, what: str = why.NEW_TABLES) -> None:
        """Let one more request of an address pass, or refuse it; one that is refused counts for nobody."""
        if len(self.gates) > MOST_GATES:
            self.gates = {name: gate for name, gate in self.gates.items() if not gate.rested}
        mine = self._gate(address, self.limits.new_tables_burst, self.limits.new_tables_rate)
        ours = self._gate(prefix_of(address), self.limits.prefix_burst, self.limits.prefix_rate)
        passed: list[Gate] = []
        for gate, whose in ((mine, why.OF_ADDRESS), (ours, why.OF_NETWORK), (self.all, why.OF_ALL)):
            if not gate.admits():
                for other in passed:
                    other.give_back()
                raise Refused(why.TOO_MANY.format(what=what, whose=whose))
            passed.append(gate)

    def _gate(self, name: str, burst: int, rate: float) -> Gate:
        return self.gates.setdefault(name, Gate(burst, rate))


def prefix_of(address: str) -> str:
    """The network to which an address belongs: one owner may have all of it."""
    try:
        return str(ip_network(f"{address}/{24 if ip_address(address).version == 4 else 48}", strict=False))
    except ValueError:
        return "elsewhere"
