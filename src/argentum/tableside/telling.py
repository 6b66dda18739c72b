"""What somebody was told of a game, event by event, and the same in words."""

from collections.abc import Sequence

from argentum import words
from argentum.rules.events import Event
from argentum.rules.views import View


class Telling:
    """What somebody was told of a game. Lines of actions that are over are put into words once."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._turn = 0  # where the last turn's events begin
        self._old: list[words.Entry] = []  # of actions that are over, as many as are asked for
        self._old_end = 0  # where their events end
        self._entries: list[words.Entry] = []
        self._told = 0  # how many events they tell

    def hear(self, new: Sequence[Event]) -> None:
        """Listen to what happened since."""
        turns = [nth for nth, event in enumerate(new, len(self.events)) if event.kind == "turn"]
        self._turn = turns[-1] if turns else self._turn
        self.events += new

    @property
    def revealed(self) -> bool:
        """Whether the round is over and all villages are open, though a 0 may still act (G15)."""
        marks = [event.kind for event in self.events[self._turn :] if event.kind in ("dealt", "round ended")]
        return bool(marks) and marks[-1] == "round ended"

    def entries(self, public: Sequence[Event], view: View, most: int, memory: bool = False) -> list[words.Entry]:
        """The last things that happened, in words; at a table with memory, without the faces that were looked at.

        `public` are the same events as those who only watch were told them. Older lines are forgotten, so ask for as
        many each time.
        """
        if self._told != len(self.events):
            *over, last = words.actions(self.events[self._old_end :], public[self._old_end :])
            self._old = (self._old + _lines(over, view, memory))[-most:]
            self._old_end = len(self.events) - len(last)
            self._entries = self._old + _lines([last], view, memory)
            self._told = len(self.events)
        return self._entries[-most:]


def _lines(actions: list[list[words.Fact]], view: View, memory: bool) -> list[words.Entry]:
    new = words.entries_of(actions, view)
    return [entry._replace(parts=entry.memory) for entry in new] if memory else new
