"""Where the updates of a table come from: a game on this machine, or a server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

ProtocolMessage: TypeAlias = dict[str, Any]
OnMessage: TypeAlias = Callable[[ProtocolMessage], None]


class TableLost(Exception):
    """The table can no longer be reached. The message is for the player."""


class Source(ABC):
    """A table that sends updates of the JSON protocol and accepts the messages of the protocol.

    It also sends `{"type": "connection", "up": ..., "message": ...}` when its connection is lost or restored.
    """

    leave_text = ""  # what happens to an unfinished game after leaving it
    seat_url = ""  # of the seat that was claimed here

    @abstractmethod
    async def run(self, on_message: OnMessage) -> None:
        """Call `on_message` with the current state, then with every change, until cancelled.

        Raises `TableLost` if the table can no longer be reached.
        """

    def url(self, path: str) -> str:  # noqa: ARG002
        """The URL of a path on the server of the table; empty without a server."""
        return ""

    @abstractmethod
    async def send(self, message: ProtocolMessage) -> None:
        """Send a message of the protocol. Results and errors arrive as messages."""
