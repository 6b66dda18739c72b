"""Which server of a cluster owns a table: the interface, and the implementation for a single server."""

import secrets
from collections import OrderedDict
from typing import Any, Protocol

MAX_USED = 100_000  # used commitment numbers that a server remembers


class OwnedElsewhere(Exception):
    """Raised for a table that another server owns."""


class Ownership(Protocol):
    """The distribution of tables among the servers on one database, as one of them sees it."""

    server_number: int  # of this server, which gets a new one if others have declared it dead

    @property
    def shared_secret(self) -> str:
        """A secret that all servers on the database share."""

    async def wait_until_confirmed(self) -> None:
        """Wait until this server knows whether its claims still hold, if it was suspended."""

    async def claim(self, table: str, new: bool = False, moved: bool = False) -> bool:
        """Claim a table; return False if another server owns it. `moved`: that server has released it on request."""

    async def request(self, table: str) -> bool:
        """Ask the owner of a table to release it; return False if the table has just been moved."""

    async def release(self, table: str) -> None:
        """Release a table once all its entries are in the database."""

    async def use_commitment(self, promise: str) -> bool:
        """Mark a commitment number as used; return False if any server has used it before."""

    def peer_summaries(self) -> dict[int, dict[str, Any]]:
        """Return the last summary that each other server has published, by server number."""

    async def peer_summaries_with_tables(self) -> dict[int, dict[str, Any]]:
        """Ask the other servers to add all their tables to their summaries; return these."""


class SingleServer:
    """The only server on its database: it owns every table."""

    server_number = 0

    def __init__(self) -> None:
        # New after each start, so that commitments issued before the start are invalid.
        self.shared_secret = secrets.token_urlsafe(24)
        self._used: OrderedDict[str, None] = OrderedDict()

    async def wait_until_confirmed(self) -> None: ...

    async def claim(self, table: str, new: bool = False, moved: bool = False) -> bool:  # noqa: ARG002
        return True

    async def request(self, table: str) -> bool:  # noqa: ARG002
        return False

    async def release(self, table: str) -> None: ...

    async def use_commitment(self, promise: str) -> bool:
        new = promise not in self._used
        self._used[promise] = None
        if len(self._used) > MAX_USED:
            self._used.popitem(last=False)
        return new

    def peer_summaries(self) -> dict[int, dict[str, Any]]:
        return {}

    async def peer_summaries_with_tables(self) -> dict[int, dict[str, Any]]:
        return {}
