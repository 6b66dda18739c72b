"""Write the layout of observations and actions as Markdown tables, for docs/research.md."""

from typing import Final

from argentum.observations import history
from argentum.observations.actions import ACTION_TEXTS, PLAIN_ACTIONS
from argentum.observations.layout import (
    LAYOUT_PARTS,
    LOCATION_DECK,
    LOCATION_DISCARD,
    LOCATION_HAND,
    LOCATION_PRIVATE,
    LOCATION_SHOWN,
    LOCATION_VILLAGE,
    MOVE_KINDS,
    TOKEN_COLUMNS,
)
from argentum.observations.one_hot import BLOCK_SIZE, FIELD_MARKS, FIELD_RESIDENT, FIELD_SEEN_BY
from argentum.rules.asking import STEPS
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.events import EVENT_KINDS
from argentum.rules.game import MAX_PLAYERS
from argentum.rules.residents import RESIDENTS_PER_BOX

# Ranges of actions after the plain ones: first, last, and meaning.
_ACTION_ROWS: Final = (
    ("draw 1", "draw 4", "draw a card that is shown beside the deck (A1)"),
    ("keep 1", "keep 5", "keep a card from the top of the deck (A4)"),
    ("take 1", "take 50", "take a card of the discard pile (C10, A10)"),
    ("use 0", "use 13", "use a card of the discard pile (1 to 3), or a number that was discarded (C10, B4)"),
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
_RESIDENT_ORDER: Final = ", ".join([f"{BOX_NAMES[0]} 0 to {RESIDENTS_PER_BOX - 1}", *BOX_NAMES[1:]])
_COLUMN_MEANINGS: Final = {
    "where": "where it lies (see below); 0 for no card",
    "place": "its place there, from 1",
    "resident": f"its resident, from 1: {_RESIDENT_ORDER}; 0 if the seat does not know it",
    "number": "its number and 1 more; 0 if the seat does not know it",
    "up": "it lies faceup",
    "sideways": "it lies sideways (C2)",
    "covered": "it lies under the token (B14, A14)",
    "muted": "and so has no ability and counts 0 (B14)",
    "passed": "it was passed over: all know that it is above 4 (D7)",
    "used": "its ability was used this turn (G6)",
    "resting": "its owner may not use it again yet (C1)",
    "named": "it is named for an exchange (G10)",
    "seen own": "the observing seat has seen its face",
    "seen first": "the next seat clockwise has; and so on",
    "picked": "it was picked in answer to what is asked, as which one, from 1",
    "guards": "the place, in the same village, of the card that it guards (A3)",
    "guarded": "it is guarded (A3)",
    "reached": "the number by which `take` and `use` name it now",
    "legal": "a legal move of the observing seat names it",
}
_HISTORY_MEANINGS: Final = {
    "kind": f"the event, from 1, as in `argentum.rules.events.EVENT_KINDS`; {history.OWN_ACTION_KIND} for an own act",
    "seat": "who acts",
    "village": "the spot of the card: whose village",
    "place": "and the place there",
    "number": "its number and 1 more; 0 if the seat was not told",
    "to village": "the other spot, or the village that it is about",
    "to place": "and the place there",
    "word": f"one of {', '.join(history.DETAIL_WORDS)}, from 1",
    "value": "a depth, a round, points, or the action; its size",
    "value times 256": "how many times 256 more",
    "below 0": "1 if it is below 0",
}


def _markdown_table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [head, tuple(["---"] * len(head)), *rows]
    return "\n".join(["| " + " | ".join([str(cell) for cell in line]) + " |" for line in lines])


def observation_table() -> str:
    rows: list[tuple[object, ...]] = [
        (f"`{part.name}`", part.offset, " x ".join([str(length) for length in part.shape]), part.meaning)
        for part in LAYOUT_PARTS
    ]
    return _markdown_table(("part", "from", "shape", "what"), rows)


def column_table() -> str:
    rows: list[tuple[object, ...]] = [
        (TOKEN_COLUMNS.index(name), f"`{name}`", meaning) for name, meaning in _COLUMN_MEANINGS.items()
    ]
    return _markdown_table(("column", "name", "what"), rows)


def place_table() -> str:
    return _markdown_table(
        ("where", "what", "place"),
        [
            (
                f"{LOCATION_VILLAGE} to {LOCATION_VILLAGE + MAX_PLAYERS - 1}",
                "a village, from one's own",
                "from the owner's left",
            ),
            (
                f"{LOCATION_PRIVATE} to {LOCATION_PRIVATE + MAX_PLAYERS - 1}",
                "a private deck, from one's own",
                "from the top",
            ),
            (LOCATION_DISCARD, "the discard pile", "from the top"),
            (LOCATION_DECK, "the deck", "from the top"),
            (LOCATION_HAND, "in hand", "1"),
            (LOCATION_SHOWN, "shown beside the deck (A1)", "in the order they came"),
        ],
    )


def history_table() -> str:
    rows: list[tuple[object, ...]] = [
        (index, f"`{name}`", meaning) for index, (name, meaning) in enumerate(_HISTORY_MEANINGS.items())
    ]
    return _markdown_table(("column", "name", "what"), rows)


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
    assert BLOCK_SIZE == FIELD_SEEN_BY + MAX_PLAYERS + 5
    return _markdown_table(
        ("field of a block", "what"),
        [
            ("0", "1 if there is a card"),
            ("1", "1 if the seat knows it"),
            ("2", "its number / 13, if known"),
            (f"{FIELD_RESIDENT} to {FIELD_MARKS - 1}", "one-hot: its resident, if known"),
            (f"{FIELD_MARKS} to {FIELD_SEEN_BY - 1}", "up, sideways, covered, muted, passed, used, resting, named"),
            (f"{FIELD_SEEN_BY} to {FIELD_SEEN_BY + MAX_PLAYERS - 1}", "1 for each seat that has seen its face"),
            (
                f"{FIELD_SEEN_BY + MAX_PLAYERS} to {BLOCK_SIZE - 1}",
                "picked / 8, guards / 52, guarded, reached / 8, legal",
            ),
        ],
    )


def action_table() -> str:
    plain = ", ".join([f"`{text}`" for text in ACTION_TEXTS[:PLAIN_ACTIONS]])
    rows: list[tuple[object, ...]] = [(f"0 to {PLAIN_ACTIONS - 1}", plain, "what names nothing")]
    rows += [
        (f"{ACTION_TEXTS.index(first)} to {ACTION_TEXTS.index(last)}", f"`{first}` to `{last}`", meaning)
        for first, last, meaning in _ACTION_ROWS
    ]
    return _markdown_table(("actions", "text", "what"), rows)
