"""Names as one reader says them; lists, counts, articles."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from argentum.words.english import listed

MINUS = "\u2212"


class Seating:
    """The players' names as one reader says them. The reader's seat is empty for somebody who only watches.

    >>> seating = Seating(["Ann", "Bo"], "A")
    >>> seating.name("A"), seating.name("B"), seating.spot("B3"), seating.spots(["A1", "A4", "B2"])
    ('you', 'Bo', "Bo's spot 3", "your spots 1 and 4 and Bo's spot 2")
    """

    def __init__(self, names: Sequence[str], me: str) -> None:
        self.me = me
        self.names = {
            seat: name if names.count(name) == 1 else f"{name} ({seat})"
            for seat, name in zip(SEAT_LETTERS, names, strict=False)
        }

    def name(self, seat: str) -> str:
        """A player in a sentence: "you" or the name."""
        return "you" if seat == self.me else self.names[seat]

    def whose(self, seat: str) -> str:
        """The possessive."""
        return "your" if seat == self.me else f"{self.names[seat]}'s"

    def village(self, seat: str) -> str:
        """A player's village."""
        return f"{self.whose(seat)} village"

    def spot(self, spot: str) -> str:
        """A spot with its owner."""
        return f"{self.whose(spot[0])} spot {spot[1:]}"

    def spots(self, spots: Sequence[str], actor: str = "") -> str:
        """Several spots, those of one owner together. In a sentence about `actor`, that player's are their own."""
        owned = [(seat, [spot[1:] for spot in run]) for seat, run in groupby(spots, key=lambda spot: spot[0])]
        whose = [self.whose(seat) if seat != actor or seat == self.me else "their own" for seat, _ in owned]
        return listed([f"{one} {spot_numbers(places)}" for one, (_, places) in zip(whose, owned, strict=True)])

    def does(self, seat: str, verb: str) -> str:
        """A player and what the player does now: "you draw", "Bo draws"."""
        return f"{self.name(seat)} {verb if seat == self.me else third_person(verb)}"


def seating_of(view: View) -> Seating:
    """The seating as the reader of a view says it."""
    return _seating(view.names, view.seat)


@lru_cache(4096)
def _seating(names: tuple[str, ...], me: str) -> Seating:
    """One for all sentences of a reader, which are many."""
    return Seating(names, me)


def spot_numbers(places: Sequence[str]) -> str:
    """The spots of one village: "spot 3", "spots 1 and 4"."""
    return f"spot{'s' * (len(places) > 1)} {listed(places)}"


def third_person(verb: str) -> str:
    """The form of a verb after a name.

    >>> third_person("draw"), third_person("have"), third_person("are"), third_person("switch")
    ('draws', 'has', 'is', 'switches')
    """
    irregular = {"have": "has", "are": "is"}
    return irregular.get(verb) or verb + ("es" if verb.endswith("ch") else "s")


def signed(number: int) -> str:
    r"""Points, with the printer's minus sign, which is as wide as a figure.

    >>> signed(7), signed(-7)
    ('7', '\u22127')
    """
    return str(number).replace("-", MINUS)
