"""The evaluation of a view in points."""

from argentum import Game
from argentum.bots.heuristics.evaluation import Evaluation


def test_an_unknown_card_costs_more_if_all_low_cards_are_visible() -> None:
    low = "0 0 1 1 1 1 2 2 2 2 3 3 3 3"
    position = {"boxes": "dagger", "deck": "9 10", "villages": {"A": "11 12", "B": "10 9"}}
    few = Game.at(position | {"discard": "6"}).view("A")
    many = Game.at(position | {"discard": low}).view("A")
    assert Evaluation(many).costs["B"] > Evaluation(few).costs["B"] + 2
