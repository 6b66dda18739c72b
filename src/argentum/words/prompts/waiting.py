"""What the reader waits for: another player's move, the first looks, or nothing any more."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.views import View
from argentum.words.context import Prompt, PromptContext
from argentum.words.english import capitalize_first, join_list
from argentum.words.player_names import player_names, signed
from argentum.words.prompts.by_step import WAITING_TEXT_BY_STEP
from argentum.words.residents import texts_of
from argentum.words.residents.texts import PromptText


def waiting_prompt(now: PromptContext) -> Prompt:
    """What to say to a reader who has no choice to make in a game that goes on."""
    asking = now.asking
    if now.view.looking:
        return Prompt(*_first_look_of_others(now), None)
    if asking.is_rule:
        title, detail = WAITING_BY_STEP[asking.step](now)
        return Prompt(title, detail or _last_turns(now), None)
    what = (texts_of(asking.label).waiting_texts.get(asking.step) or WAITING_TEXT_BY_STEP[asking.step]).format(
        asker=now.asker_phrase
    )
    return Prompt(f"{now.player} {what}.", _detail_so_far(now) or _last_turns(now), asking.number)


def _detail_so_far(now: PromptContext) -> str:
    """What was picked so far; or, at the end of a round, what comes next (G15)."""
    if now.picked:
        return f"So far: {now.player_names.spots_phrase(now.picked)}."
    return "Then the round is scored." if now.view.reason else ""


def _first_look_of_others(now: PromptContext) -> PromptText:
    """The first look of others (G4)."""
    names = join_list([now.player_names.name(seat) for seat in now.view.looking])
    verb = "is" if len(now.view.looking) == 1 else "are"
    starts = capitalize_first(now.player_names.with_verb(now.view.turn, "start"))
    return f"{names} {verb} looking at two cards.", f"{starts} the round."


def _hand(now: PromptContext) -> PromptText:
    """Somebody holds a card."""
    card = None if now.view.hand is None else now.view.hand.number
    if now.asking.is_taken_card:
        village = now.player_names.village_phrase(now.asking.seat)
        return f"{now.player} took {now.resident_phrase(card, 'a facedown card')}.", f"It goes into {village}."
    return f"{now.player} drew {now.resident_phrase(card)}.", f"{now.player} exchanges it or discards it."


def _picked_so_far(now: PromptContext) -> str:
    return f"So far: {now.player_names.spots_phrase(now.picked)}."


def _last_turns(now: PromptContext) -> str:
    """What a call means for the rest of the round (G13)."""
    if not now.view.caller:
        return ""
    return f"{capitalize_first(now.player_names.with_verb(now.view.caller, 'have'))} called: these are the last turns."


WAITING_BY_STEP: dict[str, Callable[[PromptContext], PromptText]] = {
    asking.STEP_MAIN_ACTION: lambda now: (f"It is {now.player}'s turn.", ""),
    asking.STEP_HAND: _hand,
    asking.STEP_MORE_CARDS: lambda now: (f"{now.player} chooses cards to exchange.", _picked_so_far(now)),
    asking.STEP_SPOT: lambda now: (f"{now.player} chooses a spot for the new card.", ""),
    asking.STEP_VILLAGE_END: lambda now: (f"{now.player} chooses an end for the new card.", "The cards don't match."),
    asking.STEP_PENALTY_END: lambda now: (
        f"{now.player} chooses an end for the penalty card.",
        "The cards don't match.",
    ),
    asking.STEP_END_WINDOW: lambda now: (f"{now.player} may still use something, or end the turn.", ""),
}


def game_over_prompt(view: View) -> Prompt:
    """The end of a game of four rounds, or of the last round of a shorter one."""
    seating, whole = player_names(view), view.round == ROUNDS_PER_GAME
    points = view.totals if whole else view.scores
    title = capitalize_first(seating.with_verb(view.winner, "win")) + " the game." if whole else "The round is over."
    totals = [f"{seating.name(seat)} {signed(points[seat])}" for seat in sorted(points, key=lambda seat: points[seat])]
    return Prompt(title, capitalize_first(join_list(totals)) + ".", None)
