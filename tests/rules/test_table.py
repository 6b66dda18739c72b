"""Tests of the table and its copies."""

from random import Random
from typing import Any

from hypothesis import given

from argentum import Game
from argentum.rules.engine import Engine
from argentum.rules.redeal import are_surely_indistinguishable
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


# Attributes that no view shows, or that follow from others.
NOT_SHOWN = {
    *("seed", "rulings", "fixed_shuffles", "shuffle_log", "events_off", "action"),
    *("phase", "restartable", "changed", "window_worth_asking"),
    *("ability_used", "turn_skipped", "discarded_this_turn", "muted_card"),
}
ITEMS = {  # of attributes that contain other things than integers
    "villages": [],
    "private": (),
    "guards": (0, 0, 0),
    "cooldowns": (0, 0, 0),
    "shuffle_log": (0,),
    "fixed_shuffles": (0,),
}


def changed_value(name: str, value: Any) -> Any:
    """Return another value for an attribute of a table."""
    if type(value) is bool:
        return not value
    if name == "seen":  # always of five viewers
        return (value[0] ^ 1, *value[1:])
    if isinstance(value, (list, tuple)):
        return type(value)([*value, ITEMS.get(name, 0)])
    return f"{value}x" if isinstance(value, str) else value + 32


def test_tables_that_differ_in_what_a_view_shows_are_not_indistinguishable() -> None:
    table = Game.new("dagger", 2, 1).position().table
    names = attributes(table).keys() - {"cast", "faces"}
    assert names > NOT_SHOWN
    assert are_surely_indistinguishable(table, table.copy(), 0)
    for name in names:
        other = table.copy()
        setattr(other, name, changed_value(name, getattr(table, name)))
        assert are_surely_indistinguishable(table, other, 0) == (name in NOT_SHOWN), name


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
