"""Tests of the table and its copies."""

from random import Random
from typing import Any

from hypothesis import given

from argentum import Game
from argentum.rules.engine import Engine
from argentum.rules.table import ALL_VIEWERS, VIEWER_COUNT, Table, seat_bit
from tests.random_games import games, seeds


def attributes(table: Table) -> dict[str, Any]:
    """Return all attributes of a table, apart from the events, which a copy does not have."""
    names = [name for name in dir(table) if not name.startswith("__") and not callable(getattr(table, name))]
    return {name: getattr(table, name) for name in names if name != "events"}


@given(games())
def test_a_copy_has_every_attribute_of_its_original(game: Game) -> None:
    table = game.position().table
    expected = attributes(table)
    assert {"faces", "seen", "villages", "restartable"} < set(expected)
    for name, value in expected.items():
        if type(value) is int:  # a value that no new table has
            setattr(table, name, value + 32)
        elif type(value) is bool:
            setattr(table, name, not value)
    assert attributes(table.copy()) == attributes(table)


@given(games(), seeds)
def test_playing_on_a_copy_changes_nothing_in_its_original(game: Game, seed: int) -> None:
    table = game.position().table
    before = repr(attributes(table))
    if table.restartable:
        Engine(table.copy(), table.round).rollout(Random(seed))
        assert repr(attributes(table)) == before


@given(games())
def test_the_viewers_of_a_card_are_those_that_know_it(game: Game) -> None:
    table = game.position().table
    for card in range(len(table.faces)):
        assert table.viewers_of(card) == sum(
            [seat_bit(viewer) for viewer in range(VIEWER_COUNT) if table.knows(viewer, card)]
        )
        if table.is_faceup(card):
            assert table.viewers_of(card) == ALL_VIEWERS
