"""What the reader holds, as far as the reader knows: for advice."""

from collections.abc import Sequence

from argentum.rules.boxes import BOX_OF
from argentum.rules.exchange_preview import cast_for, known_sets
from argentum.rules.residents import SCORING
from argentum.rules.views import View
from argentum.words.seating import COUNTS, seating_of

LOW = 4
UNKNOWN = 6  # what a card that nobody has seen counts, about


class Holdings:
    """The reader's cards that may be touched, with their numbers where known."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seating = seating_of(view)
        village = list(enumerate(view.villages[view.seat], start=1))
        self.cards = [(f"{view.seat}{place}", card.number) for place, card in village if not card.covered]
        kept = [card.number for _, card in village if card.covered and not BOX_OF[view.token[0]].mutes]
        counts = [number for _, number in self.cards] + kept
        # What the village counts, about; an unknown card counts as an average one.
        self.total = sum([UNKNOWN if number is None else number for number in counts])

    @property
    def burdens(self) -> list[tuple[int, str]]:
        """Numbers and spots of the known cards that simply count their number and can be got rid of."""
        return [(number, spot) for spot, number in self.cards if number is not None and self._goes(number)]

    def _goes(self, number: int) -> bool:
        """Whether cards of a number simply count it, and can leave the village (D4)."""
        resident = self.view.residents[number]
        return resident.timing != SCORING and not resident.clings

    def sets(self) -> list[list[str]]:
        """The sets that the reader knows, of cards that can be got rid of (G10)."""
        view = self.view
        cast = cast_for(view.residents, view.boxes, view.token)
        places = [int(spot[1:]) - 1 for _, spot in self.burdens]
        found = known_sets(cast, view.villages[view.seat], places)
        return [[f"{view.seat}{place + 1}" for place in one] for one in found]

    def worth(self, number: int) -> list[str]:
        """The set that is best exchanged for a card of this number; empty where there is none, or not worth it.

        A set of cards above LOW is worth it whenever it counts more than the new card; a low one only if it counts as
        much as the worst single card that could go instead.
        """
        instead = max([UNKNOWN if known is None else known for _, known in self.cards], default=0)
        best: list[str] = []
        for spots in self.sets():
            counts = self.counts(spots)
            high = min(self._numbers(spots)) > LOW
            if counts > number and (high or counts >= instead) and counts > self.counts(best):
                best = spots
        return best

    def _numbers(self, spots: Sequence[str]) -> list[int]:
        numbers = dict(self.cards)
        return [number for number in [numbers[spot] for spot in spots] if number is not None]

    def counts(self, spots: Sequence[str]) -> int:
        """What known cards count together."""
        return sum(self._numbers(spots))

    def name(self, spots: Sequence[str]) -> str:
        """A set in words: "your spots 1 and 4 are two 9s"."""
        tame = {number for number in self._numbers(spots) if not self.view.residents[number].wild}
        where = self.seating.spots(spots)
        if len(tame) == 1 and len(set(self._numbers(spots))) == 1:
            return f"{where} are {COUNTS[len(spots)]} {tame.pop()}s"
        return f"{where} go together"

    def both(self, spots: Sequence[str]) -> str:
        """A set as what is chosen."""
        return f"{'both ' * (len(spots) == 2)}{self.seating.spots(spots)}"
