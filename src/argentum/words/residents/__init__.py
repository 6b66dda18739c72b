"""Registry of the texts of residents and tokens."""

from argentum.words.residents import amulet, bullet, coin, dagger
from argentum.words.residents.texts import NO_TEXTS, ResidentTexts

RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    **amulet.RESIDENT_TEXTS,
    **bullet.RESIDENT_TEXTS,
    **coin.RESIDENT_TEXTS,
    **dagger.RESIDENT_TEXTS,
}


def texts_of(label: str) -> ResidentTexts:
    """Return the texts of a label, `NO_TEXTS` for rules and for residents without texts of their own."""
    return RESIDENT_TEXTS.get(label, NO_TEXTS)
