"""One text of a position, also in mid-turn: what it holds, and what is said of a bad one."""

import re
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.rules.position_dict import PositionError
from argentum.rules.position_text import read_position_text
from tests.random_games import games, seeds

GOOD = (
    "boxes aaaaaaaaaaaaaa; token amulet A idle; round 1 of 4; turn A; A 3^ 7:A 12; B 10 5:all; deck 9:B 2;"
    " discard 8 6v; shown 11^; guards A1>A2; turns 3: 2 3; totals 4 -2; seed 7; phase action"
)


def instead(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_a_position_reads_back_as_it_was_written() -> None:
    game = Game.resume(GOOD)
    assert game.text() == GOOD
    assert game.position()["villages"] == {"A": "3^ 7 12", "B": "10 5"}
    assert game.position()["guards"] == "A1>A2"
    assert game.village_text_for("B", "A") == "3^ ? ?"
    assert game.village_text_for("A", "B") == "? 5"
    assert game.totals == {"A": 4, "B": -2}
    assert game.view().previous == "B"
    assert [str(move) for move in game.legal()] == ["draw", "draw 1", "take", "call", "ability A1"]
    assert not game.has_full_history


def test_names_are_given_beside_it() -> None:
    assert Game.resume(GOOD, ["Ann", "Bo"]).names == ["Ann", "Bo"]
    assert Game.resume(GOOD).names == ["A", "B"]


def test_line_breaks_and_the_order_of_fields_do_not_matter() -> None:
    parts = [part.strip() for part in GOOD.split(";")]
    assert Game.resume(";\n".join(reversed(parts)) + ";\n").text() == GOOD


@pytest.mark.parametrize(
    "field",
    [
        "extra 1",
        "direction counterclockwise",
        "caller B",
        "acted; skipped",
        "deck_up",
        "out 13:A",
        "private A 4:A",
    ],
)
def test_each_thing_that_a_position_may_have_is_kept(field: str) -> None:
    game = Game.resume(f"{GOOD}; {field}")
    for part in field.split("; "):
        assert part in game.text().split("; ")
    assert Game.resume(game.text()).text() == game.text()


@pytest.mark.parametrize(
    ("mark", "village"),
    [
        ("7~", "A 3^ 7~:A 12"),
        ("7*", "A 3^ 7*:A 12"),
        ("7!", "A 3^ 7!:A 12"),
        ("7'", "A 3^ 7':A 12"),
        ("7%", "A 3^ 7%:A 12"),
        ("7@A-B", "A 3^ 7@A-B:A 12"),
    ],
)
def test_each_mark_of_a_card_is_kept(mark: str, village: str) -> None:
    written = instead("A 3^ 7:A 12", village)
    if "*" in mark:
        written = written.replace("amulet A idle", "amulet A used")
    assert Game.resume(written).text() == written


def test_what_the_marks_mean() -> None:
    game = Game.resume(instead("A 3^ 7:A 12", "A 3^' 7@A-B:A 12!"))
    view = game.view("A")
    assert view.used == ("A1",)
    assert view.resting == ("A2",)
    assert view.villages["A"][2].passed
    blurred = Game.resume(instead("A 3^ 7:A 12", "A 3^' 7%@A-B 12"))
    assert blurred.view("A").resting == ()


def test_a_first_look_that_is_half_taken() -> None:
    game = Game.new("amulet", 3, 5)
    game.play("peek B2")
    again = Game.resume(game.text())
    assert "peeked B2" in game.text()
    assert [str(move) for move in again.legal("B")] == ["and B1", "and B3", "and B4", "and B5"]
    assert again.view("B").asking == game.view("B").asking


def test_a_round_that_is_over() -> None:
    game = Game.at({"boxes": "dagger", "deck": "9", "discard": "8", "villages": {"A": "7", "B": "5 4"}})
    for move in ("draw", "discard"):
        game.play(move)
    again = Game.resume(game.text())
    assert again.over
    assert again.view("A") == game.view("A")
    assert (again.view().reason, again.view().scores) == ("deck", {"A": 7, "B": 9})


def test_the_old_reason_villagers_is_read_and_residents_is_written() -> None:
    old = instead("deck 9:B 2", "deck 9:B 2; reason villagers")
    game = Game.resume(old)
    assert game.view().reason == "residents"
    assert "reason residents" in game.text().split("; ")


def test_how_the_next_shuffles_come_out_is_kept() -> None:
    game = Game.at({"boxes": "bullet", "deck": "8 8 9 9", "discard": "6", "villages": {"A": "7 5", "B": "12 3"}})
    game.fix_shuffles([[5, 7], [3, 12]])
    again = Game.resume(game.text())
    for one in (game, again):
        for move in ("draw", "use", "A", "draw", "use", "B"):
            one.play(move)
        assert one.position()["villages"] == {"A": "5 7", "B": "3 12"}
    assert Game.resume(again.text()).text() == again.text()


def test_a_game_of_four_rounds_goes_on_to_its_end() -> None:
    game = Game.resume(GOOD)
    for move in ("call", "draw", "discard"):
        game.play(move)
    assert game.round == 2
    assert game.rounds_finished == 1
    assert Game.resume(game.text()).round == 2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("", "A: a position has a field for each seat's village, two to four from A on"),
        (instead("B 10 5:all; ", ""), "A: a position has a field for each seat's village"),
        (instead("; B 10", "; C 10"), "A: a position has a field for each seat's village"),
        (f"{GOOD}; colour red", "colour: there is no such field; there are A, B, C, D, "),
        (f"{GOOD}; turn B", "turn: the field stands twice"),
        (f"{GOOD}; private A 4; private A 5", "private A: the field stands twice"),
        (instead("token amulet A idle", "token sword A idle"), "token: 'sword A idle' is not a token"),
        (instead("token amulet A idle", "token amulet C idle"), "token: 'C' is not a seat"),
        (instead("token amulet A idle; ", ""), "token: '' is not a token"),
        (instead("aaaaaaaaaaaaaa", "gold"), "boxes: 'gold' names no deck"),
        (instead("round 1 of 4", "round one"), "round: 'one' is not 2 whole numbers"),
        (instead("turn A", "turn C"), "turn: 'C' is not a seat; the seats are A, B"),
        (instead("turn A; ", ""), "turn: '' is not a seat"),
        (instead("deck 9:B 2", "deck 9:B 14"), "deck: '14' is not a card"),
        (instead("A 3^ 7:A 12", "A 3^ x 12"), "A: 'x' is not a card"),
        (instead("A 3^ 7:A 12", "A 3^ 7:E 12"), "A: 'E' are no seats"),
        (instead("A 3^ 7:A 12", "A 3^ 7@C-B 12"), "A: 'C' is not a seat"),
        (instead("deck 9:B 2", "deck 7 7 7 7"), "deck: there are more than 4 cards of number 7"),
        (instead("deck 9:B 2", f"deck {'1 2 5 6 ' * 20}"), "deck: there are more than 4 cards of number"),
        (f"{GOOD}; hand 9", "hand: '9' does not say how the card came there: 7 drawn, 7^ taken"),
        (f"{GOOD}; hand 9 found", "hand: '9 found' does not say how the card came there"),
        (instead("guards A1>A2", "guards A1>A9"), "guards: there is no card at 'A9'"),
        (instead("guards A1>A2", "guards A1"), "guards: there is no card at ''"),
        (f"{GOOD}; direction left", "direction: 'left' is neither clockwise nor counterclockwise"),
        (f"{GOOD}; caller C", "caller: 'C' is not a seat"),
        (f"{GOOD}; reason rain", "reason: 'rain' is none of call, deck, turn cap, residents"),
        (instead("turns 3: 2 3", "turns 3: 2"), "turns: '3  2' is not 3 whole numbers"),
        (instead("totals 4 -2", "totals 4 x"), "totals: '4 x' is not 2 whole numbers"),
        (f"{GOOD}; extra many", "extra: 'many' is not 1 whole number"),
        (f"{GOOD}; over C 3 4", "over: 'C' is not a seat"),
        (f"{GOOD}; over A 3", "over: '3' is not 2 whole numbers"),
        (f"{GOOD}; shuffles 3 x", "shuffles: '3 x' is not 2 whole numbers"),
        (f"{GOOD}; looking C", "looking: 'C' is not a seat"),
        (f"{GOOD}; peeked A9", "peeked: there is no card at 'A9'"),
        (instead("phase action", "phase later"), "phase: 'later' is none of between, action, hand, closing"),
        (f"{GOOD}; named B9", "named: there is no card at 'B9'"),
        (f"{GOOD}; moves fly", "moves: 'fly' is not a move"),
        (f"{GOOD}; moves draw, B9", "moves: 'B9' cannot be made there"),
        (f"{GOOD}; moves discard", "moves: 'discard' cannot be made there"),
    ],
)
def test_a_bad_text_is_an_error_that_names_the_field(wrong: str, message: str) -> None:
    with pytest.raises(PositionError, match="^" + re.escape(message)):
        Game.resume(wrong)


def test_a_snapshot_is_the_table_the_moves_since_and_the_last_round() -> None:
    snapshot = read_position_text(f"{GOOD}; moves draw, discard")
    assert snapshot.last_round == 4
    assert len(snapshot.moves) == 2
    assert snapshot.table.round == 1


@settings(max_examples=200)
@given(games(most_moves=120), seeds)
def test_a_mangled_text_is_a_position_or_an_error_in_one_line(game: Game, seed: int) -> None:
    """Words of a text are dropped, doubled or exchanged; nothing but a PositionError comes of it."""
    random = Random(seed)
    words = game.text().split(" ")
    for _ in range(random.randint(1, 3)):
        one, other = random.randrange(len(words)), random.randrange(len(words))
        change = random.randrange(3)
        if change == 0:
            del words[one]
        elif change == 1:
            words.insert(one, words[other])
        else:
            words[one], words[other] = words[other], words[one]
    with suppress(PositionError):
        again = Game.resume(" ".join(words))
        assert again.over or again.legal()
