"""Draw cards as text. Border characters and words show every state, so that no state depends on colour alone."""

from textwrap import wrap
from typing import Final, NamedTuple

from textual.content import Content
from textual.message import Message

from argentum.display.scene import ResidentSummary, SceneCard
from argentum.rulebook.card_art import box_style
from argentum.terminal.widgets import FocusFrame

TIMING_SIGNS: Final = {"village": "⌂", "drawn": "↥", "scoring": "Σ"}
MOON: Final = "☾"
TILE: Final = "░"
TICK: Final = "✓"
NAME_COLUMNS: Final = 8  # minimum inner width for words


class CardBorder(NamedTuple):
    """Border characters: horizontal, vertical, and the four corners."""

    horizontal: str
    vertical: str
    corners: str


FACE: Final = CardBorder("─", "│", "╭╮╰╯")
BACK: Final = CardBorder("─", "│", "┌┐└┘")
SELECTED: Final = CardBorder("━", "┃", "┏┓┗┛")
FOCUSED: Final = CardBorder("═", "║", "╔╗╚╝")
EMPTY: Final = CardBorder("╌", "╎", "┌┐└┘")


def number_badge(resident: ResidentSummary, with_space: bool = False) -> str:
    """Return a resident's number after the glyph of its box, with a space between them if `with_space`.

    >>> from argentum.rules.boxes import resident_of
    >>> from argentum.display.scene import resident_summary
    >>> number_badge(resident_summary(resident_of("dagger", 7)))
    '◆7'
    """
    return f"{box_style(resident.box).badge_glyph}{' ' * with_space}{resident.number}"


class CardStyle(NamedTuple):
    """Size of a card, in columns and rows, and how it is highlighted."""

    width: int
    height: int
    has_action: bool = False  # see `CardWidget.has_action`
    is_selected: bool = False
    has_focus: bool = False


def render_card(card: SceneCard | None, style: CardStyle) -> Content:
    """Draw a card with its border; for None, draw an empty outline."""
    columns, rows = style.width - 2, style.height - 2
    border, border_style, lines = EMPTY, "$ink2", [Content(" " * columns)] * rows
    if card is not None:
        is_faceup = card.up and card.resident is not None
        border = FACE if is_faceup else BACK
        border_style = "$paper-ink2 on $paper" if is_faceup else "$tile on $back"
        lines = (
            _render_face(card.resident, columns, rows)
            if card.resident and is_faceup
            else _render_back(card, columns, rows)
        )
    if style.has_action:
        border_style = "bold $lamp-ink on $lamp" if style.is_selected else "bold $lamp-line on $ground"
    if style.is_selected or style.has_focus:
        border = SELECTED if style.is_selected and not style.has_focus else FOCUSED
    top = _render_border(border, 0, "use" if card is not None and card.ability_move else "", columns)
    bottom = _render_border(border, 2, "" if card is None else _describe_state(card, style, columns), columns)
    side = (border.vertical, border_style)
    body = [Content.assemble(side, line, side) for line in lines]
    return Content("\n").join([Content.styled(top, border_style), *body, Content.styled(bottom, border_style)])


def _render_border(border: CardBorder, corner: int, text: str, columns: int) -> str:
    """Draw the top (corner 0) or bottom (corner 2) border with a centred text."""
    return border.corners[corner] + text[:columns].center(columns, border.horizontal) + border.corners[corner + 1]


def _describe_state(card: SceneCard, style: CardStyle, columns: int) -> str:
    """Describe the state of a card for its lower border, abbreviated on narrow cards."""
    is_wide = columns >= NAME_COLUMNS
    spot = card.guard_spot
    guarded = next((text for text in (f"guarded by {spot}", f"guard {spot}") if len(text) <= columns), f"g{spot}")
    states = [
        (TICK, style.is_selected),
        ("sideways" if is_wide else "~", card.sideways),
        (card.covered_by if columns >= NAME_COLUMNS - 2 else "*", card.covered_by != ""),
        (guarded, spot > 0),
        ("chosen" if is_wide else TICK, card.chosen),
    ]
    return " ".join([text for text, applies in states if applies])


def _fit_text(text: str, columns: int, style: str) -> Content:
    """Cut or pad a text to a width."""
    return Content.styled(text[:columns].ljust(columns), style)


def _fit_content(content: Content, columns: int, padding_style: str) -> Content:
    """Cut or pad styled content to a width."""
    cut = content.truncate(columns)
    return Content.assemble(cut, (" " * (columns - cut.cell_length), padding_style))


def _render_face(resident: ResidentSummary, columns: int, rows: int) -> list[Content]:
    """Draw a faceup card: number, timing, name, and the effect if there is room."""
    plain, bold = "$paper-ink on $paper", "bold $paper-ink on $paper"
    badge = number_badge(resident, columns > 4) if columns > 2 else str(resident.number)
    number = Content.styled(badge, f"bold ${resident.box} on $paper")
    if rows < 3:
        name = f" {resident.name}" if columns >= NAME_COLUMNS else ""
        return [_fit_content(Content.assemble(number, (name, plain)), columns, plain)]
    timing = TIMING_SIGNS[resident.timing].rjust(columns - number.cell_length)
    first_line = Content.assemble(number, (timing, "$paper-ink2 on $paper")).truncate(columns)
    names = _wrap_name(resident, columns)
    effect = wrap(resident.effect, columns) if rows > 4 and columns >= NAME_COLUMNS else []
    text_lines = [_fit_text(name, columns, bold) for name in names] + [
        _fit_text(text, columns, plain) for text in effect
    ]
    lines = [first_line, *text_lines][:rows]
    return lines + [_fit_text("", columns, plain)] * (rows - len(lines))


def _render_back(card: SceneCard, columns: int, rows: int) -> list[Content]:
    """Draw a facedown card: a pattern, with number and name at the top if the viewer knows them."""
    pattern_style = "$tile on $back"
    lines = [_fit_text(TILE * columns, columns, pattern_style)] * rows
    if card.resident is not None:
        known = _render_known(card.resident, columns, rows)
        lines[: len(known)] = known
        return lines
    moon = f" {MOON} " if columns > 4 else MOON
    left = TILE * ((columns - len(moon)) // 2)
    right = TILE * (columns - len(moon) - len(left))
    lines[rows // 2] = Content.assemble((left, pattern_style), (moon, "bold $moon on $back"), (right, pattern_style))
    return lines


def _render_known(resident: ResidentSummary, columns: int, rows: int) -> list[Content]:
    """Draw the number of a facedown card that the viewer knows, and its name if there is room."""
    number = number_badge(resident, True)
    room = columns - len(number)
    wide = next((f"{number}{note:>{room}}" for note in ("you know", "known") if len(note) < room), "")
    narrow = next(
        (text for text in (f"{MOON}{number_badge(resident)}", f"{MOON}{resident.number}") if len(text) <= columns),
        str(resident.number),
    )
    first_line = _fit_text(wide or narrow, columns, f"bold ${resident.box} on $paper")
    names = _wrap_name(resident, columns) if rows > 2 else []
    return [first_line, *[_fit_text(name, columns, "bold $paper-ink on $paper") for name in names]][:rows]


def _wrap_name(resident: ResidentSummary, columns: int) -> list[str]:
    """Wrap a resident's name into lines; return none for a card so narrow that words would be split."""
    return wrap(resident.name, columns, break_long_words=False) if columns >= NAME_COLUMNS - 2 else []


class CardWidget(FocusFrame, can_focus=True):
    """A card with a caption below it: the key that chooses the card, or else its spot or pile."""

    DEFAULT_CSS = """
    CardWidget { width: 7; height: 4; color: $ink2; }
    """
    BINDINGS = [("enter,space", "press", "Choose")]

    class Pressed(Message):
        """Posted when a card is clicked or activated with a key."""

        def __init__(self, card: "CardWidget") -> None:
            super().__init__()
            self.card = card

    def __init__(self, slot: str) -> None:
        super().__init__(id=f"card-{slot}")
        self.slot = slot
        self.card: SceneCard | None = None
        self.caption = ""
        self.key = ""
        self.is_selected = False

    @property
    def has_action(self) -> bool:
        """Whether choosing the card plays a move or selects the card."""
        return self.card is not None and bool(self.card.click_move or self.card.selectable or self.card.ability_move)

    def show(self, card: SceneCard | None, caption: str, key: str, is_selected: bool) -> None:
        content = (card, caption, key, is_selected)
        if content != (self.card, self.caption, self.key, self.is_selected):
            self.card, self.caption, self.key, self.is_selected = content
            self.refresh()

    def render(self) -> Content:
        width, height = self.size
        card_style = CardStyle(width, height - 1, self.has_action, self.is_selected, self.has_focus)
        caption = self.caption if not self.has_action else f"[{self.key}]" if self.key else f"<{self.caption}>"
        style = "bold $lamp-line" if self.has_action else "$ink2"
        return Content("\n").join([render_card(self.card, card_style), Content.styled(caption.center(width), style)])

    def on_click(self) -> None:
        self.action_press()

    def action_press(self) -> None:
        self.post_message(self.Pressed(self))
