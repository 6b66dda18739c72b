import pytest

from argentum import Game


@pytest.fixture
def game() -> Game:
    """Return a game in which A is to play. A has two 5s, and the top card of the deck is a Magician."""
    villages = {"A": "5 10 5 1", "B": "3 9 2^ 4"}
    return Game.at({"boxes": "dagger", "deck": "8 2 5 11", "discard": "6 7", "villages": villages})


@pytest.fixture
def first_look() -> Game:
    return Game.new("dagger", 2, 1)
