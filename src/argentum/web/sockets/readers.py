"""HtmlReader: page state, page choice, messages."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from argentum.display.replay import Replay
from argentum.display.session import SPECTATOR
from argentum.rooms.access import seat_path
from argentum.rooms.json_reader import Reader
from argentum.rooms.post_game import Row
from argentum.rooms.post_game import Row as Decision
from argentum.rooms.room import LOBBY, Room
from argentum.rules.events import Event
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import Sent, Sheet
from argentum.web.pages.people import moment_of, people_json
from argentum.web.pages.renderer import missing_step
from argentum.web.pages.review import worst_first
from argentum.web.pages.table import Info
from argentum.web.replays import Replays, ReplayStep
from argentum.words import site_texts

if TYPE_CHECKING:
    from argentum.web.pages.renderer import Painter

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
LOG_LINES = 30
MOST_MOTIONS = 12
LATELY = 12  # events, among which is what a reader has just looked at
LOBBY_PARTS = (("deck-choice", "deck_choice"), ("party", "party"))


Part: TypeAlias = tuple[str, Sequence[str]]  # of a page that has changed: its name, and the fragments of its HTML


@dataclass
class Reading:
    """What one browser shows now."""

    origin: str = ""  # of the browser's page, for links that are shown
    keep_days: float = 0.0  # how long the server keeps games
    looks_on: bool = False  # though a seat is free
    beside: tuple[str, ...] = ()  # other seats on the same device
    lifted: bool = False  # the curtain between those who share the device
    hangs: bool = False  # the same, until somebody lifts it: also if only one of them is left
    rounds_seen: int = 0  # whose reveals an onlooker has left
    replay_at: int | None = None
    replay_eyes: str = ""
    built: tuple[ReplayStep, Replay] | None = None  # the position of a finished game that is shown
    review: Sequence[Decision] = ()  # the decisions that are reviewed
    review_nth: int | None = None  # which of them is shown; None: not at the review
    frame: tuple[str, int, bool] = ("", 0, False)  # the kind of page, the game, and whether a bot fills in
    game: int = 0
    gathered: int = 0  # the game whose result has been left for a rematch
    parts: dict[str, str] = field(default_factory=dict)  # what each part shows, of pages other than the table's
    sheet: Sheet = field(default_factory=Sheet)  # the table's
    told: int | None = None  # events that have been shown as motions
    sent: Sent = field(default_factory=Sent)

    def copy(self) -> "Reading":
        """Another browser's, that shows the same."""
        return replace(self, parts=dict(self.parts), sheet=self.sheet.copy(), sent=self.sent.copy())

    def changed(self, part: str, shows: str) -> bool:
        """Whether a part showed something else until now."""
        old, self.parts[part] = self.parts.get(part), shows
        return old != shows

    def turn_over(self) -> None:
        """Begin another page, on which nothing is shown yet."""
        self.parts.clear()
        self.sheet = Sheet()

    def arrive(self, room: Room) -> None:
        """Begin where the table is: rounds that are over are not shown again, nor is the last game before a rematch."""
        self.rounds_seen = room.game.rounds_finished if room.game is not None else 0
        if room.stage == LOBBY:
            self.leave_result(room)

    def leave_result(self, room: Room) -> None:
        """Go on from a game's result to the rematch."""
        self.gathered = room.play.game_count

    def return_to_result(self) -> None:
        """Go back from the rematch to the last game's result."""
        self.gathered, self.replay_at, self.review_nth = 0, None, None

    def keep_up(self, room: Room) -> None:
        """Turn to a new game, if there is one."""
        if self.game != room.play.game_count:
            self.game, self.told, self.replay_at, self.built = room.play.game_count, None, None, None
            self.review, self.review_nth = (), None
            self.rounds_seen = min(self.rounds_seen, room.game.rounds_finished if room.game is not None else 0)


def info_of(room: Room, role: str, key: str, reading: Reading) -> Info:
    """What is to be said of a table itself."""
    return Info(
        room.name,
        room.arrangement.memory,
        room.arrangement.turn_seconds,
        room.access.count(SPECTATOR),
        _away(room, role, *reading.beside),
        _links(room, role, key),
        room.play.commitment(False) if reading.replay_at is None else "",  # that of a game that is over is no promise
        _fresh(room, role) if room.playing else 0,
    )


def _kind(room: Room, role: str, reading: Reading) -> str:
    """Which page a reader is at."""
    if role == SPECTATOR and room.free_seat and not reading.looks_on:
        return "invite"
    if room.game is None:
        return "gathering"
    if room.game.over and reading.replay_at is not None:
        return "replay"
    if room.stage == LOBBY and reading.gathered == room.play.game_count:
        return "gathering"
    seen = reading.rounds_seen if role == SPECTATOR else room.play.rounds_seen[SEAT_LETTERS.index(role)]
    if seen < room.game.rounds_finished:
        return "reveal"
    if not room.game.over:
        stays = next_shown(room, role, reading) == role or looks_now(room, role)
        alone = not reading.beside and not reading.hangs
        return "table" if alone or (reading.lifted and stays) else "curtain"
    return "over" if reading.review_nth is None else "review"


def next_shown(room: Room, role: str, reading: Reading) -> str:
    """Whose cards a device shows that several share: of who is asked something; else of who was shown last."""
    asked = [one for one in (role, *reading.beside) if room.choice_number(one) is not None]
    return asked[0] if asked else role


def looks_now(room: Room, role: str) -> bool:
    """Whether somebody who must remember it is looking at a card: the curtain waits until it has turned back."""
    sitting = room.session
    if sitting is None or not sitting.memory_mode or role == SPECTATOR:
        return False
    recall = sitting.memory_of(role)
    seen = {one.spot for one in recall.events[-LATELY:] if one.kind == "looked" and one.seat == role}
    return not seen.isdisjoint(recall.visible_spots(sitting.look_seconds))


def _fresh(room: Room, role: str) -> int:
    """The round on the table, as long as every card lies where it was dealt; else 0."""
    assert room.session is not None
    for event in reversed(room.session.memory_of(role).events):
        if event.kind == "dealt":
            return room.session.game.round
        if event.kind not in ("looked", "turn"):
            break
    return 0


def _links(room: Room, role: str, key: str) -> tuple[tuple[str, str], ...]:
    """What the host may still send to friends while a game goes on: the invitation."""
    if role != room.arrangement.host or not room.playing:
        return ()
    return ((site_texts.INVITATION_LINK if room.free_seat else site_texts.WATCH_LINK, seat_path(room, key, SPECTATOR)),)


def _away(room: Room, *roles: str) -> bool:
    """Whether a bot fills in for the reader, or for somebody who shares the device."""
    return room.playing and any(
        [role != SPECTATOR and room.clock.seats[SEAT_LETTERS.index(role)].timed_out for role in roles]
    )


def _title(room: Room, role: str) -> str:
    """The title of the browser's tab."""
    return site_texts.tab_title(room.name, room.choice_number(role) is not None)


def _new_events(room: Room, role: str, reading: Reading) -> list[Event]:
    """What happened since the reader was last shown the table; nothing for whoever has just come."""
    if room.session is None:
        return []
    events = room.session.memory_of(role).events
    new = events[reading.told :] if reading.told is not None else []
    reading.told = len(events)
    return new


class Browser(Reader):
    """Reads HTML: it is at some page, and is sent the parts of it that have changed."""

    def __init__(
        self, painter: "Painter", room: Room, origin: str = "", keep_days: float = 0.0, past: bool = False
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
        talk, self.heard = room.chat.unread(role, self.heard)
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
