"""What the reader waits for: another player's move, the first looks, or nothing any more."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.views import View
from argentum.words.context import Moment, Prompt
from argentum.words.english import listed, sentence
from argentum.words.player_names import seating_of, signed
from argentum.words.prompts.by_step import CHOOSES, TAKEN
from argentum.words.residents import voice_of
from argentum.words.residents.texts import Asked


def waiting(now: Moment) -> Prompt:
    """What to say to a reader who has no choice to make in a game that goes on."""
    one = now.asking
    if now.view.looking:
        return Prompt(*_others_look(now), None)
    if one.label.startswith("G"):
        title, detail = RULES[one.step](now)
        return Prompt(title, detail or _last_turns(now), None)
    what = (voice_of(one.label).chooses.get(one.step) or CHOOSES[one.step]).format(asker=now.asker)
    return Prompt(f"{now.who} {what}.", _so_far(now) or _last_turns(now), one.number)


def _so_far(now: Moment) -> str:
    """What was picked so far; or, at the end of a round, what comes next (G15)."""
    if now.picked:
        return f"So far: {now.seating.spots(now.picked)}."
    return "Then the round is scored." if now.view.reason else ""


def _others_look(now: Moment) -> Asked:
    """The first look of others (G4)."""
    names = listed([now.seating.name(seat) for seat in now.view.looking])
    verb = "is" if len(now.view.looking) == 1 else "are"
    starts = sentence(now.seating.does(now.view.turn, "start"))
    return f"{names} {verb} looking at two cards.", f"{starts} the round."


def _hand(now: Moment) -> Asked:
    """Somebody holds a card."""
    card = None if now.view.hand is None else now.view.hand.number
    if now.asking.label == TAKEN:
        village = now.seating.village(now.asking.seat)
        return f"{now.who} took {now.the(card, 'a facedown card')}.", f"It goes into {village}."
    return f"{now.who} drew {now.the(card)}.", f"{now.who} exchanges it or discards it."


def _set(now: Moment) -> str:
    return f"So far: {now.seating.spots(now.picked)}."


def _last_turns(now: Moment) -> str:
    """What a call means for the rest of the round (G13)."""
    if not now.view.caller:
        return ""
    return f"{sentence(now.seating.does(now.view.caller, 'have'))} called: these are the last turns."


RULES: dict[str, Callable[[Moment], Asked]] = {
    asking.STEP_MAIN_ACTION: lambda now: (f"It is {now.who}'s turn.", ""),
    asking.STEP_HAND: _hand,
    asking.STEP_MORE_CARDS: lambda now: (f"{now.who} chooses cards to exchange.", _set(now)),
    asking.STEP_SPOT: lambda now: (f"{now.who} chooses a spot for the new card.", ""),
    asking.STEP_VILLAGE_END: lambda now: (f"{now.who} chooses an end for the new card.", "The cards don't match."),
    asking.STEP_PENALTY_END: lambda now: (f"{now.who} chooses an end for the penalty card.", "The cards don't match."),
    asking.STEP_END_WINDOW: lambda now: (f"{now.who} may still use something, or end the turn.", ""),
}


def game_over(view: View) -> Prompt:
    """The end of a game of four rounds, or of the last round of a shorter one."""
    seating, whole = seating_of(view), view.round == ROUNDS_PER_GAME
    points = view.totals if whole else view.scores
    title = sentence(seating.does(view.winner, "win")) + " the game." if whole else "The round is over."
    standing = [
        f"{seating.name(seat)} {signed(points[seat])}" for seat in sorted(points, key=lambda seat: points[seat])
    ]
    return Prompt(title, sentence(listed(standing)) + ".", None)
