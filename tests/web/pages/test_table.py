"""The parts of the table page."""

import pytest

from argentum.web.pages.renderer import PageRenderer
from tests.support.scenes import card_at, game_at, position_villages, scene_html, scene_of


@pytest.mark.parametrize(("label", "words_"), [("A2", "text agreed"), ("A3", "text partly reconstructed")])
def test_the_help_says_how_sure_a_text_is(label: str, words_: str) -> None:
    page = PageRenderer().table_shell("quiet-owl")
    help_ = page.split(f'data-resident="{label}"')[1].split("</template>")[0]
    assert f"Silver Amulet, {words_}</span>" in help_


# Cards beside the deck.


def test_shown_cards_are_drawn_by_a_click() -> None:
    game = game_at(shown="13 0")
    drawn = scene_of(game)
    assert [(card.slot, card.click_move) for card in drawn.beside_deck] == [
        ("shown-1", "draw 1"),
        ("shown-2", "draw 2"),
    ]
    assert [card.aria_label for card in drawn.beside_deck] == [
        "shown beside the deck: 13 Doppelgänger", "shown beside the deck: 0 Villager",
    ]  # fmt: skip
    assert drawn.shown_by is not None
    assert drawn.shown_by.name == "Squire"
    assert [card.click_move for card in scene_of(game, "B").beside_deck] == ["", ""]
    assert 'data-move="draw 2"' in scene_html(drawn)


def test_nothing_stands_beside_the_deck_without_shown_cards() -> None:
    drawn = scene_of(game_at())
    assert (drawn.beside_deck, drawn.shown_by) == ((), None)
    assert 'class="beside' not in scene_html(drawn)


# Guards and tokens.


def test_a_guard_is_tied_to_its_card() -> None:
    drawn = scene_of(game_at(guards="B3>B1", **position_villages(B="1 7^ 3^ 6")), "A")
    guarded = card_at(drawn, "B1")
    assert guarded.guarded_by is not None
    assert (guarded.guarded_by.name, guarded.guard_spot) == ("Bodyguard", 3)
    assert guarded.aria_label.endswith("guarded by spot 3")
    assert card_at(drawn, "B3").aria_label.endswith("guards spot 1")
    village = next(one for one in drawn.villages if one.seat.letter == "B")
    assert village.cords == ((3, 1, 1),)
    assert 'class="cord from-1 to-3 line-1 hang-1"' in scene_html(drawn)


def test_a_cord_hangs_only_between_cards_of_one_line() -> None:
    many = position_villages(B="3^ 7^ 2 6 8 9 11 12")
    beside = scene_html(scene_of(game_at(guards="B1>B4", **many)))
    across = scene_html(scene_of(game_at(guards="B1>B5", **many)))
    assert "cord from-1 to-4 line-1" in beside
    assert 'class="cord' not in across
    assert across.count('class="because"') == 1  # the disc on the card says it still
