"""Render a view as text or as an image."""

import sys
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from argentum.rulebook.card_art import box_style
from argentum.rules.residents import Resident
from argentum.rules.views import Card, View

MODE_ANSI: Final = "ansi"
MODE_HUMAN: Final = "human"
MODE_RGB_ARRAY: Final = "rgb_array"

# Layout of the image in pixels. Each village has a row, and the piles share one.
IMAGE_WIDTH: Final = 960
ROW_HEIGHT: Final = 132
CARD_SIZE: Final = (76, 108)
CARDS_LEFT: Final = 180  # x of the first card, right of the names
CARD_GAP: Final = 8
# The card in hand is right of the deck and the cards shown beside it, which are four at most.
HAND_X: Final = CARDS_LEFT + 5 * (CARD_SIZE[0] + CARD_GAP) + CARD_GAP
BADGE_SCALE: Final = 1.25  # pixels per unit; the shape of a badge is defined on a square of 40 units
DISCARD_X: Final = IMAGE_WIDTH - 2 * (CARD_SIZE[0] + CARD_GAP)

FELT: Final = "#141a38"
OWN_FELT: Final = "#1d2650"
INK: Final = "#141a38"
LIGHT: Final = "#f3f5fa"
FAINT: Final = "#8f9ac4"
PAPER: Final = "#fdfcf9"
BACK: Final = "#2b3773"
SILVER: Final = "#c9ced9"


def check_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Return `mode`; raise ValueError if it is neither None nor one of `modes`."""
    if mode is not None and mode not in modes:
        raise ValueError(f"{mode!r} is not a render mode: choose one of {', '.join(modes)}")
    return mode


def render(view: View, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Render a view: `ansi` returns text, `rgb_array` an array (height, width, 3), and `human` prints the text."""
    if mode == MODE_ANSI:
        return render_text(view)
    if mode == MODE_RGB_ARRAY:
        return np.asarray(render_image(view), np.uint8)
    if mode == MODE_HUMAN:
        sys.stdout.write(render_text(view) + "\n\n")
    return None


# Text.


def render_text(view: View) -> str:
    """Return a view as text, with a line for each village and one for the piles.

    >>> from argentum import Game
    >>> game = Game.new("dagger", players=2, seed=1)
    >>> _ = game.play("peek A1 A4")
    >>> print(render_text(game.view("A")))
    Round 1, clockwise, silver dagger idle at B
      A     0  (6) (?) (?) (12) (?)   <- sees this
      B     0  (?) (?) (?) (?) (?)    <- to move
      deck 31   discard [9]
    """
    called = f", {view.caller} has called" if view.caller else ""
    token = f"silver {view.token} {view.token_state} at {view.token_seat}"
    lines = [f"Round {view.round}, {view.direction}, {token}{called}"]
    rows = [" ".join([card_symbol(card) for card in village]) or "(empty)" for village in view.villages.values()]
    width = max([len(row) for row in rows])
    for letter, row in zip(view.villages, rows, strict=True):
        notes = ["sees this"] * (letter == view.seat) + ["to move"] * (letter == view.to_move)
        if view.private[letter]:
            notes.append("private deck " + " ".join([card_symbol(card) for card in view.private[letter]]))
        note = f"   <- {', '.join(notes)}" if notes else ""
        lines.append(f"  {letter} {view.totals[letter]:5d}  {row:{width}}{note}".rstrip())
    discard_top = " on ".join([card_symbol(card) for card in view.discard[:2]]) or "(empty)"
    deck = f" {card_symbol(view.deck[0])}" if view.deck_up and view.deck else ""
    hand = f"   {view.holder} has in hand {card_symbol(view.hand)}" if view.hand else ""
    shown = f" shown {' '.join([card_symbol(card) for card in view.shown])}" if view.shown else ""
    lines.append(f"  deck {len(view.deck)}{deck}{shown}   discard {discard_top}{hand}")
    return "\n".join(lines)


def card_symbol(card: Card) -> str:
    """Format a card: [7] faceup, (7) facedown but known, (?) unknown; ~ sideways, * under the token."""
    number = "?" if card.number is None else str(card.number)
    return (f"[{number}]" if card.up else f"({number})") + "~" * card.sideways + "*" * card.covered


# Image.


def render_image(view: View) -> Image.Image:
    """Return an image of the other villages, the piles, and at the bottom the village of the viewing seat."""
    letters = list(view.villages)
    own = letters.index(view.seat or "A")
    others = [*letters[own + 1 :], *letters[:own]]
    image = Image.new("RGB", (IMAGE_WIDTH, ROW_HEIGHT * (len(letters) + 1)), FELT)
    draw = ImageDraw.Draw(image)
    for index, letter in enumerate(others):
        draw_village(image, draw, view, letter, index * ROW_HEIGHT)
    draw_piles(image, draw, view, len(others) * ROW_HEIGHT)
    below = (len(others) + 1) * ROW_HEIGHT
    draw.rectangle((0, below, IMAGE_WIDTH, below + ROW_HEIGHT), OWN_FELT)
    draw_village(image, draw, view, letters[own], below)
    return image


def draw_village(image: Image.Image, draw: ImageDraw.ImageDraw, view: View, letter: str, top: int) -> None:
    """Draw a row with the name, points and state of a seat, and its village. `top` is the row's y coordinate."""
    notes = [f"{view.totals[letter]} points"]
    notes += ["to move"] * (letter == view.to_move) + ["has called"] * (letter == view.caller)
    if letter == view.token_seat:
        notes.append(f"silver {view.token}, {view.token_state}")
    if view.private[letter]:
        notes.append(f"private deck of {len(view.private[letter])}")
    name = view.names[ord(letter) - ord("A")]
    draw_label(draw, (16, top + 14), name if name == letter else f"{letter} {name}"[:14], 22, LIGHT)
    for index, line in enumerate(notes):
        draw_label(draw, (16, top + 46 + 18 * index), line, 14, LIGHT if line == "to move" else FAINT)
    draw_cards(image, view, view.villages[letter], CARDS_LEFT, top)


def draw_piles(image: Image.Image, draw: ImageDraw.ImageDraw, view: View, top: int) -> None:
    """Draw a row with the deck, the cards shown beside it, the card in hand and the top two discarded cards."""
    draw_label(draw, (16, top + 14), f"Round {view.round}", 22, LIGHT)
    draw_label(draw, (16, top + 46), view.direction, 14, FAINT)
    draw_label(draw, (16, top + 64), f"deck of {len(view.deck)}, {len(view.discard)} discarded", 14, FAINT)
    draw_cards(image, view, (*view.deck[:1], *view.shown), CARDS_LEFT, top)
    if view.hand is not None:
        draw_cards(image, view, (view.hand,), HAND_X, top)
        draw_label(draw, (HAND_X + CARD_SIZE[0] + CARD_GAP, top + 46), f"in {view.holder}'s hand", 14, LIGHT)
    draw_cards(image, view, view.discard[:2], DISCARD_X, top)


def draw_cards(image: Image.Image, view: View, cards: Sequence[Card], left: int, top: int) -> None:
    """Draw cards in a row, overlapping if they do not fit."""
    width = IMAGE_WIDTH - left - CARD_SIZE[0] - CARD_GAP
    step = min(CARD_SIZE[0] + CARD_GAP, width // max(len(cards) - 1, 1))
    for index, card in enumerate(cards):
        resident = None if card.number is None else view.residents[card.number]
        picture = card_image(card, resident)
        image.paste(picture, (left + index * step, top + (ROW_HEIGHT - CARD_SIZE[1]) // 2), picture)


@cache
def card_image(card: Card, resident: Resident | None) -> Image.Image:
    """Return the image of a card. A facedown card is dark; if the viewer knows it, its resident is shown."""
    width, height = CARD_SIZE
    image = Image.new("RGBA", CARD_SIZE, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), 9, PAPER if card.up else BACK, SILVER)
    ink = INK if card.up else LIGHT
    if resident is None:
        draw_label(draw, (width // 2, height // 2), "?", 34, FAINT, "mm")
    else:
        draw_badge(draw, resident)
        for index, word in enumerate(resident.name.split()):
            draw_label(draw, (width // 2, 60 + 13 * index), word, 11, ink, "mm")
    if card.covered:
        draw.ellipse((width - 30, 4, width - 4, 30), SILVER, INK)
    marks = ["sideways"] * card.sideways + ["over 4"] * card.passed
    if not card.up and card.known_by:
        marks.append(f"seen by {card.known_by}")
    for index, mark in enumerate(marks):
        draw_label(draw, (width // 2, height - 9 - 11 * index), mark, 10, ink if card.up else FAINT, "mm")
    return image


def draw_badge(draw: ImageDraw.ImageDraw, resident: Resident) -> None:
    """Draw a resident's number on the badge of its box."""
    style = box_style(resident.box)
    x, y = CARD_SIZE[0] // 2, 30
    if style.badge_points:
        draw.polygon(
            [(x + BADGE_SCALE * (px - 20), y + BADGE_SCALE * (py - 20)) for px, py in style.badge_points], style.badge
        )
    else:
        radius = BADGE_SCALE * 16
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), style.badge)
    # 27.5 is the baseline of a number in the middle. Some shapes, such as triangles, need it lower.
    baseline_shift = BADGE_SCALE * (style.badge_baseline - 27.5)
    draw_label(draw, (x, y + round(baseline_shift)), str(resident.number), 20, style.number, "mm")


def draw_label(
    draw: ImageDraw.ImageDraw, position: tuple[int, int], text: str, size: int, ink: str, anchor: str | None = None
) -> None:
    draw.text(position, text, ink, load_font(size), anchor)


@cache
def load_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
