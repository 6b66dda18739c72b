# mypyc: compile, optimize
"""The value types of a scene. A scene is everything that a table shows, in the browser or in the terminal."""

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

# Position of each village on the page, clockwise from the viewer's own, by the number of seats.
SEAT_SIDES = {2: ("below", "top"), 3: ("below", "left", "right"), 4: ("below", "left", "top", "right")}
MOONS = ("crescent", "half", "gibbous", "full")
# Keyboard shortcuts of the most frequent moves.
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
    """What a card shows of its resident. There is one object per resident, so that cards are compared by identity."""

    label: str  # such as D7
    box: str
    number: int
    name: str
    effect: str  # in a few words
    short_effect: str  # in fewer words, for the lobby
    timing: str  # when it acts: "drawn", "village" or "scoring"
    icon: str
    text_certainty: str  # how certain the wording of its text is, from `lookup.source_status`


@cache
def resident_summary(resident: Resident) -> ResidentSummary:
    art = card_art.card_art(resident.label)
    return ResidentSummary(
        resident.label,
        resident.box,
        resident.number,
        resident.name,
        art.line,
        art.short,
        resident.timing,
        art.icon,
        lookup.source_status(resident.source),
    )


class SceneCard(NamedTuple):
    """A card on the table: its position, what the viewer knows of it, and its legal actions."""

    slot: str  # where it lies: A3, deck, pile, hand, own-A, shown-1, deck-2 or pile-3
    resident: ResidentSummary | None  # None if unknown to the viewer
    up: bool
    sideways: bool
    covered_by: str  # the token on the card, or empty
    known_facedown: bool  # facedown, but the viewer knows it
    aria_label: str  # description for screen readers
    click_move: str = ""  # the move that a click plays
    selectable: bool = False  # can be selected for a button that needs cards
    ability_move: str = ""  # the move that uses its village ability
    dimmed: bool = False  # the viewer must choose a card, but not this one
    muted: bool = False  # the token on the card cancels its ability and points
    guarded_by: ResidentSummary | None = None  # the resident that guards it
    guard_spot: int = 0  # position of the guard in the same village, from 1
    chosen: bool = False  # already chosen for the pending choice
    recent_action: RecentAction | None = None  # another player's last action on it since the viewer's last turn


class SeatInfo(NamedTuple):
    """Public state of a seat. The field names are part of the protocol."""

    letter: str
    name: str
    bot: str  # the bot that plays this seat; empty for a person
    here: bool  # whether the person is connected
    stand_in: str  # the bot that fills in for the person, or empty
    free: bool = False  # whether a player may take the seat


class GuardLink(NamedTuple):
    """A guard and the card it guards, by their positions in the village, counted from 1."""

    guard: int
    guarded: int
    order: int  # from 1, the shortest link first; determines how low the link is drawn


class Village(NamedTuple):
    seat: SeatInfo
    side: str
    is_viewer: bool
    active: bool  # whether it is the viewer's village and the viewer must choose
    cards: tuple[SceneCard, ...]
    guard_links: tuple[GuardLink, ...]
    private_deck: tuple[SceneCard, ...]  # from the top; usually empty
    total: int
    has_turn: bool
    must_choose: bool  # the game waits for this seat
    called: bool
    holds_token: bool
    click_move: str  # the move that a click on the village plays
    chosen: bool  # already chosen for the pending choice
    sideways: int  # number of cards that lie sideways and so need more room


class CachedVillage(NamedTuple):
    """The scene cards of a village, with the inputs they were built from."""

    inputs: tuple[object, ...]
    card_inputs: list[tuple[object, ...]]
    cards: tuple[SceneCard, ...]


NOT_CACHED = CachedVillage((), [], ())


class Button(NamedTuple):
    """A button of the prompt. It has either a `move` or a `move_template`.

    A template needs `min_cards` to `max_cards` selected cards of `spots`, which replace its `{}`.
    """

    text: str
    move: str = ""
    move_template: str = ""
    spots: tuple[str, ...] = ()
    min_cards: int = 1
    max_cards: int = 1
    primary: bool = False  # highlighted
    key: str = ""  # keyboard shortcut


class GuideTip(NamedTuple):
    topic: int  # index in `words.LESSONS`, from 1
    title: str
    text: str
    suggested_move: str  # in the notation of the protocol
    previews_exchange: bool  # whether the result of an exchange is shown while its cards are being selected
    example_exchange: str  # the move that exchanges a set known to the viewer, or empty


class ScoreRow(NamedTuple):
    seat: SeatInfo
    yours: bool
    rounds: tuple[int | None, ...]
    total: int


class Scene(NamedTuple):
    """Everything a table shows while a round is played."""

    viewer: str  # seat of the viewer; empty for a spectator
    round: int
    moon: str  # one of `MOONS`
    villages: tuple[Village, ...]  # clockwise, the viewer's own first
    deck: SceneCard | None
    deck_count: int
    beside_deck: tuple[SceneCard, ...]  # faceup cards beside the deck, oldest first
    shown_by: ResidentSummary | None  # the resident whose ability shows them
    choosable: tuple[SceneCard, ...]  # cards of the deck or the discard pile to choose from
    discard_top: SceneCard | None
    discard_faces: tuple[ResidentSummary | None, ...]  # from the top; None for a facedown card
    hand: SceneCard | None
    holder: str  # seat of the player whose hand it is
    token: str
    token_seat: str
    token_side: str
    token_state: str
    token_ready: bool  # the viewer may use it now
    direction: str
    turn_side: str  # the side at which the turn marker stands
    turn_marker_active: bool  # it is the viewer's turn and the viewer has a choice
    your_move: bool
    bot_plays: bool  # the game waits for a bot
    caller: str  # name of the caller, or You; empty before a call
    last_turns: tuple[tuple[str, bool], ...]  # after a call: who has a turn left, and whether they are the viewer
    prompt: words.Prompt
    buttons: tuple[Button, ...]
    ability_buttons: tuple[Button, ...]  # the moves that are also `ability_move` of a card
    call_warning: str  # asked before a call is sent; empty if there is nothing to warn of
    tip: GuideTip | None  # in a guided game
    scores: tuple[ScoreRow, ...]
    cast: tuple[ResidentSummary, ...]
    log: tuple[words.LogEntry, ...]  # newest first
    recent_lines: int  # log lines since the viewer's last finished turn; 0 if others have done nothing
    initials: tuple[str, ...]  # of the players, as recent actions show them
    names: tuple[str, ...]  # of the players; texts isolate them, because their writing direction may differ
    icon_sheet: str  # name of the sheet of icons: deck code and token letter
    can_undo: bool = False  # the viewer's last move is held and can be taken back
