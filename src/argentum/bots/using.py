"""Which ability asks: a view does not say, so a bot keeps in mind what it began."""

from argentum.bots.judgement import Judgement
from argentum.bots.plan import PLANS, Picks, Target, target_of
from argentum.bots.plans.coin import buried
from argentum.rules.move import Move


class Using:
    """The ability that a bot uses, and what it has chosen in it so far."""

    def __init__(self) -> None:
        self.label = ""  # of the resident or token; empty for none
        self.picked: Picks = ()

    def end(self) -> None:
        """No ability asks."""
        self.label, self.picked = "", ()

    def begin(self, judgement: Judgement, label: str) -> None:
        """An ability will ask; where there is only one choice it is made without asking (G22)."""
        plan = PLANS.get(label)
        targets = tuple(plan.targets(judgement)) if plan is not None and plan.kinds else ()
        self.label, self.picked = label, targets if len(targets) == 1 else ()

    def catch_up(self, judgement: Judgement) -> None:
        """Find out what asks, for a bot that did not see it begin, or where a choice was made without asking (G22)."""
        if not self.label:
            self.label = asking(judgement)
        elif self.label == "D8" and self.picked and self.picked[0].seat and judgement.guarded(self.picked[0].seat):
            self.begin(judgement, judgement.label(judgement.card(self.picked[0].spot)))  # which could only be used

    def note(self, judgement: Judgement, move: Move) -> None:
        """Keep in mind what a move begins, or chooses."""
        hand = judgement.view.hand
        if move.verb in ("ability", "token"):
            self.begin(judgement, used_by(judgement, move))
        elif move.verb == "use" and hand is not None:
            self.begin(judgement, judgement.label(hand))
        elif self.label:
            self.picked = (*self.picked, target_of(move))
        lent = self.lent(judgement)
        if lent:
            self.begin(judgement, lent)

    def lent(self, judgement: Judgement) -> str:
        """The label of the ability that is borrowed by the last choice, and asks from now on (X1); empty for none."""
        last = self.picked[-1] if self.picked else Target()
        if self.label == "C4":
            return judgement.label(judgement.view.discard[0]) if judgement.view.discard else ""
        if self.label == "B9":
            return judgement.label(judgement.card(last.spot)) if last.seat else ""
        if last.verb != "use":
            return ""
        if self.label == "D8":
            return judgement.label(judgement.card(self.picked[0].spot)) if self.picked[0].seat else ""
        if self.label == "C10":
            pile = buried(judgement)
            return judgement.label(pile[last.place - 1]) if last.place <= len(pile) else ""
        return judgement.labels[last.place] if self.label == "B4" else ""


def used_by(judgement: Judgement, move: Move) -> str:
    """The label of what a move uses: a card of one's village, or the token."""
    if move.verb == "token":
        return judgement.view.token[0].upper() + "14"
    return judgement.label(judgement.card(target_of(move).spot))


def asking(judgement: Judgement) -> str:
    """The label of the ability that probably asks; empty if nothing shows it."""
    view = judgement.view
    first = str(view.legal[0])
    if first.startswith("rotate"):
        return "C2"
    if first.startswith("use ") and str(view.legal[-1]) == "stop":
        return "B4"
    if view.hand is not None:
        return judgement.label(view.hand)
    return judgement.label(view.discard[0]) if view.discard else ""
