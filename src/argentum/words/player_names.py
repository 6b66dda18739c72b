"""Names as one reader says them; lists, counts, articles."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from argentum.words.english import join_list

MINUS_SIGN = "\u2212"


class PlayerNames:
    """The players' names as one reader says them. The reader's seat is empty for somebody who only watches.

    >>> seating = Seating(["Ann", "Bo"], "A")
    >>> seating.name("A"), seating.name("B"), seating.spot("B3"), seating.spots(["A1", "A4", "B2"])
    ('you', 'Bo', "Bo's spot 3", "your spots 1 and 4 and Bo's spot 2")
    """

    def __init__(self, names: Sequence[str], me: str) -> None:
        self.reader = me
        self.names = {
            seat: name if names.count(name) == 1 else f"{name} ({seat})"
            for seat, name in zip(SEAT_LETTERS, names, strict=False)
        }

    def name(self, seat: str) -> str:
        """A player in a sentence: "you" or the name."""
        return "you" if seat == self.reader else self.names[seat]

    def possessive(self, seat: str) -> str:
        """The possessive."""
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def village_phrase(self, seat: str) -> str:
        """A player's village."""
        return f"{self.possessive(seat)} village"

    def spot_phrase(self, spot: str) -> str:
        """A spot with its owner."""
        return f"{self.possessive(spot[0])} spot {spot[1:]}"

    def spots_phrase(self, spots: Sequence[str], actor: str = "") -> str:
        """Several spots, those of one owner together. In a sentence about `actor`, that player's are their own."""
        owned = [(seat, [spot[1:] for spot in run]) for seat, run in groupby(spots, key=lambda spot: spot[0])]
        whose = [self.possessive(seat) if seat != actor or seat == self.reader else "their own" for seat, _ in owned]
        return join_list(
            [f"{one} {spot_numbers_phrase(places)}" for one, (_, places) in zip(whose, owned, strict=True)]
        )

    def with_verb(self, seat: str, verb: str) -> str:
        """A player and what the player does now: "you draw", "Bo draws"."""
        return f"{self.name(seat)} {verb if seat == self.reader else third_person(verb)}"


def player_names(view: View) -> PlayerNames:
    """The seating as the reader of a view says it."""
    return _cached_player_names(view.names, view.seat)


@lru_cache(4096)
def _cached_player_names(names: tuple[str, ...], me: str) -> PlayerNames:
    """One for all sentences of a reader, which are many."""
    return PlayerNames(names, me)


def spot_numbers_phrase(places: Sequence[str]) -> str:
    """The spots of one village: "spot 3", "spots 1 and 4"."""
    return f"spot{'s' * (len(places) > 1)} {join_list(places)}"


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
    return str(number).replace("-", MINUS_SIGN)
