"""Village widget: the owner's name and points above a row of cards."""

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from argentum.display.scene import Scene, Village
from argentum.terminal.widgets.cards import CardWidget, number_badge
from argentum.words.player_names import format_points

MIN_CARD_WIDTH: Final = 4
GAP_FROM_WIDTH: Final = 5  # cards with more columns than this have a gap between them


class VillageWidget(Vertical):
    DEFAULT_CSS = """
    VillageWidget { height: auto; width: 1fr; background: $ground; }
    VillageWidget .name { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    VillageWidget .cards { height: auto; align-horizontal: center; scrollbar-size: 0 0; overflow-x: auto; }
    """

    def __init__(self, max_card_width: int, card_height: int) -> None:
        super().__init__()
        self.max_card_width = max_card_width
        self.card_height = card_height  # without the caption
        self.columns = 0  # available width, set by the screen
        self.village: Village | None = None

    def compose(self) -> ComposeResult:
        yield Static(classes="name")
        yield Horizontal(classes="cards")

    @property
    def cards(self) -> list[CardWidget]:
        """The card widgets in the order of the spots."""
        return list(self.query(CardWidget))

    async def show(self, village: Village, scene: Scene, keys: Mapping[str, str], selection: frozenset[str]) -> None:
        """Draw a village. `keys` are the shortcuts of cards and `selection` the selected cards, by slot."""
        self.village = village
        self.query_one(".name", Static).update(render_name_line(village, scene), layout=False)
        row = self.query_one(".cards", Horizontal)
        widgets = self.cards
        for surplus in widgets[len(village.cards) :]:
            await surplus.remove()
        missing = [CardWidget(card.slot) for card in village.cards[len(widgets) :]]
        if missing:
            await row.mount(*missing)
        for widget, card in zip(self.cards, village.cards, strict=True):
            widget.show(card, card.slot[1:], keys.get(card.slot, ""), card.slot in selection)
        self.resize_cards()

    def resize_cards(self) -> None:
        """Divide the width of the village among its cards."""
        cards = self.cards
        columns_per_card = self.columns // max(len(cards), 1)
        gap = columns_per_card > GAP_FROM_WIDTH
        width = min(self.max_card_width, max(MIN_CARD_WIDTH, columns_per_card - gap))
        for card in cards:
            card.styles.width, card.styles.height = width, self.card_height + 1
            card.styles.margin = (0, int(gap), 0, 0)
        self.query_one(".cards").styles.min_height = self.card_height + 1


def render_name_line(village: Village, scene: Scene) -> Content:
    """Draw the line above the cards: the owner's name, points, token, call and private deck."""
    seat = village.seat
    notes = [seat.bot] if seat.bot else []
    if seat.stand_in:
        notes.append(f"{seat.stand_in} fills in")
    elif not seat.bot and not seat.here:
        notes.append("away")
    owner_note = " you" * village.is_viewer + "".join([f" {note}" for note in notes])
    segments = [(f" {format_points(village.total)}", "bold $silver"), (owner_note, "$ink2")]
    if village.holds_token:
        segments.append((f" ✦{scene.token}", "$silver"))
    if village.chosen:
        segments.append((" chosen", "bold $ink"))
    if village.called:
        segments.append((" CALLED", "bold $ink"))
    if village.private_deck:
        known = ",".join([number_badge(card.resident) for card in village.private_deck if card.resident is not None])
        segments.append((f" own {known or len(village.private_deck)}", "$silver"))
    turn_marker = "▶ " if village.has_turn or village.must_choose else "  "
    return Content.assemble(
        (turn_marker, "bold $lamp-line" if village.active else "bold $ink"),
        (seat.name, "bold $ink"),
        *segments,
    )
