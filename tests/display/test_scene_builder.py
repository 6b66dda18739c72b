import pytest

from argentum.rules.game import Game
from tests.support.rendering import NAMES
from tests.support.scenes import card_at, game_at, position_villages, scene_html, scene_of


@pytest.mark.parametrize(("box", "muted"), [("amulet", False), ("bullet", True)])
def test_only_the_bullet_takes_a_card_its_ability(box: str, muted: bool) -> None:
    drawn = scene_of(game_at(token=f"{box} B used", **position_villages(B="1 7^* 3 6")))
    card = card_at(drawn, "B2")
    assert (card.covered_by, card.muted) == (box, muted)
    assert f"under the silver {box}" in card.aria_label
    assert f'#{box[0].upper()}14"' in scene_html(drawn).split('data-slot="B2"')[1].split("</li>")[0]


# Cards to choose from.


def test_the_cards_looked_at_through_a_rascal_are_chosen_by_a_click() -> None:
    game = game_at(["A draw"], **position_villages(A="4^ 2 10 4^ 5^"))
    drawn = scene_of(game)
    assert [(card.click_move, card.resident and card.resident.number) for card in drawn.choosable] == [
        ("keep 1", 8), ("keep 2", 9), ("keep 3", 2),
    ]  # fmt: skip
    assert drawn.buttons == ()
    assert scene_of(game, "B").choosable == ()
    assert "Apprentice Seer" not in scene_html(scene_of(game, "B")).split('id="prompt"')[1].split("</section>")[0]


def test_a_master_chooses_from_the_pile_without_himself() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="10 2", discard="9 6 10 7", **position_villages(A="4 2 3 6 5^")))
    assert [(card.click_move, card.resident and card.resident.number) for card in drawn.choosable] == [
        ("take 1", 9), ("take 2", 6), ("take 3", 10), ("take 4", 7),
    ]  # fmt: skip


def test_a_facedown_card_of_the_pile_is_a_back() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="10 2", discard="9 6v 7", **position_villages(A="4 2 3 6 5^")))
    assert [card.resident is None for card in drawn.choosable] == [False, True, False]


def test_a_nosferatu_takes_by_a_click_and_uses_by_a_button_on_the_card() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], boxes="coin", deck="10 2", discard="9 1 7 4"))
    assert [(card.click_move, card.ability_move) for card in drawn.choosable] == [
        ("take 1", "use 1"), ("take 2", ""), ("take 3", "use 3"),
    ]  # fmt: skip


def test_a_mortician_asks_by_buttons() -> None:
    drawn = scene_of(game_at(["A draw", "A exchange A4"], boxes="bullet", **position_villages(A="4^ 2 10 6 5^")))
    assert drawn.choosable == ()
    assert [button.move for button in drawn.buttons] == ["use 6", "stop"]


def test_a_witchs_card_goes_home_by_a_set_and_abroad_by_a_click() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="11 2 3", **position_villages(C="5^ 12 10 8")))
    assert drawn.hand is not None
    assert drawn.hand.resident is not None
    assert drawn.hand.resident.number == 2
    assert card_at(drawn, "B1").click_move == "B1"
    assert card_at(drawn, "A1").selectable
    assert [(button.move_template, button.primary) for button in drawn.buttons] == [("exchange {}", True)]


# What was picked so far.


def test_the_first_card_of_two_stays_marked_also_after_a_reload() -> None:
    game = game_at(["A draw", "A use", "A B1"], deck="12 2", **position_villages(C="5^ 9 10 8"))
    again = Game.resume(game.text(), NAMES)
    for seat in "ABC":
        for one in (game, again):
            card = card_at(scene_of(one, seat), "B1")
            assert (card.chosen, card.dimmed) == (True, False)
            assert card.aria_label.endswith("chosen")
    assert not card_at(scene_of(game), "B2").chosen


def test_the_village_that_was_picked_is_marked() -> None:
    drawn = scene_of(
        game_at(["A draw", "A use", "A B"], boxes="bullet", deck="12 2", **position_villages(C="5^ 9 10 8"))
    )
    assert [village.seat.letter for village in drawn.villages if village.chosen] == ["B"]


# After a call.


def test_no_last_turns_remain_once_the_round_is_over() -> None:
    """The deck runs out after a call, and a Hunter still chooses (B0): the banner said that Cy had still to play."""
    changes = {"boxes": "bullet", "turn": "B", "caller": "A", "deck": "8"}
    game = game_at(["B draw", "B discard"], **changes, **position_villages(A="0^ 2 10 6", B="1 7 3"))
    view = game.view("A")
    assert (view.reason, view.round_over, view.asking and view.asking.label) == ("deck", False, "B0")
    assert scene_of(game).last_turns == ()


def test_last_turns_are_named_while_they_go_on() -> None:
    assert scene_of(game_at(turn="B", caller="A")).last_turns == (("Bo", False), ("Cy", False))
