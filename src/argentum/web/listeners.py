"""Who is told how a table stands: a program, which reads JSON, or a browser, which reads HTML."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from argentum.display.updates import packed, update_json
from argentum.web.lobby import links_of
from argentum.web.painter import Painter, Reading, missing_step
from argentum.web.people import moment_of, people_json
from argentum.web.replays import Replays
from argentum.web.room import Room
from argentum.web.timeline import Row, worst_first


class Listener(ABC):
    """Who is told how a table stands. What is about pages is nothing to those who have none."""

    @abstractmethod
    def news(self, room: Room, role: str, key: str, beside: tuple[str, ...] = ()) -> list[str]:
        """What to send now; `beside` are other seats on the same device."""

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:  # noqa: ARG002
        """Build what the news need outside the event loop; False if nothing was missing."""
        return False

    def see(self, rounds: int) -> None:  # noqa: B027
        """Leave the reveals of so many rounds."""

    def leave_result(self, room: Room) -> None:  # noqa: B027
        """Go on from a game's result to the rematch."""

    def return_to_result(self) -> None:  # noqa: B027
        """Go back from the rematch to the last game's result."""

    def watch(self) -> None:  # noqa: B027
        """Look on, though a seat is free."""

    def lift(self) -> None:  # noqa: B027
        """Lift the curtain between two who share a device."""

    def fall(self, room: Room) -> None:  # noqa: B027
        """Let the curtain fall before somebody whose cards the device has not shown."""

    def replay(self, at: int | None, eyes: str | None = None) -> None:  # noqa: B027
        """Go through the game again, after so many moves; None to leave that."""

    def review(self, rows: Sequence[Row], game: int) -> None:  # noqa: B027
        """Open the review of a game, at the decision that cost most; not if another game has begun meanwhile."""

    def turn_to(self, nth: int | None) -> None:  # noqa: B027
        """Show another decision of the review; None to leave it."""


class Program(Listener):
    """Reads JSON: each time it is told how all stands, and what happened since; also what is said, if it wants that."""

    def __init__(self, talks: bool = False) -> None:
        self.told: int | None = None  # events
        self.game = 0  # the number of the game that they are of
        self.talks = talks
        self.heard: tuple[int, bool] | None = None  # how much of the talk, and whether it is off

    def news(self, room: Room, role: str, key: str, beside: tuple[str, ...] = ()) -> list[str]:  # noqa: ARG002
        """The state of the table, with what is new; for the host, also the links of free seats."""
        if self.game != room.play.games:
            self.told = None if self.game == 0 else 0
            self.game = room.play.games
        text, self.told = update_json(role, room.told(), room.sitting, self.told, room.time_left())
        if role == room.arrangement.host:
            text = f'{text[:-1]},"links":{packed(links_of(room, key))}}}'
        if not self.talks:
            return [text]
        talk, self.heard = room.talk.news(role, self.heard)
        return [text, *talk]


class Browser(Listener):
    """Reads HTML: it is at some page, and is sent the parts of it that have changed."""

    def __init__(
        self, painter: Painter, room: Room, origin: str = "", keep_days: float = 0.0, past: bool = False
    ) -> None:
        self.painter = painter
        self.reading = Reading(origin=origin, keep_days=keep_days, looks_on=past)
        self.reading.arrive(room)
        self.heard: tuple[int, bool] | None = None  # how much of the talk, and whether it is off
        self.moment: tuple[object, ...] = ()  # at which the people were looked at last
        self.people = ""  # as last told

    def news(self, room: Room, role: str, key: str, beside: tuple[str, ...] = ()) -> list[str]:
        """The parts of its page that have changed, and what moved."""
        self.reading.beside = beside
        page = self.painter.news(room, role, key, self.reading)
        talk, self.heard = room.talk.news(role, self.heard)
        moment = moment_of(room, role, beside)
        if moment != self.moment:
            self.moment = moment
            people = people_json(room, role, beside)
            if people != self.people:
                self.people = people
                talk.append(people)
        return [*page, *talk]

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:
        """Build the position that a replay or a review shows."""
        step = missing_step(room, role, self.reading)
        if step is None:
            return False
        self.reading.built = step, await replays.replay(room, step, address)
        return True

    def see(self, rounds: int) -> None:
        """Turn to the next page, if it is an onlooker's."""
        self.reading.rounds_seen = max(rounds, self.reading.rounds_seen)

    def leave_result(self, room: Room) -> None:
        """Turn to the page of the rematch."""
        self.reading.leave_result(room)

    def return_to_result(self) -> None:
        """Turn back from the page of the rematch."""
        self.reading.return_to_result()

    def watch(self) -> None:
        """Turn from the invitation to the table."""
        self.reading.looks_on = True

    def lift(self) -> None:
        """Turn from the curtain to the table."""
        self.reading.lifted, self.reading.hangs, self.reading.told = True, False, None

    def fall(self, room: Room) -> None:
        """Turn to the curtain, if cards are on the table."""
        self.reading.lifted, self.reading.hangs = False, room.playing

    def replay(self, at: int | None, eyes: str | None = None) -> None:
        """Turn to the page of the replay."""
        self.reading.replay_at = at
        if eyes is not None:
            self.reading.replay_eyes = eyes

    def review(self, rows: Sequence[Row], game: int) -> None:
        """Turn to the page of the review."""
        if game != self.reading.game:
            return
        self.reading.review = rows
        self.reading.review_nth, self.reading.replay_at = [*worst_first(rows), 0][0], None

    def turn_to(self, nth: int | None) -> None:
        """Turn to another decision."""
        if self.reading.review:
            self.reading.review_nth = nth
