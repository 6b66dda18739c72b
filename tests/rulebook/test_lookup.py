import pytest

from argentum.rulebook.lookup import STATUS_MEANINGS, look_up, lookup_json, overview, rulings, source_status, topics
from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, residents
from argentum.rules.residents import Box, Resident


def unwrap(text: str) -> str:
    return " ".join(text.split())


def test_overview_explains_how_to_play_and_lists_the_entries() -> None:
    text = overview()
    assert text.startswith(look_up("play"))
    assert "Normally each other player has one more turn" in unwrap(text)
    for resident in residents():
        assert resident.name in unwrap(text)
    for section in ("G1 to G25", "A0 to A14", "B0 to B14", "C0 to C14", "D0 to D14", "X1 to X20"):
        assert section in text
    assert "call, scoring, sets, sideways, private deck, token, guard, shown" in text


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
    text = look_up(query)
    assert text.startswith(f"{title}\n")
    assert says in unwrap(text)
    topic = next(topic for topic in topics().values() if topic.title == title)
    assert f"The details: {', '.join(topic.see)}." in text
    assert set(topic.see) <= set(rulings())


def test_no_topic_hides_a_resident_or_box() -> None:
    words = {word for name, topic in topics().items() for word in (name, *topic.words)}
    assert words.isdisjoint({resident.name.lower() for resident in residents()} | {box.name for box in ALL_BOXES})


@pytest.mark.parametrize("resident", residents(), ids=lambda resident: str(resident.label))
def test_a_resident_is_found_by_name_and_label_with_its_ruling(resident: Resident) -> None:
    text = look_up(resident.name)
    assert text.startswith(
        f"{resident.name} ({resident.label}): {resident.number} of {BOX_BY_NAME[resident.box].title}, "
    )
    assert resident.text in unwrap(text)
    assert unwrap(rulings()[resident.label].text) in unwrap(text)
    assert look_up(resident.label.lower()) == text
    source = rulings()[resident.label].source
    assert ("Source: " in text) == bool(source)
    assert source in unwrap(text)
    assert resident.source in source


@pytest.mark.parametrize("label", list(rulings()))
def test_every_label_is_found_with_its_text(label: str) -> None:
    text = look_up(label)
    assert label in text.splitlines()[0]
    assert unwrap(rulings()[label].text) in unwrap(text)
    assert set(rulings()[label].see) <= set(rulings())
    assert max(len(line) for line in text.splitlines()) <= 100


@pytest.mark.parametrize("box", ALL_BOXES, ids=lambda box: str(box.name))
def test_a_box_is_found_with_its_residents_and_token(box: Box) -> None:
    text = look_up(box.name)
    assert text.startswith(f"{box.title}\n")
    assert f"The {box.token_name} ({box.token_label})" in text
    for resident in box.residents:
        assert f"{resident.number:2d}  {resident.name} (" in text
    assert look_up(f"SILVER {box.name.upper()}") == text


def test_part_of_a_name_is_enough_in_any_case() -> None:
    assert look_up("MORT") == look_up("mortician")
    several = look_up("apprentice")
    assert several.index("Apprentice Seer (A8)") < several.index("Apprentice Tanner (C5)")


def test_a_complete_name_has_precedence() -> None:
    assert look_up("hunter").count(" of Silver ") == 1
    assert look_up("hunt").count(" of Silver ") == 2
    assert look_up("seer").startswith("Seer (A9)")
    assert look_up("master").startswith("Master (A10)")


def test_a_lookup_finds_residents_by_number_and_rulings_by_title() -> None:
    assert look_up("8").count(" 8 of Silver ") == 4
    assert "D14: Dagger token" in look_up("dagger token")
    assert "G25: Questions give nothing away" in look_up("give nothing away")


# Status of texts.

RECONSTRUCTED = [0, 3, 5, 7, 8, 9, 11, 12, 13]  # numbers of Silver Bullet
AGREED = [2, 5, 6, 7, 8, 9, 12]  # numbers of Silver Amulet whose complete text is agreed


@pytest.mark.parametrize("resident", BOX_BY_NAME["bullet"].residents, ids=lambda resident: str(resident.label))
def test_the_bullets_reconstructed_cards_are_marked(resident: Resident) -> None:
    reconstructed = resident.number in RECONSTRUCTED
    assert ("reconstructed" in look_up(resident.name)) == reconstructed
    line = next(line for line in look_up("bullet").splitlines() if f"  {resident.name} (" in line)
    assert line.endswith("[reconstructed]") == reconstructed
    assert (source_status(resident.source) == "reconstructed") == reconstructed


@pytest.mark.parametrize("resident", BOX_BY_NAME["amulet"].residents, ids=lambda resident: str(resident.label))
def test_the_amulets_cards_have_the_status_of_their_texts(resident: Resident) -> None:
    word = "agreed" if resident.number in AGREED else "partly reconstructed"
    line = next(line for line in look_up("amulet").splitlines() if f"  {resident.name} (" in line)
    assert line.endswith(f"[{word}]")
    assert "Source: agreed" in look_up(resident.label)


def test_every_status_in_a_box_is_explained_below_it() -> None:
    for box in ALL_BOXES:
        statuses = {source_status(resident.source) for resident in box.residents} - {""}
        text = unwrap(look_up(box.name))
        assert all(f"[{word}] {STATUS_MEANINGS[word]}." in text for word in statuses)
    assert "[inferred]" in look_up("coin")
    assert "[" not in look_up("dagger")


def test_tokens_and_rulings_name_their_sources() -> None:
    assert "Source: implied by the rulebook's own words." in look_up("B14")
    assert "Source: agreed in what the card says" in look_up("A14")
    assert "Source: our own ruling" in look_up("X5")
    assert "Source" not in look_up("G7")


def test_the_table_of_protected_cards_has_all_residents_and_tokens() -> None:
    text = look_up("X11")
    labels = [resident.label for resident in residents()] + [box.token_label for box in ALL_BOXES]
    assert set(rulings()["X11"].protected) == set(labels)
    lines = {line.split()[0]: line for line in text.splitlines() if line and line.split()[0] in labels}
    assert "passes over it" in lines["D6"]
    assert lines["C1"].endswith("cannot be used")
    [data] = lookup_json("X11")
    assert data["protected"]["A8"] == ("no", "no", "-")
