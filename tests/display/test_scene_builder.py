import pytest

from argentum.rules.game import Game
from tests.support.scenes import NAMES, card_at, game_at, position_villages, scene_html, seat_scene


@pytest.mark.parametrize(("box", "muted"), [("amulet", False), ("bullet", True)])
def test_only_the_bullet_token_mutes_its_card(box: str, muted: bool) -> None:
    scene = seat_scene(game_at(token=f"{box} B used", **position_villages(B="1 7^* 3 6")))
    card = card_at(scene, "B2")
    assert (card.covered_by, card.muted) == (box, muted)
    assert f"under the silver {box}" in card.aria_label
    assert f'#{box[0].upper()}14"' in scene_html(scene).split('data-slot="B2"')[1].split("</li>")[0]


# Cards to choose from.


def test_a_rascals_deck_cards_are_chosen_by_a_click() -> None:
    game = game_at(["A draw"], **position_villages(A="4^ 2 10 4^ 5^"))
    scene = seat_scene(game)
    assert [(card.click_move, card.resident and card.resident.number) for card in scene.choosable] == [
        ("keep 1", 8), ("keep 2", 9), ("keep 3", 2),
    ]  # fmt: skip
    assert scene.buttons == ()
    assert seat_scene(game, "B").choosable == ()
    assert "Apprentice Seer" not in scene_html(seat_scene(game, "B")).split('id="prompt"')[1].split("</section>")[0]


def test_a_master_offers_the_pile_without_his_own_card() -> None:
    scene = seat_scene(
        game_at(["A draw", "A use"], deck="10 2", discard="9 6 10 7", **position_villages(A="4 2 3 6 5^"))
    )
    assert [(card.click_move, card.resident and card.resident.number) for card in scene.choosable] == [
        ("take 1", 9), ("take 2", 6), ("take 3", 10), ("take 4", 7),
    ]  # fmt: skip


def test_a_facedown_pile_card_has_no_face() -> None:
    scene = seat_scene(game_at(["A draw", "A use"], deck="10 2", discard="9 6v 7", **position_villages(A="4 2 3 6 5^")))
    assert [card.resident is None for card in scene.choosable] == [False, True, False]


def test_a_nosferatus_pile_cards_can_be_taken_and_some_used() -> None:
    scene = seat_scene(game_at(["A draw", "A use"], boxes="coin", deck="10 2", discard="9 1 7 4"))
    assert [(card.click_move, card.ability_move) for card in scene.choosable] == [
        ("take 1", "use 1"), ("take 2", ""), ("take 3", "use 3"),
    ]  # fmt: skip


def test_a_mortician_offers_buttons_instead_of_cards() -> None:
    scene = seat_scene(game_at(["A draw", "A exchange A4"], boxes="bullet", **position_villages(A="4^ 2 10 6 5^")))
    assert scene.choosable == ()
    assert [button.move for button in scene.buttons] == ["use 6", "stop"]


def test_a_witchs_card_is_exchanged_in_ones_own_village_by_selection_and_in_others_by_a_click() -> None:
    scene = seat_scene(game_at(["A draw", "A use"], deck="11 2 3", **position_villages(C="5^ 12 10 8")))
    assert scene.hand is not None
    assert scene.hand.resident is not None
    assert scene.hand.resident.number == 2
    assert card_at(scene, "B1").click_move == "B1"
    assert card_at(scene, "A1").selectable
    assert [(button.move_template, button.primary) for button in scene.buttons] == [("exchange {}", True)]


# Choices in several steps.


def test_a_chosen_card_stays_marked_after_resuming_the_game() -> None:
    game = game_at(["A draw", "A use", "A B1"], deck="12 2", **position_villages(C="5^ 9 10 8"))
    resumed = Game.resume(game.text(), NAMES)
    for seat in "ABC":
        for position in (game, resumed):
            card = card_at(seat_scene(position, seat), "B1")
            assert (card.chosen, card.dimmed) == (True, False)
            assert card.aria_label.endswith("chosen")
    assert not card_at(seat_scene(game), "B2").chosen


def test_a_chosen_village_is_marked() -> None:
    scene = seat_scene(
        game_at(["A draw", "A use", "A B"], boxes="bullet", deck="12 2", **position_villages(C="5^ 9 10 8"))
    )
    assert [village.seat.letter for village in scene.villages if village.chosen] == ["B"]


# After a call.


def test_no_last_turns_remain_once_the_round_is_over() -> None:
    # The deck runs out after a call, and a Hunter still chooses (B0).
    changes = {"boxes": "bullet", "turn": "B", "caller": "A", "deck": "8"}
    game = game_at(["B draw", "B discard"], **changes, **position_villages(A="0^ 2 10 6", B="1 7 3"))
    view = game.view("A")
    assert (view.reason, view.round_over, view.asking and view.asking.label) == ("deck", False, "B0")
    assert seat_scene(game).last_turns == ()


def test_players_with_a_last_turn_are_named() -> None:
    assert seat_scene(game_at(turn="B", caller="A")).last_turns == (("Bo", False), ("Cy", False))
