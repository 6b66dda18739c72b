"""Readers, which turn room state into messages: the interface, and the reader for clients of the JSON protocol."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from argentum.display.updates import PROTOCOL_VERSION, to_json
from argentum.rooms.access import host_links
from argentum.rooms.replays import Replays
from argentum.rooms.room import Room

if TYPE_CHECKING:
    from argentum.rooms.post_game import Row


class Reader(ABC):
    """Turns room state into messages for one client. By default, the methods about pages do nothing."""

    shows_pages = False  # the client gets HTML pages, and needs no data that a page shows

    @abstractmethod
    def updates(self, room: Room, role: str, key: str, local_seats: tuple[str, ...] = ()) -> list[str]:
        """Return the messages to send now; `local_seats` are other seats on the same device."""

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:  # noqa: ARG002
        """Build in a thread what `updates` needs and what would block the event loop; return whether it was missing."""
        return False

    @abstractmethod
    def begin_seat(self, room: Room) -> None:
        """Send everything that the player of a seat may know, because a spectator has just claimed it."""

    def leave_round_end(self, rounds: int) -> None:  # noqa: B027
        """Leave the summary pages of the first `rounds` rounds."""

    def leave_game_end(self, room: Room) -> None:  # noqa: B027
        """Leave the result of a game for the lobby of the rematch."""

    def return_to_result(self) -> None:  # noqa: B027
        """Return from the lobby of a rematch to the result of the last game."""

    def watch_only(self) -> None:  # noqa: B027
        """Watch without claiming a free seat."""

    def show_seat(self) -> None:  # noqa: B027
        """Show the cards again after a shared device was passed to another player."""

    def hide_cards(self, room: Room) -> None:  # noqa: B027
        """Hide the cards while a shared device is passed to another player."""

    def show_replay(self, index: int | None, viewer: str | None = None) -> None:  # noqa: B027
        """Show a position of the finished game, or leave the replay if `index` is None.

        `viewer` is the seat whose known cards are shown, empty to show all cards, or None for no change.
        """

    def show_review(self, rows: "Sequence[Row]", game: int) -> None:  # noqa: B027
        """Show the review of game number `game` at its costliest decision, unless another game has started."""

    def show_decision(self, index: int | None) -> None:  # noqa: B027
        """Show a decision of the review, or leave the review if `index` is None."""


class JsonReader(Reader):
    """Writes updates as JSON: the state, the events since the last update, and chat lines if the client wants them."""

    def __init__(self, wants_chat: bool = False, protocol: int = PROTOCOL_VERSION) -> None:
        self.protocol = protocol
        self.event_count: int | None = None  # number of events sent; None before the first update
        self.game_number = 0  # the game of these events
        self.wants_chat = wants_chat
        self.chat_seen: tuple[int, bool] | None = None  # position in the chat

    def begin_seat(self, room: Room) -> None:  # noqa: ARG002
        self.event_count = None

    def updates(self, room: Room, role: str, key: str, local_seats: tuple[str, ...] = ()) -> list[str]:  # noqa: ARG002
        """Return an update and new chat lines; the host's update includes the links of free seats."""
        if self.game_number != room.game_count:
            self.event_count = None if self.game_number == 0 else 0
            self.game_number = room.game_count
        text, self.event_count = room.update_json(role, self.event_count, self.protocol)
        if role == room.arrangement.host:
            text = f'{text[:-1]},"links":{to_json(host_links(room, key))}}}'
        if not self.wants_chat:
            return [text]
        chat_messages, self.chat_seen = room.unread_chat(role, self.chat_seen), room.chat_position
        return [text, *chat_messages]
