"""What the reader may do now, or is waiting for: one sentence, and a quieter second one."""

from argentum.rules.views import View
from argentum.words.context import Prompt, PromptContext
from argentum.words.prompts.by_step import PROMPT_BY_STEP, fallback_prompt
from argentum.words.prompts.waiting import game_over_prompt, waiting_prompt
from argentum.words.residents import texts_of


def prompt(view: View) -> Prompt:
    """What to say to the reader of a view."""
    if view.asking is None:
        return game_over_prompt(view)
    now = PromptContext(view)
    return question_prompt(now) if view.legal else waiting_prompt(now)


def question_prompt(now: PromptContext) -> Prompt:
    """What the reader, who has a choice to make, is asked."""
    asking = now.asking
    if asking.is_rule:
        return Prompt(*PROMPT_BY_STEP[asking.step](now), None)
    asked = texts_of(asking.label).questions.get(asking.step, fallback_prompt)
    return Prompt(*(asked(now) if callable(asked) else asked), asking.number)
