"""Boxes of other packages and files: what is refused, and what the registry makes of the others."""

import os
from pathlib import Path

import pytest

from argentum.rules.boxes import PUBLISHED_BOXES
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.boxes.discovery import BoxError, check_box, digest_of, load_file
from argentum.rules.residents import TIMING_NONE, Box
from tests.support.fifth_box import installed_environment, run_python

HOUSE = """
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.residents import Box

BOX = Box({name!r}, {letter!r}, title="House residents", base=DAGGER)
BOX.plain_resident(9, "Cat")
"""
REPORT = """
from argentum.rules.boxes import ALL_BOXES, REJECTED_BOXES
print(*[box.name for box in ALL_BOXES])
print(*[reason for _, reason in REJECTED_BOXES], sep="; ")
"""


def write_house(folder: Path, name: str = "house", letter: str = "h", file: str = "house.py") -> Path:
    path = folder / file
    path.write_text(HOUSE.format(name=name, letter=letter))
    return path


def report_boxes(*paths: Path, folder: Path | None = None) -> list[str]:
    """Return the names of the boxes in a process with these files, and why boxes were left out."""
    environment = {"ARGENTUM_BOXES": os.pathsep.join(map(str, paths))}
    if folder is not None:
        environment |= installed_environment(folder)
    result = run_python("-c", REPORT, environment=environment)
    assert result.returncode == 0, result.stderr
    names, reasons = result.stdout.splitlines()
    assert result.stderr.count("was left out") == (reasons != "")
    return [names, reasons]


def house(name: str = "house", letter: str = "h", base: Box | None = DAGGER, number: int = 9) -> Box:
    box = Box(name, letter, base=base)
    box.plain_resident(number, "Cat")
    if base is not None:
        box.fill_from_base(14)
    return box


def test_a_box_may_replace_one_resident_of_a_published_box() -> None:
    box = house()
    check_box(box, list(PUBLISHED_BOXES))
    assert [resident.name for resident in box.residents if resident not in DAGGER.residents] == ["Cat"]
    assert box.own_labels == ["H9"]
    assert box.residents[9].timing == TIMING_NONE
    assert box.token_box is DAGGER
    assert box.icon_label == "H9"


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        (house(name="Night Watch"), "a name has 2 to 20 letters from a to z"),
        (house(name="random"), "is not random or all"),
        (house(letter="g"), "its letter is 'g', but must be one from a to z other than g and x"),
        (house(letter="X"), "its letter is 'X'"),
        (house(letter="hh"), "its letter is 'hh'"),
        (house(name="coin"), "there is another box with this name"),
        (house(letter="c"), "its letter 'c' belongs to the box 'coin'"),
        (house(base=house("other", "o")), "its base 'other' is not a registered box"),
        (house(base=None, number=0), "has 1 residents, but must have 14, or a base for the others"),
    ],
)
def test_an_invalid_box_is_refused_with_a_sentence(box: Box, reason: str) -> None:
    with pytest.raises(BoxError, match=reason.replace("(", r"\(")):
        check_box(box, list(PUBLISHED_BOXES))


def test_a_box_without_a_base_needs_a_token() -> None:
    box = Box("house", "h")
    for number in range(14):
        box.plain_resident(number, f"Cat {number}")
    with pytest.raises(BoxError, match="has no token"):
        check_box(box, list(PUBLISHED_BOXES))


def test_there_is_room_for_eighteen_boxes() -> None:
    others = [*PUBLISHED_BOXES, *[house(f"house{letter}", letter) for letter in "efhijklmnopqrs"]]
    check_box(house("last", "t"), others[:17])
    with pytest.raises(BoxError, match="there are 18 boxes already"):
        check_box(house("last", "t"), others)


def test_residents_are_added_in_the_order_of_their_numbers() -> None:
    box = house(number=3)
    with pytest.raises(ValueError, match="Dog, the 2, is out of order"):
        box.plain_resident(2, "Dog")


def test_files_of_the_environment_variable_are_loaded_in_the_order_of_their_letters(tmp_path: Path) -> None:
    second = write_house(tmp_path, "attic", "t", "attic.py")
    assert report_boxes(second, write_house(tmp_path)) == ["amulet bullet coin dagger house attic", ""]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("BOX = 5", "5 is not a Box"),
        ("box = 5", "the file has no variable BOX with the box"),
    ],
)
def test_a_broken_file_is_left_out_with_a_warning(tmp_path: Path, source: str, reason: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    assert report_boxes(path, write_house(tmp_path)) == ["amulet bullet coin dagger house", reason]


def test_the_second_of_two_boxes_with_one_letter_is_left_out(tmp_path: Path) -> None:
    path = write_house(tmp_path, letter="p")
    names, reason = report_boxes(path, folder=tmp_path / "site")
    assert names == "amulet bullet coin dagger pewter"
    assert reason == "box 'house': its letter 'p' belongs to the box 'pewter'"


def test_the_value_none_leaves_out_installed_packages_too(tmp_path: Path) -> None:
    environment = installed_environment(tmp_path) | {"ARGENTUM_BOXES": "none"}
    result = run_python("-c", REPORT, environment=environment)
    assert result.stdout.splitlines() == ["amulet bullet coin dagger", ""]


def test_a_box_imported_before_the_registry_is_left_out_with_the_remedy(tmp_path: Path) -> None:
    result = run_python("-c", "import argentum_pewter.rules", environment=installed_environment(tmp_path))
    assert "argentum_pewter.rules was imported first: import argentum.rules.boxes before it" in result.stderr


def test_broken_texts_and_data_leave_the_box_usable(tmp_path: Path) -> None:
    path = write_house(tmp_path)
    extra = (
        'BOX.texts = "nowhere"\nBOX.models = lambda: 1 / 0\nBOX.data = __import__("pathlib").Path(__file__).parent\n'
    )
    path.write_text(path.read_text() + extra)
    (tmp_path / "house.toml").write_text("[style")
    script = """
from argentum import Game, bots
from argentum.rulebook.card_art import box_style, card_art
from argentum.words.residents import texts_of
game = Game.new("house", 2, seed=1)
while not game.over:
    game.play(bots.ask(bots.make("steady"), game, game.to_move))
print(texts_of("H9").questions, box_style("house").title, card_art("H9").icon)
"""
    result = run_python("-c", script, environment={"ARGENTUM_BOXES": str(path)})
    assert result.stdout == "{} House residents unknown\n", result.stderr
    for warning in ("without its RESIDENT_TEXTS", "without its ABILITY_MODELS", "without its data file"):
        assert result.stderr.count(warning) == 1


def test_the_digest_changes_with_the_rules_and_not_with_line_ends(tmp_path: Path) -> None:
    path = write_house(tmp_path)
    digest = digest_of(load_file(str(path)))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert digest_of(load_file(str(path))) == digest
    path.write_text(path.read_text().replace("Cat", "Dog"))
    assert digest_of(load_file(str(path))) != digest
