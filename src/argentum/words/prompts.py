"""What the reader may do now, or is waiting for: one sentence, and a quieter second one."""

from collections.abc import Sequence

from argentum.rules.events import Event
from argentum.rules.views import View
from argentum.words.decision import Decision, Prompt
from argentum.words.questions import question
from argentum.words.waiting import game_over, waiting


def prompt(view: View, events: Sequence[Event]) -> Prompt:
    """What to say to the reader of a view, given the reader's events of the current turn (or more)."""
    now = Decision(view, events)
    if view.over:
        return game_over(now, events)
    return question(now) if view.legal else waiting(now)
