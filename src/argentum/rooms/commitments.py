"""Commitments for games that begin at once: the first page shows one, and the form brings it back with a value.

Nothing is stored for that, as a page may be asked for and never used. A promise has a number by which any server that
shares our secret finds again what was promised. It is good for a day, and for one table: when a game is over its secret
is told, and a second table with the same one would have deals that somebody knows. So the servers that share a secret
also share which promises were used.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from time import time

from argentum.records.fairness import DealCommitment


def game_secret(root: bytes, nth: int) -> bytes:
    """The secret of a table's nth game; those of others do not tell it."""
    return hmac.digest(root, f"game {nth}".encode(), "sha256")


def game_commitment(root: bytes, nth: int) -> str:
    """What is told before a table's nth game."""
    return DealCommitment(game_secret(root, nth)).commitment


VALID_HOURS = 24


class Commitments:
    """The promises of the servers that share a secret; `use` says whether nobody has used one before."""

    def __init__(self, secret: str, use: Callable[[str], Awaitable[bool]]) -> None:
        self.secret = secret.encode()
        self.use_once = use

    def issue(self) -> str:
        """A commitment, and the number of the promise."""
        number = f"{int(time() // 3600)}-{secrets.token_hex(16)}"
        return f"{game_commitment(self._root(number), 0)} {number}"

    async def redeem(self, promise: str) -> bytes | None:
        """What the secrets of a table's games follow from, as was promised; None if there is no such promise."""
        commitment, _, number = promise.partition(" ")
        hour = number.partition("-")[0]
        if not hour.isdecimal() or len(hour) > 9 or not 0 <= time() // 3600 - int(hour) <= VALID_HOURS:
            return None
        root = self._root(number)
        if game_commitment(root, 0) != commitment or not await self.use_once(number):
            return None
        return root

    def _root(self, number: str) -> bytes:
        return hmac.digest(self.secret, f"promise {number}".encode(), "sha256")
