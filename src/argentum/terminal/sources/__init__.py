"""Where updates come from. A table is the same whether its game is played here or on a server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]
OnMessage: TypeAlias = Callable[[Message], None]


class TableLost(Exception):
    """The table cannot be reached any more; the reason is in words."""


class Source(ABC):
    """A table: it tells how it stands in the updates of the JSON protocol, and takes the protocol's messages.

    Besides those messages it may tell `{"type": "connection", "up": ..., "message": ...}`: the line to the table was lost, or
    is there again.
    """

    leave_text = ""  # what becomes of a game that goes on, if one leaves
    seat_url = ""  # the link of a seat that was taken here

    @abstractmethod
    async def run(self, tell: OnMessage) -> None:
        """Tell how the table stands, now and whenever anything changes, until cancelled. Raises :class:`Lost`."""

    def url(self, path: str) -> str:  # noqa: ARG002
        """A path at the table's server, as a browser takes it; empty for a table that has none."""
        return ""

    @abstractmethod
    async def send(self, message: Message) -> None:
        """Say something to the table: a move, say. What comes of it is told."""
