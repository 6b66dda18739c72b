"""Four boxes side by side, and what Silver Amulet brings to a table: shown cards, guards, cards to choose from."""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pytest

from argentum import words
from argentum.display import scene, scene_builder
from argentum.rulebook.card_art import gallery
from argentum.rules.game import Game
from argentum.rules.residents import BOXES, NUMBERS
from argentum.terminal.screens.table import fan_buttons
from argentum.terminal.widgets import cards as terminal_cards
from argentum.web.pages.lobby import choices
from argentum.web.pages.renderer import Painter
from argentum.web.pages.table import Info

NAMES = ["Ann", "Bo", "Cy"]
AMULET = "a" * NUMBERS
POSITION: dict[str, Any] = {
    "boxes": "amulet", "players": 3, "deck": "8 9 2 5", "discard": "9 6 7",
    "villages": {"A": "4 2 10 6 5^", "B": "1 7^ 3 6", "C": "5^ 12 11 8"},
}  # fmt: skip


def game_at(moves: Sequence[str] = (), **changes: Any) -> Game:
    """A game from the position above, with some of it changed, after some moves (`A draw`)."""
    game = Game.at({**POSITION, **changes}, NAMES)
    for move in moves:
        game.play(move[2:], move[0])
    return game


def scene_of(game: Game, seat: str = "A") -> scene.Scene:
    """The table as a seat sees it."""
    view = game.view(seat)
    seats = [scene.Seat(letter, name, "", True, "") for letter, name in zip("ABC", NAMES, strict=True)]
    return scene_builder.build(view, seats, [], [], words.prompt(view))


def villages(**cards: str) -> dict[str, Any]:
    return {"villages": {**POSITION["villages"], **cards}}


def card_at(drawn: scene.Scene, spot: str) -> scene.CardScene:
    return next(card for village in drawn.villages for card in village.cards if card.place == spot)


def drawn_page(drawn: scene.Scene) -> str:
    """A scene's page as HTML."""
    return Painter().table(drawn, Info("quiet-owl", False, 0, 0, False, ()))


# Who is told apart from whom.


def test_every_box_has_a_badge_of_its_own_shape() -> None:
    signs = files("argentum.web").joinpath("static", "glyphs.svg").read_text(encoding="utf-8")
    shapes = [re.findall(rf'<symbol id="badge-{box}"[^>]*>(.*?)</symbol>', signs) for box in BOXES]
    assert len({shape for (shape,) in shapes}) == len(BOXES)
    assert len(set(terminal_cards.BADGES.values())) == len(BOXES) == len(terminal_cards.BADGES)


def test_the_board_has_four_columns_the_amulet_first() -> None:
    assert [[one.box for one in row] for row in choices()] == [list(BOXES)] * NUMBERS
    assert BOXES[0] == "amulet"


def test_every_line_of_the_board_is_short_enough() -> None:
    assert {label: art.short for label, art in gallery().items() if len(art.short) > 27} == {}


def test_every_resident_has_an_icon_of_its_own() -> None:
    assert len({art.icon for art in gallery().values()}) == len(gallery()) == 4 * (NUMBERS + 1)


def test_the_board_says_how_sure_a_text_is() -> None:
    by_name = {one.name: one.sure for row in choices() for one in row}
    assert (by_name["Empath"], by_name["Bodyguard"], by_name["Goth Girl"], by_name["Spy"]) == (
        "agreed", "partly reconstructed", "reconstructed", "",
    )  # fmt: skip


@pytest.mark.parametrize(("label", "words_"), [("A2", "text agreed"), ("A3", "text partly reconstructed")])
def test_the_help_says_how_sure_a_text_is(label: str, words_: str) -> None:
    page = Painter().shell("quiet-owl")
    help_ = page.split(f'data-resident="{label}"')[1].split("</template>")[0]
    assert f"Silver Amulet, {words_}</span>" in help_


# Cards beside the deck.


def test_shown_cards_are_drawn_by_a_click() -> None:
    game = game_at(shown="13 0")
    drawn = scene_of(game)
    assert [(card.place, card.move) for card in drawn.shown] == [("shown-1", "draw 1"), ("shown-2", "draw 2")]
    assert [card.name for card in drawn.shown] == [
        "shown beside the deck: 13 Doppelgänger", "shown beside the deck: 0 Villager",
    ]  # fmt: skip
    assert drawn.shower is not None
    assert drawn.shower.name == "Squire"
    assert [card.move for card in scene_of(game, "B").shown] == ["", ""]
    assert 'data-move="draw 2"' in drawn_page(drawn)


def test_nothing_stands_beside_the_deck_without_shown_cards() -> None:
    drawn = scene_of(game_at())
    assert (drawn.shown, drawn.shower) == ((), None)
    assert 'class="beside' not in drawn_page(drawn)


# Guards and tokens.


def test_a_guard_is_tied_to_its_card() -> None:
    drawn = scene_of(game_at(guards="B3>B1", **villages(B="1 7^ 3^ 6")), "A")
    guarded = card_at(drawn, "B1")
    assert guarded.guard is not None
    assert (guarded.guard.name, guarded.guard_place) == ("Bodyguard", 3)
    assert guarded.name.endswith("guarded by spot 3")
    assert card_at(drawn, "B3").name.endswith("guards spot 1")
    village = next(one for one in drawn.villages if one.seat.letter == "B")
    assert village.cords == ((3, 1, 1),)
    assert 'class="cord from-1 to-3 line-1 hang-1"' in drawn_page(drawn)


def test_a_cord_hangs_only_between_cards_of_one_line() -> None:
    many = villages(B="3^ 7^ 2 6 8 9 11 12")
    beside = drawn_page(scene_of(game_at(guards="B1>B4", **many)))
    across = drawn_page(scene_of(game_at(guards="B1>B5", **many)))
    assert "cord from-1 to-4 line-1" in beside
    assert 'class="cord' not in across
    assert across.count('class="because"') == 1  # the disc on the card says it still


@pytest.mark.parametrize(("box", "muted"), [("amulet", False), ("bullet", True)])
def test_only_the_bullet_takes_a_card_its_ability(box: str, muted: bool) -> None:
    drawn = scene_of(game_at(token=f"{box} B used", **villages(B="1 7^* 3 6")))
    card = card_at(drawn, "B2")
    assert (card.covered, card.muted) == (box, muted)
    assert f"under the silver {box}" in card.name
    assert f'#{box[0].upper()}14"' in drawn_page(drawn).split('data-place="B2"')[1].split("</li>")[0]


# Cards to choose from.


def test_the_cards_looked_at_through_a_rascal_are_chosen_by_a_click() -> None:
    game = game_at(["A draw"], **villages(A="4^ 2 10 4^ 5^"))
    drawn = scene_of(game)
    assert [(card.move, card.portrait and card.portrait.number) for card in drawn.fan] == [
        ("keep 1", 8), ("keep 2", 9), ("keep 3", 2),
    ]  # fmt: skip
    assert drawn.buttons == ()
    assert scene_of(game, "B").fan == ()
    assert "Apprentice Seer" not in drawn_page(scene_of(game, "B")).split('id="prompt"')[1].split("</section>")[0]


def test_a_master_chooses_from_the_pile_without_himself() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="10 2", discard="9 6 10 7", **villages(A="4 2 3 6 5^")))
    assert [(card.move, card.portrait and card.portrait.number) for card in drawn.fan] == [
        ("take 1", 9), ("take 2", 6), ("take 3", 10), ("take 4", 7),
    ]  # fmt: skip


def test_a_terminal_offers_the_cards_of_a_fan_as_buttons() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], boxes="coin", deck="10 2", discard="9 1 7 4"))
    assert [(button.text, button.move) for button in fan_buttons(drawn)] == [
        ("●9 Psychic", "take 1"), ("●1 Con Artist", "take 2"), ("●7 Nostro", "take 3"),
        ("Use ●9 Psychic", "use 1"), ("Use ●7 Nostro", "use 3"),
    ]  # fmt: skip


def test_a_facedown_card_of_the_pile_is_a_back() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="10 2", discard="9 6v 7", **villages(A="4 2 3 6 5^")))
    assert [card.portrait is None for card in drawn.fan] == [False, True, False]


def test_a_nosferatu_takes_by_a_click_and_uses_by_a_button_on_the_card() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], boxes="coin", deck="10 2", discard="9 1 7 4"))
    assert [(card.move, card.use) for card in drawn.fan] == [
        ("take 1", "use 1"), ("take 2", ""), ("take 3", "use 3"),
    ]  # fmt: skip


def test_a_mortician_asks_by_buttons() -> None:
    drawn = scene_of(game_at(["A draw", "A exchange A4"], boxes="bullet", **villages(A="4^ 2 10 6 5^")))
    assert drawn.fan == ()
    assert [button.move for button in drawn.buttons] == ["use 6", "stop"]


def test_a_witchs_card_goes_home_by_a_set_and_abroad_by_a_click() -> None:
    drawn = scene_of(game_at(["A draw", "A use"], deck="11 2 3", **villages(C="5^ 12 10 8")))
    assert drawn.hand is not None
    assert drawn.hand.portrait is not None
    assert drawn.hand.portrait.number == 2
    assert card_at(drawn, "B1").move == "B1"
    assert card_at(drawn, "A1").pick
    assert [(button.template, button.main) for button in drawn.buttons] == [("exchange {}", True)]


# What was picked so far.


def test_the_first_card_of_two_stays_marked_also_after_a_reload() -> None:
    game = game_at(["A draw", "A use", "A B1"], deck="12 2", **villages(C="5^ 9 10 8"))
    again = Game.resume(game.text(), NAMES)
    for seat in "ABC":
        for one in (game, again):
            card = card_at(scene_of(one, seat), "B1")
            assert (card.picked, card.calm) == (True, False)
            assert card.name.endswith("chosen")
    assert not card_at(scene_of(game), "B2").picked


def test_the_village_that_was_picked_is_marked() -> None:
    drawn = scene_of(game_at(["A draw", "A use", "A B"], boxes="bullet", deck="12 2", **villages(C="5^ 9 10 8")))
    assert [village.seat.letter for village in drawn.villages if village.picked] == ["B"]


# After a call.


def test_nobody_has_a_last_turn_once_the_round_is_over() -> None:
    """The deck runs out after a call, and a Hunter still chooses (B0): the banner said that Cy had still to play."""
    changes = {"boxes": "bullet", "turn": "B", "caller": "A", "deck": "8"}
    game = game_at(["B draw", "B discard"], **changes, **villages(A="0^ 2 10 6", B="1 7 3"))
    view = game.view("A")
    assert (view.reason, view.round_over, view.asking and view.asking.label) == ("deck", False, "B0")
    assert scene_of(game).last_turns == ()


def test_last_turns_are_named_while_they_go_on() -> None:
    assert scene_of(game_at(turn="B", caller="A")).last_turns == (("Bo", False), ("Cy", False))


def test_a_small_terminal_card_of_two_figures_keeps_its_width() -> None:
    face = scene_of(game_at()).cast[12]
    one = scene.CardScene("A1", face, True, False, "", False, "")
    assert {len(line) for line in terminal_cards.draw(one, terminal_cards.Look(5, 5)).plain.split("\n")} == {5}


def test_a_terminal_card_says_who_guards_it() -> None:
    one = scene.CardScene("A1", None, False, False, "", False, "", guard=scene_of(game_at()).cast[3], guard_place=2)
    lowest = [terminal_cards.draw(one, terminal_cards.Look(width, 5)).plain.split("\n")[-1] for width in (5, 10, 16)]
    assert [re.sub("[─└┘]", "", line) for line in lowest] == ["g2", "guard 2", "guarded by 2"]
