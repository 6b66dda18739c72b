"""How fast messages may come."""

from time import monotonic


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
