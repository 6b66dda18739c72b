"""The table as a text and as a picture, both made from a view."""

import sys
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from argentum.rules.residents import Resident
from argentum.rules.views import Card, View

ANSI: Final = "ansi"
HUMAN: Final = "human"
PICTURE: Final = "rgb_array"

# In pixels. A row is a village, or the piles.
WIDTH: Final = 960
ROW: Final = 132
CARD: Final = (76, 108)
LEFT: Final = 180  # of the cards; names stand before it
GAP: Final = 8
IN_HAND: Final = LEFT + 5 * (CARD[0] + GAP) + GAP  # after the deck and the cards beside it, which are four at most
DISCARD: Final = WIDTH - 2 * (CARD[0] + GAP)

FELT: Final = "#141a38"
OWN_FELT: Final = "#1d2650"
INK: Final = "#141a38"
LIGHT: Final = "#f3f5fa"
FAINT: Final = "#8f9ac4"
PAPER: Final = "#fdfcf9"
BACK: Final = "#2b3773"
SILVER: Final = "#c9ced9"
# A box is known by its colour and by the shape of its badge: a hexagon, a triangle, a disc, a diamond.
COLOURS: Final = {
    "amulet": ("#2b7a50", "#ffffff"),
    "bullet": ("#3c6c9f", "#ffffff"),
    "coin": ("#d2b445", "#1f1700"),
    "dagger": ("#b0223f", "#ffffff"),
}


def check_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """The same, if it is a way to show the table, or none."""
    if mode is not None and mode not in modes:
        raise ValueError(f"{mode!r} is not a render mode: choose one of {', '.join(modes)}")
    return mode


def rendered(view: View, mode: str | None) -> str | NDArray[np.uint8] | None:
    """A view in a render mode: its text, its picture as an array of height, width and colours, or written out."""
    if mode == ANSI:
        return text(view)
    if mode == PICTURE:
        return np.asarray(picture(view), np.uint8)
    if mode == HUMAN:
        sys.stdout.write(text(view) + "\n\n")
    return None


# As a text.


def text(view: View) -> str:
    """The table as a seat sees it, or somebody who only watches, in a few lines.

    >>> from argentum import Game
    >>> game = Game.new("dagger", players=2, seed=1)
    >>> _ = game.play("peek A1 A4")
    >>> print(text(game.view("A")))
    Round 1, clockwise, silver dagger idle at B
      A     0  (6) (?) (?) (12) (?)   <- sees this
      B     0  (?) (?) (?) (?) (?)    <- to move
      deck 31   discard [9]
    """
    called = f", {view.caller} has called" if view.caller else ""
    token = f"silver {view.token} {view.token_state} at {view.token_seat}"
    lines = [f"Round {view.round}, {view.direction}, {token}{called}"]
    rows = [" ".join([card_text(card) for card in village]) or "(empty)" for village in view.villages.values()]
    width = max([len(row) for row in rows])
    for letter, row in zip(view.villages, rows, strict=True):
        notes = ["sees this"] * (letter == view.seat) + ["to move"] * (letter == view.to_move)
        if view.private[letter]:
            notes.append("private deck " + " ".join([card_text(card) for card in view.private[letter]]))
        note = f"   <- {', '.join(notes)}" if notes else ""
        lines.append(f"  {letter} {view.totals[letter]:5d}  {row:{width}}{note}".rstrip())
    top = " on ".join([card_text(card) for card in view.discard[:2]]) or "(empty)"
    deck = f" {card_text(view.deck[0])}" if view.deck_up and view.deck else ""
    hand = f"   {view.holder} has in hand {card_text(view.hand)}" if view.hand else ""
    shown = f" shown {' '.join([card_text(card) for card in view.shown])}" if view.shown else ""
    lines.append(f"  deck {len(view.deck)}{deck}{shown}   discard {top}{hand}")
    return "\n".join(lines)


def card_text(card: Card) -> str:
    """A card: [7] faceup, (7) facedown but known, (?) unknown; ~ sideways, * under the token."""
    number = "?" if card.number is None else str(card.number)
    return (f"[{number}]" if card.up else f"({number})") + "~" * card.sideways + "*" * card.covered


# As a picture.


def picture(view: View) -> Image.Image:
    """The table: the other villages from the top, the piles, and below the village of whoever looks."""
    letters = list(view.villages)
    first = letters.index(view.seat or "A")
    order = [*letters[first + 1 :], *letters[:first]]
    image = Image.new("RGB", (WIDTH, ROW * (len(letters) + 1)), FELT)
    draw = ImageDraw.Draw(image)
    for nth, letter in enumerate(order):
        paint_village(image, draw, view, letter, nth * ROW)
    paint_piles(image, draw, view, len(order) * ROW)
    below = (len(order) + 1) * ROW
    draw.rectangle((0, below, WIDTH, below + ROW), OWN_FELT)
    paint_village(image, draw, view, letters[first], below)
    return image


def paint_village(image: Image.Image, draw: ImageDraw.ImageDraw, view: View, letter: str, top: int) -> None:
    """A village in a row, with what is to be said of its seat."""
    says = [f"{view.totals[letter]} points"]
    says += ["to move"] * (letter == view.to_move) + ["has called"] * (letter == view.caller)
    if letter == view.token_seat:
        says.append(f"silver {view.token}, {view.token_state}")
    if view.private[letter]:
        says.append(f"private deck of {len(view.private[letter])}")
    name = view.names[ord(letter) - ord("A")]
    label(draw, (16, top + 14), name if name == letter else f"{letter} {name}"[:14], 22, LIGHT)
    for nth, line in enumerate(says):
        label(draw, (16, top + 46 + 18 * nth), line, 14, LIGHT if line == "to move" else FAINT)
    paint_row(image, view, view.villages[letter], LEFT, top)


def paint_piles(image: Image.Image, draw: ImageDraw.ImageDraw, view: View, top: int) -> None:
    """The deck, the cards shown beside it, the card in hand, and the discard pile from its top."""
    label(draw, (16, top + 14), f"Round {view.round}", 22, LIGHT)
    label(draw, (16, top + 46), view.direction, 14, FAINT)
    label(draw, (16, top + 64), f"deck of {len(view.deck)}, {len(view.discard)} discarded", 14, FAINT)
    paint_row(image, view, (*view.deck[:1], *view.shown), LEFT, top)
    if view.hand is not None:
        paint_row(image, view, (view.hand,), IN_HAND, top)
        label(draw, (IN_HAND + CARD[0] + GAP, top + 46), f"in {view.holder}'s hand", 14, LIGHT)
    paint_row(image, view, view.discard[:2], DISCARD, top)


def paint_row(image: Image.Image, view: View, cards: Sequence[Card], left: int, top: int) -> None:
    """Cards side by side; closer together where there are many."""
    room = WIDTH - left - CARD[0] - GAP
    step = min(CARD[0] + GAP, room // max(len(cards) - 1, 1))
    for nth, card in enumerate(cards):
        resident = None if card.number is None else view.residents[card.number]
        drawn = card_picture(card, resident)
        image.paste(drawn, (left + nth * step, top + (ROW - CARD[1]) // 2), drawn)


@cache
def card_picture(card: Card, resident: Resident | None) -> Image.Image:
    """A card as it is seen: faceup, facedown and known (dark, with its number), or unknown."""
    width, height = CARD
    image = Image.new("RGBA", CARD, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), 9, PAPER if card.up else BACK, SILVER)
    ink = INK if card.up else LIGHT
    if resident is None:
        label(draw, (width // 2, height // 2), "?", 34, FAINT, "mm")
    else:
        badge(draw, resident)
        for nth, word in enumerate(resident.name.split()):
            label(draw, (width // 2, 60 + 13 * nth), word, 11, ink, "mm")
    if card.covered:
        draw.ellipse((width - 30, 4, width - 4, 30), SILVER, INK)
    marks = ["sideways"] * card.sideways + ["over 4"] * card.passed
    if not card.up and card.known_by:
        marks.append(f"seen by {card.known_by}")
    for nth, mark in enumerate(marks):
        label(draw, (width // 2, height - 9 - 11 * nth), mark, 10, ink if card.up else FAINT, "mm")
    return image


def badge(draw: ImageDraw.ImageDraw, resident: Resident) -> None:
    """A resident's number, on the badge of its box."""
    colour, ink = COLOURS[resident.box]
    x, y, size = CARD[0] // 2, 30, 22
    if resident.box == "amulet":
        half = size // 2
        corners = [(x - half, y - size + 2), (x + half, y - size + 2), (x + size, y)]
        draw.polygon([*corners, *[(2 * x - one, 2 * y - other) for one, other in corners]], colour)
    elif resident.box == "bullet":
        draw.polygon([(x, y - size), (x + size, y + size - 4), (x - size, y + size - 4)], colour)
        y += 5
    elif resident.box == "coin":
        draw.ellipse((x - size + 2, y - size + 2, x + size - 2, y + size - 2), colour)
    else:
        draw.polygon([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], colour)
    label(draw, (x, y), str(resident.number), 20, ink, "mm")


def label(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], words: str, size: int, ink: str, anchor: str | None = None
) -> None:
    """A few words."""
    draw.text(at, words, ink, font(size), anchor)


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font."""
    return ImageFont.load_default(size)
