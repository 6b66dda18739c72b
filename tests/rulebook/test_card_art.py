"""Every resident and token has a picture."""

import pytest

from argentum import residents
from argentum.rulebook.card_art import card, gallery
from argentum.rules.boxes import BOX_BY_LETTER


def test_every_resident_and_token_has_an_icon_and_a_line_of_its_own() -> None:
    labels = [resident.label for resident in residents()] + [f"{letter.upper()}14" for letter in BOX_BY_LETTER]
    assert sorted(gallery()) == sorted(labels)
    assert len({art.icon for art in gallery().values()}) == len(labels)
    assert all(0 < len(art.line) <= 36 and not art.line.endswith(".") for art in gallery().values())
    assert all(set(art.icon) <= set("abcdefghijklmnopqrstuvwxyz-") for art in gallery().values())


def test_one_that_is_not_there_is_named() -> None:
    assert card("B0").icon == "crossbow"
    with pytest.raises(ValueError, match="no picture 'Z3'"):
        card("Z3")
