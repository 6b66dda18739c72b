"""Interface for sources of table updates: a game on this machine, or a server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

ProtocolMessage: TypeAlias = dict[str, Any]
OnMessage: TypeAlias = Callable[[ProtocolMessage], None]


class TableLost(Exception):
    """Raised when a table can no longer be reached. The message is shown to the player."""


class Source(ABC):
    """Connection to a table, which exchanges messages of the JSON protocol with the app.

    A source adds `{"type": "connection", "up": ..., "message": ...}` when its connection is lost or restored.
    """

    is_local = False  # whether the game is played without a server
    leave_text = ""  # tells the player what happens to the game after leaving
    seat_url = ""  # URL of the seat that was claimed through this source

    @abstractmethod
    async def run(self, on_message: OnMessage) -> None:
        """Call `on_message` with the current state, then with every change, until cancelled.

        Raise `TableLost` if the table can no longer be reached.
        """

    def url(self, path: str) -> str:  # noqa: ARG002
        """Return the URL of a path on the table's server, or an empty string without a server."""
        return ""

    @abstractmethod
    async def send(self, message: ProtocolMessage) -> None:
        """Send a message of the protocol. Replies and errors are passed to the `on_message` of `run`."""
