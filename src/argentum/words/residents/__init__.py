# mypyc: compile
"""Texts of residents and tokens by label.

Each box names in `Box.texts` the module with its `RESIDENT_TEXTS`, or a function that returns them.
"""

from argentum.rules.boxes import ALL_BOXES
from argentum.rules.boxes.discovery import load_extension
from argentum.words.residents.texts import NO_TEXTS, ResidentTexts

RESIDENT_TEXTS: dict[str, ResidentTexts] = {}
for _box in ALL_BOXES:
    RESIDENT_TEXTS.update(load_extension(_box, _box.texts, "RESIDENT_TEXTS"))


def texts_of(label: str) -> ResidentTexts:
    """Return the texts of a resident or token by label; `NO_TEXTS` for rules and for residents that have none."""
    return RESIDENT_TEXTS.get(label, NO_TEXTS)
