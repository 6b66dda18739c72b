"""Write `_layout.h`, the numbers of the layouts of observations for the C writer: `python -m ... FILE`.

`setup.py` runs this module, in an environment that may have no other packages.
"""

import sys
from binascii import crc32
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path

from argentum.observations import float_layout, history, layout
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE, CARDLESS_ACTIONS
from argentum.rules import notation
from argentum.rules.events import EVENT_KINDS
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, copies_of

MOVE_BASES = ("PICK_VILLAGE", "TAKE_FROM_PILE", "PICK_CARD", "PEEK", "EXCHANGE", "GIVE", "MOVE_LIMIT")
LOCATIONS = ("VILLAGE", "PRIVATE", "DISCARD", "DECK", "HAND", "SHOWN", "COUNT")


def constants() -> dict[str, int]:
    """Return the integer macros of the header by name."""
    return {
        "MAX_PLAYERS": MAX_PLAYERS,
        "CARDS_IN_DECK": CARDS_IN_DECK,
        "RESIDENTS_PER_BOX": RESIDENTS_PER_BOX,
        "MAX_PICKS": layout.MAX_PICKS,
        "KIND_COUNT": len(layout.MOVE_KINDS),
        "PLAIN_KINDS": layout.PLAIN_KIND_COUNT,
        "CARD_KIND_COUNT": layout.CARD_KIND_COUNT,
        "ACTION_COUNT": ACTION_COUNT,
        "CARDLESS_ACTIONS": CARDLESS_ACTIONS,
        **{name: getattr(notation, name) for name in MOVE_BASES},
        **{f"LOCATION_{name}": getattr(layout, f"LOCATION_{name}") for name in LOCATIONS},
        "OBSERVATION_SIZE": layout.OBSERVATION_SIZE,
        "HIDDEN_STATE_SIZE": layout.HIDDEN_STATE_SIZE,
        "TOKEN_SIZE": layout.TOKEN_SIZE,
        **{f"COLUMN_{name.replace(' ', '_')}": index for name, index in layout.COLUMN_INDEX.items()},
        "MARK_COUNT": len(layout.MARK_COLUMNS),
        **{f"MARK_{name}": 1 << index for index, name in enumerate(layout.MARK_COLUMNS)},
        **{f"OFFSET_{part.name}": part.offset for part in layout.LAYOUT_PARTS},
        "EVENT_TOKEN_SIZE": history.EVENT_TOKEN_SIZE,
        **{f"EVENT_{name.replace(' ', '_')}": index for index, name in enumerate(history.EVENT_COLUMNS)},
        "EVENT_KIND_COUNT": len(EVENT_KINDS),
        **{name: getattr(history, name) for name in ("EXTRA_NONE", "EXTRA_SPOT", "EXTRA_VILLAGE", "EXTRA_VALUE")},
        "EXTRA_MIN": history.EXTRA_RANGE[0],
        "EXTRA_MAX": history.EXTRA_RANGE[1],
        **{name: getattr(float_layout, name) for name in ("ONE_HOT", "RATIO", "NUMBER")},
        "SLOT_COUNT": float_layout.SLOT_COUNT,
        "TABLE_FLOATS": float_layout.TABLE_FLOATS,
        "BLOCK_FLOATS": float_layout.BLOCK_SIZE,
        "EVENT_FLOATS": float_layout.EVENT_FLOATS,
        "FIELD_COUNT": len(layout.TABLE_FIELDS),
        **{f"FIELD_{name}": index for index, name in enumerate(layout.TABLE_FIELDS)},
    }


def initializer(values: Iterable[object]) -> str:
    """Return a C array initializer: `{1, 2}`."""
    return "{" + ", ".join([str(value) for value in values]) + "}"


def string_initializer(values: Iterable[str]) -> str:
    """Return a C initializer for an array of strings: `{"a", "b"}`."""
    return initializer([f'"{value}"' for value in values])


def feature_initializer(values: list[float_layout.Feature]) -> str:
    """Return a C initializer for an array of `Feature` structs."""
    return initializer(map(initializer, values))


def arrays() -> dict[str, str]:
    """Map the declaration of each array of the header to its initializer."""
    actions = [
        ACTION_OF_MOVE[players][seat] if players >= MIN_PLAYERS and seat < players else [-1]
        for players in range(MAX_PLAYERS + 1)
        for seat in range(MAX_PLAYERS)
    ]
    meanings = history.extra_meanings()
    width = len(meanings[0])
    return {
        "uint8_t COPIES_BY_NUMBER[RESIDENTS_PER_BOX]": initializer(map(copies_of, range(RESIDENTS_PER_BOX))),
        "uint8_t KIND_OF_MOVE[MOVE_LIMIT]": initializer(layout.KIND_OF_MOVE),
        "int16_t BASE_OF_KIND[KIND_COUNT]": initializer(layout.BASE_OF_KIND),
        "int16_t ACTION_OF_MOVE[MAX_PLAYERS + 1][MAX_PLAYERS][MOVE_LIMIT]": initializer(
            initializer(initializer(moves) for moves in actions[first : first + MAX_PLAYERS])
            for first in range(0, len(actions), MAX_PLAYERS)
        ),
        "char *const FIELD_NAMES[FIELD_COUNT]": string_initializer(layout.TABLE_FIELDS),
        "char *const STEP_NAMES[]": string_initializer(layout.STEP_NUMBERS),
        "uint8_t STEP_NUMBERS[]": initializer(layout.STEP_NUMBERS.values()),
        "char *const ASKER_NAMES[]": string_initializer(layout.ASKER_BYTES),
        "uint8_t ASKER_BYTES[][2]": initializer(map(initializer, layout.ASKER_BYTES.values())),
        f"uint8_t EXTRA_MEANINGS[EVENT_KIND_COUNT][{width}][2]": initializer(
            initializer(map(initializer, kind_meanings)) for kind_meanings in meanings
        ),
        "uint8_t CARD_SLOTS[LOCATION_COUNT][CARDS_IN_DECK + 1]": initializer(map(initializer, float_layout.CARD_SLOTS)),
        "Feature TABLE_FEATURES[]": feature_initializer(float_layout.TABLE_FEATURES),
        "Feature CARD_FEATURES[]": feature_initializer(float_layout.CARD_FEATURES),
        "Feature EVENT_FEATURES[]": feature_initializer(float_layout.EVENT_FEATURES),
    }


@cache
def header_body() -> str:
    """Return the contents of `_layout.h` without the digest."""
    return "\n".join(
        chain(
            [f"#define {name} ({value})" for name, value in constants().items()],
            [f"typedef struct {{ int {', '.join(float_layout.Feature._fields)}; }} Feature;"],
            [f"static const {declaration} = {value};" for declaration, value in arrays().items()],
        )
    )


def layout_digest() -> int:
    """Return a checksum of the layout. The C writer contains the checksum of the layout for which it was built."""
    return crc32(header_body().encode())


def c_header() -> str:
    """Return the contents of `_layout.h`."""
    comment = "/* Generated by argentum.observations.c_header. Do not edit. */"
    return f"{comment}\n\n#define LAYOUT_DIGEST {layout_digest()}u\n{header_body()}\n"


def write_c_header(file: Path) -> None:
    """Write the header, unless the file is the same: a newer one would make every build compile the encoder again."""
    text = c_header()
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_c_header(Path(sys.argv[1]))
