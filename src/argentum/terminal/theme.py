"""Colour themes: dark, light, and a theme that uses only the sixteen ANSI colours."""

from dataclasses import replace
from typing import Final

from textual.theme import BUILTIN_THEMES, Theme

from argentum.rulebook.card_art import box_styles

# Colour roles, named as in the style sheets of the web pages, and one role per box. Every theme defines all of them.
BOX_COLOURS: Final = {style.name: style.text_colour for style in box_styles()}
DARK: Final = {
    "sky": "#121833", "ground": "#1d2652", "rail": "#10152e", "line": "#3b477f",
    "ink": "#eef1f8", "ink2": "#b6bfdb", "silver": "#c9d1e4",
    "paper": "#e4e8f1", "paper-ink": "#141a38", "paper-ink2": "#454e78",
    "back": "#2a3670", "tile": "#6b79ae", "moon": "#d5dcec",
    "lamp": "#ffb75e", "lamp-line": "#ffb75e", "lamp-ink": "#2b1700",
    **BOX_COLOURS,
}  # fmt: skip
LIGHT: Final = {
    "sky": "#f3e6de", "ground": "#e8ebf3", "rail": "#f4f5f9", "line": "#b3bcd4",
    "ink": "#171e42", "ink2": "#47507a", "silver": "#4d5885",
    "paper": "#fdfcf9", "paper-ink": "#141a38", "paper-ink2": "#454e78",
    "back": "#44548f", "tile": "#8291c4", "moon": "#eef1f8",
    "lamp": "#f3a63f", "lamp-line": "#964300", "lamp-ink": "#2b1700",
    **BOX_COLOURS,
}  # fmt: skip
ANSI16: Final = {
    "sky": "ansi_default", "ground": "ansi_default", "rail": "ansi_default", "line": "ansi_default",
    "ink": "ansi_default", "ink2": "ansi_default", "silver": "ansi_default",
    "paper": "ansi_white", "paper-ink": "ansi_black", "paper-ink2": "ansi_black",
    "back": "ansi_blue", "tile": "ansi_bright_white", "moon": "ansi_bright_white",
    "lamp": "ansi_yellow", "lamp-line": "ansi_bright_yellow", "lamp-ink": "ansi_black",
    **{style.name: style.ansi_colour for style in box_styles()},
}  # fmt: skip


def _build_theme(name: str, roles: dict[str, str], dark: bool) -> Theme:
    scrollbars = {
        "scrollbar": roles["tile"],
        "scrollbar-hover": roles["silver"],
        "scrollbar-active": roles["silver"],
        "scrollbar-background": roles["rail"],
        "scrollbar-background-hover": roles["rail"],
        "scrollbar-background-active": roles["rail"],
        "scrollbar-corner-color": roles["rail"],
    }
    return Theme(
        name,
        primary=roles["lamp-line"],
        foreground=roles["ink"],
        background=roles["sky"],
        surface=roles["rail"],
        panel=roles["ground"],
        dark=dark,
        variables={**roles, **scrollbars},
    )


ANSI: Final = BUILTIN_THEMES["ansi-dark"]
THEMES: Final = (
    _build_theme("dark", DARK, True),
    _build_theme("light", LIGHT, False),
    replace(ANSI, name="ansi16", variables={**ANSI.variables, **ANSI16}),
)
