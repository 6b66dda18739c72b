# mypyc: compile
"""Names of players, villages and spots for one reader."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from argentum.words.english import join_list

MINUS_SIGN = "\u2212"


class PlayerNames:
    """Names of players for a reader, who is called "you"; `reader` is a seat, or empty for a spectator.

    >>> names = PlayerNames(["Ann", "Bo"], "A")
    >>> names.name("A"), names.name("B"), names.spot_phrase("B3"), names.spots_phrase(["A1", "A4", "B2"])
    ('you', 'Bo', "Bo's spot 3", "your spots 1 and 4 and Bo's spot 2")
    """

    def __init__(self, names: Sequence[str], reader: str) -> None:
        self.reader = reader
        self.names = {
            seat: name if names.count(name) == 1 else f"{name} ({seat})"
            for seat, name in zip(SEAT_LETTERS, names, strict=False)
        }

    def name(self, seat: str) -> str:
        """Return "you" for the reader, otherwise the player's name."""
        return "you" if seat == self.reader else self.names[seat]

    def possessive(self, seat: str) -> str:
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def village_phrase(self, seat: str) -> str:
        return f"{self.possessive(seat)} village"

    def spot_phrase(self, spot: str) -> str:
        return f"{self.possessive(spot[0])} spot {spot[1:]}"

    def spots_phrase(self, spots: Sequence[str], actor: str = "") -> str:
        """Return a phrase for several spots, grouped by owner; the spots of `actor` are "their own spots"."""
        owned = [(seat, [spot[1:] for spot in run]) for seat, run in groupby(spots, key=lambda spot: spot[0])]
        owners = [self.possessive(seat) if seat != actor or seat == self.reader else "their own" for seat, _ in owned]
        return join_list(
            [f"{owner} {spot_numbers_phrase(places)}" for owner, (_, places) in zip(owners, owned, strict=True)]
        )

    def with_verb(self, seat: str, verb: str) -> str:
        """Join a player and a verb: "you draw", "Bo draws"."""
        return f"{self.name(seat)} {verb if seat == self.reader else third_person(verb)}"


def player_names(view: View) -> PlayerNames:
    return _cached_player_names(view.names, view.seat)


@lru_cache(4096)
def _cached_player_names(names: tuple[str, ...], reader: str) -> PlayerNames:
    return PlayerNames(names, reader)


def spot_numbers_phrase(places: Sequence[str]) -> str:
    """Return a phrase for spots of one village: "spot 3", "spots 1 and 4"."""
    return f"spot{'s' * (len(places) > 1)} {join_list(places)}"


def third_person(verb: str) -> str:
    """Return the third person singular of a verb.

    >>> third_person("draw"), third_person("have"), third_person("are"), third_person("switch")
    ('draws', 'has', 'is', 'switches')
    """
    irregular = {"have": "has", "are": "is"}
    return irregular.get(verb) or verb + ("es" if verb.endswith("ch") else "s")


def format_points(number: int) -> str:
    r"""Format points with the typographic minus sign, which is as wide as a digit.

    >>> format_points(7), format_points(-7)
    ('7', '\u22127')
    """
    return str(number).replace("-", MINUS_SIGN)
