"""Draws cards in text. Frames and words tell how a card lies; colour is never the only sign."""

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
NAME_COLUMNS: Final = 8  # inner width from which words fit


class CardBorder(NamedTuple):
    """Border characters: horizontal, vertical, and the four corners."""

    along: str
    side: str
    corners: str


FACE: Final = CardBorder("─", "│", "╭╮╰╯")
BACK: Final = CardBorder("─", "│", "┌┐└┘")
PICKED: Final = CardBorder("━", "┃", "┏┓┗┛")
FOCUSED: Final = CardBorder("═", "║", "╔╗╚╝")
EMPTY: Final = CardBorder("╌", "╎", "┌┐└┘")


def number_badge(resident: ResidentSummary, space: bool = False) -> str:
    """The number of a resident after the shape of its box.

    >>> from argentum.rules.boxes import resident_of
    >>> from argentum.display.scene import resident_summary
    >>> number_badge(resident_summary(resident_of("dagger", 7)))
    '◆7'
    """
    return f"{box_style(resident.box).badge_glyph}{' ' * space}{resident.number}"


class CardStyle(NamedTuple):
    """Size of a drawing, and what it highlights."""

    width: int
    height: int
    legal: bool = False  # the viewer may choose it now
    picked: bool = False
    focused: bool = False


def render_card(card: SceneCard | None, style: CardStyle) -> Content:
    """Draw a card with its border."""
    inner, rows = style.width - 2, style.height - 2
    frame, edge, lines = EMPTY, "$ink2", [Content(" " * inner)] * rows
    if card is not None:
        up = card.up and card.resident is not None
        frame = FACE if up else BACK
        edge = "$paper-ink2 on $paper" if up else "$tile on $back"
        lines = _face_lines(card.resident, inner, rows) if card.resident and up else _back_lines(card, inner, rows)
    if style.legal:
        edge = "bold $lamp-ink on $lamp" if style.picked else "bold $lamp-line on $ground"
    if style.picked or style.focused:
        frame = PICKED if style.picked and not style.focused else FOCUSED
    top = _border_line(frame, 0, "use" if card is not None and card.ability_move else "", inner)
    bottom = _border_line(frame, 2, "" if card is None else _state_words(card, style, inner), inner)
    side = (frame.side, edge)
    body = [Content.assemble(side, line, side) for line in lines]
    return Content("\n").join([Content.styled(top, edge), *body, Content.styled(bottom, edge)])


def _border_line(frame: CardBorder, corner: int, words: str, inner: int) -> str:
    """The top or bottom border, with words on it."""
    return frame.corners[corner] + words[:inner].center(inner, frame.along) + frame.corners[corner + 1]


def _state_words(card: SceneCard, style: CardStyle, inner: int) -> str:
    """Words on the lower border that tell a card's state."""
    long = inner >= NAME_COLUMNS
    spot = card.guard_spot
    guarded = next((words for words in (f"guarded by {spot}", f"guard {spot}") if len(words) <= inner), f"g{spot}")
    marks = [(TICK, style.picked), ("sideways" if long else "~", card.sideways)]
    marks += [(card.covered_by if inner >= NAME_COLUMNS - 2 else "*", card.covered_by != "")]
    marks += [(guarded, spot > 0), ("chosen" if long else TICK, card.chosen)]
    return " ".join([mark for mark, applies in marks if applies])


def _fixed_width(text: str, inner: int, style: str) -> Content:
    return Content.styled(text[:inner].ljust(inner), style)


def _fixed_width_content(words: Content, inner: int, style: str) -> Content:
    """Text, cut or padded to the width of a card."""
    cut = words.truncate(inner)
    return Content.assemble(cut, (" " * (inner - cut.cell_length), style))


def _face_lines(resident: ResidentSummary, inner: int, rows: int) -> list[Content]:
    """Lines of a faceup card: number, timing, name, and the effect if there is room."""
    plain, bold = "$paper-ink on $paper", "bold $paper-ink on $paper"
    figure = number_badge(resident, inner > 4) if inner > 2 else str(resident.number)
    number = Content.styled(figure, f"bold ${resident.box} on $paper")
    if rows < 3:
        rest = f" {resident.name}" if inner >= NAME_COLUMNS else ""
        return [_fixed_width_content(Content.assemble(number, (rest, plain)), inner, plain)]
    when = TIMING_SIGNS[resident.timing].rjust(inner - number.cell_length)
    head = Content.assemble(number, (when, "$paper-ink2 on $paper")).truncate(inner)
    names = _name_lines(resident, inner)
    words = wrap(resident.effect, inner) if rows > 4 and inner >= NAME_COLUMNS else []
    lines = [_fixed_width(name, inner, bold) for name in names] + [_fixed_width(word, inner, plain) for word in words]
    lines = [head, *lines][:rows]
    return lines + [_fixed_width("", inner, plain)] * (rows - len(lines))


def _back_lines(card: SceneCard, inner: int, rows: int) -> list[Content]:
    """Lines of a facedown card. What the viewer knows of it is written on a slip."""
    tiles = "$tile on $back"
    lines = [_fixed_width(TILE * inner, inner, tiles)] * rows
    if card.resident is not None:
        slips = _known_lines(card.resident, inner, rows)
        lines[: len(slips)] = slips
        return lines
    moon = f" {MOON} " if inner > 4 else MOON
    left = TILE * ((inner - len(moon)) // 2)
    rest = TILE * (inner - len(moon) - len(left))
    lines[rows // 2] = Content.assemble((left, tiles), (moon, "bold $moon on $back"), (rest, tiles))
    return lines


def _known_lines(resident: ResidentSummary, inner: int, rows: int) -> list[Content]:
    """Number of a known facedown card, and its name if there is room."""
    slip, number = "$paper-ink on $paper", number_badge(resident, True)
    room = inner - len(number)
    long = next((f"{number}{words:>{room}}" for words in ("you know", "known") if len(words) < room), "")
    short = next(
        (words for words in (f"{MOON}{number_badge(resident)}", f"{MOON}{resident.number}") if len(words) <= inner),
        str(resident.number),
    )
    head = _fixed_width(long or short, inner, f"bold ${resident.box} on $paper")
    names = _name_lines(resident, inner) if rows > 2 else []
    return [head, *[_fixed_width(name, inner, f"bold {slip}") for name in names]][:rows]


def _name_lines(resident: ResidentSummary, inner: int) -> list[str]:
    """A name in as many lines as it needs; none where it would be split within words."""
    return wrap(resident.name, inner, break_long_words=False) if inner >= NAME_COLUMNS - 2 else []


class CardWidget(FocusFrame, can_focus=True):
    """A card on the table, with a line below it: its spot, its key, or its pile."""

    DEFAULT_CSS = """
    CardWidget { width: 7; height: 4; color: $ink2; }
    """
    BINDINGS = [("enter,space", "press", "Choose")]

    class Pressed(Message):
        """A card was clicked or chosen by a key."""

        def __init__(self, card: "CardWidget") -> None:
            super().__init__()
            self.card = card

    def __init__(self, place: str) -> None:
        super().__init__(id=f"card-{place}")
        self.slot = place
        self.card: SceneCard | None = None
        self.caption = ""
        self.key = ""
        self.picked = False

    @property
    def legal(self) -> bool:
        """Whether choosing the card does something."""
        return self.card is not None and bool(self.card.click_move or self.card.selectable or self.card.ability_move)

    def show(self, card: SceneCard | None, mark: str, key: str, picked: bool) -> None:
        new = (card, mark, key, picked)
        if new != (self.card, self.caption, self.key, self.picked):
            self.card, self.caption, self.key, self.picked = new
            self.refresh()

    def render(self) -> Content:
        width, height = self.size
        card_style = CardStyle(width, height - 1, self.legal, self.picked, self.has_focus)
        caption = self.caption if not self.legal else f"[{self.key}]" if self.key else f"<{self.caption}>"
        style = "bold $lamp-line" if self.legal else "$ink2"
        return Content("\n").join([render_card(self.card, card_style), Content.styled(caption.center(width), style)])

    def on_click(self) -> None:
        self.action_press()

    def action_press(self) -> None:
        self.post_message(self.Pressed(self))
