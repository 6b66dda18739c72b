from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from argentum.cli import main
from argentum.records import scenario
from argentum.records.scenario import ScenarioError

VALID_SCENARIO = """
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
BULLET = VALID_SCENARIO.replace('"dagger"', '"bullet"')
AMULET = VALID_SCENARIO.replace('"dagger"', '"amulet"').replace("3 10^ 1 5", "3^ 10^ 1 5")  # a Bodyguard at A1


def replace_once(old: str, new: str, source: str = VALID_SCENARIO) -> str:
    assert source.count(old) == 1
    return source.replace(old, new)


def insert_line(line: str, source: str = VALID_SCENARIO) -> str:
    """Insert a line at the top of a scenario."""
    return f"{line}\n{source}"


class InvalidScenario(NamedTuple):
    id: str
    source: str
    key: str  # in the error
    reason: str  # in the error


INVALID_SCENARIOS = [
    InvalidScenario("invalid TOML", VALID_SCENARIO + "[[step]", "line 15", "Expected ']]'"),
    InvalidScenario("a key twice", insert_line('boxes = "coin"'), "line 4", "Cannot overwrite a value"),
    InvalidScenario("empty", "", "boxes: ", "the key is missing; it names a box or is a deck code of 14 letters"),
    InvalidScenario(
        "unknown key", insert_line('colour = "red"'), "colour: ", "there is no such key; there are boxes, caller, deck,"
    ),
    InvalidScenario(
        "unknown key in a step",
        VALID_SCENARIO + "village.A = 3",
        "step 1: village: ",
        "there is no such key; there are caller,",
    ),
    InvalidScenario(
        "no steps", VALID_SCENARIO.partition("[[step]]")[0], "step: ", "there is none, so nothing would be checked"
    ),
    InvalidScenario("an empty step", VALID_SCENARIO + "[[step]]", "step 2: ", "it makes no move and checks nothing"),
    InvalidScenario("a number for a deck code", replace_once('"dagger"', "3"), "boxes: ", "'3' names no deck"),
    InvalidScenario(
        "no such box",
        replace_once('"dagger"', '"gold"'),
        "boxes: ",
        "'gold' names no deck: give a box (amulet, bullet, coin,",
    ),
    InvalidScenario("short deck code", replace_once('"dagger"', '"dddddd"'), "boxes: ", "'dddddd' names no deck"),
    InvalidScenario(
        "letters of no box",
        replace_once('"dagger"', '"dddddddddddddz"'),
        "boxes: ",
        "a deck code of 14 letters from a, b, c",
    ),
    InvalidScenario(
        "five players", replace_once("players = 2", "players = 5"), "players: ", "5 is not a whole number from 2 to 4"
    ),
    InvalidScenario(
        "players in words", replace_once("players = 2", 'players = "two"'), "players: ", "'two' is not a whole number"
    ),
    InvalidScenario(
        "players yes", replace_once("players = 2", "players = true"), "players: ", "True is not a whole number"
    ),
    InvalidScenario("round 5", insert_line("round = 5"), "round: ", "5 is not a whole number from 1 to 4"),
    InvalidScenario(
        "no such seat to play", insert_line('turn = "C"'), "turn: ", "'C' is not a seat; the seats are A, B"
    ),
    InvalidScenario("a seat as a number", insert_line("turn = 1"), "turn: ", "1 is not a seat"),
    InvalidScenario(
        "no such token",
        insert_line('token = "sword A idle"'),
        "token: ",
        "'sword A idle' is not a token; write it like 'dagger",
    ),
    InvalidScenario("token without a seat", insert_line('token = "dagger"'), "token: ", "'dagger' is not a token"),
    InvalidScenario("token in no state", insert_line('token = "dagger A lost"'), "token: ", "(or idle, or used)"),
    InvalidScenario(
        "token at no seat", insert_line('token = "dagger C idle"'), "token: ", "is not a seat; the seats are A, B"
    ),
    InvalidScenario("token as a number", insert_line("token = 3"), "token: ", "3 is not a token"),
    InvalidScenario(
        "direction",
        insert_line('direction = "left"'),
        "direction: ",
        "'left' is neither clockwise nor counterclockwise",
    ),
    InvalidScenario(
        "direction as a list", insert_line('direction = ["clockwise"]'), "direction: ", "is neither clockwise nor"
    ),
    InvalidScenario(
        "previous = turn", insert_line('previous = "A"'), "previous: ", "A is to play; name the last other seat"
    ),
    InvalidScenario("previous no seat", insert_line('previous = "E"'), "previous: ", "'E' is not a seat"),
    InvalidScenario("caller no seat", insert_line('caller = "Ann"'), "caller: ", "'Ann' is not a seat"),
    InvalidScenario(
        "a word for a flag", insert_line('first_look = "yes"'), "first_look: ", "'yes' is neither true nor false"
    ),
    InvalidScenario("a number for a flag", insert_line("deck_up = 1"), "deck_up: ", "1 is neither true nor false"),
    InvalidScenario(
        "card 14", replace_once("8 2 5 11", "8 14"), "deck: ", "'14' is not a card; a card is a number from 0 to 13"
    ),
    InvalidScenario("card -1", replace_once("6 7", "-1"), "discard: ", "'-1' is not a card"),
    InvalidScenario("card in words", replace_once("3 9 2^ 4", "3 Spy"), "villages.B: ", "'Spy' is not a card"),
    InvalidScenario("hidden card", replace_once("3 9 2^ 4", "3 ?"), "villages.B: ", "'?' is not a card"),
    InvalidScenario("card of many digits", replace_once("6 7", "1" * 5000), "discard: ", "is not a card"),
    InvalidScenario("cards as a number", replace_once('"6 7"', "6"), "discard: ", "6 is not a text of cards such as"),
    InvalidScenario(
        "cards as a list", replace_once('"3 9 2^ 4"', "[3, 9]"), "villages.B: ", "[3, 9] is not a text of cards"
    ),
    InvalidScenario(
        "faceup in the deck",
        replace_once("8 2 5 11", "8^ 2"),
        "deck: ",
        "'8^' has the mark ^; a card here may have no mark",
    ),
    InvalidScenario("faceup twice", replace_once("10^", "10^^"), "villages.A: ", "'10^^' has a mark twice"),
    InvalidScenario("facedown in a village", replace_once("10^", "10v"), "villages.A: ", "'10v' has the mark v"),
    InvalidScenario("sideways in the pile", replace_once("6 7", "6~ 7"), "discard: ", "'6~' has the mark ~"),
    InvalidScenario(
        "five Zombies",
        replace_once("8 2 5 11", "4 4 4 4"),
        "deck: ",
        "more than 4 cards of number 4: a deck has no more Z",
    ),
    InvalidScenario("three Furries", replace_once("6 7", "13 13 13"), "discard: ", "more than 2 cards of number 13"),
    InvalidScenario(
        "two cards under the token",
        replace_once("3 10^ 1 5", "3* 1*", BULLET),
        "villages.A: ",
        "there is only one token",
    ),
    InvalidScenario(
        "under two tokens", BULLET.replace("3 10^", "3* 10^").replace("2^", "2*"), "villages.B: ", "only one token"
    ),
    InvalidScenario(
        "under a dagger", replace_once("10^", "10*"), "villages.A: ", "only a silver amulet or bullet lies on a card"
    ),
    InvalidScenario(
        "under a bullet that is elsewhere",
        insert_line('token = "bullet B used"', BULLET).replace("10^", "10*"),
        "token: ",
        "so that must be 'bullet A used'",
    ),
    InvalidScenario(
        "under a bullet that was not used",
        insert_line('token = "bullet A active"', BULLET).replace("10^", "10*"),
        "token: ",
        "so that must be 'bullet A used'",
    ),
    InvalidScenario(
        "under an amulet that is elsewhere",
        insert_line('token = "amulet B used"', AMULET).replace("10^", "10*"),
        "token: ",
        "so that must be 'amulet A used'",
    ),
    InvalidScenario(
        "under an amulet that was not used",
        insert_line('token = "amulet A idle"', AMULET).replace("10^", "10*"),
        "token: ",
        "so that must be 'amulet A used'",
    ),
    InvalidScenario(
        "under a coin",
        insert_line('token = "coin A used"', AMULET).replace("10^", "10*"),
        "villages.A: ",
        "only a silver amulet or bullet lies on a card, and the token is the coin",
    ),
    InvalidScenario(
        "five shown cards",
        insert_line('shown = "9 9 10 11 12"', AMULET),
        "shown: ",
        "5 cards are shown beside the deck, and",
    ),
    InvalidScenario("a shown card with a mark", insert_line('shown = "9^"', AMULET), "shown: ", "'9^' has the mark ^"),
    InvalidScenario("shown as a number", insert_line("shown = 9", AMULET), "shown: ", "9 is not a text of cards"),
    InvalidScenario(
        "a guard that is no Bodyguard",
        insert_line('guards = "A2>A1"', AMULET),
        "guards: ",
        "the card at A2 is not a faceup guard",
    ),
    InvalidScenario(
        "a facedown Bodyguard",
        insert_line('guards = "B1>B2"', AMULET),
        "guards: ",
        "the card at B1 is not a faceup guard",
    ),
    InvalidScenario(
        "a Bodyguard under the bullet",
        insert_line('guards = "A1>A2"', insert_line('token = "bullet A used"', AMULET)).replace("3^ 10^", "3^* 10^"),
        "guards: ",
        "the card at A1 is not a faceup guard at work",
    ),
    InvalidScenario(
        "no Bodyguards in the deck", insert_line('guards = "A2>A1"'), "guards: ", "the card at A2 is not a faceup guard"
    ),
    InvalidScenario(
        "a guard twice",
        insert_line('guards = "A1>A2 A1>A3"', AMULET),
        "guards: ",
        "A1 stands twice, and a guard guards",
    ),
    InvalidScenario(
        "a guard of itself",
        insert_line('guards = "A1>A1"', AMULET),
        "guards: ",
        "guards another card of its own village",
    ),
    InvalidScenario(
        "a guard of another village",
        insert_line('guards = "A1>B1"', AMULET),
        "guards: ",
        "another card of its own village",
    ),
    InvalidScenario(
        "a guard of nothing", insert_line('guards = "A1>A9"', AMULET), "guards: ", "there is no card at 'A9'"
    ),
    InvalidScenario(
        "a guard without a card",
        insert_line('guards = "A1"', AMULET),
        "guards: ",
        "'A1' is not a guard; write the guard and",
    ),
    InvalidScenario(
        "guards as a list", insert_line('guards = ["A1>A2"]', AMULET), "guards: ", "is not a text of guards such as"
    ),
    InvalidScenario(
        "both Villagers faceup in one village",
        replace_once("3 9 2^ 4", "0^ 9 0^", AMULET),
        "villages.B: ",
        "both Villagers lie faceup in villages, so the round would be over (A0)",
    ),
    InvalidScenario(
        "both Villagers faceup in two villages",
        replace_once("3 9 2^ 4", "0^ 9", AMULET).replace("10^", "0^"),
        "villages.B: ",
        "both Villagers lie faceup in villages",
    ),
    InvalidScenario("a card in hand", insert_line('hand.A = "7"'), "hand: ", "there is no such key"),
    InvalidScenario(
        "village of no seat", replace_once("B = ", "C = "), "villages: ", "'C' is not a seat; the seats are A, B"
    ),
    InvalidScenario("village of one seat twice", replace_once("B = ", "a = "), "villages: ", "seat A is named twice"),
    InvalidScenario(
        "villages as a text", 'boxes = "coin"\nvillages = "3"', "villages: ", "'3' is not a table of seats"
    ),
    InvalidScenario("private deck of no seat", insert_line('private.C = "3"'), "private: ", "'C' is not a seat"),
    InvalidScenario("private deck faceup", insert_line('private.A = "3^"'), "private.A: ", "'3^' has the mark ^"),
    InvalidScenario("seen where nothing is", insert_line('seen.A = "A1 B5"'), "seen.A: ", "there is no card at 'B5'"),
    InvalidScenario("seen at no spot", insert_line('seen.A = "left"'), "seen.A: ", "there is no card at 'left'"),
    InvalidScenario("seen at the spot 0", insert_line('seen.A = "A0"'), "seen.A: ", "there is no card at 'A0'"),
    InvalidScenario(
        "seen at a seat that nobody has", insert_line('seen.A = "C1"'), "seen.A: ", "there is no card at 'C1'"
    ),
    InvalidScenario("seen by no seat", insert_line('seen.C = "A1"'), "seen: ", "'C' is not a seat"),
    InvalidScenario("seen at a number", insert_line("seen.A = 1"), "seen.A: ", "there is no card at '1'"),
    InvalidScenario("points in words", insert_line('totals.A = "none"'), "totals", "'none' is not a number of points"),
    InvalidScenario("points in halves", insert_line("totals.A = 1.5"), "totals", "1.5 is not a number of points"),
    InvalidScenario("points of no seat", insert_line("totals.C = 1"), "totals: ", "'C' is not a seat"),
    InvalidScenario("one step only", replace_once("[[step]]", "[step]"), "step: ", "steps are written [[step]]"),
    InvalidScenario(
        "a step as a number",
        insert_line("step = [1]", VALID_SCENARIO.partition("[[")[0]),
        "step",
        "steps are written [[step]]",
    ),
    InvalidScenario(
        "do as a text", replace_once('["A draw"]', '"A draw"'), "step 1: do: ", "'A draw' is not a list of texts"
    ),
    InvalidScenario("do as a number", replace_once('["A draw"]', "[1]"), "step 1: do: ", "[1] is not a list of texts"),
    InvalidScenario(
        "legal as a text", VALID_SCENARIO + 'legal = "discard"', "step 1: legal: ", "'discard' is not a list of texts"
    ),
    InvalidScenario(
        "legal_has as a text", VALID_SCENARIO + 'legal_has = "use"', "step 1: legal_has: ", "is not a list of texts"
    ),
    InvalidScenario(
        "legal_lacks as a flag",
        VALID_SCENARIO + "legal_lacks = true",
        "step 1: legal_lacks: ",
        "is not a list of texts",
    ),
    InvalidScenario("a second step", VALID_SCENARIO + "[[step]]\ndo = 3", "step 2: do: ", "3 is not a list of texts"),
]
# A step with an invalid expectation makes the file invalid; the scenario does not fail.
INVALID_STEPS = [
    InvalidScenario(key, VALID_SCENARIO + line, f"step 1: {key}", reason)
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


def run_scenarios(*paths: Path) -> Result:
    return CliRunner().invoke(main, ["scenario", *map(str, paths)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.toml"


def test_a_valid_scenario_passes(file: Path) -> None:
    file.write_text(VALID_SCENARIO, encoding="utf-8")
    assert [case.play() for case in scenario.read_scenarios(file)] == [[]]
    result = run_scenarios(file)
    assert result.exit_code == 0
    assert result.stdout == f"ok      {file}  Two villages\n1 passed, 0 failed\n"


@pytest.mark.parametrize("invalid", INVALID_SCENARIOS + INVALID_STEPS, ids=lambda invalid: str(invalid.id))
def test_an_invalid_scenario_is_an_error_in_one_line_and_exits_with_2(invalid: InvalidScenario, file: Path) -> None:
    file.write_text(invalid.source, encoding="utf-8")
    with pytest.raises(ScenarioError) as error:
        scenario.read_scenarios(file)[0].play()
    message = str(error.value)
    assert message.startswith(f"{file}: ")
    assert invalid.key in message
    assert invalid.reason in message
    assert "\n" not in message
    result = run_scenarios(file)
    assert result.exit_code == 2
    assert result.stderr == f"unreadable  {message}\n"
    assert result.stdout == "0 passed, 0 failed, 1 unreadable\n"


SEVERAL_CASES = """
boxes = "dagger"
players = 2
deck = "8 2"

[[case]]
title = "a drawn card"
discard = "6 7"
villages = { A = "3 10^", B = "9 2^" }

[[case.step]]
do = ["A draw"]
hand.A = "8"

[[case]]
title = "another deck"
deck = "5 2"
discard = "6 7"
villages = { A = "3 10^", B = "9 2^" }

[[case.step]]
do = ["A draw"]
hand.A = "5"

[[case]]
title = "a position text"
position = '''
boxes bbbbbbbbbbbbbb; token bullet A idle; round 1 of 1; turn A; A 7:A 5^; B 12 3; C 6 10;
deck 11 9 9; discard 8; turns 1: 0 0 1
'''

[[case.step]]
legal_has = ["draw"]
"""


def test_cases_take_the_keys_at_the_top_as_defaults(file: Path) -> None:
    file.write_text(SEVERAL_CASES, encoding="utf-8")
    cases = scenario.read_scenarios(file)
    assert [case.title for case in cases] == ["a drawn card", "another deck", "a position text"]
    assert [case.play() for case in cases] == [[], [], []]
    assert [case.game.players for case in cases] == [2, 2, 3]
    result = run_scenarios(file)
    assert result.stdout.splitlines()[-1] == "3 passed, 0 failed"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('hand.A = "5"', 'hands.A = "5"', "case 2 (another deck): step 1: hands: there is no such key"),
        ('title = "another deck"', 'colour = "red"', "case 2: colour: there is no such key"),
        ('boxes = "dagger"', 'box = "dagger"', "box: there is no such key"),
        ('boxes = "dagger"', 'boxes = "dagger"\nstep = []', "step: in a file with cases, the steps of a case are"),
        (SEVERAL_CASES, "case = [1]", "case: cases are written [[case]]"),
        (SEVERAL_CASES, "case = []", "case: cases are written [[case]]"),
    ],
)
def test_an_error_in_a_case_names_the_case(old: str, new: str, message: str, file: Path) -> None:
    file.write_text(SEVERAL_CASES.replace(old, new), encoding="utf-8")
    with pytest.raises(ScenarioError) as error:
        scenario.read_scenarios(file)
    assert str(error.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"title = '\xe9'", b"\x00\x00", b"\x89PNG\r\n\x1a\n"])
def test_bytes_that_are_not_text_are_an_error_in_one_line(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(ScenarioError) as error:
        scenario.read_scenarios(file)
    assert str(error.value).startswith(f"{file}: ")
    assert "\n" not in str(error.value)
    assert run_scenarios(file).exit_code == 2


def test_a_missing_file_is_an_error_that_names_it(file: Path) -> None:
    with pytest.raises(ScenarioError, match="No such file") as error:
        scenario.read_scenarios(file)
    assert str(error.value).startswith(f"{file}: ")
    result = run_scenarios(file)
    assert result.exit_code == 2
    assert str(file) in result.stderr


def test_a_folder_without_scenarios_exits_with_2(tmp_path: Path) -> None:
    result = run_scenarios(tmp_path)
    assert result.exit_code == 2
    assert f"There is no scenario (*.toml) in {tmp_path}" in result.stderr


@pytest.mark.parametrize("do", ["A fly", "Z draw", "draw", "", "B draw"])
def test_a_move_that_cannot_be_made_fails_the_scenario(do: str, file: Path) -> None:
    file.write_text(replace_once("A draw", do), encoding="utf-8")
    (difference,) = scenario.read_scenarios(file)[0].play()
    assert difference.startswith(f"step 1: '{do}'")
    assert run_scenarios(file).exit_code == 1


def test_a_failed_scenario_exits_with_1_and_says_what_differed(file: Path) -> None:
    file.write_text(replace_once('hand.A = "8"', 'hand.A = "9"'), encoding="utf-8")
    result = run_scenarios(file)
    assert result.exit_code == 1
    assert result.stdout == (
        f"FAILED  {file}  Two villages\n        step 1: hand.A is '8', not '9'\n0 passed, 1 failed\n"
    )
    assert result.stderr == ""


def test_a_folder_is_played_completely_and_the_worst_result_counts(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    good, failed, unreadable = tmp_path / "a.toml", tmp_path / "deeper" / "b.toml", tmp_path / "c.toml"
    good.write_text(VALID_SCENARIO, encoding="utf-8")
    assert run_scenarios(tmp_path).exit_code == 0
    failed.write_text(replace_once('"8"', '"9"'), encoding="utf-8")
    assert run_scenarios(tmp_path).exit_code == 1
    unreadable.write_text(insert_line("colour = 3"), encoding="utf-8")
    result = run_scenarios(tmp_path)
    assert result.exit_code == 2
    assert result.stdout.endswith("1 passed, 1 failed, 1 unreadable\n")
    assert [line.split()[1] for line in result.stdout.splitlines() if line[:2] in ("ok", "FA")] == [
        str(good),
        str(failed),
    ]


def test_quiet_prints_only_failures(tmp_path: Path) -> None:
    good, failed = tmp_path / "a.toml", tmp_path / "b.toml"
    good.write_text(VALID_SCENARIO, encoding="utf-8")
    failed.write_text(replace_once('"8"', '"9"'), encoding="utf-8")
    result = CliRunner().invoke(main, ["scenario", "-q", str(tmp_path)])
    assert "a.toml" not in result.stdout
    assert f"FAILED  {failed}" in result.stdout
    assert result.stdout.endswith("1 passed, 1 failed\n")
