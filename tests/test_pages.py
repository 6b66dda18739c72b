from pathlib import Path

import pytest

from argentum.pages import main, pages

DOCS = Path(__file__).parent.parent / "docs" / "rules"


@pytest.mark.parametrize("name", sorted(pages()))
def test_the_rules_pages_are_those_of_the_rules_own_data(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name], "run make docs"


def test_pages_are_written_into_a_folder(tmp_path: Path) -> None:
    main(tmp_path / "rules")
    assert {path.name for path in (tmp_path / "rules").iterdir()} == set(pages())
