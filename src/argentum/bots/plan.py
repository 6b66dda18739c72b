"""A plan: what a resident's ability, or a token, is good for."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from argentum.bots.judgement import Judgement, Spot
from argentum.rules.move import Move
from argentum.rules.notation import CARD, SEATS, VILLAGE


class Target(NamedTuple):
    """What a move inside an ability names: a card, a village (`place` -1), or only a word."""

    verb: str = ""
    seat: str = ""
    place: int = -1

    @property
    def kind(self) -> str:
        """Whether it is a card, a village or a word."""
        if not self.seat:
            return "word"
        return "card" if self.place >= 0 else "village"

    @property
    def spot(self) -> Spot:
        """Where the card lies."""
        return Spot(self.seat, self.place)


NOTHING: Final = Target()
Picks: TypeAlias = Sequence[Target]  # what was chosen so far in this use
Gain: TypeAlias = Callable[[Judgement, Target, Picks], float]
Targets: TypeAlias = Callable[[Judgement], Iterable[Target]]


class Plan(NamedTuple):
    """What could be chosen first, of which kinds the choices are, what each gains, and the usual gain if drawn."""

    targets: Targets
    kinds: str
    gain: Gain
    usual: float


PLANS: Final[dict[str, Plan]] = {}  # by the label of the resident or token


def plan(label: str, targets: Targets, kinds: str = "card", usual: float = 0.0) -> Callable[[Gain], Gain]:
    """Enter what a resident's ability or a token is good for."""

    def enter(gain: Gain) -> Gain:
        PLANS[label] = Plan(targets, kinds, gain, usual)
        return gain

    return enter


def worth(judgement: Judgement, label: str) -> float:
    """What it gains to use an ability now, with the best choice; very little if there is nothing to choose."""
    one = PLANS.get(label)
    if one is None:
        return 0.0
    return max([one.gain(judgement, target, ()) for target in one.targets(judgement)], default=-1.0)


def target_of(move: Move) -> Target:
    """What a move names."""
    if move >= CARD:
        return Target(move.verb, SEATS[move >> 6 & 3], move & 63)
    if move >= VILLAGE:
        return Target("", SEATS[move - VILLAGE])
    verb, _, nth = str(move).partition(" ")
    return Target(verb, "", int(nth)) if nth.isdigit() else Target(str(move))


# What there is to choose from.


def once(judgement: Judgement) -> list[Target]:
    """Nothing to choose."""
    return [NOTHING]


def cards(judgement: Judgement, seats: Iterable[str], up: bool | None = None) -> list[Target]:
    """The cards of some villages that are not under the bullet: all, or those that lie faceup or facedown."""
    return [
        Target("", seat, place)
        for seat in seats
        for place, card in enumerate(judgement.villages[seat])
        if not card.covered and (up is None or card.up == up)
    ]


def any_card(judgement: Judgement) -> list[Target]:
    """Any card."""
    return cards(judgement, judgement.villages)


def any_faceup(judgement: Judgement) -> list[Target]:
    """Any faceup card."""
    return cards(judgement, judgement.villages, True)


def any_facedown(judgement: Judgement) -> list[Target]:
    """Any facedown card."""
    return cards(judgement, judgement.villages, False)


def own_cards(judgement: Judgement) -> list[Target]:
    """One's own cards."""
    return cards(judgement, [judgement.me])


def their_facedown(judgement: Judgement) -> list[Target]:
    """Facedown cards of other villages."""
    return cards(judgement, judgement.others, False)


def movable(judgement: Judgement) -> list[Target]:
    """Cards that may be moved (G23)."""
    return cards(judgement, [seat for seat in judgement.villages if not judgement.guarded(seat)])


def any_village(judgement: Judgement) -> list[Target]:
    """Any village with cards."""
    return [Target("", seat) for seat, village in judgement.villages.items() if village]


def usual(judgement: Judgement, number: int) -> float:
    """What the draw ability of a number gains as a rule."""
    one = PLANS.get(judgement.labels[number])
    return 0.0 if one is None else one.usual * (1.0 if judgement.left else 0.5)
