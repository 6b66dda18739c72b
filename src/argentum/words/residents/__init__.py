# mypyc: compile
"""Texts of residents and tokens, collected by label from one module per box."""

from importlib import import_module

from argentum.rules.boxes import BOX_NAMES
from argentum.words.residents.texts import NO_TEXTS, ResidentTexts

RESIDENT_TEXTS: dict[str, ResidentTexts] = {}
for _name in BOX_NAMES:
    RESIDENT_TEXTS.update(import_module(f"argentum.words.residents.{_name}").RESIDENT_TEXTS)


def texts_of(label: str) -> ResidentTexts:
    """Return the texts of a resident or token by label; `NO_TEXTS` for rules and for residents that have none."""
    return RESIDENT_TEXTS.get(label, NO_TEXTS)
