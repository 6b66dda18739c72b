"""Servers that share a database: who has a table, and how the others reach it there. One server has none of this."""

import secrets
from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

from starlette.requests import Request
from starlette.websockets import WebSocket

INNER = "inner"  # in the scope of a request that another server passed on
MAX_USED = 100_000  # promises that one server remembers
AGAIN = 4001  # how a server closes a socket that was passed on to it: the table is not here any more, look again


class Owner(NamedTuple):
    """A server that has a table."""

    number: int
    address: str


class Answer(NamedTuple):
    """What another server answered."""

    status: int
    headers: dict[str, str]
    body: bytes


class OwnedElsewhere(Exception):
    """Another server has the table."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(f"server {owner.number} has the table")
        self.owner = owner


class Ownership(Protocol):
    """The other servers on the same database."""

    server_number: int  # our own; another each time that the others have given us up

    @property
    def shared_secret(self) -> str:
        """What only we and the others know."""

    async def confirmed(self) -> None:
        """Wait until we know whether the others still count on us, if we have slept."""

    async def claim(self, table: str, new: bool = False) -> Owner | None:
        """Become the owner of a table that the log has, or that is to be set; who is it instead, if somebody is."""

    async def release(self, table: str) -> None:
        """Let others have a table, once all that was written at it is in the log."""

    async def use_commitment(self, promise: str) -> bool:
        """Use the promise of that number; False if we, or one of the others, have used it before."""

    async def relay(self, socket: WebSocket, first: str | bytes, owner: Owner) -> bool:
        """Pass a socket on until it closes; False if the table is not there, and whoever has it now is to be found."""

    async def ask(self, owner: Owner, request: Request, path: str, body: bytes) -> Answer | None:
        """Pass a request on, for this path; None if nobody is there, so that nothing was done."""

    def peer_summaries(self) -> list[dict[str, Any]]:
        """What each of the others told of itself last (see `Hall.figures`)."""

    def all(self) -> list[Owner]:
        """The others."""


class SingleServer:
    """A server that has its database for itself."""

    server_number = 0

    def __init__(self) -> None:
        self.shared_secret = secrets.token_urlsafe(
            24
        )  # another after each start, so that nothing promised before is used
        self._used: OrderedDict[str, None] = OrderedDict()

    async def confirmed(self) -> None:
        """Nobody could have given us up."""

    async def claim(self, table: str, new: bool = False) -> Owner | None:
        """Every table is ours."""

    async def release(self, table: str) -> None:
        """Nobody waits for it."""

    async def use_commitment(self, promise: str) -> bool:
        """Use a promise, if it is a new one."""
        new = promise not in self._used
        self._used[promise] = None
        if len(self._used) > MAX_USED:
            self._used.popitem(last=False)
        return new

    async def relay(self, socket: WebSocket, first: str | bytes, owner: Owner) -> bool:  # noqa: ARG002
        """There is nobody to pass it on to."""
        return False

    async def ask(self, owner: Owner, request: Request, path: str, body: bytes) -> Answer | None:
        """There is nobody to ask."""

    def peer_summaries(self) -> list[dict[str, Any]]:
        """Nobody tells anything."""
        return []

    def all(self) -> list[Owner]:
        """There are no others."""
        return []
