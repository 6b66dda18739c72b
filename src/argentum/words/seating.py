"""Who sits where, in the words of one reader: "you" and "your spot 2", "Bo" and "Bo's spot 1"."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from argentum.rules.notation import SEATS
from argentum.rules.views import View

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MINUS = "\u2212"
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


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
            for seat, name in zip(SEATS, names, strict=False)
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


def listed(things: Sequence[str], last: str = " and ") -> str:
    """Things one after another.

    >>> listed(["1"]), listed(["1", "4"]), listed(["1", "3", "4"], " or ")
    ('1', '1 and 4', '1, 3 or 4')
    """
    return last.join([part for part in (", ".join(things[:-1]), things[-1]) if part])


def choices(ways: Sequence[str]) -> str:
    """What may be done, as a sentence.

    >>> choices(["draw from the deck", "take the Spy"])
    'Draw from the deck, or take the Spy.'
    """
    return sentence(listed(ways, ", or ")) + "."


def counted(number: int, noun: str) -> str:
    """How many of a thing, in words up to ten.

    >>> counted(1, "card"), counted(3, "card"), counted(12, "card")
    ('one card', 'three cards', '12 cards')
    """
    words = COUNTS[number] if number < len(COUNTS) else str(number)
    return f"{words} {noun}{'s' * (number != 1)}"


def ordinal(number: int) -> str:
    """A place in a row, in words up to ten.

    >>> ordinal(1), ordinal(3), ordinal(12), ordinal(22)
    ('first', 'third', '12th', '22nd')
    """
    if number < len(ORDINALS):
        return ORDINALS[number]
    ending = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def a_number(number: int) -> str:
    """A number as a thing.

    >>> a_number(7), a_number(8)
    ('a 7', 'an 8')
    """
    return f"{'an' if number in (8, 11) else 'a'} {number}"


def signed(number: int) -> str:
    r"""Points, with the printer's minus sign, which is as wide as a figure.

    >>> signed(7), signed(-7)
    ('7', '\u22127')
    """
    return str(number).replace("-", MINUS)


def sentence(words: str) -> str:
    """Words with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def article(name: str) -> str:
    """The indefinite article that a resident's name takes."""
    return "an" if name[0] in "AEIOU" else "a"
