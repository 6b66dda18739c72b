import pytest

from argentum.rules.boxes import ALL_BOXES, BOX_NAMES
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
