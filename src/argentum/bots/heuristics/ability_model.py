"""A plan: what bots know of a resident or a token. There is one for each, in `plans/`, and nothing anywhere else."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from argentum.rules.boxes import BOX_BY_LETTER
from argentum.rules.move import Move
from argentum.rules.notation import (
    USE_ABILITY,
    PICK_CARD,
    GIVE,
    PASS,
    SEAT_LETTERS,
    TAKE_FROM_PILE,
    USE_TOKEN,
    USE,
    PICK_VILLAGE,
)
from argentum.rules.residents import TIMING_SCORING
from argentum.rules.views import Card, View

if TYPE_CHECKING:
    from argentum.bots.heuristics.evaluation import Judgement

Village: TypeAlias = Sequence[Card]


class Spot(NamedTuple):
    """A place of a village, from 0 at its owner's left."""

    seat: str
    place: int


class Target(NamedTuple):
    """What a move inside an ability names: a card, a village (`place` -1), or a word, perhaps with a number."""

    verb: str = ""
    seat: str = ""
    place: int = -1

    @property
    def spot(self) -> Spot:
        """Where the card lies."""
        return Spot(self.seat, self.place)


NO_TARGET: Final = Target()
Picks: TypeAlias = Sequence[Target]  # what was chosen so far in this use
Gain: TypeAlias = "Callable[[Judgement, Target, Picks], float]"
Targets: TypeAlias = "Callable[[Judgement], Iterable[Target]]"
# What a known card means for its owner's sum besides its number: judgement, seat, village, card and the sum so far;
# the sum with it is returned.
Standing: TypeAlias = "Callable[[Judgement, str, Village, Card, float], float]"

# What an ability does, for a player that has no time to work out a gain.
LIES: Final = 0  # nothing that is asked for
LOOKS: Final = 1  # at cards
FLIPS: Final = 2  # cards
SWITCHES: Final = 3  # a card of one village for one of another
REMOVES: Final = 4  # a faceup card
BORROWS: Final = 5  # the ability of a faceup card
PUTS: Final = 6  # a card of the discard pile in the place of another
MERGES: Final = 7  # two of one's cards into one
SHUFFLES: Final = 8  # a village
TRADES: Final = 9  # turns a card up, to use it or to have it
COVERS: Final = 10  # a card with a token
SKIPS: Final = 11  # a turn
DIGS: Final = 12  # in the discard pile
GUARDS: Final = 13  # a card
SEEKS: Final = 14  # a low card, which it turns up

# What a faceup card does to its owner's sum at the end of a round.
AS_IT_IS: Final = 0
HALVES: Final = 1
PARTS: Final = 2  # takes the highest card away
CLEARS: Final = 3  # a low sum
COLLECTS: Final = 4  # for the cards of the others


@dataclass(frozen=True)
class Plan:
    """What a resident or a token is good for. Whoever has no plan is a plain number."""

    # To weigh it with care: what could be chosen first, what each choice gains, and what its card means for a sum.
    targets: "Targets | None" = None
    gain: "Gain | None" = None
    standing: "Standing | None" = None
    # As a rule: what its ability gains when drawn, and by how much its card is better for its owner if faceup.
    usual: float = 0.0
    faceup: float = 0.0
    counts: float | None = None  # at the end, if not its number
    deed: int = LIES
    own: bool = False  # it works on cards of one's own only
    takes: bool = False  # it may take a good card from somebody
    eager: bool = False  # a village ability that is used whenever it may be
    ending: int = AS_IT_IS


NO_PLAN: Final = Plan()
PLANS: Final[dict[str, Plan]] = {}  # by the label of the resident or token


def worth(judgement: "Judgement", label: str) -> float:
    """What it gains to use an ability now, with the best choice; very little if there is nothing to choose."""
    one = PLANS.get(label, NO_PLAN)
    if one.gain is None or one.targets is None:
        return 0.0
    return max([one.gain(judgement, target, ()) for target in one.targets(judgement)], default=-1.0)


def usual(judgement: "Judgement", number: int) -> float:
    """What the draw ability of a number gains as a rule."""
    return judgement.plans[number].usual * (1.0 if judgement.left else 0.5)


def target_of(move: Move) -> Target:
    """What a move names."""
    if move >= GIVE:
        return Target(f"give {SEAT_LETTERS[(move - GIVE) >> 8]}", SEAT_LETTERS[move >> 6 & 3], move & 63)
    if move >= PICK_CARD:
        return Target(move.verb, SEAT_LETTERS[move >> 6 & 3], move & 63)
    if PICK_VILLAGE <= move < TAKE_FROM_PILE:
        return Target("", SEAT_LETTERS[move - PICK_VILLAGE])
    verb, _, nth = str(move).partition(" ")
    return Target(verb, "", int(nth)) if nth.isdigit() else Target(str(move))


def begun_by(view: View, move: Move) -> str:
    """The label of the ability or token that a move begins; empty for none. (A borrowed one is not begun so.)"""
    asking = view.asking
    if move == USE_TOKEN:
        return BOX_BY_LETTER[view.token[0]].token_label
    if move & ~255 == USE_ABILITY:
        number = view.villages[view.seat][move & 63].number
        return "" if number is None else view.residents[number].label
    if asking is None:
        return ""
    if move == USE and asking.number is None and view.hand is not None and view.hand.number is not None:
        return view.residents[view.hand.number].label
    closing = asking.number is not None and view.residents[asking.number].timing == TIMING_SCORING
    return asking.label if closing and move != PASS else ""


# What there is to choose from.


def once(judgement: "Judgement") -> list[Target]:
    """Nothing to choose."""
    return [NO_TARGET]


def cards(judgement: "Judgement", seats: Iterable[str], up: bool | None = None) -> list[Target]:
    """The cards of some villages that one may touch: all, or those that lie faceup or facedown."""
    return [
        Target("", seat, place)
        for seat in seats
        for place, card in enumerate(judgement.villages[seat])
        if (up is None or card.up == up) and judgement.touches(Spot(seat, place))
    ]


def any_card(judgement: "Judgement") -> list[Target]:
    """Any card."""
    return cards(judgement, judgement.villages)


def any_faceup(judgement: "Judgement") -> list[Target]:
    """Any faceup card."""
    return cards(judgement, judgement.villages, True)


def any_facedown(judgement: "Judgement") -> list[Target]:
    """Any facedown card."""
    return cards(judgement, judgement.villages, False)


def own_cards(judgement: "Judgement") -> list[Target]:
    """One's own cards."""
    return cards(judgement, [judgement.me])


def own_facedown(judgement: "Judgement") -> list[Target]:
    """One's own facedown cards."""
    return cards(judgement, [judgement.me], False)


def their_facedown(judgement: "Judgement") -> list[Target]:
    """Facedown cards of other villages."""
    return cards(judgement, judgement.others, False)


def movable(judgement: "Judgement") -> list[Target]:
    """Cards that may be moved (G23)."""
    return cards(judgement, [seat for seat in judgement.villages if not judgement.closed(seat)])


def their_movable(judgement: "Judgement") -> list[Target]:
    """Cards of other villages that may be moved."""
    return [one for one in movable(judgement) if one.seat != judgement.me]


def within_reach(judgement: "Judgement", label: str) -> list[Card]:
    """The cards of the discard pile that `take 1`, `use 2` ... mean; before it is asked, all, from the top."""
    asking, pile = judgement.view.asking, judgement.view.discard
    if asking is not None and asking.label == label:
        return [pile[depth - 1] for depth in asking.depths]
    return list(pile)


def any_village(judgement: "Judgement") -> list[Target]:
    """Any village with cards that one may touch."""
    return [Target("", seat) for seat in judgement.villages if cards(judgement, [seat])]
