"""From updates to what a screen shows: a scene, a log, and how the last round was scored."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from argentum import words
from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.tableside import scene
from argentum.tableside.updates import Reckoning, Told, read_event, read_reckoning, read_view
from argentum.terminal.sources import Message

LOG_LINES: Final = 60


@dataclass(frozen=True)
class Moment:
    """A table at one moment, as somebody sees it."""

    stage: str
    seats: tuple[scene.Seat, ...]
    arrangement: Message
    scene: scene.Scene | None  # None before the first game
    view: View | None
    choice: int | None = None
    winner: str = ""
    clock: float | None = None

    @property
    def memory(self) -> bool:
        """Whether one plays from memory."""
        return bool(self.arrangement.get("memory"))


@dataclass
class Story:
    """What was told of a game, and the same in words. Lines of turns that are over are made once."""

    told: list[Told] = field(default_factory=list)
    turn: int = 0  # where the last turn's events begin
    old: list[words.Entry] = field(default_factory=list)  # of turns that are over
    old_end: int = 0

    def hear(self, new: Sequence[Told]) -> None:
        """Listen to what happened; a first deal begins another story."""
        starts = [nth for nth, one in enumerate(new) if one.event.kind == "dealt" and one.event.value == 1]
        if starts:
            self.told, self.old = [], []
            self.turn = self.old_end = 0
            new = new[starts[-1] :]
        turns = [nth for nth, one in enumerate(new, len(self.told)) if one.event.kind == "turn"]
        self.turn = turns[-1] if turns else self.turn
        self.told += new

    @property
    def turn_events(self) -> list[Event]:
        """What happened in this turn."""
        return [one.event for one in self.told[self.turn :]]

    def entries(self, view: View) -> list[words.Entry]:
        """All that happened, in words."""
        self.old += self._chronicle(self.old_end, self.turn, view)
        self.old_end = self.turn
        return self.old + self._chronicle(self.turn, len(self.told), view)

    def _chronicle(self, first: int, end: int, view: View) -> list[words.Entry]:
        told = self.told[first:end]
        return words.chronicle([one.event for one in told], [one.public for one in told], view)


class Reader:
    """Reads the updates of a table one after another."""

    def __init__(self) -> None:
        self.story = Story()

    def read(self, update: Message, coached: bool = False) -> tuple[Moment, Reckoning | None]:
        """The table as an update has it, and the reckoning of a round that has just ended."""
        seats = tuple([scene.Seat(*[seat[key] for key in scene.Seat._fields]) for seat in update["seats"]])
        if "view" not in update:
            return Moment(update["stage"], seats, update["arrangement"], None, None), None
        view = read_view(update["view"])
        self.story.hear([read_event(event) for event in update["events"]])
        moment = Moment(
            update["stage"],
            seats,
            update["arrangement"],
            self._scene(view, seats, update, coached),
            view,
            update["choice"],
            update.get("winner", ""),
            update["clock"],
        )
        return moment, read_reckoning(update["reckoning"]) if update.get("reckoning") else None

    def _scene(self, view: View, seats: Sequence[scene.Seat], update: Message, coached: bool) -> scene.Scene:
        log = self.story.entries(view)[-LOG_LINES:]
        if update["arrangement"]["memory"]:
            log = [entry._replace(parts=entry.memory) for entry in log]
        events = self.story.turn_events
        advice = words.coach(view, events) if coached else ""
        return scene.build(view, seats, update["scores"], log, words.prompt(view, events), advice)
