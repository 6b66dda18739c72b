"""Entries of room logs name the boxes that a game needs."""

import json

import pytest

from argentum import Game
from argentum.rooms.entries import GameStarted, read_entry, restore_game
from argentum.rooms.log.journal import Entry
from argentum.rules.boxes import BOX_BY_NAME, check_foreign_box
from argentum.rules.boxes.discovery import BoxWarning

DESCRIPTION = f"pewter p {BOX_BY_NAME['pewter'].digest}"


def start_entry(game: Game, **changes: object) -> GameStarted:
    """Return the entry that starts a game, as it is read from a log in which some keys have other values."""
    body = json.loads(json.dumps(GameStarted.from_game(game, 5).body()))
    entry = read_entry(Entry(1, GameStarted.kind, {**body, **changes}, 0.0))
    assert isinstance(entry, GameStarted)
    return entry


def test_a_start_entry_names_the_box_of_a_resident_or_of_the_token() -> None:
    for game in (Game.new("pewter", 2, seed=5), Game.new("dagger", 2, seed=5, token="pewter")):
        assert start_entry(game).foreign_boxes == (DESCRIPTION,)
        assert restore_game(start_entry(game)).text() == game.text()


def test_a_start_entry_of_published_boxes_names_no_boxes() -> None:
    assert "foreign_boxes" not in GameStarted.from_game(Game.new("dagger", 2, seed=5), 5).body()


def test_a_missing_box_is_named_with_what_to_install() -> None:
    entry = start_entry(Game.new("pewter", 2, seed=5), foreign_boxes=["brass r 0123abcd"])
    with pytest.raises(ValueError, match=r"this game needs the box 'brass' with the letter 'r', .* --box FILE"):
        restore_game(entry)


def test_a_box_under_another_letter_is_a_missing_box() -> None:
    with pytest.raises(ValueError, match="this game needs the box 'pewter' with the letter 'q'"):
        check_foreign_box("pewter q 0123abcd")


def test_other_rules_are_a_warning() -> None:
    entry = start_entry(Game.new("pewter", 2, seed=5), foreign_boxes=["pewter p 0123abcd"])
    with pytest.warns(BoxWarning, match="the rules of the box 'pewter' have changed since this game was saved"):
        assert restore_game(entry).cast.token == "pewter"


def test_a_description_without_three_words_is_refused() -> None:
    with pytest.raises(ValueError, match="'pewter' does not describe a box"):
        check_foreign_box("pewter")
