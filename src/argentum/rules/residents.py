"""Residents: who lives in a box, when each one's ability works, and the cast that a deck code names (G1)."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from argentum.rules.scoring import Tally
    from argentum.rules.table import Table

# A rule that asks: it yields the legal moves whenever somebody must choose, and is sent the move chosen.
Ask: TypeAlias = Generator[list[int], int, None]
# What an ability is told: the table, its user, its card, and the chain of borrowing it stands in, as a
# bit for each card whose ability is in use (X4).
Ability: TypeAlias = "Callable[[Table, int, int, int], Ask]"
Condition: TypeAlias = "Callable[[Table, int, int, int], bool]"
Scoring: TypeAlias = "Callable[[Tally, int, int], None]"

BOXES: Final = ("bullet", "coin", "dagger")
LETTERS: Final = "bcd"
NUMBERS: Final = 14
CARDS: Final = 52

# When a resident's ability works.
DRAWN: Final = "drawn"  # when its card is drawn and discarded
VILLAGE: Final = "village"  # while faceup in a village, in a window of the owner's turn or always
SCORING: Final = "scoring"  # at the end of a round

# In which windows of a turn (G5) a village ability is offered.
ALWAYS_ON: Final = 0  # it is never asked for
ANY_WINDOW: Final = 1
MAIN_ACTION: Final = 2  # it replaces the draw
TURN_END: Final = 3  # only in the window after the main action


def copies(number: int) -> int:
    """How many cards of a number there are in a deck.

    >>> sum(copies(number) for number in range(14))
    52
    """
    return 2 if number in (0, 13) else 4


class Resident:
    """One of a box's fourteen characters."""

    def __init__(self, box: str, number: int, name: str, timing: str, text: str, source: str = "") -> None:
        self.box: Final = box
        self.number: Final = number
        self.name: Final = name
        self.timing: Final = timing
        self.text: Final = text
        self.source: Final = source  # where the rulebook lacks the card: who says so
        self.window = ALWAYS_ON
        self.stays = False  # used without being discarded (Approximator, Tanner, Gremlin)
        self.lent = True  # its draw ability may be borrowed (X2)
        self.digs = False  # whether it can be begun hangs on the deck or the discard pile
        self.act: Ability | None = None
        self.when: Condition | None = None
        self.score: Scoring | None = None

    @property
    def label(self) -> str:
        """The ruling that says what this resident does."""
        return f"{self.box[0].upper()}{self.number}"

    @property
    def reconstructed(self) -> bool:
        """Whether the card's text is missing from the rulebooks and was put together from other evidence."""
        return self.source.startswith("reconstructed")

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by name: in another process it is the resident of the same box and number."""
        from argentum.rules.boxes import resident_of

        return resident_of, (self.box, self.number)

    def __repr__(self) -> str:
        return f"<{self.name} ({self.box} {self.number})>"


class Box:
    """A boxed game: its residents and what its silver token does."""

    def __init__(self, name: str, token: str, token_text: str) -> None:
        self.name: Final = name
        self.token: Final = token
        self.token_text: Final = token_text
        self.residents: Final[list[Resident]] = []
        self.token_act: Ability | None = None
        self.token_when: Condition | None = None

    def add(self, number: int, name: str, timing: str, text: str, source: str = "") -> Resident:
        """Enter the next resident of the box."""
        assert number == len(self.residents), f"{name} is entered out of order"
        resident = Resident(self.name, number, name, timing, text, source)
        self.residents.append(resident)
        return resident

    def drawn(
        self,
        number: int,
        name: str,
        text: str,
        when: Condition,
        *,
        stays: bool = False,
        lent: bool = True,
        digs: bool = False,
        source: str = "",
    ) -> Callable[[Ability], Ability]:
        """Enter a resident whose ability works when it is drawn; `when` says whether it could be begun (G21)."""
        resident = self.add(number, name, DRAWN, text, source)
        resident.when, resident.stays, resident.lent, resident.digs = when, stays, lent, digs
        return self._entry(resident)

    def village(
        self, number: int, name: str, text: str, when: Condition, *, window: int = ANY_WINDOW, source: str = ""
    ) -> Callable[[Ability], Ability]:
        """Enter a resident that is used from a village; `when` says whether that could be begun (G21)."""
        resident = self.add(number, name, VILLAGE, text, source)
        resident.when, resident.window = when, window
        return self._entry(resident)

    def scoring(self, number: int, name: str, text: str, source: str = "") -> Callable[[Scoring], Scoring]:
        """Enter a resident that changes the sums at the end of a round."""
        resident = self.add(number, name, SCORING, text, source)

        def enter(score: Scoring) -> Scoring:
            resident.score = score
            return score

        return enter

    def closing(self, number: int, name: str, text: str, source: str = "") -> Callable[[Ability], Ability]:
        """Enter a resident that acts at the end of a round, before the scoring (G15)."""
        return self._entry(self.add(number, name, SCORING, text, source))

    def token_ability(self, when: Condition) -> Callable[[Ability], Ability]:
        """Enter what the box's silver token does."""
        self.token_when = when

        def enter(act: Ability) -> Ability:
            self.token_act = act
            return act

        return enter

    def _entry(self, resident: Resident) -> Callable[[Ability], Ability]:
        def enter(act: Ability) -> Ability:
            resident.act = act
            return act

        return enter


class Cast:
    """The fourteen residents and the token of one game, with what the rules look up often."""

    def __init__(self, code: str, residents: list[Resident], token_box: Box) -> None:
        self.code: Final = code
        self.residents: Final = residents
        self.token: Final = token_box.name
        token_act, token_when = token_box.token_act, token_box.token_when
        assert token_act is not None
        assert token_when is not None
        self.token_act: Final = token_act
        self.token_when: Final = token_when
        self.drawn: Final = [one.act if one.timing == DRAWN else None for one in residents]
        self.window: Final = [one.window for one in residents]
        # The number of a resident that the rules single out; -1 where it is not in the deck.
        self.hunter: Final = self._number(0, "b")
        self.lycan: Final = self._number(1, "b")
        self.goth_girl: Final = self._number(3, "b")
        self.mortician: Final = self._number(4, "b")
        self.regifter: Final = self._number(0, "c")
        self.curator: Final = self._number(2, "c")
        self.halfling: Final = self._number(2, "d")
        self.sentinel: Final = self._number(3, "d")
        self.zombie: Final = self._number(4, "d")
        self.copycat: Final = self._number(13, "b")

    def _number(self, number: int, letter: str) -> int:
        return number if self.code[number] == letter else -1
