"""The evaluation of a view in points."""

from argentum import Game
from argentum.bots.heuristics.evaluation import Evaluation
from tests.bots.positions import amulet_position, game_at


def test_an_unknown_card_costs_more_if_all_low_cards_are_visible() -> None:
    low = "0 0 1 1 1 1 2 2 2 2 3 3 3 3"
    position = {"boxes": "dagger", "deck": "9 10", "villages": {"A": "11 12", "B": "10 9"}}
    few_cards = Game.at(position | {"discard": "6"}).view("A")
    many_cards = Game.at(position | {"discard": low}).view("A")
    assert Evaluation(many_cards).costs["B"] > Evaluation(few_cards).costs["B"] + 2


def test_cards_of_the_deck_that_a_rascal_saw_are_known() -> None:
    game = game_at(amulet_position(deck="9 1 8 7 7", villages={"A": "4^ 4^ 2 9", "B": "5 6 7 8"}))
    for move in ("draw", "keep 1", "discard", "draw", "discard"):
        game.play(move)
    view = game.view("A")
    evaluation = Evaluation(view)
    assert [evaluation.probabilities(card) for card in view.deck[:1]] == [[(8, 1.0)]]
    assert len(evaluation.probabilities(view.deck[1])) > 5
    assert evaluation.beliefs.unseen[8] == 3


def test_shown_cards_are_known() -> None:
    view = game_at(amulet_position(shown="0 0", villages={"A": "4 4 2 9", "B": "5 6 7 8"})).view("A")
    assert Evaluation(view).beliefs.unseen[0] == 0


def test_a_card_under_the_amulet_counts_its_number() -> None:
    position = amulet_position(villages={"A": "12* 11 2 3", "B": "5 6 7 8"}, token="amulet A used")
    assert Evaluation(game_at(position).view("A")).costs["A"] > 25
