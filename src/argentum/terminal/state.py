"""Convert protocol updates to the state that the screens show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from argentum import words
from argentum.client import Update
from argentum.display import scene, scene_builder
from argentum.display.guide import guide_advice
from argentum.display.results import RoundScoring
from argentum.display.seat_memory import EventHistory
from argentum.display.updates import ObservedEvent
from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.terminal.sources import ProtocolMessage
from argentum.words.site_texts import NUDGE_TEXT

MAX_LOG_LINES: Final = 60
ALL_LINES: Final = 10**6
CHAT_KIND: Final = "talk"  # `LogEntry.kind` of chat lines


@dataclass(frozen=True)
class TableState:
    """State of a table after one update, as one seat sees it."""

    stage: str
    seats: tuple[scene.SeatInfo, ...]
    arrangement: ProtocolMessage
    scene: scene.Scene | None  # None before the first game
    view: View | None
    choice: int | None = None  # number of the viewer's pending choice
    scores: Sequence[Mapping[str, int]] = ()  # points by seat, for each finished round
    winner: str = ""
    clock: float | None = None  # seconds left for the pending choice

    @property
    def has_free_seat(self) -> bool:
        return any([seat.free for seat in self.seats])

    @property
    def memory_mode(self) -> bool:
        return bool(self.arrangement.get("memory"))


class UpdateReader:
    """Converts a table's updates, in order, and accumulates its log and chat."""

    def __init__(self) -> None:
        self.history = EventHistory()
        self.public_events: list[Event] = []  # the same events, as spectators see them
        self.line_count = 0  # number of log lines, without chat
        self.chat: list[tuple[int, words.LogEntry]] = []  # number of log lines before an entry, and the entry

    def read(self, message: ProtocolMessage, guided: bool = False) -> tuple[TableState, RoundScoring | None]:
        """Return the state after an update, and the scoring of the round that ended with it, or None."""
        update = Update(message)
        view = update.view
        if view is None:
            return TableState(update.stage, update.seats, message["arrangement"], None, None), None
        self._add_events(update.events)
        state = TableState(
            update.stage,
            update.seats,
            message["arrangement"],
            self._build_scene(view, update, guided),
            view,
            update.choice,
            update.scores,
            update.winner,
            update.clock,
        )
        return state, update.round_scoring

    def _add_events(self, events: Sequence[ObservedEvent]) -> None:
        """Append events to the log. The first deal of a game clears the log and the chat."""
        starts = [
            index
            for index, observed in enumerate(events)
            if observed.event.kind == "dealt" and observed.event.round == 1
        ]
        if starts:
            self.history, self.public_events, self.chat = EventHistory(), [], []
            events = events[starts[-1] :]
        self.history.extend([observed.event for observed in events])
        self.public_events += [observed.public for observed in events]

    def add_chat(self, lines: Sequence[ProtocolMessage]) -> None:
        """Add chat lines after the last line of the log."""
        for line in lines:
            parts: tuple[words.LogPart, ...] = (words.PlayerName(line["seat"], line["name"]), f": {line['text']}")
            if line["kind"] == "nudge":
                before, _, after = NUDGE_TEXT.partition("{name}")
                parts = (before, words.PlayerName(line["seat"], line["name"]), after)
            self.chat.append((self.line_count, words.LogEntry(parts, CHAT_KIND, line["seat"], parts)))

    def _build_scene(self, view: View, update: Update, guided: bool) -> scene.Scene:
        """Build the scene of an update, with chat lines inserted into the log."""
        log = self.history.log_lines(self.public_events, view, ALL_LINES, update.arrangement["memory"])
        self.line_count = len(log)
        for index, line in reversed(self.chat):
            log = [*log[:index], line, *log[index:]]
        advice = guide_advice(view) if guided else None
        return scene_builder.build_scene(
            view, update.seats, update.scores, log[-MAX_LOG_LINES:], words.prompt(view), advice
        )
