"""Scene value types; building them from a view."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from argentum import words
from argentum.rulebook import card_art, lookup
from argentum.rules.residents import Resident


class Trace(NamedTuple):
    """What was done to the card in a spot."""

    sign: str
    seat: str
    initial: str
    words: str


NO_TRACES: Mapping[str, Trace] = {}

# Where a village stands on the page, clockwise from the reader's own, by the number of seats.
SIDES = {2: ("below", "top"), 3: ("below", "left", "right"), 4: ("below", "left", "top", "right")}
MOONS = ("crescent", "half", "gibbous", "full")
# The keys of what is done most.
KEYS = {"draw": "d", "take": "t", "call": "c", "discard": "x", "use": "u", "exchange": "e", "end": "n", "peek": "k"}


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """A resident as a card shows it; there is one of each, so that they are quickly compared."""

    label: str  # D7
    box: str
    number: int
    name: str
    line: str  # what it does, in a few words
    short: str  # the same in fewer, for the lobby
    when: str  # drawn, village, scoring
    icon: str
    sure: str  # how sure its text is: `gallery.sureness`


@cache
def portrait(resident: Resident) -> Portrait:
    """How a resident is drawn."""
    art = card_art.card_art(resident.label)
    sure = lookup.source_status(resident.source)
    return Portrait(
        resident.label,
        resident.box,
        resident.number,
        resident.name,
        art.line,
        art.short,
        resident.timing,
        art.icon,
        sure,
    )


class CardScene(NamedTuple):
    """One card: how it lies, what the reader knows of it, and what can be done with it now."""

    place: str  # A3, deck, pile, hand, own-A, shown-1, deck-2, pile-3: never the card's identity
    portrait: Portrait | None  # None: a back that says nothing
    up: bool
    sideways: bool
    covered: str  # the token that lies on it, or empty
    known: bool  # facedown, and the reader knows it
    name: str  # in words, for screen readers
    move: str = ""  # what a click plays
    pick: bool = False  # can be selected for a button that needs cards
    use: str = ""  # the move that uses its village ability
    calm: bool = False  # out of the question while a card is asked for
    muted: bool = False  # the token on it takes its ability and its points
    guard: Portrait | None = None  # the resident that guards it
    guard_place: int = 0  # and that one's place in the same village
    picked: bool = False  # chosen already, in answer to what is asked
    trace: Trace | None = None  # what somebody else did to it since the reader's last turn


class Seat(NamedTuple):
    """Who sits where: public."""

    letter: str
    name: str
    bot: str  # which bot plays this seat; empty for a person
    here: bool  # a person who is connected
    stand_in: str  # which bot fills in for the person; empty if none
    free: bool = False  # for a person, and nobody has sat down yet


class Cord(NamedTuple):
    """The tie between a guard and the card it guards: their places in the village, from 1."""

    guard: int
    guarded: int
    nth: int  # of the village's cords, so that they hang one below the other


class Village(NamedTuple):
    """A seat and its cards."""

    seat: Seat
    side: str
    yours: bool
    lit: bool  # the reader is to choose, and this is the reader's
    cards: tuple[CardScene, ...]
    cords: tuple[Cord, ...]
    own_deck: tuple[CardScene, ...]  # from the top; empty for most
    total: int
    turn: bool  # it is this seat's turn
    asked: bool  # this seat is to choose now
    called: bool
    token: bool
    move: str  # a click on the village plays this
    picked: bool  # chosen already, in answer to what is asked

    @property
    def sideways(self) -> int:
        """How many of its cards lie sideways."""
        return sum([card.sideways for card in self.cards])


class Drawn(NamedTuple):
    """A village's cards, with all that they depend on, together and each."""

    shows: tuple[object, ...]
    each: list[tuple[object, ...]]
    cards: tuple[CardScene, ...]


UNDRAWN = Drawn((), [], ())


class Button(NamedTuple):
    """A button of the prompt. With `template`, it needs that many of these cards selected; `{}` stands for them."""

    text: str
    move: str = ""
    template: str = ""
    spots: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    main: bool = False  # the one in lamplight

    @property
    def key(self) -> str:
        """The key that presses it; empty for most."""
        return KEYS.get(self.move or self.template.removesuffix(" {}"), "")


class Lesson(NamedTuple):
    """What the guide of a first game says now."""

    topic: int  # which of the topics this is, from 1
    title: str
    words: str
    advice: str  # what it says to do, as that is sent
    of_picks: bool  # cards are picked for an exchange, and the guide says what comes of it before they are sent
    pair: str  # the exchange of a set that the reader knows; empty if there is none


class Score(NamedTuple):
    """A line of the score sheet."""

    seat: Seat
    yours: bool
    rounds: tuple[int | None, ...]
    total: int


class Scene(NamedTuple):
    """All that a table page shows while a round is played."""

    you: str  # the reader's seat, empty for an onlooker
    round: int
    moon: str
    villages: tuple[Village, ...]  # clockwise from the reader
    deck: CardScene | None
    deck_count: int
    shown: tuple[CardScene, ...]  # beside the deck, in the order they came
    shower: Portrait | None  # the resident that has cards shown
    fan: tuple[CardScene, ...]  # cards of the deck or the discard pile to choose from
    top: CardScene | None  # of the discard pile
    pile: tuple[Portrait | None, ...]  # the faces of the discard pile from the top; None for a facedown card
    hand: CardScene | None
    holder: str  # whose hand
    token: str
    token_seat: str
    token_side: str
    token_state: str
    token_ready: bool  # the reader may use it now
    direction: str
    turn_side: str  # where the lantern stands
    lantern_lit: bool  # it stands with the reader, who is to choose
    your_move: bool
    bot_plays: bool  # a bot is to move, and the reader waits for it
    caller: str  # a name, or You; empty if nobody has called
    last_turns: tuple[tuple[str, bool], ...]  # who still plays after a call, and whether that is the reader
    prompt: words.Prompt
    buttons: tuple[Button, ...]
    uses: tuple[Button, ...]  # for cards of the village that may be used, which have buttons of their own too
    before_call: str  # what is said before a call is sent; empty where there is none to make
    lesson: Lesson | None  # of a first game
    scores: tuple[Score, ...]
    cast: tuple[Portrait, ...]
    log: tuple[words.LogEntry, ...]  # newest first
    since: int  # how many of them came after the reader's last turn that is over; 0 where others have done nothing
    initials: tuple[str, ...]  # of the players' names, as traces have them
    names: tuple[str, ...]  # of the players, for texts in which they are isolated
    code: str  # the deck code and the token's letter, which name the sheet of icons
    can_take_back: bool = False  # the reader's last choice, which nobody was told yet
