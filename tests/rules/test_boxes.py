from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, BOX_BY_NAME, BOX_LETTERS, BOX_NAMES, DEFAULT_BOX, box_index


def test_names_letters_and_indices_of_boxes_agree() -> None:
    assert BOX_NAMES == ("amulet", "bullet", "coin", "dagger")
    assert BOX_LETTERS == "abcd"
    for index, box in enumerate(ALL_BOXES):
        assert box_index(box.name) == index
        assert BOX_BY_NAME[box.name] is BOX_BY_LETTER[box.letter] is box
        assert box.title == f"Silver {box.name.title()}"
    assert DEFAULT_BOX in BOX_NAMES
