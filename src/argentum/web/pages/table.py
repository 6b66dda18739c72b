# mypyc: compile, optimize
"""Values of the parts of the table page. Compiled by mypyc, so it imports neither Room nor Jinja."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from argentum import words
from argentum.display.scene import (
    Button,
    GuideTip,
    ResidentSummary,
    Scene,
    SceneCard,
    ScoreRow,
    Village,
    resident_summary,
)
from argentum.rules.events import Event
from argentum.rules.views import View


class LookedAtCard(NamedTuple):
    """A card of a village that the reader has looked at."""

    slot: str
    portrait: ResidentSummary


def looked_at_cards(events: Sequence[Event], view: View) -> list[LookedAtCard]:
    """Return the village cards that the reader of a view looked at in these events; none for spectators."""
    return [
        LookedAtCard(event.spot, resident_summary(view.residents[event.number]))
        for event in events
        if event.kind == "looked" and event.seat == view.seat and event.spot and event.number is not None
    ]


def look_title(looks: Sequence[LookedAtCard], index: int, view: View) -> str:
    """Return the caption of one of the cards that the reader has looked at."""
    return words.looked_at_caption(looks[index].slot, index + 1, len(looks), view)


# Slots of the page by the destination of a discarded card.
PILE_SLOTS = {"discard": "pile", "discard bottom": "pile", "deck bottom": "deck"}


def card_motions(event: Event) -> list[tuple[str, str]]:
    """Return the movements of cards in an event, as pairs of page slots: origin and destination.

    >>> card_motions(Event("drew", "A", source="deck"))
    [('deck', 'hand')]
    """
    match event.kind:
        case "drew":
            return [(_draw_source(event), "hand")]
        case "took":
            return [("pile", "hand")]
        case "discarded" | "left" if event.goes in PILE_SLOTS:
            return [(event.spot or "hand", PILE_SLOTS[event.goes])]
        case "placed" | "added":
            return [("hand", event.spot)]
        case "switched":
            return [(event.spot, event.to), (event.to, event.spot)]
        case "shifted" | "gave":
            return [(event.spot, event.to)]
        case "kept":
            return [("deck", f"own-{event.seat}")]
        case "counted":
            return [("deck", "pile")]
        case "displayed":
            return [("deck", f"shown-{event.depth}")]
    return []


def _draw_source(event: Event) -> str:
    return {"private": f"own-{event.seat}", "shown": f"shown-{event.depth}"}.get(event.source, "deck")


class TableInfo(NamedTuple):
    """Settings and state of the table, for the footer of the page."""

    table: str
    memory: bool
    seconds: int
    watching: int  # number of spectators
    stand_in_plays: bool  # a bot fills in for the reader
    links: tuple[tuple[str, str], ...]  # for the host: label and link to copy
    commitment: str = ""  # to the shuffles of this game
    verifiable_round: int = 0  # the current round while none of its cards has moved, so that its deal can be verified
    slow_label: str = ""  # if people may take days for a turn: how long


class Banner(NamedTuple):
    """The player who has called, and those who still have a turn."""

    caller: str
    last_turns: tuple[tuple[str, bool], ...]


class Piles(NamedTuple):
    """Deck, discard pile, direction of play and token."""

    icon_sheet: str
    deck: SceneCard | None
    deck_count: int
    beside_deck: tuple[SceneCard, ...]
    shown_by: ResidentSummary | None
    discard_top: SceneCard | None
    discard_faces: tuple[ResidentSummary | None, ...]
    direction: str
    turn_side: str
    turn_marker_active: bool
    token: str
    token_side: str
    token_state: str
    token_ready: bool


class PromptPart(NamedTuple):
    """The prompt: what the reader may do now."""

    icon_sheet: str
    cast: tuple[ResidentSummary, ...]
    names: tuple[str, ...]
    viewer: str
    holder: str
    hand: SceneCard | None
    your_move: bool
    bot_plays: bool
    can_undo: bool
    prompt: words.Prompt
    call_warning: str
    choosable: tuple[SceneCard, ...]
    buttons: tuple[Button, ...]
    ability_buttons: tuple[Button, ...]


# Parts that show fields of the scene under the same names.
BANNER_FIELDS, PILES_FIELDS, PROMPT_FIELDS = [attrgetter(*part._fields) for part in (Banner, Piles, PromptPart)]


class GuidePart(NamedTuple):
    """The guide's tip in a first game."""

    tip: GuideTip | None
    names: tuple[str, ...]


class MoonPart(NamedTuple):
    moon: str


class TopBarPart(NamedTuple):
    round: int
    moon: str


class ScoreSheet(NamedTuple):
    """The points of each seat, round by round."""

    round: int
    scores: tuple[ScoreRow, ...]


class LogItem(NamedTuple):
    glyph: str  # of the action; empty if it has none
    html: str
    item_html: str  # the line as a list item


class LogPart(NamedTuple):
    lines: tuple[LogItem, ...]
    recent_lines: int


class SincePart(NamedTuple):
    """What others did since the reader's last turn; the page's script fills it from the log."""

    viewer: str
    initials: tuple[str, ...]


class FooterPart(NamedTuple):
    """The footer of the sidebar."""

    info: TableInfo


class VillagePart(NamedTuple):
    village: Village
    row: tuple[str, ...]  # HTML of its cards


class VillageContext(NamedTuple):
    """Arguments of the village macro that are the same for all villages."""

    icon_sheet: str
    token: str


class TablePage(NamedTuple):
    """All parts of a table page. Each field is named as its macro in table.html and, with `-` for `_`, its element."""

    banner: Banner
    piles: Piles
    prompt: PromptPart
    guide: GuidePart
    moon: MoonPart
    top_bar: TopBarPart
    score_sheet: ScoreSheet
    log: LogPart
    since_turn: SincePart
    table_footer: FooterPart
    village_context: VillageContext
    villages: tuple[VillagePart, ...]

    @staticmethod
    def from_scene(
        scene: Scene, rows: Sequence[tuple[str, ...]], lines: tuple[LogItem, ...], info: TableInfo
    ) -> "TablePage":
        """Split a scene into parts; `rows` and `lines` are the rendered cards of the villages and the log lines."""
        return TablePage(
            tuple.__new__(Banner, BANNER_FIELDS(scene)),
            tuple.__new__(Piles, PILES_FIELDS(scene)),
            tuple.__new__(PromptPart, PROMPT_FIELDS(scene)),
            GuidePart(scene.tip, scene.names),
            MoonPart(scene.moon),
            TopBarPart(scene.round, scene.moon),
            ScoreSheet(scene.round, scene.scores),
            LogPart(lines, scene.recent_lines),
            SincePart(scene.viewer, scene.initials),
            FooterPart(info),
            VillageContext(scene.icon_sheet, scene.token),
            tuple([VillagePart(village, row) for village, row in zip(scene.villages, rows, strict=True)]),
        )
