"""Every resident and token has a picture."""

import pytest

from argentum import residents
from argentum.rulebook.card_art import all_card_art, card_art
from argentum.rules.boxes import BOX_BY_LETTER


def test_every_resident_and_token_has_an_icon_and_a_line_of_its_own() -> None:
    labels = [resident.label for resident in residents()] + [f"{letter.upper()}14" for letter in BOX_BY_LETTER]
    assert sorted(all_card_art()) == sorted(labels)
    assert len({art.icon for art in all_card_art().values()}) == len(labels)
    assert all(0 < len(art.line) <= 36 and not art.line.endswith(".") for art in all_card_art().values())
    assert all(set(art.icon) <= set("abcdefghijklmnopqrstuvwxyz-") for art in all_card_art().values())


def test_one_that_is_not_there_is_named() -> None:
    assert card_art("B0").icon == "crossbow"
    with pytest.raises(ValueError, match="no picture 'Z3'"):
        card_art("Z3")
