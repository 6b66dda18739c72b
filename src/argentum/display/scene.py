"""Value types of a scene: everything that a table page or a terminal screen shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from argentum import words
from argentum.rulebook import card_art, lookup
from argentum.rules.residents import Resident


class RecentAction(NamedTuple):
    """Another player's last action on a card."""

    glyph: str
    seat: str
    initial: str
    text: str


NO_RECENT_ACTIONS: Mapping[str, RecentAction] = {}

# Where a village stands on the page, clockwise from the reader's own, by the number of seats.
SEAT_SIDES = {2: ("below", "top"), 3: ("below", "left", "right"), 4: ("below", "left", "top", "right")}
MOONS = ("crescent", "half", "gibbous", "full")
# The keys of what is done most.
SHORTCUTS = {
    "draw": "d",
    "take": "t",
    "call": "c",
    "discard": "x",
    "use": "u",
    "exchange": "e",
    "end": "n",
    "peek": "k",
}


@dataclass(frozen=True, slots=True, eq=False)
class ResidentSummary:
    """A resident as drawn on a card. One object per resident, so that cards compare quickly."""

    label: str  # D7
    box: str
    number: int
    name: str
    effect: str  # what it does, in a few words
    short_effect: str  # the same in fewer, for the lobby
    timing: str  # drawn, village, scoring
    icon: str
    text_certainty: str  # how sure its text is: `gallery.sureness`


@cache
def resident_summary(resident: Resident) -> ResidentSummary:
    art = card_art.card_art(resident.label)
    sure = lookup.source_status(resident.source)
    return ResidentSummary(
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


class SceneCard(NamedTuple):
    """A card on the table: its position, what the viewer knows of it, and its legal actions."""

    slot: str  # A3, deck, pile, hand, own-A, shown-1, deck-2, pile-3: never the card's identity
    resident: ResidentSummary | None  # None: a back that says nothing
    up: bool
    sideways: bool
    covered_by: str  # the token that lies on it, or empty
    known_facedown: bool  # facedown, and the reader knows it
    aria_label: str  # in words, for screen readers
    click_move: str = ""  # what a click plays
    selectable: bool = False  # can be selected for a button that needs cards
    ability_move: str = ""  # the move that uses its village ability
    dimmed: bool = False  # out of the question while a card is asked for
    muted: bool = False  # the token on it takes its ability and its points
    guarded_by: ResidentSummary | None = None  # the resident that guards it
    guard_spot: int = 0  # and that one's place in the same village
    chosen: bool = False  # chosen already, in answer to what is asked
    recent_action: RecentAction | None = None  # another player's last action on it since the viewer's last turn


class SeatInfo(NamedTuple):
    """A seat as everybody sees it. The field names are part of the protocol."""

    letter: str
    name: str
    bot: str  # which bot plays this seat; empty for a person
    here: bool  # a person who is connected
    stand_in: str  # which bot fills in for the person; empty if none
    free: bool = False  # open for a player


class GuardLink(NamedTuple):
    """A guard and the card it guards, by their positions in the village, counted from 1."""

    guard: int
    guarded: int
    order: int  # of the village's cords, so that they hang one below the other


class Village(NamedTuple):
    seat: SeatInfo
    side: str
    is_viewer: bool
    active: bool  # the reader is to choose, and this is the reader's
    cards: tuple[SceneCard, ...]
    cords: tuple[GuardLink, ...]
    private_deck: tuple[SceneCard, ...]  # from the top; empty for most
    total: int
    has_turn: bool  # it is this seat's turn
    must_choose: bool  # this seat is to choose now
    called: bool
    holds_token: bool
    click_move: str  # a click on the village plays this
    chosen: bool  # chosen already, in answer to what is asked

    @property
    def sideways(self) -> int:
        return sum([card.sideways for card in self.cards])


class CachedVillage(NamedTuple):
    """The cards of a village as last drawn, with the inputs they were drawn from."""

    inputs: tuple[object, ...]
    card_inputs: list[tuple[object, ...]]
    cards: tuple[SceneCard, ...]


NOT_CACHED = CachedVillage((), [], ())


class Button(NamedTuple):
    """A button of the prompt.

    With `move_template`, it needs `min_cards` to `max_cards` of `spots` selected; `{}` stands for them.
    """

    text: str
    move: str = ""
    move_template: str = ""
    spots: tuple[str, ...] = ()
    min_cards: int = 1
    max_cards: int = 1
    primary: bool = False  # the one in lamplight

    @property
    def key(self) -> str:
        """The keyboard shortcut, or an empty string."""
        return SHORTCUTS.get(self.move or self.move_template.removesuffix(" {}"), "")


class GuideTip(NamedTuple):
    """A tip of the first-game guide."""

    topic: int  # which of the topics this is, from 1
    title: str
    text: str
    suggested_move: str  # what it says to do, as that is sent
    previews_exchange: (
        bool  # cards are picked for an exchange, and the guide says what comes of it before they are sent
    )
    example_exchange: str  # the exchange of a set that the reader knows; empty if there is none


class ScoreRow(NamedTuple):
    seat: SeatInfo
    yours: bool
    rounds: tuple[int | None, ...]
    total: int


class Scene(NamedTuple):
    """Everything a table shows while a round is played."""

    viewer: str  # the reader's seat, empty for an onlooker
    round: int
    moon: str
    villages: tuple[Village, ...]  # clockwise from the reader
    deck: SceneCard | None
    deck_count: int
    beside_deck: tuple[SceneCard, ...]  # oldest first
    shown_by: ResidentSummary | None  # the resident that has cards shown
    choosable: tuple[SceneCard, ...]  # cards of the deck or the discard pile to choose from
    discard_top: SceneCard | None  # of the discard pile
    discard_faces: tuple[
        ResidentSummary | None, ...
    ]  # the faces of the discard pile from the top; None for a facedown card
    hand: SceneCard | None
    holder: str  # whose hand
    token: str
    token_seat: str
    token_side: str
    token_state: str
    token_ready: bool  # the reader may use it now
    direction: str
    turn_side: str  # where the lantern stands
    turn_marker_active: bool  # it stands with the reader, who is to choose
    your_move: bool
    bot_plays: bool  # a bot is to move, and the reader waits for it
    caller: str  # a name, or You; empty if nobody has called
    last_turns: tuple[tuple[str, bool], ...]  # who still plays after a call, and whether that is the reader
    prompt: words.Prompt
    buttons: tuple[Button, ...]
    ability_buttons: tuple[
        Button, ...
    ]  # for cards of the village that may be used, which have buttons of their own too
    call_warning: str  # what is said before a call is sent; empty where there is none to make
    tip: GuideTip | None  # of a first game
    scores: tuple[ScoreRow, ...]
    cast: tuple[ResidentSummary, ...]
    log: tuple[words.LogEntry, ...]  # newest first
    recent_lines: (
        int  # how many of them came after the reader's last turn that is over; 0 where others have done nothing
    )
    initials: tuple[str, ...]  # of the players' names, as traces have them
    names: tuple[str, ...]  # of the players, for texts in which they are isolated
    icon_sheet: str  # the deck code and the token's letter, which name the sheet of icons
    can_undo: bool = False  # the reader's last choice, which is held back
