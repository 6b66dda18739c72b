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
Counting: TypeAlias = "Callable[[Tally, int, int], int]"
# Puts what its owner discards, the highest card first, where it goes, and returns the place (`events.PLACES`).
Discarding: TypeAlias = "Callable[[Table, int, list[int]], int]"

BOXES: Final = ("amulet", "bullet", "coin", "dagger")
LETTERS: Final = "abcd"
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
    """One of a box's fourteen characters.

    An ability that is used has `act` and `when`. Below them stand the hooks of residents that work by themselves: the
    course of the game asks for those, and knows no resident by name.
    """

    def __init__(self, box: str, number: int, name: str, timing: str, text: str, source: str = "") -> None:
        self.box: Final = box
        self.number: Final = number
        self.name: Final = name
        self.timing: Final = timing
        self.text: Final = text
        self.source: Final = source  # where the rulebook lacks the card: who says so
        self.window = ALWAYS_ON
        self.joins = False  # used without being discarded: it comes to a village itself
        self.lent = True  # its draw ability may be borrowed (X2)
        self.digs = False  # whether it can be begun depends on the deck or the discard pile
        self.turns_itself = False  # its village ability turns or moves its own card (X14)
        self.act: Ability | None = None
        self.when: Condition | None = None
        self.score: Scoring | None = None
        # While faceup.
        self.closes = False  # others neither take cards from its village nor put any there
        self.protects = False  # others touch neither this card nor the one that it guards
        self.raises = False  # one card of a set that its owner exchanges counts one more
        self.buries = False  # its owner may use one of the cards that leave in an exchange
        self.shows = False  # one more card lies shown beside the deck
        self.deepens = False  # its owner draws from one more card
        self.ends = False  # the round ends when all cards of this number lie faceup in villages
        self.discards: Discarding | None = None  # where what its owner discards goes, if not onto the discard pile
        self.off_pile = False  # and that is not onto the pile
        # Always.
        self.clings = False  # nobody's discard puts it on top of the discard pile
        self.wild = False  # in a set it counts as any number
        self.counts: Counting | None = None  # what it counts at scoring, if not its number

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

    def __init__(
        self,
        name: str,
        token: str,
        token_text: str,
        token_source: str = "",
        *,
        covers: bool = False,
        mutes: bool = False,
    ) -> None:
        self.name: Final = name
        self.token: Final = token
        self.token_text: Final = token_text
        self.token_source: Final = token_source
        self.covers: Final = covers  # the token is put on a card, which nobody touches then
        self.mutes: Final = mutes  # and that card has no ability and counts 0
        self.residents: Final[list[Resident]] = []
        self.token_act: Ability | None = None
        self.token_when: Condition | None = None

    @property
    def token_label(self) -> str:
        """The ruling that says what the token does."""
        return f"{self.name[0].upper()}{NUMBERS}"

    def add(self, number: int, name: str, timing: str, text: str, source: str = "") -> Resident:
        """Enter the next resident of the box; what it does by itself is set on it."""
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
        joins: bool = False,
        lent: bool = True,
        digs: bool = False,
        source: str = "",
    ) -> Callable[[Ability], Ability]:
        """Enter a resident whose ability works when it is drawn; `when` says whether it could be begun (G21)."""
        resident = self.add(number, name, DRAWN, text, source)
        resident.when, resident.joins, resident.lent, resident.digs = when, joins, lent, digs
        return self._entry(resident)

    def village(
        self,
        number: int,
        name: str,
        text: str,
        when: Condition,
        *,
        window: int = ANY_WINDOW,
        turns_itself: bool = False,
        clings: bool = False,
        protects: bool = False,
        source: str = "",
    ) -> Callable[[Ability], Ability]:
        """Enter a resident that is used from a village; `when` says whether that could be begun (G21)."""
        resident = self.add(number, name, VILLAGE, text, source)
        resident.when, resident.window, resident.turns_itself = when, window, turns_itself
        resident.clings, resident.protects = clings, protects
        return self._entry(resident)

    def discarding(
        self, number: int, name: str, text: str, *, off_pile: bool = False, source: str = ""
    ) -> Callable[[Discarding], Discarding]:
        """Enter a resident that says, while faceup, where what its owner discards goes."""
        resident = self.add(number, name, VILLAGE, text, source)
        resident.off_pile = off_pile

        def enter(put: Discarding) -> Discarding:
            resident.discards = put
            return put

        return enter

    def counting(self, number: int, name: str, text: str, source: str = "") -> Callable[[Counting], Counting]:
        """Enter a resident that counts something other than its number at scoring."""
        resident = self.add(number, name, SCORING, text, source)

        def enter(counts: Counting) -> Counting:
            resident.counts = counts
            return counts

        return enter

    def scoring(
        self, number: int, name: str, text: str, source: str = "", counts: "Counting | None" = None
    ) -> Callable[[Scoring], Scoring]:
        """Enter a resident that changes the sums at the end of a round; `counts`: what it counts itself."""
        resident = self.add(number, name, SCORING, text, source)
        resident.counts = counts

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
    """The fourteen residents and the token of one game, with what the rules look up often.

    What residents do by themselves is resolved here once: each hook is a number with a bit for each number of the deck
    that has it, so that one without it costs nothing.
    """

    def __init__(self, code: str, residents: list[Resident], token_box: Box) -> None:
        self.code: Final = code
        self.residents: Final = residents
        self.token: Final = token_box.name
        self.token_label: Final = token_box.token_label
        self.covers: Final = token_box.covers
        self.mutes: Final = token_box.mutes
        token_act, token_when = token_box.token_act, token_box.token_when
        assert token_act is not None
        assert token_when is not None
        self.token_act: Final = token_act
        self.token_when: Final = token_when
        self.labels: Final = [one.label for one in residents]
        self.drawn: Final = [one.act if one.timing == DRAWN else None for one in residents]
        self.window: Final = [one.window for one in residents]
        self.closes: Final[int] = _bits([one.closes for one in residents])
        self.protects: Final[int] = _bits([one.protects for one in residents])
        self.raises: Final[int] = _bits([one.raises for one in residents])
        self.buries: Final[int] = _bits([one.buries for one in residents])
        self.shows: Final[int] = _bits([one.shows for one in residents])
        self.deepens: Final[int] = _bits([one.deepens for one in residents])
        self.ends: Final[int] = _bits([one.ends for one in residents])
        self.discards: Final[int] = _bits([one.discards is not None for one in residents])
        self.clings: Final[int] = _bits([one.clings for one in residents])
        self.wild: Final[int] = _bits([one.wild for one in residents])
        self.counts: Final[int] = _bits([one.counts is not None for one in residents])
        self.closing: Final[int] = _bits([one.timing == SCORING and one.act is not None for one in residents])
        self.enders: Final[int] = sum([copies(one.number) for one in residents if one.ends])
        self.settles: Final[bool] = bool(self.protects | self.ends)  # something to see to after every step
        # A single card that is exchanged may have consequences.
        self.special: Final[int] = self.discards | self.buries


def _bits(flags: list[bool]) -> int:
    return sum([1 << number for number, flag in enumerate(flags) if flag])
