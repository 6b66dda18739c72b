"""What each resident and token has to say of its own: an entry each, a table a box."""

from argentum.words.residents import amulet, bullet, coin, dagger
from argentum.words.residents.texts import NO_TEXTS, ResidentTexts

RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    **amulet.RESIDENT_TEXTS,
    **bullet.RESIDENT_TEXTS,
    **coin.RESIDENT_TEXTS,
    **dagger.RESIDENT_TEXTS,
}


def texts_of(label: str) -> ResidentTexts:
    """The entry of a resident or token; an empty one where there is none, or for a rule."""
    return RESIDENT_TEXTS.get(label, NO_TEXTS)
