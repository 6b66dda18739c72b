# mypyc: compile
"""The prompt for a view: a title and a detail."""

from argentum.rules.views import View
from argentum.words.context import Prompt, PromptContext
from argentum.words.prompts.by_step import PROMPT_BY_STEP, fallback_prompt
from argentum.words.prompts.waiting import game_over_prompt, waiting_prompt
from argentum.words.residents import texts_of


def prompt(view: View) -> Prompt:
    """Return the prompt of a view: a question, a waiting message, or the result."""
    if view.asking is None:
        return game_over_prompt(view)
    context = PromptContext(view)
    return question_prompt(context) if view.legal else waiting_prompt(context)


def question_prompt(context: PromptContext) -> Prompt:
    """Return the question for a reader who has to decide."""
    asking = context.asking
    if asking.is_rule:
        return Prompt(*PROMPT_BY_STEP[asking.step](context), None)
    question = texts_of(asking.label).questions.get(asking.step, fallback_prompt)
    return Prompt(*(question(context) if callable(question) else question), asking.number)
