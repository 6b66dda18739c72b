import pytest

from argentum.rulebook.card_art import BoxStyle, box_styles
from argentum.terminal.theme import ANSI16, DARK, LIGHT


def test_every_theme_defines_the_same_roles() -> None:
    assert DARK.keys() == LIGHT.keys() == ANSI16.keys()


@pytest.mark.parametrize("style", box_styles(), ids=lambda style: style.name)
def test_a_box_has_the_colours_of_its_data_file(style: BoxStyle) -> None:
    assert DARK[style.name] == LIGHT[style.name] == style.text_colour
    assert ANSI16[style.name] == style.ansi_colour
