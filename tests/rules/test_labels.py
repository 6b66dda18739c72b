import pytest

from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, BOX_BY_NAME, BOX_LETTERS, BOX_NAMES, DEFAULT_BOX, box_index
from argentum.rules.residents import LABEL_RESIDENT, LABEL_RULE, LABEL_TOKEN, Box, Label, parse_label


@pytest.mark.parametrize("box", ALL_BOXES, ids=BOX_NAMES)
def test_labels_of_a_box_parse_to_the_box(box: Box) -> None:
    for resident in box.residents:
        assert resident.label == box.label(resident.number)
        assert parse_label(resident.label) == Label(box.letter, resident.number, LABEL_RESIDENT)
    assert parse_label(box.token_label) == Label(box.letter, 14, LABEL_TOKEN)


def test_labels_of_rules_parse_without_a_box() -> None:
    assert parse_label("G10") == Label("G", 10, LABEL_RULE)
    assert parse_label("X14").kind == LABEL_RULE


def test_names_letters_and_indices_of_boxes_agree() -> None:
    assert BOX_NAMES == ("amulet", "bullet", "coin", "dagger")
    assert BOX_LETTERS == "abcd"
    for index, box in enumerate(ALL_BOXES):
        assert box_index(box.name) == index
        assert BOX_BY_NAME[box.name] is BOX_BY_LETTER[box.letter] is box
        assert box.title == f"Silver {box.name.title()}"
    assert DEFAULT_BOX in BOX_NAMES
