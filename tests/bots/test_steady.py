"""What anybody would do: steady does it too."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from argentum import Game
from argentum.bots import make
from argentum.bots.judgement import STANDINGS, Judgement
from argentum.bots.plan import PLANS
from argentum.bots.steady import SteadyBot
from argentum.rules.boxes import random_code, residents
from argentum.rules.positions import read_position
from argentum.rules.residents import BOXES

ALL_OF_A = "A1 A2 A3 A4"


def moves(position: Mapping[str, object], before: Sequence[str] = (), count: int = 1) -> list[str]:
    """What steady plays at seat A, in a position in which some moves were made."""
    game = Game.at(read_position({"boxes": "dagger", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11", **position}))
    for written in before:
        game.play(written)
    bot = make("steady", 1)
    made = []
    for _ in range(count):
        move = bot.choose(game.view("A"))
        made.append(str(move))
        game.play(move, "A")
    return made


def test_a_pair_is_exchanged_whole() -> None:
    position = {"deck": "3 9 7 10", "villages": {"A": "9 9 1 2", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, ["draw"], 3) == ["exchange A1", "and A2", "done"]


def test_the_worst_known_card_goes_for_a_low_one() -> None:
    position = {"deck": "1 9 7 10", "villages": {"A": "3 12 2 5", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, ["draw"], 2) == ["exchange A2", "done"]


def test_a_low_card_on_the_pile_is_taken() -> None:
    position = {"discard": "0", "villages": {"A": "3 12 2 5 8", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, count=3) == ["take", "exchange A2", "done"]


def test_a_high_card_is_not_exchanged_in() -> None:
    position = {"deck": "12 9 7 10", "boxes": "ddddddddddddcd", "villages": {"A": "1 2 0 3", "B": "5 6 7 8"}}
    assert moves(position | {"seen": {"A": ALL_OF_A}}, ["draw"])[0] in ("discard", "use")


def test_a_low_sum_is_called() -> None:
    position = {"villages": {"A": "0 1", "B": "9^ 10^ 7 8 11"}, "seen": {"A": "A1 A2"}}
    assert moves(position) == ["call"]


def test_a_high_sum_is_not_called() -> None:
    position = {"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": ALL_OF_A}}
    assert moves(position) != ["call"]


def test_who_leads_the_game_by_far_calls_when_it_may() -> None:
    position = {"round": 4, "totals": {"A": 0, "B": 60}, "villages": {"A": "2 1 1", "B": "9^ 10^ 7^"}}
    assert moves(position | {"seen": {"A": "A1 A2 A3"}}) == ["call"]


def test_a_gremlin_is_for_the_other() -> None:
    position = {"boxes": "bullet", "deck": "12 9 7", "villages": {"A": "3 4 2 5", "B": "5 6 7 8"}}
    assert moves(position, ["draw"], 2) == ["use", "B"]


def test_the_bullet_covers_the_worst_card() -> None:
    position = {"token": "bullet A active", "boxes": "bullet", "villages": {"A": "3 12 2 5 4", "B": "5 6 7 8"}}
    assert moves(position | {"seen": {"A": ALL_OF_A}}, count=2) == ["token", "A2"]


def test_the_coin_turns_a_halfling_up() -> None:
    position = {"token": "coin A active", "villages": {"A": "9 2 8 5 7", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, count=2) == ["token", "A2"]


def test_a_zombie_is_passed_on() -> None:
    position = {"previous": "B", "villages": {"A": "4^ 2 1 7 9", "B": "5 6 7 8"}, "seen": {"A": "A2 A3"}}
    assert moves(position)[0] == "ability A1"


def test_a_curator_discards_the_worst_sideways_card() -> None:
    position = {"boxes": "coin", "villages": {"A": "2^ 12~ 3~ 6 1", "B": "5 6 7 8"}, "seen": {"A": "A2 A3 A4 A5"}}
    assert moves(position, count=2) == ["ability A1", "discard A2"]


def test_an_assassin_rids_oneself_of_a_bad_card() -> None:
    position = {"boxes": "coin", "deck": "8 6 5", "villages": {"A": "3 12^ 5^ 5", "B": "5 6^ 7 8"}}
    assert moves(position, ["draw"], 2) == ["use", "A2"]


def test_a_troublemaker_gets_a_good_card_for_a_bad_one() -> None:
    position = {"boxes": "bullet", "deck": "11 6 5", "villages": {"A": "3 12 2 5", "B": "5 0^ 7 8"}}
    made = moves(position | {"seen": {"A": ALL_OF_A}}, ["draw"], 3)
    assert made[0] == "use"
    assert set(made[1:]) == {"A2", "B2"}


def test_an_approximator_takes_the_two_worst() -> None:
    position = {"deck": "5 6 7", "villages": {"A": "3 12 2 10", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, ["draw"], 3) == ["use", "A2", "A4"]


def test_a_furry_is_brought_to_fifty_in_the_last_turn() -> None:
    position = {"caller": "B", "deck": "6 7", "villages": {"A": "13 12 10 9 5", "B": "1 2"}}
    assert moves(position | {"seen": {"A": "A1 A2 A3 A4 A5"}}, ["draw"]) == ["exchange A5"]


def test_a_drawn_zombie_is_not_exchanged_for_another() -> None:
    position = {"deck": "4 6 7", "villages": {"A": "4 9 2 1", "B": "5 6 7 8"}, "seen": {"A": ALL_OF_A}}
    assert moves(position, ["draw"]) == ["exchange A2"]


@pytest.mark.parametrize(("boxes", "expected"), [("bullet", "remove A2"), ("coin", "give A2 B")])
def test_a_zero_at_the_end_of_a_round_parts_with_the_worst_card(boxes: str, expected: str) -> None:
    position = {"boxes": boxes, "caller": "A", "turn": "B", "deck": "6 5", "villages": {"A": "0^ 11 3", "B": "5 6 7"}}
    assert moves(position, ["draw", "discard"]) == [expected]


def test_every_ability_that_asks_has_a_plan() -> None:
    scoring_or_always_on = {"B0", "B1", "B3", "B13", "C0", "C13", "D0", "D2", "D3", "D13"}
    labels = {resident.label for resident in residents()} | {f"{box[0].upper()}14" for box in BOXES}
    assert labels - set(PLANS) == scoring_or_always_on
    assert scoring_or_always_on <= set(STANDINGS)


def test_a_judgement_counts_cards() -> None:
    """With all low cards in sight, an unknown card is expected to be high."""
    low = "0 0 1 1 1 1 2 2 2 2 3 3 3 3"
    position = {"boxes": "dagger", "deck": "9 10", "villages": {"A": "11 12", "B": "10 9"}}
    few = Game.at(read_position(position | {"discard": "6"})).view("A")
    many = Game.at(read_position(position | {"discard": low})).view("A")
    assert Judgement(many).costs["B"] > Judgement(few).costs["B"] + 2


def test_a_wrong_guess_at_what_asks_does_no_harm() -> None:
    """A bot that sits in for somebody may take one ability for another."""
    random = Random(1)
    guesses = sorted(PLANS)
    met = 0
    for nth in range(6):
        game = Game.new(random_code(random), 3, nth)
        others = make("novice", nth)
        while not game.over:
            view = game.view(game.to_move)
            if not game.table.at_rest and len(view.legal) > 1:
                for guess in random.sample(guesses, 6):
                    bot = SteadyBot()
                    bot.using.label = guess
                    assert bot.choose(view) in view.legal
                met += 1
            game.play(others.choose(view))
    assert met > 100
