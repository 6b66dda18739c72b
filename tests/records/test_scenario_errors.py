"""A scenario that cannot be read says so in one line: the file, the key and the reason."""

from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from argentum.cli import main
from argentum.records import scenario
from argentum.records.scenario import ScenarioError

GOOD = """
title = "Two villages"
boxes = "dagger"
players = 2
deck = "8 2 5 11"
discard = "6 7"

[villages]
A = "3 10^ 1 5"
B = "3 9 2^ 4"

[[step]]
do = ["A draw"]
hand.A = "8"
"""
BULLET = GOOD.replace('"dagger"', '"bullet"')
AMULET = GOOD.replace('"dagger"', '"amulet"').replace("3 10^ 1 5", "3^ 10^ 1 5")  # a Bodyguard at A1


def instead(old: str, new: str, source: str = GOOD) -> str:
    assert source.count(old) == 1
    return source.replace(old, new)


def also(line: str, source: str = GOOD) -> str:
    """A scenario with one line more at its top."""
    return f"{line}\n{source}"


class Bad(NamedTuple):
    """What is wrong, the file, and what its error must name: the key and the reason."""

    id: str
    source: str
    key: str
    reason: str


BAD = [
    Bad("bad TOML", GOOD + "[[step]", "line 15", "Expected ']]'"),
    Bad("a key twice", also('boxes = "coin"'), "line 4", "Cannot overwrite a value"),
    Bad("empty", "", "boxes: ", "the key is missing; it names a box or is a deck code of 14 letters"),
    Bad("unknown key", also('colour = "red"'), "colour: ", "there is no such key; there are boxes, caller, deck,"),
    Bad(
        "unknown key in a step", GOOD + "village.A = 3", "step 1: village: ", "there is no such key; there are caller,"
    ),
    Bad("no steps", GOOD.partition("[[step]]")[0], "step: ", "there is none, so nothing would be checked"),
    Bad("an empty step", GOOD + "[[step]]", "step 2: ", "it makes no move and checks nothing"),
    Bad("a number for a deck code", instead('"dagger"', "3"), "boxes: ", "'3' names no deck"),
    Bad(
        "no such box",
        instead('"dagger"', '"gold"'),
        "boxes: ",
        "'gold' names no deck: give a box (amulet, bullet, coin,",
    ),
    Bad("short deck code", instead('"dagger"', '"dddddd"'), "boxes: ", "'dddddd' names no deck"),
    Bad(
        "letters of no box",
        instead('"dagger"', '"dddddddddddddz"'),
        "boxes: ",
        "a deck code of 14 letters from a, b, c",
    ),
    Bad("five players", instead("players = 2", "players = 5"), "players: ", "5 is not a whole number from 2 to 4"),
    Bad("players in words", instead("players = 2", 'players = "two"'), "players: ", "'two' is not a whole number"),
    Bad("players yes", instead("players = 2", "players = true"), "players: ", "True is not a whole number"),
    Bad("round 5", also("round = 5"), "round: ", "5 is not a whole number from 1 to 4"),
    Bad("no such seat to play", also('turn = "C"'), "turn: ", "'C' is not a seat; the seats are A, B"),
    Bad("a seat as a number", also("turn = 1"), "turn: ", "1 is not a seat"),
    Bad(
        "no such token",
        also('token = "sword A idle"'),
        "token: ",
        "'sword A idle' is not a token; write it like 'dagger",
    ),
    Bad("token without a seat", also('token = "dagger"'), "token: ", "'dagger' is not a token"),
    Bad("token in no state", also('token = "dagger A lost"'), "token: ", "(or idle, or used)"),
    Bad("token at no seat", also('token = "dagger C idle"'), "token: ", "is not a seat; the seats are A, B"),
    Bad("token as a number", also("token = 3"), "token: ", "3 is not a token"),
    Bad("direction", also('direction = "left"'), "direction: ", "'left' is neither clockwise nor counterclockwise"),
    Bad("direction as a list", also('direction = ["clockwise"]'), "direction: ", "is neither clockwise nor"),
    Bad("previous = turn", also('previous = "A"'), "previous: ", "A is to play; name the last other seat"),
    Bad("previous no seat", also('previous = "E"'), "previous: ", "'E' is not a seat"),
    Bad("caller no seat", also('caller = "Ann"'), "caller: ", "'Ann' is not a seat"),
    Bad("a word for a flag", also('first_look = "yes"'), "first_look: ", "'yes' is neither true nor false"),
    Bad("a number for a flag", also("deck_up = 1"), "deck_up: ", "1 is neither true nor false"),
    Bad("card 14", instead("8 2 5 11", "8 14"), "deck: ", "'14' is not a card; a card is a number from 0 to 13"),
    Bad("card -1", instead("6 7", "-1"), "discard: ", "'-1' is not a card"),
    Bad("card in words", instead("3 9 2^ 4", "3 Spy"), "villages.B: ", "'Spy' is not a card"),
    Bad("hidden card", instead("3 9 2^ 4", "3 ?"), "villages.B: ", "'?' is not a card"),
    Bad("card of many digits", instead("6 7", "1" * 5000), "discard: ", "is not a card"),
    Bad("cards as a number", instead('"6 7"', "6"), "discard: ", "6 is not a text of cards such as"),
    Bad("cards as a list", instead('"3 9 2^ 4"', "[3, 9]"), "villages.B: ", "[3, 9] is not a text of cards"),
    Bad(
        "faceup in the deck", instead("8 2 5 11", "8^ 2"), "deck: ", "'8^' has the mark ^; a card here may have no mark"
    ),
    Bad("faceup twice", instead("10^", "10^^"), "villages.A: ", "'10^^' has a mark twice"),
    Bad("facedown in a village", instead("10^", "10v"), "villages.A: ", "'10v' has the mark v"),
    Bad("sideways in the pile", instead("6 7", "6~ 7"), "discard: ", "'6~' has the mark ~"),
    Bad(
        "five Zombies", instead("8 2 5 11", "4 4 4 4"), "deck: ", "more than 4 cards of number 4: a deck has no more Z"
    ),
    Bad("three Furries", instead("6 7", "13 13 13"), "discard: ", "more than 2 cards of number 13"),
    Bad("two cards under the token", instead("3 10^ 1 5", "3* 1*", BULLET), "villages.A: ", "there is only one token"),
    Bad("under two tokens", BULLET.replace("3 10^", "3* 10^").replace("2^", "2*"), "villages.B: ", "only one token"),
    Bad("under a dagger", instead("10^", "10*"), "villages.A: ", "only a silver amulet or bullet lies on a card"),
    Bad(
        "under a bullet that is elsewhere",
        also('token = "bullet B used"', BULLET).replace("10^", "10*"),
        "token: ",
        "so that must be 'bullet A used'",
    ),
    Bad(
        "under a bullet that was not used",
        also('token = "bullet A active"', BULLET).replace("10^", "10*"),
        "token: ",
        "so that must be 'bullet A used'",
    ),
    Bad(
        "under an amulet that is elsewhere",
        also('token = "amulet B used"', AMULET).replace("10^", "10*"),
        "token: ",
        "so that must be 'amulet A used'",
    ),
    Bad(
        "under an amulet that was not used",
        also('token = "amulet A idle"', AMULET).replace("10^", "10*"),
        "token: ",
        "so that must be 'amulet A used'",
    ),
    Bad(
        "under a coin",
        also('token = "coin A used"', AMULET).replace("10^", "10*"),
        "villages.A: ",
        "only a silver amulet or bullet lies on a card, and the token is the coin",
    ),
    Bad(
        "five shown cards", also('shown = "9 9 10 11 12"', AMULET), "shown: ", "5 cards are shown beside the deck, and"
    ),
    Bad("a shown card with a mark", also('shown = "9^"', AMULET), "shown: ", "'9^' has the mark ^"),
    Bad("shown as a number", also("shown = 9", AMULET), "shown: ", "9 is not a text of cards"),
    Bad(
        "a guard that is no Bodyguard",
        also('guards = "A2>A1"', AMULET),
        "guards: ",
        "the card at A2 is not a faceup guard",
    ),
    Bad("a facedown Bodyguard", also('guards = "B1>B2"', AMULET), "guards: ", "the card at B1 is not a faceup guard"),
    Bad(
        "a Bodyguard under the bullet",
        also('guards = "A1>A2"', also('token = "bullet A used"', AMULET)).replace("3^ 10^", "3^* 10^"),
        "guards: ",
        "the card at A1 is not a faceup guard at work",
    ),
    Bad("no Bodyguards in the deck", also('guards = "A2>A1"'), "guards: ", "the card at A2 is not a faceup guard"),
    Bad("a guard twice", also('guards = "A1>A2 A1>A3"', AMULET), "guards: ", "A1 stands twice, and a guard guards"),
    Bad("a guard of itself", also('guards = "A1>A1"', AMULET), "guards: ", "guards another card of its own village"),
    Bad("a guard of another village", also('guards = "A1>B1"', AMULET), "guards: ", "another card of its own village"),
    Bad("a guard of nothing", also('guards = "A1>A9"', AMULET), "guards: ", "there is no card at 'A9'"),
    Bad(
        "a guard without a card",
        also('guards = "A1"', AMULET),
        "guards: ",
        "'A1' is not a guard; write the guard and",
    ),
    Bad("guards as a list", also('guards = ["A1>A2"]', AMULET), "guards: ", "is not a text of guards such as"),
    Bad(
        "both Villagers faceup in one village",
        instead("3 9 2^ 4", "0^ 9 0^", AMULET),
        "villages.B: ",
        "both Villagers lie faceup in villages, so the round would be over (A0)",
    ),
    Bad(
        "both Villagers faceup in two villages",
        instead("3 9 2^ 4", "0^ 9", AMULET).replace("10^", "0^"),
        "villages.B: ",
        "both Villagers lie faceup in villages",
    ),
    Bad("a card in hand", also('hand.A = "7"'), "hand: ", "there is no such key"),
    Bad("village of no seat", instead("B = ", "C = "), "villages: ", "'C' is not a seat; the seats are A, B"),
    Bad("village of one seat twice", instead("B = ", "a = "), "villages: ", "seat A is named twice"),
    Bad("villages as a text", 'boxes = "coin"\nvillages = "3"', "villages: ", "'3' is not a table of seats"),
    Bad("private deck of no seat", also('private.C = "3"'), "private: ", "'C' is not a seat"),
    Bad("private deck faceup", also('private.A = "3^"'), "private.A: ", "'3^' has the mark ^"),
    Bad("seen where nothing is", also('seen.A = "A1 B5"'), "seen.A: ", "there is no card at 'B5'"),
    Bad("seen at no spot", also('seen.A = "left"'), "seen.A: ", "there is no card at 'left'"),
    Bad("seen at the spot 0", also('seen.A = "A0"'), "seen.A: ", "there is no card at 'A0'"),
    Bad("seen at a seat that nobody has", also('seen.A = "C1"'), "seen.A: ", "there is no card at 'C1'"),
    Bad("seen by no seat", also('seen.C = "A1"'), "seen: ", "'C' is not a seat"),
    Bad("seen at a number", also("seen.A = 1"), "seen.A: ", "there is no card at '1'"),
    Bad("points in words", also('totals.A = "none"'), "totals", "'none' is not a number of points"),
    Bad("points in halves", also("totals.A = 1.5"), "totals", "1.5 is not a number of points"),
    Bad("points of no seat", also("totals.C = 1"), "totals: ", "'C' is not a seat"),
    Bad("one step only", instead("[[step]]", "[step]"), "step: ", "steps are written [[step]]"),
    Bad("a step as a number", also("step = [1]", GOOD.partition("[[")[0]), "step", "steps are written [[step]]"),
    Bad("do as a text", instead('["A draw"]', '"A draw"'), "step 1: do: ", "'A draw' is not a list of texts"),
    Bad("do as a number", instead('["A draw"]', "[1]"), "step 1: do: ", "[1] is not a list of texts"),
    Bad("legal as a text", GOOD + 'legal = "discard"', "step 1: legal: ", "'discard' is not a list of texts"),
    Bad("legal_has as a text", GOOD + 'legal_has = "use"', "step 1: legal_has: ", "is not a list of texts"),
    Bad("legal_lacks as a flag", GOOD + "legal_lacks = true", "step 1: legal_lacks: ", "is not a list of texts"),
    Bad("a second step", GOOD + "[[step]]\ndo = 3", "step 2: do: ", "3 is not a list of texts"),
]
# These are wrong only in what a step expects: that, too, is no failure of the rules but of the file.
BAD_STEPS = [
    Bad(key, GOOD + line, f"step 1: {key}", reason)
    for key, line, reason in [
        ("villages", 'villages = "3 9"', "'3 9' is not a table of seats"),
        ("villages", 'villages.C = "3"', "'C' is not a seat; the seats are A, B"),
        ("private", 'private = ""', "'' is not a table of seats"),
        ("private", 'private.a1 = "3"', "'a1' is not a seat"),
        ("hand", 'hand.Ann = "8"', "'Ann' is not a seat"),
        ("scores", "scores = 3", "3 is not a table of seats"),
        ("scores", "scores.D = 3", "'D' is not a seat"),
        ("totals", "totals = [1, 2]", "[1, 2] is not a table of seats"),
        ("totals", "totals.E = 3", "'E' is not a seat"),
        ("sees", 'sees.A = "3 ?"', "'3 ?' is not a table of seats"),
        ("sees", 'sees.A.C = "3 ?"', "'C' is not a seat"),
        ("sees", 'sees.C.A = "3 ?"', "'C' is not a seat"),
        ("shuffle", 'shuffle = "3 9"', "'3 9' is not a table of seats"),
        ("shuffle", 'shuffle.C = "3 9"', "'C' is not a seat"),
        ("shuffle", 'shuffle.A = "3 99"', "'99' is not a card"),
        ("shuffle", "shuffle.A = 3", "3 is not a text of cards"),
    ]
]


def run(*paths: Path) -> Result:
    return CliRunner().invoke(main, ["scenario", *map(str, paths)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.toml"


def test_the_good_one_is_good(file: Path) -> None:
    file.write_text(GOOD, encoding="utf-8")
    assert scenario.read_scenario(file).play() == []
    result = run(file)
    assert result.exit_code == 0
    assert result.stdout == f"ok      {file}  Two villages\n1 passed, 0 failed\n"


@pytest.mark.parametrize("bad", BAD + BAD_STEPS, ids=lambda bad: str(bad.id))
def test_a_bad_scenario_is_an_error_in_one_line_and_exits_with_2(bad: Bad, file: Path) -> None:
    file.write_text(bad.source, encoding="utf-8")
    with pytest.raises(ScenarioError) as error:
        scenario.read_scenario(file).play()
    message = str(error.value)
    assert message.startswith(f"{file}: ")
    assert bad.key in message
    assert bad.reason in message
    assert "\n" not in message
    result = run(file)
    assert result.exit_code == 2
    assert result.stderr == f"unreadable  {message}\n"
    assert result.stdout == "0 passed, 0 failed, 1 unreadable\n"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"title = '\xe9'", b"\x00\x00", b"\x89PNG\r\n\x1a\n"])
def test_bytes_that_are_no_text_are_an_error_in_one_line(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(ScenarioError) as error:
        scenario.read_scenario(file)
    assert str(error.value).startswith(f"{file}: ")
    assert "\n" not in str(error.value)
    assert run(file).exit_code == 2


def test_a_missing_file_is_an_error_that_names_it(file: Path) -> None:
    with pytest.raises(ScenarioError, match="No such file") as error:
        scenario.read_scenario(file)
    assert str(error.value).startswith(f"{file}: ")
    result = run(file)
    assert result.exit_code == 2
    assert str(file) in result.stderr


def test_a_folder_without_scenarios_exits_with_2(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 2
    assert f"no scenario (*.toml) in {tmp_path}" in result.stderr


@pytest.mark.parametrize("do", ["A fly", "Z draw", "draw", "", "B draw"])
def test_a_move_that_cannot_be_made_fails_the_scenario(do: str, file: Path) -> None:
    file.write_text(instead("A draw", do), encoding="utf-8")
    (told,) = scenario.read_scenario(file).play()
    assert told.startswith(f"step 1: '{do}'")
    assert run(file).exit_code == 1


def test_a_failed_scenario_exits_with_1_and_says_what_differed(file: Path) -> None:
    file.write_text(instead('hand.A = "8"', 'hand.A = "9"'), encoding="utf-8")
    result = run(file)
    assert result.exit_code == 1
    assert result.stdout == (
        f"FAILED  {file}  Two villages\n        step 1: hand.A is '8', not '9'\n0 passed, 1 failed\n"
    )
    assert result.stderr == ""


def test_a_folder_is_played_whole_and_the_worst_counts(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    good, failed, unreadable = tmp_path / "a.toml", tmp_path / "deeper" / "b.toml", tmp_path / "c.toml"
    good.write_text(GOOD, encoding="utf-8")
    assert run(tmp_path).exit_code == 0
    failed.write_text(instead('"8"', '"9"'), encoding="utf-8")
    assert run(tmp_path).exit_code == 1
    unreadable.write_text(also("colour = 3"), encoding="utf-8")
    result = run(tmp_path)
    assert result.exit_code == 2
    assert result.stdout.endswith("1 passed, 1 failed, 1 unreadable\n")
    assert [line.split()[1] for line in result.stdout.splitlines() if line[:2] in ("ok", "FA")] == [
        str(good),
        str(failed),
    ]


def test_quiet_prints_only_failures(tmp_path: Path) -> None:
    good, failed = tmp_path / "a.toml", tmp_path / "b.toml"
    good.write_text(GOOD, encoding="utf-8")
    failed.write_text(instead('"8"', '"9"'), encoding="utf-8")
    result = CliRunner().invoke(main, ["scenario", "-q", str(tmp_path)])
    assert "a.toml" not in result.stdout
    assert f"FAILED  {failed}" in result.stdout
    assert result.stdout.endswith("1 passed, 1 failed\n")
