"""HtmlReader: choose the page of a browser, track its state, and send what changed."""

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
from argentum.rooms.replays import Replays, ReplayStep
from argentum.rooms.room import LOBBY, Room
from argentum.rules.events import Event
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.page_diff import SentFragments, ShownTable
from argentum.web.pages.people import people_json, people_key
from argentum.web.pages.review import worst_first
from argentum.web.pages.table import TableInfo
from argentum.words import site_texts

if TYPE_CHECKING:
    from argentum.web.pages.renderer import PageRenderer

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
MAX_LOG_LINES = 30
MAX_MOTIONS = 12
RECENT_EVENTS = 12  # last events searched for cards that the reader has just looked at
LOBBY_PARTS = (("deck-choice", "deck_choice"), ("players", "players"))


PartHtml: TypeAlias = tuple[str, Sequence[str]]  # id of the part, and fragments of its HTML


@dataclass
class PageState:
    """What one browser shows, and what it has been sent."""

    origin: str = ""  # of the page's URL, for links
    keep_days: float = 0.0  # how long the server keeps games
    watching: bool = False  # chosen although a seat is free
    local_seats: tuple[str, ...] = ()  # other seats on the same device
    device_passed: bool = False  # the player confirmed that they have the device
    cards_hidden: bool = False  # until a player confirms, even if only one local seat is left
    rounds_seen: int = 0  # whose results a spectator has left
    replay_index: int | None = None
    replay_viewer: str = ""
    built: tuple[ReplayStep, Replay] | None = None  # the replay position on the page
    review: Sequence[Decision] = ()  # the reviewed decisions
    decision_index: int | None = None  # the decision shown; None outside of a review
    frame: tuple[str, int, bool] = ("", 0, False)  # page kind, game number, whether a bot fills in
    game_number: int = 0
    left_result_of: int = 0  # number of the game whose result was left for the rematch
    sent_parts: dict[str, str] = field(default_factory=dict)  # HTML of each part, except on the table page
    shown_table: ShownTable = field(default_factory=ShownTable)  # for the table page
    events_shown: int | None = None  # number of events already animated
    fragments: SentFragments = field(default_factory=SentFragments)

    def copy(self) -> "PageState":
        """A copy for another browser that shows the same."""
        return replace(
            self, sent_parts=dict(self.sent_parts), shown_table=self.shown_table.copy(), fragments=self.fragments.copy()
        )

    def replace_part(self, part: str, shows: str) -> bool:
        """Store the HTML of a part; return whether it changed."""
        old, self.sent_parts[part] = self.sent_parts.get(part), shows
        return old != shows

    def reset(self) -> None:
        self.sent_parts.clear()
        self.shown_table = ShownTable()

    def start(self, room: Room) -> None:
        """Start at the room's current state, so that past results are not shown again."""
        self.rounds_seen = room.game.rounds_finished if room.game is not None else 0
        if room.stage == LOBBY:
            self.leave_result(room)

    def leave_result(self, room: Room) -> None:
        """Go from a game's result to the rematch."""
        self.left_result_of = room.play.game_count

    def return_to_result(self) -> None:
        """Go back to the last game's result."""
        self.left_result_of, self.replay_index, self.decision_index = 0, None, None

    def sync_game(self, room: Room) -> None:
        """Reset the state of the last game when a new one has begun."""
        if self.game_number != room.play.game_count:
            self.game_number, self.events_shown, self.replay_index, self.built = room.play.game_count, None, None, None
            self.review, self.decision_index = (), None
            self.rounds_seen = min(self.rounds_seen, room.game.rounds_finished if room.game is not None else 0)


def table_info(room: Room, role: str, key: str, state: PageState) -> TableInfo:
    """The table's settings and state, for the footer."""
    return TableInfo(
        room.name,
        room.arrangement.memory,
        room.arrangement.turn_seconds,
        room.access.count(SPECTATOR),
        _stand_in_plays(room, role, *state.local_seats),
        _host_links(room, role, key),
        room.play.commitment(False) if state.replay_index is None else "",  # in a replay the deal is known
        undisturbed_round(room, role) if room.playing else 0,
    )


def page_kind(room: Room, role: str, state: PageState) -> str:
    """Choose the page that a reader sees."""
    if role == SPECTATOR and room.free_seat and not state.watching:
        return "invitation"
    if room.game is None:
        return "lobby"
    if room.game.over and state.replay_index is not None:
        return "replay"
    if room.stage == LOBBY and state.left_result_of == room.play.game_count:
        return "lobby"
    seen = state.rounds_seen if role == SPECTATOR else room.play.rounds_seen[SEAT_LETTERS.index(role)]
    if seen < room.game.rounds_finished:
        return "round_end"
    if not room.game.over:
        stays = next_local_seat(room, role, state) == role or is_looking(room, role)
        alone = not state.local_seats and not state.cards_hidden
        return "table" if alone or (state.device_passed and stays) else "pass_device"
    return "game_end" if state.decision_index is None else "review"


def next_local_seat(room: Room, role: str, state: PageState) -> str:
    """The local seat to show: one that must choose, else the current one."""
    choosing = [seat for seat in (role, *state.local_seats) if room.choice_number(seat) is not None]
    return choosing[0] if choosing else role


def is_looking(room: Room, role: str) -> bool:
    """Whether the role is looking at a card at a table with memory; passing the device waits until the look ends."""
    session = room.session
    if session is None or not session.memory_mode or role == SPECTATOR:
        return False
    memory = session.memory_of(role)
    events = memory.events[-RECENT_EVENTS:]
    seen = {event.spot for event in events if event.kind == "looked" and event.seat == role}
    return not seen.isdisjoint(memory.visible_spots(session.look_seconds))


def undisturbed_round(room: Room, role: str) -> int:
    """The current round until its first card moves, then 0."""
    assert room.session is not None
    for event in reversed(room.session.memory_of(role).events):
        if event.kind == "dealt":
            return room.session.game.round
        if event.kind not in ("looked", "turn"):
            break
    return 0


def _host_links(room: Room, role: str, key: str) -> tuple[tuple[str, str], ...]:
    """The host's links to copy during a game: label and path."""
    if role != room.arrangement.host or not room.playing:
        return ()
    return ((site_texts.INVITATION_LINK if room.free_seat else site_texts.WATCH_LINK, seat_path(room, key, SPECTATOR)),)


def _stand_in_plays(room: Room, *roles: str) -> bool:
    """Whether a bot fills in for one of these roles."""
    return room.playing and any(
        [role != SPECTATOR and room.clock.seats[SEAT_LETTERS.index(role)].timed_out for role in roles]
    )


def _tab_title(room: Room, role: str) -> str:
    return site_texts.tab_title(room.name, room.choice_number(role) is not None)


def _new_events(room: Room, role: str, state: PageState) -> list[Event]:
    """The events since the last update of the table page; none for a new reader."""
    if room.session is None:
        return []
    events = room.session.memory_of(role).events
    new = events[state.events_shown :] if state.events_shown is not None else []
    state.events_shown = len(events)
    return new


class HtmlReader(Reader):
    """Sends a browser the changed parts of its page as HTML."""

    def __init__(
        self, renderer: "PageRenderer", room: Room, origin: str = "", keep_days: float = 0.0, past: bool = False
    ) -> None:
        self.renderer = renderer
        self.page = PageState(origin=origin, keep_days=keep_days, watching=past)
        self.page.start(room)
        self.chat_seen: tuple[int, bool] | None = None  # number of chat messages sent, and whether chat is off
        self.people_key: tuple[object, ...] = ()  # inputs of people_json
        self.people_json = ""  # as last sent

    def updates(self, room: Room, role: str, key: str, beside: tuple[str, ...] = ()) -> list[str]:
        """Messages for the changed parts of the page, the chat and the people list."""
        self.page.local_seats = beside
        page = self.renderer.page_updates(room, role, key, self.page)
        talk, self.chat_seen = room.chat.unread(role, self.chat_seen)
        key_now = people_key(room, role, beside)
        if key_now != self.people_key:
            self.people_key = key_now
            people = people_json(room, role, beside)
            if people != self.people_json:
                self.people_json = people
                talk.append(people)
        return [*page, *talk]

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:
        """Build the position that a replay or a review shows."""
        step = missing_step(room, role, self.page)
        if step is None:
            return False
        self.page.built = step, await replays.replay(room, step, address)
        return True

    def leave_round_end(self, rounds: int) -> None:
        """Leave the results of these rounds."""
        self.page.rounds_seen = max(rounds, self.page.rounds_seen)

    def leave_game_end(self, room: Room) -> None:
        """Go to the lobby of the rematch."""
        self.page.leave_result(room)

    def return_to_result(self) -> None:
        """Go back from the rematch to the result."""
        self.page.return_to_result()

    def watch_only(self) -> None:
        """Go from the invitation to the table."""
        self.page.watching = True

    def show_seat(self) -> None:
        """Show the cards after the device was passed on."""
        self.page.device_passed, self.page.cards_hidden, self.page.events_shown = True, False, None

    def hide_cards(self, room: Room) -> None:
        """Hide the cards until the player confirms, if a game is on."""
        self.page.device_passed, self.page.cards_hidden = False, room.playing

    def show_replay(self, at: int | None, eyes: str | None = None) -> None:
        """Go to a position of the replay."""
        self.page.replay_index = at
        if eyes is not None:
            self.page.replay_viewer = eyes

    def show_review(self, rows: Sequence[Row], game: int) -> None:
        """Go to the review, at the costliest decision."""
        if game != self.page.game_number:
            return
        self.page.review = rows
        self.page.decision_index, self.page.replay_index = [*worst_first(rows), 0][0], None

    def show_decision(self, index: int | None) -> None:
        """Go to a decision of the review."""
        if self.page.review:
            self.page.decision_index = index


def missing_step(room: Room, role: str, state: PageState) -> ReplayStep | None:
    """The replay position that the page needs and that is not built yet."""
    state.sync_game(room)
    kind = page_kind(room, role, state)
    if kind == "replay":
        assert state.replay_index is not None
        step = ReplayStep(state.game_number, state.replay_index, state.replay_viewer)
    elif kind == "review":
        index = min(max(state.decision_index or 0, 0), len(state.review) - 1)
        step = ReplayStep(state.game_number, state.review[index]["at"], role)
    else:
        return None
    return step if state.built is None or state.built[0] != step else None
