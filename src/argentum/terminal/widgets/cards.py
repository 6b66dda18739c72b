"""Cards as a terminal draws them. How a card lies is told by its frame and its words, never by colour alone."""

from textwrap import wrap
from typing import Final, NamedTuple

from textual.content import Content
from textual.message import Message

from argentum.display.scene import ResidentSummary, SceneCard
from argentum.terminal.widgets import FocusFrame

BOX_SHAPES: Final = {"amulet": "⬢", "bullet": "▲", "coin": "●", "dagger": "◆"}  # the shape says which box
TIMING_SIGNS: Final = {"village": "⌂", "drawn": "↥", "scoring": "Σ"}
MOON: Final = "☾"
TILE: Final = "░"
TICK: Final = "✓"
NAME_COLUMNS: Final = 8  # from this inner width on there is room for words


class CardBorder(NamedTuple):
    """The signs of a card's edge: along the top and bottom, down the sides, and the four corners."""

    along: str
    side: str
    corners: str


FACE: Final = CardBorder("─", "│", "╭╮╰╯")
BACK: Final = CardBorder("─", "│", "┌┐└┘")
PICKED: Final = CardBorder("━", "┃", "┏┓┗┛")
FOCUSED: Final = CardBorder("═", "║", "╔╗╚╝")
EMPTY: Final = CardBorder("╌", "╎", "┌┐└┘")


def number_badge(one: ResidentSummary, space: bool = False) -> str:
    """A resident's number with the shape of its box.

    >>> from argentum.rules.boxes import resident_of
    >>> from argentum.display.scene import portrait
    >>> badge(portrait(resident_of("dagger", 7)))
    '◆7'
    """
    return f"{BOX_SHAPES[one.box]}{' ' * space}{one.number}"


class CardStyle(NamedTuple):
    """How a card is to be drawn besides what lies there."""

    width: int
    height: int
    legal: bool = False  # the reader may do something with it now
    picked: bool = False
    focused: bool = False


def render_card(card: SceneCard | None, look: CardStyle) -> Content:
    """A card with its frame."""
    inner, rows = look.width - 2, look.height - 2
    frame, edge, lines = EMPTY, "$ink2", [Content(" " * inner)] * rows
    if card is not None:
        up = card.up and card.resident is not None
        frame = FACE if up else BACK
        edge = "$paper-ink2 on $paper" if up else "$tile on $back"
        lines = _face(card.resident, inner, rows) if card.resident and up else _back(card, inner, rows)
    if look.legal:
        edge = "bold $lamp-ink on $lamp" if look.picked else "bold $lamp-line on $ground"
    if look.picked or look.focused:
        frame = PICKED if look.picked and not look.focused else FOCUSED
    top = _edge(frame, 0, "use" if card is not None and card.ability_move else "", inner)
    bottom = _edge(frame, 2, "" if card is None else _marks(card, look, inner), inner)
    side = (frame.side, edge)
    body = [Content.assemble(side, line, side) for line in lines]
    return Content("\n").join([Content.styled(top, edge), *body, Content.styled(bottom, edge)])


def _edge(frame: CardBorder, corner: int, words: str, inner: int) -> str:
    """The top or bottom edge, with words on it."""
    return frame.corners[corner] + words[:inner].center(inner, frame.along) + frame.corners[corner + 1]


def _marks(card: SceneCard, look: CardStyle, inner: int) -> str:
    """How a card lies, on its lower edge."""
    long = inner >= NAME_COLUMNS
    place = card.guard_spot
    guarded = next((words for words in (f"guarded by {place}", f"guard {place}") if len(words) <= inner), f"g{place}")
    marks = [(TICK, look.picked), ("sideways" if long else "~", card.sideways)]
    marks += [(card.covered_by if inner >= NAME_COLUMNS - 2 else "*", card.covered_by != "")]
    marks += [(guarded, place > 0), ("chosen" if long else TICK, card.chosen)]
    return " ".join([mark for mark, there in marks if there])


def _line(text: str, inner: int, style: str) -> Content:
    return Content.styled(text[:inner].ljust(inner), style)


def _padded(words: Content, inner: int, style: str) -> Content:
    """Words, cut or filled up to the width of a card."""
    cut = words.truncate(inner)
    return Content.assemble(cut, (" " * (inner - cut.cell_length), style))


def _face(one: ResidentSummary, inner: int, rows: int) -> list[Content]:
    """A faceup card: number, when it acts, name; and what it does if there is room."""
    plain, bold = "$paper-ink on $paper", "bold $paper-ink on $paper"
    figure = number_badge(one, inner > 4) if inner > 2 else str(one.number)
    number = Content.styled(figure, f"bold ${one.box} on $paper")
    if rows < 3:
        rest = f" {one.name}" if inner >= NAME_COLUMNS else ""
        return [_padded(Content.assemble(number, (rest, plain)), inner, plain)]
    when = TIMING_SIGNS[one.timing].rjust(inner - number.cell_length)
    head = Content.assemble(number, (when, "$paper-ink2 on $paper")).truncate(inner)
    names = _names(one, inner)
    words = wrap(one.effect, inner) if rows > 4 and inner >= NAME_COLUMNS else []
    lines = [_line(name, inner, bold) for name in names] + [_line(word, inner, plain) for word in words]
    lines = [head, *lines][:rows]
    return lines + [_line("", inner, plain)] * (rows - len(lines))


def _back(card: SceneCard, inner: int, rows: int) -> list[Content]:
    """A facedown card; what the reader knows of it stands on a slip of paper."""
    tiles = "$tile on $back"
    lines = [_line(TILE * inner, inner, tiles)] * rows
    if card.resident is not None:
        slips = _known_slip(card.resident, inner, rows)
        lines[: len(slips)] = slips
        return lines
    moon = f" {MOON} " if inner > 4 else MOON
    left = TILE * ((inner - len(moon)) // 2)
    rest = TILE * (inner - len(moon) - len(left))
    lines[rows // 2] = Content.assemble((left, tiles), (moon, "bold $moon on $back"), (rest, tiles))
    return lines


def _known_slip(one: ResidentSummary, inner: int, rows: int) -> list[Content]:
    """What the reader knows of a facedown card: its number, and its name if there is room."""
    slip, number = "$paper-ink on $paper", number_badge(one, True)
    room = inner - len(number)
    long = next((f"{number}{words:>{room}}" for words in ("you know", "known") if len(words) < room), "")
    short = next(
        (words for words in (f"{MOON}{number_badge(one)}", f"{MOON}{one.number}") if len(words) <= inner),
        str(one.number),
    )
    head = _line(long or short, inner, f"bold ${one.box} on $paper")
    names = _names(one, inner) if rows > 2 else []
    return [head, *[_line(name, inner, f"bold {slip}") for name in names]][:rows]


def _names(one: ResidentSummary, inner: int) -> list[str]:
    """A name in as many lines as it needs; none where it would be cut to pieces."""
    return wrap(one.name, inner, break_long_words=False) if inner >= NAME_COLUMNS - 2 else []


class CardWidget(FocusFrame, can_focus=True):
    """A card on the table, with a line below that says its spot, its key, or what pile it is."""

    DEFAULT_CSS = """
    CardWidget { width: 7; height: 4; color: $ink2; }
    """
    BINDINGS = [("enter,space", "press", "Choose")]

    class Pressed(Message):
        """Somebody clicks a card, or chooses it by a key."""

        def __init__(self, card: "CardWidget") -> None:
            super().__init__()
            self.card = card

    def __init__(self, place: str) -> None:
        super().__init__(id=f"card-{place}")
        self.place = place
        self.card: SceneCard | None = None
        self.mark = ""
        self.key = ""
        self.picked = False

    @property
    def legal(self) -> bool:
        """Whether a click does something."""
        return self.card is not None and bool(self.card.click_move or self.card.selectable or self.card.ability_move)

    def show(self, card: SceneCard | None, mark: str, key: str, picked: bool) -> None:
        """Show another card, or the same one otherwise."""
        new = (card, mark, key, picked)
        if new != (self.card, self.mark, self.key, self.picked):
            self.card, self.mark, self.key, self.picked = new
            self.refresh()

    def render(self) -> Content:
        """The card, and the line below it."""
        width, height = self.size
        look = CardStyle(width, height - 1, self.legal, self.picked, self.has_focus)
        below = self.mark if not self.legal else f"[{self.key}]" if self.key else f"<{self.mark}>"
        style = "bold $lamp-line" if self.legal else "$ink2"
        return Content("\n").join([render_card(self.card, look), Content.styled(below.center(width), style)])

    def on_click(self) -> None:
        """A click is a choice."""
        self.action_press()

    def action_press(self) -> None:
        """Choose the card."""
        self.post_message(self.Pressed(self))
