"""A bot with an exact memory that counts cards, weighs every ability in points, and calls when it pays."""

from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.bots.calling import calling
from argentum.bots.exchanges import Exchanges, offer
from argentum.bots.judgement import Judgement
from argentum.bots.plan import PLANS, target_of, worth
from argentum.bots.using import Using, used_by
from argentum.rules.move import Move
from argentum.rules.notation import AND
from argentum.rules.views import View

WORTHWHILE: Final = 0.02  # points that a village ability or the token should gain to be used
FIRST: Final = 50.0  # it is no move of its own: if it is good, it is done before anything but a call
WINDOW: Final = frozenset(("draw", "draw private", "discard", "exchange", "end"))  # one of these is legal in each (G5)
PLACING: Final = frozenset(("at", "at left", "at right"))  # nothing hangs on where a card comes to lie


class SteadyBot(Bot):
    """Every legal move is worth something in points; the best is made."""

    name: ClassVar[str] = "steady"
    summary: ClassVar[str] = "forgets nothing, counts cards and makes good use of everybody"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.using = Using()
        self.judgement: Judgement | None = None  # of the view that was rated last, if there was something to think of

    def choose(self, view: View) -> Move:
        """The move that gains most."""
        best = max(self.rated(view), key=lambda one: one[0])[1]
        self.note(best)
        return best

    def rated(self, view: View) -> list[tuple[float, Move]]:
        """The legal moves, each with what it gains; where there is nothing to weigh, only the one to make."""
        self.judgement = None
        verbs = {move.verb for move in view.legal}
        if len(view.legal) == 1 or view.looking or verbs <= PLACING:
            return [(0.0, view.legal[0])]
        judgement = Judgement(view)
        if "done" in verbs:
            return [(0.0, name_next(judgement))]
        self.judgement = judgement
        if "rotate" not in verbs and not verbs.isdisjoint(WINDOW):
            self.using.end()
            exchanges = Exchanges(judgement)
            return [(rate(judgement, exchanges, move), move) for move in view.legal]
        if "pass" in verbs:
            return [(part_with(judgement, move), move) for move in view.legal]
        self.using.catch_up(judgement)
        return [(rate_inside(judgement, self.using, move), move) for move in view.legal]

    def note(self, move: Move) -> None:
        """Keep in mind what a move begins, or chooses, that is made where moves were rated."""
        if self.judgement is not None:
            self.using.note(self.judgement, move)


def rate(judgement: Judgement, exchanges: Exchanges, move: Move) -> float:
    """What a move in one of the windows of a turn gains (G5)."""
    view = judgement.view
    match move.verb:
        case "call":
            return 2 * FIRST if calling(judgement) > 0 else -2 * FIRST
        case "ability" | "token":
            return rate_tool(judgement, used_by(judgement, move))
        case "draw":
            return exchanges.drawing()
        case "draw private":
            return exchanges.drawn(view.private[view.seat][0])
        case "take":
            return exchanges.best(view.discard[0])[0]
        case "exchange" if view.hand is not None:
            return exchanges.best(view.hand, [move & 63])[0]
        case "discard" | "use" if view.hand is not None:
            return rate_parting(judgement, judgement.label(view.hand) if move.verb == "use" else "")
    return 0.0


def points(rating: float) -> float:
    """A rating without what puts it first or last: what the move gains, as far as that is said."""
    if abs(rating) < FIRST / 2:
        return rating
    return rating - FIRST if FIRST / 2 < rating < 1.5 * FIRST else 0.0


def rate_tool(judgement: Judgement, label: str) -> float:
    """What the token or a village ability gains."""
    gain = worth(judgement, label)
    if label in ("C4", "D4"):  # they replace the draw
        return gain
    return FIRST + gain if gain > WORTHWHILE else -FIRST


def rate_parting(judgement: Judgement, label: str) -> float:
    """What it gains to part with the card in hand, and to use its ability if one is named."""
    hand = judgement.view.hand
    gain = worth(judgement, label) if label else 0.0
    if hand is None or label in ("B12", "C5", "D5") or judgement.shows(judgement.me, "B3"):
        return gain  # it does not come to the discard pile
    return gain - offer(judgement, hand)


def rate_inside(judgement: Judgement, using: Using, move: Move) -> float:
    """What a choice inside an ability gains. (A Curator is not used inside another ability.)"""
    if move.verb == "ability":
        return -FIRST
    target, plan = target_of(move), PLANS.get(using.label)
    if plan is None or move.verb == "stop" or target.kind not in plan.kinds:
        return 0.0
    try:
        return plan.gain(judgement, target, using.picked)
    except LookupError:  # which ability asks was guessed, and wrongly: the plan looks for cards that are not there
        return 0.0


def name_next(judgement: Judgement) -> Move:
    """What to name next for an exchange, or that it is enough."""
    view = judgement.view
    assert view.hand is not None
    named = [int(spot[1:]) - 1 for spot in view.named]
    _, places = Exchanges(judgement).best(view.hand, named)
    wanted = [move for move in view.legal if AND <= move < AND + 256 and move & 63 in places]
    return wanted[0] if wanted else Move.of("done")


def part_with(judgement: Judgement, move: Move) -> float:
    """What it gains to remove a card at the end of a round, or to give it away (B0, C0)."""
    target, end = target_of(move), judgement.ending
    if not target.seat:
        return 0.0
    changed = {target.seat: end.without(target.spot)}
    if target.verb == "give":
        receiver = str(move)[-1]
        changed[receiver] = [*end.villages[receiver], end.card(target.spot)]
    return end.gain(changed)
