"""Which server of a cluster owns a table: the interface, and the implementation for a single server."""

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:  # only until the relay between servers is deleted
    from starlette.requests import Request
    from starlette.websockets import WebSocket

RELAYED = "relayed"  # key in the ASGI scope of a request that another server relayed
MAX_USED = 100_000  # used commitment numbers that a server remembers
AGAIN = 4001  # close code of a relayed socket: the table has another owner now, which must be looked up


class Owner(NamedTuple):
    number: int
    address: str


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class OwnedElsewhere(Exception):
    """Raised for a table that another server, `owner`, owns."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(f"server {owner.number} has the table")
        self.owner = owner


class Ownership(Protocol):
    """The distribution of tables among the servers on one database, as one of them sees it."""

    server_number: int  # of this server, which gets a new one if others have declared it dead

    @property
    def shared_secret(self) -> str:
        """A secret that all servers on the database share."""

    async def wait_until_confirmed(self) -> None:
        """Wait until this server knows whether its claims still hold, if it was suspended."""

    async def claim(self, table: str, new: bool = False) -> Owner | None:
        """Claim a table; return its owner if that is another server, or None."""

    async def release(self, table: str) -> None:
        """Release a table once all its entries are in the database."""

    async def use_commitment(self, promise: str) -> bool:
        """Mark a commitment number as used; return False if any server has used it before."""

    async def relay(self, socket: "WebSocket", first: str | bytes, owner: Owner) -> bool:
        """Relay a socket until it closes; return False if the table has another owner now."""

    async def forward(self, owner: Owner, request: "Request", path: str, body: bytes) -> Answer | None:
        """Forward a request to this path; return None if the owner is unreachable and has done nothing."""

    def peer_summaries(self) -> list[dict[str, Any]]:
        """Return the last summary of each other server (see `RoomRegistry.summary`)."""

    def other_servers(self) -> list[Owner]:
        """Return the other servers on the database."""


class SingleServer:
    """The only server on its database: it owns every table."""

    server_number = 0

    def __init__(self) -> None:
        # New after each start, so that commitments issued before the start are invalid.
        self.shared_secret = secrets.token_urlsafe(24)
        self._used: OrderedDict[str, None] = OrderedDict()

    async def wait_until_confirmed(self) -> None: ...

    async def claim(self, table: str, new: bool = False) -> Owner | None: ...

    async def release(self, table: str) -> None: ...

    async def use_commitment(self, promise: str) -> bool:
        new = promise not in self._used
        self._used[promise] = None
        if len(self._used) > MAX_USED:
            self._used.popitem(last=False)
        return new

    async def relay(self, socket: "WebSocket", first: str | bytes, owner: Owner) -> bool:  # noqa: ARG002
        return False

    async def forward(self, owner: Owner, request: "Request", path: str, body: bytes) -> Answer | None: ...

    def peer_summaries(self) -> list[dict[str, Any]]:
        return []

    def other_servers(self) -> list[Owner]:
        return []
