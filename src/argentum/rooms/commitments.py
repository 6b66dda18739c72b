"""Shuffle commitments that are issued before a table exists: the home page shows one, and its form sends it back.

Issued commitments are not stored, because most are never used: the root of a commitment is derived from its number and
the servers' shared secret. A commitment is valid for a day and for one table, because its secret is revealed when a
game ends. Therefore the servers also share which commitments were used.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from time import time

from argentum.records.fairness import DealCommitment


def game_secret(root: bytes, index: int) -> bytes:
    """Derive the secret of one of a table's games. It reveals nothing about the secrets of the other games."""
    return hmac.digest(root, f"game {index}".encode(), "sha256")


def bot_seed(root: bytes, index: int, seat: str) -> int:
    """Derive the seed of the bot in a seat of one of a table's games."""
    return int.from_bytes(hmac.digest(root, f"bot {index} {seat}".encode(), "sha256")[:8], "big")


def game_commitment(root: bytes, index: int) -> str:
    return DealCommitment(game_secret(root, index)).commitment


VALID_HOURS = 24


class Commitments:
    """Issue and redeem commitments. `use_once` marks a number as used; it returns False if it was used before."""

    def __init__(self, secret: str, use_once: Callable[[str], Awaitable[bool]]) -> None:
        self.secret = secret.encode()
        self.use_once = use_once

    def issue(self) -> str:
        """Return a new commitment and its number, separated by a space."""
        number = f"{int(time() // 3600)}-{secrets.token_hex(16)}"
        return f"{game_commitment(self._root(number), 0)} {number}"

    async def redeem(self, issued_commitment: str) -> bytes | None:
        """Return the root from which the table's secrets derive; None if the commitment is invalid, expired or used."""
        commitment, _, number = issued_commitment.partition(" ")
        hour = number.partition("-")[0]
        if not hour.isdecimal() or len(hour) > 9 or not 0 <= time() // 3600 - int(hour) <= VALID_HOURS:
            return None
        root = self._root(number)
        if game_commitment(root, 0) != commitment or not await self.use_once(number):
            return None
        return root

    def _root(self, number: str) -> bytes:
        return hmac.digest(self.secret, f"promise {number}".encode(), "sha256")
