"""The layout of observations and actions as tables, for the page about the environments."""

from typing import Final

from argentum.envs.actions import PLAIN, TEXTS
from argentum.envs.observation import (
    BLOCK,
    IN_DECK,
    IN_HAND,
    IN_PILE,
    IN_PRIVATE,
    IN_VILLAGE,
    KNOWN_BY,
    MARK,
    MARKS,
    NUMBER,
    PARTS,
    RESIDENT,
)
from argentum.rules.game import MOST

# Actions that stand in a row after those that name nothing: the first, the last, and what they are.
_ACTIONS: Final = (
    ("take 1", "take 3", "the card that a Nosferatu takes (C10)"),
    ("use 0", "use 13", "the card that a Nosferatu (1 to 3) or Mortician (a number) uses (C10, B4)"),
    ("village own", "village third", "a village"),
    ("peek own 1", "peek own 52", "the first card of the first look (G4)"),
    ("exchange own 1", "exchange own 52", "the first card of an exchange (G10)"),
    ("and own 1", "and own 52", "one card more, of a look or an exchange"),
    ("at own 1", "at own 52", "the spot for the card in hand"),
    ("ability own 1", "ability own 52", "use a faceup card (G6)"),
    ("rotate own 1", "rotate own 52", "turn a card sideways, or back (C2)"),
    ("discard own 1", "discard own 52", "discard a sideways card (C2)"),
    ("remove own 1", "remove own 52", "remove a card at the end of the round (B0)"),
    ("card own 1", "card third 52", "a card, for an ability or the token: by village, then by spot"),
    (
        "give own 1 first",
        "give own 52 third",
        "give a card away at the end of the round (C0): by receiver, then by spot",
    ),
)


def observation_table() -> str:
    """The parts of an observation."""
    rows = [
        f"| `{part.name}` | {part.offset} | {' x '.join([str(length) for length in part.shape])} | {part.meaning} |"
        for part in PARTS
    ]
    return "\n".join(["| part | from | shape | what |", "| --- | --- | --- | --- |", *rows])


def block_table() -> str:
    """The fields of a block."""
    rows = [
        "| 0 | 1 if there is a card |",
        "| 1 | 1 if the seat knows it |",
        f"| {NUMBER} | its number, if known |",
        f"| {RESIDENT} to {MARK - 1} | one-hot: its resident, if known, as in `residents` |",
        f"| {MARK} to {KNOWN_BY - 1} | marks: {', '.join(MARKS)} |",
        f"| {KNOWN_BY} to {KNOWN_BY + MOST - 1} | 1 for each seat that has seen its face |",
    ]
    assert BLOCK == KNOWN_BY + MOST
    return "\n".join(["| field of a block | what |", "| --- | --- |", *rows])


def place_table() -> str:
    """Where a card may be, by number."""
    rows = [
        f"| {IN_VILLAGE} to {IN_VILLAGE + MOST - 1} | a village, from one's own | from the owner's left |",
        f"| {IN_PRIVATE} to {IN_PRIVATE + MOST - 1} | a private deck, from one's own | from the top |",
        f"| {IN_PILE} | the discard pile | from the top |",
        f"| {IN_DECK} | the deck | from the top |",
        f"| {IN_HAND} | in hand | 1 |",
    ]
    return "\n".join(["| where | what | place |", "| --- | --- | --- |", *rows])


def action_table() -> str:
    """The actions."""
    plain = ", ".join([f"`{text}`" for text in TEXTS[:PLAIN]])
    rows = [
        f"| {TEXTS.index(first)} to {TEXTS.index(last)} | `{first}` to `{last}` | {what} |"
        for first, last, what in _ACTIONS
    ]
    head = ["| actions | text | what |", "| --- | --- | --- |", f"| 0 to {PLAIN - 1} | {plain} | what names nothing |"]
    return "\n".join([*head, *rows])
