"""Steady plays the best move in positions where it is obvious."""

from collections.abc import Mapping, Sequence

import pytest

from argentum.bots import ask, make
from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.rules.boxes import ALL_BOXES, residents
from tests.bots.positions import ALL_OF_A, amulet_position, game_at


def choose_moves(position: Mapping[str, object], before: Sequence[str] = (), count: int = 1) -> list[str]:
    """Play some moves from a position, then return the next `count` moves of steady at seat A."""
    game = game_at(position)
    for text in before:
        game.play(text)
    bot = make("steady", 1)
    texts = []
    for _ in range(count):
        move = bot.choose(game.view("A"))
        texts.append(str(move))
        game.play(move, "A")
    return texts


def test_a_pair_is_exchanged_whole() -> None:
    position = {"deck": "3 9 7 10", "villages": {"A": "9 9 1 2", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, ["draw"], 3) == ["exchange A1", "and A2", "done"]


def test_the_highest_known_card_is_exchanged_for_a_low_one() -> None:
    position = {"deck": "1 9 7 10", "villages": {"A": "3 12 2 5", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, ["draw"], 2) == ["exchange A2", "done"]


def test_a_low_card_on_the_pile_is_taken() -> None:
    position = {"discard": "0", "villages": {"A": "3 12 2 5 8", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, count=3) == ["take", "exchange A2", "done"]


def test_a_drawn_high_card_is_not_exchanged() -> None:
    position = {"deck": "12 9 7 10", "boxes": "ddddddddddddcd", "villages": {"A": "1 2 0 3", "B": "5 6 7 8"}}
    assert choose_moves(position | {"seen": {"A": ALL_OF_A}}, ["draw"])[0] in ("discard", "use")


def test_a_low_sum_is_called() -> None:
    position = {"villages": {"A": "0 1", "B": "9^ 10^ 7 8 11"}, "seen": {"A": "A1 A2"}}
    assert choose_moves(position) == ["call"]


def test_a_high_sum_is_not_called() -> None:
    position = {"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position) != ["call"]


def test_a_seat_far_ahead_in_the_game_calls() -> None:
    position = {"round": 4, "totals": {"A": 0, "B": 60}, "villages": {"A": "2 1 1", "B": "9^ 10^ 7^"}}
    assert choose_moves(position | {"seen": {"A": "A1 A2 A3"}}) == ["call"]


def test_a_gremlin_is_given_to_an_opponent() -> None:
    position = {"boxes": "bullet", "deck": "12 9 7", "villages": {"A": "3 4 2 5", "B": "5 6 7 8"}}
    assert choose_moves(position, ["draw"], 2) == ["use", "B"]


def test_the_bullet_covers_the_highest_card() -> None:
    position = {"token": "bullet A active", "boxes": "bullet", "villages": {"A": "3 12 2 5 4", "B": "5 6 7 8"}}
    assert choose_moves(position | {"seen": {"A": ALL_OF_A}}, count=2) == ["token", "A2"]


def test_the_coin_turns_a_halfling_faceup() -> None:
    position = {"token": "coin A active", "villages": {"A": "9 2 8 5 7", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, count=2) == ["token", "A2"]


def test_a_faceup_zombie_is_used() -> None:
    position = {"previous": "B", "villages": {"A": "4^ 2 1 7 9", "B": "5 6 7 8"}, "seen": {"A": "A2 A3"}}
    assert choose_moves(position)[0] == "ability A1"


def test_a_curator_discards_the_highest_sideways_card() -> None:
    position = {"boxes": "coin", "villages": {"A": "2^ 12~ 3~ 6 1", "B": "5 6 7 8"}, "seen": {"A": "A2 A3 A4 A5"}}
    assert choose_moves(position, count=2) == ["ability A1", "discard A2"]


def test_an_assassin_removes_a_high_card_of_its_own() -> None:
    position = {"boxes": "coin", "deck": "8 6 5", "villages": {"A": "3 12^ 5^ 5", "B": "5 6^ 7 8"}}
    assert choose_moves(position, ["draw"], 2) == ["use", "A2"]


def test_a_troublemaker_switches_a_high_card_for_a_low_one() -> None:
    position = {"boxes": "bullet", "deck": "11 6 5", "villages": {"A": "3 12 2 5", "B": "5 0^ 7 8"}}
    texts = choose_moves(position | {"seen": {"A": ALL_OF_A}}, ["draw"], 3)
    assert texts[0] == "use"
    assert set(texts[1:]) == {"A2", "B2"}


def test_an_approximator_replaces_the_two_highest_cards() -> None:
    position = {"deck": "5 6 7", "villages": {"A": "3 12 2 10", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, ["draw"], 3) == ["use", "A2", "A4"]


def test_with_a_furry_a_card_is_exchanged_to_make_the_sum_50_in_the_last_turn() -> None:
    position = {"caller": "B", "deck": "6 7", "villages": {"A": "13 12 10 9 5", "B": "1 2"}}
    assert choose_moves(position | {"seen": {"A": "A1 A2 A3 A4 A5"}}, ["draw"]) == ["exchange A5"]


def test_a_drawn_zombie_is_not_exchanged_for_another() -> None:
    position = {"deck": "4 6 7", "villages": {"A": "4 9 2 1", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert choose_moves(position, ["draw"]) == ["exchange A2"]


@pytest.mark.parametrize(("boxes", "expected"), [("bullet", "remove A2"), ("coin", "give A2 B")])
def test_a_zero_removes_or_gives_away_the_highest_card_at_the_end_of_a_round(boxes: str, expected: str) -> None:
    position = {"boxes": boxes, "caller": "A", "turn": "B", "deck": "6 5", "villages": {"A": "0^ 11 3", "B": "5 6 7"}}
    assert choose_moves(position, ["draw", "discard"]) == [expected]


def test_every_resident_and_token_has_a_model_and_every_ability_a_gain() -> None:
    labels = {resident.label for resident in residents()} | {box.token_label for box in ALL_BOXES}
    assert set(ABILITY_MODELS) == labels
    for resident in residents():
        assert resident.ability is None or ABILITY_MODELS[resident.label].gain is not None, resident
    assert all([ABILITY_MODELS[box.token_label].gain is not None for box in ALL_BOXES])


@pytest.mark.parametrize("name", ["novice", "quick", "steady", "seer:20"])
@pytest.mark.parametrize(
    ("discard", "private", "good"), [("1", "12", ["take", "exchange A2"]), ("12", "1", ["draw private", "exchange A2"])]
)
def test_with_the_deck_empty_the_better_of_private_deck_and_discard_pile_is_chosen(
    name: str, discard: str, private: str, good: list[str]
) -> None:
    villages = {"A": "2 11", "B": "10 9"}
    game = game_at(
        {"deck": "", "discard": discard, "private": {"A": private}, "villages": villages, "seen": {"A": "A1 A2"}}
    )
    bot = make(name, 1)
    for expected in good:
        move = ask(bot, game, "A")
        assert str(move) == expected
        game.play(move, "A")


# Bots that replace a player in the middle of an ability.

TROUBLE = {"boxes": "bullet", "deck": "11 6 5", "villages": {"A": "3 12 2 5", "B": "5 0^ 7 8"}}
THIEF = {"deck": "12 6 5", "villages": {"A": "3 11 2 5", "B": "5 0^ 7 8"}}
HUNT = {"boxes": "ccdccccccccccc", "deck": "6 9 5", "villages": {"A": "3 2 9 8", "B": "5 6^ 2^ 8"}}
APPROXIMATE = {"deck": "5 6 7", "villages": {"A": "3 12 2 10", "B": "5 6 7 8"}}


@pytest.mark.parametrize("name", ["novice", "quick", "steady", "seer:20"])
@pytest.mark.parametrize(
    ("position", "before", "good"),
    [
        (TROUBLE, ["draw", "use", "A2"], ["B2"]),  # Switch the 12 for the 0.
        (TROUBLE, ["draw", "use", "B2"], ["A2"]),
        (THIEF, ["draw", "use", "A2"], ["B2"]),
        (HUNT, ["draw", "use", "B3"], ["A2"]),  # After turning B's Halfling facedown, turn A's own one faceup.
        (APPROXIMATE, ["draw", "use", "A2"], ["A4"]),
    ],
)
def test_a_replacement_bot_makes_the_second_choice(
    name: str, position: Mapping[str, object], before: Sequence[str], good: list[str]
) -> None:
    game = game_at({**position, "seen": {"A": ALL_OF_A}})
    for text in before:
        game.play(text)
    for index in range(5):
        move = ask(make(name, index), game, "A")
        assert move in game.legal("A")
        if name != "novice":
            assert str(move) in good


def test_a_replacement_bot_uses_the_card_that_a_magician_turned_up() -> None:
    position = {"deck": "8 6 5", "villages": {"A": "1 0 2", "B": "11 12 10"}, "seen": {"A": "A1 A2 A3"}}
    assert choose_moves(position, ["draw", "use", "B1"]) == ["use"]


# Silver Amulet.


def test_a_shown_card_is_drawn_if_it_is_low() -> None:
    villages = {"A": "3 12 2 9", "B": "1^ 6 7 8"}
    assert choose_moves(amulet_position(villages=villages, shown="0"), count=2) == ["draw 1", "exchange A2"]
    assert choose_moves(amulet_position(villages=villages, shown="13"))[0] in ("draw", "take")


def test_a_shown_card_is_drawn_for_its_ability() -> None:
    position = amulet_position(villages={"A": "3 12 2 9", "B": "9 0^ 7 8"}, shown="12", discard="11")
    assert choose_moves(position, count=4) == ["draw 1", "use", "B2", "A2"]


def test_the_best_of_a_rascals_cards_is_kept() -> None:
    position = amulet_position(deck="9 1 8", villages={"A": "4^ 12 2 9", "B": "5 6 7 8"})
    assert choose_moves(position, ["draw"], 2) == ["keep 2", "exchange A2"]
    position = amulet_position(deck="1 9 8", villages={"A": "4^ 12 2 9", "B": "5 6 7 8"})
    assert choose_moves(position, ["draw"], 2) == ["keep 1", "exchange A2"]


def test_a_bodyguard_guards_the_best_card() -> None:
    position = amulet_position(villages={"A": "3^ 9 0 8", "B": "5 6 7 8"})
    assert choose_moves(position, count=2) == ["ability A1", "A3"]
    assert choose_moves(position | {"guards": "A1>A3"})[0] != "ability A1"


def test_protected_cards_are_not_chosen() -> None:
    position = amulet_position(deck="12 6 5", villages={"A": "9 12 8 7", "B": "3^ 0^ 7^ 2^"}, guards="B1>B2")
    assert choose_moves(position, ["draw"], 3) == ["use", "B4", "A2"]


@pytest.mark.parametrize("name", ["quick", "steady"])
def test_the_second_villager_ends_a_round_only_if_it_is_won(name: str) -> None:
    ahead = game_at(
        amulet_position(deck="5 9 7", villages={"A": "0 1 2 1 1", "B": "0^ 11^ 12^ 9^"}, seen={"A": "A1 A2 A3 A4 A5"})
    )
    behind = game_at(
        amulet_position(deck="5 9 7", villages={"A": "0 11 12 9 10", "B": "0^ 2^ 2^"}, seen={"A": "A1 A2 A3 A4 A5"})
    )
    for game in (ahead, behind):
        game.play("draw")
    game = ahead
    for expected in ("use", "A1"):
        move = ask(make(name, 1), game, "A")
        assert str(move) == expected
        game.play(move, "A")
    assert game.over
    behind.play("use")
    assert str(ask(make(name, 1), behind, "A")) != "A1"


def test_a_doppelganger_is_exchanged_with_the_highest_card() -> None:
    position = amulet_position(deck="1 9 8", villages={"A": "3 13 11 2", "B": "5 6 7 8"})
    assert choose_moves(position, ["draw"], 3) == ["exchange A2", "and A3", "done"]
    position = amulet_position(deck="1 9 8", villages={"A": "7 13 7 9", "B": "5 6 7 8"})
    assert choose_moves(position, ["draw"], 4) == ["exchange A1", "and A2", "and A3", "done"]


def test_a_master_takes_the_lowest_card_of_the_pile() -> None:
    position = amulet_position(deck="10 9 8", discard="11 9 0 12", villages={"A": "5 12 6 9", "B": "5 6 7 8"})
    assert choose_moves(position, ["draw"], 3) == ["use", "take 3", "exchange A2"]


def test_a_witch_exchanges_a_low_card_and_replaces_an_opponents_card_with_a_high_one() -> None:
    villages = {"A": "3 12 2 9", "B": "5 0^ 7 8"}
    assert choose_moves(amulet_position(deck="11 0 5 6", villages=villages), ["draw", "use"]) == ["exchange A2"]
    assert choose_moves(amulet_position(deck="11 13 5 6", villages=villages, discard="9"), ["draw", "use"]) == ["B2"]


def test_a_robber_switches_a_high_card_for_a_low_one() -> None:
    assert choose_moves(amulet_position(deck="12 6 5", villages={"A": "3 11 2 5", "B": "5 0^ 7 8"}), ["draw"], 3) == [
        "use",
        "B2",
        "A2",
    ]


def test_abilities_that_look_at_cards_choose_unknown_ones() -> None:
    position = {"boxes": "amulet", "villages": {"A": "2^ 11 2 5 9", "B": "5 6 7 8"}, "seen": {"A": "A2 A3 A5"}}
    assert choose_moves(position, count=2) == ["ability A1", "A4"]
    villages = {"A": "3 11 2 5 9", "B": "5^ 6 7 8"}
    for deck, good in (("7 6 5", "A4"), ("9 6 5", "A4"), ("8 6 5", "B2")):
        later = position | {"deck": deck, "villages": villages, "seen": {"A": "A1 A2 A3 A5"}}
        assert choose_moves(later, ["draw", "use"]) == [good]


def test_the_amulet_protects_the_lowest_card() -> None:
    position = {**amulet_position(villages={"A": "9 1 8 7 6", "B": "5 6 7 8"}), "token": "amulet A active"}
    assert choose_moves(position, count=2) == ["token", "A2"]


def test_a_card_under_the_amulet_is_not_exchanged() -> None:
    position = amulet_position(deck="1 9 8", villages={"A": "12* 11 2 3", "B": "5 6 7 8"}) | {"token": "amulet A used"}
    assert choose_moves(position, ["draw"]) == ["exchange A2"]
