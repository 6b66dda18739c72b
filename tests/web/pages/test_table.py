"""The parts of the table page."""

import pytest

from argentum.web.pages.renderer import PageRenderer
from tests.support.scenes import card_at, game_at, position_villages, scene_html, seat_scene


@pytest.mark.parametrize(("label", "words_"), [("A2", "text agreed"), ("A3", "text partly reconstructed")])
def test_the_help_has_the_certainty_of_a_text(label: str, words_: str) -> None:
    page = PageRenderer().table_shell("quiet-owl")
    help_ = page.split(f'data-resident="{label}"')[1].split("</template>")[0]
    assert f"Silver Amulet, {words_}</span>" in help_


# Cards beside the deck.


def test_a_click_on_a_shown_card_draws_it() -> None:
    game = game_at(shown="13 0")
    table_scene = seat_scene(game)
    assert [(card.slot, card.click_move) for card in table_scene.beside_deck] == [
        ("shown-1", "draw 1"),
        ("shown-2", "draw 2"),
    ]
    assert [card.aria_label for card in table_scene.beside_deck] == [
        "shown beside the deck: 13 Doppelgänger", "shown beside the deck: 0 Villager",
    ]  # fmt: skip
    assert table_scene.shown_by is not None
    assert table_scene.shown_by.name == "Squire"
    assert [card.click_move for card in seat_scene(game, "B").beside_deck] == ["", ""]
    assert 'data-move="draw 2"' in scene_html(table_scene)


def test_nothing_is_beside_the_deck_without_shown_cards() -> None:
    table_scene = seat_scene(game_at())
    assert (table_scene.beside_deck, table_scene.shown_by) == ((), None)
    assert 'class="beside-deck' not in scene_html(table_scene)


# Guards and tokens.


def test_a_cord_connects_a_guard_with_its_card() -> None:
    table_scene = seat_scene(game_at(guards="B3>B1", **position_villages(B="1 7^ 3^ 6")), "A")
    guarded = card_at(table_scene, "B1")
    assert guarded.guarded_by is not None
    assert (guarded.guarded_by.name, guarded.guard_spot) == ("Bodyguard", 3)
    assert guarded.aria_label.endswith("guarded by spot 3")
    assert card_at(table_scene, "B3").aria_label.endswith("guards spot 1")
    village = next(village for village in table_scene.villages if village.seat.letter == "B")
    assert village.guard_links == ((3, 1, 1),)
    assert 'class="guard-link from-1 to-3 line-1 hang-1"' in scene_html(table_scene)


def test_a_cord_connects_only_cards_in_the_same_line() -> None:
    many = position_villages(B="3^ 7^ 2 6 8 9 11 12")
    beside = scene_html(seat_scene(game_at(guards="B1>B4", **many)))
    across = scene_html(seat_scene(game_at(guards="B1>B5", **many)))
    assert "guard-link from-1 to-4 line-1" in beside
    assert 'class="guard-link' not in across
    assert across.count('class="cause"') == 1  # The disc on the card shows the guard as well.
