import re
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.rules.position_dict import PositionError
from argentum.rules.position_text import FIELD_NAMES, FLAGS, read_position_text
from argentum.rules.views import village_texts
from tests.random_games import games, seeds

POSITION = (
    "boxes aaaaaaaaaaaaaa; token amulet A idle; round 1 of 4; turn A; A 3^ 7:A 12; B 10 5:all; deck 9:B 2;"
    " discard 8 6v; shown 11^; guards A1>A2; turns 3: 2 3; totals 4 -2; seed 7; phase action"
)


def replace_once(old: str, new: str) -> str:
    assert POSITION.count(old) == 1
    return POSITION.replace(old, new)


def test_a_position_reads_back_as_it_was_written() -> None:
    game = Game.resume(POSITION)
    assert game.text() == POSITION
    assert game.position().as_dict()["villages"] == {"A": "3^ 7 12", "B": "10 5"}
    assert game.position().as_dict()["guards"] == "A1>A2"
    assert village_texts(game.view("B"))["A"] == "3^ ? ?"
    assert village_texts(game.view("A"))["B"] == "? 5"
    assert game.totals == {"A": 4, "B": -2}
    assert game.view().previous == "B"
    assert [str(move) for move in game.legal()] == ["draw", "draw 1", "take", "call", "ability A1"]
    assert not game.deals


def test_resume_takes_the_names_from_an_argument() -> None:
    assert Game.resume(POSITION, ["Ann", "Bo"]).names == ["Ann", "Bo"]
    assert Game.resume(POSITION).names == ["A", "B"]


def test_line_breaks_and_the_order_of_fields_do_not_matter() -> None:
    parts = [part.strip() for part in POSITION.split(";")]
    assert Game.resume(";\n".join(reversed(parts)) + ";\n").text() == POSITION


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
def test_each_optional_field_survives_a_round_trip(field: str) -> None:
    game = Game.resume(f"{POSITION}; {field}")
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
def test_each_mark_of_a_card_survives_a_round_trip(mark: str, village: str) -> None:
    text = replace_once("A 3^ 7:A 12", village)
    if "*" in mark:
        text = text.replace("amulet A idle", "amulet A used")
    assert Game.resume(text).text() == text


def test_marks_of_used_cooling_down_and_passed_over_cards_appear_in_the_view() -> None:
    game = Game.resume(replace_once("A 3^ 7:A 12", "A 3^' 7@A-B:A 12!"))
    view = game.view("A")
    assert view.used == ("A1",)
    assert view.resting == ("A2",)
    assert view.villages["A"][2].passed
    shuffled = Game.resume(replace_once("A 3^ 7:A 12", "A 3^' 7%@A-B 12"))
    assert shuffled.view("A").resting == ()


def test_a_first_look_in_progress_is_resumed() -> None:
    game = Game.new("amulet", 3, 5)
    game.play("peek B2")
    resumed = Game.resume(game.text())
    assert "peeked B2" in game.text()
    assert [str(move) for move in resumed.legal("B")] == ["and B1", "and B3", "and B4", "and B5"]
    assert resumed.view("B").asking == game.view("B").asking


def test_a_finished_round_is_resumed() -> None:
    game = Game.at({"boxes": "dagger", "deck": "9", "discard": "8", "villages": {"A": "7", "B": "5 4"}})
    for move in ("draw", "discard"):
        game.play(move)
    resumed = Game.resume(game.text())
    assert resumed.over
    assert resumed.view("A") == game.view("A")
    assert (resumed.view().reason, resumed.view().scores) == ("deck", {"A": 7, "B": 9})


def test_the_old_reason_villagers_is_read_and_residents_is_written() -> None:
    old = replace_once("deck 9:B 2", "deck 9:B 2; reason villagers")
    game = Game.resume(old)
    assert game.view().reason == "residents"
    assert "reason residents" in game.text().split("; ")


def test_fixed_shuffles_survive_a_round_trip() -> None:
    game = Game.at({"boxes": "bullet", "deck": "8 8 9 9", "discard": "6", "villages": {"A": "7 5", "B": "12 3"}})
    game = game.with_faces({}, [[5, 7], [3, 12]])
    resumed = Game.resume(game.text())
    for played in (game, resumed):
        for move in ("draw", "use", "A", "draw", "use", "B"):
            played.play(move)
        assert played.position().as_dict()["villages"] == {"A": "5 7", "B": "3 12"}
    assert Game.resume(resumed.text()).text() == resumed.text()


def test_a_resumed_game_goes_on_to_the_next_round() -> None:
    game = Game.resume(POSITION)
    for move in ("call", "draw", "discard"):
        game.play(move)
    assert game.round == 2
    assert game.rounds_finished == 1
    assert Game.resume(game.text()).round == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A: a position has a field for each seat's village, two to four from A on"),
        (replace_once("B 10 5:all; ", ""), "A: a position has a field for each seat's village"),
        (replace_once("; B 10", "; C 10"), "A: a position has a field for each seat's village"),
        (f"{POSITION}; colour red", "colour: there is no such field; there are A, B, C, D, "),
        (f"{POSITION}; turn B", "turn: the field stands twice"),
        (f"{POSITION}; private A 4; private A 5", "private A: the field stands twice"),
        (replace_once("token amulet A idle", "token sword A idle"), "token: 'sword A idle' is not a token"),
        (replace_once("token amulet A idle", "token amulet C idle"), "token: 'C' is not a seat"),
        (replace_once("token amulet A idle; ", ""), "token: '' is not a token"),
        (replace_once("aaaaaaaaaaaaaa", "gold"), "boxes: 'gold' names no deck"),
        (replace_once("round 1 of 4", "round one"), "round: 'one' is not 2 whole numbers"),
        (replace_once("turn A", "turn C"), "turn: 'C' is not a seat; the seats are A, B"),
        (replace_once("turn A; ", ""), "turn: '' is not a seat"),
        (replace_once("deck 9:B 2", "deck 9:B 14"), "deck: '14' is not a card"),
        (replace_once("A 3^ 7:A 12", "A 3^ x 12"), "A: 'x' is not a card"),
        (replace_once("A 3^ 7:A 12", "A 3^ 7:E 12"), "A: 'E' are no seats"),
        (replace_once("A 3^ 7:A 12", "A 3^ 7@C-B 12"), "A: 'C' is not a seat"),
        (replace_once("deck 9:B 2", "deck 7 7 7 7"), "deck: there are more than 4 cards of number 7"),
        (replace_once("deck 9:B 2", f"deck {'1 2 5 6 ' * 20}"), "deck: there are more than 4 cards of number"),
        (f"{POSITION}; hand 9", "hand: '9' does not say how the card came there: 7 drawn, 7^ taken"),
        (f"{POSITION}; hand 9 found", "hand: '9 found' does not say how the card came there"),
        (replace_once("guards A1>A2", "guards A1>A9"), "guards: there is no card at 'A9'"),
        (replace_once("guards A1>A2", "guards A1"), "guards: 'A1' is not a guard; write"),
        (f"{POSITION}; direction left", "direction: 'left' is neither clockwise nor counterclockwise"),
        (f"{POSITION}; caller C", "caller: 'C' is not a seat"),
        (f"{POSITION}; reason rain", "reason: 'rain' is none of call, deck, turn cap, residents"),
        (replace_once("turns 3: 2 3", "turns 3: 2"), "turns: '3  2' is not 3 whole numbers"),
        (replace_once("totals 4 -2", "totals 4 x"), "totals: '4 x' is not 2 whole numbers"),
        (f"{POSITION}; extra many", "extra: 'many' is not 1 whole number"),
        (f"{POSITION}; over C 3 4", "over: 'C' is not a seat"),
        (f"{POSITION}; over A 3", "over: '3' is not 2 whole numbers"),
        (f"{POSITION}; shuffles 3 x", "shuffles: '3 x' is not 2 whole numbers"),
        (f"{POSITION}; looking C", "looking: 'C' is not a seat"),
        (f"{POSITION}; peeked A9", "peeked: there is no card at 'A9'"),
        (replace_once("phase action", "phase later"), "phase: 'later' is none of between, action, hand, closing"),
        (f"{POSITION}; named B9", "named: there is no card at 'B9'"),
        (f"{POSITION}; moves fly", "moves: 'fly' is not a move"),
        (f"{POSITION}; moves draw, B9", "moves: 'B9' cannot be made there"),
        (f"{POSITION}; moves discard", "moves: 'discard' cannot be made there"),
    ],
)
def test_an_invalid_text_is_an_error_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(PositionError, match="^" + re.escape(message)):
        Game.resume(text)


def test_parsing_returns_the_table_the_moves_and_the_last_round() -> None:
    parsed = read_position_text(f"{POSITION}; moves draw, discard")
    assert parsed.last_round == 4
    assert len(parsed.moves) == 2
    assert parsed.table.round == 1


@settings(max_examples=200)
@given(games(max_moves=120), seeds)
def test_a_corrupted_text_is_a_position_or_raises_position_error(game: Game, seed: int) -> None:
    random = Random(seed)
    words = game.text().split(" ")
    for _ in range(random.randint(1, 3)):
        first, second = random.randrange(len(words)), random.randrange(len(words))
        change = random.randrange(3)
        if change == 0:
            del words[first]
        elif change == 1:
            words.insert(first, words[second])
        else:
            words[first], words[second] = words[second], words[first]
    with suppress(PositionError):
        resumed = Game.resume(" ".join(words))
        assert resumed.over or resumed.legal()


def test_the_documentation_lists_each_field() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    section = page.partition("## The text of a position\n")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(\w+)", "".join(re.findall(r"^\| .*? \|", section, re.MULTILINE))))
    assert set(FIELD_NAMES) | set(FLAGS) <= documented
