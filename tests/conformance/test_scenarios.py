"""All scenarios pass, every ruling has a scenario, and a scenario reports each expectation that does not hold."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from argentum.records import scenario
from argentum.records.scenario import Scenario, ScenarioError
from argentum.rulebook.lookup import RULING_SECTIONS, rulings
from argentum.rules.boxes import BOX_LETTERS, BOX_NAMES

BOX_SECTIONS = [letter.upper() for letter in BOX_LETTERS]
SECTIONS = {"G": range(1, 26), **dict.fromkeys(BOX_SECTIONS, range(15)), "X": range(1, 21)}
LABELS = [f"{letter}{number}" for letter, numbers in SECTIONS.items() for number in numbers]


FILES = list(scenario.find_scenarios([Path(__file__).parent / "scenarios"]))
CASES_BY_FILE = {path: scenario.read_scenarios(path) for path in FILES}
CASES = {f"{path.stem}-{number}": case for path, cases in CASES_BY_FILE.items() for number, case in enumerate(cases, 1)}
TITLES = [case.title for case in CASES.values()]
FOLDERS = {"G": "game", "X": "mixed", **dict(zip(BOX_SECTIONS, BOX_NAMES, strict=True))}


@pytest.mark.parametrize("name", CASES)
def test_scenario(name: str) -> None:
    assert CASES[name].play() == [], CASES[name].title


def find_labels(title: str) -> list[str]:
    """Return the labels before the colon of a title; after it, B3 would be a spot."""
    return re.findall(rf"\b[{''.join(RULING_SECTIONS)}]\d+\b", title.partition(":")[0])


def test_the_rulings_are_complete_and_in_order() -> None:
    assert list(rulings()) == LABELS


@pytest.mark.parametrize("label", LABELS)
def test_every_ruling_has_a_scenario_that_names_it(label: str) -> None:
    assert any(label in find_labels(title) for title in TITLES)


def test_every_title_names_its_rulings_and_no_others() -> None:
    assert [title for title in TITLES if not find_labels(title) or set(find_labels(title)) - set(LABELS)] == []


def file_label(path: Path) -> str:
    """Return the label in the name of a file: X11 for `x11.toml`, and for `x11-coin.toml`, with cases of one box."""
    name, _, box = path.stem.partition("-")
    assert box in ("", *BOX_NAMES)
    return name[0].upper() + name[1:].removeprefix("0")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_cases_of_a_file_belong_to_its_label(path: Path) -> None:
    titles = [case.title for case in CASES_BY_FILE[path]]
    if path.parent.name == "rulebook":
        names = (f"{path.stem} rulebook", f"{path.stem} reference", ", rulebook")
        assert [title for title in titles if not any(name in title.partition(":")[0].lower() for name in names)] == []
    else:
        label = file_label(path)
        assert path.parent.name == FOLDERS[label[0]]
        assert [title for title in titles if label not in find_labels(title)] == []


# For each key, an expectation that holds and one that is reported.

START: Mapping[str, Any] = {
    "boxes": "dagger",
    "players": 2,
    "round": 4,
    "token": "dagger B idle",
    "deck": "8 2",
    "discard": "6 7",
    "villages": {"A": "3 10^ 1 5", "B": "9 2^ 4 12 6"},
    "private": {"A": "12 11"},
    "seen": {"A": "A1 B2"},
    "totals": {"A": 10, "B": 17},
}
DRAWN = ["A draw"]
CALLED = ["A call"]
OVER = ["A draw", "A discard", "B draw", "B discard", "A draw private", "A discard"]
HAND = ["discard", "use", "exchange A1", "exchange A2", "exchange A3", "exchange A4"]


class Check(NamedTuple):
    """A key of a step, the moves of the step, an expectation that holds and one that does not."""

    key: str
    do: list[str]
    right: object
    wrong: object


CHECKS = [
    Check("villages", DRAWN, {"A": "3 10^ 1 5"}, {"A": "3 10 1 5"}),
    Check("villages", DRAWN, {"B": "9 2^ 4 12 6"}, {"A": "3 10^ 1 5", "B": "9 2^ 4 12"}),
    Check("deck", DRAWN, "2", "8 2"),
    Check("deck", OVER, "", "2"),
    Check("discard", DRAWN, "6 7", "7 6"),
    Check("shown", DRAWN, "", "8"),
    Check("guards", DRAWN, "", "A1>A2"),
    Check("private", DRAWN, {"A": "12 11"}, {"A": "11 12"}),
    Check("private", DRAWN, {"B": ""}, {"B": "11"}),
    Check("hand", DRAWN, {"A": "8", "B": ""}, {"A": "8^"}),
    Check("hand", CALLED, {"A": ""}, {"A": "8"}),
    Check("direction", DRAWN, "clockwise", "counterclockwise"),
    Check("token", DRAWN, "dagger B idle", "dagger B used"),
    Check("caller", CALLED, "A", ""),
    Check("caller", DRAWN, "", "A"),
    Check("deck_up", DRAWN, False, True),
    Check("turn", CALLED, "B", "A"),
    Check("legal", DRAWN, HAND, HAND[:-1]),
    Check("legal", DRAWN, HAND, [*HAND, "stop"]),
    Check("legal", OVER, [], ["draw"]),
    Check("legal_has", DRAWN, ["use", "exchange A4"], ["use", "exchange A5"]),
    Check("legal_lacks", DRAWN, ["stop", "exchange A5"], ["stop", "use"]),
    Check("sees", DRAWN, {"A": {"A": "3 10^ ? ?"}, "B": {"A": "? 10^ ? ?"}}, {"B": {"A": "3 10^ ? ?"}}),
    Check("scores", OVER, {"A": 19, "B": 16}, {"A": 19, "B": 31}),
    Check("scores", DRAWN, {"A": "not scored"}, {"A": 0}),
    Check("totals", OVER, {"A": 29, "B": 33}, {"A": 28}),
    Check("totals", DRAWN, {"A": 10}, {"A": 29}),
    Check("winner", OVER, "A", "B"),
    Check("winner", DRAWN, "", "A"),
    Check("round_over", OVER, True, False),
    Check("round_over", DRAWN, False, True),
    Check("refused", ["A draw", "A stop"], "not legal now", "the game is over"),
    Check("refused", ["B draw"], "not seat B's turn", "not legal now"),
]


def play_step(do: list[str], **expected: object) -> list[str]:
    return Scenario({**START, "step": [{"do": do, **expected}]}).play()


def test_every_expectation_key_has_a_check() -> None:
    assert {check.key for check in CHECKS} == scenario.STEP_KEYS - {"do", "shuffle"}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.key}-{'-'.join(check.do[-1].split())}")
def test_an_expectation_that_does_not_hold_is_reported(check: Check) -> None:
    assert play_step(check.do, **{check.key: check.right}) == []
    differences = play_step(check.do, **{check.key: check.wrong})
    assert len(differences) == 1
    assert differences[0].startswith("step 1: ")
    assert {"refused": "refusal"}.get(check.key, check.key.partition("_")[0]) in differences[0]


def test_shown_cards_and_guards_are_compared() -> None:
    start = {**START, "boxes": "amulet", "token": "amulet B idle", "shown": "8", "guards": "A1>A2", "deck": "9 9"}
    start["villages"] = {"A": "3^ 10^", "B": "9 2^ 4 12 6"}
    steps = [{"shown": "8", "guards": "A1>A2"}, {"do": ["A draw 1"], "shown": "", "guards": "A1>A2"}]
    assert Scenario({**start, "step": steps}).play() == []
    differences = Scenario({**start, "step": [{"shown": "8 9", "guards": "A2>A1"}]}).play()
    assert differences == ["step 1: shown is '8', not '8 9'", "step 1: guards is 'A1>A2', not 'A2>A1'"]


# Scenarios that start from the text of a position.

MID_TURN = """
boxes bbbbbbbbbbbbbb; token bullet A idle; round 1 of 1; turn A; A 7:A 5^; B 12 3; C 6 10;
deck 11 9 9; discard 8; turns 1: 0 0 1; moves draw, use, B2
"""


def test_a_scenario_can_start_within_an_ability() -> None:
    steps = [{"legal": ["A1", "A2", "C1", "C2"]}, {"do": ["A A1"], "villages": {"A": "3 5^", "B": "12 7"}}]
    assert Scenario({"title": "B11", "position": MID_TURN, "step": steps}).play() == []
    assert Scenario({"position": MID_TURN, "step": [{"legal": ["A1"]}]}).play() == ["step 1: legal: also a2, c1, c2"]


@pytest.mark.parametrize("key", ["boxes", "players", "deck", "villages", "guards"])
def test_the_text_of_a_position_excludes_other_keys_of_the_position(key: str) -> None:
    with pytest.raises(ScenarioError, match=f"^{key}: the text of a position says all of it"):
        Scenario({"position": MID_TURN, key: START.get(key, "")})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (MID_TURN.replace("B2", "B3"), "moves: 'B3' cannot be made there"),
        (MID_TURN.replace("turn A", "turn E"), "turn: 'E' is not a seat"),
        (MID_TURN.replace("deck 11", "deck 14"), "deck: '14' is not a card"),
        ("nonsense", "nonsense: there is no such field"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_name_of_the_field(wrong: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(message)):
        Scenario({"position": wrong})


def test_a_difference_names_the_actual_and_the_expected_value() -> None:
    assert play_step(DRAWN, deck="8 2") == ["step 1: deck is '2', not '8 2'"]
    assert play_step(DRAWN, legal=[*HAND[1:], "stop"]) == ["step 1: legal: also discard; not stop"]


def test_all_differences_of_a_step_are_reported() -> None:
    assert [line.split()[2] for line in play_step(DRAWN, deck="8 2", turn="B", villages={"A": "3", "B": "9"})] == [
        "deck",
        "turn",
        "villages.A",
        "villages.B",
    ]


def test_a_step_after_one_that_fails_is_not_played() -> None:
    steps = [{"do": DRAWN, "deck": "8 2"}, {"do": ["A discard"], "turn": "A"}]
    assert Scenario({**START, "step": steps}).play() == ["step 1: deck is '2', not '8 2'"]


def test_a_move_that_is_refused_unexpectedly_is_reported() -> None:
    (difference,) = play_step(["A stop"])
    assert difference.startswith("step 1: 'A stop' was refused: 'stop' is not legal now; seat A may play: draw, ")


def test_only_the_last_move_of_a_step_may_be_refused() -> None:
    (difference,) = play_step(["A stop", "A draw"], refused="not legal now")
    assert difference.startswith("step 1: 'A stop' was refused")


def test_a_missing_refusal_is_reported() -> None:
    assert play_step(DRAWN, refused="not legal now") == ["step 1: 'A draw' was not refused"]
    assert play_step([], refused="not legal now") == ["step 1: '' was not refused"]


def play_first_look_step(do: list[str], **expected: object) -> list[str]:
    return Scenario({**START, "first_look": True, "step": [{"do": do, **expected}]}).play()


PEEKS = {"A": [f"peek A{spot}" for spot in range(1, 5)], "B": [f"peek B{spot}" for spot in range(1, 6)]}


@pytest.mark.parametrize("legal", [PEEKS["A"], PEEKS["B"], PEEKS["A"] + PEEKS["B"]])
def test_in_the_first_look_a_step_names_the_looks_of_one_seat_or_of_all(legal: list[str]) -> None:
    assert play_first_look_step([], legal=legal) == []
    assert play_first_look_step([], legal=legal[1:]) != []
    assert play_first_look_step([], legal=[*legal, "draw"]) != []
    assert play_first_look_step([], legal_lacks=legal[:1]) != []


def test_in_the_first_look_the_others_still_have_legal_moves_after_one_has_looked() -> None:
    assert play_first_look_step(["A peek A1 A2"], legal=PEEKS["B"]) == []
    assert play_first_look_step(["A peek A1 A2"], legal=[]) != []


THING: Mapping[str, Any] = {
    "boxes": "bullet",
    "players": 2,
    "deck": "8 10 11",
    "discard": "9",
    "villages": {"A": "7", "B": "12 3^ 5"},
}


def test_a_shuffle_has_its_fixed_result() -> None:
    step = {"do": ["A draw", "A use"], "shuffle": {"B": "5 3^ 12"}, "villages": {"B": "5 3^ 12"}}
    assert Scenario({**THING, "step": [step]}).play() == []


@pytest.mark.parametrize("shuffle", ["5 3^ 11", "3 5 12", "5 3^", "5 3^ 12 1", ""])
def test_an_impossible_shuffle_result_is_reported(shuffle: str) -> None:
    (difference,) = Scenario({**THING, "step": [{"do": ["A draw", "A use"], "shuffle": {"B": shuffle}}]}).play()
    assert difference.startswith("step 1: 'A use': the given shuffle ")
    assert difference.endswith("is not an order of the village 12 3 5")
