"""What each resident and token has to say of its own: an entry each, a table a box."""

from argentum.words.residents import amulet, bullet, coin, dagger
from argentum.words.residents.texts import GENERAL, Voice

VOICES: dict[str, Voice] = {**amulet.VOICES, **bullet.VOICES, **coin.VOICES, **dagger.VOICES}


def voice_of(label: str) -> Voice:
    """The entry of a resident or token; an empty one where there is none, or for a rule."""
    return VOICES.get(label, GENERAL)
