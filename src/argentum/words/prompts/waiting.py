# mypyc: compile
"""Prompts for readers with nothing to decide: while others decide, and after the game."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.views import View
from argentum.words.context import Prompt, PromptContext
from argentum.words.english import capitalize_first, join_list
from argentum.words.player_names import format_points, player_names
from argentum.words.prompts.by_step import WAITING_TEXT_BY_STEP
from argentum.words.residents import texts_of
from argentum.words.residents.texts import PromptText


def waiting_prompt(context: PromptContext) -> Prompt:
    """Return the prompt for a reader who waits for another player's decision."""
    asking = context.asking
    if context.view.looking:
        return Prompt(*_first_look_prompt(context), None)
    if asking.is_rule:
        title, detail = WAITING_BY_STEP[asking.step](context)
        return Prompt(title, detail or _last_turns_text(context), None)
    action = (texts_of(asking.label).waiting_texts.get(asking.step) or WAITING_TEXT_BY_STEP[asking.step]).format(
        asker=context.asker_phrase
    )
    return Prompt(f"{context.player} {action}.", _waiting_detail(context) or _last_turns_text(context), asking.number)


def _waiting_detail(context: PromptContext) -> str:
    """List the cards picked so far, or announce the scoring at the end of a round (G15)."""
    if context.picked:
        return f"So far: {context.player_names.spots_phrase(context.picked)}."
    return "Then the round is scored." if context.view.reason else ""


def _first_look_prompt(context: PromptContext) -> PromptText:
    names = join_list([context.player_names.name(seat) for seat in context.view.looking])
    verb = "is" if len(context.view.looking) == 1 else "are"
    starts = capitalize_first(context.player_names.with_verb(context.view.turn, "start"))
    return f"{names} {verb} looking at two cards.", f"{starts} the round."


def _hand_prompt(context: PromptContext) -> PromptText:
    card = None if context.view.hand is None else context.view.hand.number
    if context.asking.is_taken_card:
        village = context.player_names.village_phrase(context.asking.seat)
        return f"{context.player} took {context.resident_phrase(card, 'a facedown card')}.", f"It goes into {village}."
    return f"{context.player} drew {context.resident_phrase(card)}.", f"{context.player} exchanges it or discards it."


def _picked_text(context: PromptContext) -> str:
    return f"So far: {context.player_names.spots_phrase(context.picked)}."


def _last_turns_text(context: PromptContext) -> str:
    if not context.view.caller:
        return ""
    caller = capitalize_first(context.player_names.with_verb(context.view.caller, "have"))
    return f"{caller} called: these are the last turns."


WAITING_BY_STEP: dict[str, Callable[[PromptContext], PromptText]] = {
    asking.STEP_MAIN_ACTION: lambda context: (f"It is {context.player}'s turn.", ""),
    asking.STEP_HAND: _hand_prompt,
    asking.STEP_MORE_CARDS: lambda context: (f"{context.player} chooses cards to exchange.", _picked_text(context)),
    asking.STEP_SPOT: lambda context: (f"{context.player} chooses a spot for the new card.", ""),
    asking.STEP_VILLAGE_END: lambda context: (
        f"{context.player} chooses an end for the new card.",
        "The cards don't match.",
    ),
    asking.STEP_PENALTY_END: lambda context: (
        f"{context.player} chooses an end for the penalty card.",
        "The cards don't match.",
    ),
    asking.STEP_END_WINDOW: lambda context: (f"{context.player} may still use something, or end the turn.", ""),
}


def game_over_prompt(view: View) -> Prompt:
    """Return the result of a game of four rounds, or of the last round of a shorter game."""
    names, is_full_game = player_names(view), view.round == ROUNDS_PER_GAME
    points = view.totals if is_full_game else view.scores
    title = (
        capitalize_first(names.with_verb(view.winner, "win")) + " the game." if is_full_game else "The round is over."
    )
    totals = [
        f"{names.name(seat)} {format_points(points[seat])}" for seat in sorted(points, key=lambda seat: points[seat])
    ]
    return Prompt(title, capitalize_first(join_list(totals)) + ".", None)
