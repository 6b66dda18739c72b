"""`argentum rules`: how to play, and looking up residents, rulings, boxes and topics."""

import json

import pytest
from click.testing import CliRunner

from argentum.cli import main
from argentum.rulebook.lookup import STATUS_MEANINGS, rulings, source_status, topics
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, residents
from argentum.rules.residents import Box, Resident


def told(*words: str) -> str:
    """What the command says."""
    result = CliRunner().invoke(main, ["rules", *words], env={"COLUMNS": "200"})  # whatever terminal the tests run in
    assert result.exit_code == 0, result.stderr
    return result.stdout


def plain(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def test_overview_explains_how_to_play_and_lists_the_entries() -> None:
    shown = told()
    assert shown.startswith(told("play").rstrip("\n"))
    assert "Normally each other player has one more turn" in plain(shown)
    for resident in residents():
        assert resident.name in plain(shown)
    for section in ("G1 to G25", "A0 to A14", "B0 to B14", "C0 to C14", "D0 to D14", "X1 to X20"):
        assert section in shown
    assert "call, scoring, sets, sideways, private deck, token, guard, shown" in shown


@pytest.mark.parametrize(
    ("query", "title", "says"),
    [
        ("play", "How to play", "Finish four rounds with the fewest points"),
        ("scoring", "Scoring", "you score 0 if no sum is lower than yours"),
        ("sideways", "Sideways cards", "Only a Curator turns cards sideways"),
        ("private deck", "Private decks", "Only you may look at it"),
        ("sets", "Sets", "if they all have the same number"),
        ("call", "Calling", "You need four cards or fewer"),
        ("token", "The silver token", "It is active only if that player called successfully"),
        ("guard", "Guarded and protected cards", "A faceup Bodyguard protects itself and the one card it guards"),
        ("shown", "Shown cards", "Anybody may draw a shown card instead of the top card of the deck"),
        ("Set", "Sets", "If the cards do not match, everybody has seen them"),
        ("the silver token", "The silver token", "Bullet: put it on one of your cards"),
    ],
)
def test_topics_refer_to_their_rulings(query: str, title: str, says: str) -> None:
    shown = told(*query.split())
    assert shown.startswith(f"{title}\n")
    assert says in plain(shown)
    topic = next(one for one in topics().values() if one.title == title)
    assert f"The details: {', '.join(topic.see)}." in shown
    assert set(topic.see) <= set(rulings())


def test_no_topic_hides_a_resident_or_box() -> None:
    words = {word for name, topic in topics().items() for word in (name, *topic.words)}
    assert words.isdisjoint({one.name.lower() for one in residents()} | {box.name for box in ALL_BOXES})


@pytest.mark.parametrize("resident", residents(), ids=lambda resident: str(resident.label))
def test_a_resident(resident: Resident) -> None:
    shown = told(*resident.name.split())
    assert shown.startswith(f"{resident.name} ({resident.label}): {resident.number} of Silver {resident.box.title()}, ")
    assert resident.text in plain(shown)
    assert plain(rulings()[resident.label].text) in plain(shown)
    assert told(resident.label.lower()) == shown
    source = rulings()[resident.label].source
    assert ("Source: " in shown) == bool(source)
    assert source in plain(shown)
    assert resident.source in source


@pytest.mark.parametrize("label", list(rulings()))
def test_a_label(label: str) -> None:
    shown = told(label)
    assert label in shown.splitlines()[0]
    assert plain(rulings()[label].text) in plain(shown)
    assert set(rulings()[label].see) <= set(rulings())
    assert max(len(line) for line in shown.splitlines()) <= 100


@pytest.mark.parametrize("box", ALL_BOXES, ids=lambda box: str(box.name))
def test_a_box(box: Box) -> None:
    shown = told(box.name)
    assert shown.startswith(f"Silver {box.name.title()}\n")
    assert f"The {box.token_name} ({box.token_label})" in shown
    for resident in box.residents:
        assert f"{resident.number:2d}  {resident.name} (" in shown
    assert told("SILVER", box.name.upper()) == shown


def test_part_of_a_name_is_enough_in_any_case() -> None:
    assert told("MORT") == told("mortician")
    several = told("apprentice")
    assert several.index("Apprentice Seer (A8)") < several.index("Apprentice Tanner (C5)")


def test_a_whole_name_comes_first() -> None:
    assert told("hunter").count(" of Silver ") == 1
    assert told("hunt").count(" of Silver ") == 2
    assert told("seer").startswith("Seer (A9)")
    assert told("master").startswith("Master (A10)")


def test_lookup_by_number_and_title() -> None:
    assert told("8").count(" 8 of Silver ") == 4
    assert "D14: Dagger token" in told("dagger", "token")
    assert "G25: Questions give nothing away" in told("give nothing away")


@pytest.mark.parametrize("words", [["wizard"], ["G26"], ["G0"], ["X21"], ["18"], ["  "], ["spy", "spy"]])
def test_what_is_not_there_is_refused(words: list[str]) -> None:
    result = CliRunner().invoke(main, ["rules", *words])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {' '.join(words)!r} is not a resident, ruling, box or topic. Try ")


# How sure a text is.

RECONSTRUCTED = [0, 3, 5, 7, 8, 9, 11, 12, 13]  # of Bullet, as the rules of record have it
AGREED = [2, 5, 6, 7, 8, 9, 12]  # of Amulet, as a whole; the others in part


@pytest.mark.parametrize("resident", BOX_BY_LETTER["b"].residents, ids=lambda resident: str(resident.label))
def test_the_bullets_reconstructed_cards_are_marked(resident: Resident) -> None:
    reconstructed = resident.number in RECONSTRUCTED
    assert ("reconstructed" in told(resident.name)) == reconstructed
    line = next(line for line in told("bullet").splitlines() if f"  {resident.name} (" in line)
    assert line.endswith("[reconstructed]") == reconstructed
    assert (source_status(resident.source) == "reconstructed") == resident.reconstructed == reconstructed


@pytest.mark.parametrize("resident", BOX_BY_LETTER["a"].residents, ids=lambda resident: str(resident.label))
def test_the_amulets_cards_say_what_is_agreed(resident: Resident) -> None:
    word = "agreed" if resident.number in AGREED else "partly reconstructed"
    line = next(line for line in told("amulet").splitlines() if f"  {resident.name} (" in line)
    assert line.endswith(f"[{word}]")
    assert "Source: agreed" in told(resident.label)


def test_every_mark_of_a_box_is_explained_below_it() -> None:
    for box in ALL_BOXES:
        there = {source_status(one.source) for one in box.residents} - {""}
        shown = plain(told(box.name))
        assert all(f"[{word}] {STATUS_MEANINGS[word]}." in shown for word in there)
    assert "[inferred]" in told("coin")
    assert "[" not in told("dagger")


def test_tokens_and_mixed_boxes_say_on_what_they_rest() -> None:
    assert "Source: implied by the rulebook's own words." in told("B14")
    assert "Source: agreed in what the card says" in told("A14")
    assert "Source: our own ruling" in told("X5")
    assert "Source" not in told("G7")


def test_the_table_of_protected_cards_has_all_residents_and_tokens() -> None:
    shown = told("X11")
    labels = [one.label for one in residents()] + [box.token_label for box in ALL_BOXES]
    assert set(rulings()["X11"].protected) == set(labels)
    lines = {line.split()[0]: line for line in shown.splitlines() if line and line.split()[0] in labels}
    assert "passes over it" in lines["D6"]
    assert lines["C1"].endswith("cannot be used")
    [data] = json.loads(told("X11", "--json"))
    assert data["protected"]["A8"] == ["no", "no", "-"]
