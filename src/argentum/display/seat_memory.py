# mypyc: compile, optimize
"""What one viewer sees and has seen: view, events, log, others' recent actions, and cards hidden by memory mode."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from time import monotonic

from argentum import words
from argentum.display.scene import CachedVillage, RecentAction
from argentum.rules.asking import STEP_KEEP
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.views import Card, View
from argentum.words import site_texts


class EventHistory:
    """The events that one viewer saw, and their log lines. The lines of a finished action are rendered only once."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._turn_start = 0  # index of the first event of the current turn
        self._finished: list[words.LogEntry] = []  # lines of finished actions, at most `max_lines`
        self._finished_end = 0  # index after the last event of those actions
        self._lines: list[words.LogEntry] = []  # `_finished`, followed by the lines of the current action
        self._rendered_count = 0  # number of events when `_lines` was rendered

    def extend(self, events: Sequence[Event]) -> None:
        turns = [index for index, event in enumerate(events, len(self.events)) if event.kind == "turn"]
        self._turn_start = turns[-1] if turns else self._turn_start
        self.events += events

    @property
    def villages_revealed(self) -> bool:
        """Whether all villages are faceup at the end of a round, even if a 0 may still act (G15)."""
        kinds = [event.kind for event in self.events[self._turn_start :] if event.kind in ("dealt", "round ended")]
        return bool(kinds) and kinds[-1] == "round ended"

    def log_lines(
        self, public: Sequence[Event], view: View, max_lines: int, memory: bool = False
    ) -> list[words.LogEntry]:
        """Return the last `max_lines` lines of the log; with `memory`, without the faces that only this viewer saw.

        `public` contains the same events as spectators see them. Pass the same `max_lines` in every call, because older
        lines are dropped.
        """
        if self._rendered_count != len(self.events):
            *finished, current = words.group_actions(self.events[self._finished_end :], public[self._finished_end :])
            self._finished = (self._finished + _render_lines(finished, view, memory))[-max_lines:]
            self._finished_end = len(self.events) - len(current)
            self._lines = self._finished + _render_lines([current], view, memory)
            self._rendered_count = len(self.events)
        return self._lines[-max_lines:]


def _render_lines(actions: list[list[words.LoggedEvent]], view: View, memory: bool) -> list[words.LogEntry]:
    entries = words.build_entries(actions, view)
    return [entry._replace(parts=entry.public_parts) for entry in entries] if memory else entries


MOVING_KINDS = ("left", "added", "switched", "shifted", "gave", "removed", "shuffled")  # events that move cards


class SeatMemory:
    """What a seat, or a spectator if `seat` is empty, sees now and has seen so far.

    `public_events` returns the game's events as spectators see them; it is called only when needed. `looks` maps spots
    to the times of the clock `now` at which the seat saw their cards.
    """

    def __init__(
        self,
        seat: str,
        game: Game,
        public_events: Callable[[], list[Event]],
        looks: dict[str, float] | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.seat = seat
        self.view = game.view(seat or None)
        self.revision = -1  # revision of the game at the last update; -1 before the first
        self.history = EventHistory()
        self.seen_at = looks or {}  # when the card in a spot was last seen
        self.scene_cache: dict[str, CachedVillage] = {}
        self._public_events = public_events
        self._now = now

    @property
    def events(self) -> list[Event]:
        return self.history.events

    def advance(self, game: Game, revision: int, look_seconds: float = 0.0) -> None:
        """Update the view and events to a revision of the game. In memory mode, each look lasts `look_seconds`."""
        if revision == self.revision:
            return
        is_first = self.revision < 0
        self.revision = revision
        self.view = game.view(self.seat or None)
        events = game.events(self.seat, len(self.events)) if self.seat else self._public_events()[len(self.events) :]
        if not is_first:  # Looks from before the first update have expired.
            own_looks = [event for event in events if event.kind == "looked" and event.seat == self.seat]
            extra_seconds = look_seconds * max(len(own_looks) - 1, 0)  # The player looks at one card after another.
            for event in events:
                self._note_look(event, self._now() + (extra_seconds if event in own_looks else 0.0))
        self.history.extend(events)

    def _note_look(self, event: Event, time: float) -> None:
        """Store that the card of an event was seen at `time`; forget earlier looks at villages whose cards moved."""
        if event.kind in MOVING_KINDS:
            villages = event.spot[:1] + event.to[:1] + event.village
            self.seen_at = {spot: seen_at for spot, seen_at in self.seen_at.items() if spot[0] not in villages}
        if event.spot and event.number is not None:
            self.seen_at[event.to if event.kind in ("shifted", "gave") else event.spot] = time

    def log_lines(self, max_lines: int, memory_mode: bool = False) -> list[words.LogEntry]:
        """Return the last `max_lines` lines of the log: see :meth:`EventHistory.log_lines`."""
        return self.history.log_lines(self._public_events(), self.view, max_lines, memory_mode)

    def visible_spots(self, look_seconds: float) -> frozenset[str]:
        """Return the spots whose cards were seen in the last `look_seconds`."""
        since = self._now() - look_seconds
        return frozenset([spot for spot, seen_at in self.seen_at.items() if seen_at > since])

    def expire_looks(self, now: float, look_seconds: float) -> tuple[bool, float | None]:
        """Forget expired looks; return whether there were any, and the seconds until the next expires, or None."""
        expired = [spot for spot, seen_at in self.seen_at.items() if seen_at + look_seconds <= now]
        for spot in expired:
            del self.seen_at[spot]
        return bool(expired), min([seen_at + look_seconds - now for seen_at in self.seen_at.values()], default=None)


def mask_faded_cards(view: View, visible: frozenset[str]) -> View:
    """Hide the faces of facedown cards, except in the `visible` spots."""
    villages = {
        letter: tuple([_mask_card(card, f"{letter}{position}", visible) for position, card in enumerate(cards, 1)])
        for letter, cards in view.villages.items()
    }
    private = {
        letter: cards if letter == view.seat else tuple([_mask_card(card, "", visible) for card in cards])
        for letter, cards in view.private.items()  # The owner may look at a private deck at any time (D10).
    }
    # A player who chooses among cards of the deck holds them in front of them (A4).
    is_choosing = view.asking is not None and view.asking.step == STEP_KEEP and view.asking.seat == view.seat
    looked_at = len(view.legal) if is_choosing else 0
    deck = view.deck[:looked_at] + tuple([_mask_card(card, "", visible) for card in view.deck[looked_at:]])
    discard = tuple([_mask_card(card, "", visible) for card in view.discard])
    return view._replace(villages=villages, private=private, deck=deck, discard=discard)


def _mask_card(card: Card, spot: str, visible: frozenset[str]) -> Card:
    return card if card.up or card.number is None or spot in visible else card._replace(number=None)


GLYPH_LOOK, GLYPH_SWITCH, GLYPH_PUT, GLYPH_TURN = "eye", "switch", "drawn", "again"
RECENT_ACTION_TEXTS = {
    GLYPH_LOOK: site_texts.TRACE_LOOKED,
    GLYPH_SWITCH: site_texts.TRACE_SWITCHED,
    GLYPH_PUT: site_texts.TRACE_PLACED,
    GLYPH_TURN: site_texts.TRACE_FLIPPED,
}
GLYPH_OF_KIND = {
    "looked": GLYPH_LOOK,
    "placed": GLYPH_PUT,
    "added": GLYPH_PUT,
    "turned up": GLYPH_TURN,
    "turned down": GLYPH_TURN,
}
# Log lines have glyphs for more kinds of events, which mark no card.
LOG_GLYPHS = GLYPH_OF_KIND | {
    "switched": GLYPH_SWITCH,
    "gave": GLYPH_SWITCH,
    "shifted": GLYPH_SWITCH,
    "called": "bell",
    "discarded": "leaf",
}
LOG_GLYPHS |= dict.fromkeys(("drew", "took", "showed", "stayed", "failed", "used", "ability"), "leaf")
MAX_CACHED_NAMES = 4_096  # sets of names in the cache of initials
REORDERING_KINDS = ("shifted", "gave", "removed", "shuffled")  # after these, nobody knows which card is where


def recent_actions(events: Sequence[Event], names: Sequence[str], letters: str, viewer: str) -> dict[str, RecentAction]:
    """Return other players' latest actions on cards, keyed by the spots where the cards lie now.

    These are the actions since the viewer's last finished turn; for spectators, those of the last turn of every seat.
    """
    marks: dict[str, tuple[str, str]] = {}
    removed: list[str] = []
    for event in events[_find_first_recent_event(events, viewer, len(letters)) :]:
        removed = _drop_stale_marks(marks, removed, event)
        if event.seat == viewer:
            continue
        if event.kind == "switched":
            marks[event.spot] = marks[event.to] = (GLYPH_SWITCH, event.seat)
        elif event.kind in GLYPH_OF_KIND and event.spot:
            marks[event.spot] = (GLYPH_OF_KIND[event.kind], event.seat)
    initial_by_seat = dict(zip(letters, initials(tuple(names)), strict=True))
    name_by_seat = dict(zip(letters, names, strict=True))
    return {
        spot: RecentAction(glyph, seat, initial_by_seat[seat], RECENT_ACTION_TEXTS[glyph].format(name_by_seat[seat]))
        for spot, (glyph, seat) in marks.items()
    }


@lru_cache(MAX_CACHED_NAMES)
def initials(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first letter of each name, or the first two letters of names that begin with the same one.

    >>> initials(("Ann", "bo", "Bess")), initials(("A Bell", "Ann"))
    (('A', 'bo', 'Be'), ('A', 'An'))
    """
    firsts = [name[:1].casefold() for name in names]
    return tuple(
        [
            name[:1].upper() if firsts.count(first) == 1 else name[:2].strip()
            for name, first in zip(names, firsts, strict=True)
        ]
    )


def _find_first_recent_event(events: Sequence[Event], viewer: str, seats: int) -> int:
    """Return the index of the first recent event: after the viewer's last finished turn, within this round."""
    turn_starts: list[int] = []  # newest first
    for index in range(len(events) - 1, -1, -1):
        if events[index].kind == "dealt":
            return index
        if events[index].kind == "turn":
            if turn_starts and (events[index].seat == viewer or (not viewer and len(turn_starts) == seats)):
                return turn_starts[-1]
            turn_starts.append(index)
    return 0


def _drop_stale_marks(marks: dict[str, tuple[str, str]], removed: list[str], event: Event) -> list[str]:
    """Drop the marks of cards that an event moved or replaced; return the spots that the action has emptied so far."""
    if event.kind in ("turn", "drew", "took", "used", "ability"):
        return []
    if event.kind == "left":
        marks.pop(event.spot, None)
        return [*removed, event.spot]
    if event.kind == "placed" and removed == [event.spot]:  # One card replaced another; the rest did not move.
        marks.pop(event.spot, None)
        return []
    if event.kind in REORDERING_KINDS or (event.kind == "placed" and removed):
        villages = {spot[0] for spot in (event.spot, event.to, event.village, *removed) if spot}
        for spot in [spot for spot in marks if spot[0] in villages]:
            del marks[spot]
        return []
    return removed
