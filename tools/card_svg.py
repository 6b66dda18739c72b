"""The cards and tokens as pictures that stand alone, for the pages of the rules: SVG in the look of the table."""

from typing import Final
from xml.sax.saxutils import escape

from argentum.rulebook.card_art import card_art, icons
from argentum.rules.residents import Box, Resident

# The colours of a box: its badge, the number on it, and the window with its disc and roofs.
COLOURS: Final = {
    "amulet": ("#2b7a50", "#fff", "#184a31", "#226241", "#0d2c1d"),
    "bullet": ("#3c6c9f", "#fff", "#23456d", "#345f8f", "#152c48"),
    "coin": ("#d2b445", "#1f1700", "#5c4a14", "#7a6420", "#3a2f0b"),
    "dagger": ("#b0223f", "#fff", "#561329", "#781c38", "#360a19"),
}
# A box is known by the shape of its badge, not by colour alone; and where the number stands on it.
BADGES: Final = {
    "amulet": ('<path d="M12 5h16l8.5 15L28 35H12L3.5 20z"/>', 27.5),
    "bullet": ('<path d="M20 2.5 38.5 35.5H1.5z"/>', 32.5),
    "coin": ('<circle cx="20" cy="20" r="16"/>', 27.5),
    "dagger": ('<path d="M20 2.5 37.5 20 20 37.5 2.5 20z"/>', 27.5),
}
PAPER: Final = "#fdfcf9"
INK: Final = "#141a38"
LIGHT: Final = "#f3f5fa"
BORDER: Final = "#ccd2e0"
FONT_ATTRIBUTES: Final = 'font-family="Grenze, Georgia, serif" font-weight="700" text-anchor="middle"'
MAX_NAME_WIDTH: Final = 80  # the room for a name
WINDOW_PATH: Final = "M7 101V47C7 25 24 8 46 8h8c22 0 39 17 39 39v54z"
ROOFS_PATH: Final = "M7 101V88l7-4 5 4v-3l3-8 3 8v3l8 2 9-6 7 5h5l7-5 9 7 6-4 8-7 9 7v14z"


def resident_svg(one: Resident) -> str:
    """A resident's card.

    >>> from argentum.rules.boxes import residents
    >>> print(portrait(residents()[0]).splitlines()[1])
    <title>0 Villager</title>
    """
    badge, number, window, disc, roofs = COLOURS[one.box]
    shape, baseline = BADGES[one.box]
    squeezed = f' textLength="{MAX_NAME_WIDTH}" lengthAdjust="spacingAndGlyphs"' if len(one.name) > 11 else ""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 150" width="112" height="150">',
            f"<title>{one.number} {escape(one.name)}</title>",
            f'<rect width="100" height="140" rx="6.5" fill="{PAPER}" stroke="{BORDER}"/>',
            f'<rect x="3" y="3" width="94" height="134" rx="4.5" fill="none" stroke="{BORDER}"/>',
            f'<path d="{WINDOW_PATH}" fill="{window}"/><circle cx="50" cy="56" r="35" fill="{disc}"/>',
            _icon(one.label, 50, 56, 60, LIGHT),
            f'<path d="{ROOFS_PATH}" fill="{roofs}"/>',
            f'<text x="50" y="124" {FONT_ATTRIBUTES} font-size="15"{squeezed} fill="{INK}">{escape(one.name)}</text>',
            f'<g transform="translate(-5 -5)" fill="{badge}" stroke="{PAPER}" stroke-width="2">{shape}',
            f'<text x="20" y="{baseline}" {FONT_ATTRIBUTES} font-size="{21 if one.number < 10 else 18}" fill="{number}"'
            f' stroke="none">{one.number}</text></g>',
            "</svg>\n",
        ]
    )


def token_svg(box: Box) -> str:
    """A box's token."""
    edge = COLOURS[box.name][0]
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 112 112" width="112" height="112">',
            f"<title>{escape(box.token_name)}</title>",
            f'<circle cx="56" cy="56" r="52" fill="{PAPER}" stroke="{edge}" stroke-width="5"/>',
            _icon(token_label(box), 56, 56, 68, INK),
            "</svg>\n",
        ]
    )


def token_label(box: Box) -> str:
    """The ruling that says what a box's token does."""
    return f"{box.name[0].upper()}14"


def _icon(label: str, x: int, y: int, size: int, colour: str) -> str:
    """The icon of a resident or token around a point."""
    body = icons()[card_art(label).icon]["body"]
    place = f'x="{x - size // 2}" y="{y - size // 2}" width="{size}" height="{size}"'
    return f'<svg {place} viewBox="0 0 512 512" color="{colour}">{body}</svg>'
