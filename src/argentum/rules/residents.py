# mypyc: compile, optimize
"""Residents, boxes of residents, and the cast that a deck code names (G1)."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i64  # mypyc: unboxed int; used in annotations only

    from argentum.rules.scoring import Tally
    from argentum.rules.table import Table

# A generator that yields the legal moves when somebody must choose, and receives the chosen move.
Rule: TypeAlias = Generator[list[int], int, None]
# Parameters: the table, the seat, the card, and the chain of borrowed abilities, a bit mask of the cards whose
# abilities are in use (X4).
Ability: TypeAlias = "Callable[[Table, int, int, int], Rule]"
Condition: TypeAlias = "Callable[[Table, int, int, int], bool]"
ScoringHook: TypeAlias = "Callable[[Tally, int, int], None]"
CardValueHook: TypeAlias = "Callable[[Tally, int, int], int]"
# Moves its owner's discards, the highest card first; returns their destination, an index of `events.DESTINATIONS`.
DiscardHook: TypeAlias = "Callable[[Table, int, list[int]], int]"

Function = TypeVar("Function")

RESIDENTS_PER_BOX: Final = 14
CARDS_IN_DECK: Final = 52
UNKNOWN_NUMBER: Final = RESIDENTS_PER_BOX  # in place of the number of an unknown card; no hook contains it

# What a label stands for. The labels of rules have letters of their own: G for the game, X for mixed boxes.
LABEL_RESIDENT: Final = "resident"
LABEL_TOKEN: Final = "token"
LABEL_RULE: Final = "rule"
RULE_LETTERS: Final = "GX"

# When a resident's ability works.
TIMING_DRAWN: Final = "drawn"  # when its card is drawn and discarded
TIMING_VILLAGE: Final = "village"  # while faceup in a village, in a window of the owner's turn or always
TIMING_SCORING: Final = "scoring"  # at the end of a round
TIMING_NONE: Final = "none"  # it has no ability

# The windows of a turn (G5) in which a village ability can be used.
WINDOW_NONE: Final = 0  # it works without being used
WINDOW_ANY: Final = 1
WINDOW_MAIN_ACTION: Final = 2  # instead of a draw
WINDOW_TURN_END: Final = 3  # only after the main action, ending the turn


def copies_of(number: int) -> int:
    """Return how many cards with this number a deck contains.

    >>> sum(copies_of(number) for number in range(14))
    52
    """
    return 2 if number in (0, 13) else 4


def has_number(mask: "i64", number: "i64") -> bool:
    """Whether a bit mask of card numbers, such as a hook of `Cast`, contains this number."""
    return mask >> number & 1 == 1


class Label(NamedTuple):
    """The parts of a label such as D8, D14 or G10."""

    letter: str  # of a box, in lower case, or of the rules
    number: int
    kind: str  # LABEL_RESIDENT, LABEL_TOKEN or LABEL_RULE


def parse_label(label: str) -> Label:
    """Split a label into its parts.

    >>> parse_label("D8")
    Label(letter='d', number=8, kind='resident')
    >>> parse_label("D14").kind, parse_label("G10").kind
    ('token', 'rule')
    """
    letter, number = label[0].upper(), int(label[1:])
    if letter in RULE_LETTERS:
        return Label(letter, number, LABEL_RULE)
    return Label(letter.lower(), number, LABEL_TOKEN if number == RESIDENTS_PER_BOX else LABEL_RESIDENT)


class Resident:
    """One of the characters of a box.

    `ability` and `condition` implement an ability that players use. The hooks implement effects that need no use: the
    rules check hooks, and never refer to a resident by name.
    """

    def __init__(
        self, box: str, number: int, name: str, timing: str, text: str, source: str = "", letter: str = ""
    ) -> None:
        self.box: Final = box
        self.letter: Final = letter  # of the box
        self.number: Final = number
        self.name: Final = name
        self.timing: Final = timing
        self.text: Final = text
        self.source: Final = source  # the evidence for the text if it is not from a rulebook
        self.window = WINDOW_NONE
        self.joins_village = False  # goes to a village instead of being discarded
        self.can_be_borrowed = True  # other abilities may use its draw ability (X2)
        self.depends_on_piles = False  # its condition depends on the deck or the discard pile
        self.moves_own_card = False  # using it turns or moves its own card (X14)
        self.ability: Ability | None = None
        self.condition: Condition | None = None
        self.scoring_hook: ScoringHook | None = None
        # Hooks that work while its card lies faceup in a village.
        self.closes_village = False  # other seats may neither take cards from its village nor add any
        self.protects = False  # other seats may touch neither this card nor the one that it guards
        self.raises_set_card = False  # one card of a set of its owner may count one more
        self.uses_exchanged_cards = False  # its owner may use one of the cards of an exchange
        self.shows_deck_card = False  # one more card is shown beside the deck
        self.draws_deeper = False  # its owner may choose from one more card when drawing
        self.ends_round = False  # the round ends when all cards of this number lie faceup in villages
        self.discard_hook: DiscardHook | None = None  # redirects its owner's discards
        self.avoids_discard_pile = False  # the redirected discards do not reach the pile
        # Hooks that always work.
        self.clings = False  # it never becomes the top of the discard pile by a discard
        self.wild = False  # in a set it counts as any number
        self.value_hook: CardValueHook | None = None  # its value at scoring, if not its number

    @property
    def label(self) -> str:
        """The label of this resident's ruling: `D8`."""
        return f"{self.letter.upper()}{self.number}"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by box and number, so that unpickling returns the existing object."""
        from argentum.rules.boxes import resident_of

        return resident_of, (self.box, self.number)

    def __repr__(self) -> str:
        return f"<{self.name} ({self.box} {self.number})>"


class Box:
    """Fourteen residents and a silver token.

    A box with a `base` defines only some of its residents; the base provides the others, and the token if the box has
    none of its own.

    `texts`, `models` and `data` tell the layers above where to find what else belongs to the box. `rules` passes them
    on without reading them.
    """

    def __init__(
        self,
        name: str,
        letter: str,
        token: str = "",
        token_text: str = "",
        token_source: str = "",
        *,
        title: str = "",
        base: "Box | None" = None,
        covers: bool = False,
        mutes: bool = False,
        texts: object = None,
        models: object = None,
        data: object = None,
    ) -> None:
        self.name: Final = name
        self.letter: Final = letter  # in deck codes; labels have it in upper case
        self.title: Final = title or f"Silver {name.title()}"
        self.base: Final = base
        self.token_name: Final = token
        self.token_text: Final = token_text
        self.token_source: Final = token_source
        self.token_covers_card: Final = covers  # the token is put on a card, which nobody may touch
        self.token_mutes_card: Final = mutes  # that card has no ability and counts 0
        self.residents: Final[list[Resident]] = []
        self.token_ability_hook: Ability | None = None
        self.token_condition: Condition | None = None
        # Each of these two is the name of a module or a function that is called once; see `words.residents` and
        # `bots.heuristics.abilities`.
        self.texts = texts
        self.models = models
        self.data = data  # a package or a folder with the box's data files; see `rulebook.box_data`
        self.source = ""  # the file or entry point that it was loaded from; empty for a published box
        self.digest = ""  # of the source of its rules; empty for a published box

    @property
    def has_token(self) -> bool:
        """Whether the box has a token of its own."""
        return self.token_ability_hook is not None

    @property
    def token_box(self) -> "Box":
        """The box that the token of this box comes from: itself, or its base."""
        return self if self.has_token or self.base is None else self.base.token_box

    @property
    def token_label(self) -> str:
        return self.label(RESIDENTS_PER_BOX)

    @property
    def icon_label(self) -> str:
        """The label whose icon stands for the box: its token, or its first resident if it has no token."""
        return self.own_labels[-1] if self.has_token else self.own_labels[0]

    @property
    def own_residents(self) -> "list[Resident]":
        """The residents that the box defines itself."""
        return [resident for resident in self.residents if resident.letter == self.letter]

    @property
    def own_labels(self) -> list[str]:
        """The labels of the box's own residents and token."""
        return [resident.label for resident in self.own_residents] + [self.token_label] * self.has_token

    def label(self, number: int) -> str:
        """Return the label of a resident's ruling; for `RESIDENTS_PER_BOX`, that of the token's ruling."""
        return f"{self.letter.upper()}{number}"

    def fill_from_base(self, number: int) -> None:
        """Add the base's residents up to a number, which is not included."""
        if self.base is not None:
            self.residents.extend(self.base.residents[len(self.residents) : number])

    def add_resident(self, number: int, name: str, timing: str, text: str, source: str = "") -> Resident:
        """Add the next resident of the box, and return it so that its hooks can be set."""
        self.fill_from_base(number)
        if number != len(self.residents):
            raise ValueError(
                f"{name}, the {number}, is out of order: the next number of this box is {len(self.residents)}"
            )
        resident = Resident(self.name, number, name, timing, text, source, self.letter)
        self.residents.append(resident)
        return resident

    def plain_resident(self, number: int, name: str, text: str = "No ability.") -> Resident:
        """Add a resident without an ability, which counts its number."""
        return self.add_resident(number, name, TIMING_NONE, text)

    def draw_ability(
        self,
        number: int,
        name: str,
        text: str,
        condition: Condition,
        *,
        joins_village: bool = False,
        can_be_borrowed: bool = True,
        depends_on_piles: bool = False,
        source: str = "",
    ) -> Callable[[Ability], Ability]:
        """Add a resident with a draw ability; return a decorator that registers the ability.

        `condition` returns whether the ability could be started (G21).
        """
        resident = self.add_resident(number, name, TIMING_DRAWN, text, source)
        resident.condition, resident.joins_village, resident.can_be_borrowed, resident.depends_on_piles = (
            condition,
            joins_village,
            can_be_borrowed,
            depends_on_piles,
        )
        return _attribute_decorator(resident, "ability")

    def village_ability(
        self,
        number: int,
        name: str,
        text: str,
        condition: Condition,
        *,
        window: int = WINDOW_ANY,
        moves_own_card: bool = False,
        clings: bool = False,
        protects: bool = False,
        source: str = "",
    ) -> Callable[[Ability], Ability]:
        """Add a resident with a village ability; return a decorator that registers the ability.

        `condition` returns whether the ability could be started (G21).
        """
        resident = self.add_resident(number, name, TIMING_VILLAGE, text, source)
        resident.condition, resident.window, resident.moves_own_card = condition, window, moves_own_card
        resident.clings, resident.protects = clings, protects
        return _attribute_decorator(resident, "ability")

    def discard_rule(
        self, number: int, name: str, text: str, *, avoids_discard_pile: bool = False, source: str = ""
    ) -> Callable[[DiscardHook], DiscardHook]:
        """Add a resident that redirects its owner's discards while faceup; return a decorator for its hook."""
        resident = self.add_resident(number, name, TIMING_VILLAGE, text, source)
        resident.avoids_discard_pile = avoids_discard_pile
        return _attribute_decorator(resident, "discard_hook")

    def card_value_rule(
        self, number: int, name: str, text: str, source: str = ""
    ) -> Callable[[CardValueHook], CardValueHook]:
        """Add a resident whose value at scoring is not its number; return a decorator for its hook."""
        return _attribute_decorator(self.add_resident(number, name, TIMING_SCORING, text, source), "value_hook")

    def scoring_rule(
        self, number: int, name: str, text: str, source: str = "", value_hook: "CardValueHook | None" = None
    ) -> Callable[[ScoringHook], ScoringHook]:
        """Add a resident that changes sums at scoring; return a decorator for its hook.

        `value_hook` computes the value of the card itself, if that is not its number.
        """
        resident = self.add_resident(number, name, TIMING_SCORING, text, source)
        resident.value_hook = value_hook
        return _attribute_decorator(resident, "scoring_hook")

    def round_end_ability(self, number: int, name: str, text: str, source: str = "") -> Callable[[Ability], Ability]:
        """Add a resident with an ability at the end of a round (G15); return a decorator that registers the ability."""
        return _attribute_decorator(self.add_resident(number, name, TIMING_SCORING, text, source), "ability")

    def token_ability(self, condition: Condition) -> Callable[[Ability], Ability]:
        """Return a decorator that registers the ability of the silver token.

        `condition` returns whether the ability could be started (G18).
        """
        self.token_condition = condition
        return _attribute_decorator(self, "token_ability_hook")


class Cast:
    """The fourteen residents and the token of a game.

    Each hook of `Resident` is stored as a bit mask of card numbers, so that the rules can check it quickly.
    """

    def __init__(self, code: str, residents: list[Resident], token_box: Box) -> None:
        self.code: Final = code
        self.residents: Final = residents
        self.token_box: Final = token_box
        self.token: Final = token_box.name
        self.token_label: Final = token_box.token_label
        self.token_covers_card: Final = token_box.token_covers_card
        self.token_mutes_card: Final = token_box.token_mutes_card
        token_ability, token_condition = token_box.token_ability_hook, token_box.token_condition
        assert token_ability is not None
        assert token_condition is not None
        self.token_ability: Final = token_ability
        self.token_condition: Final = token_condition
        self.labels: Final = [resident.label for resident in residents]
        self.draw_abilities: Final = [
            resident.ability if resident.timing == TIMING_DRAWN else None for resident in residents
        ]
        self.windows: Final = [resident.window for resident in residents]
        self.closes_village: Final[int] = _bit_mask([resident.closes_village for resident in residents])
        self.protects: Final[int] = _bit_mask([resident.protects for resident in residents])
        self.raises_set_card: Final[int] = _bit_mask([resident.raises_set_card for resident in residents])
        self.uses_exchanged_cards: Final[int] = _bit_mask([resident.uses_exchanged_cards for resident in residents])
        self.shows_deck_card: Final[int] = _bit_mask([resident.shows_deck_card for resident in residents])
        self.draws_deeper: Final[int] = _bit_mask([resident.draws_deeper for resident in residents])
        self.ends_round: Final[int] = _bit_mask([resident.ends_round for resident in residents])
        self.redirects_discards: Final[int] = _bit_mask([resident.discard_hook is not None for resident in residents])
        self.clings: Final[int] = _bit_mask([resident.clings for resident in residents])
        self.wild: Final[int] = _bit_mask([resident.wild for resident in residents])
        self.has_card_value: Final[int] = _bit_mask([resident.value_hook is not None for resident in residents])
        self.acts_at_round_end: Final[int] = _bit_mask(
            [resident.timing == TIMING_SCORING and resident.ability is not None for resident in residents]
        )
        self.ending_card_count: Final[int] = sum(
            [copies_of(resident.number) for resident in residents if resident.ends_round]
        )
        # Whether `Table.resolve` has anything to check.
        self.needs_resolving: Final[bool] = bool(self.protects | self.ends_round)
        # The residents that affect even the exchange of a single card.
        self.affects_exchange: Final[int] = self.redirects_discards | self.uses_exchanged_cards

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by deck code and token, so that unpickling returns the shared object."""
        from argentum.rules.boxes import cast_of

        return cast_of, (self.code, self.token)

    def __repr__(self) -> str:
        return f"<Cast {self.code} with the silver {self.token}>"


def _attribute_decorator(owner: object, attribute: str) -> Callable[[Function], Function]:
    """Return a decorator that sets an attribute of a resident or box to a function."""

    def register(function: Function) -> Function:
        setattr(owner, attribute, function)
        return function

    return register


def _bit_mask(flags: list[bool]) -> int:
    return sum([1 << number for number, flag in enumerate(flags) if flag])
