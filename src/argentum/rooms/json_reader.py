"""What a program is sent."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from argentum.display.updates import to_json, update_json
from argentum.rooms.access import host_links
from argentum.rooms.replays import Replays
from argentum.rooms.room import Room

if TYPE_CHECKING:
    from argentum.rooms.post_game import Row


class Reader(ABC):
    """Who is told how a table stands. What is about pages is nothing to those who have none."""

    @abstractmethod
    def updates(self, room: Room, role: str, key: str, local_seats: tuple[str, ...] = ()) -> list[str]:
        """What to send now; `beside` are other seats on the same device."""

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:  # noqa: ARG002
        """Build what the news need outside the event loop; False if nothing was missing."""
        return False

    def leave_round_end(self, rounds: int) -> None:  # noqa: B027
        """Leave the reveals of so many rounds."""

    def leave_game_end(self, room: Room) -> None:  # noqa: B027
        """Go on from a game's result to the rematch."""

    def return_to_result(self) -> None:  # noqa: B027
        """Go back from the rematch to the last game's result."""

    def watch_only(self) -> None:  # noqa: B027
        """Look on, though a seat is free."""

    def show_seat(self) -> None:  # noqa: B027
        """Lift the curtain between two who share a device."""

    def hide_cards(self, room: Room) -> None:  # noqa: B027
        """Let the curtain fall before somebody whose cards the device has not shown."""

    def show_replay(self, at: int | None, eyes: str | None = None) -> None:  # noqa: B027
        """Go through the game again, after so many moves; None to leave that."""

    def show_review(self, rows: "Sequence[Row]", game: int) -> None:  # noqa: B027
        """Open the review of a game, at the decision that cost most; not if another game has begun meanwhile."""

    def show_decision(self, nth: int | None) -> None:  # noqa: B027
        """Show another decision of the review; None to leave it."""


class JsonReader(Reader):
    """Reads JSON: each time it is told how all stands, and what happened since; also what is said, if it wants that."""

    def __init__(self, talks: bool = False) -> None:
        self.event_count: int | None = None  # events
        self.game_number = 0  # the number of the game that they are of
        self.wants_chat = talks
        self.chat_seen: tuple[int, bool] | None = None  # how much of the talk, and whether it is off

    def updates(self, room: Room, role: str, key: str, beside: tuple[str, ...] = ()) -> list[str]:  # noqa: ARG002
        """The state of the table, with what is new; for the host, also the links of free seats."""
        if self.game_number != room.play.game_count:
            self.event_count = None if self.game_number == 0 else 0
            self.game_number = room.play.game_count
        text, self.event_count = update_json(
            role, room.update_fields(), room.session, self.event_count, room.time_left()
        )
        if role == room.arrangement.host:
            text = f'{text[:-1]},"links":{to_json(host_links(room, key))}}}'
        if not self.wants_chat:
            return [text]
        talk, self.chat_seen = room.chat.unread(role, self.chat_seen)
        return [text, *talk]
