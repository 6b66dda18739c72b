"""From updates to what a screen shows: a scene, a log, and how the last round was scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from argentum import words
from argentum.display import scene, scene_builder
from argentum.display.guide import guide_advice
from argentum.display.results import RoundScoring
from argentum.display.seat_memory import EventHistory
from argentum.display.updates import ObservedEvent, read_event, read_round_scoring, read_view
from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.terminal.sources import Message
from argentum.words.site_texts import NUDGE_TEXT

MAX_LOG_LINES: Final = 60
ALL_LINES: Final = 10**6
CHAT_KIND: Final = "talk"  # the kind of a line that somebody said


@dataclass(frozen=True)
class TableState:
    """A table at one moment, as somebody sees it."""

    stage: str
    seats: tuple[scene.SeatInfo, ...]
    arrangement: Message
    scene: scene.Scene | None  # None before the first game
    view: View | None
    choice: int | None = None
    scores: Sequence[Mapping[str, int]] = ()  # of the rounds that are over
    winner: str = ""
    clock: float | None = None

    @property
    def has_free_seat(self) -> bool:
        """Whether a seat is free."""
        return any([seat.free for seat in self.seats])

    @property
    def memory(self) -> bool:
        """Whether one plays from memory."""
        return bool(self.arrangement.get("memory"))


def _seat(form: Message) -> scene.SeatInfo:
    return scene.SeatInfo(**{key: form[key] for key in scene.SeatInfo._fields if key in form})


class UpdateReader:
    """Reads the updates of a table one after another."""

    def __init__(self) -> None:
        self.history = EventHistory()
        self.public_events: list[Event] = []  # the same as those who only watch were told it
        self.line_count = 0  # lines of the log
        self.chat: list[tuple[int, words.LogEntry]] = []  # what was said, and after how many lines of the log

    def read(self, update: Message, guided: bool = False) -> tuple[TableState, RoundScoring | None]:
        """The table as an update has it, and the reckoning of a round that has just ended."""
        seats = tuple([_seat(seat) for seat in update["seats"]])
        if "view" not in update:
            return TableState(update["stage"], seats, update["arrangement"], None, None), None
        view = read_view(update["view"])
        self._add_events([read_event(event) for event in update["events"]])
        moment = TableState(
            update["stage"],
            seats,
            update["arrangement"],
            self._scene(view, seats, update, guided),
            view,
            update["choice"],
            update["scores"],
            update.get("winner", ""),
            update["clock"],
        )
        return moment, read_round_scoring(update["reckoning"]) if update.get("reckoning") else None

    def _add_events(self, new: Sequence[ObservedEvent]) -> None:
        """Listen to what happened; a first deal begins another game."""
        starts = [nth for nth, one in enumerate(new) if one.event.kind == "dealt" and one.event.round == 1]
        if starts:
            self.history, self.public_events, self.chat = EventHistory(), [], []
            new = new[starts[-1] :]
        self.history.extend([one.event for one in new])
        self.public_events += [one.public for one in new]

    def add_chat(self, lines: Sequence[Message]) -> None:
        """Listen to what people say: it stands in the log where it was said."""
        for line in lines:
            said: tuple[words.LogPart, ...] = (words.PlayerName(line["seat"], line["name"]), f": {line['text']}")
            if line["kind"] == "nudge":
                before, _, after = NUDGE_TEXT.partition("{name}")
                said = (before, words.PlayerName(line["seat"], line["name"]), after)
            self.chat.append((self.line_count, words.LogEntry(said, CHAT_KIND, line["seat"], said)))

    def _scene(self, view: View, seats: Sequence[scene.SeatInfo], update: Message, guided: bool) -> scene.Scene:
        log = self.history.log_lines(self.public_events, view, ALL_LINES, update["arrangement"]["memory"])
        self.line_count = len(log)
        for after, line in reversed(self.chat):
            log = [*log[:after], line, *log[after:]]
        advice = guide_advice(view) if guided else None
        return scene_builder.build_scene(
            view, seats, update["scores"], log[-MAX_LOG_LINES:], words.prompt(view), advice
        )
