"""What the reader may do now, or is waiting for: one sentence, and a quieter second one."""

from argentum.rules.views import View
from argentum.words.context import Moment, Prompt
from argentum.words.prompts.by_step import QUESTIONS, general
from argentum.words.prompts.waiting import game_over, waiting
from argentum.words.residents import voice_of


def prompt(view: View) -> Prompt:
    """What to say to the reader of a view."""
    if view.asking is None:
        return game_over(view)
    now = Moment(view)
    return question(now) if view.legal else waiting(now)


def question(now: Moment) -> Prompt:
    """What the reader, who has a choice to make, is asked."""
    one = now.asking
    if one.label.startswith("G"):
        return Prompt(*QUESTIONS[one.step](now), None)
    asked = voice_of(one.label).asks.get(one.step, general)
    return Prompt(*(asked(now) if callable(asked) else asked), one.number)
