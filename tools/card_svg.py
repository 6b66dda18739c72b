"""Draw cards and tokens as standalone SVG images for the documentation, in the style of the table page."""

from typing import Final
from xml.sax.saxutils import escape

from argentum.rulebook.card_art import box_style, card_art, icon_body
from argentum.rules.residents import Box, Resident

PAPER: Final = "#fdfcf9"
INK: Final = "#141a38"
LIGHT: Final = "#f3f5fa"
BORDER: Final = "#ccd2e0"
FONT_ATTRIBUTES: Final = 'font-family="Grenze, Georgia, serif" font-weight="700" text-anchor="middle"'
MAX_NAME_WIDTH: Final = 80
WINDOW_PATH: Final = "M7 101V47C7 25 24 8 46 8h8c22 0 39 17 39 39v54z"
ROOFS_PATH: Final = "M7 101V88l7-4 5 4v-3l3-8 3 8v3l8 2 9-6 7 5h5l7-5 9 7 6-4 8-7 9 7v14z"


def resident_svg(resident: Resident) -> str:
    """Return an SVG image of a resident's card.

    >>> from argentum.rules.boxes import residents
    >>> print(resident_svg(residents()[0]).splitlines()[1])
    <title>0 Villager</title>
    """
    style = box_style(resident.box)
    name, number = escape(resident.name), resident.number
    fit = f' textLength="{MAX_NAME_WIDTH}" lengthAdjust="spacingAndGlyphs"' if len(resident.name) > 11 else ""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 150" width="112" height="150">',
            f"<title>{number} {name}</title>",
            f'<rect width="100" height="140" rx="6.5" fill="{PAPER}" stroke="{BORDER}"/>',
            f'<rect x="3" y="3" width="94" height="134" rx="4.5" fill="none" stroke="{BORDER}"/>',
            f'<path d="{WINDOW_PATH}" fill="{style.window}"/><circle cx="50" cy="56" r="35" fill="{style.disc}"/>',
            _icon_svg(resident.label, 50, 56, 60, LIGHT),
            f'<path d="{ROOFS_PATH}" fill="{style.roofs}"/>',
            f'<text x="50" y="124" {FONT_ATTRIBUTES} font-size="15"{fit} fill="{INK}">{name}</text>',
            f'<g transform="translate(-5 -5)" fill="{style.badge}" stroke="{PAPER}" stroke-width="2">{style.badge_svg}',
            f'<text x="20" y="{style.badge_baseline}" {FONT_ATTRIBUTES} font-size="{21 if number < 10 else 18}"'
            f' fill="{style.number}" stroke="none">{number}</text></g>',
            "</svg>\n",
        ]
    )


def token_svg(box: Box) -> str:
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 112 112" width="112" height="112">',
            f"<title>{escape(box.token_name)}</title>",
            f'<circle cx="56" cy="56" r="52" fill="{PAPER}" stroke="{box_style(box.name).badge}" stroke-width="5"/>',
            _icon_svg(box.token_label, 56, 56, 68, INK),
            "</svg>\n",
        ]
    )


def _icon_svg(label: str, x: int, y: int, size: int, colour: str) -> str:
    """Return an SVG element with the icon of a resident or token, centred on a point."""
    body = icon_body(card_art(label).icon)
    box = f'x="{x - size // 2}" y="{y - size // 2}" width="{size}" height="{size}"'
    return f'<svg {box} viewBox="0 0 512 512" color="{colour}">{body}</svg>'
