"""Write the layout of observations and actions as Markdown tables, for docs/research.md."""

from typing import Final

from argentum.observations import history
from argentum.observations.actions import ACTION_TEXTS, PLAIN_ACTIONS
from argentum.observations.float_layout import BLOCK_SIZE, CARD_FEATURES, ONE_HOT, block_index
from argentum.observations.layout import (
    COLUMN_MEANINGS,
    LAYOUT_PARTS,
    LOCATION_DECK,
    LOCATION_DISCARD,
    LOCATION_HAND,
    LOCATION_PRIVATE,
    LOCATION_SHOWN,
    LOCATION_VILLAGE,
    MARK_COLUMNS,
    MOVE_KINDS,
    TOKEN_COLUMNS,
)
from argentum.rules.asking import STEPS
from argentum.rules.events import EVENT_KINDS
from argentum.rules.game import MAX_PLAYERS

# Ranges of actions after the plain ones: first, last, and meaning.
_ACTION_ROWS: Final = (
    ("draw 1", "draw 4", "draw a card that is shown beside the deck (A1)"),
    ("keep 1", "keep 5", "keep the card at this depth of the deck (A4)"),
    ("take 1", "take 50", "take a card of the discard pile, counted from the top (C10, A10)"),
    ("use 0", "use 13", "use a card of the discard pile (1 to 3), or a number that was discarded (C10, B4)"),
    ("village own", "village third", "choose a village"),
    ("peek own 1", "peek own 52", "choose the first card of the first look (G4)"),
    ("exchange own 1", "exchange own 52", "choose the first card of an exchange (G10)"),
    ("and own 1", "and own 52", "choose a further card of a look or an exchange"),
    ("at own 1", "at own 52", "choose the spot for the card in hand"),
    ("ability own 1", "ability own 52", "use the ability of a faceup card (G6)"),
    ("rotate own 1", "rotate own 52", "turn a card sideways or upright (C2)"),
    ("discard own 1", "discard own 52", "discard a sideways card (C2)"),
    ("remove own 1", "remove own 52", "remove a card at the end of the round (B0)"),
    ("card own 1", "card third 52", "choose a card for an ability or the token: by village, then by spot"),
    (
        "give own 1 first",
        "give own 52 third",
        "give a card away at the end of the round (C0): by receiver, then by spot",
    ),
)
_HISTORY_MEANINGS: Final = {
    "kind": "the event, from 1, as in `argentum.rules.events.EVENT_KINDS`;"
    f" {history.OWN_ACTION_KIND}: the seat's own action",
    "seat": "the seat that acts",
    "village": "the spot of the card: its village",
    "place": "the spot of the card: its place in the village",
    "number": "the card's number plus 1; 0 if the seat did not see it",
    "to village": "the village of the second spot, or the village that the event is about",
    "to place": "the place of the second spot",
    "word": f"one of {', '.join(history.DETAIL_WORDS)}, from 1",
    "value": "a depth, a round, points, or an action: its absolute value modulo 256",
    "value times 256": "the absolute value divided by 256",
    "below 0": "1 if the value is below 0",
}


def _markdown_table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [head, tuple(["---"] * len(head)), *rows]
    return "\n".join(["| " + " | ".join([str(cell) for cell in line]) + " |" for line in lines])


def observation_table() -> str:
    rows: list[tuple[object, ...]] = [
        (f"`{part.name}`", part.offset, " x ".join([str(length) for length in part.shape]), part.meaning)
        for part in LAYOUT_PARTS
    ]
    return _markdown_table(("part", "offset", "shape", "meaning"), rows)


def column_table() -> str:
    rows: list[tuple[object, ...]] = [
        (index, f"`{name}`", meaning) for index, (name, meaning) in enumerate(COLUMN_MEANINGS.items())
    ]
    return _markdown_table(("column", "name", "meaning"), rows)


def location_table() -> str:
    return _markdown_table(
        ("`where`", "location", "`place`"),
        [
            (
                f"{LOCATION_VILLAGE} to {LOCATION_VILLAGE + MAX_PLAYERS - 1}",
                "a village, clockwise from the observing seat's",
                "from the owner's left",
            ),
            (
                f"{LOCATION_PRIVATE} to {LOCATION_PRIVATE + MAX_PLAYERS - 1}",
                "a private deck, clockwise from the observing seat's",
                "from the top",
            ),
            (LOCATION_DISCARD, "the discard pile", "from the top"),
            (LOCATION_DECK, "the deck", "from the top"),
            (LOCATION_HAND, "the hand", "1"),
            (LOCATION_SHOWN, "the cards shown beside the deck (A1)", "the oldest first"),
        ],
    )


def history_table() -> str:
    rows: list[tuple[object, ...]] = [
        (index, f"`{name}`", meaning) for index, (name, meaning) in enumerate(_HISTORY_MEANINGS.items())
    ]
    return _markdown_table(("column", "name", "meaning"), rows)


def index_table() -> str:
    return _markdown_table(
        ("numbers from 1", "stand for"),
        [
            ("`step`", ", ".join(STEPS)),
            ("kinds of moves, in `picked`", ", ".join(MOVE_KINDS)),
            ("kinds of events, in the history", ", ".join(EVENT_KINDS)),
        ],
    )


def block_table() -> str:
    resident, marks, seen = block_index("resident", ONE_HOT), block_index("up"), block_index("seen own")
    others = [feature for feature in CARD_FEATURES if feature.offset >= seen + MAX_PLAYERS]
    names = [
        TOKEN_COLUMNS[feature.column] + (f" / {feature.maximum}" if feature.maximum > 1 else "") for feature in others
    ]
    return _markdown_table(
        ("field of a block", "meaning"),
        [
            ("0", "1 if there is a card"),
            ("1", "1 if the seat knows its face"),
            ("2", "its number / 13, if known"),
            (f"{resident} to {marks - 1}", "one-hot: its resident, if known"),
            (f"{marks} to {seen - 1}", ", ".join(MARK_COLUMNS)),
            (f"{seen} to {seen + MAX_PLAYERS - 1}", "1 for each seat that has seen its face"),
            (f"{seen + MAX_PLAYERS} to {BLOCK_SIZE - 1}", ", ".join(names)),
        ],
    )


def action_table() -> str:
    plain = ", ".join([f"`{text}`" for text in ACTION_TEXTS[:PLAIN_ACTIONS]])
    rows: list[tuple[object, ...]] = [(f"0 to {PLAIN_ACTIONS - 1}", plain, "moves without an argument")]
    rows += [
        (f"{ACTION_TEXTS.index(first)} to {ACTION_TEXTS.index(last)}", f"`{first}` to `{last}`", meaning)
        for first, last, meaning in _ACTION_ROWS
    ]
    return _markdown_table(("actions", "text", "meaning"), rows)
