"""Commitments for games that begin at once: the first page shows one, and the form brings it back with a value.

Nothing is stored for that, as a page may be asked for and never used. A promise has a number by which any server that
shares our secret finds again what was promised. It is good for a day, and for one table of a server.
"""

import hmac
import secrets
from collections import OrderedDict
from time import time

from argentum.web.play import commitment_of

HOURS = 24
MOST_KEPT = 100_000  # that were used


class Promises:
    """The promises of the servers that share a secret."""

    def __init__(self, secret: str) -> None:
        self.secret = secret.encode()
        self.used: OrderedDict[str, None] = OrderedDict()

    def make(self) -> str:
        """A commitment, and the number of the promise."""
        number = f"{int(time() // 3600)}-{secrets.token_hex(16)}"
        return f"{commitment_of(self._root(number), 0)} {number}"

    def root(self, promise: str) -> bytes | None:
        """What the secrets of a table's games follow from, as was promised; None if there is no such promise."""
        commitment, _, number = promise.partition(" ")
        hour = number.partition("-")[0]
        if not hour.isdecimal() or len(hour) > 9 or not 0 <= time() // 3600 - int(hour) <= HOURS or number in self.used:
            return None
        root = self._root(number)
        if commitment_of(root, 0) != commitment:
            return None
        self.used[number] = None
        if len(self.used) > MOST_KEPT:
            self.used.popitem(last=False)
        return root

    def _root(self, number: str) -> bytes:
        return hmac.digest(self.secret, f"promise {number}".encode(), "sha256")
