"""What one seat has seen: its view and events, log lines, recent actions, and cards that fade in memory mode."""

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
    """The events shown to one seat, and their log lines. Lines of finished actions are rendered once."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._turn_start = 0  # where the last turn's events begin
        self._finished: list[words.LogEntry] = []  # of actions that are over, as many as are asked for
        self._finished_end = 0  # where their events end
        self._lines: list[words.LogEntry] = []
        self._covered = 0  # how many events they tell

    def extend(self, new: Sequence[Event]) -> None:
        turns = [index for index, event in enumerate(new, len(self.events)) if event.kind == "turn"]
        self._turn_start = turns[-1] if turns else self._turn_start
        self.events += new

    @property
    def villages_revealed(self) -> bool:
        """Whether the round has ended and all villages are open, though a 0 may still act (G15)."""
        marks = [event.kind for event in self.events[self._turn_start :] if event.kind in ("dealt", "round ended")]
        return bool(marks) and marks[-1] == "round ended"

    def log_lines(
        self, public: Sequence[Event], view: View, max_lines: int, memory: bool = False
    ) -> list[words.LogEntry]:
        """Render the last lines of the log; in memory mode, without the faces that were looked at.

        `public` are the same events as spectators see them. Older lines are dropped, so pass the
        same `max_lines` each time.
        """
        if self._covered != len(self.events):
            *over, last = words.group_actions(self.events[self._finished_end :], public[self._finished_end :])
            self._finished = (self._finished + _render_lines(over, view, memory))[-max_lines:]
            self._finished_end = len(self.events) - len(last)
            self._lines = self._finished + _render_lines([last], view, memory)
            self._covered = len(self.events)
        return self._lines[-max_lines:]


def _render_lines(actions: list[list[words.LoggedEvent]], view: View, memory: bool) -> list[words.LogEntry]:
    new = words.build_entries(actions, view)
    return [entry._replace(parts=entry.public_parts) for entry in new] if memory else new


MOVING_KINDS = ("left", "added", "switched", "shifted", "gave", "removed", "shuffled")


class SeatMemory:
    """What one seat (or, with an empty letter, a spectator) sees now and has seen so far.

    `public` returns the game's events as spectators see them; it is called only when needed.
    """

    def __init__(
        self, seat: str, game: Game, public: Callable[[], list[Event]], looks: dict[str, float] | None = None
    ) -> None:
        self.seat = seat
        self.view = game.view(seat or None)
        self.revision = -1  # of the table, up to which it has followed
        self.history = EventHistory()
        self.seen_at = looks or {}  # when the card in a spot was last seen
        self.scene_cache: dict[str, CachedVillage] = {}  # its villages, as they were last drawn
        self._public = public

    @property
    def events(self) -> list[Event]:
        return self.history.events

    def advance(self, game: Game, revision: int, look_seconds: float = 0.0) -> None:
        """Advance to a revision of the game; in memory mode, each look lasts `look_seconds`."""
        if revision == self.revision:
            return
        live = self.revision >= 0  # looks before the first view have expired
        self.revision = revision
        self.view = game.view(self.seat or None)
        new = game.events(self.seat, len(self.events)) if self.seat else self._public()[len(self.events) :]
        looked = [event for event in new if event.kind == "looked" and event.seat == self.seat]
        extra = look_seconds * max(len(looked) - 1, 0)  # they are looked at one after another
        for event in new if live else ():
            self._note_look(event, monotonic() + (extra if event in looked else 0.0))
        self.history.extend(new)

    def _note_look(self, event: Event, now: float) -> None:
        """Record that a card was just seen. Where cards move, earlier looks no longer apply."""
        if event.kind in MOVING_KINDS:
            villages = event.spot[:1] + event.to[:1] + event.village
            self.seen_at = {spot: seen for spot, seen in self.seen_at.items() if spot[0] not in villages}
        if event.spot and event.number is not None:
            self.seen_at[event.to if event.kind in ("shifted", "gave") else event.spot] = now

    def log_lines(self, max_lines: int, memory_mode: bool = False) -> list[words.LogEntry]:
        return self.history.log_lines(self._public(), self.view, max_lines, memory_mode)

    def visible_spots(self, look_seconds: float) -> frozenset[str]:
        since = monotonic() - look_seconds
        return frozenset([spot for spot, seen in self.seen_at.items() if seen > since])

    def expire_looks(self, now: float, look_seconds: float) -> tuple[bool, float | None]:
        """Forget expired looks; return whether there were any, and the seconds until the next one expires."""
        faded = [spot for spot, seen in self.seen_at.items() if seen + look_seconds <= now]
        for spot in faded:
            del self.seen_at[spot]
        return bool(faded), min([seen + look_seconds - now for seen in self.seen_at.values()], default=None)


def mask_faded(view: View, fresh: frozenset[str]) -> View:
    """Hide the faces of facedown cards that the seat has not seen recently."""
    villages = {
        letter: tuple([_masked_card(card, f"{letter}{position}", fresh) for position, card in enumerate(cards, 1)])
        for letter, cards in view.villages.items()
    }
    private = {
        letter: cards if letter == view.seat else tuple([_masked_card(card, "", fresh) for card in cards])
        for letter, cards in view.private.items()  # one's own may be looked at at any time (D10)
    }
    # Whoever chooses among cards of the deck has them before them (A4).
    keeping = view.asking is not None and view.asking.step == STEP_KEEP and view.asking.seat == view.seat
    looked_at = len(view.legal) if keeping else 0
    deck = view.deck[:looked_at] + tuple([_masked_card(card, "", fresh) for card in view.deck[looked_at:]])
    discard = tuple([_masked_card(card, "", fresh) for card in view.discard])
    return view._replace(villages=villages, private=private, deck=deck, discard=discard)


def _masked_card(card: Card, spot: str, fresh: frozenset[str]) -> Card:
    return card if card.up or card.number is None or spot in fresh else card._replace(number=None)


GLYPH_LOOK, GLYPH_SWITCH, GLYPH_PUT, GLYPH_TURN = "eye", "switch", "drawn", "again"
TEXTS = {
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
# The same for a line of the story, which also tells of what leaves no trace.
LOG_GLYPHS = GLYPH_OF_KIND | {
    "switched": GLYPH_SWITCH,
    "gave": GLYPH_SWITCH,
    "shifted": GLYPH_SWITCH,
    "called": "bell",
    "discarded": "leaf",
}
LOG_GLYPHS |= dict.fromkeys(("drew", "took", "showed", "stayed", "failed", "used", "ability"), "leaf")
MAX_CACHED_NAMES = 4_096  # whose players' initials are kept
REORDERING_KINDS = ("shifted", "gave", "removed", "shuffled")  # after these, positions of cards are unknown


def recent_actions(events: Sequence[Event], names: Sequence[str], letters: str, viewer: str) -> dict[str, RecentAction]:
    """Return the recent public actions on the cards, by the spots where the cards lie now.

    They stay until the viewer's next turn is over. Spectators see those of everybody's last turn.
    """
    marks: dict[str, tuple[str, str]] = {}
    removed: list[str] = []
    for event in events[_first_index(events, viewer, len(letters)) :]:
        removed = _move_marks(marks, removed, event)
        if event.seat == viewer:
            continue
        if event.kind == "switched":
            marks[event.spot] = marks[event.to] = (GLYPH_SWITCH, event.seat)
        elif event.kind in GLYPH_OF_KIND and event.spot:
            marks[event.spot] = (GLYPH_OF_KIND[event.kind], event.seat)
    initial_by_seat = dict(zip(letters, initials(tuple(names)), strict=True))
    named = dict(zip(letters, names, strict=True))
    return {
        spot: RecentAction(glyph, seat, initial_by_seat[seat], TEXTS[glyph].format(named[seat]))
        for spot, (glyph, seat) in marks.items()
    }


@lru_cache(MAX_CACHED_NAMES)
def initials(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a letter for each name, or two where names begin alike.

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


def _first_index(events: Sequence[Event], viewer: str, seats: int) -> int:
    """Return the index of the first recent event: after the viewer's last finished turn, within this round."""
    starts: list[int] = []  # of turns since then, the last first
    for index in range(len(events) - 1, -1, -1):
        if events[index].kind == "dealt":
            return index
        if events[index].kind == "turn":
            if starts and (events[index].seat == viewer or (not viewer and len(starts) == seats)):
                return starts[-1]
            starts.append(index)
    return 0


def _move_marks(marks: dict[str, tuple[str, str]], removed: list[str], event: Event) -> list[str]:
    """Move marks with their cards, where that is certain; return the cards removed so far in this action."""
    if event.kind in ("turn", "drew", "took", "used", "ability"):
        return []
    if event.kind == "left":
        marks.pop(event.spot, None)
        return [*removed, event.spot]
    if event.kind == "placed" and removed == [event.spot]:  # one card for one: the others lie as they lay
        marks.pop(event.spot, None)
        return []
    if event.kind in REORDERING_KINDS or (event.kind == "placed" and removed):
        villages = {spot[0] for spot in (event.spot, event.to, event.village, *removed) if spot}
        for spot in [spot for spot in marks if spot[0] in villages]:
            del marks[spot]
        return []
    return removed
