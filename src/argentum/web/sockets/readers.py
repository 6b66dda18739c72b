"""The reader of a browser: chooses the page to show, tracks its state, and sends the parts that changed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import time
from typing import Any, TypeAlias

from argentum.display.errors import Refused
from argentum.display.replay import Replay, build_replay_scene
from argentum.display.session import SPECTATOR, seat_of
from argentum.rooms.access import seat_path
from argentum.rooms.game_room import LOBBY
from argentum.rooms.json_reader import Reader
from argentum.rooms.messages import REGISTRY, MessageSpec, Sender
from argentum.rooms.post_game import REVIEW_PLAYOUTS, Row, review_bot_name
from argentum.rooms.protocol import Malformed, parse_replay_index, parse_replay_viewer
from argentum.rooms.replays import Replays, ReplayStep
from argentum.rooms.room import Room
from argentum.rooms.visitor import ClientConnection
from argentum.rules.events import Event
from argentum.web.pages.end import game_end_page, opened_deal, pass_device_page, round_end_page, share_link
from argentum.web.pages.lobby import LobbyPage, invitation_page, lobby_page
from argentum.web.pages.page_diff import SentFragments, ShownTable, split_items
from argentum.web.pages.people import people_json
from argentum.web.pages.renderer import PageRenderer
from argentum.web.pages.review import review_page, worst_first
from argentum.web.pages.table import TableInfo, card_motions, look_title, looked_at_cards
from argentum.words import errors, site_texts

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
MAX_LOG_LINES = 30
MAX_MOTIONS = 12
LOBBY_PARTS = (("deck-choice", "deck_choice"), ("players", "players"))
PartHtml: TypeAlias = tuple[str, Sequence[str]]  # id of the part, and fragments of its HTML


@dataclass
class PageState:
    """The state of one browser's page, and what the browser has been sent."""

    origin: str = ""  # of the page's URL, for links
    invitation: tuple[str, str] = ("", "")  # the host's key, and the path of the invitation that derives from it
    keep_days: float = 0.0  # how long the server keeps games; 0: for good
    watching: bool = False  # the spectator does not want a free seat
    local_seats: tuple[str, ...] = ()  # other seats on the same device
    device_passed: bool = False  # the player of the shown seat has confirmed that they have the device
    cards_hidden: bool = False  # until the player confirms, even if no other local seat remains
    rounds_seen: int = 0  # rounds whose summary a spectator has left
    replay_index: int | None = None
    replay_viewer: str = ""
    built: tuple[ReplayStep, Replay] | None = None  # the replay position on the page
    review: Sequence[Row] = ()  # the reviewed decisions
    decision_index: int | None = None  # the decision shown; None outside of a review
    frame: tuple[str, int, bool] = ("", 0, False)  # page kind, game number, whether a bot fills in
    game_number: int = 0
    left_result_of: int = 0  # number of the game whose result was left for the rematch
    sent_parts: dict[str, str] = field(default_factory=dict)  # HTML of each part, except on the table page
    shown_table: ShownTable = field(default_factory=ShownTable)  # for the table page
    events_shown: int | None = None  # number of events already animated
    fragments: SentFragments = field(default_factory=SentFragments)

    def copy(self) -> "PageState":
        """Return a copy for another browser that shows the same page."""
        return replace(
            self, sent_parts=dict(self.sent_parts), shown_table=self.shown_table.copy(), fragments=self.fragments.copy()
        )

    def replace_part(self, part: str, html: str) -> bool:
        """Store the HTML of a part; return whether it changed."""
        old, self.sent_parts[part] = self.sent_parts.get(part), html
        return old != html

    def reset(self) -> None:
        self.sent_parts.clear()
        self.shown_table = ShownTable()

    def start(self, room: Room) -> None:
        """Mark past results as seen, so that a new page begins with the current state of the room."""
        self.rounds_seen = room.game.rounds_finished if room.game is not None else 0
        if room.stage == LOBBY:
            self.leave_result(room)

    def leave_result(self, room: Room) -> None:
        """Show the lobby of the rematch instead of the result of the last game."""
        self.left_result_of = room.game_count

    def return_to_result(self) -> None:
        """Show the result of the last game again."""
        self.left_result_of, self.replay_index, self.decision_index = 0, None, None

    def sync_game(self, room: Room) -> None:
        """If a new game has begun, reset the state of the last one."""
        if self.game_number != room.game_count:
            self.game_number, self.events_shown, self.replay_index, self.built = room.game_count, None, None, None
            self.review, self.decision_index = (), None
            self.rounds_seen = min(self.rounds_seen, room.game.rounds_finished if room.game is not None else 0)


def table_info(room: Room, role: str, key: str, state: PageState) -> TableInfo:
    """Return the table's settings and state, for the footer."""
    return TableInfo(
        room.name,
        room.arrangement.memory,
        room.arrangement.turn_seconds,
        room.connection_count(SPECTATOR),
        _stand_in_plays(room, role, *state.local_seats),
        _host_links(room, role, key, state),
        # In a replay the shuffles are known.
        room.opening.commitment if room.opening is not None and state.replay_index is None else "",
        verifiable_round(room, role) if room.playing else 0,
        site_texts.SLOW_TABLE_LABELS.get(room.arrangement.away, ""),
    )


def page_kind(room: Room, role: str, state: PageState) -> str:
    """Return the kind of page to show, such as `lobby` or `table`."""
    if role == SPECTATOR and room.first_free_seat and not state.watching:
        return "invitation"
    if room.game is None:
        return "lobby"
    if room.game.over and state.replay_index is not None:
        return "replay"
    if room.stage == LOBBY and state.left_result_of == room.game_count:
        return "lobby"
    seen = state.rounds_seen if role == SPECTATOR else room.rounds_seen(role)
    if seen < room.game.rounds_finished:
        return "round_end"
    if not room.game.over:
        stays = next_local_seat(room, role, state) == role or room.is_looking(role)
        alone = not state.local_seats and not state.cards_hidden
        return "table" if alone or (state.device_passed and stays) else "pass_device"
    return "game_end" if state.decision_index is None else "review"


def next_local_seat(room: Room, role: str, state: PageState) -> str:
    """Return the seat on the device whose cards to show: the first one that must choose, else the current one."""
    choosing = [seat for seat in (role, *state.local_seats) if room.choice_number(seat) is not None]
    return choosing[0] if choosing else role


def verifiable_round(room: Room, role: str) -> int:
    """Return the number of the current round if none of its cards has moved yet, else 0."""
    assert room.game is not None
    for event in reversed(room.events_of(role)):
        if event.kind == "dealt":
            return room.game.round
        if event.kind not in ("looked", "turn"):
            break
    return 0


def _host_links(room: Room, role: str, key: str, state: PageState) -> tuple[tuple[str, str], ...]:
    """Return the links that the host can copy during a game: label and path."""
    if role != room.arrangement.host or not room.playing:
        return ()
    if state.invitation[0] != key:
        state.invitation = key, seat_path(room, key, SPECTATOR)
    return ((site_texts.INVITATION_LINK if room.first_free_seat else site_texts.WATCH_LINK, state.invitation[1]),)


def _stand_in_plays(room: Room, *roles: str) -> bool:
    """Whether a bot fills in for one of these roles."""
    return room.playing and any([room.has_timed_out(role) for role in roles])


def _tab_title(room: Room, role: str) -> str:
    return site_texts.tab_title(room.name, room.choice_number(role) is not None)


def _new_events(room: Room, role: str, state: PageState) -> Sequence[Event]:
    """Return the events since the last call, and mark them as shown; none at the first call for a game."""
    events = room.events_of(role)
    new = events[state.events_shown :] if state.events_shown is not None else ()
    state.events_shown = len(events)
    return new


class HtmlReader(Reader):
    """Turns room state into messages with the changed parts of one browser's page, as HTML."""

    shows_pages = True

    def __init__(
        self, renderer: PageRenderer, room: Room, origin: str = "", keep_days: float = 0.0, is_past_game: bool = False
    ) -> None:
        self.renderer = renderer
        self.page = PageState(origin=origin, keep_days=keep_days, watching=is_past_game)
        self.page.start(room)
        self.chat_seen: tuple[int, bool] | None = None  # number of chat messages sent, and whether chat is off
        self.people_key: tuple[object, ...] = ()  # what people_json was made from
        self.people_json = ""  # as last sent

    def begin_seat(self, room: Room) -> None:
        page = self.page
        self.page = PageState(origin=page.origin, keep_days=page.keep_days, fragments=page.fragments)
        self.page.start(room)
        self.chat_seen = None

    def updates(self, room: Room, role: str, key: str, local_seats: tuple[str, ...] = ()) -> list[str]:
        """Return messages for the changed parts of the page, the chat and the people list."""
        self.page.local_seats = local_seats
        page_updates = self.page_updates(room, role, key)
        return [*page_updates, *self._chat_updates(room, role), *self._people_updates(room, role, local_seats)]

    def _chat_updates(self, room: Room, role: str) -> list[str]:
        if self.chat_seen == room.chat_position:
            return []
        seen, self.chat_seen = self.chat_seen, room.chat_position
        return room.unread_chat(role, seen)

    def _people_updates(self, room: Room, role: str, local_seats: tuple[str, ...]) -> list[str]:
        """Return the list of people if it has changed, at most one message."""
        allowing = room.seats_allowing_hints()
        key = (room.seats(), room.arrangement, room.absent_seats, room.stage == LOBBY, allowing, role, local_seats)
        if key == self.people_key:
            return []
        people, self.people_key = people_json(room, role, local_seats), key
        if people == self.people_json:
            return []
        self.people_json = people
        return [people]

    def page_updates(self, room: Room, role: str, key: str) -> list[str]:
        """Return the message with the changed parts of the page and the cards that moved; empty if nothing changed."""
        state = self.page
        state.sync_game(room)
        kind = page_kind(room, role, state)
        if kind != "table":
            state.device_passed = False
        state.cards_hidden = state.cards_hidden or kind == "pass_device"
        frame = (kind, room.game_count, _stand_in_plays(room, role, *state.local_seats))
        if state.frame != frame:
            state.reset()
        if kind in ("table", "replay"):
            changed = self._render_table(kind, room, role, key)
        elif kind == "lobby":
            changed = self._render_lobby(lobby_page(room, role, key, state.origin, state.local_seats))
        else:
            page = self._render_whole_page(kind, room, role)
            changed = [("stage", split_items(page))] if state.replace_part("stage", page) else []
        state.frame = frame
        events = _new_events(room, role, state) if kind == "table" else []
        if not changed:
            return []
        title = _tab_title(room, role if kind != "pass_device" else SPECTATOR)
        message = {
            "type": "page",
            "choice": room.choice_number(role) if kind != "pass_device" else None,
            "page": kind,
            "title": title if state.replace_part("title", title) else "",
            "clock": room.time_left(),
            "reset": state.fragments.clear_if_full(),
            "motions": [motion for event in events[-MAX_MOTIONS:] for motion in card_motions(event)],
            **self._looks_field(room, role, events),
            **({} if room.game_count else {"lobby_seconds": round(time() - room.created_at, 3)}),
        }
        # Empty fields are left out; a number may be 0.
        fields = {name: value for name, value in message.items() if value or (value == 0 and value is not False)}
        parts = ",".join([f'["{name}",{state.fragments.encode(fragments)}]' for name, fragments in changed])
        return [f'{ENCODER.encode(fields)[:-1]},"parts":[{parts}]}}']

    def _looks_field(self, room: Room, role: str, events: Sequence[Event]) -> dict[str, Any]:
        """Return the field `looks` of a message: the cards that the reader has just looked at, or no field if none.

        `fade` is how many seconds to show each card in memory mode.
        """
        if not any([event.kind == "looked" for event in events]):
            return {}
        view = room.view_of(role)
        looks = looked_at_cards(events, view)
        cards = [
            (look.slot, self.renderer.render("card.html", "face", look.portrait), look_title(looks, index, view))
            for index, look in enumerate(looks)
        ]
        return {"looks": {"cards": cards, "fade": room.look_seconds}} if cards else {}

    def _render_table(self, kind: str, room: Room, role: str, key: str) -> list[PartHtml]:
        """Render the whole table page the first time, and only its changed parts afterwards."""
        state = self.page
        if kind == "replay":
            assert state.built is not None
            replay = state.built[1]
            table_scene = build_replay_scene(replay, seat_of(role), room.players(), MAX_LOG_LINES)
        else:
            replay = None
            table_scene = room.build_scene(role, MAX_LOG_LINES)
        info, shown = table_info(room, role, key, state), state.shown_table
        bar = ""
        if replay is not None:
            link = share_link(room, role, state.origin, state.keep_days)
            bar = self.renderer.render("replay.html", "replay_bar", replay, link)
        if shown.page is None:
            page = shown.show(table_scene, info, self.renderer.card_macros)
            return [("stage", split_items(self.renderer.render("table.html", "page", page) + bar))]
        changed = shown.diff(table_scene, info, self.renderer.card_macros)
        drawn_parts = [
            (part.id, self.renderer.macro("table.html", part.macro).fragments(*part.arguments)) for part in changed
        ]
        return [*drawn_parts, ("replay", split_items(bar))] if bar else drawn_parts

    def _render_lobby(self, lobby: LobbyPage) -> list[PartHtml]:
        """Render the whole lobby the first time, and only its changed parts afterwards."""
        state = self.page
        is_first = not state.sent_parts
        parts = [(name, self.renderer.render("lobby.html", macro, lobby)) for name, macro in LOBBY_PARTS]
        changed: list[PartHtml] = [(name, split_items(html)) for name, html in parts if state.replace_part(name, html)]
        return [("stage", split_items(self.renderer.render("lobby.html", "page", lobby)))] if is_first else changed

    def _render_whole_page(self, kind: str, room: Room, role: str) -> str:
        """Render a page that is not updated in parts.

        Players who share a device see the end of a round as spectators do, with names instead of "you".
        """
        state, render = self.page, self.renderer.render
        assert kind in ("invitation", "pass_device", "round_end", "review", "game_end")
        if kind == "review":
            assert state.built is not None
            method, index = (review_bot_name(room.game), REVIEW_PLAYOUTS), state.decision_index or 0
            page = review_page(room, role, state.review, index, method, state.built[1])
            return render("review.html", "page", page)
        if kind == "invitation":
            return render("invitation.html", "page", invitation_page(room))
        if kind == "pass_device":
            return render("pass_device.html", "page", pass_device_page(room, next_local_seat(room, role, state)))
        if kind == "round_end":
            end_of_round = round_end_page(room, SPECTATOR if state.local_seats else role)
            return render("round_end.html", "page", end_of_round, opened_deal(room, role, *state.local_seats))
        player = role if not state.local_seats and room.has_played(role) else SPECTATOR
        end = game_end_page(room, player)._replace(can_rematch=role != SPECTATOR)
        end = end._replace(sharing=share_link(room, role, state.origin, state.keep_days))
        return render("game_end.html", "page", end, opened_deal(room, role, *state.local_seats))

    async def prepare(self, room: Room, role: str, replays: Replays, address: str) -> bool:
        """Build the position that the replay or review page needs; return whether it was missing."""
        step = missing_step(room, role, self.page)
        if step is None:
            return False
        self.page.built = step, await replays.build(room, step, address)
        return True

    def leave_round_end(self, rounds: int) -> None:
        self.page.rounds_seen = max(rounds, self.page.rounds_seen)

    def leave_game_end(self, room: Room) -> None:
        self.page.leave_result(room)

    def return_to_result(self) -> None:
        self.page.return_to_result()

    def watch_only(self) -> None:
        self.page.watching = True

    def show_seat(self) -> None:
        self.page.device_passed, self.page.cards_hidden, self.page.events_shown = True, False, None

    def hide_cards(self, room: Room) -> None:
        self.page.device_passed, self.page.cards_hidden = False, room.playing

    def show_replay(self, index: int | None, viewer: str | None = None) -> None:
        self.page.replay_index = index
        if viewer is not None:
            self.page.replay_viewer = viewer

    def show_review(self, rows: Sequence[Row], game: int) -> None:
        if game != self.page.game_number:
            return
        self.page.review = rows
        self.page.decision_index, self.page.replay_index = [*worst_first(rows), 0][0], None

    def show_decision(self, index: int | None) -> None:
        if self.page.review:
            self.page.decision_index = index


def missing_step(room: Room, role: str, state: PageState) -> ReplayStep | None:
    """Return the replay position that the page needs and that is not built yet, if any."""
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


# Handlers of messages that only pages send.


async def handle_round_seen(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    """Leave the summaries of the rounds up to `round`, for all seats on the device."""
    rounds, visitor = message["round"], client.visitor
    if not isinstance(rounds, int) or isinstance(rounds, bool):
        raise Malformed("round is a number")
    if room.game is None:
        raise Refused(errors.NO_GAME_YET)
    rounds_seen = min(max(rounds, 0), room.game.rounds_finished)
    visitor.reader.leave_round_end(rounds_seen)
    for role in visitor.roles:
        if role != SPECTATOR:
            room.mark_round_seen(role, rounds_seen)
    visitor.notify()


async def handle_show_replay(client: ClientConnection, room: Room, message: dict[str, Any]) -> None:
    """Show a position of the finished game, as seen by a seat or with all cards."""
    index, viewer = parse_replay_index(message.get("at")), parse_replay_viewer(message.get("eyes"))
    if room.game is not None and room.game.over:
        client.visitor.reader.show_replay(index, viewer)
        client.visitor.notify()


async def handle_show_decision(client: ClientConnection, _room: Room, message: dict[str, Any]) -> None:
    """Show a decision of the review; with null, the result of the game."""
    client.visitor.reader.show_decision(parse_replay_index(message["at"]))
    client.visitor.notify()


async def handle_return_to_result(client: ClientConnection, _room: Room, _message: dict[str, Any]) -> None:
    client.visitor.reader.return_to_result()
    client.visitor.notify()


async def handle_watch_only(client: ClientConnection, _room: Room, _message: dict[str, Any]) -> None:
    client.visitor.reader.watch_only()
    client.visitor.notify()


async def handle_show_seat(client: ClientConnection, _room: Room, message: dict[str, Any]) -> None:
    """Show the cards of a seat after the device was passed to its player."""
    visitor = client.visitor
    visitor.switch_to(message["seat"])
    visitor.reader.show_seat()
    visitor.notify()


PAGE_MESSAGES: Mapping[str, MessageSpec] = {
    "round_seen": MessageSpec(
        handle_round_seen, Sender.ANYONE, "our pages: leave the summary of a round", required=("round",)
    ),
    "show_replay": MessageSpec(
        handle_show_replay,
        Sender.ANYONE,
        "our pages: show a position of a finished game, with all cards open or as a seat saw it",
        optional=("at", "eyes"),
    ),
    "show_decision": MessageSpec(
        handle_show_decision, Sender.ANYONE, "our pages: show another decision of the review", required=("at",)
    ),
    "return_to_result": MessageSpec(
        handle_return_to_result,
        Sender.ANYONE,
        "our pages: return from the rematch's lobby to the last game's result",
    ),
    "watch_only": MessageSpec(handle_watch_only, Sender.SPECTATOR, "our pages: watch although a seat is free"),
    "show_seat": MessageSpec(
        handle_show_seat,
        Sender.LOCAL,
        "our pages: show that seat, after the device was passed on",
        required=("seat",),
    ),
}
# All messages that a connection accepts.
MESSAGES: Mapping[str, MessageSpec] = {**REGISTRY, **PAGE_MESSAGES}
